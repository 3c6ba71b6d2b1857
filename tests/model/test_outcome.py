"""One law says which findings fail a run, and which exit code it ends with."""

from __future__ import annotations

from itertools import permutations

import pytest

from mcp_assay.model.finding import Severity
from mcp_assay.model.outcome import (
    CLEAN,
    FOUND,
    INCOMPLETE,
    INTERRUPTED,
    OUR_FAULT,
    USAGE,
    FailOn,
    RunOutcome,
    exit_code,
    failing,
    gravest,
    is_failure,
    outcome_of,
)

ERRORS: dict[Severity, int] = {"error": 2, "warning": 0, "info": 1}
WARNINGS: dict[Severity, int] = {"warning": 3}
NOTES: dict[Severity, int] = {"info": 4}


@pytest.mark.parametrize(
    ("counts", "fail_on", "outcome", "code"),
    [
        ({}, "error", "pass", 0),
        ({}, "warning", "pass", 0),
        ({}, "never", "pass", 0),
        (NOTES, "error", "pass", 0),
        (NOTES, "warning", "pass", 0),
        (WARNINGS, "error", "pass", 0),
        (WARNINGS, "warning", "fail", 1),
        (WARNINGS, "never", "pass", 0),
        (ERRORS, "error", "fail", 1),
        (ERRORS, "warning", "fail", 1),
        (ERRORS, "never", "fail", 0),
    ],
)
def test_what_is_found_decides_the_outcome_and_the_exit_code(
    counts: dict[Severity, int], fail_on: FailOn, outcome: RunOutcome, code: int
) -> None:
    assert outcome_of(counts, fail_on) == outcome
    assert exit_code(outcome, fail_on) == code
    assert is_failure(outcome, fail_on) == (code == FOUND)


@pytest.mark.parametrize("fail_on", ["error", "warning", "never"])
def test_an_incomplete_run_is_neither_passed_nor_failed(fail_on: FailOn) -> None:
    assert outcome_of(ERRORS, fail_on, is_complete=False) == "incomplete"
    assert exit_code("incomplete", fail_on) == INCOMPLETE


@pytest.mark.parametrize("fail_on", [None, "nonsense", ["error"]])
def test_a_report_that_does_not_say_fails_by_its_errors(fail_on: object) -> None:
    assert failing(fail_on) == ("error",)


def test_the_numbers_are_those_of_the_contract() -> None:
    named = (CLEAN, FOUND, USAGE, INCOMPLETE, OUR_FAULT, INTERRUPTED)
    assert named == (0, 1, 2, 3, 4, 130)


@pytest.mark.parametrize("codes", list(permutations((130, 4, 2, 3, 1, 0), 2)))
def test_the_graver_of_two_codes_goes_first(codes: tuple[int, int]) -> None:
    order = [130, 4, 2, 3, 1, 0]
    assert gravest(codes) == order[min(order.index(code) for code in codes)]


def test_nothing_that_happened_is_a_clean_ending() -> None:
    assert gravest([]) == CLEAN


@pytest.mark.parametrize(
    ("outcome", "others", "code"),
    [
        ("pass", [FOUND], FOUND),
        ("fail", [INTERRUPTED], INTERRUPTED),
        ("incomplete", [FOUND], INCOMPLETE),
        ("incomplete", [USAGE], USAGE),
        ("incomplete", [OUR_FAULT, USAGE], OUR_FAULT),
    ],
)
def test_what_else_happened_counts_by_its_gravity(
    outcome: RunOutcome, others: list[int], code: int
) -> None:
    assert exit_code(outcome, "never", *others) == code
