"""HTML made piece by piece: what is not made here is text, and stays text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from typing import Final

from mcp_assay.report.plain import plain, shorten

LONGEST_TEXT: Final = 2_000
SLOT: Final = re.compile(r"\{\{([a-z_]+)\}\}")
EMPTY: Final = frozenset({"rect", "br", "input"})
"""Elements that have no content here."""


class Markup(str):
    """HTML that was made here, and is not escaped again."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Any text as text: nothing in it is obeyed, hidden or endless."""
    return Markup(html.escape(plain(shorten(str(value), LONGEST_TEXT))))


def tag(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An element; an attribute that is None is left out, `class_` and `data_x` are as in HTML."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in EMPTY:
        return Markup(f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{together(children)}</{name}>")


def together(children: Iterable[str]) -> Markup:
    """Pieces one after the other; those that are no markup become text."""
    return Markup("".join(one if isinstance(one, Markup) else text(one) for one in children))


def filled(template: str, slots: Mapping[str, str]) -> str:
    """The template with each {{slot}} filled; what is filled in is not looked at again."""
    return SLOT.sub(lambda slot: slots[slot[1]], template)
