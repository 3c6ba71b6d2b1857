"""What happened over some runs -> rows of one table, whose columns are the runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup, escape
from msgspec import Struct

from mcp_assay.history.answers import PastRun, PastToolRun
from mcp_assay.history.marks import Mark, MarkKind
from mcp_assay.history.tool_lines import ToolLine
from mcp_assay.text.safe import plain, shorten
from mcp_assay.web.page import shown_measure
from mcp_assay.web.plots.elements import element
from mcp_assay.web.plots.heat_map import outcome_cells, status_cells
from mcp_assay.web.plots.lines import Canvas, Known, Series, line_plot, top_of

STEP: Final = 20
"""Pixels that a run is wide; the style has the same number."""
HEIGHT: Final = 56
LONGEST_MARK: Final = 300
LONGEST_NAME: Final = 80
MARK_ROWS: Final[Mapping[str, Sequence[MarkKind]]] = {
    "version": ("version",),
    "definitions": ("definitions",),
    "approval": ("approved", "revoked"),
}
"""The rows of marks, and what stands in each."""
PERCENT: Final = 100.0
NO_MARK: Final = Markup("<td>")
NAMELESS: Final = "(no name)"


class Legend(Struct, frozen=True):
    """The name of a line and the class that paints it."""

    name: str
    paint: str


class TimelineRow(Struct, frozen=True, kw_only=True):
    """A row of the table: its heading, and a cell for each run or one for all of them."""

    heading: str
    cells: Markup
    tool: int | None = None
    """The tool that the heading leads to."""
    top: str = ""
    """Where the scale of a plot ends."""
    lines: Sequence[Legend] = ()


def heading_cells(runs: Sequence[PastRun]) -> Markup:
    """The run at the head of each column: its day where that is another one, else its time."""
    days = ["", *(run.at[:10] for run in runs)]
    return Markup("".join(map(_heading_cell, runs, days)))


def _heading_cell(run: PastRun, day_before: str) -> str:
    is_same_day = run.at[:10] == day_before
    paint = ' class="again"' if is_same_day else ""
    shown = escape(plain(run.at[11:16] if is_same_day else run.at[5:10]) or "?")
    moment = escape(plain(run.at[:16]).replace("T", " "))
    link = f'<a href="/runs/{run.run:d}"{paint} aria-label="run {run.run:d}, {moment}">{shown}</a>'
    return f'<th scope="col">{link}</th>'


def verdict_row(runs: Sequence[PastRun]) -> TimelineRow:
    """The verdicts of the runs."""
    return TimelineRow(heading="verdict", cells=outcome_cells(runs))


def mark_rows(
    runs: Sequence[PastRun], marks: Sequence[Mark], approvals: str
) -> Iterator[TimelineRow]:
    """Versions, definitions and approvals, each in a row of its own; none for what never was."""
    for heading, kinds in MARK_ROWS.items():
        at: dict[int, list[Mark]] = {}
        for mark in marks:
            if mark.kind in kinds:
                at.setdefault(mark.run, []).append(mark)
        if at:
            cells = [_mark_cell(at.get(run.run, []), approvals) for run in runs]
            yield TimelineRow(heading=heading, cells=Markup("".join(cells)))


def _mark_cell(marks: Sequence[Mark], approvals: str) -> Markup:
    """What happened in one run; the last word counts where it was both approved and revoked."""
    if not marks:
        return NO_MARK
    words = "; ".join(plain(shorten(mark.text, LONGEST_MARK)) for mark in marks)
    last = marks[-1]
    return element("td", element("a", words, class_=f"mark {last.kind}", href=_to(last, approvals)))


def _to(mark: Mark, approvals: str) -> str:
    if mark.kind in ("approved", "revoked"):
        return approvals
    if mark.against is not None:
        return f"/compare?old={mark.against:d}&new={mark.run:d}"
    return f"/runs/{mark.run:d}"


def plot_rows(runs: Sequence[PastRun], marks: Sequence[Mark]) -> Iterator[TimelineRow]:
    """Confidence, findings and response times of a server; none of what was never measured."""
    at = _changed(runs, marks)
    yield from _confidence([it.confidence for it in runs], at)
    found = [
        Series("errors", [it.errors for it in runs], "errors"),
        Series("warnings", [it.warnings for it in runs], "warnings"),
    ]
    yield from _plot("findings", "", found, at)
    yield from _times([it.median_ms for it in runs], [it.p95_ms for it in runs], at)


def tool_plot_rows(
    its: Sequence[PastToolRun | None], runs: Sequence[PastRun], marks: Sequence[Mark]
) -> Iterator[TimelineRow]:
    """Confidence and response times of a tool."""
    at = _changed(runs, marks)
    yield from _confidence([one.confidence if one else None for one in its], at)
    medians = [one.median_ms if one else None for one in its]
    yield from _times(medians, [one.p95_ms if one else None for one in its], at)


def _changed(runs: Sequence[PastRun], marks: Sequence[Mark]) -> list[int]:
    """The columns where the server was another one than before."""
    changed = {mark.run for mark in marks if mark.kind in ("version", "definitions")}
    return [place for place, run in enumerate(runs) if run.run in changed]


def _confidence(values: Known, changed: Sequence[int]) -> Iterator[TimelineRow]:
    return _plot("confidence", "%", [Series("confidence", values, "one")], changed, top=PERCENT)


def _times(medians: Known, slow: Known, changed: Sequence[int]) -> Iterator[TimelineRow]:
    series = [Series("median", medians, "one"), Series("95th percentile", slow, "two")]
    return _plot("response time", "ms", series, changed)


def _plot(
    heading: str, unit: str, series: Sequence[Series], changed: Sequence[int], top: float = 0
) -> Iterator[TimelineRow]:
    if all(value is None for one in series for value in one.values):
        return
    runs = len(series[0].values)
    top = top or top_of(series)
    canvas = Canvas(columns=runs, step=STEP, height=HEIGHT)
    label = f"{heading}: {'; '.join(map(_in_words, series))}"
    drawn = line_plot(canvas, series, top, label, changed)
    legend = [Legend(one.name, one.paint) for one in series]
    yield TimelineRow(
        heading=heading,
        cells=element("td", drawn, colspan=runs, class_="drawn"),
        top=f"{shown_measure(top)} {unit}".strip(),
        lines=legend if len(legend) > 1 else (),
    )


def _in_words(series: Series) -> str:
    """The first, the last and the highest of some values."""
    known = [value for value in series.values if value is not None]
    if not known:
        return f"{series.name} unknown"
    first, last, most = map(shown_measure, (known[0], known[-1], max(known)))
    return f"{series.name} from {first} to {last}, at most {most}"


def tool_rows(lines: Iterable[ToolLine], runs: Sequence[int]) -> Iterator[TimelineRow]:
    """The tools, each with its status in every run."""
    for line in lines:
        yield TimelineRow(
            heading=shorten(line.name, LONGEST_NAME) or NAMELESS,
            cells=status_cells(line.id, runs, line.cells),
            tool=line.id,
        )
