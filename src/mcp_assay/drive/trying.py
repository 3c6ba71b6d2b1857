"""The scenarios of a tool, called one by one and judged, and what was learned on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeAlias

from msgspec.structs import replace

from mcp_assay.drive.answer import Answer as Heard
from mcp_assay.judge.status import UNDECIDED, judge_call
from mcp_assay.model.call import Answer, Call, Trial
from mcp_assay.model.finding import NOWHERE, Where
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import (
    JudgedCall,
    ScenarioVerdict,
    ValidationContext,
    ValidationResult,
)
from mcp_assay.scenario.planning import plan
from mcp_assay.scenario.shrinking import Shrinker
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas

Judge: TypeAlias = Callable[[ValidationContext], ValidationResult]
Told: TypeAlias = Callable[[Call], None]

MOST_LOST: Final = 3
"""After so many calls of a tool that died or were not answered in time, it is left alone."""
GIVEN_UP: Final = "It was left alone after three calls that died or were not answered in time."
SHRUNK: Final = frozenset({"crashed", "died", "no_content"})
"""Troubles for which the smallest call that shows them is looked for."""


class Caller(Protocol):
    """Whoever tools are called through: a connection, or a record of what it heard."""

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        seconds: float | None = None,
        about: Where = NOWHERE,
    ) -> Heard:
        """Call a tool."""

    async def restart(self) -> None:
        """Begin anew, with a server that was not called yet."""


class Trier:
    """Calls tools and judges what comes back; raises NotReached where nobody is there any more."""

    def __init__(self, connection: Caller, judge: Judge, schemas: Schemas) -> None:
        self.values = Values()
        self.calls = 0
        self._connection: Final = connection
        self._judge: Final = judge
        self._schemas: Final = schemas

    async def try_out(self, trial: Trial, *, seed: int, budget: int, told: Told) -> None:
        """Call a tool in all its scenarios; the trial holds each call as soon as it is judged."""
        tool, calls = trial.tool, trial.calls
        planned = plan(tool, seed=seed, budget=budget, values=self.values, schemas=self._schemas)
        trial.gaps.extend(planned.gaps)
        for scenario in planned.scenarios:
            if _lost(calls) >= MOST_LOST:
                trial.gaps.append(GIVEN_UP)
                return
            calls.append(await self.called(tool, scenario))
            told(calls[-1])
        for scenario in _again(tool, calls):
            calls.append(await self.called(tool, scenario))

    async def called(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        """One call, judged; what its answer tells is learned."""
        self.calls += 1
        number = self.calls
        answer = await self._asked(scenario, number)
        result = self._judged(tool, scenario, answer)
        verdict = _verdict(scenario, answer, result)
        if isinstance(answer.result, dict):
            self.values = self.values.mine(scenario.tool, answer.result, scenario.pointer)
        return Call(number=number, scenario=scenario, answer=answer, result=result, verdict=verdict)

    async def smallest(self, tool: dict[str, Any], call: Call, most: int) -> Call:
        """The smallest call that fails as this one did."""
        trouble, found = call.verdict.trouble, call
        shrinker = Shrinker(call.scenario.arguments, tool.get("inputSchema"), self._schemas)
        for _ in range(most):
            arguments = shrinker.propose()
            if arguments is None:
                break
            smaller = await self.called(tool, replace(call.scenario, arguments=arguments))
            same = smaller.verdict.trouble == trouble
            found = smaller if same else found
            shrinker.tell(same)
        return found

    async def alone(self, tool: dict[str, Any], call: Call) -> Call:
        """The same call, made of a server that has just been started."""
        await self._connection.restart()
        return await self.called(tool, call.scenario)

    async def _asked(self, scenario: Scenario, number: int) -> Answer:
        about = Where(tool=scenario.tool, scenario=scenario.name, call=number)
        return _answer(await self._connection.call(scenario.tool, scenario.arguments, about=about))

    def _judged(
        self, tool: dict[str, Any], scenario: Scenario, answer: Answer
    ) -> ValidationResult | None:
        if answer.ending != "answered":
            return None
        response = answer.result if answer.error is None else {"error": answer.error}
        context = ValidationContext(
            tool, scenario.arguments, response, scenario.category, answer.stderr
        )
        return self._judge(context)


def _answer(heard: Heard) -> Answer:
    """What the judges need of an answer; an exchange that ended without one has nothing in it."""
    ending = "answered" if heard.ending == "unanswered" else heard.ending
    error = heard.error if isinstance(heard.error, dict) else None
    return Answer(
        ending=ending,
        result=heard.result,
        error=error,
        stderr=heard.stderr,
        exit_code=heard.exit.code if heard.exit else None,
    )


def _verdict(
    scenario: Scenario, answer: Answer, result: ValidationResult | None
) -> ScenarioVerdict:
    if scenario.valid is None:
        return UNDECIDED
    code = answer.error.get("code") if answer.error else None
    return judge_call(
        JudgedCall(
            valid_arguments=scenario.valid,
            ending=answer.ending,
            result=result,
            error_code=code if isinstance(code, int) else None,
        )
    )


def _again(tool: dict[str, Any], calls: list[Call]) -> list[Scenario]:
    """A call that succeeded, to be made once more; only where that changes nothing."""
    hints = tool.get("annotations")
    if not isinstance(hints, dict) or hints.get("readOnlyHint") is not True:
        return []
    succeeded = [call.scenario for call in calls if call.verdict.succeeded][:1]
    return [replace(scenario, name="the same call again") for scenario in succeeded]


def _lost(calls: list[Call]) -> int:
    return sum(call.answer.ending != "answered" for call in calls)
