"""The scenarios of a tool, called one by one and judged, and what was learned on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle, islice
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.assess.known_outcomes import (
    FreeCalls,
    KnownOutcomes,
    is_adrift,
    is_refused_otherwise,
    size_of,
)
from mcp_assay.assess.proposed_annotations import is_idle_reader
from mcp_assay.assess.reproduction import way_of
from mcp_assay.assess.tool_runs import CallPipeline, OnCall, PendingVerdict, ToolRunBuilder
from mcp_assay.client.client_requests import UnmetRequest, answer_to, unmet_of
from mcp_assay.client.connection import Caller, SentCall
from mcp_assay.client.links import LinkEnding
from mcp_assay.client.response import LONGEST_MESSAGE_SHOWN, CallRequest, KeptAnswers, Response
from mcp_assay.judge.errors.stderr import raised_in
from mcp_assay.judge.status import BREAKDOWNS, UNDECIDED, judge_call, judged_call
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.effect import Effects
from mcp_assay.model.finding import Where
from mcp_assay.model.report import Limit
from mcp_assay.model.scenario import AGAIN, BY_CHANCE, Gap, GapKind, PlannedPlace, Scenario
from mcp_assay.model.verdict import (
    ScenarioVerdict,
    ValidationContext,
    ValidationResult,
)
from mcp_assay.rules.behaviour.listed_values import unlisted_values
from mcp_assay.scenario.arguments import key_of
from mcp_assay.scenario.dangerous_values import danger_in
from mcp_assay.scenario.known_values import SentArguments, Values
from mcp_assay.scenario.mined_values import texts_of
from mcp_assay.scenario.named_values import allowed_in
from mcp_assay.scenario.plan import Planning
from mcp_assay.scenario.shrinker import Shrinker
from mcp_assay.scenario.small_waits import SmallWaits, waits_by_design
from mcp_assay.schema.checker import Schemas
from mcp_assay.session.challenges import REFUSALS, in_words
from mcp_assay.text.call_order import Deed, deed_of
from mcp_assay.text.redaction import Redactor
from mcp_assay.wire.pointer import tokens

Judge: TypeAlias = Callable[[ValidationContext], ValidationResult]

MOST_LOST: Final = 3
"""After so many calls of a tool that died or were not answered in time, it is left alone."""
PROVEN_CALLS: Final = 5
"""So many calls of the first ones are made of a tool that has succeeded: others need the time."""
MOST_UNLISTED: Final = 3
"""So many values that refusals allow beyond the schema's lists are tried."""
UNLISTED: Final = "outside the listed values: allowed by a refusal"
MOST_LESSONS: Final = 4
"""So often what is left to try on a tool is planned anew, by what a refusal has taught."""
LEAST_VALID: Final = 8
"""So many valid calls are made of a tool that only reads, though they be the same: what fails
only at times must have a chance to."""
MOST_REPEATS: Final = 300
"""So many calls are repeated in all."""
REPEAT_SECONDS: Final = 2.0
"""So long the calls of one tool are repeated, one of them in any case."""
ALL_REPEAT_SECONDS: Final = 20.0
"""The same of all tools together."""
REPEATED_LESS: Final = "slow tools were called less often with the same arguments"
GIVEN_UP: Final = Gap(GapKind.GIVEN_UP, "Skipped after three crashed or timed-out calls.")
BUSY: Final = Gap(
    GapKind.BUSY, "Skipped while the server was still busy with a call of another tool."
)
WITHHELD: Final = Gap(
    GapKind.DANGEROUS,
    "Values that may end processes or fill a disk were not sent; --args sends what you type.",
)
UNREAD: Final = Gap(GapKind.UNREAD, "Results that were too long to decode are not decided.")
SPARED: Final = "{} further calls were skipped: {} calls had failed in the same way."
ADRIFT: Final = "{} further calls that need the unavailable dependency were skipped."
NOT_AWAITED: Final = Response(ending="cancelled", seconds=0.0, request=b"")
"""In place of the response to a call that was under way when the run ended."""
SHRUNK: Final = frozenset({"crashed", "died", "no_content"})
"""Troubles for which the smallest call that shows them is looked for."""


