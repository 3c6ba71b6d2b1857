"""Addresses of pages that fit what a tool reads; they are there in a disposable world."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_assay.scenario.limits import MAX_LISTED, MAX_READ_TEXT
from mcp_assay.scenario.usual_values import singular
from mcp_assay.text.names import name_words

HOME: Final = "https://example.invalid"
_PAGES: Final[tuple[tuple[str, str], ...]] = (
    ("sitemap", "/sitemap.xml"),
    ("robot", "/robots.txt"),
    ("atom feed podcast rss syndication", "/feed.xml"),
    ("geojson json openapi swagger", "/data.json"),
    ("csv dataframe dataset tsv", "/table.csv"),
    ("image img jpeg jpg photo picture png thumbnail", "/picture.png"),
    ("xml", "/data.xml"),
    ("md txt", "/notes.txt"),
)
_BY_WORD: Final = {word: page for words, page in _PAGES for word in words.split()}
"""Words for what a tool reads, and a page that is just that."""
_ADDRESS: Final = re.compile(r"https?://[\w.-]{1,200}/[\w~%/.+-]{1,300}(?<![.])")
_TEMPLATE: Final = re.compile(r"[{<\[$]")


def fitting(texts: Iterable[str], name: str, description: str, tool: str) -> tuple[str, ...]:
    """The texts, before them the address of a page of the kind that an argument asks for."""
    found = tuple(texts)
    if not is_address(found):
        return found
    for said in (name, description, tool):
        words = (singular(word) for word in name_words(said[:MAX_READ_TEXT]))
        page = next((_BY_WORD[word] for word in words if word in _BY_WORD), None)
        if page is not None:
            return (f"{HOME}{page}", *found)
    return found


def is_address(texts: Iterable[str]) -> bool:
    """Whether what a field usually holds is the address of a page."""
    return any(one.startswith(HOME) for one in texts)


def addresses_in(text: str) -> Iterator[str]:
    """The addresses of pages that a text names, but for forms in which something is to be put."""
    found = _ADDRESS.finditer(text[:MAX_READ_TEXT])
    whole = (one[0] for one in found if not _TEMPLATE.match(text[one.end() : one.end() + 1]))
    yield from list(dict.fromkeys(whole))[:MAX_LISTED]
