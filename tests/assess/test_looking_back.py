"""Tools that became others without a word are told of, unless something else explains it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from mcp_assay.assessing import looking_back
from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.following import TRIED_ANEW, Follower
from mcp_assay.assessing.looking_back import AGAIN, IN_TURNS, SEVERAL_PAGES, LookingBack
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.permitting import permit
from mcp_assay.drive.answer import Answer, Listing
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.target import Command
from mcp_assay.model.call import Trial
from mcp_assay.rules.behaviour.relisting import SILENT
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

ANSWER = Answer(ending="answered", seconds=0.0, request=b"")


def tool(name: str = "note", **more: Any) -> dict[str, Any]:
    return {"name": name, "annotations": {"readOnlyHint": True}, **more}


BEFORE = [tool(), tool("list")]
AFTER = [tool(inputSchema={"type": "object"}), tool("list")]
FEWER = [tool()]
NEWS = [tool(description="It is late."), tool("list")]
TURNED = BEFORE[::-1]


class Relisting:
    """A connection whose server lists something else each time, the last thing for ever."""

    is_alive = True
    revision = R2025_11_25

    def __init__(self, *lists: list[Any], notice_at: int = 99, cut: str | None = None) -> None:
        self.has_other_tools = False
        self.asked = 0
        self.channel = self
        self.is_subscribed = False
        self._lists, self._notice_at, self._cut = list(lists), notice_at, cut

    async def list_all(self, _: str) -> Listing:
        self.asked += 1
        self.has_other_tools = self.asked == self._notice_at
        items = self._lists.pop(0) if len(self._lists) > 1 else self._lists[0]
        return Listing(kind="tools", items=items, answers=[ANSWER], cut=self._cut)


@pytest.fixture(autouse=True)
def no_notice_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_back, "LATE_SECONDS", 0.0)


def looked(
    connection: Relisting, pages: int = 1, told_before: str = "", **capabilities: Any
) -> tuple[Dossier, Follower]:
    """What is known of a server after one look back."""
    dossier = Dossier(Command(command=("unused",), environment={}), AssessOptions())
    dossier.surface = Surface(tools=list(BEFORE))
    dossier.tool_pages, dossier.revision = pages, connection.revision
    dossier.capabilities = {"tools": capabilities}
    dossier.tally.rules[told_before] = {"warning"}
    permit(dossier, None)
    dossier.trials["note"] = Trial(tool=BEFORE[0], calls=cast(Any, [None, None]))
    follower = Follower(dossier, cast(Connection, connection))
    asyncio.run(LookingBack(dossier, cast(Connection, connection), follower).look())
    return dossier, follower


def told(dossier: Dossier) -> list[tuple[str, str]]:
    return [(one.rule, one.severity) for one in dossier.tally.kept]


@pytest.mark.parametrize("same", [BEFORE, TURNED])
def test_a_server_that_lists_the_same_is_asked_once(same: list[Any]) -> None:
    connection = Relisting(same)
    dossier, follower = looked(connection)
    assert (told(dossier), connection.asked, follower.changes) == ([], 1, 0)
    assert SILENT in dossier.decided


def test_a_silent_change_is_told_with_what_went_by_the_old_definition() -> None:
    connection = Relisting(AFTER)
    dossier, follower = looked(connection, listChanged=True)
    assert told(dossier) == [(SILENT, "warning")]
    (finding,) = dossier.tally.kept
    assert finding.message.endswith('; up to 2 calls of "note" went by what holds no longer.')
    assert finding.details == {
        "tools": ["note"],
        "changes": ["The tool 'note' has an inputSchema now."],
    }
    assert connection.asked == 1 + AGAIN
    assert dossier.trials["note"].gaps == [TRIED_ANEW]
    assert (dossier.outdated, follower.changes) == ({"note"}, 1)


def test_one_that_never_declared_it_is_told_so() -> None:
    dossier, _ = looked(Relisting(FEWER))
    (finding,) = dossier.tally.kept
    assert '"list" is gone; the server does not declare listChanged.' in finding.message


@pytest.mark.parametrize("lists", [(NEWS,), (NEWS, BEFORE), (NEWS, [tool(description="Later.")])])
def test_other_words_are_a_note_and_are_not_gone_by(lists: tuple[list[Any], ...]) -> None:
    dossier, follower = looked(Relisting(*lists), listChanged=True)
    assert told(dossier) == [(SILENT, "info")]
    assert (follower.changes, dossier.outdated) == (0, set())


@pytest.mark.parametrize(
    "lists",
    [
        (AFTER, BEFORE),
        (AFTER, AFTER, BEFORE),
        (AFTER, AFTER, AFTER, FEWER),
        (FEWER, BEFORE),
    ],
)
def test_instances_that_take_turns_are_not_blamed(lists: tuple[list[Any], ...]) -> None:
    dossier, follower = looked(Relisting(*lists), listChanged=True)
    assert (told(dossier), follower.changes) == ([], 0)
    assert dossier.open[SILENT].reason == IN_TURNS
    assert SILENT not in dossier.decided


@pytest.mark.parametrize("notice_at", range(1, 2 + AGAIN))
def test_a_notice_that_comes_late_is_a_notice(notice_at: int) -> None:
    connection = Relisting(AFTER, notice_at=notice_at)
    dossier, follower = looked(connection, listChanged=True)
    assert (told(dossier), follower.changes) == ([], 1)
    assert connection.asked == notice_at + 1


def silent(connection: Relisting) -> None:
    connection.is_alive = False


def noisy(connection: Relisting) -> None:
    connection.has_other_tools = True


@pytest.mark.parametrize("state", [silent, noisy])
def test_nothing_is_asked_where_nobody_is_there_or_a_notice_came(
    state: Callable[[Relisting], None],
) -> None:
    connection = Relisting(AFTER)
    state(connection)
    dossier, _ = looked(connection)
    assert (connection.asked, told(dossier), SILENT in dossier.decided) == (0, [], False)


def test_a_list_of_several_pages_is_not_asked_for_again() -> None:
    connection = Relisting(AFTER)
    dossier, _ = looked(connection, pages=2)
    assert (connection.asked, dossier.open[SILENT].reason) == (0, SEVERAL_PAGES)


def test_a_list_that_does_not_come_shows_nothing() -> None:
    dossier, _ = looked(Relisting([], cut="the time was up"))
    assert told(dossier) == []
    assert dossier.open[SILENT].reason == "the tools were not listed again: the time was up"


def test_those_that_were_asked_to_tell_break_the_rule_of_the_specification() -> None:
    connection = Relisting(FEWER)
    connection.is_subscribed, connection.revision = True, R2026_07_28
    dossier, _ = looked(connection, listChanged=True)
    assert told(dossier) == [("SUB-009", "warning")]


@pytest.mark.parametrize("rule", ["SUB-009", "TOOL-031"])
def test_what_a_probe_has_told_is_not_told_again(rule: str) -> None:
    dossier, follower = looked(Relisting(FEWER), told_before=rule, listChanged=True)
    assert (told(dossier), follower.changes) == ([], 1)
