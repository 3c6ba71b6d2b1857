"""Which task is given out next: in order, so many ahead, and those of lost workers again."""

from __future__ import annotations

from mcp_assay.engine.tasks import WAIT
from mcp_assay.engine.turns import TaskTurns


def taken(turns: TaskTurns[str], workers: int = 9) -> list[int]:
    """All tasks that may be given out now."""
    found = []
    while (given := turns.take(workers)) is not None:
        found.append(given[0])
    return found


def test_workers_have_so_many_tasks_ahead_and_no_more() -> None:
    turns = TaskTurns[str]("abcdef", ahead=2)
    assert taken(turns, workers=2) == [0, 1, 2, 3]
    assert not turns.end(2, is_lost=False)
    assert taken(turns, workers=2) == [4]
    assert taken(turns, workers=0) == [], "workers that are gone get nothing"


def test_a_task_that_was_lost_is_tried_behind_the_others_and_the_last_time_apart() -> None:
    turns = TaskTurns[str]("abc")
    assert taken(turns, workers=1) == [0, 1]
    assert turns.end(0, is_lost=True)
    assert taken(turns, workers=1) == [2]
    assert not turns.end(1, is_lost=False)
    assert taken(turns, workers=1) == [0]
    assert turns.end(0, is_lost=True)
    assert taken(turns) == [], "c is under way"
    assert not turns.end(2, is_lost=False)
    assert taken(turns) == [0]
    assert not turns.end(0, is_lost=True), "three tries are all"
    assert taken(turns) == list(turns.left()) == []


def test_where_each_has_but_its_task_what_was_lost_is_tried_again_at_once() -> None:
    turns = TaskTurns[str]("abcd", ahead=1, most_runs=2)
    assert taken(turns, workers=2) == [0, 1]
    assert turns.end(0, is_lost=True)
    assert taken(turns, workers=2) == [0]
    assert not turns.end(0, is_lost=True)
    assert taken(turns, workers=2) == [2]


def test_last_tries_have_workers_for_themselves() -> None:
    turns = TaskTurns[str]("abcdef", most_runs=2)
    for index in taken(turns):
        assert turns.end(index, is_lost=True)
    assert taken(turns, workers=5) == [0, 1], "each finds an idle one, also where some are gone"
    assert not turns.end(1, is_lost=True)
    assert taken(turns, workers=5) == [2]
    assert taken(turns, workers=3) == []
    assert sorted(turns.left()) == [0, 2, 3, 4, 5]


def test_tasks_that_must_wait_are_asked_for_again() -> None:
    turns = TaskTurns[str](["a", WAIT, "b", WAIT, WAIT, "c"])
    assert taken(turns) == [0]
    assert turns.end(0, is_lost=True)
    assert taken(turns) == [1, 0], "what was lost need not wait"
    assert list(turns.left()) == [1, 0, 2]


def test_what_was_never_given_out_is_left_too() -> None:
    turns = TaskTurns[str]("abc", ahead=1)
    assert taken(turns, workers=1) == [0]
    assert list(turns.left()) == [0, 1, 2]
