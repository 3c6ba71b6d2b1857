"""What a server has, one row each, what needs a look first: what became of it, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.obstacle import OBSTACLE_REASONS, Obstacle
from mcp_assay.model.report import Offer, Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.model.tool import UNFLAGGED_ERROR, CallRow, NotCalled, ToolRow
from mcp_assay.model.verdict import ToolStatus
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
    sentences,
    width,
)

CALL_WORDS: Final = ("passed", "rejected", "no isError", "unexpected", "not decided")
"""What becomes of the calls of a tool: each is counted once, so that a row adds up.

"no isError" are answers that report an error without saying so by isError.
"""
PASSED, REJECTED, UNFLAGGED, UNEXPECTED, NOT_DECIDED = range(len(CALL_WORDS))
ALWAYS_SHOWN: Final = (PASSED, REJECTED, UNEXPECTED)
"""The columns that are there even where all rows have nothing in them."""
BREAKDOWNS: Final = frozenset({"crashed", "died", "timed_out", "no_content"})
"""The troubles that weigh more than how an answer reports them."""
NOTE: Final = "not covered"
STATUS_WORDS: Final[Mapping[str, str]] = {
    "fully_working": "working",
    "partially_working": "partly working",
    "connectivity_only": "dependency unavailable",
    "broken": "broken",
    "unproven": "unproven",
    "not_called": "not called",
}
WORST_FIRST: Final[Sequence[ToolStatus]] = (
    "broken",
    "connectivity_only",
    "unproven",
    "partially_working",
    "not_called",
    "fully_working",
)
"""The order of rows in every format: those first about which something must be done."""
STYLES: Final[Mapping[str, Style]] = {
    "fully_working": "pass",
    "partially_working": "warning",
    "connectivity_only": "warning",
    "broken": "fail",
}
"""What is not here was not shown to work, and has no colour."""
WITHOUT_PROBLEMS: Final = ("not_called", "fully_working")
"""The statuses that say nothing against a tool: many such tools are one row."""
OTHERS: Final = (("resources", "resource"), ("templates", "template"), ("prompts", "prompt"))
MOST_WHOLE: Final = 12
"""So many tools have a row each; of more, those do that have a problem."""
MOST_ROWS: Final = 20
"""So many rows are there of tools, resources, templates or prompts with problems."""
MOST_OFFERS: Final = 3
"""So many resources, templates or prompts have a row each; of more, those that do not work."""
MOST_ALIKE: Final = 4
"""So many tools may say the same of themselves, each in a row of its own."""
FOLDED_BY_REASON: Final = ("connectivity_only", "unproven")
"""The statuses of which more tools than that are one row, where all have the same reason."""
MOST_NAMES: Final = 12
"""So many names stand under a row for several tools without problems."""
MOST_UNPROVEN_NAMES: Final = 40
"""So many under one for several tools that may have problems."""
SHORT_REASONS: Final[Mapping[NotCalled | None, str]] = {
    NotCalled.DESTRUCTIVE: "destructive",
    NotCalled.DENIED: "--deny",
    NotCalled.SWITCHED_OFF: "--calls none",
    NotCalled.DRY_RUN: "--dry-run",
    NotCalled.NOT_CHOSEN: "--only",
    NotCalled.TIME_RAN_OUT: "time ran out",
    NotCalled.INTERRUPTED: "interrupted",
    NotCalled.SERVER_LOST: "server gone",
}
"""Why a tool was not called, in the room that a table has for it."""
LEAST_NAME: Final = 8
"""Columns that names have at least, where the numbers leave room for it."""
UNCOUNTED: Final = "-"
NAMELESS: Final = "(no name)"
MARGIN: Final = 2

Numbers: TypeAlias = tuple[int, ...]
"""How many calls of a tool ended in each of the ways of CALL_WORDS."""


class TableRow(Struct, frozen=True, kw_only=True):
    """A row of a table: one thing, or several that have the same verdict."""

    name: str
    status: str
    cells: tuple[str, ...] = ()
    """What stands in the columns of numbers."""
    note: str = ""
    names: tuple[str, ...] = ()
    """What the row stands for, where that is more than one."""


def tool_table(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The tools, what needs a look first; nothing where none is listed."""
    if not report.tools:
        return
    numbers = call_numbers(report)
    columns = [
        column
        for column in range(len(CALL_WORDS))
        if column in ALWAYS_SHOWN or any(one[column] for one in numbers.values())
    ]
    groups = _groups(ordered_tools(report), verbose=verbose)
    rows = [_row_of(group, numbers, columns) for group in groups]
    head = ("calls", *(CALL_WORDS[column] for column in columns))
    yield from _table(("tool", "verdict", *head, NOTE), rows)
    yield from _unlisted(report)
    yield BLANK


