"""All findings are counted; which are kept depends on where they are, not on when they came."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.findings.tally import Ranking, SessionCount, Tally
from mcp_assay.model.finding import Finding, Severity, Where
from tests.report.test_as_text import finding

NUMBERS = st.lists(st.integers(min_value=0, max_value=60), unique=True, max_size=50)


def at(number: int) -> Finding:
    severity: Severity = "error" if number % 3 else "warning"
    return finding(number, severity, where=Where(file="f", line=number))


def tally(numbers: list[int], most: int) -> Tally:
    filled = Tally(most)
    for number in numbers:
        filled.add(at(number), number)
    return filled


@given(NUMBERS, st.integers(min_value=0, max_value=10))
def test_the_first_ones_in_the_inputs_are_kept(numbers: list[int], most: int) -> None:
    filled = tally(numbers, most)
    assert [one.where.line for one in filled.kept] == sorted(numbers)[:most]
    assert filled.severities.total() == len(numbers)
    assert sum(limit.count for limit in filled.limits()) == max(0, len(numbers) - most)


@given(NUMBERS, st.integers(min_value=0, max_value=10), st.integers())
def test_two_tallies_together_are_as_one(numbers: list[int], most: int, seed: int) -> None:
    split = [Random(seed + number).random() < 0.5 for number in numbers]
    parts = [[n for n, side in zip(numbers, split, strict=True) if side == s] for s in (0, 1)]
    first, second = (tally(part, most) for part in parts)
    first.merge(second)
    whole = tally(numbers, most)
    assert (first.kept, first.severities) == (whole.kept, whole.severities)
    assert (first.causes(), first.rules) == (whole.causes(), whole.rules)


def test_causes_come_by_gravity_and_report_where_they_were_seen_first() -> None:
    filled = tally([9, 4, 8, 3, 7], 1)
    reported = [(one.severity, one.findings, one.first.line) for one in filled.causes()]
    assert reported == [("error", 3, 4), ("warning", 2, 3)]


def test_the_sessions_of_a_cause_are_counted() -> None:
    filled = Tally()
    sessions = [SessionCount(key=key, file="f") for key in "ab"]
    for number, session in enumerate([*sessions, *sessions]):
        filled.add(at(1), number, new_to_session=session.add(at(1)))
    (cause,) = filled.causes()
    assert (cause.findings, cause.sessions) == (4, 2)


def test_the_worst_sessions_are_kept_in_little_memory() -> None:
    ranking = Ranking(most=3)
    for number in range(100):
        errors = number % 10
        ranking.add(SessionCount(key=str(number), file="f", first=number, errors=errors))
    assert [count.key for count in ranking.worst()] == ["9", "19", "29"]
