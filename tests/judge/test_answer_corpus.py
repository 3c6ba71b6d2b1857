"""What answers without isError mean, over the half of the corpus that may be looked at."""

from __future__ import annotations

import pytest

from tests.judge.answer_corpus.corpus import (
    HERE,
    Half,
    fingerprint,
    half_of,
    items,
    meaning,
    score,
)

HALVES: tuple[Half, ...] = ("seen", "unseen")


def test_the_unseen_half_is_as_it_was_collected() -> None:
    assert fingerprint("unseen") == (HERE / "unseen.sha256").read_text().strip()


@pytest.mark.parametrize("half", HALVES)
def test_an_item_belongs_to_a_half_by_its_id(half: Half) -> None:
    ids = [item.id for item in items(half)]
    assert ids == sorted(set(ids))
    assert {half_of(id) for id in ids} == {half}


def test_the_corpus_has_as_many_successes_as_others() -> None:
    everything = [item for half in HALVES for item in items(half)]
    fine = sum(item.means == "fine" for item in everything)
    assert len(everything) >= 150
    assert 0.4 < fine / len(everything) < 0.6


def test_no_success_of_the_seen_half_is_taken_for_anything_else() -> None:
    assert [item.id for item in items("seen") if item.means == "fine" != meaning(item)] == []


def test_most_others_of_the_seen_half_are_noticed() -> None:
    assert score(items("seen")).noticed >= 0.9