def ordered_tools(report: Report) -> list[ToolRow]:
    """The tools by their status, the worst first, and then as the server lists them."""
    names = [one.name for one in report.surface.tools] if report.surface else []
    places = {name: place for place, name in reversed(list(enumerate(names)))}
    last = len(places)
    return sorted(
        report.tools,
        key=lambda tool: (WORST_FIRST.index(tool.status), places.get(tool.name, last)),
    )


def call_numbers(report: Report) -> dict[str, Numbers]:
    """By tool, how many of its calls ended in each of the ways of CALL_WORDS."""
    made: dict[str, Counter[int]] = {tool.name: Counter() for tool in report.tools}
    for call in report.calls:
        if call.scenario != COMPARED and call.tool in made:
            made[call.tool][_ending(call)] += 1
    return {tool.name: _numbers(tool, made[tool.name]) for tool in report.tools}


def tools_counted(report: Report) -> int:
    """How many tools there are: a name that is listed twice is one, and has one row."""
    return len(report.tools) or report.summary.tools_listed


def _ending(call: CallRow) -> int:
    if UNFLAGGED_ERROR in (call.sign, call.trouble) and call.trouble not in BREAKDOWNS:
        return UNFLAGGED
    if call.outcome == "failed":
        return UNEXPECTED
    if call.outcome == "unproven":
        return REJECTED
    if call.outcome != "passed" or call.valid is None:
        return NOT_DECIDED
    return PASSED if call.valid else REJECTED


def _numbers(tool: ToolRow, made: Counter[int]) -> Numbers:
    """The numbers of the calls, where the report has them; else those of the row."""
    if made.total() == tool.called:
        return tuple(made[column] for column in range(len(CALL_WORDS)))
    rejected, unexpected = tool.rejected, tool.failed
    passed = max(min(tool.succeeded, tool.called - rejected - unexpected), 0)
    return passed, rejected, 0, unexpected, tool.called - passed - rejected - unexpected


def _groups(tools: Sequence[ToolRow], *, verbose: bool) -> list[list[ToolRow]]:
    """The tools that stand in one row together; those with problems have one each."""
    is_long = len(tools) > MOST_WHOLE and not verbose
    alike = Counter(_alike(tool) for tool in tools)
    groups: dict[tuple[object, ...], list[ToolRow]] = {}
    for tool in tools:
        is_left_out = NotCalled.read(tool.reason) == NotCalled.NOT_CHOSEN
        is_one_of_many = tool.status in FOLDED_BY_REASON and alike[_alike(tool)] > MOST_ALIKE
        if is_left_out or (is_long and (tool.status in WITHOUT_PROBLEMS or is_one_of_many)):
            key: tuple[object, ...] = _alike(tool)
        else:
            is_beyond = is_long and len(groups) >= MOST_ROWS
            key = (tool.status, _why_not_called(tool)) if is_beyond else (len(groups),)
        groups.setdefault(key, []).append(tool)
    return list(groups.values())


def _alike(tool: ToolRow) -> tuple[str, str]:
    """What tools have in common that can stand in one row."""
    reason = why_in_vain(tool) if tool.status in FOLDED_BY_REASON else _why_not_called(tool)
    return tool.status, reason


def _row_of(
    group: Sequence[ToolRow], numbers: Mapping[str, Numbers], columns: Iterable[int]
) -> TableRow:
    first = group[0]
    calls = sum(tool.called for tool in group)
    sums = [sum(numbers[tool.name][column] for tool in group) for column in columns]
    is_idle = first.status == "not_called"
    is_one = len(group) == 1
    return TableRow(
        name=first.name or NAMELESS if is_one else counted(len(group), "tool"),
        status=first.status,
        cells=tuple(UNCOUNTED if is_idle else f"{one:,}" for one in (calls, *sums)),
        note=_note(first) if is_one or is_idle or _is_same(group) else "",
        names=() if is_one else _names(group),
    )


