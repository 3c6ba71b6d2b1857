"""From calls to scenarios, and from scenarios to the status of a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from mcp_assay.model.call import CallResult
from mcp_assay.model.ending import OURS, Ending
from mcp_assay.model.verdict import (
    Classification,
    ErrorKind,
    JudgedCall,
    ScenarioVerdict,
    ToolStatus,
    ToolVerdict,
    Trouble,
    ValidationResult,
)

INVALID_PARAMS: Final = -32602

PASSED: Final = ScenarioVerdict("passed")
UNPROVEN: Final = ScenarioVerdict("unproven")
UNDECIDED: Final = ScenarioVerdict("undecided")

BREAKDOWNS: Final = frozenset({"crashed", "died", "timed_out", "no_content"})
"""The troubles that are the tool's own and leave the caller with nothing."""

LOSSES: Final[Mapping[Ending, Trouble]] = {"timed_out": "timed_out", "died": "died"}
"""The troubles of calls that took the server with them, or whose answers did not come."""

Verdicts: TypeAlias = Sequence[ScenarioVerdict]


def judged_call(
    valid_arguments: bool, answer: CallResult, result: ValidationResult | None
) -> JudgedCall:
    """A call as its verdict and the status of its tool see it."""
    code = answer.error.get("code") if answer.error else None
    return JudgedCall(
        valid_arguments=valid_arguments,
        ending=answer.ending,
        is_overloaded=answer.is_overloaded,
        result=result,
        error_code=code if isinstance(code, int) else None,
    )


def judge_call(call: JudgedCall) -> ScenarioVerdict:
    """Whether a scenario passed, by its arguments and by what came back."""
    if call.ending != "answered" and call.result is None:
        return _unanswered(call)
    if _is_refusal(call):
        return UNPROVEN if call.valid_arguments else PASSED
    if call.result is None:
        return UNDECIDED
    return _error(call, call.result) if call.result.is_error else _answer(call, call.result)


def judge_tool(
    calls: Sequence[JudgedCall],
    not_called: str = "no scenario calls it",
    verdicts: Verdicts | None = None,
) -> ToolVerdict:
    """The status of a tool: the first that holds; `not_called` says why there are no calls.

    `verdicts` are those on the calls, where they are known already.
    """
    if not calls:
        return ToolVerdict(status="not_called", reason=not_called, confidence=None)
    verdicts = list(verdicts or map(judge_call, calls))
    status, reason = next((name, words) for name, words, holds in STATUSES if holds(verdicts))
    return ToolVerdict(
        status=status,
        reason=reason,
        confidence=None if status == "unproven" else _confidence(calls, verdicts),
        called=len(calls),
        succeeded=sum(verdict.succeeded for verdict in verdicts),
        rejected=sum(map(_is_refusal, calls)),
        failed=_number(verdicts, "failed"),
        unproven=_number(verdicts, "unproven"),
        scenarios=verdicts,
    )


def _failed(call: JudgedCall, trouble: Trouble, *, succeeded: bool = False) -> ScenarioVerdict:
    return ScenarioVerdict("failed", trouble, succeeded, call.valid_arguments)


def _unanswered(call: JudgedCall) -> ScenarioVerdict:
    """The verdict on a call to which no answer came: what a limit of ours cut shows nothing."""
    if call.ending in OURS:
        return UNDECIDED
    trouble = "environment" if call.is_overloaded else LOSSES.get(call.ending, "no_content")
    return _failed(call, trouble)


def _kind(result: ValidationResult | None) -> ErrorKind | None:
    return result.error_verdict.kind if result and result.error_verdict else None


def _is_refusal(call: JudgedCall) -> bool:
    """Whether the tool answered that it will not do that."""
    kind = _kind(call.result)
    return kind == "business" or (call.error_code == INVALID_PARAMS and kind in (None, "unclear"))


def _error(call: JudgedCall, result: ValidationResult) -> ScenarioVerdict:
    kind = _kind(result)
    if kind in (None, "unclear"):
        return UNDECIDED
    return _failed(call, "crashed" if kind == "failure" else "environment")


