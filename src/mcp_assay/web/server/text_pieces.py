"""Two texts -> their pieces: what only one of them has, and what nobody would see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

from markupsafe import Markup
from msgspec import Struct

from mcp_assay.text.safe import plain
from mcp_assay.web.plots.elements import element, joined

PieceKind: TypeAlias = Literal["", "other", "hidden"]
LONGEST: Final = 2_000
"""Characters of each text that are shown."""
BEFORE: Final = 200
"""So many of them are shown before the first difference, where that is far behind."""
MOST_WORDS: Final = 200
"""Where more differ between equal ends, all between them is marked: finer would take long."""
_WORDS: Final = re.compile(r"\w+|\s+|.", re.DOTALL)
SPACES: Final = "\n\t"
"""What is hidden, but seen in a text of several lines."""


class Piece(Struct, frozen=True):
    """A piece of a text: how it is shown, and whether the other text lacks it."""

    text: str
    kind: PieceKind
    """What is hidden is that, whether the other text has it or not."""


def pieces_of(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, from shortly before their first difference."""
    begin = _alike(old, new)
    skipped = begin - BEFORE if begin > LONGEST - BEFORE else 0
    before, now = (_words(text, skipped) for text in (old, new))
    marks = _marks(before, now)
    shown = [list(_pieces(words, its)) for words, its in zip((before, now), marks, strict=True)]
    return shown[0], shown[1]


def _words(text: str, skipped: int) -> list[str]:
    cut = text[skipped : skipped + LONGEST]
    begun = ["…"] if skipped else []
    ended = ["…"] if len(text) > skipped + LONGEST else []
    return [*begun, *_WORDS.findall(cut), *ended]


def _marks(old: Sequence[str], new: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """For each word whether the other text lacks it."""
    first = _alike(old, new)
    last = _alike(old[first:][::-1], new[first:][::-1])
    middles = old[first : len(old) - last], new[first : len(new) - last]
    is_other = [True] * len(middles[0]), [True] * len(middles[1])
    if max(map(len, middles)) <= MOST_WORDS:
        for a, b, size in SequenceMatcher(None, *middles, autojunk=False).get_matching_blocks():
            is_other[0][a : a + size] = [False] * size
            is_other[1][b : b + size] = [False] * size
    before, behind = [False] * first, [False] * last
    return [*before, *is_other[0], *behind], [*before, *is_other[1], *behind]


def _alike(old: Sequence[str], new: Sequence[str]) -> int:
    """With how many equal characters, or words, both begin."""
    differs = (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other)
    return next(differs, min(len(old), len(new)))


def _pieces(words: Sequence[str], is_other: Sequence[bool]) -> Iterator[Piece]:
    """Words of one kind together."""
    text = ""
    kind: PieceKind = ""
    for word, other in zip(words, is_other, strict=True):
        shown = word if word.isspace() and not word.strip(SPACES + " ") else plain(word)
        its: PieceKind = "hidden" if shown != word else "other" if other else ""
        if its != kind and text:
            yield Piece(text, kind)
            text = ""
        text, kind = text + shown, its
    if text:
        yield Piece(text, kind)


def marked(pieces: Sequence[Piece]) -> Markup:
    """Pieces as a page shows them."""
    return joined(map(_marked, pieces))


def _marked(piece: Piece) -> str:
    if piece.kind == "hidden":
        return element("mark", piece.text, class_="hidden-sign", title="a hidden character")
    return element("mark", piece.text) if piece.kind else piece.text
