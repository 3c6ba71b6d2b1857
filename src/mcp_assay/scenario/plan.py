"""The scenarios of a tool, the most telling first, and which tool to call first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import Any, Final, TypeAlias, TypeVar

from msgspec.structs import replace

from mcp_assay.model.scenario import (
    REAL,
    REFUSED_EXAMPLE,
    Gap,
    GapKind,
    Plan,
    PlannedPlace,
    Scenario,
)
from mcp_assay.model.verdict import Category
from mcp_assay.scenario.argument_places import ArgumentPlace, put, without
from mcp_assay.scenario.arguments import Craft, key_of
from mcp_assay.scenario.choices import Strategy
from mcp_assay.scenario.keywords import types_of
from mcp_assay.scenario.known_values import ToolExamples, Values
from mcp_assay.scenario.limits import (
    FEW_EDGES,
    MAX_LEFT_OUT,
    MAX_REAL,
    MAX_USUAL,
    RANDOM_FAULT_MISSES,
    RANDOM_MISSES,
    USUAL_MISSES,
    USUAL_SHARE,
)
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
from mcp_assay.schema.checker import Schemas
from mcp_assay.text.changing_verbs import only_adds
from mcp_assay.text.names import name_parts, word_set
from mcp_assay.wire.pointer import pointer
from mcp_assay.wire.values import quoted

Scenarios: TypeAlias = Iterator[Scenario]

_WHOLE: Final = ArgumentPlace((), {}, None, is_required=True)
_FITS: Final = {"valid": True, "invalid": False}
_TOO_BUSY: Final = "was not tried: such a large value may overload the server."
_KINDS: Final = ((each_value, 3), (limits, 2), (edges, 1), (faults, 1))
"""What is tried at every place, and how much of it in one round, while there is some."""
REAL_SHARE: Final = 2
"""The same of values that the server has shown."""


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

    What was made by an earlier plan counts, and is not tried again. While nothing has succeeded,
    other usual arguments come before the rare and the wrong ones.
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
        has_succeeded: Callable[[], bool] = lambda: True,
    ) -> None:
        craft = Craft(tool, seed, values, schemas)
        self._planner: Final = _Planner(
            craft, values.examples.get(craft.tool, ToolExamples()), made, has_succeeded
        )
        self._room: Final = max(budget - len(made), 0)
        self._budget: Final = budget
        self._at_random: Final = at_random
        self._decisive: Final = self._planner.fitting(self._planner.decisive())
        self.scenarios: Final = self._within_budget()
        """What to try, in no more calls than the budget."""

    def places(self) -> list[PlannedPlace]:
        """What the schema says of the places that are varied."""
        return self._planner.places()

    def gaps(self) -> list[Gap]:
        """What is not tried; this makes the scenarios that nobody asked for up to now."""
        for _ in self.scenarios:
            continue
        left = sum(1 for _ in islice(self._decisive, MAX_LEFT_OUT))
        return [*self._planner.gaps(), *_left_out(left, self._budget)]

    def _within_budget(self) -> Scenarios:
        random = self._planner.fitting(self._planner.random())
        more = random if self._at_random else iter(())
        return islice(chain(self._decisive, more), self._room)


def _left_out(number: int, budget: int) -> list[Gap]:
    if number <= 0:
        return []
    more = "or more " if number >= MAX_LEFT_OUT else ""
    noun = "scenario exceeds" if number == 1 else "scenarios exceed"
    calls = "1 call" if budget == 1 else f"{budget:,} calls"
    text = f"{number:,} {more}{noun} the budget of {calls}."
    return [Gap(GapKind.BUDGET, text)]


class _Planner:
    """Makes the scenarios of one tool, no two with the same arguments."""

    def __init__(
        self,
        craft: Craft,
        examples: ToolExamples,
        made: Sequence[Scenario] = (),
        has_succeeded: Callable[[], bool] = lambda: True,
    ) -> None:
        self._craft: Final = craft
        self._has_succeeded: Final = has_succeeded
        self._examples: Final = examples
        self._made: Final = {key_of(one.arguments) for one in made}
        self._seen = {*self._made, *map(key_of, examples.invalid)}
        self._least = craft.arguments("least")
        has_any = self._least is not None
        self._most = craft.arguments("most", has_options=True) if has_any else None
        self._places: Final = craft.places(self._most)

    def gaps(self) -> list[Gap]:
        """What could not be made or is not varied, each said once."""
        alone = self._craft.left_alone(self._most)
        efforts = (f"{one} {_TOO_BUSY}" for one in map(_shown_maximum, self._places) if one)
        reason = self._examples.no_error
        spared = [] if reason is None else [f"Invalid arguments were not tried: {reason}"]
        texts = {
            GapKind.CONTRADICTION: self._craft.contradictions,
            GapKind.UNMADE: self._craft.unmade,
            GapKind.NOT_VARIED: alone,
            GapKind.EFFORT: efforts,
            GapKind.UNWANTED: spared,
        }
        return list(dict.fromkeys(Gap(kind, text) for kind in texts for text in texts[kind]))

    def fitting(self, scenarios: Scenarios) -> Scenarios:
        """Those that the user wants: where no arguments are wrong, none are tried as such."""
        spares_errors = self._examples.no_error is not None
        return (one for one in scenarios if not (spares_errors and _is_made_wrong(one)))

    def places(self) -> list[PlannedPlace]:
        """What the schema says of the places that are varied."""
        return [_place(place) for place in self._places]

    def decisive(self) -> Scenarios:
        """The scenarios that have a reason, the most telling first."""
        yield from self._happy()
        yield from self._first_faults()
        yield from self._refused()
        usual = islice(self._while_new(self._valid, USUAL_MISSES, "usual"), MAX_USUAL)
        rows = [(self._everywhere(kind), share) for kind, share in _KINDS]
        rows.insert(0, (self._real_ones(), REAL_SHARE))
        while taken := [*self._until_success(usual), *_one_turn(rows)]:
            yield from taken

    def _until_success(self, usual: Scenarios) -> Scenarios:
        """Usual arguments in other combinations, as long as none have succeeded."""
        is_wanted = self._least is not None and not self._has_succeeded()
        return islice(usual, USUAL_SHARE if is_wanted else 0)

    def _valid(self, name: str, strategy: Strategy) -> Scenarios:
        arguments = self._craft.arguments(name, strategy=strategy)
        if arguments is not None:
            yield from self._new(f"{name}: valid", "happy_path", arguments)

    def _everywhere(self, kind: Callable[[ArgumentPlace], Iterator[Variation]]) -> Scenarios:
        for place in self._places:
            found = kind(place)
            if kind is edges and self._craft.is_settled(place.path):
                found = islice(found, FEW_EDGES)
            yield from self._varied(place, found)

    def _real_ones(self) -> Scenarios:
        """Other ids and names that the server has shown: what one record lacks, another has.

        A tool that adds something looks at no record.
        """
        is_adding = only_adds(self._craft.tool)
        required = [place for place in self._places if place.is_required and not is_adding]
        return islice(chain.from_iterable(map(self._real_ones_at, required)), MAX_REAL)

    def _real_ones_at(self, place: ArgumentPlace) -> Scenarios:
        found = enumerate(self._craft.real_ones(place), 1)
        named = (Variation(f"{REAL} {at}", "edge_case", (one,)) for at, one in found)
        return self._varied(place, named)

    def random(self) -> Scenarios:
        """Valid and invalid arguments in turn, each as long as new ones are found."""
        if self._least is not None:
            valid = self._while_new(self._valid, RANDOM_MISSES)
            faulty = self._while_new(self._random_fault, RANDOM_FAULT_MISSES)
            yield from _in_turns([(valid, 1), (faulty, 1)])

    def _while_new(
        self,
        made: Callable[[str, Strategy], Scenarios],
        most: int,
        strategy: Strategy = "random",
    ) -> Scenarios:
        """What is made, until it was there before many times in a row.

        Once something comes again, the usual is used up: from then on the unusual is wanted, unless
        only the usual was.
        """
        misses, kind = 0, strategy
        for number in count(1):
            found = next(made(f"{kind} {number}", strategy), None)
            misses = 0 if found else misses + 1
            if misses > most:
                return
            if found:
                yield found
            elif kind == "random":
                strategy = "unusual"

    def _happy(self) -> Scenarios:
        for number, one in enumerate(self._examples.valid, 1):
            yield from (
                replace(it, is_typed=True)
                for it in self._new(f"example {number}", "happy_path", one)
            )
        if self._least is None:
            is_wrong = self._craft.outcome({}) == "invalid"
            yield from self._new("no arguments", "error_case" if is_wrong else "edge_case", {})
            return
        yield from self._new("happy path", "happy_path", self._least)
        if self._most is not None:
            named = self._craft.with_things(self._least, self._most)
            if self._craft.outcome(named) == "valid":
                yield from self._new("happy path, known things", "happy_path", named)
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
                is_typed=True,
            )

    def _first_faults(self) -> Scenarios:
        top = [place for place in self._places if len(place.path) == 1]
        for place in top:
            yield from self._varied(place, [first_fault(place)])
        if self._least is not None:
            yield from self._varied(_WHOLE, [unknown(self._least)])

    def _varied(self, place: ArgumentPlace, variations: Iterable[Variation]) -> Scenarios:
        base = self._base(place)
        for variation in variations if base is not None else ():
            wanted = "invalid" if variation.is_wrong else "valid"
            for candidate in variation.candidates:
                arguments = _changed(base, place, candidate)
                if self._craft.outcome(arguments) == wanted:
                    yield from self._new(variation.name, variation.category, arguments, place)
                    break
            else:
                yield from self._made_around(place, variation)

    def _made_around(self, place: ArgumentPlace, variation: Variation) -> Scenarios:
        """A listed value that the other arguments do not suit, with arguments of its own."""
        if variation.category != "happy_path":
            return
        for value in variation.candidates:
            arguments = self._craft.arguments_with(place.path, value)
            if arguments is not None:
                yield from self._new(variation.name, variation.category, arguments, place)

    def _base(self, place: ArgumentPlace) -> dict[str, Any] | None:
        """Good arguments that have the place: as few of them as possible."""
        if not place.path or self._most is None:
            return self._least
        name = str(place.path[0])
        lean = {**(self._least or {}), name: self._most[name]}
        return lean if self._craft.outcome(lean) == "valid" else self._most

    def _random_fault(self, name: str, strategy: Strategy) -> Scenarios:
        arguments = self._craft.arguments(f"{name}, faulty", strategy=strategy)
        if arguments is None:
            return
        for place, variation in self._craft.shuffled_faults(arguments, name):
            for candidate in variation.candidates:
                changed = _changed(arguments, place, candidate)
                if self._craft.outcome(changed) == "invalid":
                    yield from self._new(f"{name}: one fault", "error_case", changed, place)

    def _new(
        self,
        name: str,
        category: Category,
        arguments: dict[str, Any],
        place: ArgumentPlace = _WHOLE,
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
            pointer=pointer(place.path),
            is_guessed=category == "happy_path" and self._craft.is_guessed(arguments),
        )


def _is_made_wrong(scenario: Scenario) -> bool:
    return scenario.valid is False and not scenario.name.startswith(REFUSED_EXAMPLE)


def _place(place: ArgumentPlace) -> PlannedPlace:
    listed = place.flat.get("enum")
    return PlannedPlace(
        pointer=pointer(place.path),
        types=types_of(place.flat),
        listed=tuple(listed) if isinstance(listed, list) else None,
        required=place.is_required,
    )


def _shown_maximum(place: ArgumentPlace) -> str | None:
    has_much = maximum_is_effort(place)
    return f"The maximum of {quoted(pointer(place.path))}" if has_much else None


def _changed(arguments: Any, place: ArgumentPlace, candidate: Any) -> Any:
    if candidate is MISSING:
        return without(arguments, place.path)
    return put(arguments, place.path, candidate)


def _in_turns(rows: list[tuple[Scenarios, int]]) -> Scenarios:
    """A share of each row in turn, until all are empty."""
    while taken := _one_turn(rows):
        yield from taken


def _one_turn(rows: list[tuple[Scenarios, int]]) -> list[Scenario]:
    return [one for row, share in rows for one in islice(row, share)]


Tool = TypeVar("Tool", bound=Mapping[str, Any])

_LISTING: Final = word_set("list ls index all browse discover enumerate catalog catalogue tree")
_FINDING: Final = word_set("search find query recent latest history")


def listing_first(tools: Iterable[Tool]) -> list[Tool]:
    """The tools, those that need nothing and list much first, else in the order given."""
    return sorted(tools, key=lambda tool: (_needs(tool) > 0, _promise(tool), _needs(tool)))


def _promise(tool: Mapping[str, Any]) -> int:
    """How much a tool promises to name, by its name: the less, the more."""
    name = tool.get("name")
    words = set(name_parts(name)) if isinstance(name, str) else set()
    if words & _LISTING:
        return 0
    return 1 if words & _FINDING else 2


def _needs(tool: Mapping[str, Any]) -> int:
    schema = tool.get("inputSchema")
    required = schema.get("required") if isinstance(schema, Mapping) else None
    return len(required) if isinstance(required, list) else 0
