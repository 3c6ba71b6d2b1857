"""Tools that became others without a word are reported, unless something else explains it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import pytest

from mcp_assay.assess import relist
from mcp_assay.assess.changing_tools import TRIED_ANEW, ChangingTools
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import permit
from mcp_assay.assess.relist import AGAIN, SEVERAL_PAGES, UNSTEADY, RelistCheck
from mcp_assay.assess.rule_outcomes import RuleOutcomes
from mcp_assay.assess.state import Listed, context_of
from mcp_assay.assess.tool_runs import ToolRuns
from mcp_assay.client.connection import Connection
from mcp_assay.client.response import Response, ServerList
from mcp_assay.client.target import Command
from mcp_assay.rules.behaviour.changed_tools import SILENT
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

ANSWER = Response(ending="answered", seconds=0.0, request=b"")


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

    async def list_all(self, _: str) -> ServerList:
        self.asked += 1
        self.has_other_tools = self.asked == self._notice_at
        items = self._lists.pop(0) if len(self._lists) > 1 else self._lists[0]
        return ServerList(kind="tools", items=items, answers=[ANSWER], cut=self._cut)


@pytest.fixture(autouse=True)
def no_notice_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relist, "LATE_SECONDS", 0.0)


class Looked(NamedTuple):
    """What is known of a server after one look back."""

    outcomes: RuleOutcomes
    tools: ChangingTools
    runs: ToolRuns

    @property
    def reported(self) -> list[tuple[str, str]]:
        return [(one.rule, one.severity) for one in self.outcomes.tally.kept]


def looked(
    connection: Relisting, pages: int = 1, reported_before: str = "", **capabilities: Any
) -> Looked:
    """What is known of a server after one look back."""
    options, runs, server = AssessOptions(), ToolRuns(), cast(Connection, connection)
    context = context_of(Command(command=("unused",), environment={}), options)
    context.outcomes.tally.rules[reported_before] = {"warning"}
    listed = Listed(surface=Surface(tools=list(BEFORE)), tool_pages=pages)
    runs.begin(BEFORE[0]).calls.extend(cast(Any, [None, None]))
    tools = ChangingTools(context, server, listed, permit(listed, options, None), runs)
    asyncio.run(RelistCheck(context, server, {"tools": capabilities}, tools, runs).look())
    return Looked(context.outcomes, tools, runs)


@pytest.mark.parametrize("same", [BEFORE, TURNED])
def test_a_server_that_lists_the_same_is_asked_twice(same: list[Any]) -> None:
    connection = Relisting(same)
    seen = looked(connection)
    assert (seen.reported, connection.asked, seen.tools.changes) == ([], 2, 0)
    assert SILENT in seen.outcomes.decided


def test_a_silent_change_is_reported_with_what_went_by_the_old_definition() -> None:
    connection = Relisting(AFTER)
    seen = looked(connection, listChanged=True)
    assert seen.reported == [(SILENT, "warning")]
    (finding,) = seen.outcomes.tally.kept
    assert finding.message.endswith('; up to 2 calls of "note" used an outdated definition.')
    assert finding.details == {
        "tools": ["note"],
        "changes": ["The tool 'note' has an inputSchema now."],
    }
    assert connection.asked == 1 + AGAIN
    assert seen.runs.latest["note"].gaps == [TRIED_ANEW]
    assert (seen.runs.outdated, seen.tools.changes) == ({"note"}, 1)


def test_one_that_never_declared_it_is_reported_so() -> None:
    seen = looked(Relisting(FEWER))
    (finding,) = seen.outcomes.tally.kept
    assert '"list" is gone; the server does not declare listChanged.' in finding.message


@pytest.mark.parametrize("lists", [(NEWS,), (NEWS, BEFORE), (NEWS, [tool(description="Later.")])])
def test_other_words_are_a_note_and_are_not_gone_by(lists: tuple[list[Any], ...]) -> None:
    seen = looked(Relisting(*lists), listChanged=True)
    assert seen.reported == [(SILENT, "info")]
    assert (seen.tools.changes, seen.runs.outdated) == (0, set())


@pytest.mark.parametrize(
    "lists",
    [
        (AFTER, BEFORE),
        (AFTER, AFTER, BEFORE),
        (AFTER, AFTER, AFTER, FEWER),
        (FEWER, BEFORE),
    ],
)
def test_a_list_that_changes_again_is_not_blamed(lists: tuple[list[Any], ...]) -> None:
    seen = looked(Relisting(*lists), listChanged=True)
    assert (seen.reported, seen.tools.changes) == ([], 0)
    assert seen.outcomes.open[SILENT].reason == UNSTEADY
    assert SILENT not in seen.outcomes.decided


@pytest.mark.parametrize(
    "lists",
    [
        (AFTER, BEFORE, AFTER, BEFORE),
        (BEFORE, AFTER, BEFORE, AFTER, BEFORE),
        (FEWER, BEFORE, FEWER, FEWER),
        (FEWER, FEWER, BEFORE, FEWER),
    ],
)
def test_two_lists_that_come_in_turns_are_told(lists: tuple[list[Any], ...]) -> None:
    seen = looked(Relisting(*lists), listChanged=True)
    assert (seen.reported, seen.tools.changes) == ([(SILENT, "warning")], 0)
    (finding,) = seen.outcomes.tally.kept
    assert finding.message.startswith("The server returns two different lists of tools in turns")


@pytest.mark.parametrize("notice_at", range(1, 2 + AGAIN))
def test_a_notice_that_comes_late_is_a_notice(notice_at: int) -> None:
    connection = Relisting(AFTER, notice_at=notice_at)
    seen = looked(connection, listChanged=True)
    assert (seen.reported, seen.tools.changes) == ([], 1)
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
    seen = looked(connection)
    assert (connection.asked, seen.reported, SILENT in seen.outcomes.decided) == (0, [], False)


def test_a_list_of_several_pages_is_not_asked_for_again() -> None:
    connection = Relisting(AFTER)
    seen = looked(connection, pages=2)
    assert (connection.asked, seen.outcomes.open[SILENT].reason) == (0, SEVERAL_PAGES)


def test_a_list_that_does_not_come_shows_nothing() -> None:
    seen = looked(Relisting([], cut="the time was up"))
    assert seen.reported == []
    assert seen.outcomes.open[SILENT].reason == "the tools were not listed again: the time was up"


def test_those_that_were_asked_to_report_break_the_rule_of_the_specification() -> None:
    connection = Relisting(FEWER)
    connection.is_subscribed, connection.revision = True, R2026_07_28
    seen = looked(connection, listChanged=True)
    assert seen.reported == [("SUB-009", "warning")]
    assert seen.outcomes.open[SILENT].reason == "SUB-009 reports the same change"


@pytest.mark.parametrize("rule", ["SUB-009", "TOOL-031"])
def test_what_a_probe_has_reported_is_not_reported_again(rule: str) -> None:
    seen = looked(Relisting(FEWER), reported_before=rule, listChanged=True)
    assert (seen.reported, seen.tools.changes) == ([], 1)
    assert seen.outcomes.open[SILENT].reason == f"{rule} reports the same change"
    assert SILENT not in seen.outcomes.decided