def _is_same(group: Sequence[ToolRow]) -> bool:
    """Whether one reason holds for all tools of a row."""
    is_by_reason = group[0].status in FOLDED_BY_REASON
    return is_by_reason and len({_alike(tool) for tool in group}) == 1


def _names(group: Sequence[ToolRow]) -> tuple[str, ...]:
    """The names of the tools of a row; those that do not work are all named."""
    first = group[0]
    if NotCalled.read(first.reason) == NotCalled.NOT_CHOSEN:
        return ()
    names = [tool.name or NAMELESS for tool in group]
    most = MOST_NAMES if first.status in WITHOUT_PROBLEMS else MOST_UNPROVEN_NAMES
    more = len(names) - most
    if not (first.status in WITHOUT_PROBLEMS or _is_same(group)) or more <= 1:
        return tuple(names)
    return (*names[:most], f"and {more:,} more (--verbose lists all)")


def _note(tool: ToolRow) -> str:
    if tool.status == "not_called":
        return _why_not_called(tool)
    if tool.status in ("fully_working", "partially_working"):
        return next(iter(tool.coverage.not_reached), "")
    return why_in_vain(tool)


def note_on(tool: ToolRow) -> str:
    """What is to be said of a tool: what was not reached, or why it is unproven and what helps."""
    if tool.status in ("fully_working", "partially_working"):
        return next(iter(tool.coverage.not_reached), "")
    is_idle = tool.status == "not_called"
    parts = (tool.reason if is_idle else why_in_vain(tool), tool.would_prove)
    return (": " if is_idle else ". ").join(filter(None, parts))


def why_in_vain(tool: ToolRow) -> str:
    """Why a tool never succeeded, as far as it is known."""
    obstacle = Obstacle.read(tool.obstacle)
    if obstacle is None or tool.status == "broken":
        return tool.reason
    return OBSTACLE_REASONS[obstacle]


def _why_not_called(tool: ToolRow) -> str:
    if tool.status != "not_called":
        return ""
    return SHORT_REASONS.get(NotCalled.read(tool.reason), tool.reason)


def _unlisted(report: Report) -> Iterator[Line]:
    """What is listed and has no row: it cannot be called by a name of its own."""
    more = report.summary.tools_listed - len(report.tools)
    if more > 0:
        listed = counted(report.summary.tools_listed, "definition")
        verb = "has no name or one that is taken" if more == 1 else "have no name or one taken"
        yield from sentences(f"The server lists {listed}; {more:,} of them {verb}.")


