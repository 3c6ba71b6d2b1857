"""Tools as listed, called and answered: what fits is silent, what nobody can know stays open."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from mcp_assay.client.schema_worker import Budget, SchemaWorker
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    error,
    kept,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.rules.session.tools import ListedPages
from tests.rules.session.playing import JUNK, left_open, reported
from tests.rules.test_scripts import played
from tests.schema.bombs import doubling

INTEGER = {"type": "object", "properties": {"n": {"type": "integer"}}}
PATIENCE = 30.0
"""Seconds for a check of half a second and the start of a process, on a busy machine."""
TEXT = [{"type": "text", "text": "{}"}]


def listed(*tools: dict[str, Any], id: int = 1, **page: Any) -> list[Step]:
    return [
        c2s(request("tools/list", page or None, id=id)),
        s2c(result({"tools": list(tools)}, id=id)),
    ]


def called(name: str, content: Any, *, id: int = 9, arguments: Any = None) -> list[Step]:
    params = {"name": name, "arguments": {} if arguments is None else arguments}
    answer = {"content": TEXT, "structuredContent": content}
    return [c2s(request("tools/call", params, id=id)), s2c(result(answer, id=id))]


def opened() -> list[Step]:
    return opening(server={"tools": {"listChanged": True}})


CHANGED = s2c(notification("notifications/tools/list_changed"))
COUNT = {"name": "count", "inputSchema": INTEGER, "outputSchema": INTEGER}


STILL_JUDGED = [*listed(COUNT, id=20), *called("count", {"n": "1"}, id=21)]
"""What follows junk is judged as ever: its last step breaks CALL-003."""


def test_arguments_and_results_are_judged_by_the_schemas_that_were_listed() -> None:
    steps = [*opened(), *listed(COUNT), *called("count", {"n": "1"}, arguments={"n": "2"})]
    assert reported(steps, rules="CALL") == [(5, "CALL-010"), (6, "CALL-003")]


def test_a_tool_of_a_later_page_is_known() -> None:
    pages = [
        c2s(request("tools/list", id=1)),
        s2c(result({"tools": [COUNT], "nextCursor": "2"}, id=1)),
        *listed({**COUNT, "name": "more"}, id=2, cursor="2"),
    ]
    assert reported(opened(), pages, called("more", {"n": "1"}), rules="CALL") == [(8, "CALL-003")]
    assert reported(opened(), pages, called("none", {}), rules="CALL") == [(7, "CALL-010")]


def test_a_tool_that_may_be_on_a_page_not_seen_is_not_missing() -> None:
    page = [
        c2s(request("tools/list", id=1)),
        s2c(result({"tools": [COUNT], "nextCursor": "2"}, id=1)),
    ]
    assert reported(opened(), page, called("other", {}), rules="CALL") == []
    assert "CALL-010" in left_open(opened(), page, called("other", {}))


@pytest.mark.parametrize(
    "between",
    [[], [s2c(notification("notifications/tools/list_changed"))]],
    ids=["none", "changed"],
)
def test_without_a_list_that_holds_nothing_is_known(between: list[Step]) -> None:
    before = [*listed(COUNT), *between] if between else []
    steps = [*opened(), *before, *called("count", {"n": "1"}, arguments={"n": "1"})]
    assert reported(steps, rules="CALL") == []
    assert {"CALL-002", "CALL-003", "CALL-010"} <= left_open(steps)


def test_a_call_under_way_when_the_list_changes_goes_by_the_list_before() -> None:
    asked, answered = called("count", {"n": "1"})
    renewed = [CHANGED, *listed(COUNT, id=2)]
    assert reported(opened(), listed(COUNT), asked, renewed, answered, rules="CALL") == []
    assert reported(opened(), listed(COUNT), renewed, asked, answered, rules="CALL") == [
        (9, "CALL-003")
    ]


def test_names_that_are_half_a_character_are_borne() -> None:
    call = b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":%b}'
    for arguments in (b'{"\\ud800":1}', b'"\\ud800"'):
        params = b'{"name":"count","arguments":%b}' % arguments
        steps = [*opened(), *listed(COUNT), c2s(call % params)]
        assert reported(steps, STILL_JUDGED, rules="CALL")[-1] == (len(steps) + 3, "CALL-003")


def test_an_error_a_task_and_a_failure_owe_no_structured_content() -> None:
    asked = c2s(request("tools/call", {"name": "count", "arguments": {}}, id=9))
    answers = [error(-32000, "Busy", id=9), result({"content": TEXT, "isError": True}, id=9)]
    for answer in answers:
        assert reported(opened(), listed(COUNT), asked, s2c(answer), rules="CALL") == []


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_in_any_place_of_a_tool_is_borne(junk: Any) -> None:
    for tool in (junk, {**COUNT, "name": junk}, {**COUNT, "inputSchema": junk}):
        steps = [*opened(), *listed(tool), *called("count", junk, arguments=junk)]
        assert reported(steps, STILL_JUDGED, rules="CALL")[-1] == (len(steps) + 3, "CALL-003")


def test_a_schema_that_leads_outside_is_not_followed_and_left_open() -> None:
    outside = {**COUNT, "outputSchema": {"$ref": "http://127.0.0.1:9/schema.json"}}
    steps = [*opened(), *listed(outside), *called("count", {"n": "1"})]
    assert reported(steps, rules="CALL") == []
    assert "CALL-003" in left_open(steps)


@pytest.fixture
def worker() -> Iterator[SchemaWorker]:
    with SchemaWorker(Budget(seconds=0.5)) as worker:
        yield worker


def test_a_schema_bomb_costs_its_budget_and_the_session_goes_on(worker: SchemaWorker) -> None:
    decided_rules = DecidedRules(worker)
    schema = {"type": "object", **doubling(30, {"type": "object"})}
    bomb = {**COUNT, "name": "bomb", "outputSchema": schema}
    script = kept(
        opened(),
        listed(bomb, COUNT),
        called("bomb", {"n": 1}),
        called("count", {"n": "1"}, id=10),
    )
    started = time.monotonic()
    found = [(at, one.rule) for at, one in played(script, decided_rules)]
    assert found == [(8, "CALL-003")]
    assert any(rule == "CALL-003" for rule, _ in decided_rules.left_open)
    assert time.monotonic() - started < PATIENCE


def test_the_same_list_in_many_sessions_is_kept_once() -> None:
    decided_rules = DecidedRules()
    for _ in range(3):
        list(played(kept(opened(), listed(COUNT)), decided_rules))
    assert len(decided_rules.recall(ListedPages)) == 1
