"""What one tool says that it did, and another one shows."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assess.observer_tools import is_shown_by_others
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ScenarioVerdict


def call(number: int, tool: str, arguments: dict[str, Any], said: str) -> Call:
    scenario = Scenario(tool=tool, name="x", category="happy_path", arguments=arguments, valid=True)
    return Call(
        number=number,
        scenario=scenario,
        answer=CallResult(result={}, text=said.encode()),
        result=None,
        verdict=ScenarioVerdict("passed", succeeded=True),
    )


def run(tool: str, *made: tuple[int, dict[str, Any], str]) -> ToolRun:
    return ToolRun(tool={"name": tool}, calls=tuple(call(it[0], tool, *it[1:]) for it in made))


SAVED = run("save_note", (5, {"title": "black tea"}, "ok"))


@pytest.mark.parametrize(
    ("others", "is_shown"),
    [
        ([run("list_notes", (3, {}, "[]"), (9, {}, '["black tea"]'))], True),
        ([run("list_notes", (3, {}, '["black tea"]'), (9, {}, '["black tea"]'))], False),
        ([run("list_notes", (3, {}, "[]"), (4, {}, "[]"))], False),
        ([run("search_notes", (9, {"query": "black tea"}, "nothing for black tea"))], False),
        ([run("update_note", (9, {}, "black tea"))], False),
        ([SAVED], False),
        ([], False),
    ],
)
def test_only_what_is_new_and_was_not_asked_for_shows_it(
    others: list[ToolRun], is_shown: bool
) -> None:
    assert is_shown_by_others(SAVED, others) is is_shown
