"""What is there to cover in a schema: its places, and how far cases reach them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from tests.oracle.official import Schema, Unit, official
from tests.oracle.shapes import ITEMS, JSON_TYPES, VALUES, Facet, Place, Reader, Slot, Source
from tests.oracle.walk import Case, Mode, Tag

Path: TypeAlias = tuple[str, ...]
UnitKey: TypeAlias = tuple[str, str | None]
Form: TypeAlias = tuple[str, Path, frozenset[str]]
"""A unit, a place in it, and the names of what an object there can hold."""

MODES: Final[tuple[Mode, ...]] = ("present", "absent", "wrong-type", "out-of-bounds")


class Coverage(NamedTuple):
    """The (definition, property, mode) that cases covered, and all those there are to cover."""

    covered: frozenset[Tag]
    required: frozenset[Tag]

    @property
    def missing(self) -> list[Tag]:
        """What no case covers, in order."""
        return sorted(self.required - self.covered)

    def __str__(self) -> str:
        done, wanted = (Counter(mode for *_, mode in tags) for tags in self)
        return ", ".join(f"{mode} {done[mode]}/{wanted[mode]}" for mode in MODES)


def coverage(cases: Iterable[Case], source: Source) -> Coverage:
    """How far `cases` cover the definitions that a message can reach."""
    required = required_tags(source)
    return Coverage(required.intersection(tag for case in cases for tag in case.tags), required)


def required_tags(source: Source) -> frozenset[Tag]:
    """Every reachable property in every mode that can exist.

    A property that takes any JSON type has no wrong type; one without a bound (a keyword among
    shapes.BOUNDS) has nothing out of bounds.
    """
    reader = Reader(source)
    return frozenset(
        (*place.slots[0], mode)
        for place in _reachable(source, reader)
        for mode in _modes(reader, place)
    )


@cache
def paths(revision: str) -> frozenset[tuple[UnitKey, Path]]:
    """Every property path of every unit: ("request", "tools/call"), ("params", "_meta").

    Variants of a unit share its key. The items of an array are the step "[]", the values of a map
    "{}" where the schema says what they are; both are paths of their own too. The branches of a
    union are merged. A definition inside itself is not entered again.
    """
    return source_paths(official(revision))


def source_paths(source: Source) -> frozenset[tuple[UnitKey, Path]]:
    """Every property path of every unit of any schema."""
    return frozenset(
        (unit.key, path) for unit in source.units() for path in unit_paths(source, unit)
    )


def unit_paths(source: Source, unit: Unit) -> set[Path]:
    """The property paths of one unit, this variant of it alone."""
    reader = Reader(source)
    return set(_paths(reader, reader.root(unit), (), frozenset()))


def _paths(reader: Reader, place: Place, above: Path, trail: frozenset[str]) -> Iterator[Path]:
    for shape in reader.shapes(place):
        if trail.issuperset(shape.owners):
            continue
        for inner in shape.parts:
            path = (*above, inner.key)
            yield path
            yield from _paths(reader, inner, path, trail.union(shape.owners))


def forms(source: Source) -> set[Form]:
    """Every form that an object or array can have, unlike paths by variant and branch of a union.

    What is in a `_meta`, and whether there is one, is left to the paths.
    """
    reader = Reader(source)
    return {
        (str(unit), path, names)
        for unit in source.units()
        for path, names in _forms(reader, reader.root(unit), (), frozenset())
    }


def _forms(
    reader: Reader, place: Place, path: Path, trail: frozenset[str]
) -> Iterator[tuple[Path, frozenset[str]]]:
    for shape in reader.shapes(place):
        inside = [part for part in shape.parts if part.key != "_meta"]
        if inside and not trail.issuperset(shape.owners):
            yield path, frozenset(part.key for part in inside)
            for part in inside:
                yield from _forms(reader, part, (*path, part.key), trail.union(shape.owners))


def _modes(reader: Reader, place: Place) -> Iterator[Mode]:
    yield "present"
    yield "absent"
    if reader.types(place) != frozenset(JSON_TYPES):
        yield "wrong-type"
    if any(shape.bounds for shape in reader.shapes(place)):
        yield "out-of-bounds"


def _reachable(source: Source, reader: Reader) -> Iterator[Place]:
    """The places of all definitions that a unit refers to, directly or through others."""
    waiting: list[Facet] = [(unit.envelope, source.schema(unit)) for unit in source.units()]
    names: set[str] = set()
    while waiting:
        for place, referred in _places(reader, *waiting.pop()):
            if place:
                yield place
            if referred and referred not in names:
                names.add(referred)
                waiting.append((referred, source.definitions[referred]))


def _places(
    reader: Reader, owner: str, schema: Schema
) -> Iterator[tuple[Place | None, str | None]]:
    """The places inside one definition, and the definitions that it refers to."""
    if "$ref" in schema:
        yield None, schema["$ref"].rpartition("/")[2]
    for part in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _places(reader, owner, part)
    for (_, key), inner in _slots(owner, schema):
        place = Place(((owner, key),), ((f"{owner}.{key}", inner),))
        anything = reader.is_anything(place)
        if not (anything and key == VALUES):
            yield place, None
        if not anything:
            yield from _places(reader, f"{owner}.{key}", inner)


def _slots(owner: str, schema: Schema) -> Iterator[tuple[Slot, Schema]]:
    for name, inner in schema.get("properties", {}).items():
        yield (owner, name), inner
    for keyword, key in (("items", ITEMS), ("additionalProperties", VALUES)):
        if isinstance(schema.get(keyword), dict):
            yield (owner, key), schema[keyword]
