"""Messages made by walking a schema: first every place in turn, then at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

import orjson

from tests.oracle.mutate import mutants
from tests.oracle.official import Unit
from tests.oracle.shapes import Place, Reader, Shape, Source
from tests.oracle.values import (
    ALWAYS,
    MAP_KEYS,
    UNKNOWN,
    clean,
    renamed,
    unwelcome,
    violations,
    wrong_values,
)

Mode: TypeAlias = Literal["present", "absent", "wrong-type", "out-of-bounds", "renamed", "unknown"]
Tag: TypeAlias = tuple[str, str, Mode]
"""(definition, property, mode): what a case shows. An object inside a definition that has no name
of its own is called by its path, such as `CallToolRequest.params`."""

Fill: TypeAlias = Callable[[Any], Any]
"""Puts a value at one place of an otherwise minimal message and gives the whole message."""

Text: TypeAlias = tuple[str, bytes]
"""A unit and a message of it, comparable."""

RANDOM_AT_LEAST: Final = 2_000
MUTATED_SHARE: Final = 0.6
SECOND_FAULT_SHARE: Final = 0.3
OPTIONAL_SHARE: Final = 0.3


@dataclass(frozen=True)
class Case:
    """One message sent as `unit`.

    `valid` says what the schema should think of it; None where only the schema can tell (random
    faults). `tags` are empty for random messages; `fault` describes the random fault.
    """

    unit: Unit
    message: Any
    tags: frozenset[Tag]
    valid: bool | None
    fault: str = ""


def cases(
    source: Source,
    rng: random.Random,
    total: int = 12_000,
    *,
    apart_from: Iterable[Case] = (),
) -> Iterator[Case]:
    """All systematic cases of a revision, then random ones until there are `total`.

    However many the systematic ones are, RANDOM_AT_LEAST random ones follow them. No random
    message repeats another one of its unit, none at all a message of `apart_from`.
    """
    known = {text_of(case) for case in apart_from}
    walked = [case for case in systematic(source) if text_of(case) not in known]
    yield from walked
    seen = known.union(map(text_of, walked))
    fresh = (case for case in rambling(source, rng) if _is_new(text_of(case), seen))
    yield from islice(fresh, max(RANDOM_AT_LEAST, total - len(walked)))


@cache
def systematic(source: Source) -> tuple[Case, ...]:
    """Every place of every unit: present, absent, wrongly typed, out of bounds, renamed.

    Exactly one thing is wrong in each faulty message. Equal messages of a unit are one case with
    the tags of all, unless they were meant differently: a fault in one branch of a union may be
    another branch's valid value.
    """
    reader = Reader(source)
    return tuple(case for unit in source.units() for case in _merged(Walk(reader, unit).cases()))


def rambling(source: Source, rng: random.Random) -> Iterator[Case]:
    """Endless random messages: valid ones, and ones with one or two random faults."""
    ramble = Ramble(Reader(source), rng)
    while True:
        unit = rng.choice(source.units())
        message = ramble.message(unit)
        if rng.random() >= MUTATED_SHARE:
            yield Case(unit, message, frozenset(), valid=True)
        else:
            fault, faulty = _spoilt(rng, message)
            yield Case(unit, faulty, frozenset(), valid=None, fault=fault)


class Walk:
    """The systematic cases of one unit."""

    def __init__(self, reader: Reader, unit: Unit) -> None:
        self._reader = reader
        self._unit = unit

    def cases(self) -> Iterator[Case]:
        """All of them, with repetitions."""
        root = self._reader.root(self._unit)
        for shape in self._reader.shapes(root):
            yield from self._inside(shape, _itself, frozenset())
            for message in self._violations(shape):
                yield self._case(message, root, "out-of-bounds", valid=False)

    def _visit(self, place: Place, fill: Fill, trail: frozenset[str]) -> Iterator[Case]:
        shapes = self._reader.shapes(place)
        for shape in shapes:
            for value in self._samples(place, shape):
                yield self._case(fill(value), place, "present", valid=True)
            yield from self._inside(shape, fill, trail)
        for value in wrong_values(self._reader.types(place)):
            yield self._case(fill(value), place, "wrong-type", valid=False)
        for shape in shapes:
            for value in self._violations(shape):
                yield self._case(fill(value), place, "out-of-bounds", valid=False)

    def _inside(self, shape: Shape, fill: Fill, trail: frozenset[str]) -> Iterator[Case]:
        if shape.type in ("object", "array") and not trail.issuperset(shape.owners):
            trail = trail.union(shape.owners)
            yield from self._members(shape, fill, trail)
            yield from self._parts(shape, fill, trail)

    def _members(self, shape: Shape, fill: Fill, trail: frozenset[str]) -> Iterator[Case]:
        base = minimal_object(self._reader, shape)
        for name, place in shape.members.items():
            rest = {key: value for key, value in base.items() if key != name}
            value = base.get(name, minimal(self._reader, place))
            optional = name not in shape.required
            yield from self._visit(place, _at_member(fill, base, name), trail)
            yield self._case(fill(rest), place, "absent", valid=optional)
            for near in renamed(name):
                yield self._case(fill({**rest, near: value}), place, "renamed", valid=optional)
        if shape.members:
            more = Place(tuple((owner, UNKNOWN) for owner in shape.owners), ())
            yield self._case(fill({**base, UNKNOWN: "red"}), more, "unknown", valid=True)

    def _parts(self, shape: Shape, fill: Fill, trail: frozenset[str]) -> Iterator[Case]:
        if shape.items:
            yield self._case(fill([]), shape.items, "absent", valid=True)
            yield from self._visit(shape.items, lambda value: fill([value]), trail)
        if shape.values:
            yield self._case(fill({}), shape.values, "absent", valid=True)
            key = entry_name(shape.values)
            yield from self._visit(shape.values, lambda value: fill({key: value}), trail)

    def _samples(self, place: Place, shape: Shape) -> Iterator[Any]:
        if shape.items:
            one, two = minimal(self._reader, shape.items), other(self._reader, shape.items)
            yield from ([one], [], [one, two], *_longest(shape, one, over=0))
        elif shape.members or shape.values:
            yield from (minimal_object(self._reader, shape), full_object(self._reader, shape))
        else:
            yield from clean(place, shape)

    def _violations(self, shape: Shape) -> Iterator[Any]:
        yield from violations(shape)
        if shape.items:
            yield from _longest(shape, minimal(self._reader, shape.items), over=1)
        for name, value in unwelcome(shape):
            yield {**minimal_object(self._reader, shape), name: value}

    def _case(self, message: Any, place: Place, mode: Mode, *, valid: bool) -> Case:
        tags = frozenset((owner, key, mode) for owner, key in place.slots)
        return Case(self._unit, message, tags, valid)


class Ramble:
    """Random valid messages."""

    def __init__(self, reader: Reader, rng: random.Random) -> None:
        self._reader = reader
        self._rng = rng

    def message(self, unit: Unit) -> Any:
        """A whole message of `unit`."""
        return self._value(self._reader.root(unit))

    def _value(self, place: Place) -> Any:
        shape = self._rng.choice(self._reader.shapes(place))
        if shape.items:
            made = [self._value(shape.items) for _ in range(self._rng.choice((0, 1, 1, 2, 3)))]
            return [value for index, value in enumerate(made) if value not in made[:index]]
        if shape.members or shape.values:
            return self._object(shape)
        return self._rng.choice(clean(place, shape))

    def _object(self, shape: Shape) -> dict[str, Any]:
        needed = needed_members(shape)
        made = {
            name: self._value(place)
            for name, place in shape.members.items()
            if name in needed or self._rng.random() < OPTIONAL_SHARE
        }
        if shape.values and self._rng.random() < OPTIONAL_SHARE:
            made[entry_name(shape.values)] = self._value(shape.values)
        return made


def minimal(reader: Reader, place: Place) -> Any:
    """The smallest clean value: what is required, one item in each array."""
    return _small(reader, place, 0)


def other(reader: Reader, place: Place) -> Any:
    """A small clean value, unlike the minimal one where there is a choice."""
    return _small(reader, place, -1)


def _small(reader: Reader, place: Place, choice: int) -> Any:
    shape = reader.shapes(place)[choice]
    if shape.items:
        return [minimal(reader, shape.items)]
    if shape.members or shape.values:
        return minimal_object(reader, shape)
    return clean(place, shape)[choice]


def minimal_object(reader: Reader, shape: Shape) -> dict[str, Any]:
    """The required members only, and those that a rule asks for."""
    needed = needed_members(shape)
    return {name: minimal(reader, place) for name, place in shape.members.items() if name in needed}


def full_object(reader: Reader, shape: Shape) -> dict[str, Any]:
    """Every member, each minimal."""
    made = {name: minimal(reader, place) for name, place in shape.members.items()}
    if shape.values:
        made[entry_name(shape.values)] = minimal(reader, shape.values)
    return made


def needed_members(shape: Shape) -> set[str]:
    """The members of a minimal object."""
    asked = (name for owner in shape.owners for name in ALWAYS.get(owner, ()))
    return {*shape.required, *asked}


def entry_name(values: Place) -> str:
    """A fitting key for a map whose values stand at `values`."""
    return MAP_KEYS.get(values.slots[0][0].rpartition(".")[2], "city")


def _spoilt(rng: random.Random, message: Any) -> tuple[str, Any]:
    fault, faulty = next(mutants(rng, message))
    if rng.random() < SECOND_FAULT_SHARE:
        second, faulty = next(mutants(rng, faulty))
        fault = f"{fault}, {second}"
    return fault, faulty


def _itself(message: Any) -> Any:
    return message


def _at_member(fill: Fill, base: dict[str, Any], name: str) -> Fill:
    return lambda value: fill({**base, name: value})


def _longest(shape: Shape, item: Any, *, over: int) -> Iterator[list[Any]]:
    if "maxItems" in shape.bounds:
        yield [item] * (shape.bounds["maxItems"] + over)


def _merged(found: Iterator[Case]) -> Iterator[Case]:
    known: dict[tuple[Text, bool | None], Case] = {}
    for case in found:
        key = text_of(case), case.valid
        tags = case.tags | known[key].tags if key in known else case.tags
        known[key] = Case(case.unit, case.message, tags, case.valid)
    yield from known.values()


def text_of(case: Case) -> Text:
    """What two cases have in common that ask the same question."""
    return str(case.unit), orjson.dumps(case.message, option=orjson.OPT_SORT_KEYS)


def _is_new(text: Text, seen: set[Text]) -> bool:
    known = text in seen
    seen.add(text)
    return not known
