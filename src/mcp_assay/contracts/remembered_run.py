"""A run of contract tests in the history: what its checks found, as a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from mcp_assay import __version__
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.client.target import Command, Endpoint, Reachable
from mcp_assay.client.target_secrets import shown_url, shown_words
from mcp_assay.contracts.check import SERVER, ContractCheck
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.history.identity import Identity, identity_of, project_root
from mcp_assay.history.location import BY_DEFAULT, located
from mcp_assay.history.recorder import new_run, record
from mcp_assay.history.store import Store
from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.outcome import outcome_of
from mcp_assay.model.report import (
    Check,
    CheckOutcome,
    Report,
    ReportSubject,
    Summary,
    TimedMessage,
    ToolVersion,
)
from mcp_assay.model.tool import ToolRow
from mcp_assay.model.verdict import ToolStatus
from mcp_assay.rules.definition.size import measure
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.rules.engine.findings import fingerprint

COMMAND: Final = "pytest"
FAMILY: Final = "CONTRACT"
"""How the rule of a check begins; its name follows."""
OUTCOMES: Final[Mapping[str, CheckOutcome]] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "undecided",
}


class CheckResult(Struct, frozen=True):
    """How one check ended."""

    check: ContractCheck
    outcome: str
    """passed, failed or skipped."""
    words: str
    """What was broken, or why it was not decided."""


class RememberedRun(Struct, kw_only=True):
    """The history of one run of tests: opened before it, written to after it."""

    store: Store
    target: Reachable
    results: list[CheckResult] = field(default_factory=list)
    watch: Stopwatch = field(default_factory=Stopwatch)

    @classmethod
    def opened(cls, given: str, target: Reachable) -> RememberedRun:
        """A store that can be written; raises WrongLocation or StoreFault."""
        return cls(store=Store(located(given or BY_DEFAULT)), target=target)

    def record(self, server: ServerUnderTest, revision: str) -> int:
        """Record what was found out; the number of the run. Raises StoreFault."""
        report = self._report(server, revision)
        run = new_run(self._identity(report), report)
        rows = replace(run.rows, run={**run.rows.run, "command": COMMAND})
        return record(self.store, replace(run, rows=rows)).run_id

    def _identity(self, report: Report) -> Identity:
        return identity_of(report.subject, None, project_root())

    def _report(self, server: ServerUnderTest, revision: str) -> Report:
        findings = [_finding(it, revision) for it in self.results if it.outcome == "failed"]
        tools = [self._row(name, server) for name in server.tools]
        surface = measure(Surface(tools=list(server.tools.values())))
        subject = replace(_subject(self.target, server), surface_sha256=surface.sha256)
        timing = replace(self.watch.timing(), messages=list(_times(server)))
        return Report(
            tool=ToolVersion(name="mcp-assay", version=__version__),
            subject=subject,
            revision=revision,
            options={},
            summary=Summary(
                outcome=outcome_of({"error": len(findings)}, "error"),
                errors=len(findings),
                warnings=0,
                infos=0,
                messages=0,
                sessions=1,
                tools_listed=len(tools),
                tools_called=sum(row.called > 0 for row in tools),
                tools_succeeded=sum(row.succeeded > 0 for row in tools),
            ),
            findings=findings,
            checks=list(self._checks()),
            tools=tools,
            surface=surface,
            limits=[],
            timing=timing,
        )

    def _row(self, name: str, server: ServerUnderTest) -> ToolRow:
        its = [one.outcome for one in self.results if one.check.tool == name]
        calls = server.samples.made(name)
        ended = [(call, server.outcome(call).what) for call in calls]
        good = sum(what == "succeeded" and call.scenario.valid is True for call, what in ended)
        refused = sum(what == "refused" and call.scenario.valid is False for call, what in ended)
        status, reason = _status(its, good, len(calls))
        return ToolRow(
            name=name,
            status=status,
            reason=reason,
            called=len(calls),
            succeeded=good,
            rejected=refused,
        )

    def _checks(self) -> Iterator[Check]:
        """What became of each check; failed where it failed for one tool, passed for others."""
        found: dict[str, set[str]] = {}
        for one in self.results:
            found.setdefault(_rule(one.check), set()).add(one.outcome)
        for rule, outcomes in sorted(found.items()):
            worst = next(it for it in ("failed", "passed", "skipped") if it in outcomes)
            yield Check(rule=rule, outcome=OUTCOMES[worst])


def _status(outcomes: Iterable[str], good: int, called: int) -> tuple[ToolStatus, str]:
    ended = set(outcomes)
    if not called:
        return "not_called", "no check has called it"
    if not good:
        return "unproven", "no valid call succeeded"
    if "failed" in ended:
        return "partially_working", "checks of it fail"
    return "fully_working", ""


def _rule(check: ContractCheck) -> str:
    return f"{FAMILY}-{check.name}"


def _finding(it: CheckResult, revision: str) -> Finding:
    tool = None if it.check.tool == SERVER else it.check.tool
    rule = _rule(it.check)
    message = it.words.strip().split("\n")[0] or f"The check {it.check.name} fails."
    return Finding(
        rule=rule,
        name=it.check.name,
        severity="error",
        subject="server",
        message=message,
        pointer="",
        where=Where(tool=tool),
        revision=revision,
        statement=f"The server keeps its promise: {it.check.name.replace('-', ' ')}.",
        url="",
        reason=None,
        details=None,
        evidence=None,
        fix=None,
        cause=f"{rule} {it.check.tool}",
        fingerprint=fingerprint(rule, "server", tool, "", None),
    )


def _subject(target: Reachable, server: ServerUnderTest) -> ReportSubject:
    """What was tested, without secrets."""
    if isinstance(target, Endpoint):
        return ReportSubject(kind="server", url=server.clean(shown_url(target.url)))
    words = shown_words(target.command) if isinstance(target, Command) else [target.name]
    return ReportSubject(kind="server", command=[server.clean(word) for word in words])


def _times(server: ServerUnderTest) -> Iterator[TimedMessage]:
    for tool in server.tools:
        for call in server.samples.made(tool):
            milliseconds: Any = round(1000 * call.answer.seconds, 3)
            yield TimedMessage(
                at=0.0,
                direction="s2c",
                what=f"answer to tools/call {tool}",
                id=None,
                bytes=len(call.answer.text),
                milliseconds=milliseconds,
            )
