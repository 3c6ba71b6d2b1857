"""What calls of a tool came to, and whether another one may still tell something new."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import FURTHER, PlannedPlace, Scenario
from mcp_assay.model.verdict import ErrorKind, ScenarioVerdict, ValidationResult
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.scenario.arguments import key_of
from mcp_assay.text.secrets import texts_in
from mcp_assay.wire.pointer import pointer

OutcomeKey: TypeAlias = tuple[str, tuple[str, ...]]
"""How a call failed: its trouble, and where that happened or in which words it was told."""

TRACED: Final = frozenset({"crashed", "died", "timed_out", "no_content"})
"""Troubles that a trace on standard error tells apart."""
REPEATED: Final = TRACED | {"environment"}
"""Troubles that tell nothing new when they come again in the same way."""
MOST_FURTHER: Final = 12
"""So often a failure comes again, at most, before a tool is left alone."""
MOST_IN_VAIN: Final = 8
"""So many calls of a tool are made after a failure that came again and is all there was."""
FEW_IN_VAIN: Final = 4
"""So many after several tools on end whose dependencies fail: mostly all need the same."""
MOST_ALIKE: Final = 4
"""So many calls of a sort, and no other, fail alike before those are left out that try nothing
else."""
MOST_ADRIFT: Final = 6
"""So many valid calls, and so many others, are made of a tool whose dependencies fail each time."""
FEW_ADRIFT: Final = 2
"""So many are made after several such tools on end."""
SEVERAL: Final = 3
LONGEST_COMPARED: Final = 2000
"""Characters of an error that are compared."""
SHORTEST_SENT: Final = 2
MOST_SENT: Final = 50
_VARYING: Final = re.compile(r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|`[^`\n]{0,200}`|0x[0-9a-f]+|\d+")
"""The parts of an error that differ though the fault is the same: what is quoted, and numbers."""


def outcome_key(call: Call) -> OutcomeKey | None:
    """How a call failed; None where it did not. Equal for calls that fail of the same fault.

    Wrappers say the same of every exception, so a trace on standard error counts for more.
    """
    trouble = call.verdict.trouble
    if trouble not in REPEATED:
        return None
    raised = call.answer.raised if trouble in TRACED else None
    return trouble, raised.bug if raised and raised.place else tuple(_words(call))


def _words(call: Call) -> Iterator[str]:
    """What the answer says, without what was sent and without other parts that vary."""
    message = call.answer.error.get("message") if call.answer.error else None
    texts = [message] if isinstance(message, str) else texts_of(call.answer.result)
    sent = {text for _, text in texts_in(call.scenario.arguments) if len(text) >= SHORTEST_SENT}
    for text in texts[:1]:
        bare = text[:LONGEST_COMPARED]
        for value in sorted(sent, key=len, reverse=True)[:MOST_SENT]:
            bare = bare.replace(value, "")
        yield " ".join(_VARYING.sub("", bare.lower()).split())


class KnownOutcomes:
    """The outcomes of one tool's calls, as far as they tell whether more calls are of use."""

    def __init__(
        self, calls: Iterable[Call] = (), places: Iterable[PlannedPlace] = (), adrift: int = 0
    ) -> None:
        self.has_succeeded = False
        """Whether a call has succeeded: then no refusal teaches more, and none is in vain."""
        self.places: Iterable[PlannedPlace] = places
        is_few = adrift >= SEVERAL
        self._most_adrift: Final = FEW_ADRIFT if is_few else MOST_ADRIFT
        self._most_in_vain: Final = FEW_IN_VAIN if is_few else MOST_IN_VAIN
        self._calls: Final[list[tuple[Call, OutcomeKey | None]]] = []
        self._times: Final = Counter[OutcomeKey]()
        self._in_vain = 0
        """Calls since a failure came again that is all there was."""
        self._tried: Final[set[bytes]] = set()
        for call in calls:
            self.note(call)

    def note(self, call: Call) -> None:
        """Take note of a call that is judged."""
        key = outcome_key(call)
        self._in_vain = self._in_vain + 1 if self._is_all_alike() else 0
        self._calls.append((call, key))
        self.has_succeeded |= call.verdict.succeeded
        self._tried.update(self._features(call.scenario))
        if key is not None:
            self._times[key] += 1

    @property
    def times(self) -> int:
        """How often the failure came that came most often."""
        return max(self._times.values(), default=0)

    @property
    def is_adrift(self) -> bool:
        """Whether what failed most often was what the tool depends on."""
        return bool(self._times) and self._times.most_common(1)[0][0][0] == "environment"

    def tell_nothing_of(self, scenario: Scenario) -> bool:
        """Whether another call of this sort is of no use: the next failure would be the same."""
        if self.times > MOST_FURTHER:
            return True
        if self.has_succeeded or _is_usual(scenario):
            return False
        same = [one for one in self._calls if one[0].scenario.valid == scenario.valid]
        is_enough = self._in_vain >= self._most_in_vain
        return is_enough or self._lacks_dependencies(same) or self._repeats(same, scenario)

    def _is_all_alike(self) -> bool:
        """Whether all valid calls failed of the same, more than once."""
        keys = [key for call, key in self._calls if call.scenario.valid]
        return len(keys) > 1 and keys[0] is not None and keys.count(keys[0]) == len(keys)

    def _lacks_dependencies(self, same: list[tuple[Call, OutcomeKey | None]]) -> bool:
        """Whether the dependencies failed all calls of a sort.

        A valid call that was refused, or that waited in vain, shows no dependencies either.
        """
        adrift = sum(call.verdict.trouble == "environment" for call, _ in same)
        idle = sum(
            call.verdict.outcome == "unproven" or call.verdict.trouble == "timed_out"
            for call, _ in same
        )
        return len(same) - idle == adrift >= self._most_adrift

    def _repeats(self, same: list[tuple[Call, OutcomeKey | None]], scenario: Scenario) -> bool:
        """Whether all calls of a sort failed alike, and this one tries nothing else."""
        keys = {key for _, key in same}
        only = next(iter(keys)) if len(keys) == 1 else None
        is_one = only is not None and only[0] != "environment" and len(same) >= MOST_ALIKE
        return is_one and self._tried.issuperset(self._features(scenario))

    def _features(self, scenario: Scenario) -> Iterator[bytes]:
        """The arguments that a call has, and their values where few are possible."""
        listed = {place.pointer for place in self.places if place.listed is not None}
        for name, value in scenario.arguments.items():
            yield key_of(name)
            if isinstance(value, bool) or pointer((name,)) in listed:
                yield key_of([name, value])


