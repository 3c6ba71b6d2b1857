"""How a rule about calls is written, and trials as examples show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct, convert

from mcp_assay.model.call import Answer, Call, Observation, Trial
from mcp_assay.model.scenario import Place, Scenario
from mcp_assay.model.verdict import ScenarioVerdict
from mcp_assay.rules.behaviour.hidden_errors import hides_error
from mcp_assay.rules.rule import Example, Found, trial_rule
from mcp_assay.rules.words import quote
from mcp_assay.spec.revisions import DEFAULT_REVISION

DONE: Final[Mapping[str, Any]] = {"content": [{"type": "text", "text": "done"}]}
"""An answer that says enough, for examples."""
MOST_NAMED: Final = 5
Check: TypeAlias = Callable[[Trial], Iterator[Found]]


class BehaviourRule(Struct, frozen=True):
    """A rule about the calls of a tool: its id, its predicate, and when that can tell."""

    id: str
    check: Check
    tries: tuple[str, ...]
    """How the names of scenarios begin one of which must have been tried; () needs any call."""

    def is_decided_by(self, tried: Trial) -> bool:
        """Whether the calls of a trial show if the rule is kept."""
        if not self.tries:
            return bool(tried.calls)
        return any(call.scenario.name.startswith(self.tries) for call in tried.calls)


RULES: Final[list[BehaviourRule]] = []
"""The rules about calls, in the order in which they look at a trial."""


def behaviour_rule(
    id: str,
    name: str,
    *,
    reason: str,
    good: list[Example],
    bad: list[Example],
    tries: tuple[str, ...] = (),
) -> Callable[[Check], Check]:
    """Register a predicate on a trial; its docstring holds the words for people.

    A predicate points at the call that shows the fault best: `("calls", index)`.
    """

    def register(check: Check) -> Check:
        trial_rule(id, name, check.__doc__ or "", reason=reason, good=good, bad=bad)
        RULES.append(BehaviourRule(id, check, tries))
        return check

    return register


def at(tried: Trial, call: Call, text: str, *, key: str = "", fix: str | None = None) -> Found:
    """A fault that this call of a trial shows."""
    return Found(("calls", tried.calls.index(call)), text, key=key, fix=fix)


def of_calls(found: Sequence[Call], tried: Trial) -> str:
    """How many calls a fault concerns, as the end of a sentence."""
    return f"({len(found)} of {len(tried.calls)} calls)" if len(tried.calls) > 1 else ""


def fields_of(found: list[Call]) -> str:
    """The arguments that calls are about, each once."""
    names = dict.fromkeys(call.scenario.pointer.removeprefix("/") for call in found)
    told = [quote(name) for name in names if name][:MOST_NAMED]
    return f"for {', '.join(told)}" if told else ""


def accepted_calls(tried: Trial, *names: str) -> list[Call]:
    """The calls with wrong arguments of these scenarios that the tool accepted."""
    return [
        call
        for call in tried.calls
        if call.verdict.trouble == "accepted" and call.scenario.name.startswith(names)
    ]


def sentence(*parts: str) -> str:
    """The parts that are there, as one sentence."""
    return f"{' '.join(part for part in parts if part)}."


def shown(tried: Trial) -> str:
    """What a tool is called in a sentence."""
    return f"The tool {quote(tried.name)}"


def example(*calls: dict[str, Any], pointer: str = "", **more: Any) -> Example:
    """A trial as an example: its calls, and what else is known of the tool."""
    value = {"tool": {"name": "find_note"}, "calls": list(calls), **more}
    return Example(message=value, revision=DEFAULT_REVISION, pointer=pointer)


def called(
    arguments: dict[str, Any] | None = None,
    *,
    name: str = "happy path",
    valid: bool = True,
    **ending: Any,
) -> dict[str, Any]:
    """A call of an example: what was sent, whether it was valid, and what came of it."""
    return {"scenario": name, "arguments": arguments or {}, "valid": valid, **ending}


def trial_of(value: dict[str, Any]) -> Trial:
    """The trial that an example shows."""
    tool = value["tool"]
    calls = [_call(number, tool, one) for number, one in enumerate(value["calls"], 1)]
    return Trial(
        tool=tool,
        calls=calls,
        gaps=value.get("gaps", []),
        places=convert(value.get("places", []), list[Place]),
        observations=convert(value.get("observations", []), list[Observation]),
    )


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
    answer = Answer(
        ending=one.get("ending", "answered"),
        result=one.get("result"),
        error=one.get("error"),
        denied=one.get("denied", ""),
        seconds=one.get("seconds", 0.0),
    )
    succeeded = valid and outcome == "passed"
    verdict = ScenarioVerdict(outcome, trouble, succeeded)
    return Call(
        number=number,
        scenario=scenario,
        answer=answer,
        result=None,
        verdict=verdict,
        allowed=tuple(one.get("allowed", ())),
        hides_error=hides_error(answer.result, scenario.arguments, tool),
    )
