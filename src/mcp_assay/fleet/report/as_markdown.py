"""The report on a fleet as Markdown, for a step summary, a comment or a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mcp_assay.fleet.report.form import FleetCause, FleetChanges, FleetReport, FleetRow, ReasonGroup
from mcp_assay.fleet.report.words import (
    REASON_WORDS,
    cause_word,
    filtered_out,
    how,
    is_seen,
    move_word,
    named,
    note,
    numbers,
    origin,
    severity_word,
    sizes,
    standing,
    statuses,
    tally,
    times,
    verdict_word,
    verdicts,
)
from mcp_assay.report.as_markdown import VERDICTS, cell, passage
from mcp_assay.text.lines import counted

MOST_ROWS: Final = 500
"""So many servers have a row: a step summary takes a mebibyte."""
MOST_CAUSES: Final = 100
MOST_NAMED: Final = 20


def fleet_markdown(report: FleetReport) -> str:
    """The report as Markdown."""
    return "\n".join((*_lines(report), ""))


def _lines(report: FleetReport) -> Iterator[str]:
    servers = counted(report.totals.servers, "server")
    yield f"## {VERDICTS[report.totals.outcome]}: {servers}, {verdicts(report)}"
    yield ""
    yield f"{' · '.join(numbers(report))}"
    yield ""
    yield f"{cell(report.file)}{filtered_out(report)}"
    yield ""
    yield from _causes("Most frequent causes", report.causes)
    yield from _unassessed(report.unassessed)
    if report.changes:
        yield from _changes(report.changes, report.timing.last_run or "")
    yield from _servers(report.servers)
    yield from _sums(report)


def _causes(title: str, causes: Sequence[FleetCause]) -> Iterator[str]:
    shown = [one for one in causes if one.severity != "info"]
    rows = [
        (severity_word(one), cell(cause_word(one)), f"{one.servers:,}", _names(one.examples,
         one.servers)) for one in shown[:MOST_CAUSES]
    ]  # fmt: skip
    yield from _table(title, ("severity", "rule", "servers", "such as"), rows)
    if more := len(shown) - len(rows):
        yield from (f"and {counted(more, 'cause')} more", "")


def _unassessed(groups: Sequence[ReasonGroup]) -> Iterator[str]:
    rows = [
        (f"{one.servers:,}", REASON_WORDS[one.kind], _names([it.name for it in one.examples],
         one.servers), cell(one.examples[0].text if one.examples else "")) for one in groups
    ]  # fmt: skip
    head = ("servers", "why", "such as", "said of the first")
    yield from _table("Not assessed, or only in part", head, rows)


def _changes(changes: FleetChanges, last_run: str) -> Iterator[str]:
    yield f"### Since the last run ({cell(last_run)})"
    yield ""
    for label, text in standing(changes, MOST_NAMED):
        yield f"- {label}" + (f": {passage(text)}" if text else "")
    yield ""
    yield from _causes("New findings", changes.new_causes)
    yield from _causes("Fixed findings", changes.fixed_causes)


def _servers(servers: Sequence[FleetRow]) -> Iterator[str]:
    head = ("server", "verdict", "from", "tools", "ok", "errors", "warnings", "change", "note")
    yield from _table("Servers", head, map(_row, servers[:MOST_ROWS]))
    if rest := servers[MOST_ROWS:]:
        yield from (f"and {counted(len(rest), 'server')} more: {tally(rest)}", "")


def _row(row: FleetRow) -> Sequence[str]:
    measured = (row.tools_listed, row.tools_succeeded, row.errors, row.warnings)
    numbers = (f"{one:,}" if is_seen(row) else "-" for one in measured)
    name, said = cell(row.name or "(no name)"), cell(note(row))
    return (name, verdict_word(row), cell(origin(row)), *numbers, move_word(row), said)


NUMBERS: Final = frozenset({"servers", "tools", "ok", "errors", "warnings"})
"""Columns of numbers, which are aligned to the right."""


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table under its title; nothing where it has no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        yield from (f"### {title}", "", f"| {' | '.join(head)} |")
        yield f"|{'|'.join('---:' if one in NUMBERS else '---' for one in head)}|"
        yield from (*lines, "")


def _names(names: Sequence[str], of: int) -> str:
    return named([cell(name) for name in names], of)


def _sums(report: FleetReport) -> Iterator[str]:
    if report.totals.tools_listed:
        yield f"- Tools: {statuses(report)}"
    if report.totals.surface_bytes:
        yield f"- Sizes: {sizes(report)}"
    yield f"- Times: {times(report)}"
    yield f"- Run: {passage(how(report))}"
