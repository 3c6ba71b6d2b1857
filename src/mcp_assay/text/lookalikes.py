"""Letters that look like others: what a name says to the eye, whatever it is written with."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

LOOKALIKES: Final[Mapping[str, str]] = {
    "a": "\u0430\u03b1\u0251",
    "b": "\u042c\u044c",
    "c": "\u0441\u03f2",
    "d": "\u0501",
    "e": "\u0435\u03b5\u04bd\u0454",
    "g": "\u0261\u0581",
    "h": "\u04bb\u0570",
    "i": "\u0456\u03b9\u0131",
    "j": "\u0458\u03f3",
    "k": "\u043a\u03ba",
    "l": "\u04cf",
    "m": "\u043c",
    "n": "\u043f\u03b7\u0578",
    "o": "\u043e\u03bf\u0585",
    "p": "\u0440\u03c1",
    "q": "\u051b\u0566",
    "r": "\u0433",
    "s": "\u0455",
    "t": "\u0442\u03c4",
    "u": "\u03c5\u057d\u0446",
    "v": "\u0475\u03bd",
    "w": "\u051d\u0461\u03c9",
    "x": "\u0445\u03c7",
    "y": "\u0443\u04af",
    "A": "\u0410\u0391\u13aa",
    "B": "\u0412\u0392\u13f4",
    "C": "\u0421\u03f9\u13df",
    "D": "\u0500\u13a0",
    "E": "\u0415\u0395\u13ac",
    "F": "\u03dc",
    "G": "\u050c\u13c0",
    "H": "\u041d\u0397\u13bb",
    "I": "\u0406\u0399\u04c0",
    "J": "\u0408\u037f\u13ab",
    "K": "\u041a\u039a\u13e6",
    "L": "\u13de",
    "M": "\u041c\u039c\u13b7",
    "N": "\u039d",
    "O": "\u041e\u039f\u0555",
    "P": "\u0420\u03a1\u13e2",
    "Q": "\u051a",
    "R": "\u13a1",
    "S": "\u0405\u13da\u054f",
    "T": "\u0422\u03a4\u13a2",
    "U": "\u054d",
    "V": "\u0474\u13d9",
    "W": "\u051c\u13b3",
    "X": "\u0425\u03a7",
    "Y": "\u04ae\u03a5",
    "Z": "\u0396\u13c3",
}
"""For Latin letters those of other alphabets, and rare Latin ones, that are taken for them."""

SIMILAR_ALPHABETS: Final = ("CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Alphabets that nobody mixes with Latin letters in one word, but to mislead."""

_TO_LATIN: Final = str.maketrans(
    {other: latin for latin, others in LOOKALIKES.items() for other in others}
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_DROPPED: Final = ("Mn", "Cf")
"""Kinds of characters that are not seen by themselves: marks on letters, and what is invisible."""


def as_it_looks(name: str) -> str:
    """The name in plain Latin letters, as far as it looks like those; its case is kept."""
    return name if name.isascii() else _plain(name).translate(_TO_LATIN)


def mixes_alphabets(name: str) -> bool:
    """Whether a word has Latin letters, and among them some that only look like such."""
    if name.isascii():
        return False
    return any(_is_mixed(word) for word in _LETTERS.findall(_plain(name)))


def _plain(name: str) -> str:
    """The name in the plainest form of its letters, without marks and what is invisible."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(one for one in letters if unicodedata.category(one) not in _DROPPED)


def _is_mixed(word: str) -> bool:
    if not any(letter.isascii() for letter in word):
        return False
    return any(_is_foreign(letter) for letter in word if not letter.isascii())


def _is_foreign(letter: str) -> bool:
    """Whether a letter beside Latin ones misleads: a delta or a kanji does not."""
    if ord(letter) in _TO_LATIN:
        return True
    return unicodedata.name(letter, "").startswith(SIMILAR_ALPHABETS)
