"""A server and a tool over some of their runs, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from mcp_assay.history.corrections import approve, revoke
from mcp_assay.history.identity import named
from mcp_assay.history.names import NotKnown
from mcp_assay.history.run_ranges import RunRange, run_range
from mcp_assay.history.store import Store
from mcp_assay.history.tables import TOOL_RUN
from mcp_assay.history.timelines import (
    ServerTimeline,
    TimelineView,
    ToolTimeline,
    server_timeline,
    tool_timeline,
)
from tests.drift.small_reports import definition, finding, made, surface
from tests.history.runs import at_day, remember

OTHERS = named("others")


def a_version(number: str) -> dict[str, Any]:
    """What makes a report of a server that calls itself so."""
    return {"subject": replace(made().subject, server_info={"name": "n", "version": number})}


def timeline(store: Store, server: int = 1, **view: Any) -> ServerTimeline:
    with store.reading() as connection:
        return server_timeline(connection, server, TimelineView(**view))


def tool(store: Store, name: str, **view: Any) -> ToolTimeline:
    lines = {line.name: line.id for line in timeline(store).tools}
    with store.reading() as connection:
        return tool_timeline(connection, lines[name], TimelineView(**view))


def runs(store: Store, most: int, until: int | None = None) -> RunRange:
    with store.reading() as connection:
        return run_range(connection, 1, most, until)


def statuses(answer: ServerTimeline) -> dict[str, list[str | None]]:
    return {
        line.name: [cell.status if cell else None for cell in line.cells] for line in answer.tools
    }


def marks(answer: ServerTimeline) -> list[tuple[str, int]]:
    return [(mark.kind, mark.run) for mark in answer.marks]


def test_ranges_lead_to_each_other(store: Store) -> None:
    for day in range(10):
        remember(store, day=day)
        remember(store, day=day, identity=OTHERS)
    latest = runs(store, 4)
    assert (latest.ids, latest.older, latest.newer) == ([13, 15, 17, 19], 11, None)
    middle = runs(store, 4, latest.older)
    assert (middle.ids, middle.older, middle.newer) == ([5, 7, 9, 11], 3, 19)
    assert middle.next_at == at_day(6)
    first = runs(store, 4, middle.older)
    assert (first.ids, first.older, first.newer) == ([1, 3], None, 11)
    assert runs(store, 4, first.newer).ids == middle.ids


@pytest.mark.parametrize("until", [2, 3, 2**62])
def test_a_run_of_another_server_ends_no_range(store: Store, until: int) -> None:
    remember(store)
    remember(store, identity=OTHERS)
    with pytest.raises(NotKnown, match=f"no run {until} of this server"):
        runs(store, 4, until)


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(NotKnown, match="no server 7"):
        timeline(store, 7)
    with store.reading() as connection, pytest.raises(NotKnown, match="no tool 7"):
        tool_timeline(connection, 7, TimelineView())


def test_tools_stand_against_runs_the_worst_first(store: Store) -> None:
    remember(store, day=0, tools={"gone": "broken", "a": "fully_working", "z": "fully_working"})
    remember(store, day=1, tools={"a": "broken", "new": "not_called", "z": "fully_working"})
    remember(store, day=2, tools={"a": "unproven", "new": "fully_working", "z": "broken"})
    answer = timeline(store)
    assert list(statuses(answer).items()) == [
        ("z", ["fully_working", "fully_working", "broken"]),
        ("a", ["fully_working", "broken", "unproven"]),
        ("new", [None, "not_called", "fully_working"]),
        ("gone", ["broken", None, None]),
    ]
    assert answer.tools_known == 4


def test_tools_of_a_run_without_any_do_not_vanish(store: Store) -> None:
    remember(store, day=0, tools={"b": "broken", "a": "fully_working"})
    remember(store, day=1, tools={}, surface=None)
    assert list(statuses(timeline(store))) == ["b", "a"]


def test_many_tools_are_shown_some_at_a_time(store: Store) -> None:
    remember(store, tools={f"tool {number:02}": "fully_working" for number in range(12)})
    answer = timeline(store, tools=5, tools_skipped=10)
    assert (answer.tools_known, [line.name for line in answer.tools]) == (
        12,
        ["tool 10", "tool 11"],
    )


def test_a_changed_definition_is_seen_across_runs_that_did_not_see_it(store: Store) -> None:
    old, new = definition("find"), definition("find", title="Find")
    for day, its in enumerate((surface(old), None, surface(old), surface(new), surface(new))):
        remember(store, day=day, surface=its)
    assert [cell and cell.is_new_definition for cell in timeline(store).tools[0].cells] == [
        *(False, False, False, True, False)
    ]
    only_last_two = timeline(store, runs=2).tools[0].cells
    assert [cell and cell.is_new_definition for cell in only_last_two] == [True, False]


def test_versions_definitions_and_approvals_are_marks(store: Store) -> None:
    other = surface(definition("find", title="Find"))
    remember(store, day=0, **a_version("1.0"))
    remember(store, day=1, **a_version("1.0"))
    remember(store, day=2, surface=other, **a_version("1.1"))
    remember(store, day=3, surface=other, **a_version("1.1"))
    with store.writing() as connection:
        approve(connection, 1, run_id=2, who="ada", why="read it", now=at_day(2.5))
        revoke(connection, 1, who="bob", why="it changed", now=at_day(2.7))
    answer = timeline(store)
    assert marks(answer) == [("version", 3), ("definitions", 3), ("approved", 2), ("revoked", 3)]
    assert [mark.text for mark in answer.marks] == [
        "1.0 → 1.1",
        "the definitions are not those of run 2",
        f"approved by ada at {at_day(2.5)}: read it",
        f"revoked by bob at {at_day(2.7)}: it changed",
    ]
    assert answer.approval is None
    assert answer.surface_approved is None


def test_marks_of_other_ranges_are_left_to_them(store: Store) -> None:
    for day in range(4):
        remember(store, day=day)
    with store.writing() as connection:
        approve(connection, 1, run_id=1, who="ada", why="", now=at_day(0.5))
        revoke(connection, 1, who="bob", why="", now=at_day(2.5))
    assert marks(timeline(store, runs=2, until=2)) == [("approved", 1)]
    assert marks(timeline(store, runs=2)) == [("revoked", 3)]


def test_the_first_run_of_a_range_is_seen_against_the_one_before(store: Store) -> None:
    remember(store, day=0, **a_version("1.0"))
    remember(store, day=1, **a_version("1.1"))
    assert marks(timeline(store, runs=1)) == [("version", 2)]


def test_what_is_approved_is_held_against_the_latest_surface(store: Store) -> None:
    remember(store, day=0)
    with store.writing() as connection:
        approve(connection, 1, run_id=None, who="ada", why="", now=at_day(0))
    assert timeline(store).surface_approved is True
    remember(store, day=1, surface=None)
    assert timeline(store).surface_approved is True
    remember(store, day=2, surface=surface(definition("find", title="Find")))
    assert timeline(store).surface_approved is False


def test_open_findings_are_counted_and_shown_some_at_a_time(store: Store) -> None:
    remember(store, *(finding(key=key) for key in range(7)))
    remember(store, finding(severity="warning", key=9), identity=OTHERS)
    answer = timeline(store, findings=3, findings_skipped=6)
    assert (answer.findings_known, len(answer.findings)) == (7, 1)


def test_a_tool_over_time_tells_what_else_changed(store: Store) -> None:
    remember(store, day=0, tools={"find": "fully_working"}, **a_version("1.0"))
    remember(store, day=1, tools={"other": "broken"}, **a_version("1.0"))
    remember(store, day=2, tools={"find": "broken"}, **a_version("1.1"))
    remember(store, finding(), day=3, tools={"find": "broken"}, **a_version("1.1"))
    answer = tool(store, "find")
    assert [run and run.status for run in answer.runs] == [
        *("fully_working", None, "broken", "broken")
    ]
    assert [(step.old.run, step.new.run, step.also) for step in answer.steps] == [
        (1, 3, ["version 1.0 → 1.1"])
    ]
    assert (answer.server.name, answer.findings_known) == ("notes", 1)
    assert [run.run for run in answer.range.runs] == [1, 2, 3, 4]


def test_a_status_that_nobody_knows_comes_first(store: Store) -> None:
    remember(store, tools={"a": "fully_working", "b": "broken"})
    with store.writing() as connection:
        connection.execute(
            update(TOOL_RUN).where(TOOL_RUN.c.status == "fully_working").values(status="odd")
        )
    assert list(statuses(timeline(store)).items()) == [("a", ["odd"]), ("b", ["broken"])]
