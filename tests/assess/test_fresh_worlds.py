"""When a tool gets a world of its own."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from mcp_assay.assess.fresh_worlds import Addition, FreshWorlds
from mcp_assay.client.connection import Connection
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.effect import Effects, FileChange
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ScenarioVerdict

INSIDE = Command(command=("x",), sandbox=SandboxOptions())
PASSED = ScenarioVerdict("passed", succeeded=True)
FAILED = ScenarioVerdict("unproven")


class Played:
    """A connection that only counts how often it is renewed."""

    class Log:
        calls: dict[int, Effects]

    def __init__(self) -> None:
        self.effects = self.Log()
        self.effects.calls = {}
        self.renewals = 0
        self.starts = 1

    async def renew(self) -> None:
        self.renewals += 1
        self.starts += 1


class Story:
    """Tools that are called one after the other."""

    def __init__(self, target: Command = INSIDE) -> None:
        self.connection = Played()
        self.worlds = FreshWorlds(target, cast("Connection", self.connection))
        self._calls = 0
        self.added: list[tuple[str, int]] = []
        """What was added again."""

    async def _add(self, addition: Addition) -> None:
        tool, scenario = addition
        self.added.append((tool["name"], scenario.arguments["number"]))

    def call(
        self,
        tool: str,
        *files: tuple[str, str],
        succeeds: bool = True,
        verdict: ScenarioVerdict | None = None,
        prepares: bool = False,
        **more: Any,
    ) -> int:
        """Call a tool, then begin with the next one; how often there was a fresh world."""
        self._calls += 1
        changes = [FileChange(what=what, path=path, **more) for what, path in files]
        self.connection.effects.calls[self._calls] = Effects(files=changes)
        arguments = {"number": self._calls}
        call = Call(
            number=self._calls,
            scenario=Scenario(
                tool=tool, name="x", category="happy_path", arguments=arguments, valid=True
            ),
            answer=CallResult(),
            result=None,
            verdict=verdict or (PASSED if succeeds else FAILED),
        )
        self.worlds.note(ToolRun(tool={"name": tool}, calls=(call,)), prepares=prepares)
        asyncio.run(self.worlds.renew(self._add))
        return self.connection.renewals


def test_what_was_there_and_is_changed_or_gone_calls_for_a_fresh_world() -> None:
    story = Story()
    assert story.call("get_a") == 0
    assert story.call("get_b", ("deleted", "/w/tea")) == 1
    assert story.call("create_a", ("changed", "/w/tea")) == 2
    assert story.call("get_c", ("permissions", "/w/tea")) == 3
    assert story.call("get_c") == 3


def test_what_was_added_is_left_to_the_next_and_may_be_changed_and_deleted() -> None:
    story = Story()
    assert story.call("create_a", ("created", "/w/new")) == 0
    assert story.call("update_a", ("changed", "/w/new")) == 0
    assert story.call("delete_a", ("deleted", "/w/new")) == 0
    assert story.call("delete_b", ("deleted", "/w/new"), ("deleted", "/w/tea")) == 1
    assert story.call("update_a", ("changed", "/w/new")) == 2, "it is another world"


def test_what_was_added_is_added_again() -> None:
    story = Story()
    story.call("create_a", ("created", "/w/a"))
    story.call("create_b", ("created", "/w/b"), succeeds=False)
    story.call("add_c")
    assert story.added == []
    story.call("delete_d", ("deleted", "/w/tea"))
    assert story.added == [("create_a", 1), ("add_c", 3)]
    story.call("get_e")
    assert len(story.added) == 2


def test_what_was_added_without_a_word_is_added_again() -> None:
    story, silent = Story(), ScenarioVerdict("failed", trouble="faulty_answer")
    story.call("add_a", ("created", "/w/a"), verdict=silent)
    story.call("add_b", verdict=silent)
    story.call("add_c", ("created", "/w/c"), verdict=ScenarioVerdict("failed", trouble="crashed"))
    story.call("delete_d", ("deleted", "/w/tea"))
    assert story.added == [("add_a", 1)]


@pytest.mark.parametrize("harmless", ["bookkeeping", "temporary"])
def test_caches_and_temporary_files_spoil_nothing(harmless: str) -> None:
    about: dict[str, Any] = {harmless: True}
    assert Story().call("get_a", ("changed", "/w/x"), **about) == 0


def test_where_no_file_tells_the_name_does() -> None:
    story = Story()
    assert story.call("delete_a", succeeds=False) == 0
    assert story.call("create_a") == 0
    assert story.call("delete_a") == 1


def test_without_a_world_nothing_is_renewed() -> None:
    story = Story(Command(command=("x",)))
    assert story.call("delete_a", ("deleted", "/w/tea")) == 0


def test_what_others_want_first_spoils_nothing_and_is_done_again() -> None:
    story = Story()
    assert story.call("set_project", prepares=True) == 0
    assert story.call("set_project", prepares=True, succeeds=False) == 0
    assert story.call("create_a", ("created", "/w/a")) == 0
    assert story.call("delete_b", ("deleted", "/w/tea")) == 1
    assert story.added == [("set_project", 1), ("create_a", 3)]
    asyncio.run(story.worlds.prepare(story._add))
    assert story.added[-1] == ("set_project", 1)


def test_what_a_tool_needs_that_called_in_vain_is_made_again() -> None:
    story, runs = Story(), list[ToolRun]()

    def ran(name: str, number: int, *required: str, verdict: ScenarioVerdict = PASSED) -> ToolRun:
        scenario = Scenario(
            tool=name, name="x", category="happy_path", arguments={"number": number}, valid=True
        )
        call = Call(
            number=number, scenario=scenario, answer=CallResult(), result=None, verdict=verdict
        )
        schema = {"type": "object", "required": list(required)}
        return ToolRun(tool={"name": name, "inputSchema": schema}, calls=(call,))

    runs += [ran("set_note", 3), ran("create_book", 1), ran("delete_note", 4), ran("get_note", 2)]
    runs += [ran("add_note", 5, verdict=FAILED), ran("set_color", 6)]

    def made_for(tool: ToolRun) -> list[tuple[str, int]]:
        story.added.clear()
        asyncio.run(story.worlds.make_for(tool, runs, story._add))
        return list(story.added)

    drop = ran("drop_note", 7, "book_id", verdict=FAILED)
    assert made_for(drop) == [("create_book", 1), ("set_note", 3)]
    assert made_for(ran("drop_note", 7, "book_id")) == [], "it has succeeded"
    story = Story(Command(command=("x",)))
    assert made_for(drop) == [], "what is made outside of a world stays"


def test_what_was_added_is_added_again_after_the_server_was_started_anew() -> None:
    story = Story()
    story.call("create_a")
    story.connection.starts += 1
    assert story.call("get_a") == 0
    assert story.added == [("create_a", 1)]
    story.call("get_b")
    assert len(story.added) == 1