class ToolRunner:
    """Calls tools and judges what comes back; raises NotReached where nobody is there any more."""

    def __init__(self, caller: Caller, judge: Judge, schemas: Schemas) -> None:
        self.values = Values()
        self.resets: Mapping[str, str] = {}
        """For each tool that changes something the one that puts it back, called before it."""
        self.credentials = Redactor()
        """What knows the credentials that were given for the server."""
        self.effects: Mapping[int, Effects] = {}
        """What each call did to the machine, where a sandbox saw it."""
        self.free_calls = FreeCalls()
        """What calls came to in a run that this one, under a policy, is compared with."""
        self.calls = 0
        self.kept_answers: Final = KeptAnswers()
        self._caller: Final = caller
        self._judge: Final = judge
        self._schemas: Final = schemas
        self._repeats_left = MOST_REPEATS
        self._repeat_seconds_left = ALL_REPEAT_SECONDS
        self._repeated_less = 0
        """Tools that took too long to be repeated as often as others."""
        self._adrift = 0
        """The latest tools, without another between them, whose dependencies failed each time."""

    async def run(
        self,
        run: ToolRunBuilder,
        *,
        seed: int,
        budget: int,
        on_call: OnCall,
        most: int | None = None,
    ) -> None:
        """Call a tool in its scenarios; its run holds each call as soon as it is judged.

        After `most` calls, or without a success, it is left unfinished: it goes on from there
        when it is run again, by what is known then.
        """
        try:
            await self._run_scenarios(run, seed=seed, budget=budget, on_call=on_call, most=most)
        finally:  # a run that is cut says it, too
            if any(call.answer.unread for call in run.calls):
                run.note(UNREAD)

    async def _run_scenarios(
        self, run: ToolRunBuilder, *, seed: int, budget: int, on_call: OnCall, most: int | None
    ) -> None:
        plan, lessons = self._planned(run, seed, budget), 0
        run.places[:] = plan.places()
        outcomes = KnownOutcomes(run.calls, run.places, self._adrift)
        judge = partial(self._judged_in_run, run)
        waits = SmallWaits(run.tool, self._schemas)
        scenarios = waits.of(plan.scenarios, _made(run))
        pipeline = CallPipeline(scenarios, run.calls, judge, on_call, outcomes)
        unlisted, scenario = _UnlistedValues(run), None
        try:
            while not _is_enough(pipeline, most) and (scenario := self._next(pipeline)):
                scenario, known = unlisted.instead_of(scenario), self.values
                sent = await self._send(scenario)
                if sent is None:
                    run.note(WITHHELD)
                    continue
                pipeline.judge_previous()  # while the server works on this call
                pipeline.plan_ahead()
                pipeline.take(await self._receive_or_cut(pipeline, scenario, sent))
                if lessons < MOST_LESSONS and self._has_learned(pipeline, known):
                    lessons += 1
                    pipeline.judge_previous()
                    plan = self._planned(run, seed, budget)
                    pipeline.begin_anew(waits.of(plan.scenarios, _made(run)))
        finally:
            pipeline.judge_previous()
            is_cut = _is_enough(pipeline, most)
            run.settle()
            is_over = most is None or (not is_cut and run.is_proven)
            run.is_finished = scenario is None and is_over
            self._adrift = self._adrift + 1 if is_adrift(run.calls) else 0
            if is_over:
                _note_gaps(run, plan, pipeline)
        if run.is_finished:
            for one in unlisted.left(budget):
                run.calls.append(await self.call(run.tool, one))
                on_call(run.calls[-1])
            await self._repeat(run, budget, on_call)

    def _next(self, pipeline: CallPipeline) -> Scenario | None:
        """The next scenario to try; None after the last, and where more would be lost calls."""
        is_over = pipeline.lost >= MOST_LOST or pipeline.is_queued
        return None if is_over else pipeline.next()

    async def _repeat(self, run: ToolRunBuilder, budget: int, on_call: OnCall) -> None:
        """Repeat calls that succeeded, more of them where a tool had few inputs to try."""
        most = min(budget - len(run.calls), self._repeats_left)
        comparable = replace(run.frozen(), calls=tuple(run.calls[run.comparable_from :]))
        for again in self._in_time(run, repeats_of(comparable, most)):
            self._repeats_left -= 1
            run.calls.append(await self.call(run.tool, again))
            on_call(run.calls[-1])
            self._repeat_seconds_left -= run.calls[-1].answer.seconds
            if run.calls[-1].answer.ending != "answered":
                return

    def _in_time(self, run: ToolRunBuilder, repeats: list[Scenario]) -> Iterator[Scenario]:
        """As many of them as there is time for, and the last one in any case."""
        usual = min((it.answer.seconds for it in run.calls if it.verdict.succeeded), default=0.0)
        end = self._repeat_seconds_left - min(REPEAT_SECONDS, self._repeat_seconds_left)
        for again in repeats[:-1]:
            if self._repeat_seconds_left - usual < end:
                self._repeated_less += 1
                break
            yield again
        yield from repeats[-1:]

    def limits(self) -> list[Limit]:
        """Every limit that cut something."""
        less = Limit(
            name="repeat-seconds",
            value=int(REPEAT_SECONDS),
            count=self._repeated_less,
            effect=REPEATED_LESS,
        )
        return [*self.kept_answers.limits(), *([less] if less.count else [])]

    def _planned(self, run: ToolRunBuilder, seed: int, budget: int) -> Planning:
        """What to try next, by all that is known now."""
        made = _made(run)
        return Planning(
            run.tool,
            seed=seed,
            budget=budget - len(run.calls) + len(made),
            values=self.values,
            schemas=self._schemas,
            made=made,
            has_succeeded=lambda: not run.calls or any(one.verdict.succeeded for one in run.calls),
        )

    def _has_learned(self, pipeline: CallPipeline, known: Values) -> bool:
        """Whether a refusal has just named what may succeed, where nothing has yet."""
        return not pipeline.known.has_succeeded and self.values.is_taught_by(known)

    def places(self, tool: dict[str, Any]) -> list[PlannedPlace]:
        """What the schema of a tool says of its arguments."""
        values, schemas = self.values, self._schemas
        return Planning(tool, seed=0, budget=0, values=values, schemas=schemas).places()

    def usual_arguments(self, tool: dict[str, Any], values: Values, seed: int) -> dict[str, Any]:
        """Valid arguments of a tool, {} where none can be made."""
        planning = Planning(tool, seed=seed, budget=1, values=values, schemas=self._schemas)
        found = (one.arguments for one in planning.scenarios if one.valid)
        return next((one for one in found if not danger_in(str(tool.get("name")), one)), {})

    async def call(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        """One call, judged; what its answer tells is learned. A dangerous one is not made."""
        sent = await self._send(scenario)
        if sent is None:
            return self.cancelled(tool, scenario)
        return self._judged(tool, await self._receive(scenario, sent))

    async def _send(self, scenario: Scenario) -> SentCall | None:
        """Send a call; None where the arguments are dangerous, and none that the user typed."""
        typed = self.values.typed_for(scenario.tool)
        if not scenario.is_typed and danger_in(scenario.tool, scenario.arguments, typed):
            return None
        self.calls += 1
        about = Where(tool=scenario.tool, scenario=scenario.name, call=self.calls)
        if reset := self.resets.get(scenario.tool):
            await self._caller.receive(await self._caller.send(CallRequest(reset, {})))
        return await self._caller.send(CallRequest(scenario.tool, scenario.arguments, about))

    async def _receive(self, scenario: Scenario, sent: SentCall) -> PendingVerdict:
        number = sent.request.about.call
        assert number is not None
        return PendingVerdict(number, scenario, await self._caller.receive(sent))

    async def _receive_or_cut(
        self, pipeline: CallPipeline, scenario: Scenario, sent: SentCall
    ) -> PendingVerdict:
        """Receive a response; a call that the end of the run cuts was made all the same."""
        try:
            return await self._receive(scenario, sent)
        except asyncio.CancelledError:
            pipeline.take(PendingVerdict(self.calls, scenario, NOT_AWAITED))
            raise

    def cancelled(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        """The latest call, where the end of the run has cut it."""
        return self._judged(tool, PendingVerdict(self.calls, scenario, NOT_AWAITED))

    def _judged_in_run(self, run: ToolRunBuilder, made: PendingVerdict) -> Call:
        """The call, judged; what the server wanted of its client in vain is noted."""
        for one in _unmet_requests(made.response):
            answer = answer_to(one, self._schemas)
            if answer is not None:
                run.wanted[one.table] = answer
        return self._judged(run.tool, made)

    def _judged(self, tool: dict[str, Any], made: PendingVerdict) -> Call:
        """The call, judged; what its answer tells is learned."""
        number, scenario, response = made
        answer = _call_result(response)
        context = _context(tool, scenario, answer)
        result = self._judge(context) if context else None
        verdict = _verdict(tool, scenario, answer, result)
        vain = self.free_calls.vain(scenario, verdict)
        if not is_refused_otherwise(vain, result):
            self._learn(tool, scenario, answer, result, verdict)
        return Call(
            number=number,
            scenario=scenario,
            answer=self.kept_answers.kept(answer, response.response),
            result=result,
            verdict=vain.verdict if vain else verdict,
            allowed=_allowed(answer),
            shows_credential=self._shows_credential(scenario, answer),
            effects=self.effects.get(number),
        )

    def _learn(
        self,
        tool: dict[str, Any],
        scenario: Scenario,
        answer: CallResult,
        result: ValidationResult | None,
        verdict: ScenarioVerdict,
    ) -> None:
        """Learn what an answer tells of values, and what a refusal demands of arguments."""
        tells_error = result is not None and result.sign_kind == "unflagged_error"
        if isinstance(answer.result, dict) and not tells_error:
            is_odd = scenario.category != "happy_path"
            self.values = self.values.mine(
                scenario.tool, answer.result, scenario.pointer, scenario.arguments, is_odd=is_odd
            )
            if verdict.succeeded and not is_odd and deed_of(tool) is not Deed.READS:
                self.values = self.values.remember(scenario.tool, scenario.arguments)
        if scenario.valid is not False and (refusal := _refusal(answer, result)):
            self.values = self.values.learn(refusal, _sent(tool, scenario))

    def _shows_credential(self, scenario: Scenario, answer: CallResult) -> bool:
        """Whether an answer holds a credential of the user that the call did not send."""
        if not self.credentials.shows_given(answer.result or answer.error):
            return False
        return not self.credentials.shows_given(scenario.arguments)

    async def smallest(self, run: ToolRunBuilder, call: Call, most: int) -> Call:
        """The smallest call that fails as this one did; what was called before is known."""
        known = {key_of(one.scenario.arguments): one for one in run.calls}
        way = way_of(call)
        found = min((one for one in run.calls if way_of(one) == way), key=_size, default=call)
        schema = run.tool.get("inputSchema")
        shrinker, made = Shrinker(found.scenario.arguments, schema, self._schemas), 0
        while made < most and (arguments := shrinker.propose()) is not None:
            smaller = known.get(key_of(arguments))
            if smaller is None:
                made += 1
                smaller = await self.call(run.tool, replace(call.scenario, arguments=arguments))
            found = smaller if way_of(smaller) == way else found
            shrinker.learn(smaller is found)
        return found

    async def alone(self, tool: dict[str, Any], call: Call) -> Call:
        """The same call, made of a server that has just been started."""
        await self._caller.restart()
        return await self.call(tool, call.scenario)


def _is_enough(pipeline: CallPipeline, most: int | None) -> bool:
    """Whether a tool has had its calls of this round: fewer once one has succeeded."""
    if most is None:
        return False
    return pipeline.made >= (min(most, PROVEN_CALLS) if pipeline.known.has_succeeded else most)


def _note_gaps(run: ToolRunBuilder, plan: Planning, pipeline: CallPipeline) -> None:
    """Say what was not tried; the budget left nothing out where calls were spared."""
    is_given_up, known = pipeline.lost >= MOST_LOST and pipeline.next() is not None, pipeline.known
    for gap in plan.gaps():
        if gap.kind != GapKind.BUDGET or not (pipeline.spared or is_given_up):
            run.note(gap)
    if pipeline.is_queued:
        run.note(BUSY)
    elif is_given_up:
        run.note(GIVEN_UP)
    elif pipeline.spared:
        words = ADRIFT if known.is_adrift else SPARED
        run.note(Gap(GapKind.SPARED, words.format(pipeline.spared, known.times)))


def _made(run: ToolRunBuilder) -> list[Scenario]:
    """What need not be tried again: a call that was refused may succeed after others."""
    earlier = run.calls[: run.worth_again]
    worth_again = (call for call in earlier if _is_usual_refusal(call) or _is_usual_success(call))
    left_out = {call.number for call in worth_again}
    return [call.scenario for call in run.calls if call.number not in left_out]


def _is_usual_refusal(call: Call) -> bool:
    is_refused = not call.verdict.succeeded and call.verdict.trouble not in BREAKDOWNS
    return call.scenario.category == "happy_path" and is_refused


def _is_usual_success(call: Call) -> bool:
    """Whether a call of a tool that is not proven may show more than it did before."""
    return call.scenario.category == "happy_path" and call.verdict.succeeded


def _size(call: Call) -> tuple[int, bytes]:
    return size_of(call.scenario.arguments)


def _context(
    tool: dict[str, Any], scenario: Scenario, answer: CallResult
) -> ValidationContext | None:
    """What the judge of responses needs; None where there is nothing to judge."""
    is_judged = answer.ending == "answered" or bool(answer.denied)
    if not is_judged or answer.unread:
        return None
    response = answer.result if answer.error is None else {"error": answer.error}
    return ValidationContext(tool, scenario.arguments, response, scenario.category, answer.stderr)


def _call_result(response: Response) -> CallResult:
    """What the judges need of an answer."""
    denied = _denied(response)
    refusal = {"message": f"The call was rejected with {denied}"} if denied else None
    return CallResult(
        ending=response.ending,
        result=response.result,
        error=response.error if isinstance(response.error, dict) else refusal,
        denied=denied,
        status=response.status,
        detail=response.detail,
        stderr=response.stderr,
        seconds=response.seconds,
        exit_code=response.exit.code if response.exit else None,
        raised=raised_in(response.stderr) if response.stderr else None,
        unread=response.unread,
        is_queued=response.is_queued,
        fate=_fate(response.exit) if response.exit else "",
        text=(response.response or b"")[:LONGEST_MESSAGE_SHOWN],
    )


def _unmet_requests(response: Response) -> Iterator[UnmetRequest]:
    """What the server asked its client for, or says that it lacks where a call failed."""
    yield from response.unmet
    if isinstance(response.error, dict):
        message = response.error.get("message")
        yield from unmet_of(response.error, [message] if isinstance(message, str) else [])
    elif isinstance(response.result, dict) and response.result.get("isError") is True:
        yield from unmet_of(None, texts_of(response.result))


def _denied(response: Response) -> str:
    """What a status says that refuses whoever calls, whatever the call is."""
    is_denied = response.ending == "http_status" and response.status in REFUSALS
    return in_words(response.status or 0, response.challenge) if is_denied else ""


def _fate(ending: LinkEnding) -> str:
    if ending.how == "flooded":
        return "wrote an endless line and was stopped"
    if ending.code is None:
        return "closed its standard output" if ending.stopped_by else "died"
    code = ending.code
    return f"crashed with exit code {code}" if code >= 0 else f"was killed by signal {-code}"


def _allowed(answer: CallResult) -> tuple[str, ...]:
    """The values that a refusal lists as allowed."""
    said = {"error": answer.error} if answer.error else answer.result
    if not isinstance(said, dict) or not ("error" in said or said.get("isError") is True):
        return ()
    return allowed_in("\n".join(texts_of(said)))


def _refusal(answer: CallResult, result: ValidationResult | None) -> dict[str, Any] | None:
    """The answer, where it reports an error with or without isError, or asks for another step."""
    if answer.error:
        return {"error": answer.error}
    is_refusal = result is not None and (
        result.error_verdict is not None or result.sign_kind == "another_step"
    )
    return answer.result if is_refusal and isinstance(answer.result, dict) else None


def _sent(tool: dict[str, Any], scenario: Scenario) -> SentArguments:
    schema = tool.get("inputSchema")
    named = schema.get("properties") if isinstance(schema, dict) else None
    names = tuple(named) if isinstance(named, dict) else ()
    return SentArguments(
        tool=scenario.tool, values=scenario.arguments, names=names, pointer=scenario.pointer
    )


def _verdict(
    tool: dict[str, Any], scenario: Scenario, answer: CallResult, result: ValidationResult | None
) -> ScenarioVerdict:
    """The verdict on a call; to wait is what some tools are for, and others have to queue."""
    is_excused = answer.ending == "timed_out" and (answer.is_queued or waits_by_design(tool))
    if scenario.valid is None or is_excused:
        return UNDECIDED
    return judge_call(judged_call(scenario.valid, answer, result))


class _UnlistedValues:
    """Calls with values that refusals allow and the schema does not list, as others succeeded.

    They are more telling than arguments by chance, and are tried in place of some.
    """

    def __init__(self, run: ToolRunBuilder) -> None:
        self._run: Final = run
        self._waiting: list[Scenario] | None = None

    def instead_of(self, scenario: Scenario) -> Scenario:
        """The scenario, or a more telling one where it was made by chance."""
        waiting = self._known() if scenario.name.startswith(BY_CHANCE) else []
        return waiting.pop(0) if waiting else scenario

    def left(self, budget: int) -> list[Scenario]:
        """Those that were not tried, as many as the budget allows."""
        return self._known()[: max(budget - len(self._run.calls), 0)]

    def _known(self) -> list[Scenario]:
        if self._waiting is None:
            self._waiting = self._scenarios()
        return self._waiting

    def _scenarios(self) -> list[Scenario]:
        good = next((call.scenario for call in self._run.calls if call.verdict.succeeded), None)
        values = unlisted_values(self._run.frozen()) if good else []
        return [
            replace(
                good,
                name=UNLISTED,
                category="error_case",
                arguments={**good.arguments, tokens(pointer)[0]: value},
                valid=False,
                pointer=pointer,
            )
            for pointer, value in values[:MOST_UNLISTED]
            if good and pointer.count("/") == 1
        ]


def repeats_of(run: ToolRun, most: int) -> list[Scenario]:
    """Calls that succeeded, to be made once more; only where that changes nothing.

    One at least, and no more than `most`: that many only where there were few inputs to try. The
    first one comes last.
    """
    hints = run.tool.get("annotations")
    is_declared = isinstance(hints, dict) and hints.get("readOnlyHint") is True
    if not (is_declared or is_idle_reader(run)):
        return []
    succeeded = [call for call in run.calls if call.verdict.succeeded]
    missing = LEAST_VALID - sum(call.scenario.valid is True for call in run.calls)
    scenarios = (replace(call.scenario, name=AGAIN) for call in cycle(succeeded))
    return list(islice(scenarios, max(1, min(missing, most))))[::-1]
