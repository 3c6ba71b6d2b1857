"""A report -> what the store keeps of it in rows, for questions that are asked often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import ceil
from statistics import median
from typing import Any, Final

from msgspec import Struct
from msgspec.json import encode

from mcp_assay.drift.decided import CHOOSING_CALLS, option
from mcp_assay.model.effect import Effects
from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import Report
from mcp_assay.text.safe import plain, shorten

ANSWER_TO_CALL: Final = "answer to tools/call "
"""How a message is called that answers a call; the name of the tool follows."""
LONGEST_MESSAGE: Final = 500
LONGEST_NAME: Final = 300
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
PERCENTILE: Final = 0.95


class FoundRow(Struct, frozen=True, kw_only=True):
    """A finding as the store keeps it: the words of the gravest of its repeats, all counted."""

    fingerprint: str
    rule: str
    name: str
    severity: Severity
    tool: str | None
    message: str
    count: int


class RunRows(Struct, frozen=True, kw_only=True):
    """What is kept of a run besides its report."""

    run: dict[str, Any]
    tools: dict[str, dict[str, Any]]
    """By the name of each tool."""
    findings: dict[str, FoundRow]
    """By their fingerprints; those too that a baseline accepts."""


def rows_of(report: Report) -> RunRows:
    """What is kept of a run."""
    times = _times(report)
    accepted = report.baseline.accepted if report.baseline else []
    return RunRows(
        run=_run(report, [ms for its in times.values() for ms in its]),
        tools=_tools(report, times),
        findings=_found([*report.findings, *accepted]),
    )


def microseconds(at: str) -> int:
    """A moment as a report writes it; 0 where it says none."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return 0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(moment.timestamp() * 1_000_000)


def largest_number(its: RunRows) -> int:
    """The largest integer of these rows, whatever its sign: databases hold 64 bits."""
    values = [*its.run.values(), *(it.count for it in its.findings.values())]
    values += [value for row in its.tools.values() for value in row.values()]
    return max((abs(value) for value in values if isinstance(value, int)), default=0)


def choices_of(report: Report) -> str:
    """What chose the calls of a run; equal for runs that call a tool alike."""
    chosen = [option(name, report) for name in CHOOSING_CALLS]
    return sha256(encode(chosen)).hexdigest()[:16]


def _run(report: Report, times: list[float]) -> dict[str, Any]:
    summary, info = report.summary, report.subject.server_info or {}
    version = info.get("version")
    middle, slow = _measured(times)
    return {
        "at": plain(report.timing.started),
        "command": report.command,
        "outcome": summary.outcome,
        "reason": summary.reason and shorten(plain(summary.reason), LONGEST_MESSAGE),
        "errors": summary.errors,
        "warnings": summary.warnings,
        "infos": summary.infos,
        "score": summary.score,
        "confidence": summary.confidence,
        "tools_listed": summary.tools_listed,
        "tools_called": summary.tools_called,
        "tools_succeeded": summary.tools_succeeded,
        "statuses": encode(
            dict(sorted(Counter(it.status for it in report.tools).items()))
        ).decode(),
        "version": stored_name(version) if isinstance(version, str) else None,
        "revision": report.revision and stored_name(report.revision),
        "surface": (stored_name(report.surface.sha256) or None) if report.surface else None,
        "seconds": report.timing.seconds,
        "median_ms": middle,
        "p95_ms": slow,
        "made_by": plain(report.tool.version),
        "choices": choices_of(report),
    }


def _tools(report: Report, times: Mapping[str, list[float]]) -> dict[str, dict[str, Any]]:
    listed = report.surface.hashes if report.surface else {}
    hashes = {name: stored_name(digest or "") or None for name, digest in listed.items()}
    rows: dict[str, dict[str, Any]] = {}
    for tool in report.tools:
        middle, slow = _measured(times.get(tool.name, []))
        rows[stored_name(tool.name)] = {
            "status": tool.status,
            "confidence": tool.confidence,
            "called": tool.called,
            "succeeded": tool.succeeded,
            "definition": hashes.get(tool.name),
            "median_ms": middle,
            "p95_ms": slow,
            "effects": tool.effects and effects_words(tool.effects),
        }
    if not report.tools:  # lint lists and calls nothing
        for name, digest in hashes.items():
            rows[stored_name(name)] = {**UNCALLED, "definition": digest}
    return rows


UNCALLED: Final[Mapping[str, Any]] = {
    "status": "not_called",
    "confidence": None,
    "called": 0,
    "succeeded": 0,
    "median_ms": None,
    "p95_ms": None,
    "effects": None,
}


def effects_words(effects: Effects) -> str:
    """What was done to the machine, in a few words."""
    files = Counter(one.what for one in effects.kept_files)
    hosts = {one.host or one.address for one in effects.connections} | set(effects.names)
    counts = (
        *((number, f"files {what}") for what, number in sorted(files.items())),
        (len(effects.programs), "programs started"),
        (len(hosts), "hosts contacted"),
        (len(effects.secrets), "secrets read"),
        (len(effects.processes), "processes left"),
        (len(effects.attempts), "forbidden calls tried"),
    )
    return ", ".join(f"{number} {words}" for number, words in counts if number) or "none"


def _found(findings: Iterable[Finding]) -> dict[str, FoundRow]:
    rows: dict[str, FoundRow] = {}
    for it in findings:
        fingerprint = stored_name(it.fingerprint)
        known = rows.get(fingerprint)
        count = it.count + (known.count if known else 0)
        if known and SEVERITIES.index(known.severity) <= SEVERITIES.index(it.severity):
            rows[fingerprint] = _replaced(known, count)
        else:
            rows[fingerprint] = FoundRow(
                fingerprint=fingerprint,
                rule=stored_name(it.rule),
                name=stored_name(it.name),
                severity=it.severity,
                tool=None if it.where.tool is None else stored_name(it.where.tool),
                message=shorten(plain(it.message), LONGEST_MESSAGE),
                count=count,
            )
    return rows


def _replaced(row: FoundRow, count: int) -> FoundRow:
    from msgspec.structs import replace  # noqa: PLC0415  repeats are rare

    return replace(row, count=count)


def _times(report: Report) -> dict[str, list[float]]:
    """How long each tool took for its answers, in milliseconds."""
    times: dict[str, list[float]] = {}
    for message in report.timing.messages:
        if message.milliseconds is not None and message.what.startswith(ANSWER_TO_CALL):
            tool = message.what.removeprefix(ANSWER_TO_CALL)
            times.setdefault(tool, []).append(message.milliseconds)
    return times


def _measured(times: list[float]) -> tuple[float | None, float | None]:
    """The median, and what all but a twentieth stay below."""
    if not times:
        return None, None
    ordered = sorted(times)
    return round(median(ordered), 3), ordered[ceil(PERCENTILE * len(ordered)) - 1]


def stored_name(text: str) -> str:
    """A name without what a database cannot hold or a terminal would obey."""
    return shorten(plain(text), LONGEST_NAME)
