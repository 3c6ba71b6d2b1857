"""From calls to scenarios, and from scenarios to the status of a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from mcp_assay.model.call import CallResult
from mcp_assay.model.ending import OURS, Ending
from mcp_assay.model.verdict import (
    Category,
    Classification,
    ErrorKind,
    Evidence,
    JudgedCall,
    ScenarioVerdict,
    ToolStatus,
    ToolVerdict,
    Trouble,
    ValidationResult,
)

INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

PASSED: Final = ScenarioVerdict("passed")
UNPROVEN: Final = ScenarioVerdict("unproven")
UNDECIDED: Final = ScenarioVerdict("undecided")

BREAKDOWNS: Final = frozenset({"crashed", "died", "timed_out", "no_content"})
"""The troubles that are the tool's own and leave the caller with nothing."""
OF_HOSTS: Final = frozenset({"environment"})
"""The troubles that a host of ours may be to blame for, which nobody can reach."""
OF_PAGES: Final = frozenset({*OF_HOSTS, "crashed", "no_content"})
"""Those that a page of ours may be to blame for."""
EMPTY_SUCCESSES: Final = frozenset({"not_implemented", "no_information", "another_step"})
"""What a result without isError may say that makes it no success."""

NO_EVIDENCE: Final = Evidence()

LOSSES: Final[Mapping[Ending, Trouble]] = {"timed_out": "timed_out", "died": "died"}
"""The troubles of calls that took the server with them, or whose answers did not come."""

Verdicts: TypeAlias = Sequence[ScenarioVerdict]


