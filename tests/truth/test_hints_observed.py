"""A hint is confirmed only where a tool that would have shown a change was asked."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from mcp_assay.assess import side_effects
from mcp_assay.assess.observer_tools import observers_for, topic_of
from mcp_assay.assess.side_effects import Unconfirmed
from tests.assess.played_tools import (
    READS,
    REPEATS,
    Behaviour,
    World,
    add,
    count,
    nothing,
    observer,
    put,
    reported,
)

Tools = dict[str, tuple[Behaviour, dict[str, bool]]]
CHANGES = {"readOnlyHint": False, "destructiveHint": False}
DESTROYS = {"readOnlyHint": False, "destructiveHint": True}


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_effects, "WAIT", 0)


def remember(world: World) -> str:
    world.last = world.given.get("which")
    return "Found."


def last(world: World) -> str:
    return f"last: {world.last}"


def log(world: World) -> str:
    return " ".join(world.log)


def own_log(world: World) -> str:
    world.log.append("log")
    return " ".join(world.log)


def of_notes(world: World) -> str:
    return f"{world.log.count('find_note')} views"


class Case(NamedTuple):
    """Tools, and what is to be said of them."""

    tools: Tools
    broken: tuple[str, ...] = ()
    """The tools that contradict a hint."""
    held: tuple[str, ...] = ()


BROKEN = {
    "a related list shows it": Case(
        {"list_notes": (count, READS), "find_note": (add, READS)}, ("find_note",)
    ),
    "the related list is not among the first readers": Case(
        {
            **{f"get_city_{it}": (nothing, READS) for it in "abcdef"},
            "find_note": (add, READS),
            "list_notes": (count, READS),
        },
        ("find_note",),
    ),
    "the suspect is the last of many": Case(
        {
            **{f"get_city_{number}_{it}": (nothing, READS) for number in "12345" for it in "abcde"},
            "list_notes": (count, READS),
            "find_note": (add, READS),
        },
        ("find_note",),
    ),
    "a history shows it": Case(
        {
            "note_history": (of_notes, READS),
            "find_note": (nothing, READS),
            "get_weather": (nothing, READS),
        },
        ("find_note",),
    ),
    "a log shows it that does not record every call": Case(
        {
            "note_log": (of_notes, READS),
            "find_note": (nothing, READS),
            "get_weather": (nothing, READS),
        },
        ("find_note",),
    ),
    "what is only set anew shows with other arguments": Case(
        {"last_note": (last, READS), "find_note": (remember, READS)}, ("find_note",)
    ),
    "an idempotent call among many adds up": Case(
        {
            **{f"get_city_{it}": (nothing, READS) for it in "abcdefghijklmnopqrstuvwxy"},
            "list_notes": (count, READS),
            "mark_note": (add, REPEATS),
        },
        ("mark_note",),
    ),
    "an unrelated tool shows it, where there is no other": Case(
        {"count": (count, READS), "find": (add, READS)}, ("find",)
    ),
}
CLEAN = {
    "nothing reacts to anything": Case(
        {"list_notes": (count, READS), "find_note": (nothing, READS)},
    ),
    "the only one that reacts is about something else": Case(
        {
            "list_notes": (count, READS),
            "add_note": (add, CHANGES),
            "get_weather": (nothing, READS),
        },
    ),
    "a related tool reacts": Case(
        {
            "list_notes": (count, READS),
            "add_note": (add, CHANGES),
            "find_note": (nothing, READS),
        },
        held=("find_note",),
    ),
    "what destroys is not called to see who reacts": Case(
        {
            "list_notes": (count, READS),
            "drop_note": (add, DESTROYS),
            "find_note": (nothing, READS),
        },
    ),
    "a log records every call": Case(
        {
            "note_log": (log, READS),
            "find_note": (nothing, READS),
            "read_note": (nothing, READS),
        },
    ),
    "a log records its own calls": Case(
        {"note_log": (own_log, READS), "find_note": (nothing, READS)},
    ),
    "a log with nobody to compare with": Case(
        {"note_log": (log, READS), "find_note": (nothing, READS)},
    ),
    "a call that was repeated and changes nothing more": Case(
        {
            "list_notes": (count, READS),
            "add_note": (add, CHANGES),
            "put_note": (put, REPEATS),
        },
        held=("put_note",),
    ),
    "a slow tool is not called again": Case(
        {
            "list_notes": (count, READS),
            "add_note": (add, CHANGES),
            "find_note_slowly": (nothing, READS),
        },
    ),
}


@pytest.mark.parametrize("name", [*BROKEN, *CLEAN])
def test_hints_are_contradicted_confirmed_or_left_open(name: str) -> None:
    case = {**BROKEN, **CLEAN}[name]
    found, check = reported(case.tools)
    assert tuple(tool for tool, rules in found.items() if rules) == case.broken
    observers = {"list_notes", "last_note", "note_history", "note_log", "count"}
    assert tuple(sorted(tool for tool, _ in check.held if tool not in observers)) == case.held


def listed(tools: Tools) -> list[dict[str, Any]]:
    return [{"name": name, "annotations": hints} for name, (_, hints) in tools.items()]


def outcomes(tools: Tools, *uncalled: str, **options: bool) -> dict[str, tuple[str, str]]:
    """The rules about hints that stay open, with the tools of which some were not called."""
    _, check = reported({name: it for name, it in tools.items() if name not in uncalled})
    left = check.left_open(listed(tools), **options)
    return {step.rule: (step.outcome, step.reason) for step in left}


PROVEN: Tools = {
    "list_notes": (count, READS),
    "count_notes": (count, READS),
    "add_note": (add, CHANGES),
    "find_note": (nothing, READS),
    "put_note": (put, REPEATS),
}


def test_a_rule_passes_where_every_tool_with_the_hint_was_looked_at() -> None:
    assert outcomes(PROVEN) == {}


@pytest.mark.parametrize(
    ("more", "uncalled", "rule", "why"),
    [
        ("read_note", READS, "DRIFT-008", Unconfirmed.NOT_CALLED),
        ("store_note", REPEATS, "DRIFT-009", Unconfirmed.NOT_CALLED),
        ("get_weather", READS, "DRIFT-008", Unconfirmed.NO_REACTION),
        ("find_note_slowly", READS, "DRIFT-008", Unconfirmed.SLOW),
    ],
)
def test_one_tool_that_was_not_looked_at_leaves_the_rule_open(
    more: str, uncalled: dict[str, bool], rule: str, why: Unconfirmed
) -> None:
    tools = {**PROVEN, more: (nothing, uncalled)}
    left = outcomes(tools, *([more] if why is Unconfirmed.NOT_CALLED else []))
    assert left.keys() == {rule}
    outcome, reason = left[rule]
    assert outcome == "undecided"
    assert reason.endswith(f": 1 {why.value}")


def test_no_tool_with_the_hint_is_no_pass() -> None:
    left = outcomes({"list_notes": (count, CHANGES)})
    assert {rule: outcome for rule, (outcome, _) in left.items()} == {
        "DRIFT-008": "not_declared",
        "DRIFT-009": "not_declared",
    }


def test_a_list_that_did_not_come_whole_is_no_pass() -> None:
    assert {outcome for outcome, _ in outcomes(PROVEN, is_whole=False).values()} == {"undecided"}


def test_calls_that_were_not_compared_are_no_pass() -> None:
    check = side_effects.SideEffectCheck(None, lambda _: None)  # type: ignore[arg-type]
    left = {step.rule: step for step in check.left_open(listed(PROVEN))}
    assert left["DRIFT-008"].reason.endswith(Unconfirmed.NOT_COMPARED.value)


def test_what_the_limit_cut_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_effects, "MOST_CALLS", 10)
    _, reason = outcomes(PROVEN)["DRIFT-008"]
    assert Unconfirmed.LIMIT.value in reason


@pytest.mark.parametrize(
    ("one", "other", "is_close"),
    [
        ({"name": "list_notes"}, {"name": "getNote"}, True),
        ({"name": "audit", "description": "All invoices."}, {"name": "find-invoice"}, True),
        ({"name": "books"}, {"name": "lend", "inputSchema": {"properties": {"book": {}}}}, True),
        ({"name": "list_categories"}, {"name": "category.read"}, True),
        ({"name": "search_orders"}, {"name": "order_history"}, True),
        ({"name": "list_users"}, {"name": "get_user"}, True),
        ({"name": "list_notes"}, {"name": "list_books"}, False),
        ({"name": "get_weather"}, {"name": "get_time"}, False),
        (
            {"name": "a", "inputSchema": {"properties": {"id": {}, "limit": {}}}},
            {"name": "b", "inputSchema": {"properties": {"id": {}, "limit": {}}}},
            False,
        ),
        (
            {"name": "x", "description": "Returns the result as text."},
            {"name": "y", "description": "Returns the result as text."},
            False,
        ),
        ({"name": "create_note"}, {"name": "create_book"}, False),
        ({"name": "search"}, {"name": "find", "description": "Search by name."}, False),
    ],
)
def test_tools_are_close_by_what_they_are_about(
    one: dict[str, Any], other: dict[str, Any], is_close: bool
) -> None:
    assert bool(topic_of(one).closeness(topic_of(other))) is is_close
    assert bool(topic_of(other).closeness(topic_of(one))) is is_close


@pytest.mark.parametrize(
    "definition",
    [{}, {"name": 5}, {"inputSchema": []}, {"inputSchema": {"properties": 7}}, {"description": {}}],
)
def test_odd_definitions_are_about_nothing_much(definition: dict[str, Any]) -> None:
    assert observers_for(definition, [observer("list_notes")]).related == frozenset()