def _is_usual(scenario: Scenario) -> bool:
    """Whether a sensible caller would make this call: what was learned since may be in it."""
    return scenario.category == "happy_path" and not scenario.name.startswith(FURTHER)


def is_adrift(calls: list[Call]) -> bool:
    """Whether the dependencies of a tool failed all valid calls."""
    valid = [call for call in calls if call.scenario.valid]
    return bool(valid) and all(call.verdict.trouble == "environment" for call in valid)


def size_of(arguments: dict[str, Any]) -> tuple[int, bytes]:
    """What orders arguments by how small they are."""
    text = key_of(arguments)
    return len(text), text


class FreeCalls:
    """What calls came to in a run that nothing restricted, beside those under the least policy.

    A policy grants what successful calls did. Another call may be refused more under it, which
    shows nothing of what the server needs: it keeps the verdict that it had.
    """

    def __init__(self, runs: Iterable[ToolRun] = ()) -> None:
        self._calls: Final = defaultdict[tuple[str, bytes], deque[Call]](deque)
        for run in runs:
            for call in run.calls:
                self._calls[_key(call.scenario)].append(call)

    def vain(self, scenario: Scenario, verdict: ScenarioVerdict) -> Call | None:
        """The same call, where it succeeds neither now nor then; the first one first."""
        calls = self._calls.get(_key(scenario))
        if not calls:
            return None
        free = calls.popleft() if len(calls) > 1 else calls[0]
        return None if verdict.succeeded or free.verdict.succeeded else free


def is_refused_otherwise(free: Call | None, result: ValidationResult | None) -> bool:
    """Whether a call that was in vain is now refused in another way: by the policy, it seems."""
    return free is not None and _error_kind(free.result) != _error_kind(result)


def _key(scenario: Scenario) -> tuple[str, bytes]:
    return scenario.tool, key_of(scenario.arguments)


def _error_kind(result: ValidationResult | None) -> ErrorKind | None:
    return result.error_verdict.kind if result and result.error_verdict else None
