"""The seeded chance that plans are made with."""

from __future__ import annotations

from collections import Counter

import pytest

from mcp_assay.scenario.choices import Chance

DRAWS = 6_000


def test_the_same_key_gives_the_same_draws_and_another_key_others() -> None:
    first, again, other = Chance("1/find"), Chance("1/find"), Chance("2/find")
    drawn = [first.below(1_000) for _ in range(200)]
    assert drawn == [again.below(1_000) for _ in range(200)]
    assert drawn != [other.below(1_000) for _ in range(200)]


def test_the_draws_of_a_key_are_the_same_on_every_machine() -> None:
    chance = Chance("0/echo")
    assert [chance.below(100) for _ in range(6)] == [8, 59, 65, 13, 59, 70]
    assert chance.letters(8) == "utjcbpzk"


@pytest.mark.parametrize("count", [2, 3, 7, 26])
def test_every_number_below_is_drawn_about_as_often(count: int) -> None:
    chance = Chance("fair")
    drawn = Counter(chance.below(count) for _ in range(DRAWS))
    assert set(drawn) == set(range(count))
    assert max(drawn.values()) < 1.3 * DRAWS / count


def test_both_ends_are_between_them() -> None:
    chance = Chance("ends")
    assert {chance.between(-2, 2) for _ in range(200)} == {-2, -1, 0, 1, 2}


def test_letters_are_as_many_as_wanted_and_go_on() -> None:
    chance = Chance("text")
    text, more = chance.letters(16), chance.letters(16)
    assert len(text) == len(more) == 16
    assert (text + more).isalpha()
    assert text != more


def test_what_is_shuffled_is_all_there() -> None:
    options = list(range(50))
    shuffled = list(Chance("shuffle").shuffled(options))
    assert shuffled != options
    assert sorted(shuffled) == options


def test_half_a_pair_of_surrogates_in_a_key_does_no_harm() -> None:
    assert Chance("\ud800").below(10) == Chance("\ud800").below(10)
