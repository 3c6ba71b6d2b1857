"""Every tool that may be called, called in its scenarios and judged; failures made small."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from enum import IntEnum
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.changing_tools import ChangingTools
from mcp_assay.assess.events import emit_call, emit_phase, emit_progress
from mcp_assay.assess.fresh_worlds import Addition, FreshWorlds
from mcp_assay.assess.known_outcomes import FreeCalls, OutcomeKey, outcome_key
from mcp_assay.assess.permissions import PermissionWithdrawn
from mcp_assay.assess.proposed_annotations import proposed_annotations
from mcp_assay.assess.relist import RelistCheck
from mcp_assay.assess.reproduction import RepeatCommands, Repeater, Way, typed, way_of
from mcp_assay.assess.sample_folder import known_places
from mcp_assay.assess.side_effects import HINT_OF, SideEffectCheck
from mcp_assay.assess.state import AssessmentState, Called
from mcp_assay.assess.tool_runner import SHRUNK, Judge, ToolRunner
from mcp_assay.assess.tool_runs import OnCall, ToolRunBuilder, ToolRuns
from mcp_assay.client.connection import Connection
from mcp_assay.client.target_secrets import credentials_of
from mcp_assay.judge.status import BREAKDOWNS
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import Gap, GapKind
from mcp_assay.model.tool import HintOutcome, Permission, ProposedAnnotations
from mcp_assay.rules.behaviour.causes import framework_of, with_causes
from mcp_assay.rules.behaviour.error_forms import (
    MIXED,
    error_forms,
    is_decided,
    mixed_error_forms,
)
from mcp_assay.rules.behaviour.rule import decided_by, judge_tool_run
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.scenario.known_values import ToolExamples, Values
from mcp_assay.scenario.path_values import KnownPlaces
from mcp_assay.schema.checker import Schemas
from mcp_assay.spec.tool_validation import ToolValidationCapability
from mcp_assay.text.call_order import Deed, deed_of, in_call_order
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.words import quote

FIRST_CALLS: Final = 10
"""So many calls are made of every tool before any gets the rest of its own."""
MOST_SHRINKS: Final = 24
"""So many calls are made to find the smallest one that fails in the same way."""
MOST_DEATHS: Final = 5
"""So many are made where each may end the server: it is not started without end."""

MOST_TOOL_NAMES: Final = 5
"""So many names of tools are tried for an argument that is one."""

AT_THE_END: Final = frozenset({*HINT_OF, "EFF-014"})
"""The rules that are judged when all calls are made."""
LOST_RESET: Final = "{}, which resets it, may no longer be called."


class Round(IntEnum):
    """Which calls of the tools are made now."""

    FIRST = 0
    """A few of each."""
    AGAIN = 1
    """As many of those that are not proven yet: what they need may be there by now."""
    LAST = 2
    """The rest of each."""


class ToolCalls:
    """The calls of one assessment: what came of them can be read at any time."""

    def __init__(
        self,
        state: AssessmentState,
        connection: Connection,
        judge: Judge,
        schemas: Schemas,
        *,
        relists: bool = True,
    ) -> None:
        context, listed, runs = state.context, state.listed, ToolRuns()
        self._context: Final = context
        self._options: Final = context.options
        self._revision: Final = state.revision or ""
        self._capabilities: Final = state.capabilities or {}
        self._told: Final = tuple(_told(connection, state))
        """What the server says of its use, besides its tools."""
        self._runs: Final = runs
        self.tools: Final = ChangingTools(context, connection, listed, state.permitted, runs)
        """What stands between the calls and the connection."""
        self._runner: Final = ToolRunner(self.tools, judge, schemas)
        self._runner.effects = connection.effects.calls
        self._runner.free_calls = FreeCalls(context.free_runs)
        self._relist: RelistCheck | None = None
        if relists:
            self._relist = RelistCheck(context, connection, state.capabilities, self.tools, runs)
        self._on_call: Final[OnCall] = partial(emit_call, context)
        commands = RepeatCommands(
            context.target, context.options, self._revision, listed.surface.tools, self._permission
        )
        self._repeater: Final = Repeater(commands, context.target)
        self._side_effects: Final = SideEffectCheck(self._runner, self._on_call)
        self._found: Final[list[Finding]] = []
        self._hints: Final[dict[str, dict[str, HintOutcome]]] = {}
        self._proposed: Final[dict[str, ProposedAnnotations]] = {}
        self._worlds: Final = FreshWorlds(context.target, connection)
        self._planned: Iterator[dict[str, Any]] = iter(())
        self._planned_at = -1
        self._round = Round.FIRST
        self._has_changed = False
        """Whether a tool was called that does more than read."""

    @property
    def values(self) -> Values:
        """What the answers of tools have told."""
        return self._runner.values

    def so_far(self) -> Called:
        """What came of the calls up to now."""
        return Called(
            listed=self.tools.listed,
            permitted=self.tools.permitted,
            runs=tuple(run.frozen() for run in self._runs.latest.values()),
            earlier=tuple(run.frozen() for run in self._runs.earlier),
            hints={tool: dict(hints) for tool, hints in self._hints.items()},
            proposed=dict(self._proposed),
            compared=tuple(self._side_effects.calls),
        )

    async def run(self) -> Called:
        """Call every tool that may be called, while there is a server.

        What was shown before an interruption is kept.
        """
        with known_places(self._context.target, self.tools.listed.tools()) as places:
            self._prepare(places)
            try:
                while tool := await self._next() or await self._next_after_all():
                    with self._context.outcomes.surviving(f"tool {quote(tool['name'])}"):
                        await self._worlds.renew(self._add, self._forget)
                        await self._make_what_is_needed(tool["name"])
                        await self._run_tool(tool)
                        self._tell_progress(tool["name"])
                        if tool["name"] in self.values.preparing:
                            await self._worlds.prepare(self._add)
                if self._options.args is None:
                    emit_phase(self._context, "comparing")
                    await self._worlds.renew(self._add)
                    await self._side_effects.observe(list(self._comparable()))
                    if self._worlds.are_disposable:
                        await self._worlds.renew(self._add)
                        await self._side_effects.repeat(list(self._comparable()))
            finally:
                self._conclude()
        return self.so_far()

    def _prepare(self, places: KnownPlaces) -> None:
        """Take over what is known before the first call."""
        given = self._given_values().listed(self.tools.listed.surface.resources, self._told)
        names = tuple(tool["name"] for tool in self.tools.listed.tools())
        self._runner.values = replace(given, places=places, listed_tools=names)
        self._runner.credentials = Redactor(credentials_of(self._context.target))
        self._runner.resets = dict(self._resets())

    def _conclude(self) -> None:
        """Keep what the calls have shown; a run that is cut has unfinished ones."""
        self._context.outcomes.limits.extend(self._runner.limits())
        everything = [run.frozen() for run in self._runs]
        for run in self._runs:
            run.confirm(everything)
        for run in self._runs:
            self._judge_once(run, {})
        self._keep_findings()

    async def _add(self, addition: Addition) -> None:
        """Make a call again that added something, if the tool may still be called."""
        with suppress(PermissionWithdrawn):
            await self._runner.call(*addition)

    def _forget(self, tools: Collection[str]) -> None:
        self._runner.values = self.values.forget(tools)

    async def _make_what_is_needed(self, tool: str) -> None:
        """Make again what a tool may need, before it goes on after calls in vain."""
        run = self._runs.latest.get(tool)
        if run is None or run.is_finished or not run.calls:
            return
        runs = (one.frozen() for one in self._runs.latest.values())
        await self._worlds.make_for(run.frozen(), runs, self._add)

    def _given_values(self) -> Values:
        """What is known before the first call: by the user, and by what is listed."""
        given, listed = Values.given(self._options.examples), self.tools.listed.tools()
        validator = ToolValidationCapability.from_capabilities(self._capabilities)
        asked = [tool for tool in listed if tool["name"] != validator.method]
        asked.sort(key=lambda tool: not self.tools.permitted.may_call(tool["name"]))
        known = replace(given, tool_names=tuple(tool["name"] for tool in asked[:MOST_TOOL_NAMES]))
        if not validator.supported or not asked or validator.method in given.examples:
            return known
        arguments = self._runner.usual_arguments(asked[0], known, self._options.seed)
        values = {"tool": (asked[0]["name"],), "arguments": (arguments,)}
        return replace(
            known, examples={validator.method: ToolExamples(values=values), **known.examples}
        )

    def _permission(self, tool: str) -> Permission | None:
        return self.tools.permitted.permissions.get(tool)

    async def _next(self) -> dict[str, Any] | None:
        """The next tool to call, round after round; None at the end."""
        while (tool := await self._next_in_round()) is None and self._round is not Round.LAST:
            self._round, self._planned_at = Round(self._round + 1), -1
        return tool

    async def _next_in_round(self) -> dict[str, Any] | None:
        """The next tool that is due, by what is listed now; None after the last."""
        await self.tools.look()
        if self._planned_at != self.tools.changes:
            self._planned_at = self.tools.changes
            self._planned = iter(self._in_order(self.tools.listed.tools()))
        return next(filter(self._is_due, self._planned), None)

    def _in_order(self, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The tools in the order in which they are called: at last those that wait for a proof."""
        ordered, runs = in_call_order(tools), self._runs.latest
        unproven = {name for name, run in runs.items() if not run.is_proven}
        return sorted(ordered, key=lambda tool: tool["name"] in unproven)

    async def _next_after_all(self) -> dict[str, Any] | None:
        """A tool that has become another one without a word; that is looked for only once."""
        relist, self._relist = self._relist, None
        if relist is None or self._options.args is not None or not self._runs.latest:
            return None
        await relist.look()
        return await self._next()

    def _is_due(self, tool: dict[str, Any]) -> bool:
        """Whether a tool may be called, and was not yet called by its definition."""
        name, runs = tool["name"], self._runs
        if not self.tools.permitted.may_call(name):
            return False
        if name not in runs.latest:
            return True
        if name in runs.outdated:
            return self._budget(name) > 0
        if self._round is Round.FIRST or runs.latest[name].is_finished:
            return False
        return self._round is Round.LAST or runs.latest[name].may_be_proven

    def _budget(self, tool: str) -> int:
        """How many more calls of a tool may be made, however often it changes."""
        return self._options.max_calls - self._runs.calls_of(tool)

    def _comparable(self) -> Iterator[ToolRun]:
        """The runs of tools that may still be called as they were."""
        for name, run in self._runs.latest.items():
            if self.tools.may_call(name):
                yield run.frozen()

    async def _run_tool(self, tool: dict[str, Any]) -> None:
        """Call a tool as far as this round goes, and judge it at once when it is finished.

        Its answers may have to be let go after that.
        """
        run = self._begun(tool)
        before, smallest = len(run.calls), dict[Way, Call]()
        try:
            await self._call(run)
            run.settle()
            await self._confirm_breakdown(run)
            if run.is_finished:
                smallest = await self._shrunk(run)
        except PermissionWithdrawn as refused:
            run.is_finished = True
            if str(refused) != run.name:
                run.note(Gap(GapKind.RESET, LOST_RESET.format(refused)))
        finally:
            run.settle()
            self._has_changed |= deed_of(run.tool) is not Deed.READS
            latest = replace(run.frozen(), calls=tuple(run.calls[before:]))
            self._worlds.note(latest, prepares=run.name in self.values.preparing)
            if run.is_finished:
                self._judge_once(run, smallest)
            judged = (one.calls for one in self._runs if one.is_judged)
            self._runner.kept_answers.release(judged)

    def _tell_progress(self, tool: str) -> None:
        run = self._runs.latest[tool]
        emit_progress(self._context, run.frozen(), is_finished=run.is_finished)

    def _begun(self, tool: dict[str, Any]) -> ToolRunBuilder:
        """The calls of a tool by its definition, which go on where they were left unfinished."""
        known = self._runs.latest.get(tool["name"])
        if known is not None and not known.is_finished and known.name not in self._runs.outdated:
            known.comparable_from = len(known.calls) if self._has_changed else 0
            known.worth_again = 0 if known.is_proven else known.comparable_from
            return known
        run = self._runs.begin(tool)
        run.is_duplicate = self.tools.listed.is_duplicate(run.name)
        run.gaps.extend((*self._without_reset(run.name), *unchecked_results(run.tool)))
        return run

    def _judge_once(self, run: ToolRunBuilder, smallest: Mapping[Way, Call]) -> None:
        """Tell what the calls of a tool show, if that was not told yet."""
        if run.is_judged:
            return
        run.is_judged = True
        done = run.frozen()
        self._context.outcomes.decided.update(decided_by([done]))
        known = {one.fingerprint for one in self._found}  # by an earlier definition of it
        found = self._judged(done, smallest)
        self._found.extend(one for one in found if one.fingerprint not in known)

    def _judged(self, run: ToolRun, smallest: Mapping[Way, Call]) -> Iterator[Finding]:
        outcomes = self._context.outcomes
        for finding in judge_tool_run(run, self._revision, outcomes.note_fault):
            shown = finding
            with outcomes.surviving(f"the reproduction of {finding.rule}"):
                shown = self._repeater.with_repeat(finding, run, smallest)
            yield shown

    def _keep_findings(self) -> None:
        """Keep what was found, with the causes that several tools share."""
        outcomes, side_effects = self._context.outcomes, self._side_effects
        seen = [
            finding
            for run in map(self._with_the_end, self._runs)
            if run.observations or run.proposed
            for finding in self._judged(run, {})
            if finding.rule in AT_THE_END
        ]
        listed = self.tools.listed
        is_whole = "tools" not in listed.unlisted
        open_rules = list(side_effects.left_open(listed.tools(), is_whole=is_whole))
        outcomes.leave_open(open_rules)
        outcomes.decided.update(HINT_OF.keys() - {step.rule for step in open_rules})
        for tool, hint in side_effects.held:
            self._hints.setdefault(tool, {})[hint] = "held"
        for finding in seen:
            if about := HINT_OF.get(finding.rule):
                self._hints.setdefault(finding.where.tool or "", {})[about] = "contradicted"
        runs = [run.frozen() for run in self._runs]
        outcomes.keep(with_causes([*self._found, *seen], framework_of(runs)))
        self._compare_refusals(runs)

    def _compare_refusals(self, runs: list[ToolRun]) -> None:
        """Report where tools refuse in different forms; two that refuse at all decide that."""
        outcomes, forms = self._context.outcomes, error_forms(runs)
        if is_decided(forms):
            outcomes.decided.add(MIXED)
            outcomes.keep(to_finding(one, self._revision) for one in mixed_error_forms(forms))

    def _with_the_end(self, run: ToolRunBuilder) -> ToolRun:
        """The calls by the latest definition of a tool with what was seen of them in the end."""
        is_latest = self._runs.latest[run.name] is run
        if not is_latest:
            return run.frozen()
        seen = self._side_effects.observations.get(run.name, ())
        observed = replace(run.frozen(), observations=tuple(seen))
        proposed = proposed_annotations(self._watched(observed), self._side_effects.calls)
        if proposed is not None:
            self._proposed[run.name] = proposed
        return replace(observed, proposed=proposed)

    def _watched(self, run: ToolRun) -> ToolRun:
        """The run with all that its calls did, also with what came after they were judged."""
        known = self._runner.effects
        calls = (replace(one, effects=known.get(one.number, one.effects)) for one in run.calls)
        return replace(run, calls=tuple(calls))

    def _resets(self) -> Iterator[tuple[str, str]]:
        """The tools that put back what others change, as far as they may be called."""
        for name, known in self.values.examples.items():
            if known.reset is not None and self.tools.permitted.may_call(known.reset):
                yield name, known.reset

    def _without_reset(self, tool: str) -> Iterator[Gap]:
        known = self.values.examples.get(tool)
        if known and known.reset and tool not in self._runner.resets:
            name = known.reset
            text = f"{name}, which resets it, may not be called: --allow {name}."
            yield Gap(GapKind.RESET, text)

    async def _call(self, run: ToolRunBuilder) -> None:
        options, runner = self._options, self._runner
        if options.args is None:
            seed, budget = options.seed, self._budget(run.name) + len(run.calls)
            most = self._most_in_round()
            await runner.run(run, seed=seed, budget=budget, on_call=self._on_call, most=most)
        else:
            run.is_finished = True
            run.places.extend(runner.places(run.tool))
            scenario = typed(run.tool, options.args, Schemas())
            try:
                run.calls.append(await runner.call(run.tool, scenario))
            except asyncio.CancelledError:
                run.calls.append(runner.cancelled(run.tool, scenario))
                raise
            self._on_call(run.calls[-1])

    def _most_in_round(self) -> int | None:
        """How many calls of a tool are made now; no limit where nobody waits, or room is short."""
        is_only = sum(map(self.tools.permitted.may_call, self.tools.current)) <= 1
        is_last = self._round is Round.LAST
        is_whole = is_last or is_only or self._runner.kept_answers.is_getting_short
        return None if is_whole else FIRST_CALLS

    async def _shrunk(self, run: ToolRunBuilder) -> dict[Way, Call]:
        """For each way in which calls of a tool fail the smallest one that does."""
        found: dict[Way, Call] = {}
        known = set[OutcomeKey | None]()
        for call in run.calls:
            if call.verdict.trouble not in SHRUNK or way_of(call) in found:
                continue
            is_known = outcome_key(call) in known
            known.add(outcome_key(call))
            if not self._options.shrink or self._options.args is not None:
                found[way_of(call)] = call
            elif await self._is_lasting(run, call):
                most = MOST_DEATHS if call.verdict.trouble == "died" else MOST_SHRINKS
                most = 0 if is_known else most  # the same fault, by other arguments
                found[way_of(call)] = await self._runner.smallest(run, call, most)
        return found

    async def _confirm_breakdown(self, run: ToolRunBuilder) -> None:
        """Make the call that broke a tool again in a fresh process: that may not do it alone."""
        call = run.breakdown()
        if call is None or run.is_confirmed or self._options.args is not None:
            return
        run.is_confirmed = True
        again = run.settled(await self._runner.alone(run.tool, call))
        if again.verdict.trouble not in BREAKDOWNS:
            run.evidence = replace(run.evidence, is_refuted=True)
            run.calls.append(again)
            self._on_call(again)

    async def _is_lasting(self, run: ToolRunBuilder, call: Call) -> bool:
        """Whether the call alone does it: a server may die of all that it was asked before."""
        if call.verdict.trouble != "died":
            return True
        return (await self._runner.alone(run.tool, call)).verdict.trouble == "died"


def _told(connection: Connection, state: AssessmentState) -> Iterator[str]:
    """The instructions of a server and the descriptions of its prompts."""
    yield connection.opened.instructions or ""
    for prompt in state.listed.surface.prompts:
        text = prompt.get("description") if isinstance(prompt, dict) else None
        yield text if isinstance(text, str) else ""


def unchecked_results(tool: dict[str, Any]) -> Iterator[Gap]:
    """Why the results of a tool are not compared with its outputSchema, where that is no schema."""
    prepared = Schemas().prepare(tool["outputSchema"]) if "outputSchema" in tool else None
    if prepared is not None and prepared.sort == "refused":
        why = (prepared.reason or "it is not valid").rstrip(".")
        yield Gap(GapKind.UNCHECKED, f"Results were not checked against the outputSchema: {why}.")
