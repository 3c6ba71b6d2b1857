"""Lines for people: text in pieces, each with the style that a terminal may paint it in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from mcp_assay.report.plain import plain, shorten

Style: TypeAlias = Literal["", "error", "warning", "info", "pass", "fail", "strong", "faint"]
Piece: TypeAlias = tuple[str, Style]
Line: TypeAlias = tuple[Piece, ...]

BLANK: Line = ()
LONGEST_PIECE: Final = 100_000
"""Characters; a command of more could not be pasted."""


def said(text: str, style: Style = "") -> Line:
    """A line in one style."""
    return ((text, style),)


def named(name: str, text: str, *, width: int = 8) -> Line:
    """A line that begins with the name of what it holds."""
    return ((f"{name:<{width}} ", "faint"), (text, ""))


def indented(line: Line, by: int = 2) -> Line:
    """The line, moved to the right."""
    return ((" " * by, ""), *line)


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where it should be."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def safe(line: Line) -> Line:
    """The line with nothing in it that a terminal would obey or hide."""
    return tuple((plain(shorten(text, LONGEST_PIECE)), style) for text, style in line)


def as_plain_text(lines: Iterable[Line]) -> str:
    """The lines without styles, safe to print."""
    return "".join("".join(text for text, _ in safe(line)).rstrip() + "\n" for line in lines)
