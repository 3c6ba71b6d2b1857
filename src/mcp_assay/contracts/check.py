"""One check of one tool, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from mcp_assay.contracts.book import Book
from mcp_assay.drift.change import Change
from mcp_assay.model.finding import Finding


class Broken(AssertionError):
    """A promise that is not kept; the text says which, and what to do."""


class Open(Exception):
    """A check that could not be decided; the text says why."""


class Check(Struct, frozen=True):
    """Something that must hold of a tool."""

    tool: str
    name: str
    """What holds, in words joined by hyphens."""
    run: Callable[[Book], Sequence[Change | Finding]]
    """Raises Broken or Open; gives changes and warnings: worth knowing, and nothing breaks."""


Checks: TypeAlias = Iterator[Check]


def check(tool: str, name: str, test: Callable[[Book], None]) -> Check:
    """A check that holds or does not."""

    def run(book: Book) -> Sequence[Change]:
        test(book)
        return ()

    return Check(tool, name, run)