def other_tables(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """One row per resource, template and prompt; of several only those that do not fully work."""
    for member, noun in OTHERS:
        offers: list[Offer] = getattr(report, member)
        ordered = sorted(offers, key=lambda one: WORST_FIRST.index(one.status))
        is_whole = verbose or len(offers) <= MOST_OFFERS
        shown = ordered if is_whole else [one for one in ordered if not _works(one)][:MOST_ROWS]
        if shown:
            yield from _table((noun, "verdict", "note"), list(map(_offered, shown)))
        if rest := ordered[len(shown) :]:
            yield indented(said(_rest_of(rest, noun, is_all=not shown), "faint"), MARGIN)
        if offers:
            yield BLANK


def _rest_of(rest: Sequence[Offer], noun: str, *, is_all: bool) -> str:
    """How many have no row of their own, and what became of them."""
    statuses = Counter(STATUS_WORDS[one.status] for one in rest)
    words = ", ".join(f"{number:,} {word}" for word, number in statuses.items())
    more = counted(len(rest), noun) if is_all else f"and {counted(len(rest), f'more {noun}')}"
    return f"{more}: {words}"


def _works(offer: Offer) -> bool:
    return offer.status == "fully_working"


def _offered(offer: Offer) -> TableRow:
    name = offer.name or offer.uri or NAMELESS
    note = "" if _works(offer) else offer.reason
    return TableRow(name=name, status=offer.status, note=note)


def _table(head: Sequence[str], rows: Sequence[TableRow]) -> Iterator[Line]:
    """The rows in columns; notes stand in the last one, or under their rows if one has no room."""
    name, verdict, *numbers, note = head
    sizes = [
        max(width(word) for word in (*title.split(), *cells))
        for title, *cells in zip(numbers, *(row.cells for row in rows), strict=True)
    ]
    words = max(width(one) for one in (verdict, *(STATUS_WORDS[row.status] for row in rows)))
    bare = MARGIN + 2 + words + sum(sizes)
    gap = 2 if bare + 2 * len(sizes) + LEAST_NAME <= SCREEN else 1
    taken = bare + gap * len(sizes)
    names = max(width(cut(one, SCREEN)) for one in (name, *(row.name for row in rows)))
    names = max(min(names, SCREEN - taken), width(name))
    room = SCREEN - taken - names - 2
    is_beneath = any(width(row.note) > room for row in rows)
    columns = _Columns(names, words, tuple(sizes), gap, is_beneath=is_beneath)
    yield from columns.head(name, verdict, numbers, note if any(row.note for row in rows) else "")
    for row in rows:
        yield from columns.row(row)


class _Columns(Struct, frozen=True):
    """How wide the columns of a table are, and where its notes stand."""

    name: int
    verdict: int
    numbers: tuple[int, ...]
    gap: int
    """The blanks before each of the numbers."""
    is_beneath: bool

    @property
    def free(self) -> int:
        """The columns that a row has for its name and its note, where nothing was counted."""
        return SCREEN - MARGIN - self.verdict - 4

    def head(self, name: str, verdict: str, numbers: Sequence[str], note: str) -> Iterator[Line]:
        """The titles; one of two words takes two lines."""
        above = ["" if len(one.split()) < 2 else one.split()[0] for one in numbers]
        below = [one.split()[-1] for one in numbers]
        if any(above):
            yield self._title("", "", above, "")
        yield self._title(name, verdict, below, "" if self.is_beneath else note)

    def _title(self, name: str, verdict: str, numbers: Sequence[str], note: str) -> Line:
        text = f"{padded(name, self.name)}  {padded(verdict, self.verdict)}{self._aligned(numbers)}"
        return indented(said(f"{text}  {note}".rstrip(), "faint"), MARGIN)

    def row(self, row: TableRow) -> Iterator[Line]:
        """The row; a name that is too long for its column stands above the rest."""
        name = cut(row.name, SCREEN - MARGIN)
        if width(name) > self.name:
            has_room = self._is_idle(row) and width(f"{name}{row.note}") <= self.free
            yield from () if has_room else (indented(said(name), MARGIN),)
            name = name if has_room else ""
        verdict, style = STATUS_WORDS[row.status], STYLES.get(row.status, "")
        rest = self._rest(row)
        shown = padded(verdict, self.verdict) if rest else verdict
        yield indented(((padded(name, self.name) + "  ", ""), (shown, style), (rest, "")), MARGIN)
        if row.note and not rest.endswith(row.note):
            yield from sentences(row.note, indent=2 * MARGIN)
        if row.names:
            yield from sentences(", ".join(_named(row.names)), indent=2 * MARGIN)

    def _rest(self, row: TableRow) -> str:
        """The numbers and the note, if it has room; where nothing was counted, it has theirs."""
        if self.is_beneath and self._is_idle(row):
            has_room = width(row.note) <= self.free - self.name
            return f"  {row.note}" if row.note and has_room else ""
        note = "" if self.is_beneath else f"  {row.note}"
        return f"{self._aligned(row.cells)}{note}".rstrip()

    def _is_idle(self, row: TableRow) -> bool:
        return bool(row.cells) and set(row.cells) == {UNCOUNTED}

    def _aligned(self, cells: Sequence[str]) -> str:
        sizes = zip(cells, self.numbers, strict=True)
        return "".join(f"{'':{self.gap}}{one:>{size}}" for one, size in sizes)


def _named(names: Sequence[str]) -> Iterator[str]:
    return (cut(name, SCREEN - 2 * MARGIN - 1) for name in names)
