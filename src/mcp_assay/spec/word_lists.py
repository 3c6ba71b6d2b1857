"""Lists of words, written as prose."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text that is a list of them."""
    return frozenset(text.split())
