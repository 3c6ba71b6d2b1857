"""The events of a run -> notes about it: a bounded number of them, however much a server says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import singledispatchmethod
from typing import Any, Final

import msgspec
from msgspec import Struct

from mcp_assay.model.event import (
    CallEvent,
    ConnectedEvent,
    Event,
    FindingEvent,
    PermittedEvent,
    PhaseEvent,
    ProgressEvent,
    RecordedEvent,
    SummaryEvent,
    ToolEvent,
    WithdrawnEvent,
)
from mcp_assay.model.verdict import ToolStatus
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.report.html.tables import TONES
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.text.digests import sha256
from mcp_assay.text.lines import counted
from mcp_assay.text.safe import plain, shorten
from mcp_assay.web.live.board import NoteBoard

MOST_TOOLS: Final = 500
MOST_FINDINGS: Final = 300
"""So many are shown while a run goes on; the others are counted."""
MOST_COUNTED: Final = 100_000
"""So many names of tools that are not shown are remembered, to count each once."""
LONGEST_NAME: Final = 120
LONGEST_TEXT: Final = 400
PHASES: Final[Mapping[str, str]] = {
    "connecting": "connecting",
    "listing": "listing what the server has",
    "probing": "probing how it reacts",
    "reading": "reading resources and prompts",
    "calling": "calling tools",
    "comparing": "comparing answers",
    "proving": "proving effects",
    "recording": "recording the run",
}
"""What goes on, in its order, in words."""
NOT_CALLED: Final[ToolStatus] = "not_called"
WAITING: Final = "waiting"
"""What is said of a tool that may be called and was not called yet."""
BEING_CALLED: Final = "being called"


class ToolNote(Struct):
    """What is known of a tool up to now."""

    row: int
    name: str
    word: str = WAITING
    tone: str = "unsure"
    detail: str = ""
    calls: int = 0
    failed: int = 0


class RunProgress:
    """Takes the events of one run and keeps its notes up to date."""

    def __init__(self, board: NoteBoard) -> None:
        self._board: Final = board
        self._decoder: Final = msgspec.json.Decoder(Event)
        self._tools: Final[dict[bytes, ToolNote]] = {}
        """By the digest of its name, which may be long."""
        self._left_out: Final[set[bytes]] = set()
        self._calls = 0
        self._findings = Counter[str]()
        self._severities: Final[dict[int, str]] = {}
        self._unread = 0
        self.summary: SummaryEvent | None = None
        """The end of the run as the run itself tells it."""
        self.recorded: int | None = None
        """The number of the run in the history."""
        self.is_under_way = False
        """Whether the run has said what it does."""
        self._begin("connecting")

    def take(self, line: bytes | None) -> None:
        """Take a line; one that cannot be read is counted."""
        try:
            event = None if line is None else self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError):
            event = None
        if event is None:
            self._unread += 1
            self._count()
        else:
            self._note(event)

    @singledispatchmethod
    def _note(self, event: Event) -> None:
        """Take an event; of those that are not named below nothing is shown."""

    @_note.register
    def _connected(self, event: ConnectedEvent) -> None:
        about = _about(event.server_info, event.revision)
        self._board.put("server", {"kind": "server", "text": about})

    @_note.register
    def _phase(self, event: PhaseEvent) -> None:
        self.is_under_way = True
        self._begin(event.phase)

    @_note.register
    def _recorded(self, event: RecordedEvent) -> None:
        self.recorded = event.run

    @_note.register
    def _tool_settled(self, event: ToolEvent) -> None:
        self._settle(event.tool.name, event.tool.status, event.tool.reason)

    @_note.register
    def _sum_up(self, event: SummaryEvent) -> None:
        self.summary, of = event, event.summary
        self._findings = Counter(error=of.errors, warning=of.warnings, info=of.infos)
        self._begin("recording")
        self._count()

    def _begin(self, phase: str) -> None:
        note = {"kind": "phase", "phase": phase, "text": PHASES[phase]}
        self._board.put("phase", note)

    @_note.register
    def _permit(self, event: PermittedEvent) -> None:
        note = self._tool(event.tool)
        if note is None:
            self._count()
            return
        if not event.allowed:
            note.word, note.tone = STATUS_WORDS[NOT_CALLED], TONES[NOT_CALLED]
        note.detail = _short(event.reason)
        self._show(note)

    @_note.register
    def _call(self, event: CallEvent) -> None:
        self._calls += 1
        self._count()
        note = self._tool(event.call.tool)
        if note is None:
            return
        note.calls += 1
        note.failed += event.call.outcome == "failed"
        note.detail = _calls(note.calls, note.failed)
        if note.word == WAITING:
            note.word = BEING_CALLED
        self._show(note)

    @_note.register
    def _judge(self, event: ProgressEvent) -> None:
        note = self._tool(event.tool)
        if note is None:
            return
        word = STATUS_WORDS[event.status]
        note.word = word if event.finished else f"{word} so far"
        note.tone = TONES[event.status]
        self._show(note)

    def _settle(self, tool: str, status: ToolStatus, reason: str) -> None:
        note = self._tool(tool)
        if note is None:
            return
        note.word, note.tone = STATUS_WORDS[status], TONES[status]
        if reason:
            note.detail = _short(reason)
        self._show(note)

    def _tool(self, tool: str) -> ToolNote | None:
        """What is known of a tool; None where there are more than are shown."""
        key = sha256(tool.encode("utf-8", "surrogatepass")).digest()
        note = self._tools.get(key)
        if note is None and len(self._tools) < MOST_TOOLS:
            shown = plain(shorten(tool, LONGEST_NAME))
            note = self._tools[key] = ToolNote(row=len(self._tools), name=shown)
        elif note is None and len(self._left_out) < MOST_COUNTED:
            self._left_out.add(key)
        return note

    def _show(self, note: ToolNote) -> None:
        self._board.put(f"tool {note.row}", {"kind": "tool", **msgspec.structs.asdict(note)})

    @_note.register
    def _find(self, event: FindingEvent) -> None:
        found = event.finding
        self._findings[found.severity] += 1
        if len(self._severities) < MOST_FINDINGS:
            self._severities[event.number] = found.severity
            note = {
                "kind": "finding",
                "row": event.number,
                "severity": found.severity,
                "word": SEVERITY_WORDS[found.severity],
                "rule": f"{found.rule} {found.name}",
                "text": _short(found.message),
            }
            self._board.put(f"finding {event.number}", note)
        self._count()

    @_note.register
    def _withdraw(self, event: WithdrawnEvent) -> None:
        severity = self._severities.pop(event.number, None)
        if severity is not None:
            self._findings[severity] -= 1
            gone = {"kind": "withdrawn", "row": event.number}
            self._board.put(f"finding {event.number}", gone)
            self._count()

    def _count(self) -> None:
        words = [counted(self._calls, "call")]
        words += [
            counted(self._findings[severity], word) for severity, word in SEVERITY_WORDS.items()
        ]
        self._board.put("counts", {"kind": "counts", "text": ", ".join(words), **self._cut()})

    def _cut(self) -> dict[str, Any]:
        """What is not shown, in sentences; an empty one where all is."""
        findings = sum(self._findings.values()) - len(self._severities)
        tools = len(self._left_out)
        more = "" if tools < MOST_COUNTED else " or more"
        return {
            "tools": f"{counted(tools, 'more tool')}{more}, not shown here." if tools else "",
            "findings": f"{counted(findings, 'more finding')}, not shown here." if findings else "",
            "unread": f"{counted(self._unread, 'event')} could not be shown."
            if self._unread
            else "",
        }


def _about(info: Mapping[str, Any] | None, revision: str | None) -> str:
    """Who the server says that it is."""
    its = info or {}
    words = [str(its.get(name)) for name in ("name", "version") if its.get(name)]
    return _short(" ".join([*words, f"· MCP {revision}" if revision else ""]).strip())


def _calls(calls: int, failed: int) -> str:
    return counted(calls, "call") + (f", {failed:,} failed" if failed else "")


def _short(text: str) -> str:
    return plain(shorten(text, LONGEST_TEXT))
