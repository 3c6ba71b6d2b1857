"""What a server has, one row each: what became of it, and what was not reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mcp_assay.model.report import Offer, Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.model.tool import CallRow, NotCalled, ToolRow
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    counted,
    cut,
    indented,
    padded,
    said,
    width,
)

CALL_WORDS: Final = ("passed", "rejected", "unexpected", "not decided")
"""What becomes of the calls of a tool: each is counted once, so that a row adds up."""
NOTE: Final = "not covered"
STATUS_WORDS: Final[Mapping[str, str]] = {
    "fully_working": "working",
    "partially_working": "partly working",
    "connectivity_only": "dependency unavailable",
    "broken": "broken",
    "unproven": "unproven",
    "not_called": "not called",
}
STYLES: Final[Mapping[str, Style]] = {
    "fully_working": "pass",
    "partially_working": "warning",
    "connectivity_only": "warning",
    "broken": "fail",
}
"""What is not here was not shown to work, and has no colour."""
OTHERS: Final = (("resources", "resource"), ("templates", "template"), ("prompts", "prompt"))
MOST_ROWS: Final = 20
"""Of more resources, templates or prompts only those are shown that do not fully work."""
WIDEST_NAME: Final = 24
LEAST_NOTE: Final = 15
SHORT_REASONS: Final[Mapping[NotCalled | None, str]] = {
    NotCalled.DESTRUCTIVE: "destructive",
    NotCalled.DENIED: "--deny",
    NotCalled.SWITCHED_OFF: "--calls none",
    NotCalled.DRY_RUN: "--dry-run",
    NotCalled.TIME_RAN_OUT: "time ran out",
    NotCalled.INTERRUPTED: "interrupted",
    NotCalled.SERVER_LOST: "server gone",
}
"""Why a tool was not called, in the room that a table has for it."""
UNCOUNTED: Final = "-"
FAULTY: Final = "faulty_answer"
MARGIN: Final = 2


def tool_table(report: Report) -> Iterator[Line]:
    """One row per tool that was not left out; nothing where none is listed."""
    tools = [tool for tool in report.tools if NotCalled.read(tool.reason) != NotCalled.NOT_CHOSEN]
    if tools:
        faulty = faulty_calls(report)
        numbers = [call_numbers(tool, faulty[tool.name]) for tool in tools]
        columns = len(CALL_WORDS) if any(one[-1] for one in numbers) else len(CALL_WORDS) - 1
        head = ("tool", "verdict", "calls", *CALL_WORDS[:columns], NOTE)
        rows = [_cells(tool, one[:columns]) for tool, one in zip(tools, numbers, strict=True)]
        yield from _table(head, rows, [tool.status for tool in tools])
        yield BLANK


def faulty_calls(report: Report) -> Counter[str]:
    """By tool, how many calls succeeded with a faulty answer: they passed, and failed too."""
    return Counter(call.tool for call in report.calls if _is_faulty(call))


def call_numbers(tool: ToolRow, faulty: int) -> tuple[int, int, int, int]:
    """How many calls passed, were rejected, ended unexpectedly and were not decided."""
    passed, rejected, unexpected = tool.succeeded, tool.rejected, tool.failed - faulty
    return passed, rejected, unexpected, tool.called - passed - rejected - unexpected


def other_tables(report: Report) -> Iterator[Line]:
    """One row per resource, template and prompt; of many only those that do not fully work."""
    for member, noun in OTHERS:
        offers: list[Offer] = getattr(report, member)
        few = len(offers) <= MOST_ROWS
        shown = offers if few else [offer for offer in offers if not _works(offer)][:MOST_ROWS]
        if shown:
            statuses = [offer.status for offer in shown]
            yield from _table((noun, "verdict", "note"), list(map(_offered, shown)), statuses)
        if more := len(offers) - len(shown):
            yield indented(said(f"and {counted(more, noun)} more", "faint"), MARGIN)
        if offers:
            yield BLANK


def _works(offer: Offer) -> bool:
    return offer.status == "fully_working"


def _offered(offer: Offer) -> tuple[str, str, str]:
    name = cut(offer.name or offer.uri or "(no name)", WIDEST_NAME)
    return name, STATUS_WORDS[offer.status], "" if _works(offer) else offer.reason


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], statuses: Sequence[str]
) -> Iterator[Line]:
    """The rows in columns; without room for notes, each stands under its row or for its numbers."""
    *widths, longest = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    room = SCREEN - MARGIN - sum(widths) - 2 * len(widths)
    beneath = room < min(longest, LEAST_NOTE)
    title = _row([*head[:-1], "" if beneath else head[-1]], widths, room, "")
    yield indented(said("".join(text for text, _ in title).rstrip(), "faint"), MARGIN)
    for (*cells, note), status in zip(rows, statuses, strict=True):
        is_idle = beneath and set(cells[2:]) == {UNCOUNTED}
        if is_idle:
            yield indented(_row([*cells[:2], note], widths[:2], SCREEN, ""), MARGIN)
            continue
        shown = "" if beneath else note
        yield indented(_row([*cells, shown], widths, room, STYLES.get(status, "")), MARGIN)
        if beneath and note:
            yield indented(said(cut(note, SCREEN - 2 * MARGIN)), 2 * MARGIN)


def _row(cells: Sequence[str], widths: Sequence[int], room: int, style: Style) -> Line:
    name, verdict, *numbers, note = cells
    aligned = "".join(f"  {one:>{size}}" for one, size in zip(numbers, widths[2:], strict=True))
    rest = f"{aligned}  {cut(note, room)}" if note else aligned
    return ((padded(name, widths[0]) + "  ", ""), (padded(verdict, widths[1]), style), (rest, ""))


def _is_faulty(call: CallRow) -> bool:
    """Whether a call of a tool's own run succeeded with a faulty answer."""
    return call.trouble == FAULTY and call.scenario != COMPARED


def _cells(tool: ToolRow, numbers: Sequence[int]) -> tuple[str, ...]:
    if tool.status == "not_called":
        reason = SHORT_REASONS.get(NotCalled.read(tool.reason), tool.reason)
        return (_name(tool), _verdict(tool), UNCOUNTED, *(UNCOUNTED for _ in numbers), reason)
    counts = map(str, (tool.called, *numbers))
    return (_name(tool), _verdict(tool), *counts, _not_covered(tool))


def _not_covered(tool: ToolRow) -> str:
    return next(iter(tool.coverage.not_reached), "")


def _name(tool: ToolRow) -> str:
    return cut(tool.name or "(no name)", WIDEST_NAME)


def _verdict(tool: ToolRow) -> str:
    return STATUS_WORDS[tool.status]
