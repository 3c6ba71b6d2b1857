"""The report on several servers, for people: one table, what they share, then each if wanted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from mcp_assay.model.report import Summary
from mcp_assay.model.reports import Reports, ServerReport, SharedCause
from mcp_assay.report.as_text import finding_line, full_text
from mcp_assay.report.assessment import UNCALLED, WORDS
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    broken,
    counted,
    cut,
    indented,
    padded,
    said,
    sentences,
    width,
)

HEAD: Final = ("server", "verdict", "tools", "called", "ok", "errors", "warnings")
WIDEST_NAME: Final = 28
LONGEST_PATH: Final = 60
HALF_A_REASON: Final = 150
"""Characters of a long reason that are shown of its beginning, and of its end."""
MARGIN: Final = 2
HEAD_MARGIN: Final = 6
MOST_CAUSES: Final = 40
"""So many causes are listed; nobody reads more of them in a table."""
MOST_SERVERS_NAMED: Final = 12
LEAST_ROOM: Final = 16
"""Columns in which servers are named, however long the rest of the line is."""


def overall_text(reports: Reports, *, verbose: bool = False) -> Iterator[Line]:
    """The verdict, a row per server, a line per cause; `verbose` adds the report on each."""
    yield from _verdict(reports)
    yield BLANK
    yield from _table(reports.servers)
    yield from _skipped(reports)
    yield from _causes(reports, verbose)
    if verbose:
        yield from _each(reports.servers)
    else:
        yield from _next(reports)


def overall_lines(reports: Reports) -> Iterator[Line]:
    """One line per finding, behind the name of its server, and nothing else."""
    for server in reports.servers:
        for finding in server.report.findings if server.report else ():
            yield ((f"{cut(server.name, WIDEST_NAME)}: ", "strong"), *finding_line(finding))


def verdict_word(server: ServerReport) -> tuple[str, Style]:
    """The verdict on one server, in a word; where none of its tools was called, that is no pass."""
    its = server.summary
    is_silent = its.outcome == "pass" and its.tools_listed and not its.tools_called
    return UNCALLED if is_silent and _is_assessed(server) else WORDS[its.outcome]


def _is_assessed(server: ServerReport) -> bool:
    return server.report is None or server.report.command == "assess"


def _verdict(reports: Reports) -> Iterator[Line]:
    summary = reports.summary
    word, style = WORDS[summary.outcome]
    kinds = (
        (summary.passed, "passed"),
        (summary.failed, "failed"),
        (summary.incomplete, "incomplete"),
    )
    shown_parts = ", ".join(f"{number} {words}" for number, words in kinds if number)
    yield ((word, style), (f"  {counted(summary.servers, 'server')}: {shown_parts}", ""))
    numbers = f"{counted(summary.errors, 'error')}, {counted(summary.warnings, 'warning')}"
    yield indented(said(f"{numbers} · {_tools(reports)}"), HEAD_MARGIN)
    yield indented(said(cut(reports.config, LONGEST_PATH)), HEAD_MARGIN)


def _tools(reports: Reports) -> str:
    summary = reports.summary
    listed = counted(summary.tools_listed, "tool")
    if reports.command == "lint":
        return f"{listed} listed"
    return f"{summary.tools_called} of {listed} called, {summary.tools_succeeded} succeeded"


def _table(servers: Sequence[ServerReport]) -> Iterator[Line]:
    rows = [_cells(server) for server in servers]
    widths = [max(map(width, column)) for column in zip(HEAD, *rows, strict=True)]
    title = "".join(text for text, _ in _row(HEAD, widths, ""))
    yield indented(said(title, "faint"), MARGIN)
    for server, cells in zip(servers, rows, strict=True):
        yield indented(_row(cells, widths, verdict_word(server)[1]), MARGIN)
        for line in _reason(server.summary):
            yield indented(said(line), 2 * MARGIN)
    yield BLANK


def _cells(server: ServerReport) -> tuple[str, ...]:
    its = server.summary
    name, word = cut(server.name, WIDEST_NAME) or "(no name)", verdict_word(server)[0]
    is_seen = server.report is None or server.report.revision is not None
    is_called = is_seen and _is_assessed(server)
    tools = (
        its.tools_listed if is_seen else "-",
        its.tools_called if is_called else "-",
        its.tools_succeeded if is_called else "-",
    )
    return (name, word, *map(str, (*tools, its.errors, its.warnings)))


def _row(cells: Sequence[str], widths: Sequence[int], style: Style) -> Line:
    name, verdict, *numbers = cells
    aligned = "".join(f"  {one:>{size}}" for one, size in zip(numbers, widths[2:], strict=True))
    return (
        (padded(name, widths[0]) + "  ", ""),
        (padded(verdict, widths[1]), style),
        (aligned, ""),
    )


def _reason(summary: Summary) -> Iterator[str]:
    """Why a server was not shown to work, and what may help; what it said at length is left out."""
    words = " ".join((summary.reason or "").split())
    if len(words) > 2 * HALF_A_REASON:
        words = f"{words[:HALF_A_REASON]} … {words[-HALF_A_REASON:]}"
    yield from broken(words, SCREEN - 2 * MARGIN) if words else ()


def _skipped(reports: Reports) -> Iterator[Line]:
    for one in reports.skipped:
        yield said(f"Skipped: {cut(one.name, WIDEST_NAME)} ({one.reason})")
    if reports.skipped:
        yield BLANK


def _causes(reports: Reports, verbose: bool) -> Iterator[Line]:
    """A line per cause, with the servers that have it; notes only if all is wanted."""
    causes = [one for one in reports.causes if verbose or one.severity != "info"]
    shown = causes[:MOST_CAUSES]
    whats = [_what(cause) for cause in shown]
    widest = max(map(width, whats), default=0)
    for cause, what in zip(shown, whats, strict=True):
        start = f"  {padded(what, widest)}  {cause.findings:>4,}  "
        room = max(SCREEN - 8 - width(start), LEAST_ROOM)
        first, *rest = broken(named(cause.servers, len(reports.servers)), room)
        yield ((f"{SEVERITY_WORDS[cause.severity]:<8}", cause.severity), (start + first, ""))
        yield from (said(" " * (8 + width(start)) + line) for line in rest)
    if more := len(causes) - len(shown):
        yield from sentences(f"and {counted(more, 'cause')} more", indent=0)
    if shown:
        yield BLANK


def _what(cause: SharedCause) -> str:
    by = f" ({cut(cause.framework, LEAST_ROOM)})" if cause.framework else ""
    return f"{cause.rule} {cause.name}{by}"


def named(names: Sequence[str], of: int) -> str:
    """The servers by name, or in a word where it is all of them; of very many only the first."""
    if len(names) == of > 2:
        return f"all {of} servers"
    shown = ", ".join(cut(name, WIDEST_NAME) for name in names[:MOST_SERVERS_NAMED])
    more = len(names) - MOST_SERVERS_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _each(servers: Sequence[ServerReport]) -> Iterator[Line]:
    for server in servers:
        if server.report is not None:
            yield said(f"== {cut(server.name, WIDEST_NAME)}", "strong")
            yield from full_text(server.report, verbose=True)
            yield BLANK


def _next(reports: Reports) -> Iterator[Line]:
    """How to see more of the first server that did not pass."""
    for server in reports.servers:
        if server.summary.outcome != "pass":
            named_by = ["--config", reports.config, "--server", server.name]
            words = ["mcp-assay", reports.command, *named_by]
            yield said(f"Next: {shlex.join(words)}")
            return
