"""The places of a set of arguments, each with what its schema says about it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec import Struct

from mcp_assay.scenario.flat_schemas import Unfolding
from mcp_assay.scenario.keywords import Flat
from mcp_assay.scenario.limits import DEPTH_OF_OPTIONS, MAX_PLACES
from mcp_assay.wire.pointer import Path


class ArgumentPlace(Struct, frozen=True):
    """One place of the arguments."""

    path: Path
    flat: Flat
    value: Any
    is_required: bool


def places_in(unfolding: Unfolding, schema: Any, arguments: dict[str, Any]) -> list[ArgumentPlace]:
    """The places inside the arguments, those near the top first; raises NoValue.

    Of more than are varied there is one: who cares can tell that there are more.
    """
    found = islice(_levels(unfolding, schema, arguments), 1 + MAX_PLACES + 1)
    return [place for place in found if place.path]


def left_alone(found: list[ArgumentPlace]) -> Iterator[str]:
    """Which of the places that were found are not varied, in sentences."""
    if len(found) > MAX_PLACES:
        yield f"Only {MAX_PLACES} argument positions were varied; there are more."
    if any(_goes_deeper(place) for place in found[:MAX_PLACES]):
        yield f"Places more than {DEPTH_OF_OPTIONS} levels deep in the arguments were not varied."


def _goes_deeper(place: ArgumentPlace) -> bool:
    is_deepest = len(place.path) == DEPTH_OF_OPTIONS
    return is_deepest and any(True for _ in _inside(place.flat, place.value, place.path))


def _levels(
    unfolding: Unfolding, schema: Any, arguments: dict[str, Any]
) -> Iterator[ArgumentPlace]:
    level: list[tuple[Any, Any, Path, bool]] = [(schema, arguments, (), True)]
    while level:
        below: list[tuple[Any, Any, Path, bool]] = []
        for inner, value, path, is_required in level:
            flat = unfolding.suited(inner, value)
            if flat is None:
                continue
            yield ArgumentPlace(path, flat, value, is_required)
            if len(path) < DEPTH_OF_OPTIONS:
                below += _inside(_joined(unfolding, inner, flat, value), value, path)
        level = below


def _joined(unfolding: Unfolding, schema: Any, flat: Flat, value: Any) -> Flat:
    """The flat schema with all that the branches of a choice say of each member.

    A member that names its branch has one value in each of them: together they are its list.
    """
    if not isinstance(value, dict):
        return flat
    branches = [one.get("properties", {}) for one in unfolding.alternatives(schema)]
    members = dict(flat.get("properties", {}))
    for name, member in members.items():
        others = [one[name] for one in branches if name in one and one[name] != member]
        if others:
            members[name] = {"anyOf": [member, *others]}
    return {**flat, "properties": members}


def _inside(flat: Flat, value: Any, path: Path) -> Iterator[tuple[Any, Any, Path, bool]]:
    listed = flat.get("properties", {})
    if isinstance(value, dict):
        required = flat.get("required", ())
        for name in value:
            if name in listed:
                yield listed[name], value[name], (*path, name), name in required
    elif isinstance(value, list) and value:
        prefix = flat.get("prefixItems")
        yield prefix[0] if prefix else flat.get("items", True), value[0], (*path, 0), False


def put(value: Any, path: Path, new: Any) -> Any:
    """The value with another one at the end of a path; what is not on the way is shared."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [put(one, rest, new) if at == step else one for at, one in enumerate(value)]
    return {**value, step: put(value.get(step), rest, new)}


def without(value: Any, path: Path) -> Any:
    """The value without what is at the end of a path."""
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        if not rest:
            return [one for at, one in enumerate(value) if at != step]
        return [without(one, rest) if at == step else one for at, one in enumerate(value)]
    if not rest:
        return {name: one for name, one in value.items() if name != step}
    return {**value, step: without(value[step], rest)}
