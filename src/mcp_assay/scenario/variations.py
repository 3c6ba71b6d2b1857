"""What can be tried at one place of otherwise good arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.verdict import Category
from mcp_assay.scenario.argument_places import ArgumentPlace
from mcp_assay.scenario.keywords import Flat, types_of
from mcp_assay.scenario.leaves import Range
from mcp_assay.scenario.limits import LONG_TEXT, MANY_ITEMS, MAX_ITEMS, MAX_TEXT
from mcp_assay.scenario.path_values import is_path_name
from mcp_assay.scenario.usual_values import FORMATS, field_of, is_effort, takes_time

UNICODE: Final = "Grüße, 漢字, עברית, 🙂 e\u0301"
SPECIAL: Final = (
    ("quotes and a semicolon", 'O\'Neil "x" `y`; --'),
    ("brackets, a backslash and signs of patterns", "[a-z(*+?{\\"),
    ("percent signs, markup and lines", "100%s %(a)s {0} <b>&amp;</b>\n${a}"),
)
"""Texts that break what is put together without care: queries, patterns, forms and pages."""
UNKNOWN_NAME: Final = "assay_unknown_argument"
_OUTSIDE: Final = ("assay-not-listed", 987_654_321, False, None)
_UNMATCHED: Final = ("", " ", "~", "0", "a", "A a", "~~~~~~~~~~~~~~~~", "0" * 64)
_LARGE: Final = 2**31

MUCH_EFFORT: Final = 5_000
"""A field that may only keep a server busy is not tried with more."""
MUCH_TIME: Final = 100
"""Nor one that says how long, how often or how deep."""

MISSING: Final = object()
"""Stands for a value that is taken away."""


class Variation(Struct, frozen=True):
    """Other values for one place: the first of them that is as valid as wanted is tried."""

    name: str
    category: Category
    candidates: tuple[Any, ...]
    is_wrong: bool = False
    """Whether the place shall not fit its schema any more."""


Variations: TypeAlias = Iterator[Variation]


def first_fault(place: ArgumentPlace) -> Variation:
    """The most telling fault of a place."""
    if place.is_required and isinstance(place.path[-1], str):
        return missing()
    return wrong_type(place)


def faults(place: ArgumentPlace) -> Variations:
    """All that can be wrong at a place, one thing at a time; the limits are apart."""
    if place.is_required and isinstance(place.path[-1], str):
        yield missing()
    yield wrong_type(place)
    if "enum" in place.flat:
        yield _wrong("outside the listed values", *_OUTSIDE)
    if {"integer", "number"} & set(types_of(place.flat)):
        yield _wrong("wrong type: a number as text", str(place.value))
    if "boolean" in types_of(place.flat):
        yield _wrong("wrong type: a truth value as text", "true")
    yield _wrong("wrong type: null", None)
    if isinstance(place.value, dict):
        yield unknown(place.value)
    if "patterns" in place.flat:
        yield _wrong("against the pattern", *_UNMATCHED)


def missing() -> Variation:
    """A required member that is not there."""
    return _wrong("required, but missing", MISSING)


def unknown(value: dict[str, Any]) -> Variation:
    """A member that the schema does not know."""
    return _wrong("unknown argument", {**value, UNKNOWN_NAME: "assay"})


def wrong_type(place: ArgumentPlace) -> Variation:
    """A value of a type that the place does not have."""
    if isinstance(place.value, str):
        return _wrong("wrong type", 12_345, {"assay": "object"}, ["assay"], True)
    return _wrong("wrong type", "assay-wrong-type", {"assay": "object"}, ["assay"], 12_345)


def each_value(place: ArgumentPlace) -> Variations:
    """Every value that a place may have, where they are listed."""
    listed = place.flat.get("enum") or ([True, False] if isinstance(place.value, bool) else [])
    for number, value in enumerate(listed, 1):
        yield Variation(f"value {number} of {len(listed)}", "happy_path", (value,))


def limits(place: ArgumentPlace) -> Variations:
    """The places at, just inside and just outside every limit."""
    for limited, kind, find in _LIMITS:
        if isinstance(place.value, kind) and not isinstance(place.value, bool):
            yield from find(place, *limited)


def maximum_is_effort(place: ArgumentPlace) -> bool:
    """Whether the largest number of a place may only keep a server busy."""
    if isinstance(place.value, bool) or not isinstance(place.value, int | float):
        return False
    most, name = Range(place.flat).at_high(), field_of(place.path)
    much = MUCH_TIME if takes_time(name) else MUCH_EFFORT
    return most is not None and most > much and is_effort(name)


def edges(place: ArgumentPlace) -> Variations:
    """Values that are rare, yet good."""
    value = place.value
    if isinstance(value, str) and place.flat.get("format") not in FORMATS:
        yield _edge("empty text", "")
        # No quotes in paths: where a message shows one, nobody can tell where it ends.
        special = SPECIAL[1:] if is_path_name(field_of(place.path)) else SPECIAL
        yield from (_edge(name, text) for name, text in special)
        yield _edge("text of many scripts", UNICODE)
        yield _edge("long text", "assay " * (LONG_TEXT // 6))
        yield _edge("text of blanks", "   ")
    elif isinstance(value, list):
        yield _edge("empty list", [])
        if value and "maxItems" not in place.flat:
            yield _edge("long list", [value[at % len(value)] for at in range(MANY_ITEMS)])
    elif isinstance(value, dict):
        yield _edge("empty object", {})
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _numeric_edges(place)


def _numeric_edges(place: ArgumentPlace) -> Variations:
    yield _edge("zero", 0)
    yield _edge("negative number", -1)
    if "integer" not in types_of(place.flat):
        yield _edge("number with a fraction", 0.5)
    if not is_effort(field_of(place.path)):
        yield _edge("large number", _LARGE)


def _text_limits(place: ArgumentPlace, lower: str, upper: str) -> Variations:
    is_formed = place.flat.get("format") in FORMATS
    for found in _counted(place.flat, lower, upper, lambda count: _resized(place.value, count)):
        if found.is_wrong or not is_formed:
            yield found


def _list_limits(place: ArgumentPlace, lower: str, upper: str) -> Variations:
    if place.value:
        yield from _counted(place.flat, lower, upper, lambda count: _repeated(place.value, count))
    if "uniqueItems" in place.flat and place.value:
        yield _wrong("limit: the same item twice", [*place.value, place.value[0]])


def _object_limits(place: ArgumentPlace, lower: str, upper: str) -> Variations:
    yield from _counted(place.flat, lower, upper, lambda count: _extended(place.value, count))


def _number_limits(place: ArgumentPlace, lower: str, upper: str) -> Variations:
    allowed = Range({**place.flat, "type": _numeric_type(place.flat)})
    at, inside, outside = map(allowed.at_low, (0, 1, -1))
    yield from _around(f"limit: {lower}", at, inside, outside)
    at, inside, outside = map(allowed.at_high, (0, -1, 1))
    if maximum_is_effort(place):
        at = inside = None
    yield from _around(f"limit: {upper}", at, inside, outside)
    if "multipleOf" in place.flat:
        yield _wrong("limit: between two multiples", _between(place))


_LIMITS: Final[
    tuple[tuple[tuple[str, str], Any, Callable[[ArgumentPlace, str, str], Variations]], ...]
] = (
    (("minLength", "maxLength"), str, _text_limits),
    (("minItems", "maxItems"), list, _list_limits),
    (("minProperties", "maxProperties"), dict, _object_limits),
    (("minimum", "maximum"), int | float, _number_limits),
)
"""The limits of each type, and what makes values of a size."""


def _counted(flat: Flat, lower: str, upper: str, made: Callable[[int], Any]) -> Variations:
    for limit, inwards in ((lower, 1), (upper, -1)):
        size = flat.get(limit)
        if size is None or size > (MAX_TEXT if limit.endswith("Length") else MAX_ITEMS):
            continue
        sizes = [int(size), int(size) + inwards, int(size) - inwards]
        at, inside, outside = (made(one) if one >= 0 else None for one in sizes)
        yield from _around(f"limit: {limit}", at, inside, outside)


def _around(name: str, at: Any, inside: Any, outside: Any) -> Variations:
    if at is not None:
        yield Variation(f"{name}, at it", "boundary", (at,))
    if outside is not None:
        yield _wrong(f"{name}, just outside", outside)
    if inside is not None:
        yield Variation(f"{name}, just inside", "boundary", (inside,))


def _wrong(name: str, *candidates: Any) -> Variation:
    return Variation(name, "error_case", candidates, is_wrong=True)


def _edge(name: str, value: Any) -> Variation:
    return Variation(f"edge: {name}", "edge_case", (value,))


def _resized(text: str, length: int) -> str:
    filling = text[-1] if text else "a"
    return text[:length].ljust(length, filling)


def _repeated(items: list[Any], count: int) -> list[Any]:
    return [items[at % len(items)] for at in range(count)]


def _extended(members: dict[str, Any], count: int) -> dict[str, Any]:
    names = (*members, *(f"assay{at}" for at in range(count)))
    return {name: members.get(name, "assay") for name in names[:count]}


def _numeric_type(flat: Flat) -> str:
    return "number" if "number" in types_of(flat) else "integer"


def _between(place: ArgumentPlace) -> float:
    return float(place.value) + float(place.flat["multipleOf"]) / 2
