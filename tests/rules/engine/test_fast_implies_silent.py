"""Whatever the fast check accepts, the slow check has nothing to say about, warnings included."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

import pytest
from hypothesis import HealthCheck, given, seed, settings

from mcp_assay.model.entry import Direction
from mcp_assay.spec.revisions import REVISIONS, between
from tests.oracle import Case as OfficialCase
from tests.oracle import cases as official_cases
from tests.oracle import needs_spec, official
from tests.rules.engine.near_examples import near_examples
from tests.rules.engine.topics import TOPICS, cases
from tests.rules.engine.verdicts import Case, accepted, findings, objections

SEED: Final = 20251125
PER_TOPIC: Final = 45
LEAST_NEAR_EXAMPLES: Final = 120


def official_case(case: OfficialCase, revision: str) -> Case:
    ways = sorted(case.unit.directions)
    direction: Direction = "c2s" if ways[0] == "c2s" else "s2c"
    method = case.unit.method if case.unit.kind == "result" else None
    return Case(case.message, revision, method, direction)


LEAST_ACCEPTED: Final = {
    "2024-11-05": (0.80, 0.90),
    "2025-03-26": (0.80, 0.90),
    "2025-06-18": (0.75, 0.90),
    "2025-11-25": (0.60, 0.75),
    "2026-07-28": (0.07, 0.70),
}
"""The shares of the official valid messages, and of those among them about which there is nothing
to say, that the fast check accepts. In 2026-07-28 most valid messages lack what is recommended."""


@needs_spec
@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_accepted_of_the_official_messages_is_beyond_reproach(revision: str) -> None:
    tally: Counter[str] = Counter()
    for one in official_cases(official(revision), random.Random(SEED)):
        case = official_case(one, revision)
        passes, found = accepted(case), findings(case)
        assert not (passes and found), (case, found)
        tally["valid"] += one.valid is True
        tally["valid and accepted"] += passes and one.valid is True
        tally["clean"] += one.valid is True and not found
    of_valid, of_clean = LEAST_ACCEPTED[revision]
    assert tally["valid and accepted"] >= of_valid * tally["valid"], tally
    assert tally["valid and accepted"] >= of_clean * tally["clean"], tally


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_accepted_near_the_examples_of_the_rules_is_beyond_reproach(revision: str) -> None:
    tally: Counter[bool] = Counter()
    for case in near_examples(revision):
        assert objections(case) == [], case
        tally[accepted(case)] += 1
    assert tally[True] >= LEAST_NEAR_EXAMPLES, tally


LEAST_TOPIC_ACCEPTED: Final = 0.04
TOPICS_IN_REVISIONS: Final = [
    pytest.param(name, revision, id=f"{name} {revision}")
    for name, topic in TOPICS.items()
    for revision in between(topic.since, topic.until)
]


@pytest.mark.parametrize(("topic", "revision"), TOPICS_IN_REVISIONS)
def test_what_is_accepted_of_odd_pieces_is_beyond_reproach(topic: str, revision: str) -> None:
    tally: Counter[bool] = Counter()

    @seed(f"{topic} {revision}")
    @settings(
        max_examples=PER_TOPIC,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(TOPICS[topic], revision))
    def is_beyond_reproach(case: Case) -> None:
        assert objections(case) == []
        tally[accepted(case)] += 1

    is_beyond_reproach()
    assert tally[True] >= LEAST_TOPIC_ACCEPTED * tally.total(), tally
