"""Checks as items of pytest, under nodes that have no file, and how their ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mcp_assay.client.links import NotReached
from mcp_assay.contracts.check import ROOT, Broken, ContractCheck, ToolNotCalled, Undecided
from mcp_assay.contracts.loop_thread import Held
from mcp_assay.contracts.samples import LeftAlone
from mcp_assay.contracts.server_under_test import ServerUnderTest
from mcp_assay.contracts.whole import said
from mcp_assay.drift.comparison import Change
from mcp_assay.model.finding import Finding

CHANGES = "mcp-assay-drift"
"""The property of a report for a change which breaks nothing."""

WARNINGS = "mcp-assay-warning"
"""The property of a report for what should be otherwise, and is no error."""


NOT_CALLED = "mcp-assay-not-called"
"""The property of a report that says why a tool was not called."""


class Branch(pytest.Collector):
    """A node without a file: the server, or one of its tools."""

    def collect(self) -> Iterator[Any]:
        """Nothing: the items are made elsewhere."""
        return iter(())


class CheckItem(pytest.Item):
    """One check of one tool."""

    def __init__(self, *, check: ContractCheck, server: ServerUnderTest, **more: Any) -> None:
        super().__init__(**more)
        self.check = check
        self.server = server

    def runtest(self) -> None:
        """Run the check; what could not be decided is skipped with the reason."""
        try:
            notes = self.check.run(self.server)
        except (Undecided, LeftAlone, Held) as reason:
            words = self.server.clean(str(reason))
            if isinstance(reason, ToolNotCalled):
                self.user_properties.append((NOT_CALLED, words))
            raise pytest.skip.Exception(words, _use_item_location=True) from None
        except NotReached as reason:
            raise Broken(f"the server can no longer be reached: {reason}") from None
        for note in notes:
            kind, words = _noted(note)
            self.user_properties.append((kind, self.server.clean(words)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The words of a broken promise; for anything else what pytest shows."""
        if isinstance(excinfo.value, Broken):
            return "\n".join(map(self.server.clean, str(excinfo.value).split("\n")))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, int, str]:
        """Where it stands: it has no file, so its id is its place."""
        return ROOT, 0, self.nodeid


def _noted(note: Change | Finding) -> tuple[str, str]:
    if isinstance(note, Finding):
        return WARNINGS, said(note)
    return CHANGES, f"{note.grade}: {note.message} {note.breaks}".strip()


def root_of(session: pytest.Session) -> Branch:
    """The node of the server."""
    return Branch.from_parent(session, name=ROOT, path=session.path, nodeid=ROOT)
