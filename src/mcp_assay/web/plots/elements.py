"""Elements of a page, made of names written here and of numbers; whatever else comes is text."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Final

from markupsafe import Markup, escape

DIGITS: Final = 2
"""Of a pixel: finer than any screen."""


def element(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element; an attribute that is None is left out, `class_` and `aria_label` as in HTML."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{shown}>{joined(children)}</{name}>")


def joined(pieces: Iterable[str]) -> Markup:
    """Pieces one after the other; those that are no markup become text."""
    return Markup("".join(map(escape, pieces)))


def picture(width: float, height: float, label: str, *children: str, class_: str) -> Markup:
    """A picture of this size, which says in words what it shows."""
    return element(
        "svg",
        *children,
        class_=class_,
        viewBox=f"0 0 {shown_number(width)} {shown_number(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )


def shown_number(value: float) -> str:
    """A number as SVG takes it; what no plot can show, such as infinity, is nought."""
    if not isfinite(value):
        return "0"
    short = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else shown_number(value)
