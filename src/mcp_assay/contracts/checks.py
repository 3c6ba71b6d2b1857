"""All checks of a server, tool by tool."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mcp_assay.contracts.agreement import lost_checks
from mcp_assay.contracts.book import Book
from mcp_assay.contracts.calls import call_checks
from mcp_assay.contracts.check import Check
from mcp_assay.contracts.keeping import contract_checks, gone_checks
from mcp_assay.contracts.naming import unique
from mcp_assay.contracts.speaking import speaking_checks
from mcp_assay.contracts.whole import whole_checks


def all_checks(book: Book) -> Iterator[Check]:
    """Every check of every tool that a server lists, or listed when its contract was learned.

    Last comes what the server said meanwhile.
    """
    for tool in book.tools:
        yield from checks_of(tool, book)
    yield from gone_checks(book)
    yield from lost_checks(book)
    yield from speaking_checks()


def checks_of(tool: str, book: Book) -> list[Check]:
    """The checks of one tool; no call is made to find out which there are."""
    plan = book.samples.planned(tool)
    found = [
        *whole_checks(tool, plan, book),
        *call_checks(tool, plan, is_open=book.samples.permission(tool).allowed),
        *contract_checks(tool, plan, book),
    ]
    names = unique(one.name for one in found)
    return [replace(one, name=name) for one, name in zip(found, names, strict=True)]
