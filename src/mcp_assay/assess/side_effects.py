"""Tools that only read, asked before and after calls of others: what do those really change?"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, TypeAlias

import orjson
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.assess.permissions import PermissionWithdrawn
from mcp_assay.assess.tool_runner import ToolRunner
from mcp_assay.assess.tool_runs import OnCall
from mcp_assay.model.call import Asking, Call, Observation, ToolRun
from mcp_assay.model.scenario import AGAIN, COMPARED, Scenario
from mcp_assay.text.digests import sha256
from mcp_assay.text.names import name_words, word_set

MOST_READERS: Final = 2
MOST_SUSPECTS: Final = 20
MOST_CALLS: Final = 150
"""All readers and suspects together are called no more often than this."""
ROUNDS: Final = 2
"""So often must a reader have changed, and each time only then."""
WAIT: Final = 1.2
"""Seconds that are waited to see whether a reader changes by itself: longer than a round."""
LONGEST_ROUND: Final = 1.0
"""Seconds; what changes in a longer time may have changed by itself, so slow calls are left out."""
ABOUT_CALLS: Final = word_set(
    "stats statistic statistics metric metrics usage history log logs recent last status health "
    "uptime time date now clock session sessions cache audit telemetry activity random quota limits"
)
"""Words of tools whose answers may change with every call, or with time, and rightly so."""

DECIDES: Final[Mapping[Asking, str]] = {"reads": "DRIFT-008", "repeats": "DRIFT-009"}
HINTS: Final[Mapping[Asking, str]] = {"reads": "readOnlyHint", "repeats": "idempotentHint"}
HINT_OF: Final = {rule: HINTS[asking] for asking, rule in DECIDES.items()}
"""The hint that each rule is about."""

Step: TypeAlias = Callable[[], Awaitable[object]]


class Enough(Exception):
    """So many calls were made, or one was lost, that the rest is left open."""


class ObserverTool(Struct, frozen=True):
    """A tool that only reads, and a call that it answers always the same."""

    tool: dict[str, Any]
    scenario: Scenario


class SuspectedEffect(Struct, frozen=True):
    """A tool with a hint, a call of it that succeeded, and one that was refused if there is one."""

    run: ToolRun
    asking: Asking
    call: Call
    refused: Call | None


class SideEffectCheck:
    """Asks readers around the calls of one assessment, and keeps what they said."""

    def __init__(self, runner: ToolRunner, on_call: OnCall) -> None:
        self.calls: Final[list[Call]] = []
        """Every call that was made for it."""
        self.decided: Final[set[str]] = set()
        """The rules about hints that were judged by it."""
        self.held: Final[set[tuple[str, str]]] = set()
        """The tools, each with a hint, whose calls changed nothing that a reader can see."""
        self.observations: Final[dict[str, list[Observation]]] = defaultdict(list)
        """By tool, what readers answered around calls of it."""
        self._runner: Final = runner
        self._on_call: Final = on_call

    async def observe(self, runs: Sequence[ToolRun]) -> None:
        """Find out what tools change that claim to change nothing, or nothing more."""
        kept = [run for run in runs if run.name not in self._runner.resets]
        readers, suspects = readers_among(kept), suspects_among(kept)
        try:
            for asking, rule in DECIDES.items() if readers else ():
                some = [one for one in suspects if one.asking == asking and _can_see(readers, one)]
                if asking == "repeats" or (some and await self._find_changing(readers, some)):
                    for suspect in some:
                        await self._accuse(suspect, readers)
                self.decided.update([rule] if some else ())
        except (Enough, PermissionWithdrawn):
            return

    async def _find_changing(
        self, readers: Sequence[ObserverTool], suspects: Sequence[SuspectedEffect]
    ) -> bool:
        """Whether any reader changes while all readers are called again: mostly none does."""
        before = [await self._asked(reader) for reader in readers]
        again = [await self._called(suspect.run, suspect.call) for suspect in suspects]
        if before != [await self._asked(reader) for reader in readers]:
            return True
        self._clear(
            one for one, call in zip(suspects, again, strict=True) if call.verdict.succeeded
        )
        return False

    async def _accuse(self, suspect: SuspectedEffect, readers: Sequence[ObserverTool]) -> None:
        """Let each reader look at a tool, until one has seen it change something."""
        if suspect.asking == "repeats":
            await self._called(suspect.run, suspect.call)
        for reader in readers:
            if reader.tool is not suspect.run.tool and await self._has_seen(reader, suspect):
                await self._control(reader, suspect)
                return
        if self._changed_nothing(suspect):
            self._clear([suspect])

    def _changed_nothing(self, suspect: SuspectedEffect) -> bool:
        """Whether readers looked at it, and none of them ever saw a change."""
        known = self.observations.get(suspect.run.name, ())
        seen = [one for one in known if one.asking == suspect.asking]
        return bool(seen) and all(one.is_steady and not one.is_changed for one in seen)

    def _clear(self, suspects: Iterable[SuspectedEffect]) -> None:
        self.held.update((one.run.name, HINTS[one.asking]) for one in suspects)

    async def _has_seen(self, reader: ObserverTool, suspect: SuspectedEffect) -> bool:
        """Whether the reader changed in every round, and each time only with the call."""
        for _ in range(ROUNDS):
            seen = await self._look(reader, suspect)
            if seen is None or not (seen.is_steady and seen.is_changed):
                return False
        return True

    async def _look(self, reader: ObserverTool, suspect: SuspectedEffect) -> Observation | None:
        """One round; None where the call did not succeed this time, or took too long."""
        again: list[Call] = []

        async def repeat() -> None:
            again.append(await self._called(suspect.run, suspect.call))

        began = asyncio.get_running_loop().time()
        seen = await self._round(reader, suspect.asking, suspect.call, repeat)
        took = asyncio.get_running_loop().time() - began
        if took > LONGEST_ROUND or not again[0].verdict.succeeded:
            return None
        self.observations[suspect.run.name].append(seen)
        return seen

    async def _control(self, reader: ObserverTool, suspect: SuspectedEffect) -> None:
        """Look whether the reader changes where nothing was done."""
        run, refused = suspect.run, suspect.refused
        seen = self.observations[run.name]
        if refused is not None:
            step: Step = partial(self._called, run, refused)
            seen.append(await self._round(reader, "refused", refused, step))
        waiting = partial(asyncio.sleep, WAIT)
        seen.append(await self._round(reader, "waits", suspect.call, waiting))

    async def _round(
        self, reader: ObserverTool, asking: Asking, call: Call, step: Step
    ) -> Observation:
        before = (await self._asked(reader), await self._asked(reader))
        await step()
        after = (await self._asked(reader), await self._asked(reader))
        return Observation(
            reader=reader.scenario.tool,
            asking=asking,
            call=call.number,
            before=before,
            after=after,
        )

    async def _asked(self, reader: ObserverTool) -> str:
        return answer_key(await self._made(reader.tool, reader.scenario))

    async def _called(self, run: ToolRun, call: Call) -> Call:
        return await self._made(run.tool, call.scenario)

    async def _made(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        if len(self.calls) >= MOST_CALLS:
            raise Enough
        self.calls.append(await self._runner.call(tool, replace(scenario, name=COMPARED)))
        self._on_call(self.calls[-1])
        if self.calls[-1].answer.ending != "answered":
            raise Enough
        return self.calls[-1]


def readers_among(runs: Sequence[ToolRun]) -> list[ObserverTool]:
    """A few tools that only read, and gave the same answer to the same call."""
    steady = ((run, _repeated(run)) for run in runs if not _is_about_calls(run))
    found = (ObserverTool(run.tool, scenario) for run, scenario in steady if scenario is not None)
    return list(islice(found, MOST_READERS))


def _can_see(readers: Sequence[ObserverTool], suspect: SuspectedEffect) -> bool:
    """Whether there is a reader besides the tool itself, whose own answers do not count."""
    return any(reader.tool is not suspect.run.tool for reader in readers)


def suspects_among(runs: Sequence[ToolRun]) -> list[SuspectedEffect]:
    """The tools whose hints can be held against what others see."""
    found = []
    for run in runs:
        asking = _asking(run.tool)
        call = _first(run, lambda call: call.verdict.succeeded and _is_quick(call))
        refused = _first(
            run, lambda call: call.scenario.valid is False and call.verdict.outcome == "passed"
        )
        if asking is not None and call is not None:
            found.append(SuspectedEffect(run, asking, call, refused))
    return found[:MOST_SUSPECTS]


def answer_key(call: Call) -> str:
    """What equal answers have in common; each answer that cannot be compared is one of its own."""
    result = call.answer.result
    if not isinstance(result, dict):
        return f"no result of call {call.number}"
    try:
        members = {name: value for name, value in result.items() if name != "_meta"}
        return sha256(orjson.dumps(members, option=orjson.OPT_SORT_KEYS)).hexdigest()
    except TypeError:
        return f"no text of call {call.number}"


def _is_about_calls(run: ToolRun) -> bool:
    return not ABOUT_CALLS.isdisjoint(name_words(run.name))


def _repeated(run: ToolRun) -> Scenario | None:
    """A call that was made twice, and answered in the same way."""
    again = _first(run, lambda call: call.scenario.name == AGAIN and _is_quick(call))
    if again is None:
        return None
    arguments = again.scenario.arguments
    keys = {answer_key(call) for call in run.calls if call.scenario.arguments == arguments}
    return again.scenario if len(keys) == 1 else None


def _asking(tool: dict[str, Any]) -> Asking | None:
    hints = tool.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    if hints.get("readOnlyHint") is True:
        return "reads"
    return "repeats" if hints.get("idempotentHint") is True else None


def _is_quick(call: Call) -> bool:
    return call.answer.seconds <= LONGEST_ROUND


def _first(run: ToolRun, is_wanted: Callable[[Call], bool]) -> Call | None:
    return next(filter(is_wanted, run.calls), None)
