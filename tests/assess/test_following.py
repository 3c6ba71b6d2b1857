"""Tools that become others during a run are called only as far as they may be called now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import pytest

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.following import ENDED, MOST_CHANGES, TRIED_ANEW, Follower
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.permitting import Consent, permit
from mcp_assay.drive.answer import Answer, Listing
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.gate import Withdrawn
from mcp_assay.drive.target import Command
from mcp_assay.model.call import Trial
from mcp_assay.rules.definitions.surface import Surface

READ_ONLY = {"readOnlyHint": True}
DESTRUCTIVE = {"destructiveHint": True}
DONE = Answer(ending="answered", seconds=0.0, request=b"")


def tool(name: str = "note", hints: Any = READ_ONLY, **more: Any) -> dict[str, Any]:
    return {"name": name, "annotations": hints, **more}


class Lives:
    """A connection whose server lists something else whenever it is listed again."""

    def __init__(self, *lists: list[Any], cut: str | None = None) -> None:
        self.called: list[str] = []
        self.is_alive = True
        self.has_other_tools = False
        self.starts = 1
        self.goes_along = True
        self.asked = 0
        self._lists = list(lists)
        self._cut = cut

    async def restart(self) -> None:
        self.starts += 1
        self.is_alive = self.has_other_tools = True

    async def hear_of_tool_changes(self) -> bool:
        self.asked += 1
        return self.goes_along

    async def list_all(self, _: str) -> Listing:
        self.has_other_tools = False
        items = self._lists.pop(0)
        return Listing(kind="tools", items=items, answers=[DONE], cut=self._cut)

    async def call(self, tool: str, arguments: Mapping[str, Any], *_: Any) -> Answer:
        self.called.append(tool)
        return DONE


def follow(
    lives: Lives, *listed: dict[str, Any], consent: Consent | None = None, **options: Any
) -> tuple[Follower, Dossier]:
    """A follower of a server whose first list was this one."""
    dossier = Dossier(Command(command=("unused",), environment={}), AssessOptions(**options))
    dossier.surface = Surface(tools=list(listed))
    permit(dossier, (lambda _: consent) if consent else None)
    for one in listed:
        dossier.trials[one["name"]] = Trial(tool=one)
    return Follower(dossier, cast(Connection, lives)), dossier


def is_called(follower: Follower, name: str = "note") -> bool:
    try:
        asyncio.run(follower.call(name, {}))
    except Withdrawn:
        return False
    return True


@pytest.mark.parametrize("hints", [DESTRUCTIVE, {}, None, {"readOnlyHint": False}])
def test_a_tool_that_is_not_safe_any_more_is_not_called(hints: Any) -> None:
    lives = Lives([tool(hints=hints)])
    follower, dossier = follow(lives, tool())
    assert is_called(follower)
    lives.has_other_tools = True
    assert not is_called(follower)
    assert lives.called == ["note"]
    reason = dossier.permissions["note"].reason
    assert dossier.trials["note"].gaps == [ENDED.format(reason)]


def test_the_next_life_of_a_server_is_listed_before_it_is_called() -> None:
    lives = Lives([tool(hints=DESTRUCTIVE)], [tool()])
    follower, _ = follow(lives, tool())
    lives.is_alive = False
    assert not is_called(follower)
    lives.is_alive = False
    assert is_called(follower)


def test_each_life_is_asked_to_tell_of_changes_until_one_does_not_survive_that() -> None:
    lives = Lives(*([tool()] for _ in range(9)))
    follower, _ = follow(lives, tool())
    for _ in range(2):
        assert is_called(follower)
    assert (lives.asked, lives.starts) == (1, 1)
    lives.is_alive = lives.goes_along = False
    assert is_called(follower)
    assert (lives.asked, lives.starts) == (2, 3)
    lives.is_alive = False
    assert is_called(follower)
    assert (lives.asked, lives.starts) == (2, 4)


@pytest.mark.parametrize(
    ("hints", "options", "consent", "called"),
    [
        (DESTRUCTIVE, {"allow": ("note",)}, None, True),
        (DESTRUCTIVE, {"calls": "all"}, None, True),
        (DESTRUCTIVE, {"only": "note", "args": {}}, None, True),
        (READ_ONLY, {"deny": ("note",)}, None, False),
        (DESTRUCTIVE, {}, Consent(answer="choose", allowed=["note"]), True),
        (DESTRUCTIVE, {}, Consent(answer="yes", allowed=["note"]), False),
        ({"idempotentHint": True}, {}, Consent(answer="yes", allowed=["note"]), True),
    ],
)
def test_what_the_user_says_holds_for_what_a_tool_becomes(
    hints: Any, options: Any, consent: Consent | None, called: bool
) -> None:
    lives = Lives([tool(hints=hints, inputSchema={})])
    follower, dossier = follow(lives, tool(hints={}, inputSchema={}), consent=consent, **options)
    lives.has_other_tools = True
    assert not is_called(follower)  # by what was known of it
    dossier.outdated.clear()
    assert is_called(follower) is called


def test_a_call_by_an_old_schema_does_not_pass_and_the_new_one_is_known() -> None:
    lives = Lives([tool(inputSchema={"type": "object"})])
    follower, dossier = follow(lives, tool())
    lives.has_other_tools = True
    assert not is_called(follower)
    assert dossier.outdated == {"note"}
    assert dossier.trials["note"].gaps == [TRIED_ANEW]
    assert dossier.tools() == [tool(inputSchema={"type": "object"})]


def test_other_words_in_a_description_end_no_calls() -> None:
    lives = Lives([tool(description="Another.")])
    follower, dossier = follow(lives, tool())
    lives.has_other_tools = True
    assert is_called(follower)
    assert not dossier.trials["note"].gaps


def test_tools_that_come_are_gated_and_tools_that_go_stay_in_the_report() -> None:
    lives = Lives([tool("list"), tool("drop_all"), tool("shelve", None), "no tool", {}])
    follower, dossier = follow(lives, tool(), allow=("note",))
    lives.has_other_tools = True
    assert not is_called(follower)
    assert is_called(follower, "list")
    opened = {name: it.allowed for name, it in dossier.permissions.items()}
    assert opened == {"note": False, "list": True, "drop_all": False, "shelve": False}
    assert {one["name"] for one in dossier.tools()} == set(opened)


def test_where_the_list_does_not_come_again_hints_open_nothing() -> None:
    lives = Lives([], cut="the time was up")
    follower, _ = follow(lives, tool(), tool("save", None), allow=("save",))
    lives.has_other_tools = True
    assert not is_called(follower)
    assert is_called(follower, "save")


def test_a_list_that_changes_for_ever_is_followed_only_so_far() -> None:
    lives = Lives(*([tool(description=str(number))] for number in range(99)))
    follower, dossier = follow(lives, tool(), tool("save", None), allow=("save",))
    for _ in range(MOST_CHANGES):
        lives.has_other_tools = True
        assert is_called(follower)
    for _ in range(3):
        lives.has_other_tools = True
        assert not is_called(follower)
    assert [limit.name for limit in dossier.limits] == ["tool-changes"]


def test_a_server_that_says_so_without_any_change_is_listed_as_often_as_it_likes() -> None:
    lives = Lives(*([tool()] for _ in range(99)))
    follower, dossier = follow(lives, tool())
    for _ in range(99):
        lives.has_other_tools = True
        assert is_called(follower)
    assert (follower.changes, dossier.limits) == (0, [])