def judged_call(
    valid_arguments: bool,
    answer: CallResult,
    result: ValidationResult | None,
    category: Category | None = None,
    *,
    shows_own_fault: bool = True,
    leads_nowhere: bool = False,
    is_fed: bool = False,
    is_cut_off: bool = False,
) -> JudgedCall:
    """A call as its verdict and the status of its tool see it."""
    code = answer.error.get("code") if answer.error else None
    return JudgedCall(
        valid_arguments=valid_arguments,
        ending=answer.ending,
        is_overloaded=answer.is_overloaded,
        result=result,
        error_code=code if isinstance(code, int) else None,
        is_sensible=category in (None, "happy_path"),
        shows_own_fault=shows_own_fault,
        leads_nowhere=leads_nowhere,
        is_fed=is_fed,
        is_cut_off=is_cut_off,
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


def settled(calls: Sequence[JudgedCall], verdicts: Verdicts) -> list[ScenarioVerdict]:
    """The verdicts on the calls of one tool, in the light of one another.

    An internal error that says nothing else, in answer to valid arguments, is a crash where the
    tool has shown that it refuses wrong ones properly. That a host of ours cannot be reached,
    which nobody can, proves nothing, nor does what a tool makes of a page of ours. One that waits
    for a host in vain lacks the network.
    """
    refuses = any(map(_is_proper_refusal, calls))

    def seen_together(call: JudgedCall, verdict: ScenarioVerdict) -> ScenarioVerdict:
        if call.is_cut_off and verdict.trouble == "timed_out":
            return _failed(call, "environment")
        troubles = OF_PAGES if call.is_fed else OF_HOSTS
        if call.leads_nowhere and (verdict.trouble in troubles or _is_past_a_page(call)):
            return UNPROVEN
        if refuses and _is_bare_internal_error(call) and not call.is_fed:
            return _failed(call, "crashed")
        return verdict

    return [seen_together(call, verdict) for call, verdict in zip(calls, verdicts, strict=True)]


def _is_past_a_page(call: JudgedCall) -> bool:
    """Whether nothing may be all that there is: of a page of ours, asked for by an odd limit."""
    is_blank = call.result is not None and call.result.sign_kind == "no_information"
    return call.is_fed and is_blank and not call.is_sensible


def _is_proper_refusal(call: JudgedCall) -> bool:
    """Whether wrong arguments were refused as such: not as an internal error, like all the rest."""
    is_refused = _is_refusal(call) and not call.valid_arguments
    return is_refused and call.error_code != INTERNAL_ERROR


def _is_bare_internal_error(call: JudgedCall) -> bool:
    is_internal = call.error_code == INTERNAL_ERROR and call.valid_arguments
    return is_internal and call.ending == "answered" and _kind(call.result) in (None, "unclear")


def judge_tool(
    calls: Sequence[JudgedCall],
    not_called: str = "no scenario calls it",
    verdicts: Verdicts | None = None,
    *,
    evidence: Evidence = NO_EVIDENCE,
) -> ToolVerdict:
    """The status of a tool: the first that holds; `not_called` says why there are no calls.

    `verdicts` are those on the calls, where they are known already; `evidence` is what is known of
    all calls together.
    """
    if not calls:
        return ToolVerdict(status="not_called", reason=not_called, confidence=None)
    verdicts = settled(calls, verdicts or list(map(judge_call, calls)))
    record = _Record(calls, verdicts, evidence)
    status, reason = next((name, words) for name, words, holds in STATUSES if holds(record))
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
    """Whether the tool answered, by isError or by a JSON-RPC error, that it will not do that."""
    if call.result is not None and not call.result.is_error:
        return False
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
    if result.sign_kind == "unflagged_error":
        return _unflagged(call, result)
    if not call.valid_arguments:
        return _failed(call, "accepted")
    if result.sign_kind in EMPTY_SUCCESSES:
        return _failed(call, "faulty_answer")
    if result.classification != "fully_working":
        return _failed(call, "faulty_answer", succeeded=True)
    return ScenarioVerdict("passed", succeeded=True)


def _unflagged(call: JudgedCall, result: ValidationResult) -> ScenarioVerdict:
    """An error without isError is neither a success nor a proper refusal."""
    troubles: dict[ErrorKind | None, Trouble] = {
        "failure": "crashed",
        "environment": "environment",
    }
    return _failed(call, troubles.get(_kind(result), "unflagged_error"))


def _decided(verdicts: Verdicts) -> list[ScenarioVerdict]:
    return [verdict for verdict in verdicts if verdict.outcome in ("passed", "failed")]


def _number(verdicts: Verdicts, outcome: str) -> int:
    return sum(verdict.outcome == outcome for verdict in verdicts)


class _Record:
    """What all calls of a tool show together."""

    def __init__(self, calls: Sequence[JudgedCall], verdicts: Verdicts, evidence: Evidence) -> None:
        of_valid = [
            (call, verdict)
            for call, verdict in zip(calls, verdicts, strict=True)
            if call.valid_arguments
        ]
        self.has_success: Final = any(verdict.succeeded for verdict in verdicts)
        self.has_information: Final = self.has_success and evidence.has_information
        self.all_passed: Final = _number(verdicts, "passed") == len(_decided(verdicts))
        self.troubles: Final = {verdict.trouble for _, verdict in of_valid}
        """What went wrong with valid calls."""
        self.is_broken: Final = not evidence.is_refuted and any(
            call.breaks_its_tool and verdict.trouble in BREAKDOWNS for call, verdict in of_valid
        )
        """Whether a valid call of a sensible caller had nothing of the tool, by its own fault."""


def _lacks_dependencies(record: _Record) -> bool:
    """Whether no valid call succeeded, and the dependencies failed all that failed.

    A tool whose dependency is away may wait for it in vain.
    """
    breakdowns = BREAKDOWNS & record.troubles
    is_lacking = "environment" in record.troubles and breakdowns <= {"timed_out"}
    return is_lacking and not record.has_success


def _is_broken(record: _Record) -> bool:
    return record.is_broken and not record.has_success


def _never_succeeded(record: _Record) -> bool:
    return not record.has_success


def _never_informed(record: _Record) -> bool:
    return not record.has_information


def _always_passed(record: _Record) -> bool:
    return record.all_passed


def _always(_: _Record) -> bool:
    return True


STATUSES: Final[Sequence[tuple[ToolStatus, str, Callable[[_Record], bool]]]] = (
    (
        "connectivity_only",
        "no valid call succeeded: a dependency was unavailable",
        _lacks_dependencies,
    ),
    (
        "broken",
        "valid calls crashed, timed out or returned nothing, and none succeeded",
        _is_broken,
    ),
    ("unproven", "no call with valid arguments succeeded", _never_succeeded),
    ("unproven", "no result of a valid call carries information", _never_informed),
    ("fully_working", "every call passed", _always_passed),
    ("partially_working", "some calls passed, others did not", _always),
)
"""Each status with its reason and condition; the first that holds is the tool's."""


def _confidence(calls: Sequence[JudgedCall], verdicts: Verdicts) -> float:
    """The confidence over the calls that were decided; a call without an answer counts 0.

    Few calls make no one sure.
    """
    decided = [
        call.result or _NOTHING
        for call, verdict in zip(calls, verdicts, strict=True)
        if verdict.outcome in ("passed", "failed")
    ]
    most = SURE_AFTER_FEW.get(len(decided), 100.0)
    return min(overall_confidence(decided), most)


SURE_AFTER_FEW: Final[Mapping[int, float]] = {1: 70.0, 2: 80.0, 3: 90.0, 4: 95.0}
"""The highest confidence after so few calls."""
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
