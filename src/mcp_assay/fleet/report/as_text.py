"""The report on a fleet, for people: verdict, worst servers, causes, reasons, changes, times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mcp_assay.fleet.report.form import (
    FleetCause,
    FleetReport,
    FleetRow,
    ReasonGroup,
)
from mcp_assay.fleet.report.words import (
    REASON_WORDS,
    UNCALLED,
    VERDICT_STYLES,
    cause_word,
    filtered_out,
    how,
    is_seen,
    move_word,
    named,
    note,
    numbers,
    severity_word,
    sizes,
    standing,
    statuses,
    tally,
    times,
    verdict_word,
    verdicts,
)
from mcp_assay.report.assessment import WORDS
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    as_plain_text,
    broken,
    counted,
    cut,
    indented,
    labelled,
    padded,
    said,
    sentences,
    width,
)

HEAD: Final = ("server", "verdict", "tools", "ok", "errors", "warnings", "change")
MOST_ROWS: Final = 40
"""So many servers have a row; nobody reads more of them on a screen."""
MOST_CAUSES: Final = 20
"""So many causes have a line."""
MOST_CHANGED: Final = 5
"""So many causes that came or went have a line."""
MOST_NAMED: Final = 12
WIDEST_NAME: Final = 28
WIDEST_WHAT: Final = 40
LONGEST_PATH: Final = 60
HEAD_MARGIN: Final = 6
LEAST_ROOM: Final = 12
"""Columns in which servers are named, however long the rest of the line is."""


def fleet_text(report: FleetReport, *, verbose: bool = False) -> Iterator[Line]:
    """The whole report; `verbose` has every server, every cause and every example."""
    yield from _verdict(report)
    yield BLANK
    yield from _table(report.servers, verbose=verbose)
    yield from _causes(report.causes, verbose=verbose)
    yield from _unassessed(report.unassessed, verbose=verbose)
    yield from _changes(report)
    yield from _sums(report)
    yield from _next(report)


def plain_fleet_text(report: FleetReport) -> str:
    """The report as a file has it, without styles."""
    return as_plain_text(fleet_text(report))


def fleet_lines(report: FleetReport) -> Iterator[Line]:
    """One line per server that did not pass, and nothing else."""
    for row in report.servers:
        if row.verdict != "pass":
            about = f": {note(row)}" if row.reason_kind else _found(row)
            name = f"{cut(row.name, WIDEST_NAME)}: "
            yield ((name, "strong"), (verdict_word(row), _style(row)), (cut(about, SCREEN), ""))


def _found(row: FleetRow) -> str:
    return f": {counted(row.errors, 'error')}, {counted(row.warnings, 'warning')}"


def _style(row: FleetRow) -> Style:
    return "warning" if verdict_word(row) == UNCALLED else VERDICT_STYLES[row.verdict]


def _verdict(report: FleetReport) -> Iterator[Line]:
    word, style = WORDS[report.totals.outcome]
    servers = counted(report.totals.servers, "server")
    yield ((word, style), (f"  {servers}: {verdicts(report)}", ""))
    yield from sentences(" · ".join(numbers(report)), indent=HEAD_MARGIN)
    yield indented(said(cut(report.file, LONGEST_PATH) + filtered_out(report)), HEAD_MARGIN)


def _table(servers: Sequence[FleetRow], *, verbose: bool) -> Iterator[Line]:
    """The servers of which there is a report; why there is none of others is said by reason."""
    listed = [row for row in servers if verbose or row.verdict != "not_assessed"]
    shown = listed if verbose else listed[:MOST_ROWS]
    if not shown:
        return
    rows = [_cells(row) for row in shown]
    widths = [max(map(width, column)) for column in zip(HEAD, *rows, strict=True)]
    yield indented(said("".join(text for text, _ in _row(HEAD, widths, "")), "faint"))
    for row, cells in zip(shown, rows, strict=True):
        yield indented(_row(cells, widths, _style(row)))
        if words := note(row):
            yield indented(said(cut(words, SCREEN - 4), "faint"), 4)
    if rest := listed[len(shown) :]:
        yield indented(said(f"and {counted(len(rest), 'server')} more: {tally(rest)} (--verbose)"))
    yield BLANK


def _cells(row: FleetRow) -> tuple[str, ...]:
    name = cut(row.name, WIDEST_NAME) or "(no name)"
    measured = (row.tools_listed, row.tools_succeeded, row.errors, row.warnings)
    numbers = (f"{one:,}" if is_seen(row) else "-" for one in measured)
    return (name, verdict_word(row), *numbers, move_word(row))


def _row(cells: Sequence[str], widths: Sequence[int], style: Style) -> Line:
    name, verdict, *measured, move = cells
    aligned = "".join(f"  {one:>{size}}" for one, size in zip(measured, widths[2:], strict=False))
    first = padded(name, widths[0]) + "  "
    return ((first, ""), (padded(verdict, widths[1]), style), (f"{aligned}  {move}".rstrip(), ""))


def _causes(causes: Sequence[FleetCause], *, verbose: bool) -> Iterator[Line]:
    """The causes that most servers have; notes only if all is wanted."""
    wanted = [one for one in causes if verbose or one.severity != "info"]
    shown = wanted if verbose else wanted[:MOST_CAUSES]
    if shown:
        yield said("Most frequent causes", "strong")
        yield from _cause_lines(shown)
        if more := len(wanted) - len(shown):
            yield said(f"  and {counted(more, 'cause')} more (--verbose)")
        yield BLANK


def _cause_lines(causes: Sequence[FleetCause]) -> Iterator[Line]:
    whats = [_what(cause) for cause in causes]
    widest = max(map(width, whats), default=0)
    most = max((len(f"{cause.servers:,}") for cause in causes), default=1)
    for cause, what in zip(causes, whats, strict=True):
        noun = "server " if cause.servers == 1 else "servers"
        start = f"{padded(what, widest)}  {cause.servers:>{most},} {noun}  "
        names = _fitting(cause.examples, cause.servers, SCREEN - 10 - width(start))
        yield ((f"  {severity_word(cause):<8}", cause.severity), (start + names, ""))


def _what(cause: FleetCause) -> str:
    """A cause in a narrow column: whose library it is tells it from others of its rule."""
    words = cause_word(cause)
    if cause.library and width(words) > WIDEST_WHAT:
        words = f"{cause.rule} ({cause.library})"
    return cut(words, WIDEST_WHAT)


def _fitting(names: Sequence[str], of: int, columns: int) -> str:
    """As many of the names as a line has room for, and how many more there are."""
    for number in range(len(names), 0, -1):
        some = named([cut(name, WIDEST_NAME) for name in names[:number]], of)
        if width(some) <= columns:
            return some
    return cut(named(names[:1], of), max(columns, LEAST_ROOM))


def _unassessed(groups: Sequence[ReasonGroup], *, verbose: bool) -> Iterator[Line]:
    if not groups:
        return
    yield said("Not assessed, or only in part", "strong")
    for group in groups:
        servers = counted(group.servers, "server")
        yield ((f"  {servers:<12}", ""), (REASON_WORDS[group.kind], "warning"))
        names = named([cut(one.name, WIDEST_NAME) for one in group.examples], group.servers)
        for line in broken(names, SCREEN - HEAD_MARGIN) if group.servers > 1 else ():
            yield indented(said(line), HEAD_MARGIN)
        for one in group.examples if verbose else group.examples[:1]:
            words = f"{cut(one.name, WIDEST_NAME)}: {one.text}"
            yield indented(said(cut(words, SCREEN - HEAD_MARGIN), "faint"), HEAD_MARGIN)
    yield BLANK


def _changes(report: FleetReport) -> Iterator[Line]:
    changes = report.changes
    if changes is None:
        return
    yield said(f"Since the last run ({report.timing.last_run})", "strong")
    for label, text in standing(changes, MOST_NAMED):
        yield from labelled(label, text, size=14)
    for word, causes in (("new", changes.new_causes), ("fixed", changes.fixed_causes)):
        shown = [one for one in causes if one.severity != "info"][:MOST_CHANGED]
        if shown:
            yield said(f"  {word} findings", "faint")
            yield from _cause_lines(shown)
    yield BLANK


def _sums(report: FleetReport) -> Iterator[Line]:
    if words := statuses(report):
        yield from labelled("Tools", words, indent=0, size=5)
    if report.totals.surface_bytes:
        yield from labelled("Sizes", sizes(report), indent=0, size=5)
    yield from labelled("Times", times(report), indent=0, size=5)
    yield from labelled("Run", how(report), indent=0, size=5)


def _next(report: FleetReport) -> Iterator[Line]:
    """Where to read on about what most servers have."""
    for cause in report.causes[:1]:
        yield said(f"Next: mcp-assay explain {cause.rule}")
