"""The scenarios of a tool, called one by one and judged, and what was learned on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from msgspec.structs import replace

from mcp_assay.drive.answer import Answer as Heard
from mcp_assay.drive.keeping import LONGEST_SHOWN, Keeping
from mcp_assay.drive.rounds import FEW_ADRIFT, MOST_ADRIFT, SEVERAL, Asked, Round, Told, is_adrift
from mcp_assay.drive.wishing import Wish, answer_to, wishes_of
from mcp_assay.judge.status import UNDECIDED, judge_call
from mcp_assay.model.call import Answer, Call, Trial
from mcp_assay.model.finding import NOWHERE, Where
from mcp_assay.model.scenario import AGAIN, Place, Scenario
from mcp_assay.model.verdict import (
    JudgedCall,
    ScenarioVerdict,
    ValidationContext,
    ValidationResult,
)
from mcp_assay.rules.behaviour.coverage import OVER_BUDGET, SPARED
from mcp_assay.rules.behaviour.hidden_errors import hides_error
from mcp_assay.rules.challenges import REFUSALS, in_words
from mcp_assay.scenario.listings import allowed_in
from mcp_assay.scenario.mining import texts_of
from mcp_assay.scenario.planning import Planning
from mcp_assay.scenario.shrinking import Shrinker
from mcp_assay.scenario.values import Values
from mcp_assay.schema.checking import Schemas
from mcp_assay.transport.links import Ending

Judge: TypeAlias = Callable[[ValidationContext], ValidationResult]

MOST_LOST: Final = 3
"""After so many calls of a tool that died or were not answered in time, it is left alone."""
MOST_LESSONS: Final = 2
"""So often what is left to try on a tool is planned anew, by what a refusal has taught."""
GIVEN_UP: Final = "It was left alone after three calls that died or were not answered in time."
UNREAD: Final = "Answers that were too long to be decoded are undecided."
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
        meanwhile: Callable[[], None] | None = None,
    ) -> Heard:
        """Call a tool; something may be done while it works."""

    async def restart(self) -> None:
        """Begin anew, with a server that was not called yet."""


class Trier:
    """Calls tools and judges what comes back; raises NotReached where nobody is there any more."""

    def __init__(self, connection: Caller, judge: Judge, schemas: Schemas) -> None:
        self.values = Values()
        self.resets: Mapping[str, str] = {}
        """For each tool that changes something the one that puts it back, called before it."""
        self.calls = 0
        self.keeping: Final = Keeping()
        self._connection: Final = connection
        self._judge: Final = judge
        self._schemas: Final = schemas
        self._adrift = 0
        """The latest tools, without another between them, whose surroundings failed each time."""

    async def try_out(self, trial: Trial, *, seed: int, budget: int, told: Told) -> None:
        """Call a tool in all its scenarios; the trial holds each call as soon as it is judged."""
        try:
            await self._try_scenarios(trial, seed=seed, budget=budget, told=told)
        finally:  # a run that is cut says it, too
            if any(call.answer.unread for call in trial.calls):
                trial.gaps.append(UNREAD)

    async def _try_scenarios(self, trial: Trial, *, seed: int, budget: int, told: Told) -> None:
        tool, calls = trial.tool, trial.calls
        planning, lessons = self._planned(trial, seed, budget), 0
        trial.places.extend(planning.places())
        most = MOST_ADRIFT if self._adrift < SEVERAL else FEW_ADRIFT
        judge = partial(self._noted, trial)
        round = Round(planning.scenarios, trial, judge, told, most)
        try:
            while (scenario := round.next()) and round.lost < MOST_LOST:
                known = self.values
                round.take(await self._asked(scenario, round.meanwhile))
                if lessons < MOST_LESSONS and self._has_learned(round, known):
                    lessons += 1
                    round.settle()
                    planning = self._planned(trial, seed, budget)
                    round.begin_anew(planning.scenarios)
        finally:
            round.settle()
            self._adrift = self._adrift + 1 if is_adrift(calls) else 0
            trial.gaps.extend(_gaps(planning, round))
        if scenario:
            trial.gaps.append(GIVEN_UP)
        for again in _again(tool, calls) if scenario is None else ():
            calls.append(await self.called(tool, again))
            told(calls[-1])

    def _planned(self, trial: Trial, seed: int, budget: int) -> Planning:
        """What to try next, by all that is known now."""
        return Planning(
            trial.tool,
            seed=seed,
            budget=budget,
            values=self.values,
            schemas=self._schemas,
            made=[call.scenario for call in trial.calls],
        )

    def _has_learned(self, round: Round, known: Values) -> bool:
        """Whether a refusal has just named what may succeed, where nothing has yet."""
        return not round.has_succeeded and self.values.is_taught_by(known)

    def places(self, tool: dict[str, Any]) -> list[Place]:
        """What the schema of a tool says of its arguments."""
        values, schemas = self.values, self._schemas
        return Planning(tool, seed=0, budget=0, values=values, schemas=schemas).places()

    async def called(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        """One call, judged; what its answer tells is learned."""
        return self._learned(tool, await self._asked(scenario))

    async def _asked(
        self, scenario: Scenario, meanwhile: Callable[[], None] | None = None
    ) -> Asked:
        self.calls += 1
        number = self.calls
        about = Where(tool=scenario.tool, scenario=scenario.name, call=number)
        if reset := self.resets.get(scenario.tool):
            await self._connection.call(reset, {})
        heard = await self._connection.call(
            scenario.tool, scenario.arguments, about=about, meanwhile=meanwhile
        )
        return Asked(number, scenario, heard)

    def _noted(self, trial: Trial, asked: Asked) -> Call:
        """The call, judged; what the server wanted of its client in vain is noted."""
        for one in _wishes(asked.heard):
            answer = answer_to(one, self._schemas)
            if answer is not None:
                trial.wanted[one.table] = answer
        return self._learned(trial.tool, asked)

    def _learned(self, tool: dict[str, Any], asked: Asked) -> Call:
        """The call, judged; what its answer tells is learned."""
        number, scenario, heard = asked
        answer = _answer(heard)
        hidden = hides_error(answer.result, scenario.arguments, tool)
        result = self._judged(tool, scenario, answer, hidden=hidden)
        verdict = _verdict(scenario, answer, result)
        if isinstance(answer.result, dict):
            self.values = self.values.mine(scenario.tool, answer.result, scenario.pointer)
        return Call(
            number=number,
            scenario=scenario,
            answer=self.keeping.kept(answer, heard.response),
            result=result,
            verdict=verdict,
            allowed=_allowed(answer),
            hides_error=hidden,
        )

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

    def _judged(
        self, tool: dict[str, Any], scenario: Scenario, answer: Answer, *, hidden: bool
    ) -> ValidationResult | None:
        if answer.ending != "answered" or answer.unread:
            return None
        response = answer.result if answer.error is None else {"error": answer.error}
        if hidden and answer.error is None:
            response = {**answer.result, "isError": True}
        context = ValidationContext(
            tool, scenario.arguments, response, scenario.category, answer.stderr
        )
        return self._judge(context)


def _gaps(planning: Planning, round: Round) -> list[str]:
    """What was not tried; where calls were spared, the budget is not what left any out."""
    if not round.spared:
        return planning.gaps()
    return [*(gap for gap in planning.gaps() if OVER_BUDGET not in gap), SPARED]


def _answer(heard: Heard) -> Answer:
    """What the judges need of an answer; an exchange that ended without one has nothing in it."""
    ending = "answered" if heard.ending == "unanswered" else heard.ending
    denied = _denied(heard)
    refusal = {"message": f"The call was refused with {denied}"} if denied else None
    return Answer(
        ending=ending,
        result=heard.result,
        error=heard.error if isinstance(heard.error, dict) else refusal,
        denied=denied,
        instead=_instead(heard),
        stderr=heard.stderr,
        seconds=heard.seconds,
        exit_code=heard.exit.code if heard.exit else None,
        unread=heard.unread,
        fate=_fate(heard.exit) if heard.exit else "",
        text=(heard.response or b"")[:LONGEST_SHOWN],
    )


def _wishes(heard: Heard) -> Iterator[Wish]:
    """What the server asked its client for, or says that it lacks where a call failed."""
    yield from heard.wishes
    if isinstance(heard.error, dict):
        message = heard.error.get("message")
        yield from wishes_of(heard.error, [message] if isinstance(message, str) else [])
    elif isinstance(heard.result, dict) and heard.result.get("isError") is True:
        yield from wishes_of(None, texts_of(heard.result))


def _denied(heard: Heard) -> str:
    """What a status says that refuses whoever calls, whatever the call is."""
    is_denied = heard.ending == "unanswered" and heard.status in REFUSALS
    return in_words(heard.status or 0, heard.challenge) if is_denied else ""


def _instead(heard: Heard) -> str:
    """What came in place of an answer, where its exchange ended without one."""
    if heard.ending != "unanswered" or heard.status is None:
        return ""
    return f"status {heard.status}"


def _fate(ending: Ending) -> str:
    if ending.how == "flooded":
        return "wrote a line without end, and was ended,"
    if ending.code is None:
        return "closed its standard output" if ending.stopped_by else "died"
    code = ending.code
    return f"died with exit code {code}" if code >= 0 else f"was killed by signal {-code}"


def _allowed(answer: Answer) -> tuple[str, ...]:
    """The values that a refusal lists as allowed."""
    said = {"error": answer.error} if answer.error else answer.result
    if not isinstance(said, dict) or not ("error" in said or said.get("isError") is True):
        return ()
    return allowed_in("\n".join(texts_of(said)))


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
    return [replace(scenario, name=AGAIN) for scenario in succeeded]
