"""Lines for people: styled pieces of text, and their width in columns of a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias
from unicodedata import category, east_asian_width

from mcp_assay.text.safe import plain, shorten

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


SCREEN: Final = 80
"""Columns that a report for people takes; only what is meant to be copied is longer."""
LONGEST_TEXT: Final = 4_000
"""Characters of a text that anybody reads."""
STEP: Final = re.compile(r"[/\\]")
"""What stands between the steps of a path or an address."""
HYPHEN: Final = re.compile(r"[-_.]")
"""What stands between the words of a name."""


def width(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """The text, made safe to show, in at most so many columns; an ellipsis says what is missing.

    Of several words those at the beginning stay whole; of a path, an address or a long name both
    ends are kept, as the end mostly tells more.
    """
    text = plain(shorten(text, LONGEST_TEXT))
    if width(text) <= columns:
        return text
    words = next(broken(text, columns - 2), "")
    if " " in text.strip() and 0 < width(words) <= columns - 2:
        return f"{words} …"
    return _without_middle(text, columns)


def _without_middle(text: str, columns: int) -> str:
    """The two ends of a text; of a path or a name the end begins with a whole part, if one fits."""
    is_path = STEP.search(text) is not None
    room = 2 * columns // 3 if is_path else (columns - 1) // 2
    end = _fitting(text[::-1], room)[::-1]
    part = (STEP if is_path else HYPHEN).search(end)
    end = end[part.start() :] if part else end
    return f"{_fitting(text, columns - 1 - width(end))}…{end}"


def _fitting(text: str, columns: int) -> str:
    """As many of the first characters as fit."""
    taken = ""
    for character in text:
        if width(taken + character) > columns:
            break
        taken += character
    return taken


def padded(text: str, columns: int) -> str:
    """The text with blanks up to so many columns."""
    return text + " " * (columns - width(text))


def broken(text: str, columns: int) -> Iterator[str]:
    """The text in lines of at most so many columns; a longer word stands alone."""
    line = ""
    for word in plain(shorten(text, LONGEST_TEXT)).split(" "):
        if line and width(line) + 1 + width(word) > columns:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def labelled(label: str, text: str, *, indent: int = 2, size: int = 8) -> Iterator[Line]:
    """A text behind its label, broken to fit the screen."""
    margin = indent + size + 1
    for number, part in enumerate(broken(text, SCREEN - margin)):
        shown = label if number == 0 else ""
        yield ((f"{' ' * indent}{shown:<{size}} ", "faint"), (part, ""))


def sentences(text: str, *, indent: int = 2, style: Style = "") -> Iterator[Line]:
    """A text in lines that fit the screen."""
    for part in broken(text, SCREEN - indent):
        yield ((" " * indent + part, style),)


def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1
