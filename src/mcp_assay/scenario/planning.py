"""The scenarios of a tool, the most telling first: Tool -> Plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import Any, Final, TypeAlias

from mcp_assay.model.scenario import REFUSED_EXAMPLE, Place, Plan, Scenario
from mcp_assay.model.verdict import Category
from mcp_assay.scenario.crafting import Craft, key_of
from mcp_assay.scenario.keywords import types_of
from mcp_assay.scenario.limits import MAX_LEFT_OUT, RANDOM_FAULT_MISSES, RANDOM_MISSES
from mcp_assay.scenario.spots import Spot, put, without
from mcp_assay.scenario.values import Examples, Values
from mcp_assay.scenario.variations import (
    MISSING,
    Variation,
    each_value,
    edges,
    faults,
    first_fault,
    limits,
    maximum_is_effort,
    unknown,
)
from mcp_assay.scenario.whim import Mood
from mcp_assay.schema.checking import Schemas
from mcp_assay.wire.leaves import quoted
from mcp_assay.wire.pointer import pointer

Scenarios: TypeAlias = Iterator[Scenario]

_WHOLE: Final = Spot((), {}, None, is_required=True)
_FITS: Final = {"valid": True, "invalid": False}
_TOO_BUSY: Final = "was not tried: so large a value may only keep the server busy."
_KINDS: Final = ((each_value, 3), (limits, 2), (edges, 1), (faults, 1))
"""What is tried at every place, and how much of it in one round, while there is some."""


def plan(
    tool: Mapping[str, Any],
    *,
    seed: int,
    budget: int,
    values: Values,
    schemas: Schemas,
    at_random: bool = True,
) -> Plan:
    """What to try on a tool, in no more calls than the budget; never raises.

    Where the budget is larger than what has a reason, the rest is random, unless that is unwanted.
    """
    planning = Planning(
        tool, seed=seed, budget=budget, values=values, schemas=schemas, at_random=at_random
    )
    return Plan(scenarios=list(planning.scenarios), places=planning.places(), gaps=planning.gaps())


class Planning:
    """A plan in the making: each scenario is made when it is asked for; nothing raises.

    What was made by an earlier plan counts, and is not tried again.
    """

    def __init__(
        self,
        tool: Mapping[str, Any],
        *,
        seed: int,
        budget: int,
        values: Values,
        schemas: Schemas,
        at_random: bool = True,
        made: Sequence[Scenario] = (),
    ) -> None:
        craft = Craft(tool, seed, values, schemas)
        self._planner: Final = _Planner(craft, values.examples.get(craft.tool, Examples()), made)
        self._room: Final = max(budget - len(made), 0)
        self._budget: Final = budget
        self._at_random: Final = at_random
        self._telling: Final = self._planner.fitting(self._planner.telling())
        self.scenarios: Final = self._within_budget()
        """What to try, in no more calls than the budget."""

    def places(self) -> list[Place]:
        """What the schema says of the places that are varied."""
        return self._planner.places()

    def gaps(self) -> list[str]:
        """What is not tried; this makes the scenarios that nobody asked for up to now."""
        for _ in self.scenarios:
            continue
        left = sum(1 for _ in islice(self._telling, MAX_LEFT_OUT))
        return [*self._planner.gaps(), *_left_out(left, self._budget)]

    def _within_budget(self) -> Scenarios:
        random = self._planner.fitting(self._planner.random())
        more = random if self._at_random else iter(())
        return islice(chain(self._telling, more), self._room)


def _left_out(number: int, budget: int) -> list[str]:
    if number <= 0:
        return []
    more = "or more " if number >= MAX_LEFT_OUT else ""
    noun = "scenario does" if number == 1 else "scenarios do"
    calls = "1 call" if budget == 1 else f"{budget:,} calls"
    return [f"{number:,} {more}{noun} not fit into the budget of {calls}."]


class _Planner:
    """Makes the scenarios of one tool, no two with the same arguments."""

    def __init__(self, craft: Craft, examples: Examples, made: Sequence[Scenario] = ()) -> None:
        self._craft: Final = craft
        self._examples: Final = examples
        self._made: Final = {key_of(one.arguments) for one in made}
        self._seen = {*self._made, *map(key_of, examples.invalid)}
        self._least = craft.arguments("least")
        has_any = self._least is not None
        self._most = craft.arguments("most", has_options=True) if has_any else None
        self._spots: Final = craft.spots(self._most)

    def gaps(self) -> list[str]:
        """What could not be made, each said once."""
        efforts = (f"{one} {_TOO_BUSY}" for one in map(_shown_maximum, self._spots) if one)
        alone = self._craft.left_alone(self._most)
        return list(dict.fromkeys((*self._craft.gaps, *alone, *efforts, *self._spared())))

    def _spared(self) -> list[str]:
        reason = self._examples.no_error
        return [] if reason is None else [f"Wrong arguments were not tried: {reason}"]

    def fitting(self, scenarios: Scenarios) -> Scenarios:
        """Those that the user wants: where no arguments are wrong, none are tried as such."""
        spares_errors = self._examples.no_error is not None
        return (one for one in scenarios if not (spares_errors and _is_made_wrong(one)))

    def places(self) -> list[Place]:
        """What the schema says of the places that are varied."""
        return [_place(spot) for spot in self._spots]

    def telling(self) -> Scenarios:
        """The scenarios that have a reason, the most telling first."""
        yield from self._happy()
        yield from self._first_faults()
        yield from self._refused()
        yield from _in_turns([(self._everywhere(kind), share) for kind, share in _KINDS])

    def _everywhere(self, kind: Callable[[Spot], Iterator[Variation]]) -> Scenarios:
        for spot in self._spots:
            yield from self._varied(spot, kind(spot))

    def random(self) -> Scenarios:
        """Valid and invalid arguments in turn, each as long as new ones are found."""
        if self._least is not None:
            valid = self._while_new(self._random_valid, RANDOM_MISSES)
            faulty = self._while_new(self._random_fault, RANDOM_FAULT_MISSES)
            yield from _in_turns([(valid, 1), (faulty, 1)])

    def _while_new(self, made: Callable[[str, Mood], Scenarios], most: int) -> Scenarios:
        """What is made, until it was there before many times in a row.

        Once something comes again, the usual is used up: from then on the unusual is wanted.
        """
        misses = 0
        mood: Mood = "random"
        for number in count(1):
            found = next(made(f"random {number}", mood), None)
            misses = 0 if found else misses + 1
            if misses > most:
                return
            if found:
                yield found
            else:
                mood = "unusual"

    def _happy(self) -> Scenarios:
        for number, one in enumerate(self._examples.valid, 1):
            yield from self._new(f"example {number}", "happy_path", one)
        if self._least is None:
            is_wrong = self._craft.outcome({}) == "invalid"
            yield from self._new("no arguments", "error_case" if is_wrong else "edge_case", {})
            return
        yield from self._new("happy path", "happy_path", self._least)
        if self._most is not None:
            yield from self._new("happy path, all arguments", "happy_path", self._most)

    def _refused(self) -> Scenarios:
        """What the user says is to be refused, even where the schema has nothing against it."""
        for number, one in enumerate(self._examples.invalid, 1):
            if key_of(one) in self._made:
                continue
            yield Scenario(
                tool=self._craft.tool,
                name=f"{REFUSED_EXAMPLE} {number}",
                category="error_case",
                arguments=one,
                valid=False,
            )

    def _first_faults(self) -> Scenarios:
        top = [spot for spot in self._spots if len(spot.path) == 1]
        for spot in top:
            yield from self._varied(spot, [first_fault(spot)])
        if self._least is not None:
            yield from self._varied(_WHOLE, [unknown(self._least)])

    def _varied(self, spot: Spot, variations: Iterable[Variation]) -> Scenarios:
        base = self._base(spot)
        for variation in variations if base is not None else ():
            wanted = "invalid" if variation.is_wrong else "valid"
            for candidate in variation.candidates:
                arguments = _changed(base, spot, candidate)
                if self._craft.outcome(arguments) == wanted:
                    yield from self._new(variation.name, variation.category, arguments, spot)
                    break

    def _base(self, spot: Spot) -> dict[str, Any] | None:
        """Good arguments that have the place: as few of them as possible."""
        if not spot.path or self._most is None:
            return self._least
        name = str(spot.path[0])
        lean = {**(self._least or {}), name: self._most[name]}
        return lean if self._craft.outcome(lean) == "valid" else self._most

    def _random_valid(self, name: str, mood: Mood) -> Scenarios:
        arguments = self._craft.arguments(name, mood=mood)
        if arguments is not None:
            yield from self._new(f"{name}: valid", "happy_path", arguments)

    def _random_fault(self, name: str, mood: Mood) -> Scenarios:
        arguments = self._craft.arguments(f"{name}, faulty", mood=mood)
        if arguments is None:
            return
        for spot, variation in self._craft.shuffled_faults(arguments, name):
            for candidate in variation.candidates:
                changed = _changed(arguments, spot, candidate)
                if self._craft.outcome(changed) == "invalid":
                    yield from self._new(f"{name}: one fault", "error_case", changed, spot)

    def _new(
        self, name: str, category: Category, arguments: dict[str, Any], spot: Spot = _WHOLE
    ) -> Scenarios:
        """The scenario, unless the same arguments are tried already."""
        key = key_of(arguments)
        if key in self._seen:
            return
        self._seen.add(key)
        valid = _FITS.get(self._craft.outcome(arguments, key))
        yield Scenario(
            tool=self._craft.tool,
            name=name,
            category=category,
            arguments=arguments,
            valid=valid,
            pointer=pointer(spot.path),
        )


def _is_made_wrong(scenario: Scenario) -> bool:
    return scenario.valid is False and not scenario.name.startswith(REFUSED_EXAMPLE)


def _place(spot: Spot) -> Place:
    listed = spot.flat.get("enum")
    return Place(
        pointer=pointer(spot.path),
        types=types_of(spot.flat),
        listed=tuple(listed) if isinstance(listed, list) else None,
        required=spot.is_required,
    )


def _shown_maximum(spot: Spot) -> str | None:
    has_much = maximum_is_effort(spot)
    return f"The maximum of {quoted(pointer(spot.path))}" if has_much else None


def _changed(arguments: Any, spot: Spot, candidate: Any) -> Any:
    if candidate is MISSING:
        return without(arguments, spot.path)
    return put(arguments, spot.path, candidate)


def _in_turns(rows: list[tuple[Scenarios, int]]) -> Scenarios:
    """A share of each row in turn, until all are empty."""
    while taken := [one for row, share in rows for one in islice(row, share)]:
        yield from taken
