"""Checks as items of pytest, under nodes that have no file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mcp_assay.contracts.book import Book
from mcp_assay.contracts.check import Broken, Check, Open
from mcp_assay.contracts.hosting import Held
from mcp_assay.contracts.naming import ROOT
from mcp_assay.contracts.samples import LeftAlone
from mcp_assay.contracts.speaking import said
from mcp_assay.drift.change import Change
from mcp_assay.model.finding import Finding
from mcp_assay.transport.links import NotReached

CHANGES = "mcp-assay-drift"
"""The property of a report that tells of a change which breaks nothing."""

WARNINGS = "mcp-assay-warning"
"""The property of a report that tells of what should be otherwise, and is no error."""


class Branch(pytest.Collector):
    """A node without a file: the server, or one of its tools."""

    def collect(self) -> Iterator[Any]:
        """Nothing: the items are made elsewhere."""
        return iter(())


class CheckItem(pytest.Item):
    """One check of one tool."""

    def __init__(self, *, check: Check, book: Book, **more: Any) -> None:
        super().__init__(**more)
        self.check = check
        self.book = book

    def runtest(self) -> None:
        """Run the check; what could not be decided is skipped with the reason."""
        try:
            notes = self.check.run(self.book)
        except (Open, LeftAlone, Held) as reason:
            raise pytest.skip.Exception(
                self.book.clean(str(reason)), _use_item_location=True
            ) from None
        except NotReached as reason:
            raise Broken(f"the server cannot be reached any more: {reason}") from None
        for note in notes:
            kind, words = _told(note)
            self.user_properties.append((kind, self.book.clean(words)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The words of a broken promise; for anything else what pytest shows."""
        if isinstance(excinfo.value, Broken):
            return "\n".join(map(self.book.clean, str(excinfo.value).split("\n")))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, int, str]:
        """Where it stands: it has no file, so its id is its place."""
        return ROOT, 0, self.nodeid


def _told(note: Change | Finding) -> tuple[str, str]:
    if isinstance(note, Finding):
        return WARNINGS, said(note)
    return CHANGES, f"{note.grade}: {note.message} {note.breaks}".strip()


def root_of(session: pytest.Session) -> Branch:
    """The node of the server."""
    return Branch.from_parent(session, name=ROOT, path=session.path, nodeid=ROOT)
