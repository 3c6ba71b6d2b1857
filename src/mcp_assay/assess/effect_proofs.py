"""Suspicious effects, proven in fresh worlds with the call and without it, before anybody is told.

The calls of a run share a world: what is seen during one may come from a timer, or from another.
So a call that is suspicious is made again, alone and in worlds of its own, and the same time passes
in worlds in which nothing is called, or only what is beyond suspicion.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.assess.effects import with_effects
from mcp_assay.assess.state import AssessmentState, Proved
from mcp_assay.client.connection import Connection
from mcp_assay.client.links import NotReached
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.client.sandbox.told_effects import in_common, late, together, without
from mcp_assay.client.target import Command
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.effect import NOTHING, Effects
from mcp_assay.model.effect_proof import EffectRecord, ProvenCall, WorldPlaces
from mcp_assay.model.finding import Where
from mcp_assay.model.report import Limit
from mcp_assay.rules.behaviour.effect_rule import Trial, effect_rules, judge_effects
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.text.changing_verbs import changing_verb_in, only_adds
from mcp_assay.text.words import listing

LIMITS: Final[Mapping[str, int]] = {"suspects": 24, "seconds": 45, "set-up calls": 6, "late": 8}
"""What may be proven in one run, in how much time, how many calls may come before a call, and how
many tools are looked at for what they do later."""
LIMIT_EFFECTS: Final[Mapping[str, str]] = {
    "suspects": "further suspicious effects were not proven, so nothing is said of them",
    "seconds": "suspicious effects were not proven for want of time, so nothing is said of them",
}
WORLDS: Final = 2
"""In so many worlds a call must have the same effect, and in as many without it nothing."""
AT_ONCE: Final = 2
"""So many suspicions are looked into side by side."""
WATCH_SECONDS: Final = 1.0
"""So long a world is watched after a call, or after its start where there is none: one without the
call is never watched for less."""
SPARE_SECONDS: Final = 3.0
"""So much of the time of a run is left to its end: proofs never make it incomplete."""
NOT_AGAIN: Final = "what {} did in the run did not come again in fresh worlds"
NOT_PROVEN: Final = "there was no time to call {} in fresh worlds"
AGAIN: Final = "EFF-003"
AFTERWARDS: Final = "EFF-009"
LASTING: Final = frozenset({AFTERWARDS, "EFF-015"})
"""The rules about what comes after the answer, or is still there then."""
GRAVITY: Final = ("error", "warning", "info")


class DoubtfulCall(Struct, frozen=True):
    """A call to make again, and what rules say of it."""

    run: ToolRun
    call: Call
    trial: Trial
    rules: tuple[str, ...]
    """Those that want to see it alone."""
    accusing: tuple[str, ...] = ()
    """Those that the call of the run itself seems to break."""

    @property
    def seconds(self) -> float:
        """How long it is watched after the call: no longer than until it is quiet, where what is
        to be proven was there with the answer."""
        is_late = self.call.effects is not None and self.call.effects.late
        return WATCH_SECONDS if is_late or not LASTING.isdisjoint(self.rules) else 0.0


class WorldSeen(Struct, frozen=True):
    """What one world has shown: at its start, and after it."""

    start: Effects
    effects: Effects
    again: Effects | None = None


class EffectProofs:
    """Proves what the calls of a run have shown, while there is time."""

    def __init__(self, state: AssessmentState) -> None:
        self._state: Final = state
        self._target: Final = _without_keeping(state.target)
        self._places: Final = places_of(state)
        self._runs: Final = [run for run in state.called.runs if run.calls]
        self._controls: list[WorldSeen] = []
        """Worlds in which nothing suspicious was called."""
        self._proven: Final[dict[str, list[ProvenCall]]] = {}
        self._unproven: Final[dict[str, dict[str, set[str]]]] = {}
        """By rule and reason, the tools of which it could not be told whether they break it."""
        self._tried: Final[set[str]] = set()
        self._limits: Final[dict[str, int]] = {}

    def so_far(self) -> Proved:
        """What was proven up to now."""
        records = [
            EffectRecord(tool=run.tool, calls=tuple(self._proven[run.name]), places=self._places)
            for run in self._runs
            if run.name in self._proven
        ]
        start = [one.start for one in self._controls]
        if len(start) == WORLDS:
            call = ProvenCall(arguments={}, effects=in_common(start))
            records.append(EffectRecord(tool=None, calls=(call,), places=self._places))
        return Proved(
            records=tuple(records),
            unproven={rule: _in_words(doubts) for rule, doubts in self._unproven.items()},
            tried=frozenset(self._tried),
        )

    def limits(self) -> list[Limit]:
        """Every limit that left something unproven."""
        return [
            Limit(name=f"effect-{name}", value=LIMITS[name], count=left, effect=LIMIT_EFFECTS[name])
            for name, left in self._limits.items()
        ]

    async def run(self) -> Proved:
        """Prove all that is suspicious, the gravest first."""
        suspects = self._suspects()
        if not suspects and not self._is_start_suspicious():
            return self.so_far()
        left = self._state.context.deadline.left() - SPARE_SECONDS
        end = monotonic() + min(left, LIMITS["seconds"])
        open_ones = list(suspects)
        try:
            async with asyncio.timeout(max(end - monotonic(), 0)):
                controls = (self._control() for _ in range(WORLDS))
                self._controls = list(await asyncio.gather(*controls))
                for at in range(0, min(len(suspects), LIMITS["suspects"]), AT_ONCE):
                    now = suspects[at : at + AT_ONCE]
                    await asyncio.gather(*map(self._prove, now))
                    del open_ones[: len(now)]
        except TimeoutError:
            self._leave(open_ones, "seconds")
        except NotReached:
            self._leave(open_ones, "seconds")
        else:
            self._leave(open_ones, "suspects")
        return self.so_far()

    def _leave(self, suspects: Sequence[DoubtfulCall], limit: str) -> None:
        if suspects:
            self._limits[limit] = len(suspects)
        for one in suspects:
            self._doubt(one.rules, one.run.name, NOT_PROVEN)

    def _doubt(self, rules: Iterable[str], tool: str, why: str) -> None:
        for rule in rules:
            self._unproven.setdefault(rule, {}).setdefault(why, set()).add(tool)

    def _suspects(self) -> list[DoubtfulCall]:
        """One call of each tool for each rule that it seems to break; one trial for several."""
        found: dict[tuple[str, str, bool], DoubtfulCall] = {}
        for run in self._runs:
            for rule, call, trial, is_accused in self._suspicious(run):
                key = (run.name, repr(trial.arguments), trial.is_repeated)
                known = found.get(key) or DoubtfulCall(run, call, trial, ())
                accusing = (*known.accusing, *([rule] if is_accused else []))
                found[key] = replace(known, rules=(*known.rules, rule), accusing=accusing)
        ordered = sorted(found.values(), key=_gravity)
        late = self._late({one.run.name for one in ordered if one.accusing})
        return [*ordered, *late[: LIMITS["late"]]]

    def _late(self, known: set[str]) -> list[DoubtfulCall]:
        """Tools to look at alone, for they may act later: a run does not wait for that.

        They are said to change something and were not seen to, or something came that no call
        seems to have done.
        """
        if AFTERWARDS not in self._state.outcomes.wanted:
            return []
        is_unexplained = self._has_unexplained()
        firsts = ((run, _first_success(run)) for run in self._runs if run.name not in known)
        return [
            DoubtfulCall(run, call, Trial(call.scenario.arguments), (AFTERWARDS,))
            for run, call in firsts
            if call is not None and (is_unexplained or self._is_said_to_change(run))
        ]

    def _has_unexplained(self) -> bool:
        """Whether a file changed between calls."""
        calls = (call for run in self._runs for call in with_effects(self._state, run.calls))
        files = (one for call in calls if call.effects for one in call.effects.kept_files)
        return any(one.late and not one.temporary for one in files)

    def _is_said_to_change(self, run: ToolRun) -> bool:
        """Whether a tool says that it changes something, of which nothing was seen."""
        is_said = only_adds(run.name) or changing_verb_in(run.name) is not None
        effects = [call.effects for call in with_effects(self._state, run.calls)]
        return is_said and all(one is not None and _is_quiet(one) for one in effects)

    def _suspicious(self, run: ToolRun) -> Iterator[tuple[str, Call, Trial, bool]]:
        calls = sorted(with_effects(self._state, run.calls), key=_usefulness)
        record = EffectRecord(tool=run.tool, calls=(), places=self._places)
        for rule in effect_rules():
            if not rule.concerns(record) or rule.id not in self._state.outcomes.wanted:
                continue
            for call in calls:
                seen = _as_proven(call)
                if seen is not None and (trial := rule.trial(record, seen)) is not None:
                    yield rule.id, call, trial, any(rule.check(record, seen))
                    break

    def _is_start_suspicious(self) -> bool:
        connection = self._state.connection
        row = connection.effects.row if connection else None
        if row is None or row.at_start is None:
            return False
        call = ProvenCall(arguments={}, effects=row.at_start)
        record = EffectRecord(tool=None, calls=(call,), places=self._places)
        wanted = self._state.outcomes.wanted
        return any(one.rule in wanted for one in judge_effects(record, self._state.revision or ""))

    async def _prove(self, suspect: DoubtfulCall) -> None:
        """Make the call alone; where that shows nothing, once more after what it may need."""
        seen = await self._seen_with(suspect, ())
        self._tried.update(suspect.rules)
        broken = self._take(suspect, seen, self._controls)
        set_up = self._set_up(suspect) if suspect.accusing else []
        if set_up and not broken.issuperset(suspect.accusing):
            control = await self._control(set_up)
            seen = await self._seen_with(suspect, set_up)
            broken |= self._take(suspect, seen, [*self._controls, control])
        left = [rule for rule in suspect.accusing if rule not in broken]
        self._doubt(left, suspect.run.name, NOT_AGAIN)

    def _take(
        self, suspect: DoubtfulCall, seen: Sequence[WorldSeen], controls: Sequence[WorldSeen]
    ) -> set[str]:
        """Keep what is proven; gives the rules that it breaks, or that something else explains."""
        anyway = [one.effects for one in controls]
        alone, proven = _proven(suspect, seen, []), _proven(suspect, seen, anyway)
        broken = self._broken(suspect, proven) & {*suspect.rules}
        if broken:
            self._proven.setdefault(suspect.run.name, []).append(proven)
        return broken | self._broken(suspect, alone)

    def _broken(self, suspect: DoubtfulCall, call: ProvenCall) -> set[str]:
        record = EffectRecord(tool=suspect.run.tool, calls=(call,), places=self._places)
        return {one.rule for one in judge_effects(record, self._state.revision or "")}

    async def _seen_with(self, suspect: DoubtfulCall, set_up: Sequence[Call]) -> list[WorldSeen]:
        """What worlds show in which the call is made, side by side."""
        worlds = (self._with_call(suspect, set_up) for _ in range(WORLDS))
        return list(await asyncio.gather(*worlds))

    def _set_up(self, suspect: DoubtfulCall) -> list[Call]:
        """The latest calls before it that changed something and succeeded, each tool once."""
        before = (call for run in self._runs for call in with_effects(self._state, run.calls))
        able = [
            call
            for call in before
            if call.number < suspect.call.number and call.verdict.succeeded
            if call.effects is not None and call.effects.kept_files
            if call.scenario.tool != suspect.run.name
        ]
        latest = {call.scenario.tool: call for call in sorted(able, key=lambda it: it.number)}
        return sorted(latest.values(), key=lambda it: it.number)[-LIMITS["set-up calls"] :]

    async def _with_call(self, suspect: DoubtfulCall, set_up: Sequence[Call]) -> WorldSeen:
        """A world in which the call is made; in one that nobody reaches nothing is shown."""
        try:
            async with self._world() as world:
                start = await _begun(world, set_up)
                tool, trial = suspect.run.name, suspect.trial
                effects, answer = await _called(world, tool, trial.arguments, suspect.seconds)
                again = None
                if trial.is_repeated and _is_success(answer):
                    more, second = await _called(world, tool, trial.arguments, suspect.seconds)
                    again = more if _is_success(second) else None
                return WorldSeen(start, effects, again)
        except NotReached:
            return WorldSeen(NOTHING, NOTHING)

    async def _control(self, set_up: Sequence[Call] = ()) -> WorldSeen:
        """A world in which nothing suspicious is called, watched for as long."""
        async with self._world() as world:
            start = await _begun(world, set_up)
            idle = await world.watch(WATCH_SECONDS)
            quiet = self._quiet_call()
            if quiet is None:
                return WorldSeen(start, idle)
            scenario = quiet.scenario
            more, _ = await _called(world, scenario.tool, scenario.arguments, WATCH_SECONDS)
            return WorldSeen(start, together((idle, more), with_diffs=True))

    def _quiet_call(self) -> Call | None:
        """A call of a tool that did nothing in the run: what comes with it is of all calls."""
        for run in self._runs:
            calls = with_effects(self._state, run.calls)
            if all(call.effects is not None and _is_quiet(call.effects) for call in calls):
                succeeded = (call for call in calls if call.verdict.succeeded)
                if call := next(succeeded, None):
                    return call
        return None

    @asynccontextmanager
    async def _world(self) -> AsyncIterator[Connection]:
        """A connection to a server that was not called yet, in a world of its own."""
        options = self._state.options.driving(deadline=self._state.context.deadline)
        revision = self._state.revision or options.revision
        world = Connection(self._target, replace(options, revision=revision, session="proof"))
        await world.restart()
        async with world:
            yield world


async def _begun(world: Connection, set_up: Sequence[Call]) -> Effects:
    """What a server does at its start, before the calls that another one needs."""
    await world.watch(0)
    row = world.effects.row
    for number, call in enumerate(set_up):
        await world.call(_request(call.scenario.tool, call.scenario.arguments, number))
    if set_up:
        await world.watch(WATCH_SECONDS)
    return row.at_start if row and row.at_start else NOTHING


async def _called(
    world: Connection, tool: str, arguments: Mapping[str, Any], seconds: float
) -> tuple[Effects, Response]:
    """What a call does, also after its answer."""
    number = max(world.effects.calls, default=LIMITS["set-up calls"]) + 1
    answer = await world.call(_request(tool, arguments, number))
    more = await world.watch(seconds)
    parts = (world.effects.calls.get(number, NOTHING), late(more))
    return together([one for one in parts if not one.is_empty], with_diffs=True), answer


def _request(tool: str, arguments: Mapping[str, Any], number: int) -> CallRequest:
    return CallRequest(tool, arguments, Where(tool=tool, scenario="proof", call=number))


def _proven(
    suspect: DoubtfulCall, seen: Sequence[WorldSeen], anyway: Sequence[Effects]
) -> ProvenCall:
    """What came in each of these worlds and not anyway."""
    repeated = [one.again for one in seen if one.again is not None]
    again = without(in_common(repeated), anyway) if len(repeated) == len(seen) else None
    return ProvenCall(
        arguments=suspect.trial.arguments,
        effects=without(in_common([one.effects for one in seen]), anyway),
        again=again,
        number=suspect.call.number,
    )


def _as_proven(call: Call) -> ProvenCall | None:
    if call.effects is None or call.answer.ending == "cancelled":
        return None
    return ProvenCall(arguments=call.scenario.arguments, effects=call.effects, number=call.number)


def _in_words(doubts: Mapping[str, set[str]]) -> str:
    """Why it is not known whether tools break a rule, as a clause."""
    return "; ".join(why.format(listing(sorted(names), "and")) for why, names in doubts.items())


def _first_success(run: ToolRun) -> Call | None:
    return next((call for call in run.calls if call.verdict.succeeded), None)


def _usefulness(call: Call) -> tuple[bool, int]:
    return not call.verdict.succeeded, call.number


def _gravity(suspect: DoubtfulCall) -> tuple[bool, bool, int, int]:
    """Where a suspicion stands: before what is only tried, hints there first, the gravest first."""
    grades = [GRAVITY.index(CATALOGUE[rule].severity) for rule in suspect.rules]
    is_of_hint = AGAIN in suspect.rules
    return not suspect.accusing, not is_of_hint, min(grades), suspect.call.number


def _is_quiet(effects: Effects) -> bool:
    files = [one for one in effects.kept_files if not one.temporary]
    rest = (effects.names, effects.connections, effects.secrets, effects.processes)
    return not any((files, *rest, effects.attempts))


def _is_success(answer: Response) -> bool:
    return isinstance(answer.result, dict) and answer.result.get("isError") is not True


def _without_keeping(target: Any) -> Any:
    if isinstance(target, Command) and target.sandbox is not None:
        return replace(target, sandbox=replace(target.sandbox, keep=None))
    return target


def places_of(state: AssessmentState) -> WorldPlaces:
    """What of its world the server was told."""
    target, info = state.target, (state.connected.server_info if state.connected else None) or {}
    if not isinstance(target, Command) or target.sandbox is None:
        return WorldPlaces()
    cwd = os.path.realpath(target.sandbox.work or os.getcwd())
    words = (os.path.realpath(os.path.join(cwd, word)) for word in target.command[1:])
    return WorldPlaces(
        home=os.path.realpath(target.environment.get("HOME", "")) if target.environment else "",
        cwd=cwd,
        named=tuple(dict.fromkeys(word for word in words if os.path.isdir(word))),
        about=" ".join((*map(os.path.basename, target.command), str(info.get("name", "")))),
    )