def _answer(call: JudgedCall, result: ValidationResult) -> ScenarioVerdict:
    if result.classification == "broken":
        return _failed(call, "no_content")
    if not call.valid_arguments:
        return _failed(call, "accepted")
    if result.classification != "fully_working":
        return _failed(call, "faulty_answer", succeeded=True)
    return ScenarioVerdict("passed", succeeded=True)


def _decided(verdicts: Verdicts) -> list[ScenarioVerdict]:
    return [verdict for verdict in verdicts if verdict.outcome in ("passed", "failed")]


def _number(verdicts: Verdicts, outcome: str) -> int:
    return sum(verdict.outcome == outcome for verdict in verdicts)


def _troubles(verdicts: Verdicts) -> list[str]:
    return [verdict.trouble for verdict in verdicts if verdict.trouble is not None]


def _only_breaks_down(verdicts: Verdicts) -> bool:
    troubles = _troubles(verdicts)
    return 0 < len(_decided(verdicts)) == len(troubles) and BREAKDOWNS.issuperset(troubles)


def _only_lacks_dependencies(verdicts: Verdicts) -> bool:
    return not _number(verdicts, "passed") and set(_troubles(verdicts)) == {"environment"}


def _never_succeeded(verdicts: Verdicts) -> bool:
    """Whether no valid call succeeded, and the tool did not break down either.

    Where its dependencies fail valid calls, it may wait for them in vain, and what it does with
    wrong arguments does not tell whether it works.
    """
    if any(verdict.succeeded for verdict in verdicts):
        return False
    of_valid = {*_troubles([verdict for verdict in verdicts if verdict.of_valid])}
    lacks_dependency = "environment" in of_valid
    breakdowns = of_valid - {"timed_out"} if lacks_dependency else _troubles(verdicts)
    return BREAKDOWNS.isdisjoint(breakdowns)


def _never_had_dependencies(verdicts: Verdicts) -> bool:
    """Whether what it needs failed the tool, and nothing else is known of its valid calls."""
    failed = {verdict.trouble for verdict in verdicts if verdict.of_valid}
    return "environment" in failed and _never_succeeded(verdicts)


def _always_passed(verdicts: Verdicts) -> bool:
    return _number(verdicts, "passed") == len(_decided(verdicts))


def _sometimes_succeeded(verdicts: Verdicts) -> bool:
    return any(verdict.succeeded for verdict in verdicts)


def _always(_: Verdicts) -> bool:
    return True


STATUSES: Final[Sequence[tuple[ToolStatus, str, Callable[[Verdicts], bool]]]] = (
    ("broken", "every call crashed, timed out or returned nothing", _only_breaks_down),
    ("connectivity_only", "a dependency was unavailable in every call", _only_lacks_dependencies),
    ("unproven", "no valid call succeeded: a dependency was unavailable", _never_had_dependencies),
    ("unproven", "no call with valid arguments succeeded", _never_succeeded),
    ("fully_working", "every call passed", _always_passed),
    ("partially_working", "some calls passed, others did not", _sometimes_succeeded),
    ("broken", "calls crashed, and none with valid arguments succeeded", _always),
)
"""Each status with its reason and condition; the first that holds is the tool's."""


def _confidence(calls: Sequence[JudgedCall], verdicts: Verdicts) -> float:
    """The confidence over the calls that were decided; a call without an answer counts 0."""
    decided = [
        call.result or _NOTHING
        for call, verdict in zip(calls, verdicts, strict=True)
        if verdict.outcome in ("passed", "failed")
    ]
    return overall_confidence(decided)


_NOTHING: Final = ValidationResult(
    is_valid=False, is_error=False, confidence=0.0, issues=[], evidence=[], classification="broken"
)


WEIGHTS: Final[Mapping[Classification, float]] = {
    "fully_working": 1.0,
    "partially_working": 0.7,
    "connectivity_only": 0.3,
    "error": 0.2,
    "broken": 0.0,
}


def overall_confidence(results: Sequence[ValidationResult]) -> float:
    """The mean confidence, each weighed by its classification; 0 where there is none."""
    if not results:
        return 0.0
    weighted = sum(result.confidence * WEIGHTS[result.classification] for result in results)
    return weighted / len(results)
