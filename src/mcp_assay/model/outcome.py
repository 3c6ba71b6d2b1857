"""How a run ends: which findings fail it, its outcome, and the exit code; one law for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from mcp_assay.model.finding import Severity

FailOn: TypeAlias = Literal["error", "warning", "never"]
"""The lowest severity of a finding that makes the exit code 1."""
FAIL_ON: Final[tuple[FailOn, ...]] = get_args(FailOn)
RunOutcome: TypeAlias = Literal["pass", "fail", "incomplete"]

FATAL: Final[Mapping[FailOn, tuple[Severity, ...]]] = {
    "error": ("error",),
    "warning": ("error", "warning"),
    "never": (),
}
"""The severities that make the exit code 1."""

CLEAN: Final = 0
FOUND: Final = 1
USAGE: Final = 2
INCOMPLETE: Final = 3
OUR_FAULT: Final = 4
INTERRUPTED: Final = 130
PRECEDENCE: Final = (INTERRUPTED, OUR_FAULT, USAGE, INCOMPLETE, FOUND, CLEAN)
"""Of several exit codes the first of these is the one of the run."""
EXIT_CODES: Final[Mapping[RunOutcome, int]] = {
    "pass": CLEAN,
    "fail": FOUND,
    "incomplete": INCOMPLETE,
}


def failing(fail_on: object) -> tuple[Severity, ...]:
    """The severities that make a report fail: by `never` errors do, though no exit code tells."""
    known = FATAL.get(fail_on) if fail_on in FAIL_ON else None
    return known or FATAL["error"]


def is_failing(counts: Mapping[Severity, int], fail_on: object) -> bool:
    """Whether so many findings of each severity make a report fail."""
    return any(counts.get(severity, 0) for severity in failing(fail_on))


def outcome_of(
    counts: Mapping[Severity, int], fail_on: object, *, is_complete: bool = True
) -> RunOutcome:
    """The outcome of a run that found so many of each severity."""
    if not is_complete:
        return "incomplete"
    return "fail" if is_failing(counts, fail_on) else "pass"


def is_failure(outcome: RunOutcome, fail_on: FailOn) -> bool:
    """Whether a run with this outcome counts as failed to the one who started it."""
    return outcome == "fail" and fail_on != "never"


def exit_code(outcome: RunOutcome, fail_on: FailOn, *others: int) -> int:
    """The exit code of a run with this outcome, where nothing graver among the others happened."""
    is_forgiven = outcome == "fail" and not is_failure(outcome, fail_on)
    return gravest((CLEAN if is_forgiven else EXIT_CODES[outcome], *others))


def gravest(codes: Iterable[int]) -> int:
    """The exit code that goes before all the others."""
    return min(codes, key=PRECEDENCE.index, default=CLEAN)
