"""What a check against a schema can cost: how many subschemas may judge one place of a value.

All kinds of places are visited, from the whole value downwards: at each, the subschemas that judge
it are counted, and so are those that judge the places below. A schema whose crowds grow without end
is found out by its crowd becoming too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.schema.keywords import IN_PLACE, NAMED, Schema
from mcp_assay.schema.limits import MAX_FORESEEN, MAX_VISITS, PATTERN_STEPS
from mcp_assay.schema.outline import Outline, patterns

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


def foresee(outline: Outline) -> Effort:
    """What a check against the schema costs; raises Unforeseeable."""
    numbers = {id(schema): number for number, schema in enumerate(outline.schemas)}
    stations = [_Station(schema, outline, numbers) for schema in outline.schemas]
    return _Foresight(stations).effort()


class _Station:
    """One subschema: who else judges its place, and who judges the places below."""

    def __init__(self, schema: Schema, outline: Outline, numbers: dict[int, int]) -> None:
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
