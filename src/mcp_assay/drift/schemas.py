"""Two JSON Schemas, then and now -> what changed in them, place by place, in words.

Whether a change matters depends on who writes the values: `Side` says whether the schema is that of
a call, which clients make, or that of an answer, which they read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias, cast

import orjson
from msgspec import Struct

from mcp_assay.wire.pointer import pointer

Direction: TypeAlias = Literal["tighter", "looser", "new", "gone", "other", "words"]
"""Fewer values fit; more do; a member is named that was not, or no longer is; nobody can tell at a
glance; only texts for people differ."""

DEEPEST: Final = 20
WORDS: Final = frozenset({"title", "description", "examples", "default", "$comment", "deprecated"})
"""Members that no value is checked against."""
LOWER: Final = frozenset(
    ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
)
UPPER: Final = frozenset(
    ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
)

UNIONS: Final = ("anyOf", "oneOf")
NULL: Final[Mapping[str, Any]] = {"type": "null"}

TURNED: Final = frozenset({"if", "not"})
"""Members whose schema admits less where the whole admits more, or nobody can tell."""
TOO_WILD: Final = "too wild"
"""Values that are nested too deep, or hold numbers too large, are not distinguished."""


class Difference(Struct, frozen=True):
    """A place where two schemas differ."""

    path: tuple[str, ...]
    words: str
    direction: Direction

    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer."""
        return pointer(self.path)


def differences(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Where two schemas differ."""
    if old == new:
        return
    if not isinstance(old, Mapping) or not isinstance(new, Mapping) or len(path) > DEEPEST:
        words = f"{_place(path)} changed from {_short(old)} to {_short(new)}"
        yield Difference(path, words, "other")
        return
    old, new = _plain_types(old), _plain_types(new)
    if alternative := _alternative(old, new, path):
        yield alternative
        old, new = _texts(old), _texts(new)
    yield from _types(old, new, path)
    yield from _enums(old, new, path)
    yield from _required(old, new, path)
    yield from _properties(old, new, path)
    covered = {"type", "enum", "required", "properties"}
    for name in sorted((old.keys() | new.keys()) - covered):
        if old.get(name) != new.get(name):
            yield from _keyword(name, old.get(name), new.get(name), path)


def _plain_types(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with a list of types in place of a union that says no more than that.

    Types alone are joined; of two alternatives one of which is null, the other stays as it is.
    """
    name = next((one for one in UNIONS if _is_union(schema.get(one))), None)
    if name is None or "type" in schema:
        return schema
    members = schema[name]
    told = [one for one in members if one != NULL]
    if any(one.keys() != {"type"} for one in told) and (len(told) != 1 or len(members) != 2):
        return schema
    types = sorted({type for one in members for type in _listed(one["type"])})
    rest = {key: value for key, value in schema.items() if key != name}
    return {**(told[0] if told else {}), **rest, "type": types}


def _alternative(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]
) -> Difference | None:
    """The difference where what was there is one of several alternatives now, or the reverse."""
    for one, other, words, direction in (
        (old, new, "now also accepts", "looser"),
        (new, old, "no longer accepts", "tighter"),
    ):
        bare = {name: value for name, value in one.items() if name not in WORDS}
        for name in UNIONS:
            known = other.get(name)
            if bare and isinstance(known, list) and bare in known and "type" not in other:
                rest = [it for it in known if it != bare]
                shown = f"{_place(path)} {words} {' or '.join(map(_alternative_words, rest))}"
                return Difference((*path, name), shown, cast("Direction", direction))
    return None


def _alternative_words(schema: Any) -> str:
    is_type = isinstance(schema, Mapping) and schema.keys() == {"type"}
    return _either(_listed(schema["type"])) if is_type else _short(schema)


def _texts(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in schema.items() if name in WORDS}


def _is_union(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, Mapping) and _listed(one.get("type")) for one in value)
    )


def _types(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Difference]:
    before, now = _listed(old.get("type")), _listed(new.get("type"))
    if before == now or any(_is_alternative(side) for side in (old, new)):
        return
    words = f"{_place(path)} changed from {_either(before)} to {_either(now)}"
    yield Difference((*path, "type"), words, _direction(before, now))


def _is_alternative(schema: Mapping[str, Any]) -> bool:
    """Whether alternatives or a reference say what fits, so that no type says it."""
    return "type" not in schema and any(name in schema for name in (*UNIONS, "allOf", "$ref"))


