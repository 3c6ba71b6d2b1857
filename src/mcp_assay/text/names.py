"""Names that come from outside, split into their words, and lists of words written as prose."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mcp_assay.text.lookalikes import as_it_looks


def word_set(text: str) -> frozenset[str]:
    """The words of a text that is a list of them."""
    return frozenset(text.split())


LONGEST_NAME: Final = 1_000
"""So much of a name is read."""
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """The words and numbers of a name as it looks, as they are written in it.

    It is split where its case changes, at numbers, and where neither a letter nor a digit is.
    """
    return tuple(_WORD.findall(as_it_looks(name[:LONGEST_NAME])))


def name_words(name: str) -> list[str]:
    """The words of a name in small letters, its numbers left out: "userID2" is a user's id."""
    return [word.lower() for word in split_name(name) if not word.isdecimal()]


def name_parts(name: str) -> list[str]:
    """The words of a name in small letters, and its numbers."""
    return [word.lower() for word in split_name(name)]
