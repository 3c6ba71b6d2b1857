"""What a check can cost: the size of a value, and the subschemas that may judge one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from math import isfinite
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.schema.keywords import IN_PLACE, NAMED, Schema
from mcp_assay.schema.limits import MAX_FORESEEN, MAX_VALUE_DEPTH, MAX_VISITS, PATTERN_STEPS
from mcp_assay.schema.messages import NotJson, plain
from mcp_assay.schema.outline import SchemaOutline, patterns
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from mcp_assay.wire.values import is_well_formed

Crowd: TypeAlias = tuple[int, ...]
"""The subschemas that judge one place, by number, each as often as it does."""


COMPARED: Final = ("enum", "dependentRequired", "dependencies")
"""Each name or value under these keywords is a step of its own, however small the value is."""


class Effort(Struct, frozen=True):
    """What a check costs at most, at any one place of a value."""

    visits: int
    """How many subschemas judge the place."""
    weight: int
    """How many steps that takes."""
    matches: bool
    """Whether regular expressions are among them."""


class Unforeseeable(Exception):
    """There is no bound, or it is too far away."""


def foresee(outline: SchemaOutline) -> Effort:
    """What a check against the schema costs; raises Unforeseeable."""
    numbers = {id(schema): number for number, schema in enumerate(outline.schemas)}
    stations = [_Station(schema, outline, numbers) for schema in outline.schemas]
    return _Foresight(stations).effort()


class _Station:
    """One subschema: who else judges its place, and who judges the places below."""

    def __init__(self, schema: Schema, outline: SchemaOutline, numbers: dict[int, int]) -> None:
        self._schema = schema
        self._numbers = numbers
        self.here: Final = self._in_place(outline.targets.get(id(schema), ()))
        self.members: Final = self._named("properties")
        self.extra_members: Final = self._all("additionalProperties")
        self.any_members: Final = (
            *self._named("patternProperties").values(),
            *self._all("unevaluatedProperties"),
        )
        self.prefix: Final = self._by_index("prefixItems") or self._by_index("items")
        self.extra_items: Final = (*self._single("items"), *self._all("additionalItems"))
        self.any_items: Final = (*self._all("contains"), *self._all("unevaluatedItems"))
        self.names: Final = self._all("propertyNames")
        self.matches: Final = len(patterns(schema))
        self.weight: Final = (
            1 + self.matches * PATTERN_STEPS + sum(_length(schema.get(word)) for word in COMPARED)
        )

    def below_name(self, name: str | None) -> Iterator[int]:
        """Who judges the member of this name; None is any name that the schema does not list."""
        known = self.members.get(name) if name is not None else None
        if known is not None:
            yield known
        elif name is None or name not in _mapping(self._schema.get("properties")):
            yield from self.extra_members
        yield from self.any_members

    def below_index(self, index: int) -> Iterator[int]:
        """Who judges the item at this index."""
        if index < len(self.prefix):
            yield from self.prefix[index]
        else:
            yield from self.extra_items
        yield from self.any_items

    def _in_place(self, targets: Iterable[Schema]) -> Crowd:
        inner = [number for keyword in IN_PLACE for number in self._all(keyword)]
        inner += [self._numbers[id(target)] for target in targets]
        # What was evaluated is found out by judging once more.
        twice = "unevaluatedProperties" in self._schema or "unevaluatedItems" in self._schema
        return tuple(inner * 2 if twice else inner)

    def _all(self, keyword: str) -> Crowd:
        if keyword in NAMED:
            return tuple(self._named(keyword).values())
        return (*self._single(keyword), *chain.from_iterable(self._by_index(keyword)))

    def _single(self, keyword: str) -> Crowd:
        return self._numbered([self._schema.get(keyword)])

    def _by_index(self, keyword: str) -> list[Crowd]:
        value = self._schema.get(keyword)
        return [self._numbered([one]) for one in value] if isinstance(value, list) else []

    def _named(self, keyword: str) -> dict[str, int]:
        named = _mapping(self._schema.get(keyword))
        return {
            name: self._numbers[id(value)]
            for name, value in named.items()
            if id(value) in self._numbers
        }

    def _numbered(self, values: Iterable[Any]) -> Crowd:
        return tuple(self._numbers[id(value)] for value in values if id(value) in self._numbers)


class _Foresight:
    """Visits every kind of place once; `left` is how much more may be spent on it."""

    def __init__(self, stations: list[_Station]) -> None:
        self.stations = stations
        self.left = MAX_FORESEEN

    def effort(self) -> Effort:
        seen: set[Crowd] = {(0,)}
        waiting: list[Crowd] = [(0,)]
        visits = weight = 0
        while waiting:
            crowd = self.gathered(waiting.pop())
            visits = max(visits, len(crowd))
            weight = max(weight, sum(station.weight for station in crowd))
            for below in map(tuple, map(sorted, self.places_below(crowd))):
                if below and below not in seen:
                    seen.add(below)
                    waiting.append(below)
        return Effort(visits, weight, any(station.matches for station in self.stations))

    def gathered(self, first: Crowd) -> list[_Station]:
        """Everybody who judges a place that these judge."""
        crowd: list[_Station] = []
        waiting = list(first)
        while waiting:
            station = self.stations[waiting.pop()]
            crowd.append(station)
            waiting += station.here
            if len(crowd) + len(waiting) > MAX_VISITS:
                raise Unforeseeable
        return crowd

    def places_below(self, crowd: list[_Station]) -> Iterator[list[int]]:
        """Who judges each kind of place below: every listed name and index, and all others."""
        names = {name for station in crowd for name in station.members}
        for name in (*names, None):
            yield self.spent([number for one in crowd for number in one.below_name(name)])
        for index in range(max(len(station.prefix) for station in crowd) + 1):
            yield self.spent([number for one in crowd for number in one.below_index(index)])
        yield self.spent([number for station in crowd for number in station.names])

    def spent(self, crowd: list[int]) -> list[int]:
        self.left -= 1 + len(crowd)
        if self.left < 0:
            raise Unforeseeable
        return crowd


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0


# By the ids of types, because a type can have a hash of the caller's making.
_NAMES: Final = frozenset({id(str)})
_PLAIN: Final = frozenset(map(id, (str, int, float, bool, type(None), list, dict)))
_MOST_VALUES: Final = MAX_MESSAGE_BYTES // 2
"""No text within the limit holds more; a Python value with shared parts may."""
_MOST_BITS: Final = 1023
"""Integers of more bits may be beyond the range of a double."""


class Size(Struct, frozen=True):
    """How large a value is."""

    values: int
    """Values inside the value, and it itself."""
    characters: int
    depth: int
    """Arrays and objects inside each other, counted no further than just beyond the limit."""


def measured(value: object) -> tuple[object, Size]:
    """The value in plain JSON types, and its size; raises NotJson."""
    size = _size_of_plain(value)
    if size is None:
        value = plain(value)
        size = _size_of_plain(value)
    if size is None:
        raise NotJson("it is too large")
    if size.depth > MAX_VALUE_DEPTH:
        raise NotJson(f"it is nested more than {MAX_VALUE_DEPTH} levels deep")
    return value, size


def _size_of_plain(value: object) -> Size | None:
    """How large a value is; None where anything in it may have no exact form in JSON."""
    values = characters = depth = 0
    level = [value]
    while level:
        values += len(level)
        names, below = _inside(level)
        if not _is_plain(level, names) or values > _MOST_VALUES:
            return None
        characters += sum(len(one) for one in (*names, *level) if isinstance(one, str))
        depth += any(isinstance(one, dict | list) for one in level)
        level = below if depth <= MAX_VALUE_DEPTH else []
    return Size(values, characters, depth) if characters <= MAX_MESSAGE_BYTES else None


def _inside(level: list[Any]) -> tuple[list[Any], list[Any]]:
    """The names and the values that stand in the objects and arrays of a level."""
    names: list[Any] = []
    below: list[Any] = []
    for one in level:
        if len(below) > _MOST_VALUES:
            break
        if type(one) is dict:
            names += one
            below += one.values()
        elif type(one) is list:
            below += one
    return names, below


def _is_plain(level: list[Any], names: list[Any]) -> bool:
    if not (_kinds(level) <= _PLAIN and _kinds(names) <= _NAMES):
        return False
    texts = (one for one in level if type(one) is str)
    return (
        all(isfinite(one) for one in level if type(one) is float)
        and all(one.bit_length() <= _MOST_BITS for one in level if type(one) is int)
        and all(text.isascii() or is_well_formed(text) for text in (*names, *texts))
    )


def _kinds(values: Iterable[Any]) -> set[int]:
    return set(map(id, map(type, values)))
