"""Progress tokens are followed while their requests wait, and let go when there are many."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.session.tokens import Asked, ProgressTokens, TokenRoom, TokensOfSides, is_kept

MOST = 10_000


def tokens() -> ProgressTokens:
    return ProgressTokens(TokenRoom())


def asked(id: int, *, is_task: bool = False) -> Asked:
    return id, is_task, None


def test_a_token_belongs_to_the_latest_request_that_came_with_it() -> None:
    followed = tokens()
    followed.follow("t", asked(1), ())
    followed.latest["t"] = (5, None)
    followed.latest["u"] = (6, None)
    followed.follow("t", asked(2), ())
    assert followed.asked == {"t": (2, False, None)}
    assert followed.latest == {"u": (6, None)}
    assert not followed.forgetful


def test_sixteen_tokens_are_followed_before_those_of_finished_requests_are_let_go() -> None:
    followed = tokens()
    for number in range(16):
        followed.follow(number, asked(number, is_task=number == 3), ())
        followed.latest[number] = (1, None)
    assert len(followed.asked) == 16
    followed.follow(16, asked(16), waiting={7})
    assert list(followed.asked) == [3, 7, 16]
    assert list(followed.latest) == [3, 7]
    assert not followed.forgetful


def test_where_most_still_wait_there_is_twice_as_much_room() -> None:
    followed = tokens()
    waiting = set(range(16))
    for number in range(16):
        followed.follow(number, asked(number), waiting)
    followed.follow(16, asked(16), waiting)
    for number in range(17, 32):
        followed.follow(number, asked(number), ())
    assert len(followed.asked) == 32
    followed.follow(32, asked(32), ())
    assert list(followed.asked) == [32]
    for number in range(33, 48):
        followed.follow(number, asked(number), ())
    assert len(followed.asked) == 16
    followed.follow(48, asked(48), ())
    assert list(followed.asked) == [48]


def test_of_very_many_that_wait_the_older_half_is_forgotten() -> None:
    followed = tokens()
    waiting = range(2 * MOST)
    for number in range(MOST):
        followed.follow(number, asked(number), waiting)
    assert (len(followed.asked), followed.forgetful) == (MOST, False)
    followed.follow(MOST, asked(MOST), waiting)
    assert (len(followed.asked), followed.forgetful) == (MOST // 2 + 1, True)
    assert list(followed.asked) == [*range(MOST // 2, MOST + 1)]
    for number in range(MOST + 1, MOST + MOST // 2):
        followed.follow(number, asked(number), waiting)
    assert len(followed.asked) == MOST
    followed.follow(2 * MOST, asked(2 * MOST), waiting)
    assert len(followed.asked) == MOST // 2 + 1


def test_all_sessions_together_have_room_for_a_hundred_thousand_tokens() -> None:
    room = TokenRoom()
    assert (room.left, room.refused) == (100_000, 0)
    ProgressTokens(room).used.add("no number")
    assert room.left == 99_999


def test_the_request_of_a_token_is_that_of_the_side_that_gave_it() -> None:
    client = tokens()
    client.follow("t", asked(1), ())
    client.follow(7, asked(2), ())
    sides = TokensOfSides({"c2s": client})
    assert sides.request_with("t", "c2s") == 1
    assert sides.request_with(7, "c2s") == 2
    assert sides.request_with("u", "c2s") is None
    assert sides.request_with("t", "s2c") is None
    assert sides.request_with(["t"], "c2s") is None


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (0, True),
        (-1, True),
        ("", True),
        ("x" * 256, True),
        ("x" * 257, False),
        (True, False),
        (1.0, False),
        (None, False),
        ([], False),
    ],
)
def test_integers_and_short_strings_are_kept(token: Any, expected: bool) -> None:
    assert is_kept(token) is expected
