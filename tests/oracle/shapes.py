"""Reads an official schema as places and shapes: references, unions and allOf are resolved here.

A place is somewhere in a message where one value stands; a shape is one way that value can be.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Final, Protocol, TypeAlias

from tests.oracle.official import Schema, Unit

Facet: TypeAlias = tuple[str, Schema]
"""A schema that holds at a place, and the definition (or path inside one) that it comes from."""

Slot: TypeAlias = tuple[str, str]
"""A definition and a property of it; "[]" are the items of an array, "{}" the values of a map."""

ITEMS: Final = "[]"
VALUES: Final = "{}"
JSON_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
BOUNDS: Final = (
    "const",
    "enum",
    "format",
    "maxItems",
    "maximum",
    "minimum",
    "propertyNames",
)
STRUCTURE: Final = (
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "items",
    "properties",
    "required",
    "type",
)
"""With BOUNDS, all the keywords that are understood here."""


class Source(Hashable, Protocol):
    """Messages described by a JSON Schema: an official one, or our tables written as one."""

    @property
    def definitions(self) -> Schema:
        """Every definition by its name."""

    def units(self) -> tuple[Unit, ...]:
        """What a message can be."""

    def schema(self, unit: Unit) -> Schema:
        """The schema of a whole message of `unit`, to be read beside the definitions."""


@dataclass(frozen=True)
class Place:
    """Where one value stands: all `facets` hold for it; `slots` are the names it goes by."""

    slots: tuple[Slot, ...]
    facets: tuple[Facet, ...]

    @property
    def key(self) -> str:
        """The property's name, or "[]" or "{}"."""
        return self.slots[0][1] if self.slots else ""


@dataclass(frozen=True)
class Shape:
    """One way that a value can be: one type (None: any), no reference and no union left."""

    type: str | None
    facets: tuple[Facet, ...]
    members: dict[str, Place] = field(default_factory=dict)
    items: Place | None = None
    values: Place | None = None

    @property
    def owners(self) -> tuple[str, ...]:
        """The definitions that this shape comes from."""
        return tuple(owner for owner, _ in self.facets)

    @property
    def parts(self) -> tuple[Place, ...]:
        """The places inside: members, items, values."""
        more = (part for part in (self.items, self.values) if part)
        return (*self.members.values(), *more)

    @cached_property
    def required(self) -> frozenset[str]:
        """The members that must be there."""
        return frozenset(name for _, schema in self.facets for name in schema.get("required", ()))

    @cached_property
    def bounds(self) -> dict[str, Any]:
        """The keywords that narrow the value beyond its type."""
        return {
            name: schema[name] for _, schema in self.facets for name in BOUNDS if name in schema
        }


class Reader:
    """Unfolds the places of one revision's schema."""

    def __init__(self, source: Source) -> None:
        self._definitions = source.definitions
        self._roots = {
            unit: Place((), ((unit.envelope, source.schema(unit)),)) for unit in source.units()
        }
        self._shapes: dict[tuple[tuple[str, int], ...], tuple[Shape, ...]] = {}

    def root(self, unit: Unit) -> Place:
        """The place of a whole message."""
        return self._roots[unit]

    def shapes(self, place: Place) -> tuple[Shape, ...]:
        """All the ways that the value at `place` can be, unions in the schema's order."""
        key = tuple((owner, id(schema)) for owner, schema in place.facets)
        if key not in self._shapes:
            self._shapes[key] = tuple(self._unfold(place))
        return self._shapes[key]

    def types(self, place: Place) -> frozenset[str]:
        """The JSON types that a value at `place` can have."""
        return frozenset(name for shape in self.shapes(place) for name in covered_types(shape.type))

    def is_anything(self, place: Place) -> bool:
        """Whether every JSON value may stand at `place`, however deep one looks."""
        return all(self._accepts_all(schema, frozenset()) for _, schema in place.facets)

    def _unfold(self, place: Place) -> Iterator[Shape]:
        if self.is_anything(place):
            yield Shape(None, place.facets)
            return
        for combination in product(*(self._branches(*facet) for facet in place.facets)):
            facets = _distinct(facet for branch in combination for facet in branch)
            for name in _common_types(facets):
                yield self._shape(name, facets)

    def _branches(self, owner: str, schema: Schema) -> list[tuple[Facet, ...]]:
        if "$ref" in schema:
            return self._branches(*self._follow(schema))
        parts = [self._branches(owner, part) for part in schema.get("allOf", ())]
        if "anyOf" in schema:
            parts.append([way for part in schema["anyOf"] for way in self._branches(owner, part)])
        return [
            ((owner, schema), *(facet for way in ways for facet in way)) for ways in product(*parts)
        ]

    def _follow(self, schema: Schema) -> Facet:
        name = schema["$ref"].rpartition("/")[2]
        return name, self._definitions[name]

    def _shape(self, name: str | None, facets: tuple[Facet, ...]) -> Shape:
        if name == "object":
            keys = dict.fromkeys(
                key for _, schema in facets for key in schema.get("properties", ())
            )
            members = {key: _member(facets, key) for key in keys}
            return Shape(name, facets, members, values=self._values(facets))
        if name == "array":
            return Shape(name, facets, items=_part(facets, "items", ITEMS))
        return Shape(name, facets)

    def _values(self, facets: tuple[Facet, ...]) -> Place | None:
        place = _part(facets, "additionalProperties", VALUES)
        return None if place is None or self.is_anything(place) else place

    def _accepts_all(self, schema: Schema, assumed: frozenset[str]) -> bool:
        if "$ref" in schema:
            name, schema = self._follow(schema)
            if name in assumed:
                return True
            assumed |= {name}
        ways = self._branches("", schema)
        types = {
            name for way in ways for stated in _common_types(way) for name in covered_types(stated)
        }
        return types == set(JSON_TYPES) and all(
            self._is_open(part, assumed) for way in ways for _, part in way
        )

    def _is_open(self, schema: Schema, assumed: frozenset[str]) -> bool:
        if any(name in schema for name in (*BOUNDS, "properties", "required")):
            return False
        inside = [schema[name] for name in ("items", "additionalProperties") if name in schema]
        return all(part is True or self._accepts_all(part, assumed) for part in inside)


def covered_types(name: str | None) -> tuple[str, ...]:
    """The JSON types that a schema's type name stands for; None stands for all of them."""
    if name is None:
        return JSON_TYPES
    return ("integer", "number") if name == "number" else (name,)


def _common_types(facets: tuple[Facet, ...]) -> list[str | None]:
    stated = [schema["type"] for _, schema in facets if "type" in schema]
    if not stated:
        return [None]
    lists = [names if isinstance(names, list) else [names] for names in stated]
    return [name for name in lists[0] if all(name in names for names in lists)]


def _member(facets: tuple[Facet, ...], key: str) -> Place:
    found = [facet for facet in facets if key in facet[1].get("properties", ())]
    return _place(key, [(owner, schema["properties"][key]) for owner, schema in found])


def _part(facets: tuple[Facet, ...], keyword: str, key: str) -> Place | None:
    found = [
        (owner, schema[keyword])
        for owner, schema in facets
        if isinstance(schema.get(keyword), dict)
    ]
    return _place(key, found) if found else None


def _place(key: str, facets: list[Facet]) -> Place:
    return Place(
        tuple((owner, key) for owner, _ in facets),
        tuple((f"{owner}.{key}", schema) for owner, schema in facets),
    )


def _distinct(facets: Iterator[Facet]) -> tuple[Facet, ...]:
    return tuple({(owner, id(schema)): (owner, schema) for owner, schema in facets}.values())
