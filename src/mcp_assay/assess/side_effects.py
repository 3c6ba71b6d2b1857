"""Tools that only read, asked before and after calls of others: what do those really change?"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.assess.observer_tools import (
    LONGEST_ROUND,
    Observers,
    ObserverTool,
    answer_key,
    is_quick,
    observers_among,
    observers_for,
)
from mcp_assay.assess.permissions import PermissionWithdrawn
from mcp_assay.assess.proposed_annotations import is_idle_reader
from mcp_assay.assess.tool_runner import ToolRunner
from mcp_assay.assess.tool_runs import OnCall
from mcp_assay.model.call import Asking, Call, Observation, ToolRun
from mcp_assay.model.probe import OpenStep
from mcp_assay.model.scenario import COMPARED, Scenario
from mcp_assay.rules.behaviour.hints import LEAST_ROUNDS, is_contradicted

MOST_CALLS: Final = 400
"""All observers and suspects together are called no more often than this."""
MOST_SECONDS: Final = 30.0
"""So long is compared: a slow server has other things to show."""
MOST_STIMULI: Final = 6
"""So many calls of tools that may change something are made to see who reacts to them."""
DIFFERENT_CALLS: Final = 2
"""So many calls of a tool take turns: what is only set anew does not change by an equal call."""
WAIT: Final = 1.2
"""Seconds that are waited to see whether an observer changes by itself: longer than a round."""

MOST_REPEATED: Final = 120
"""So many calls of all tools are made twice in a row, each in turn."""
REPEAT_SECONDS: Final = 15.0

DECIDES: Final[Mapping[Asking, str]] = {"reads": "DRIFT-008", "repeats": "DRIFT-009"}
HINTS: Final[Mapping[Asking, str]] = {"reads": "readOnlyHint", "repeats": "idempotentHint"}
HINT_OF: Final = {rule: HINTS[asking] for asking, rule in DECIDES.items()}
"""The hint that each rule is about."""
NO_HINT: Final[Mapping[Asking, str]] = {
    "reads": "no tool has readOnlyHint: true",
    "repeats": "no tool that may change something has idempotentHint: true",
}
NOT_ALL_LISTED: Final = "not all tools were listed"

Step: TypeAlias = Callable[[], Awaitable[object]]


class Unconfirmed(Enum):
    """Why it is not known whether a tool does what its hint says, as the end of a sentence."""

    NOT_CALLED = "had no call that succeeded"
    SLOW = "answered too slowly to be called again"
    NO_OBSERVER = "had no other tool that answers the same call always the same"
    NO_REACTION = "had no tool on the same subject that is known to react to any call"
    UNSTEADY = "gave no clear comparison: results changed by themselves, or a repeated call failed"
    LIMIT = f"came after {MOST_CALLS} calls or {MOST_SECONDS:.0f} seconds of comparison"
    LOST = "came after a call that got no response"
    NOT_COMPARED = "had no comparison before the calls ended"


class Enough(Exception):
    """So many calls were made, or one was lost, that the rest is left open."""

    def __init__(self, why: Unconfirmed) -> None:
        super().__init__(why.value)
        self.why: Final = why


class SuspectedEffect(Struct, frozen=True):
    """A tool with a hint, calls of it that succeeded, one that was refused, and who looks at it."""

    run: ToolRun
    asking: Asking
    calls: tuple[Call, ...]
    """Calls with different arguments."""
    refused: Call | None
    observers: Observers

    @property
    def key(self) -> tuple[str, str]:
        """The tool and its hint."""
        return self.run.name, HINTS[self.asking]


class SideEffectCheck:
    """Asks observers around the calls of one assessment, and keeps what they said."""

    def __init__(self, runner: ToolRunner, on_call: OnCall) -> None:
        self.calls: Final[list[Call]] = []
        """Every call that was made for it."""
        self.held: Final[set[tuple[str, str]]] = set()
        """The tools, each with a hint, whose calls changed nothing that would have been seen."""
        self.observations: Final[dict[str, list[Observation]]] = defaultdict(list)
        """By tool, what observers answered around calls of it."""
        self._unconfirmed: Final[dict[tuple[str, str], Unconfirmed]] = {}
        self._quiet: Final[dict[tuple[str, str], SuspectedEffect]] = {}
        """The tools around whose calls no observer changed."""
        self._reacting: Final[set[str]] = set()
        """The observers that changed with a call, and only then."""
        self._turns: Final[Counter[str]] = Counter()
        self._runner: Final = runner
        self._on_call: Final = on_call
        self._has_begun = False
        self._ends_at = 0.0

    async def observe(self, runs: Sequence[ToolRun]) -> None:
        """Find out what tools change that claim to change nothing, or nothing more."""
        kept = [run for run in runs if run.name not in self._runner.resets]
        observers = observers_among(kept)
        suspects = list(self._suspects_among(kept, observers))
        self._has_begun, self._ends_at = True, _now() + MOST_SECONDS
        left = Unconfirmed.NO_REACTION
        try:
            await self._look_at(suspects)
            await self._find_reacting(kept)
        except Enough as end:
            left = end.why
        except PermissionWithdrawn:
            left = Unconfirmed.NOT_COMPARED
        for suspect in suspects:
            self._settle(suspect, left)
        with suppress(Enough, PermissionWithdrawn):
            await self._look_at(list(_undeclared_readers(kept, observers)))

    async def repeat(self, runs: Sequence[ToolRun]) -> None:
        """Make calls of each tool twice in a row, where nothing lasts that they do."""
        self._ends_at, most = _now() + REPEAT_SECONDS, len(self.calls) + MOST_REPEATED
        with suppress(Enough, PermissionWithdrawn):
            for run in runs:
                if run.name in self._runner.resets:
                    continue
                for call in _telling_calls(run):
                    if len(self.calls) >= most:
                        return
                    await self._made(run.tool, call.scenario)
                    await self._made(run.tool, call.scenario)

    def left_open(
        self, tools: Iterable[dict[str, Any]], *, is_whole: bool = True
    ) -> Iterator[OpenStep]:
        """The rules that these listed tools leave open, each with what is missing.

        A rule is kept only where every tool with its hint was looked at by one that reacts.
        """
        hinted = [(str(tool.get("name", "")), _asking(tool)) for tool in tools]
        for asking, rule in DECIDES.items():
            names = [name for name, its in hinted if its == asking]
            missing = [name for name in names if (name, HINTS[asking]) not in self.held]
            if missing:
                yield OpenStep(rule, "undecided", self._reason(asking, missing, len(names)))
            elif not is_whole:
                yield OpenStep(rule, "undecided", NOT_ALL_LISTED)
            elif not names:
                yield OpenStep(rule, "not_declared", NO_HINT[asking])

    def _reason(self, asking: Asking, missing: Sequence[str], of: int) -> str:
        hint = HINTS[asking]
        known = self._unconfirmed
        other = Unconfirmed.NOT_CALLED if self._has_begun else Unconfirmed.NOT_COMPARED
        kinds = Counter(known.get((name, hint), other) for name in missing)
        parts = [f"{kinds[kind]} {kind.value}" for kind in Unconfirmed if kind in kinds]
        return f"not shown for {len(missing)} of {of} tools with {hint}: {'; '.join(parts)}"

    def _suspects_among(
        self, runs: Sequence[ToolRun], observers: Sequence[ObserverTool]
    ) -> Iterator[SuspectedEffect]:
        """The tools whose hints can be compared with what others see; why not, of the others."""
        for run in runs:
            asking = _asking(run.tool)
            if asking is None:
                continue
            calls, looking = different_calls(run), observers_for(run.tool, observers)
            why = _why_not(run, calls, looking)
            self._unconfirmed[run.name, HINTS[asking]] = why or Unconfirmed.NOT_COMPARED
            if why is None:
                yield SuspectedEffect(run, asking, calls, _refused(run), looking)

    async def _look_at(self, suspects: Sequence[SuspectedEffect]) -> None:
        """Compare what others answer before and after calls of each of these tools."""
        groups = defaultdict[tuple[str, ...], list[SuspectedEffect]](list)
        for one in suspects:
            if one.asking == "reads":
                groups[tuple(it.name for it in one.observers.chosen)].append(one)
        changing: list[SuspectedEffect] = []
        for group in groups.values():
            changing += await self._changing(group)
        for one in (*changing, *(one for one in suspects if one.asking == "repeats")):
            await self._accuse(one)

    async def _changing(self, group: Sequence[SuspectedEffect]) -> list[SuspectedEffect]:
        """Those of a group around whose calls an observer changed, found by halves: mostly none."""
        observers = group[0].observers.chosen
        before = await self._all_asked(observers)
        again: list[Call] = []
        for one in group:
            again += [await self._made(one.run.tool, self._next_call(one).scenario)]
        after = await self._all_asked(observers[::-1])  # the last one nearest to them
        if before == after[::-1]:
            for one, call in zip(group, again, strict=True):
                self._note_quiet(one, is_repeated=call.verdict.succeeded)
            return []
        if len(group) == 1:
            return [*group]
        half = len(group) // 2
        return [*await self._changing(group[:half]), *await self._changing(group[half:])]

    def _note_quiet(self, suspect: SuspectedEffect, *, is_repeated: bool) -> None:
        if is_repeated:
            self._quiet[suspect.key] = suspect
        else:
            self._unconfirmed[suspect.key] = Unconfirmed.UNSTEADY

    async def _accuse(self, suspect: SuspectedEffect) -> None:
        """Let each observer look at a tool, until one has seen it change something."""
        if suspect.asking == "repeats":
            await self._called(suspect, suspect.calls[0])
        self._unconfirmed[suspect.key] = Unconfirmed.UNSTEADY
        for observer in suspect.observers.chosen:
            if await self._has_seen(observer, suspect):
                await self._control(observer, suspect)
                if is_contradicted(self.observations[suspect.run.name], suspect.asking):
                    self._reacting.add(observer.name)
                return
        if self._changed_nothing(suspect):
            self._quiet[suspect.key] = suspect

    def _changed_nothing(self, suspect: SuspectedEffect) -> bool:
        """Whether observers looked at it, and none of them ever saw a change."""
        known = self.observations.get(suspect.run.name, ())
        seen = [one for one in known if one.asking == suspect.asking]
        return bool(seen) and all(one.is_steady and not one.is_changed for one in seen)

    def _settle(self, suspect: SuspectedEffect, left: Unconfirmed) -> None:
        """Say of a tool that its hint held only where a related observer would have shown more."""
        if suspect.key in self._quiet:
            if not self._reacting.isdisjoint(suspect.observers.related):
                self.held.add(suspect.key)
            self._unconfirmed[suspect.key] = left
        elif self._unconfirmed[suspect.key] is Unconfirmed.NOT_COMPARED:
            self._unconfirmed[suspect.key] = left

    async def _has_seen(self, observer: ObserverTool, suspect: SuspectedEffect) -> bool:
        """Whether the observer changed in every round, and each time only with the call."""
        if observer.is_about_calls and self._unrelated(observer, suspect) is None:
            return False
        for _ in range(LEAST_ROUNDS):
            seen = await self._look(observer, suspect)
            if seen is None or not (seen.is_steady and seen.is_changed):
                return False
        return True

    async def _look(self, observer: ObserverTool, suspect: SuspectedEffect) -> Observation | None:
        """One round; None where the call did not succeed this time, or took too long."""
        again: list[Call] = []
        call = suspect.calls[0] if suspect.asking == "repeats" else self._next_call(suspect)

        async def repeat() -> None:
            again.append(await self._called(suspect, call))

        began = _now()
        seen = await self._round(observer, suspect.asking, call, repeat)
        if _now() - began > LONGEST_ROUND or not again[0].verdict.succeeded:
            return None
        self.observations[suspect.run.name].append(seen)
        return seen

    async def _control(self, observer: ObserverTool, suspect: SuspectedEffect) -> None:
        """Look whether the observer changes where the tool did nothing."""
        call, seen = suspect.calls[0], self.observations[suspect.run.name]
        if suspect.refused is not None:
            refused: Step = partial(self._called, suspect, suspect.refused)
            seen.append(await self._round(observer, "refused", suspect.refused, refused))
        if other := self._unrelated(observer, suspect):
            unrelated: Step = partial(self._called, other, other.calls[0])
            seen.append(await self._round(observer, "unrelated", call, unrelated))
        seen.append(await self._round(observer, "waits", call, partial(asyncio.sleep, WAIT)))

    def _unrelated(
        self, observer: ObserverTool, suspect: SuspectedEffect
    ) -> SuspectedEffect | None:
        """A tool that changed nothing: an observer that changes with its calls counts all calls."""
        names = (observer.name, suspect.run.name)
        return next((one for one in self._quiet.values() if one.run.name not in names), None)

    async def _find_reacting(self, runs: Sequence[ToolRun]) -> None:
        """Call tools that may change something, to learn which observers would show that."""
        wanted = {
            one.name: one
            for suspect in self._quiet.values()
            for one in suspect.observers.chosen
            if one.name in suspect.observers.related - self._reacting
        }
        found: dict[str, ObserverTool] = {}
        for run, call in _stimuli(runs):
            if not wanted:
                break
            for one in observers_for(run.tool, [*wanted.values()]).chosen:
                step = partial(self._made, run.tool, call.scenario)
                seen = await self._round(one, "reads", call, step)
                if seen.is_steady and seen.is_changed:
                    found[one.name] = wanted.pop(one.name)
        await self._wait_for(found)

    async def _wait_for(self, observers: Mapping[str, ObserverTool]) -> None:
        """Leave out the observers that change by themselves."""
        before = {name: await self._asked(one) for name, one in observers.items()}
        await asyncio.sleep(WAIT if observers else 0)
        for name, one in observers.items():
            if await self._asked(one) == before[name]:
                self._reacting.add(name)

    async def _round(
        self, observer: ObserverTool, asking: Asking, call: Call, step: Step
    ) -> Observation:
        before = (await self._asked(observer), await self._asked(observer))
        await step()
        after = (await self._asked(observer), await self._asked(observer))
        return Observation(
            reader=observer.name,
            asking=asking,
            call=call.number,
            before=before,
            after=after,
        )

    def _next_call(self, suspect: SuspectedEffect) -> Call:
        """The calls of a tool in turns; the run before ended with the first of them."""
        self._turns[suspect.run.name] += 1
        return suspect.calls[self._turns[suspect.run.name] % len(suspect.calls)]

    async def _all_asked(self, observers: Sequence[ObserverTool]) -> list[str]:
        keys: list[str] = []
        for one in observers:
            keys += [answer_key(await self._made(one.tool, one.scenario))]
        return keys

    async def _asked(self, observer: ObserverTool) -> str:
        return answer_key(await self._made(observer.tool, observer.scenario))

    async def _called(self, suspect: SuspectedEffect, call: Call) -> Call:
        return await self._made(suspect.run.tool, call.scenario)

    async def _made(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        if len(self.calls) >= MOST_CALLS or _now() > self._ends_at:
            raise Enough(Unconfirmed.LIMIT)
        self.calls.append(await self._runner.call(tool, replace(scenario, name=COMPARED)))
        self._on_call(self.calls[-1])
        if self.calls[-1].answer.ending != "answered":
            raise Enough(Unconfirmed.LOST)
        return self.calls[-1]


def different_calls(run: ToolRun) -> tuple[Call, ...]:
    """A few quick calls that succeeded, with different arguments."""
    found: list[Call] = []
    for call in run.calls:
        is_new = all(call.scenario.arguments != one.scenario.arguments for one in found)
        if call.verdict.succeeded and is_quick(call) and is_new:
            found.append(call)
        if len(found) == DIFFERENT_CALLS:
            break
    return tuple(found)


def _telling_calls(run: ToolRun) -> tuple[Call, ...]:
    """Calls to be repeated: those first that changed something."""
    changing = [one for one in run.calls if one.effects is not None and one.effects.kept_files]
    others = [one for one in run.calls if one not in changing]
    return different_calls(replace(run, calls=(*changing, *others)))


def _undeclared_readers(
    runs: Iterable[ToolRun], observers: Sequence[ObserverTool]
) -> Iterator[SuspectedEffect]:
    """The tools that say in words alone that they read, and were watched changing no file."""
    for run in runs:
        calls, looking = different_calls(run), observers_for(run.tool, observers)
        can_be_seen = calls and looking.chosen and _asking(run.tool) is None
        if can_be_seen and is_idle_reader(run):
            yield SuspectedEffect(run, "reads", calls, _refused(run), looking)


def _stimuli(runs: Iterable[ToolRun]) -> list[tuple[ToolRun, Call]]:
    """Calls of tools that may change something and were called before; none that destroys."""
    able = [run for run in runs if _may_change(run.tool)]
    found = [(run, call) for run in able for call in reversed(different_calls(run))]
    return found[:MOST_STIMULI]


def _may_change(tool: Mapping[str, Any]) -> bool:
    hints = _annotations(tool)
    return hints.get("readOnlyHint") is not True and hints.get("destructiveHint") is not True


def _why_not(run: ToolRun, calls: Sequence[Call], observers: Observers) -> Unconfirmed | None:
    if not any(call.verdict.succeeded for call in run.calls):
        return Unconfirmed.NOT_CALLED
    if not calls:
        return Unconfirmed.SLOW
    return None if observers.chosen else Unconfirmed.NO_OBSERVER


def _refused(run: ToolRun) -> Call | None:
    return next(
        (
            call
            for call in run.calls
            if call.scenario.valid is False and call.verdict.outcome == "passed" and is_quick(call)
        ),
        None,
    )


def _asking(tool: Mapping[str, Any]) -> Asking | None:
    hints = _annotations(tool)
    if hints.get("readOnlyHint") is True:
        return "reads"
    return "repeats" if hints.get("idempotentHint") is True else None


def _annotations(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    hints = tool.get("annotations")
    return hints if isinstance(hints, dict) else {}


def _now() -> float:
    return asyncio.get_running_loop().time()
