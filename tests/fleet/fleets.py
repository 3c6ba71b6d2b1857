"""Fleets for tests of their report: a small one where everything happens, and a large one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mcp_assay.fleet.entry import Fleet, FleetEntry, Package, Program, Remote
from mcp_assay.fleet.job import Reason
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.form import FleetReport
from mcp_assay.fleet.report.summary import FleetRunFacts, fleet_report
from mcp_assay.model.finding import DECIDED_BY, Finding, Severity
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Check, Report, Summary, ToolVersion
from tests.report.reports import finding, report

CRASH = ("RESP-004", "valid-call-crashes")
COERCED = ("DRIFT-003", "wrong-type-accepted")
UNKNOWN = ("CALL-006", "unknown-tool-as-result")


def found(
    rule: tuple[str, str], severity: Severity, server: str, library: str | None = None
) -> Finding:
    """A finding about a server, decided by a library where one is named with its version."""
    one = finding("text", severity)
    name, _, version = (library or "").rpartition(" ")
    told = {"library": name, "version": version, "cure": "upgrade"}
    details = {DECIDED_BY: told} if library else None
    message = f"{server} does it."
    return replace(
        one, rule=rule[0], name=rule[1], message=message, details=details, fingerprint=f"{rule[0]}"
    )


def on_server(outcome: RunOutcome, *findings: Finding, **changes: Any) -> Report:
    """A report with this verdict, on a server with one tool."""
    one = report("text", list(findings))
    counts = {"pass": 100, "fail": 50, "incomplete": None}
    summary: Summary = replace(
        one.summary, outcome=outcome, tools_succeeded=1, score=counts[outcome],
        reason=changes.pop("reason", None),
    )  # fmt: skip
    checks = [Check(rule=rule, outcome="passed") for rule, _ in (CRASH, COERCED, UNKNOWN)]
    return replace(one, summary=summary, checks=checks, **changes)


def package(name: str, registry: Any = "pypi") -> FleetEntry:
    return FleetEntry(name=name, origin=Package(registry=registry, name=f"mcp-{name}"))


def program(name: str) -> FleetEntry:
    return FleetEntry(name=name, origin=Program(command=("python", "server.py")))


def remote(name: str, host: str) -> FleetEntry:
    return FleetEntry(name=name, origin=Remote(url=f"https://{host}/mcp"))


def done(
    entry: FleetEntry, now: Report | None, before: Report | None = None, **more: Any
) -> ServerOutcome:
    """A server that was assessed in two seconds, after it was installed in one."""
    return ServerOutcome(
        name=entry.name, entry=entry, report=now, previous=before,
        prepared_seconds=1.0, assessed_seconds=2.0, **more,
    )  # fmt: skip


def ended(entry: FleetEntry, kind: Any, text: str, **more: Any) -> ServerOutcome:
    return ServerOutcome(name=entry.name, entry=entry, reason=Reason(kind=kind, text=text), **more)


def small_fleet() -> list[ServerOutcome]:
    """Twelve servers to which everything happens that can."""
    crash = found(CRASH, "error", "films")
    coerced = {name: found(COERCED, "warning", name, "FastMCP 4.1.0") for name in "abcde"}
    died = Reason(kind="worker_lost", text="The worker died.", is_passing=True)
    unreached = on_server(
        "incomplete", revision=None, reason="Could not start the server: python: not found."
    )
    return [
        done(package("books"), on_server("pass", coerced["a"]), on_server("pass", coerced["a"]),
             version="1.1.0", previous_version="1.0.0"),
        done(package("films"), on_server("fail", crash, coerced["b"]), on_server("pass"),
             run_id=7, tries=(died,)),
        done(program("notes"), on_server("pass"), on_server("fail", crash)),
        done(remote("maps", "maps.invalid"), on_server("pass", coerced["c"]), is_resumed=True,
             is_new=True),
        done(package("mail"), on_server("fail", crash, crash), is_new=True),
        done(program("gone-wrong"), unreached, on_server("pass")),
        done(package("music"), on_server("pass"), on_server("pass")),
        ended(package("images", "oci"), "needs_image", "mcp-images is a container image.",
              previous_reason=Reason(kind="needs_image", text="so it was")),
        ended(package("old", "npm"), "needs_build", "mcp-old has only sources.", is_new=True),
        ended(package("older", "npm"), "needs_build", "mcp-older has only sources.",
              previous=on_server("pass")),
        ended(program("slow"), "over_time", "Not done after 300 s.", is_new=True),
        ServerOutcome(name="typo", reason=Reason(kind="wrong_entry", text="It has no command."),
                      is_new=True),
    ]  # fmt: skip


def reported(
    outcomes: Sequence[ServerOutcome], *, last_run: str | None = None, gone: Sequence[str] = (),
    files: Mapping[str, str] | None = None, seconds: float = 65.0,
) -> FleetReport:  # fmt: skip
    """The report on a fleet of these servers."""
    entries = tuple(one.entry for one in outcomes if one.entry)
    run = FleetRunFacts(
        tool=ToolVersion(name="mcp-assay", version="1"),
        options={"seed": 0},
        started="2026-01-08T00:00:00Z",
        seconds=seconds,
        engine="local",
        workers=2,
        last_run=last_run,
        gone=gone,
        files=files or {},
    )
    return fleet_report(
        Fleet(file="fleet.toml", name="registry", entries=entries, left_out=3), outcomes, run
    )


def small_report(**more: Any) -> FleetReport:
    """The report on the small fleet, which has been assessed before."""
    return reported(small_fleet(), last_run="2026-01-01T00:00:00Z", gone=["retired"], **more)


def large_fleet(servers: int = 3_000) -> list[ServerOutcome]:
    """So many servers; a third of them failed, a tenth has no verdict."""
    outcomes = []
    for number in range(servers):
        entry = package(f"server-{number:05}")
        if number % 10 == 9:
            outcomes.append(ended(entry, "needs_build", f"{entry.name} has only sources."))
            continue
        rule = (f"RULE-{number % 60:03}", "some-rule")
        findings = [found(COERCED, "warning", entry.name, "FastMCP 4.1.0")]
        findings += [found(rule, "error", entry.name)] if number % 3 == 0 else []
        now = on_server("fail" if number % 3 == 0 else "pass", *findings)
        outcomes.append(done(entry, now, on_server("pass"), version="1.0.0"))
    return outcomes
