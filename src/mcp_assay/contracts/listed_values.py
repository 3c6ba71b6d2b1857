"""Lists of values: what a schema lists, what refusals name, what answers hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from mcp_assay.contracts.conventions import NOTHING, data_of, fields
from mcp_assay.model.call import CallResult
from mcp_assay.model.scenario import Plan, Scenario
from mcp_assay.scenario.limits import MAX_LISTED
from mcp_assay.scenario.named_values import allowed_in
from mcp_assay.wire.pointer import find, tokens

GOVERNS: Final = ("enum", "const", "$ref", "anyOf", "oneOf", "allOf")
"""A field with one of these in an outputSchema is that schema's own business."""
DEEPEST: Final = 30
_ABSENT: Final = object()


def name_of(pointer: str) -> str:
    """The name of the field that a pointer leads to; the items of a list have the list's name."""
    name, *inner = tokens(pointer)
    return next((step for step in reversed(inner) if not step.isdecimal()), name)


def value_at(arguments: Any, pointer: str) -> Any:
    """The value of an argument, or something that equals nothing."""
    return find(arguments, tokens(pointer), _ABSENT)


def with_value(plan: Plan, pointer: str, value: Any) -> Scenario | None:
    """The first valid call of a plan that has this value at this place."""
    valid = (one for one in plan.scenarios if one.valid)
    return next((one for one in valid if is_same(value_at(one.arguments, pointer), value)), None)


def is_same(one: object, other: object) -> bool:
    """Whether two values are equal in JSON, where true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def vocabulary(plan: Plan) -> dict[str, list[Any]]:
    """The listed values by place; inside others, one value alone only tells kinds apart."""
    listed = plan.listed.items()
    return {at: values for at, values in listed if len(values) > 1 or len(tokens(at)) == 1}


def lists_by_name(plan: Plan) -> dict[str, tuple[Any, ...]]:
    """The listed values by the names of the fields; a name with two different lists is left out."""
    found: dict[str, tuple[Any, ...]] = {}
    odd = set()
    for pointer, values in vocabulary(plan).items():
        name = name_of(pointer)
        if found.setdefault(name, tuple(values)) != tuple(values):
            odd.add(name)
    return {name: values for name, values in found.items() if name and name not in odd}


def strangers(
    answers: Iterable[CallResult], lists: Mapping[str, tuple[Any, ...]]
) -> dict[str, list[Any]]:
    """Values in fields of answers that are not in the list of that name; null is no value."""
    found: dict[str, list[Any]] = {}
    for answer in answers:
        data = data_of(answer.result)
        for name, value in fields(data) if data is not NOTHING else ():
            listed = lists.get(name)
            if listed is None or value is None or any(is_same(value, it) for it in listed):
                continue
            if value not in found.setdefault(name, []):
                found[name].append(value)
    return found


def governed(schema: Any, depth: int = 0) -> set[str]:
    """The names of fields whose values an outputSchema restricts by itself."""
    if depth > DEEPEST or not isinstance(schema, dict | list):
        return set()
    if isinstance(schema, list):
        return set().union(*(governed(part, depth + 1) for part in schema))
    properties = schema.get("properties")
    named = properties.items() if isinstance(properties, dict) else ()
    own = {name for name, part in named if isinstance(part, dict) and _governs(part)}
    return own.union(*(governed(part, depth + 1) for part in schema.values()))


def property_names(schema: Any, depth: int = 0) -> set[str]:
    """The names of all members that a schema describes, at every depth."""
    if depth > DEEPEST or not isinstance(schema, dict | list):
        return set()
    parts = schema if isinstance(schema, list) else list(schema.values())
    properties = schema.get("properties") if isinstance(schema, dict) else None
    own = set(properties) if isinstance(properties, dict) else set()
    return own.union(*(property_names(part, depth + 1) for part in parts))


def _governs(part: Mapping[str, Any]) -> bool:
    items = part.get("items")
    inner = items if isinstance(items, dict) else {}
    return any(key in part or key in inner for key in GOVERNS)


def is_cut(words: str, named: list[str]) -> bool:
    """Whether a refusal may know more values than it names."""
    return len(named) >= MAX_LISTED or any(mark in words for mark in ("…", "...", "etc", " more"))


def named_in_refusal(words: str, pointer: str, tried: Any, listed: Iterable[Any]) -> list[str]:
    """The allowed values that a refusal names, where it speaks of this very argument."""
    found = list(allowed_in(words))
    shares_some = bool({str(value) for value in listed} & set(found))
    names_it = name_of(pointer) in words or str(tried) in words
    return found if shares_some or (len(found) > 1 and names_it) else []
