"""Tools that only read, asked before and after calls of others: what do those really change?"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Any, Final, TypeAlias

import orjson
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.drive.gate import Withdrawn
from mcp_assay.drive.rounds import Told
from mcp_assay.drive.trying import Trier
from mcp_assay.model.call import Asking, Call, Observation, Trial
from mcp_assay.model.scenario import AGAIN, COMPARED, Scenario
from mcp_assay.spec.changing_verbs import words_of
from mcp_assay.spec.word_lists import word_set

MOST_WITNESSES: Final = 2
MOST_SUSPECTS: Final = 20
MOST_CALLS: Final = 150
"""All witnesses and suspects together are called no more often than this."""
ROUNDS: Final = 2
"""So often must a witness have changed, and each time only then."""
WAIT: Final = 1.2
"""Seconds that are waited to see whether a witness changes by itself: longer than a round."""
LONGEST_ROUND: Final = 1.0
"""Seconds; what changes in a longer time may have changed by itself, so slow calls are left out."""
TELLING_OF_CALLS: Final = word_set(
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


class Witness(Struct, frozen=True):
    """A tool that only reads, and a call that it answers always the same."""

    tool: dict[str, Any]
    scenario: Scenario


class Suspect(Struct, frozen=True):
    """A tool with a hint, a call of it that succeeded, and one that was refused if there is one."""

    trial: Trial
    asking: Asking
    call: Call
    refused: Call | None

    @property
    def changed_nothing(self) -> bool:
        """Whether witnesses looked at it, and none of them ever saw a change."""
        seen = [one for one in self.trial.observations if one.asking == self.asking]
        return bool(seen) and all(one.is_steady and not one.is_changed for one in seen)


class Witnesses:
    """Asks witnesses around the calls of one run; the trials get to know what they said."""

    def __init__(self, trier: Trier, told: Told) -> None:
        self.calls: Final[list[Call]] = []
        """Every call that was made for it."""
        self.decided: Final[set[str]] = set()
        """The rules about hints that were judged by it."""
        self.held: Final[set[tuple[str, str]]] = set()
        """The tools, each with a hint, whose calls changed nothing that a witness can see."""
        self._trier: Final = trier
        self._told: Final = told

    async def observe(self, trials: Sequence[Trial]) -> None:
        """Find out what tools change that claim to change nothing, or nothing more."""
        kept = [trial for trial in trials if trial.name not in self._trier.resets]
        witnesses, suspects = witnesses_among(kept), suspects_among(kept)
        try:
            for asking, rule in DECIDES.items() if witnesses else ():
                some = [
                    one for one in suspects if one.asking == asking and _can_see(witnesses, one)
                ]
                if asking == "repeats" or (some and await self._is_any_changing(witnesses, some)):
                    for suspect in some:
                        await self._accuse(suspect, witnesses)
                self.decided.update([rule] if some else ())
        except (Enough, Withdrawn):
            return

    async def _is_any_changing(
        self, witnesses: Sequence[Witness], suspects: Sequence[Suspect]
    ) -> bool:
        """Whether any witness changes while all readers are called again: mostly none does."""
        before = [await self._asked(witness) for witness in witnesses]
        again = [await self._called(suspect.trial, suspect.call) for suspect in suspects]
        if before != [await self._asked(witness) for witness in witnesses]:
            return True
        self._clear(
            one for one, call in zip(suspects, again, strict=True) if call.verdict.succeeded
        )
        return False

    async def _accuse(self, suspect: Suspect, witnesses: Sequence[Witness]) -> None:
        """Let each witness look at a tool, until one has seen it change something."""
        if suspect.asking == "repeats":
            await self._called(suspect.trial, suspect.call)
        for witness in witnesses:
            if witness.tool is not suspect.trial.tool and await self._has_seen(witness, suspect):
                await self._control(witness, suspect)
                return
        if suspect.changed_nothing:
            self._clear([suspect])

    def _clear(self, suspects: Iterable[Suspect]) -> None:
        self.held.update((one.trial.name, HINTS[one.asking]) for one in suspects)

    async def _has_seen(self, witness: Witness, suspect: Suspect) -> bool:
        """Whether the witness changed in every round, and each time only with the call."""
        for _ in range(ROUNDS):
            seen = await self._look(witness, suspect)
            if seen is None or not (seen.is_steady and seen.is_changed):
                return False
        return True

    async def _look(self, witness: Witness, suspect: Suspect) -> Observation | None:
        """One round; None where the call did not succeed this time, or took too long."""
        again: list[Call] = []

        async def repeat() -> None:
            again.append(await self._called(suspect.trial, suspect.call))

        began = asyncio.get_running_loop().time()
        seen = await self._round(witness, suspect.asking, suspect.call, repeat)
        took = asyncio.get_running_loop().time() - began
        if took > LONGEST_ROUND or not again[0].verdict.succeeded:
            return None
        suspect.trial.observations.append(seen)
        return seen

    async def _control(self, witness: Witness, suspect: Suspect) -> None:
        """Look whether the witness changes where nothing was done."""
        trial, refused = suspect.trial, suspect.refused
        if refused is not None:
            step: Step = partial(self._called, trial, refused)
            trial.observations.append(await self._round(witness, "refused", refused, step))
        waiting = partial(asyncio.sleep, WAIT)
        trial.observations.append(await self._round(witness, "waits", suspect.call, waiting))

    async def _round(self, witness: Witness, asking: Asking, call: Call, step: Step) -> Observation:
        before = (await self._asked(witness), await self._asked(witness))
        await step()
        after = (await self._asked(witness), await self._asked(witness))
        return Observation(
            witness=witness.scenario.tool,
            asking=asking,
            call=call.number,
            before=before,
            after=after,
        )

    async def _asked(self, witness: Witness) -> str:
        return answer_key(await self._made(witness.tool, witness.scenario))

    async def _called(self, trial: Trial, call: Call) -> Call:
        return await self._made(trial.tool, call.scenario)

    async def _made(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        if len(self.calls) >= MOST_CALLS:
            raise Enough
        self.calls.append(await self._trier.called(tool, replace(scenario, name=COMPARED)))
        self._told(self.calls[-1])
        if self.calls[-1].answer.ending != "answered":
            raise Enough
        return self.calls[-1]


def witnesses_among(trials: Sequence[Trial]) -> list[Witness]:
    """A few tools that only read, and gave the same answer to the same call."""
    steady = ((trial, _repeated(trial)) for trial in trials if not _tells_of_calls(trial))
    found = (Witness(trial.tool, scenario) for trial, scenario in steady if scenario is not None)
    return list(islice(found, MOST_WITNESSES))


def _can_see(witnesses: Sequence[Witness], suspect: Suspect) -> bool:
    """Whether there is a witness besides the tool itself, whose own answers do not count."""
    return any(witness.tool is not suspect.trial.tool for witness in witnesses)


def suspects_among(trials: Sequence[Trial]) -> list[Suspect]:
    """The tools whose hints can be held against what others see."""
    found = []
    for trial in trials:
        asking = _asking(trial.tool)
        call = _first(trial, lambda call: call.verdict.succeeded and _is_quick(call))
        refused = _first(
            trial, lambda call: call.scenario.valid is False and call.verdict.outcome == "passed"
        )
        if asking is not None and call is not None:
            found.append(Suspect(trial, asking, call, refused))
    return found[:MOST_SUSPECTS]


def answer_key(call: Call) -> str:
    """What equal answers have in common; each answer that cannot be compared is one of its own."""
    result = call.answer.result
    if not isinstance(result, dict):
        return f"no result of call {call.number}"
    try:
        told = {name: value for name, value in result.items() if name != "_meta"}
        return sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()
    except TypeError:
        return f"no text of call {call.number}"


def _tells_of_calls(trial: Trial) -> bool:
    return not TELLING_OF_CALLS.isdisjoint(words_of(trial.name))


def _repeated(trial: Trial) -> Scenario | None:
    """A call that was made twice, and answered in the same way."""
    again = _first(trial, lambda call: call.scenario.name == AGAIN and _is_quick(call))
    if again is None:
        return None
    arguments = again.scenario.arguments
    keys = {answer_key(call) for call in trial.calls if call.scenario.arguments == arguments}
    return again.scenario if len(keys) == 1 else None


def _asking(tool: dict[str, Any]) -> Asking | None:
    hints = tool.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    if hints.get("readOnlyHint") is True:
        return "reads"
    return "repeats" if hints.get("idempotentHint") is True else None


def _is_quick(call: Call) -> bool:
    return call.answer.seconds <= LONGEST_ROUND


def _first(trial: Trial, is_wanted: Callable[[Call], bool]) -> Call | None:
    return next(filter(is_wanted, trial.calls), None)
