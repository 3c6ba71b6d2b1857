"""How a rule about calls is written, and tool runs as examples show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace

from mcp_assay.model.call import Call, CallResult, Observation, Raised, ToolRun
from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.own_fault import OnFault, surviving
from mcp_assay.model.scenario import Gap, GapKind, PlannedPlace, Scenario
from mcp_assay.model.tool import ProposedAnnotations
from mcp_assay.model.verdict import (
    ResponseSign,
    ScenarioVerdict,
    SignKind,
    ValidationResult,
)
from mcp_assay.rules import load
from mcp_assay.rules.behaviour.causes import cause_of
from mcp_assay.rules.behaviour.refusals import may_refuse
from mcp_assay.rules.engine.findings import fingerprint, to_finding
from mcp_assay.rules.engine.rule import Example, Examples, Found, register
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.words import MOST_NAMED, quote
from mcp_assay.wire.pointer import tokens

DONE: Final[Mapping[str, Any]] = {"content": [{"type": "text", "text": "done"}]}
"""An answer that says enough, for examples."""
Check: TypeAlias = Callable[[ToolRun], Iterator[Found]]
Shows: TypeAlias = Callable[[Call], bool]
"""Whether a call could have broken a rule."""


class BehaviourRule(Struct, frozen=True):
    """A rule about the calls of a tool: its id, its predicate, and when that can tell."""

    id: str
    check: Check
    tries: tuple[str, ...]
    """How the names of scenarios begin one of which must have been tried; () needs any call."""
    shown_by: Shows
    """Which of these calls show something."""
    least: int = 1
    """So many of them must be compared."""

    def is_decided_by(self, tried: ToolRun) -> bool:
        """Whether the calls of a tool run show if the rule is kept."""
        showing = (
            call
            for call in tried.calls
            if not self.tries or call.scenario.name.startswith(self.tries)
            if self.shown_by(call)
        )
        return len(list(islice(showing, self.least))) == self.least


def is_made(call: Call) -> bool:
    """Any call, whatever came of it."""
    return call.scenario is not None


def is_answered(call: Call) -> bool:
    """A call to which an answer came that could be decoded."""
    answer = call.answer
    has_message = answer.result is not None or answer.error is not None
    return answer.ending == "answered" and has_message and not answer.unread and not answer.denied


def is_of_the_tool(call: Call) -> bool:
    """A call that the tool itself answered, not what it depends on."""
    return is_answered(call) and call.verdict.trouble != "environment"


def is_valid_and_answered(call: Call) -> bool:
    """A call with arguments that the tool should take."""
    return call.scenario.valid is True and is_of_the_tool(call)


def is_invalid_and_answered(call: Call) -> bool:
    """A call with arguments that the tool should refuse."""
    return call.scenario.valid is False and is_of_the_tool(call)


def is_success(call: Call) -> bool:
    """A call that was answered with a result that is no error."""
    return is_answered(call) and not is_failure(call)


def is_failure(call: Call) -> bool:
    """A call that was answered with an error, or with a result that is one."""
    result = call.answer.result
    is_error = isinstance(result, dict) and result.get("isError") is True
    return is_answered(call) and (is_error or call.answer.error is not None)


RULES: Final[list[BehaviourRule]] = []
"""The rules about calls, in the order in which they look at a tool run."""


def behaviour_rule(
    id: str,
    name: str,
    *,
    reason: str,
    good: Examples,
    bad: Examples,
    tries: tuple[str, ...] = (),
    shown_by: Shows = is_answered,
    least: int = 1,
) -> Callable[[Check], Check]:
    """Register a predicate on a tool run; its docstring holds the words for people.

    A predicate points at the call that shows the fault best: `("calls", index)`.
    """

    def decorate(check: Check) -> Check:
        words = check.__doc__ or ""
        register(id, name, words, subject="behaviour", reason=reason, good=good, bad=bad)
        RULES.append(BehaviourRule(id, check, tries, shown_by, least))
        return check

    return decorate


def at(tried: ToolRun, call: Call, text: str, *, key: str = "", fix: str | None = None) -> Found:
    """A fault that this call of a tool run shows."""
    return Found(("calls", tried.calls.index(call)), text, key=key, fix=fix)


def of_calls(found: Sequence[Call], tried: ToolRun) -> str:
    """How many calls a fault concerns, as the end of a sentence."""
    return f"({len(found)} of {len(tried.calls)} calls)" if len(tried.calls) > 1 else ""


def fields_of(found: list[Call]) -> str:
    """The arguments that calls are about, each once."""
    names = dict.fromkeys("/".join(tokens(call.scenario.pointer)) for call in found)
    quoted = [quote(name) for name in names if name][:MOST_NAMED]
    return f"for {', '.join(quoted)}" if quoted else ""


def accepted_calls(tried: ToolRun, *names: str) -> list[Call]:
    """The calls with wrong arguments of these scenarios that the tool accepted."""
    return [
        call
        for call in tried.calls
        if call.verdict.trouble == "accepted"
        and call.scenario.name.startswith(names)
        and not may_refuse(call.answer.result)
    ]


def sentence(*parts: str) -> str:
    """The parts that are there, as one sentence."""
    return f"{' '.join(part for part in parts if part)}."


def shown(tried: ToolRun) -> str:
    """What a tool is called in a sentence."""
    return f"Tool {quote(tried.name)}"


def example(*calls: dict[str, Any], pointer: str = "", **more: Any) -> Example:
    """A tool run as an example: its calls, and what else is known of the tool."""
    value = {"tool": {"name": "find_note"}, "calls": list(calls), **more}
    return Example(value=value, revision=DEFAULT_REVISION, pointer=pointer)


def called(
    arguments: dict[str, Any] | None = None,
    *,
    name: str = "happy path",
    valid: bool | None = True,
    **ending: Any,
) -> dict[str, Any]:
    """A call of an example: what was sent, whether it was valid, and what came of it."""
    return {"scenario": name, "arguments": arguments or {}, "valid": valid, **ending}


def tool_run_of(value: dict[str, Any]) -> ToolRun:
    """The tool run that an example shows."""
    tool = value["tool"]
    calls = [_call(number, tool, one) for number, one in enumerate(value["calls"], 1)]
    return ToolRun(
        tool=tool,
        calls=tuple(calls),
        gaps=tuple(_gap(one) for one in value.get("gaps", ())),
        places=convert(value.get("places", []), tuple[PlannedPlace, ...]),
        observations=convert(value.get("observations", []), tuple[Observation, ...]),
        proposed=convert(value.get("proposed"), ProposedAnnotations | None),
    )


def _gap(value: str | list[str]) -> Gap:
    """A gap of an example: a sentence about what cannot be made, or any kind and its sentence."""
    kind, text = (GapKind.UNMADE, value) if isinstance(value, str) else value
    return Gap(GapKind(kind), text)


def _call(number: int, tool: dict[str, Any], one: dict[str, Any]) -> Call:
    valid, trouble = one["valid"], one.get("trouble")
    outcome = one.get("outcome", "failed" if trouble else "passed")
    scenario = Scenario(
        tool=tool["name"],
        name=one["scenario"],
        category="happy_path" if valid else "error_case",
        arguments=one["arguments"],
        valid=valid,
        pointer=one.get("pointer", ""),
    )
    answer = CallResult(
        ending=one.get("ending", "answered"),
        result=one.get("result"),
        error=one.get("error"),
        denied=one.get("denied", ""),
        status=one.get("status"),
        seconds=one.get("seconds", 0.0),
        raised=Raised(*one["raised"]) if "raised" in one else None,
    )
    succeeded = valid is True and outcome == "passed"
    verdict = ScenarioVerdict(outcome, trouble, succeeded)
    return Call(
        number=number,
        scenario=scenario,
        answer=answer,
        result=_said(one["sign"], outcome) if "sign" in one else None,
        verdict=verdict,
        allowed=tuple(one.get("allowed", ())),
    )


def _said(kind: SignKind, outcome: str) -> ValidationResult:
    """What the judge found in an answer of an example that its isError does not say."""
    return ValidationResult(
        is_valid=True,
        is_error=kind == "flagged_success",
        confidence=0.0,
        issues=[],
        evidence=[],
        classification="fully_working" if outcome == "passed" else "partially_working",
        sign=ResponseSign(kind, "", ""),
    )


def judge_tool_run(
    tried: ToolRun, revision: str, on_fault: OnFault | None = None
) -> Iterator[Finding]:
    """Everything that the calls of a tool show; `on_fault` hears of rules that fail themselves."""
    load("behaviour")
    for rule in RULES:
        for found in surviving(f"rule {rule.id}", on_fault, rule.check, tried):
            yield _finding(replace(found, rule=rule.id), tried, revision)


def decided_by(tool_runs: Iterable[ToolRun]) -> set[str]:
    """The rules of which the calls show whether they are kept."""
    load("behaviour")
    return {rule.id for tool_run in tool_runs for rule in RULES if rule.is_decided_by(tool_run)}


def _finding(found: Found, tried: ToolRun, revision: str) -> Finding:
    call = tried.calls[int(found.path[1])] if found.path else None
    finding = to_finding(replace(found, path=()), revision, value=_evidence(call))
    identity = fingerprint(found.rule, finding.subject, tried.name, "", found.key)
    cause = cause_of(found.rule, tried.name, call.scenario.pointer if call else "")
    return replace(finding, where=_where(tried, call), cause=cause, fingerprint=identity)


def _where(tried: ToolRun, call: Call | None) -> Where:
    if call is None:
        return Where(tool=tried.name)
    return Where(tool=tried.name, scenario=call.scenario.name, call=call.number)


def _evidence(call: Call | None) -> Any:
    return call.scenario.arguments if call else None
