"""The verbs of other languages than English, as their table has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Final

LAST: Final = "verb last"
EITHER_END: Final = "verb at either end"
"""Where verbs stand that do not begin a sentence."""
GAP: Final = "..."
"""What stands in the table for letters that are left open."""


@dataclass(frozen=True)
class Language:
    """The verbs of one language, as the table of languages has them."""

    name: str
    place: str
    """Where its verbs stand, if not at the beginning of a sentence."""
    has_gaps: bool
    words: Mapping[str, Sequence[str]]
    """Of each section of the table: small, reads, changes, no deeds and so on."""

    def verbs(self, section: str) -> Sequence[str]:
        """The words of one section; few languages have all of them."""
        return self.words.get(section, ())


@cache
def languages() -> tuple[Language, ...]:
    """The languages of the table."""
    text = (get_data("mcp_assay.text", "foreign_verbs.txt") or b"").decode("utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    _, *parts = re.split(r"^= (.+) =$", lines, flags=re.MULTILINE)
    return tuple(_language(*one) for one in zip(parts[::2], parts[1::2], strict=True))


def _language(heading: str, text: str) -> Language:
    _, *parts = re.split(r"^== (.+) ==$", text, flags=re.MULTILINE)
    sections = zip(parts[::2], parts[1::2], strict=True)
    return Language(
        name=heading.partition(",")[0],
        place=next((one for one in (LAST, EITHER_END) if one in heading), ""),
        has_gaps="without gaps" not in heading,
        words={name: plain_letters(words).split() for name, words in sections},
    )


_WITHOUT_MARK: Final = str.maketrans({"\u0131": "i", "\u0142": "l", "\u00f8": "o"})
"""Letters that are not made of another one and a mark, though they look so."""


@lru_cache(maxsize=128)
def plain_letters(text: str) -> str:
    """The text in small letters, those of the Latin and Greek alphabets without accents."""
    letters, base = list[str](), ""
    for one in unicodedata.normalize("NFKD", text.lower()).translate(_WITHOUT_MARK):
        is_mark = unicodedata.category(one) == "Mn"
        base = base if is_mark else one
        if not is_mark or not (base.isascii() or "\u0370" <= base < "\u0400"):
            letters.append(one)
    return unicodedata.normalize("NFC", "".join(letters))