def _enums(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Difference]:
    before, now = old.get("enum"), new.get("enum")
    if before == now:
        return
    if not isinstance(before, list) or not isinstance(now, list):
        yield _enum_or_none(before, now, path)
        return
    known, listed = {_key(value) for value in before}, {_key(value) for value in now}
    removed = [value for value in before if _key(value) not in listed]
    added = [value for value in now if _key(value) not in known]
    if removed:
        words = f"{_place(path)} no longer accepts {_values(removed)}"
        yield Difference((*path, "enum"), words, "tighter")
    if added:
        words = f"{_place(path)} now also accepts {_values(added)}"
        yield Difference((*path, "enum"), words, "looser")


def _enum_or_none(before: Any, now: Any, path: tuple[str, ...]) -> Difference:
    place = (*path, "enum")
    if now is None:
        return Difference(place, f"{_place(path)} now accepts any value", "looser")
    if not isinstance(now, list):
        words = f"the enum of {_place(path)} changed from {_short(before)} to {_short(now)}"
        return Difference(place, words, "other")
    return Difference(place, f"{_place(path)} now accepts only {_values(now)}", "tighter")


def _required(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Difference]:
    before, now = _names(old.get("required")), _names(new.get("required"))
    for name in sorted(now - before):
        yield Difference((*path, "required"), f"{_place((*path, name))} is now required", "tighter")
    for name in sorted(before - now):
        words = f"{_place((*path, name))} is no longer required"
        yield Difference((*path, "required"), words, "looser")


def _properties(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Difference]:
    before, now = _map(old.get("properties")), _map(new.get("properties"))
    for name in sorted(before.keys() - now.keys()):
        tighter = new.get("additionalProperties") is False
        words = f"{_place((*path, name))} is gone"
        place = (*path, "properties", name)
        yield Difference(place, words, "tighter" if tighter else "gone")
    for name in sorted(now.keys() - before.keys()):
        words = f"{_place((*path, name))} is new"
        place = (*path, "properties", name)
        yield Difference(place, words, "new")
    for name in sorted(before.keys() & now.keys()):
        yield from differences(before[name], now[name], (*path, "properties", name))


def _keyword(name: str, old: Any, new: Any, path: tuple[str, ...]) -> Iterator[Difference]:
    place = (*path, name)
    if name in WORDS:
        yield Difference(place, f"the {name} of {_place(path)} changed", "words")
    elif name in LOWER | UPPER and _are_numbers(old, new):
        words = f"{_keyword_at(name, path)}: {_short(old)} → {_short(new)}"
        yield Difference(place, words, _limit(name, old, new))
    elif isinstance(old, Mapping) and isinstance(new, Mapping) and name not in TURNED:
        yield from differences(old, new, place)
    else:
        words = f"{_keyword_at(name, path)}: {_short(old)} → {_short(new)}"
        closes = name == "additionalProperties" and new is False
        yield Difference(place, words, "tighter" if closes else "other")


def _keyword_at(name: str, path: tuple[str, ...]) -> str:
    return f"{name} of {_place(path)}" if _member_names(path) else name


def _limit(name: str, old: Any, new: Any) -> Direction:
    if old is None or new is None:
        return "tighter" if old is None else "looser"
    return "tighter" if (new > old) == (name in LOWER) else "looser"


def _direction(before: frozenset[str], now: frozenset[str]) -> Direction:
    if not before or not now:
        return "looser" if before else "tighter"
    if now < before:
        return "tighter"
    return "looser" if before < now else "other"


def _are_numbers(*values: Any) -> bool:
    return all(it is None or (isinstance(it, int | float)) for it in values)


def _listed(types: Any) -> frozenset[str]:
    return frozenset([types] if isinstance(types, str) else _names(types))


def _names(value: Any) -> frozenset[str]:
    return (
        frozenset(it for it in value if isinstance(it, str))
        if isinstance(value, list)
        else frozenset()
    )


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _place(path: tuple[str, ...]) -> str:
    names = _member_names(path)
    return repr(".".join(names)) if names else "the schema"


def _member_names(path: tuple[str, ...]) -> list[str]:
    return [name for name in path if name not in ("properties", "items")]


def _either(types: frozenset[str]) -> str:
    return " or ".join(sorted(types, key=lambda one: (one == "null", one))) or "any type"


def _values(values: Any) -> str:
    shown = ", ".join(_short(value) for value in values[:10])
    return f"{shown} …" if len(values) > 10 else shown


def _key(value: Any) -> Hashable:
    """What equal values have in common, so that long lists of them are compared in linear time."""
    if not isinstance(value, Mapping | list):
        return isinstance(value, bool), value
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return TOO_WILD


def _short(value: Any) -> str:
    if value is None:
        return "unset"
    try:
        text = orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        text = "a value too large to show"
    return text if len(text) <= 60 else f"{text[:57]}..."
