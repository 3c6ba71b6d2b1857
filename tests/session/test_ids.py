"""Which ids a side has used: told exactly, in little room, and honestly when there is no more."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.session.ids import Id, IdBudget, Ids, legible

ROOM = 500_000
NINES = "9" * 18


@pytest.mark.parametrize(
    ("ids", "repeated", "spent"),
    [
        ([1, 2, 3, 2], [2], 0),
        ([1, 2, 3, 3], [3], 0),
        ([0, 0], [0], 0),
        ([1, 2, 5, 6, 5, 2, 4], [5, 2], 2),
        ([1, 5, 6, 7, 7, 6], [7, 6], 1),
        ([1, 3, 5, 5, 3, 1, 2, 2], [5, 3, 1, 2], 3),
        ([3, 1, 1, 3], [1, 3], 1),
        ([-1, -1], [-1], 1),
        ([-1, -2, 0, -2], [-2], 2),
        ([1, "1", 2, "2", "1", 1], ["1", 1], 0),
        (["a-01", "a-02", "a-03", "a-02"], ["a-02"], 0),
        (["a-08", "a-09", "a-10", "a-11", "a-09", "a-10"], ["a-09", "a-10"], 0),
        (["a1", "b1", "a2", "b2", "a2", "b1"], ["a2", "b1"], 0),
        (["a0", "a00", "a0", "a00"], ["a0", "a00"], 0),
        (["a1", "a4", "a5", "a5"], ["a5"], 1),
        (["abc", "abd", "abc"], ["abc"], 2),
        (["", ""], [""], 1),
        ([f"a{NINES}", f"a{NINES}"], [f"a{NINES}"], 0),
        ([f"a{NINES}", f"a1{'0' * 18}", f"a1{'0' * 18}"], [f"a1{'0' * 18}"], 1),
        (["1" * 19, "1" * 19], ["1" * 19], 1),
        ([f"{'x' * 256}1", f"{'x' * 256}1"], [f"{'x' * 256}1"], 0),
        (["x" * 256, "x" * 256], ["x" * 256], 1),
    ],
)
def test_an_id_that_comes_again_is_known(ids: list[Id], repeated: list[Id], spent: int) -> None:
    room = IdBudget()
    used = Ids(room)
    assert [id for id in ids if used.add(id)] == repeated
    assert room.left == ROOM - spent
    assert not used.forgetful
    assert all(id in used for id in ids)


@pytest.mark.parametrize(
    ("ids", "others"),
    [
        ([1, 2, 5], [0, 3, 4, 6, "1", -1]),
        (["a1", "a3"], ["a0", "a2", "a4", "b1", "a", "a01", 1]),
        (["abc", -7], ["ab", "", 7, -8]),
    ],
)
def test_an_id_that_was_not_used_is_not_known(ids: list[Id], others: list[Id]) -> None:
    used = Ids(IdBudget())
    assert not any(used.add(id) for id in ids)
    assert [id for id in others if id in used] == []


def test_eight_beginnings_are_counted_apart_and_others_take_room() -> None:
    room = IdBudget()
    used = Ids(room)
    for beginning in "abcdefgh":
        used.add(f"{beginning}1")
    assert room.left == ROOM
    used.add("i1")
    used.add("i2")
    assert room.left == ROOM - 2
    used.add("h2")
    assert room.left == ROOM - 2
    assert used.add("i1")


@pytest.mark.parametrize("id", ["x" * 257, f"{'x' * 257}1"])
def test_a_very_long_id_is_not_kept(id: str) -> None:
    room = IdBudget()
    used = Ids(room)
    assert not used.add(id)
    assert id not in used
    assert used.forgetful
    assert (room.left, room.refused) == (ROOM, 1)


@pytest.mark.parametrize("last", ["other", -3, 9])
def test_without_room_an_id_is_forgotten_and_that_is_reported(last: Id) -> None:
    room = IdBudget(1)
    used = Ids(room)
    used.add(1)
    used.add(5)
    assert (room.left, used.forgetful, room.refused) == (0, False, 0)
    assert not used.add(last)
    assert last not in used
    assert (room.left, used.forgetful, room.refused) == (0, True, 1)
    assert not used.add(6)
    assert used.add(5)


def test_a_session_that_is_over_gives_its_room_back() -> None:
    room = IdBudget(100)
    used, other = Ids(room), Ids(room)
    other.add("kept")
    for id in (1, 2, 5, 9, "x", -3, "a1", "a3"):
        used.add(id)
    assert room.left == 100 - 1 - 5
    used.release()
    assert room.left == 100 - 1
    assert [id for id in (1, 5, 9, 10, "x", -3, "a1", "a3") if id in used] == []
    assert not used.add(10)
    assert used.add(10)
    assert "kept" in other


@pytest.mark.parametrize("id", [0, -1, "", "a"])
def test_integers_and_strings_are_legible(id: Id) -> None:
    assert legible(id) == id


@pytest.mark.parametrize("id", [None, True, 1.0, [1], {}])
def test_nothing_else_is_legible(id: Any) -> None:
    assert legible(id) is None
