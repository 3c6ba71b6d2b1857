"""What a server has, one row each: what became of it, and what was not reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.model.report import Offer, Report
from mcp_assay.report.columns import SCREEN, cut, padded, width
from mcp_assay.report.lines import BLANK, Line, Style, counted, indented, said

HEAD: Final = ("tool", "verdict", "calls", "ok", "rejected", "failed", "not reached")
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
SHORT_REASONS: Final[Mapping[str, str]] = {
    "destructiveHint: true": "destructive",
    "left out by --deny": "--deny",
    "calls are switched off": "--calls none",
    "nothing is called in a dry run": "--dry-run",
    "time ran out before": "time ran out",
    "the run was interrupted before": "interrupted",
    "the server was gone before": "server gone",
}
"""Why a tool was not called, in the room that a table has for it."""
LEFT_OUT: Final = "left out by --only"
FAULTY: Final = "faulty_answer"
MARGIN: Final = 2


def tool_table(report: Report) -> Iterator[Line]:
    """One row per tool that was not left out; nothing where none is listed."""
    tools = [tool for tool in report.tools if tool["reason"] != LEFT_OUT]
    if tools:
        faulty = Counter(call["tool"] for call in report.calls if call["trouble"] == FAULTY)
        rows = [_cells(tool, faulty[tool["name"]]) for tool in tools]
        yield from _table(HEAD, rows, _statuses(tools))
        yield BLANK


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
    return name, offer.status.replace("_", " "), "" if _works(offer) else offer.reason


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], statuses: Sequence[str]
) -> Iterator[Line]:
    """The rows in columns; where there is no room for notes, each stands under its row."""
    *widths, longest = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    room = SCREEN - MARGIN - sum(widths) - 2 * len(widths)
    beneath = room < min(longest, LEAST_NOTE)
    title = _row([*head[:-1], "" if beneath else head[-1]], widths, room, "")
    yield indented(said("".join(text for text, _ in title).rstrip(), "faint"), MARGIN)
    for (*cells, note), status in zip(rows, statuses, strict=True):
        shown = "" if beneath else note
        yield indented(_row([*cells, shown], widths, room, STYLES.get(status, "")), MARGIN)
        if beneath and note:
            yield indented(said(cut(note, SCREEN - 2 * MARGIN)), 2 * MARGIN)


def _row(cells: Sequence[str], widths: Sequence[int], room: int, style: Style) -> Line:
    name, verdict, *numbers, note = cells
    aligned = "".join(f"  {one:>{size}}" for one, size in zip(numbers, widths[2:], strict=True))
    rest = f"{aligned}  {cut(note, room)}" if note else aligned
    return ((padded(name, widths[0]) + "  ", ""), (padded(verdict, widths[1]), style), (rest, ""))


def _cells(tool: Mapping[str, Any], faulty: int) -> tuple[str, ...]:
    """The cells of a row; a call that succeeded with a faulty answer counts once, as ok."""
    if tool["status"] == "not_called":
        reason = SHORT_REASONS.get(tool["reason"], tool["reason"])
        return (_name(tool), _verdict(tool), "-", "-", "-", "-", reason)
    numbers = (tool["called"], tool["succeeded"], tool["rejected"], tool["failed"] - faulty)
    return (_name(tool), _verdict(tool), *map(str, numbers), _not_reached(tool))


def _not_reached(tool: Mapping[str, Any]) -> str:
    gaps = tool["coverage"].get("not_reached") or []
    return str(gaps[0]) if gaps else ""


def _name(row: Mapping[str, Any]) -> str:
    return cut(str(row.get("name") or row.get("uri") or "(no name)"), WIDEST_NAME)


def _verdict(row: Mapping[str, Any]) -> str:
    return cut(str(row["status"]).replace("_", " "), WIDEST_NAME)


def _statuses(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(row["status"]) for row in rows]
