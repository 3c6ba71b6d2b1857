"""The notes about a run are bounded, and whoever comes back misses nothing."""

from __future__ import annotations

import asyncio
import tracemalloc
from typing import Any

from mcp_assay.model.event import (
    CallEvent,
    Event,
    FindingEvent,
    PermittedEvent,
    ProgressEvent,
    WithdrawnEvent,
)
from mcp_assay.model.tool import CallRow
from mcp_assay.report.as_json import json_line
from mcp_assay.web.live.board import NoteBoard
from mcp_assay.web.live.progress import MOST_FINDINGS, MOST_TOOLS, RunProgress
from mcp_assay.web.live.stream import as_events
from tests.drift.small_reports import finding

FLOOD = 5_000
OTHER_NOTES = 5
MOST_BYTES = 1_500
LONG = 100_000
MOST_KEPT = 2_000_000


def taken(*events: Event) -> NoteBoard:
    board = NoteBoard()
    progress = RunProgress(board)
    for event in events:
        progress.take(json_line(event).encode())
    return board


def notes(board: NoteBoard, kind: str) -> list[Any]:
    return [note for note in board.notes() if note["kind"] == kind]


def call(number: int, tool: str = "x", outcome: str = "passed") -> CallEvent:
    return CallEvent(
        call=CallRow(number=number, tool=tool, scenario="usual", arguments={}, outcome=outcome)
    )


def test_whoever_comes_back_is_told_the_latest_word_on_all_that_changed() -> None:
    board = NoteBoard()
    for number in range(3):
        board.put(f"tool {number}", {"kind": "tool", "row": number, "word": "waiting"})
    seen = board.number
    board.put("tool 1", {"kind": "tool", "row": 1, "word": "being called"})
    board.put("tool 1", {"kind": "tool", "row": 1, "word": "working"})
    assert board.since(seen) == [(5, {"kind": "tool", "row": 1, "word": "working"})]
    assert [number for number, _ in board.since(0)] == [1, 3, 5]
    assert board.since(board.number) == []


def test_who_waits_is_woken_by_a_change_and_by_the_end() -> None:
    async def main() -> None:
        board = NoteBoard()
        waiting = [asyncio.ensure_future(board.changed(0)) for _ in range(2)]
        await asyncio.sleep(0)
        board.put("phase", {"kind": "phase"})
        await asyncio.gather(*waiting)
        last = asyncio.ensure_future(board.changed(board.number))
        await asyncio.sleep(0)
        board.close()
        await last

    asyncio.run(main())


def test_a_flood_of_tools_findings_and_calls_is_counted_and_cut() -> None:
    board = taken(
        *(PermittedEvent(tool=f"t{n}", allowed=True, reason="x" * 9_999) for n in range(FLOOD)),
        *(call(n, tool=f"t{n % 7}") for n in range(FLOOD)),
        *(FindingEvent(number=n, finding=finding(key=n)) for n in range(FLOOD)),
    )
    assert len(board.notes()) <= MOST_TOOLS + MOST_FINDINGS + OTHER_NOTES
    (counts,) = notes(board, "counts")
    assert counts["text"].startswith("5,000 calls, 5,000 errors")
    assert counts["tools"] == f"{FLOOD - MOST_TOOLS:,} more tools, not shown here."
    assert counts["findings"] == f"{FLOOD - MOST_FINDINGS:,} more findings, not shown here."
    assert max(len(as_events([one])) for one in board.since(0)) < MOST_BYTES


def test_long_names_are_not_kept() -> None:
    board = NoteBoard()
    progress = RunProgress(board)
    tracemalloc.start()
    for number in range(MOST_TOOLS + 100):
        name = f"{number} {'x' * LONG}"
        event = PermittedEvent(tool=name, allowed=True, reason=name)
        progress.take(json_line(event).encode())
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(notes(board, "tool")) == MOST_TOOLS
    assert kept < MOST_KEPT


def test_what_is_said_of_a_tool_grows_with_its_calls() -> None:
    permitted = PermittedEvent(tool="x", allowed=True, reason="declared read-only")
    calls = (call(1), call(2, outcome="failed"))
    (called,) = notes(taken(permitted, *calls), "tool")
    assert (called["word"], called["detail"]) == ("being called", "2 calls, 1 failed")
    shown = ProgressEvent(
        tool="x", status="partially_working", called=2, succeeded=1, rejected=0, failed=1,
        unproven=0, finished=False,
    )  # fmt: skip
    (judged,) = notes(taken(permitted, *calls, shown), "tool")
    assert (judged["word"], judged["tone"]) == ("partly working so far", "warn")


def test_a_finding_that_is_taken_back_is_withdrawn_for_those_who_saw_it() -> None:
    found = [FindingEvent(number=n, finding=finding(key=n)) for n in (1, 2)]
    board = taken(*found, WithdrawnEvent(number=1, reason="accepted by the baseline"))
    assert [note["row"] for note in notes(board, "finding")] == [2]
    assert [note["row"] for note in notes(board, "withdrawn")] == [1]
    assert notes(board, "counts")[0]["text"] == "0 calls, 1 error, 0 warnings, 0 notes"


def test_a_line_that_cannot_be_read_is_counted() -> None:
    board = NoteBoard()
    progress = RunProgress(board)
    for line in (None, b"{", b'{"event":"unheard of"}', b"[" * 100_000):
        progress.take(line)
    assert notes(board, "counts")[0]["unread"] == "4 events could not be shown."


def test_no_text_of_a_server_ends_an_event() -> None:
    name = "x\n\ndata: {}\r\n\u2028id: 7"
    board = taken(PermittedEvent(tool=name, allowed=False, reason=name))
    sent = as_events(board.since(0)).decode()
    assert sent.count("\n\n") == len(board.since(0))
    assert "\r" not in sent
    assert "\u2028" not in sent
