"""Plots as small as a word: a bar of parts, and the trend of a few runs.

A list has a hundred of them, so each is a few paths, put together from numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape
from msgspec import Struct

from mcp_assay.web.plots.elements import shown_number

BAR_WIDTH, BAR_HEIGHT = 120, 8
STEP: Final = 6
"""How wide a run is in a trend."""
TREND_HEIGHT: Final = 18
FLOOR: Final = 3
"""How high a run without anything to count is."""


class Part(Struct, frozen=True):
    """A part of a whole: how much, what it is called and the class that paints it."""

    number: int
    name: str
    paint: str


def bar(parts: Sequence[Part]) -> Markup:
    """Parts side by side, each as wide as its share."""
    some = [part for part in parts if part.number > 0]
    total = sum(part.number for part in some)
    pieces: list[str] = []
    end = 0.0
    for part in some:
        start, end = end, end + BAR_WIDTH * part.number / total
        x, width = shown_number(start), shown_number(end - start)
        pieces.append(_path(part.paint, f"M{x} 0h{width}v{BAR_HEIGHT}h-{width}z"))
    label = ", ".join(f"{part.number} {part.name}" for part in some) or "none"
    return _picture(BAR_WIDTH, BAR_HEIGHT, label, pieces, "bar-of-parts")


def trend(paints: Sequence[str], numbers: Sequence[int], label: str) -> Markup:
    """A column for each run, the newest last: painted by its outcome, as high as its number."""
    highest = max(numbers, default=0)
    columns: dict[str, list[str]] = {}
    for at, (paint, number) in enumerate(zip(paints, numbers, strict=True)):
        height = round(FLOOR + (TREND_HEIGHT - FLOOR) * number / highest) if highest > 0 else FLOOR
        column = f"M{at * STEP} {TREND_HEIGHT}v-{height}h{STEP - 1}v{height}z"
        columns.setdefault(paint, []).append(column)
    pieces = [_path(paint, "".join(some)) for paint, some in columns.items()]
    return _picture(max(len(paints), 1) * STEP, TREND_HEIGHT, label, pieces, "trend")


def _path(paint: str, drawn: str) -> str:
    return f'<path class="{escape(paint)}" d="{drawn}"/>'


def _picture(width: int, height: int, label: str, pieces: Sequence[str], name: str) -> Markup:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    begun = f'<svg class="{name}" {size} role="img" aria-label="{escape(label)}">'
    return Markup(f"{begun}{''.join(pieces)}</svg>")  # of numbers, and of texts that are escaped
