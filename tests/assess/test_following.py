"""Tools that become others during a run are called only as far as they may be called now."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple, cast

import pytest

from mcp_assay.assess.changing_tools import MOST_CHANGES, TRIED_ANEW, ChangingTools, withdrawn
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import PermissionWithdrawn, permit
from mcp_assay.assess.state import Listed, context_of
from mcp_assay.assess.tool_runs import ToolRuns
from mcp_assay.client.connection import Connection, SentCall
from mcp_assay.client.response import CallRequest, Response, ServerList
from mcp_assay.client.target import Command
from mcp_assay.model.report import Limit
from mcp_assay.model.tool import Consent
from mcp_assay.rules.definition.surface import Surface

READ_ONLY = {"readOnlyHint": True}
DESTRUCTIVE = {"destructiveHint": True}
DONE = Response(ending="answered", seconds=0.0, request=b"")


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

    async def list_all(self, _: str) -> ServerList:
        self.has_other_tools = False
        items = self._lists.pop(0)
        return ServerList(kind="tools", items=items, answers=[DONE], cut=self._cut)

    async def send(self, request: CallRequest) -> SentCall:
        self.called.append(request.tool)
        return SentCall(request)


class Followed(NamedTuple):
    """The tools of a server, with what was called of them."""

    tools: ChangingTools
    runs: ToolRuns
    limits: list[Limit]


def follow(
    lives: Lives, *listed: dict[str, Any], consent: Consent | None = None, **given: Any
) -> Followed:
    """The tools of a server whose first list was this one, all of them called."""
    options = AssessOptions(**given)
    context = context_of(Command(command=("unused",), environment={}), options)
    first, runs = Listed(surface=Surface(tools=list(listed))), ToolRuns()
    permitted = permit(first, options, (lambda _: consent) if consent else None)
    for one in listed:
        runs.begin(one)
    tools = ChangingTools(context, cast(Connection, lives), first, permitted, runs)
    return Followed(tools, runs, context.outcomes.limits)


def is_called(followed: Followed, name: str = "note") -> bool:
    try:
        asyncio.run(followed.tools.send(CallRequest(name, {})))
    except PermissionWithdrawn:
        return False
    return True


@pytest.mark.parametrize("hints", [DESTRUCTIVE, {}, None, {"readOnlyHint": False}])
def test_a_tool_that_is_not_safe_any_more_is_not_called(hints: Any) -> None:
    lives = Lives([tool(hints=hints)])
    followed = follow(lives, tool())
    assert is_called(followed)
    lives.has_other_tools = True
    assert not is_called(followed)
    assert lives.called == ["note"]
    reason = followed.tools.permitted.permissions["note"].text
    assert followed.runs.latest["note"].gaps == [withdrawn(reason)]


def test_the_next_life_of_a_server_is_listed_before_it_is_called() -> None:
    lives = Lives([tool(hints=DESTRUCTIVE)], [tool()])
    followed = follow(lives, tool())
    lives.is_alive = False
    assert not is_called(followed)
    lives.is_alive = False
    assert is_called(followed)


def test_each_life_is_asked_to_report_changes_until_one_does_not_survive_that() -> None:
    lives = Lives(*([tool()] for _ in range(9)))
    followed = follow(lives, tool())
    for _ in range(2):
        assert is_called(followed)
    assert (lives.asked, lives.starts) == (1, 1)
    lives.is_alive = lives.goes_along = False
    assert is_called(followed)
    assert (lives.asked, lives.starts) == (2, 3)
    lives.is_alive = False
    assert is_called(followed)
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
    followed = follow(lives, tool(hints={}, inputSchema={}), consent=consent, **options)
    lives.has_other_tools = True
    assert not is_called(followed)  # by what was known of it
    followed.runs.outdated.clear()
    assert is_called(followed) is called


def test_a_call_by_an_old_schema_does_not_pass_and_the_new_one_is_known() -> None:
    lives = Lives([tool(inputSchema={"type": "object"})])
    followed = follow(lives, tool())
    lives.has_other_tools = True
    assert not is_called(followed)
    assert followed.runs.outdated == {"note"}
    assert followed.runs.latest["note"].gaps == [TRIED_ANEW]
    assert followed.tools.listed.tools() == [tool(inputSchema={"type": "object"})]


def test_other_words_in_a_description_end_no_calls() -> None:
    lives = Lives([tool(description="Another.")])
    followed = follow(lives, tool())
    lives.has_other_tools = True
    assert is_called(followed)
    assert not followed.runs.latest["note"].gaps


def test_tools_that_come_are_gated_and_tools_that_go_stay_in_the_report() -> None:
    lives = Lives([tool("list"), tool("drop_all"), tool("shelve", None), "no tool", {}])
    followed = follow(lives, tool(), allow=("note",))
    lives.has_other_tools = True
    assert not is_called(followed)
    assert is_called(followed, "list")
    opened = {name: it.allowed for name, it in followed.tools.permitted.permissions.items()}
    assert opened == {"note": False, "list": True, "drop_all": False, "shelve": False}
    assert {one["name"] for one in followed.tools.listed.tools()} == set(opened)


def test_where_the_list_does_not_come_again_hints_open_nothing() -> None:
    lives = Lives([], cut="the time was up")
    followed = follow(lives, tool(), tool("save", None), allow=("save",))
    lives.has_other_tools = True
    assert not is_called(followed)
    assert is_called(followed, "save")


def test_a_list_that_changes_for_ever_is_followed_only_so_far() -> None:
    lives = Lives(*([tool(description=str(number))] for number in range(99)))
    followed = follow(lives, tool(), tool("save", None), allow=("save",))
    for _ in range(MOST_CHANGES):
        lives.has_other_tools = True
        assert is_called(followed)
    for _ in range(3):
        lives.has_other_tools = True
        assert not is_called(followed)
    assert [limit.name for limit in followed.limits] == ["tool-changes"]


def test_a_server_that_says_so_without_any_change_is_listed_as_often_as_it_likes() -> None:
    lives = Lives(*([tool()] for _ in range(99)))
    followed = follow(lives, tool())
    for _ in range(99):
        lives.has_other_tools = True
        assert is_called(followed)
    assert (followed.tools.changes, followed.limits) == (0, [])
