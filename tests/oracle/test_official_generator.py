"""The generated messages mean what they say, are many, and reach all of the official schema."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Final

import orjson
import pytest

from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS, between
from tests.oracle import Case, cases, coverage, needs_spec, official, rambling, systematic

pytestmark = needs_spec
every_revision = pytest.mark.parametrize("revision", REVISIONS)

SEED: Final = 20_260_728


@dataclass(frozen=True)
class Reason:
    """Why the schema accepts a message that has a fault at one of `definitions`."""

    name: str
    words: str
    revisions: tuple[str, ...]
    definitions: frozenset[str]
    keys: frozenset[str]


REASONS: Final = (
    Reason(
        "any string schema",
        "a property schema of type string is a StringSchema, whatever else it holds",
        between(R2025_06_18, R2026_07_28),
        frozenset(
            {
                "EnumSchema",
                "LegacyTitledEnumSchema",
                "TitledSingleSelectEnumSchema",
                "UntitledSingleSelectEnumSchema",
            }
        ),
        frozenset({"enum", "enumNames", "oneOf"}),
    ),
    Reason(
        "another error code",
        "an error with another code is another error, and judged as that",
        between(R2025_11_25, R2026_07_28),
        frozenset(
            {
                "HeaderMismatchError",
                "MissingRequiredClientCapabilityError",
                "UnsupportedProtocolVersionError",
                "URLElicitationRequiredError",
            }
        ),
        frozenset({"code"}),
    ),
)


def reasons_for(case: Case, revision: str) -> set[str]:
    return {
        reason.name
        for reason in REASONS
        for definition, key, _ in case.tags
        if revision in reason.revisions
        if definition.partition(".")[0] in reason.definitions
        if reason.keys.intersection((*definition.split("."), key))
    }


@every_revision
def test_the_schema_accepts_every_systematic_case_that_is_meant_to_be_valid(revision: str) -> None:
    oracle = official(revision)
    valid = [case for case in systematic(official(revision)) if case.valid]
    assert len(valid) > 1_000
    assert [case for case in valid if not oracle.verdict(case.unit, case.message)] == []


@every_revision
def test_the_schema_rejects_every_faulty_case_but_for_the_named_reasons(revision: str) -> None:
    oracle = official(revision)
    faulty = [case for case in systematic(official(revision)) if not case.valid]
    passed = [case for case in faulty if oracle.verdict(case.unit, case.message)]
    assert len(faulty) > 3_000
    assert [case for case in passed if not reasons_for(case, revision)] == []
    used = {name for case in passed for name in reasons_for(case, revision)}
    assert used == {reason.name for reason in REASONS if revision in reason.revisions}


@every_revision
def test_the_cases_cover_every_property_in_every_mode_that_exists(revision: str) -> None:
    reached = coverage(systematic(official(revision)), official(revision))
    print(f"{revision}: {reached}")
    assert len(reached.required) > 700
    assert reached.missing == []


@every_revision
def test_one_revision_gives_at_least_ten_thousand_different_messages(revision: str) -> None:
    made = list(cases(official(revision), random.Random(SEED)))
    distinct = {(case.unit, orjson.dumps(case.message)) for case in made}
    assert len(distinct) >= 10_000
    assert {case.valid for case in made} == {True, False, None}


@every_revision
def test_the_same_seed_gives_the_same_messages_and_another_seed_others(revision: str) -> None:
    first, again, other = (
        list(islice(rambling(official(revision), random.Random(seed)), 500))
        for seed in (SEED, SEED, SEED + 1)
    )
    assert first == again
    assert first != other
    assert systematic.__wrapped__(official(revision)) == systematic(official(revision))


@every_revision
def test_random_messages_without_a_fault_are_valid_and_faults_break_many(revision: str) -> None:
    oracle = official(revision)
    made = list(islice(rambling(oracle, random.Random(SEED)), 2_000))
    verdicts = Counter((case.valid, oracle.verdict(case.unit, case.message)) for case in made)
    assert verdicts[True, False] == 0
    assert verdicts[True, True] > 500
    assert verdicts[None, False] > 500
    assert verdicts[None, True] > 100
