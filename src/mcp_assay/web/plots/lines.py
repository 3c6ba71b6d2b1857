"""Measures over runs -> lines; every run has a column, whether anything is known of it or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from mcp_assay.web.plots.elements import element, picture, shown_number

ROOM: Final = 5
"""Above and below the lines, so that the dots at both ends are whole."""
TOPS: Final = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
"""Where a scale may end, times a power of ten."""
Known = Sequence[float | None]
"""A measure in each run, the newest last; None where nothing was measured."""


class Series(Struct, frozen=True):
    """One line: its name, its values and the class that paints it."""

    name: str
    values: Known
    paint: str


class Canvas(Struct, frozen=True):
    """Where a plot has its columns, and how high it is."""

    columns: int
    step: int
    """How wide a column is."""
    height: int

    @property
    def width(self) -> int:
        """How wide all columns are."""
        return self.columns * self.step


def line_plot(
    canvas: Canvas,
    series: Sequence[Series],
    top: float,
    label: str,
    marked: Sequence[int] = (),
) -> Markup:
    """Lines from nought up to the top of a scale; marked columns have a line from top to bottom."""
    heights = (ROOM, canvas.height / 2, canvas.height - ROOM)
    grid = "".join(f"M0 {shown_number(y)}h{canvas.width}" for y in heights)
    marks = "".join(f"M{shown_number(_middle(canvas, at))} 0v{canvas.height}" for at in marked)
    pieces = [
        element("path", d=grid, class_="grid"),
        *([element("path", d=marks, class_="changed")] if marks else ()),
        *(line for one in series for line in _lines(canvas, one, top)),
    ]
    return picture(canvas.width, canvas.height, label, *pieces, class_="plot")


def top_of(series: Sequence[Series], least: float = 1) -> float:
    """A round number that no value is above: where the scale of a plot ends."""
    known = [value for one in series for value in one.values if value is not None]
    highest = max((value for value in known if isfinite(value)), default=0)
    wanted = max(highest, least)
    power = 1.0
    while power * TOPS[-1] < wanted:
        power *= 10
    while power > wanted:
        power /= 10
    return next(power * one for one in TOPS if power * one >= wanted)


def _lines(canvas: Canvas, series: Series, top: float) -> Iterator[Markup]:
    """Runs that follow one another are joined; each has its dot."""
    points = [_point(canvas, at, value, top) for at, value in enumerate(series.values)]
    path, dots, is_drawing = "", "", False
    for point in points:
        if point is not None:
            path += f"{'L' if is_drawing else 'M'}{point}"
            dots += f"M{point}h0"
        is_drawing = point is not None
    if dots:
        yield element("path", d=path, class_=f"line {series.paint}")
        yield element("path", d=dots, class_=f"dots {series.paint}")


def _point(canvas: Canvas, at: int, value: float | None, top: float) -> str | None:
    if value is None or not isfinite(value):
        return None
    share = min(max(value / top, 0), 1)
    y = canvas.height - ROOM - share * (canvas.height - 2 * ROOM)
    return f"{shown_number(_middle(canvas, at))} {shown_number(y)}"


def _middle(canvas: Canvas, at: int) -> float:
    """The middle of a column."""
    return (at + 0.5) * canvas.step
