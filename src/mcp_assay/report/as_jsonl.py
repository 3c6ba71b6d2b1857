"""Events of a run -> lines of JSON, each written as soon as it happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mcp_assay.model.event import (
    WITH_VERBOSE,
    BeginEvent,
    CallEvent,
    CheckEvent,
    ConnectedEvent,
    Event,
    FindingEvent,
    LimitEvent,
    OverdueEvent,
    SummaryEvent,
    ToolEvent,
    WithdrawnEvent,
)
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report, ToolVersion
from mcp_assay.report.as_json import json_line
from mcp_assay.text.digests import sha256

ACCEPTED: Final = "accepted by the baseline"
LEFT_OUT: Final = "beyond --max-findings"


class EventLines:
    """Writes the events of one run; in the end they say the same as its report."""

    def __init__(
        self, tool: ToolVersion, write: Callable[[str], object], *, is_verbose: bool = False
    ) -> None:
        self._write: Final = write
        self._is_verbose: Final = is_verbose
        self._found = 0
        self._numbers: Final[dict[bytes, list[int]]] = {}
        """The numbers of the findings that were reported, by what they say."""
        self.emit(BeginEvent(tool=tool))

    def emit(self, event: Event) -> None:
        """Write what has just happened."""
        if self._is_verbose or not isinstance(event, WITH_VERBOSE):
            self._write(json_line(event))

    def find(self, finding: Finding) -> None:
        """Write a finding that was just made."""
        self._numbers.setdefault(_key(finding), []).append(self._emit_finding(finding))

    def conclude(self, report: Report) -> None:
        """Write what the report knows beyond the events, the summary last."""
        for finding in report.findings:
            if not self._tick_off(finding):
                self._emit_finding(finding)
        for event in (*self._withdrawn(report), *_ending(report)):
            self.emit(event)

    def _tick_off(self, finding: Finding) -> bool:
        """Take a finding that was reported off the list; False where it was not on it."""
        numbers = self._numbers.get(_key(finding)) if self._numbers else None
        return numbers is not None and bool(numbers) and numbers.pop(0) > 0

    def _emit_finding(self, finding: Finding) -> int:
        self._found += 1
        self.emit(FindingEvent(number=self._found, finding=finding))
        return self._found

    def _withdrawn(self, report: Report) -> Iterator[WithdrawnEvent]:
        accepted = report.baseline.accepted if report.baseline else []
        known = {_key(finding) for finding in accepted}
        reasons = {
            number: ACCEPTED if key in known else LEFT_OUT
            for key, numbers in self._numbers.items()
            for number in numbers
        }
        for number, reason in sorted(reasons.items()):
            yield WithdrawnEvent(number=number, reason=reason)


def to_jsonl(report: Report) -> str:
    """The events that a report yields, when the run is over."""
    lines: list[str] = []
    events = EventLines(report.tool, lines.append)
    if report.subject.kind == "server":
        events.emit(
            ConnectedEvent(
                server_info=report.subject.server_info,
                revision=report.revision,
                revisions_offered=report.revisions_offered,
            )
        )
    for call in report.calls:
        events.emit(CallEvent(call=call))
    events.conclude(report)
    return "".join(lines)


def _ending(report: Report) -> Iterator[Event]:
    yield from (ToolEvent(tool=tool) for tool in report.tools)
    yield from (LimitEvent(limit=limit) for limit in report.limits)
    if report.baseline:
        yield from (OverdueEvent(overdue=entry) for entry in report.baseline.overdue)
    yield from (CheckEvent(check=check) for check in report.checks)
    yield SummaryEvent(
        subject=report.subject,
        revision=report.revision,
        seed=report.seed,
        summary=report.summary,
        started=report.timing.started,
        seconds=report.timing.seconds,
    )


def _key(finding: Finding) -> bytes:
    """What equal findings have in common."""
    return sha256(json_line(finding).encode()).digest()
