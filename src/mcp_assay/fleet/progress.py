"""How far the work on a fleet has come: for a screen that is drawn anew, and as events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Final, Protocol

from msgspec import Struct

from mcp_assay.fleet.job import Reason
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.form import VERDICTS, FleetVerdict
from mcp_assay.fleet.report.rows import verdict_of, why_unassessed
from mcp_assay.fleet.report.words import VERDICT_STYLES, VERDICT_WORDS, duration
from mcp_assay.model.event import (
    BeginEvent,
    FleetBeginEvent,
    FleetEndEvent,
    ServerBeginEvent,
    ServerEndEvent,
    ServerRetryEvent,
)
from mcp_assay.model.report import ToolVersion
from mcp_assay.report.as_json import json_line
from mcp_assay.text.lines import Line, counted, cut, padded, said, width
from mcp_assay.text.safe import shorten

LEAST_FOR_ESTIMATE: Final = 3
"""Before so many servers are done, nobody knows how long the others take."""
BAR: Final = 24
WIDEST_NAME: Final = 40
LONGEST_TEXT: Final = 2_000
Clock = Callable[[], float]


class FleetListener(Protocol):
    """Hears what happens to the servers of a fleet."""

    def begin(self, server: str, attempt: int) -> None:
        """Hear that a try begins; they are counted from 1."""

    def retry(self, server: str, reason: Reason) -> None:
        """Hear that a try gave nothing, and that another one will follow."""

    def end(self, outcome: ServerOutcome) -> None:
        """Hear of a verdict, or of the reason why there is none; also of what was known before."""


class FleetSize(Struct, frozen=True, kw_only=True):
    """What is known of a run before it begins."""

    name: str
    servers: int
    dashboard: str | None = None
    """The address at which a Dask cluster shows what it does."""


class FleetSilence:
    """Hears it, and says nothing."""

    def begin(self, server: str, attempt: int) -> None:
        """Hear nothing."""

    def retry(self, server: str, reason: Reason) -> None:
        """Hear nothing."""

    def end(self, outcome: ServerOutcome) -> None:
        """Hear nothing."""


class _UnderWay(Struct, frozen=True):
    begun: float
    attempt: int


class FleetProgress:
    """Keeps what is under way; another thread may ask for the lines meanwhile."""

    def __init__(self, size: FleetSize, clock: Clock) -> None:
        self._size: Final = size
        self._clock: Final = clock
        self._begun: Final = clock()
        self._lock: Final = Lock()
        self._running: Final[dict[str, _UnderWay]] = {}
        self._verdicts: Final[Counter[FleetVerdict]] = Counter()
        self._worked = 0
        """Servers that were done here, not by an earlier command."""
        self._retries = 0

    def begin(self, server: str, attempt: int) -> None:
        """Take a server among those under way."""
        with self._lock:
            self._running[server] = _UnderWay(self._clock(), attempt)

    def retry(self, server: str, reason: Reason) -> None:
        """Take it out again until its next try."""
        with self._lock:
            self._running.pop(server, None)
            self._retries += 1

    def end(self, outcome: ServerOutcome) -> None:
        """Count its verdict."""
        with self._lock:
            self._verdicts[verdict_of(outcome.report, outcome.reason)] += 1
            self._worked += self._running.pop(outcome.name, None) is not None

    def lines(self, rows: int) -> list[Line]:
        """How far it is, in at most so many lines: the servers under way come last."""
        with self._lock:
            head = [self._how_far(), self._counts(), *self._dashboard()]
            room = max(rows - len(head), 0)
            return [*head, *self._under_way(room)][: max(rows, 1)]

    def _how_far(self) -> Line:
        done, total = sum(self._verdicts.values()), self._size.servers
        full = BAR * done // total if total else BAR
        now = self._clock() - self._begun
        words = f"  {done:,} of {counted(total, 'server')} · {duration(now)}{self._left(now)}"
        return (("━" * full, "pass"), ("─" * (BAR - full), "faint"), (words, ""))

    def _left(self, now: float) -> str:
        left = self._size.servers - sum(self._verdicts.values())
        if self._worked < LEAST_FOR_ESTIMATE or not left:
            return ""
        return f" · about {duration(now * left / self._worked)} left"

    def _counts(self) -> Line:
        line: Line = (("  ", ""),)
        for verdict in reversed(VERDICTS):
            number = self._verdicts[verdict]
            style = VERDICT_STYLES[verdict] if number else "faint"
            line = (*line, (f"{number:,} {VERDICT_WORDS[verdict]}", style), ("  ", ""))
        return (*line, (f"{self._retries:,} tried again", "faint")) if self._retries else line

    def _dashboard(self) -> Iterator[Line]:
        if self._size.dashboard:
            yield (("  dashboard  ", "faint"), (shorten(self._size.dashboard, LONGEST_TEXT), ""))

    def _under_way(self, room: int) -> Iterator[Line]:
        """Those that take longest first: one of them may hang."""
        running = sorted(self._running.items(), key=lambda one: (one[1].begun, one[0]))
        shown = running if len(running) <= room else running[: max(room - 1, 0)]
        names = [cut(name, WIDEST_NAME) for name, _ in shown]
        widest = max(map(width, names), default=0)
        for name, (_, one) in zip(names, shown, strict=True):
            again = f"  try {one.attempt}" if one.attempt > 1 else ""
            lasts = f"{duration(self._clock() - one.begun):>10}"
            yield ((f"  {padded(name, widest)}", ""), (f"{lasts}{again}", "faint"))
        if room and (more := len(running) - len(shown)):
            yield said(f"  and {more:,} more under way", "faint")


class FleetEvents:
    """Writes what happens as lines of JSON, format `mcp-assay/events/1`."""

    def __init__(
        self, size: FleetSize, tool: ToolVersion, write: Callable[[str], object], clock: Clock
    ) -> None:
        self._size: Final = size
        self._write: Final = write
        self._clock: Final = clock
        self._begun: Final = clock()
        self._verdicts: Final[Counter[FleetVerdict]] = Counter()
        write(json_line(BeginEvent(tool=tool)))
        write(json_line(FleetBeginEvent(servers=size.servers, dashboard=size.dashboard)))

    def begin(self, server: str, attempt: int) -> None:
        """Write that a try begins."""
        self._write(json_line(ServerBeginEvent(server=_short(server), attempt=attempt)))

    def retry(self, server: str, reason: Reason) -> None:
        """Write that a try gave nothing."""
        event = ServerRetryEvent(server=_short(server), kind=reason.kind, text=_short(reason.text))
        self._write(json_line(event))

    def end(self, outcome: ServerOutcome) -> None:
        """Write the verdict on a server."""
        verdict = verdict_of(outcome.report, outcome.reason)
        self._verdicts[verdict] += 1
        kind, text = why_unassessed(outcome.report, outcome.reason)
        found = outcome.report.summary if outcome.report else None
        event = ServerEndEvent(
            server=_short(outcome.name),
            verdict=verdict,
            kind=kind,
            text=None if text is None else _short(text),
            errors=found.errors if found else 0,
            warnings=found.warnings if found else 0,
            seconds=round(outcome.prepared_seconds + outcome.assessed_seconds, 3),
            resumed=outcome.is_resumed,
            done=sum(self._verdicts.values()),
            servers=self._size.servers,
        )
        self._write(json_line(event))

    def close(self) -> None:
        """Write that it is over."""
        verdicts: dict[str, int] = {one: self._verdicts[one] for one in VERDICTS}
        seconds = round(self._clock() - self._begun, 3)
        self._write(json_line(FleetEndEvent(verdicts=verdicts, seconds=seconds)))


def _short(text: str) -> str:
    return shorten(text, LONGEST_TEXT)
