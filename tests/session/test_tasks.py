"""What is known of the tasks of a conversation."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.session.tasks import STATUSES, Task, Tasks, becomes_task


@pytest.mark.parametrize("status", [*sorted(STATUSES), None, "running"])
def test_a_task_is_over_in_a_final_status(status: str | None) -> None:
    task = Task()
    assert not task.is_over
    task.status = status
    assert task.is_over is (status in {"completed", "failed", "cancelled"})


def test_the_statuses_are_those_of_the_specification() -> None:
    assert {"working", "input_required", "completed", "failed", "cancelled"} == STATUSES


def test_a_task_that_was_just_met_has_no_history() -> None:
    task = Tasks().meet("s2c", "t")
    assert task is not None
    assert (task.created, task.delivered) == (False, False)
    assert (task.status, task.updated, task.method) == (None, None, None)


def test_a_task_is_known_by_who_runs_it_and_by_its_id() -> None:
    tasks = Tasks()
    assert tasks.known("s2c", "t") is None
    task = tasks.meet("s2c", "t")
    assert tasks.meet("s2c", "t") is task
    assert tasks.known("s2c", "t") is task
    assert tasks.known("c2s", "t") is None
    assert tasks.known("s2c", "u") is None


def test_a_thousand_tasks_with_ids_of_256_characters_are_remembered() -> None:
    tasks = Tasks()
    assert tasks.meet("s2c", "x" * 257) is None
    assert tasks.meet("s2c", "x" * 256) is not None
    for number in range(999):
        assert tasks.meet("s2c", f"t{number}") is not None
    assert tasks.meet("s2c", "one more") is None
    assert tasks.meet("s2c", "t998") is not None


def test_a_task_is_found_by_the_request_that_it_was_made_for() -> None:
    tasks, task = Tasks(), Task()
    assert tasks.made_for("s2c", 7) is None
    tasks.make("s2c", 7, task)
    assert task.created
    assert tasks.made_for("s2c", 7) is task
    assert tasks.made_for("c2s", 7) is None
    assert tasks.made_for("s2c", "7") is None


def test_a_thousand_requests_are_remembered_that_became_tasks() -> None:
    tasks = Tasks()
    for number in range(1_001):
        tasks.make("s2c", number, task := Task())
        assert task.created
    assert tasks.made_for("s2c", 999) is not None
    assert tasks.made_for("s2c", 1_000) is None


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({"tasks": {"requests": {"tools": {"call": {}}}}}, True),
        ({"tasks": {"requests": {"tools": {"call": {"x": 1}}}}}, True),
        ({"tasks": {"requests": {"tools": {"call": True}}}}, False),
        ({"tasks": {"requests": {"tools": {}}}}, False),
        ({"tasks": {"requests": {"sampling": {"createMessage": {}}}}}, False),
        ({"tasks": {"requests": []}}, False),
        ({"tasks": {"tools": {"call": {}}}}, False),
        ({"requests": {"tools": {"call": {}}}}, False),
        ({"tasks": {}}, False),
        ({}, False),
    ],
)
def test_a_side_makes_tasks_of_the_requests_that_it_names(
    capabilities: dict[str, Any], expected: bool
) -> None:
    assert becomes_task("tools/call", capabilities) is expected
