"""How well the classifier does on the corpus, and that the corpus is what it says it is."""

from __future__ import annotations

from collections import Counter

from mcp_assay.model.verdict import ErrorKind, ValidationContext
from mcp_assay.responses import ResponseValidator
from tests.judge.error_corpus.corpus import (
    HERE,
    KINDS,
    Half,
    agreement,
    fingerprint,
    items,
    majority,
    score,
)
from tests.judge.error_corpus.reference import reference_kind

HALVES: tuple[Half, ...] = ("seen", "unseen")
FEWEST: dict[ErrorKind, int] = {"business": 80, "failure": 80, "environment": 80, "unclear": 30}


def our_kind(context: ValidationContext) -> ErrorKind:
    return ResponseValidator.explain_error(context).kind


def test_the_unseen_half_is_as_it_was_before_the_first_pattern() -> None:
    assert fingerprint("unseen") == (HERE / "unseen.sha256").read_text().strip()


def test_two_readings_of_the_unseen_half_agree() -> None:
    found = agreement()
    assert found.items == len(items("unseen"))
    assert found.kappa >= 0.9


def test_the_corpus_is_large_enough_and_hard_enough() -> None:
    every = [item for half in HALVES for item in items(half)]
    kinds = Counter(item.kind for item in every)
    assert len(every) >= 400
    assert all(kinds[kind] >= fewest for kind, fewest in FEWEST.items())
    assert sum(bool(item.hard) for item in every) >= len(every) / 3


def test_every_item_has_its_own_id_and_a_reason() -> None:
    every = [item for half in HALVES for item in items(half)]
    assert len({item.id for item in every}) == len(every)
    assert all(item.why.strip() for item in every)


def test_no_source_is_in_both_halves() -> None:
    seen, unseen = ({item.source for item in items(half)} for half in HALVES)
    assert not seen & unseen


def test_errors_are_distinguished() -> None:
    found = score(items("seen"), our_kind)
    assert found.distinguished >= 0.96
    assert found.right >= 0.88
    assert all(found.recall(kind) >= 0.85 for kind in KINDS)


def test_no_plain_crash_is_called_a_refusal() -> None:
    crashes = [item for item in items("seen") if item.kind == "failure"]
    plain = [item for item in crashes if not item.hard]
    assert len(plain) >= 40
    assert sum(our_kind(item.context) == "business" for item in plain) == 0


def test_the_score_is_better_than_saying_always_the_same_and_than_the_reference() -> None:
    seen = items("seen")
    most = majority(seen)
    ours = score(seen, our_kind).right
    assert ours > score(seen, lambda _: most).right
    assert ours > score(seen, reference_kind).right
