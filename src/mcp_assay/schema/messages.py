"""What came of a check, in words for people: the value's own texts are never repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final, Literal, TypeAlias

import orjson
from msgspec import Struct, json

from mcp_assay.schema.limits import MAX_PROBLEMS
from mcp_assay.text.secrets import holds_secret
from mcp_assay.wire.pointer import Path, resolve
from mcp_assay.wire.python_values import examine
from mcp_assay.wire.values import quoted

Outcome: TypeAlias = Literal["valid", "invalid", "undecided"]


class SchemaProblem(Struct, frozen=True):
    """One place of a value where it does not fit its schema."""

    path: Path
    text: str
    """In plain words, as what is said of the place: "is a string, the schema says integer"."""
    kind: str = ""
    """What it breaks, as the engine calls it: "Type", "Enum", "Required"."""


class SchemaVerdict(Struct, frozen=True, omit_defaults=True):
    """Whether a value fits a schema; where that stays open, the reason is a whole sentence."""

    outcome: Outcome
    problems: tuple[SchemaProblem, ...] = ()
    reason: str | None = None


VALID: Final = SchemaVerdict("valid")
INVALID: Final = SchemaVerdict("invalid", (SchemaProblem((), "does not match the schema"),))
"""The value does not fit, and where it does not was too much to find out."""


def undecided(reason: str) -> SchemaVerdict:
    """Nothing can be said of the value, and this is why."""
    return SchemaVerdict("undecided", reason=reason)


_OPTIONS: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class NotJson(Exception):
    """No JSON text stands for the value; the text says why."""


def plain(value: object) -> object:
    """The value in plain JSON types; raises NotJson where it has no exact form in JSON."""
    reading = examine(value)
    if reading.notes:
        raise NotJson(reading.notes[0].text)
    return reading.value


def json_text(value: object) -> bytes:
    """The value as a JSON text; raises NotJson."""
    try:
        return orjson.dumps(value, option=_OPTIONS)
    except TypeError:
        return _exact_text(plain(value))


def _exact_text(value: object) -> bytes:
    try:
        return json.encode(value)
    except RecursionError:
        raise NotJson("it is nested too deep") from None


MAX_LISTED: Final = 5
MAX_SEARCHED: Final = 256
MAX_DIGITS: Final = 40
REDACTED: Final = "[redacted]"

TYPES: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "a boolean",
    int: "an integer",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}

TEXTS: Final[Mapping[str, Callable[[Any], str]]] = {
    "AdditionalItems": lambda kind: f"has more than {kind.limit} items",
    "AdditionalProperties": lambda kind: _unexpected(kind.unexpected),
    "Constant": lambda kind: f"is not {_shown(kind.expected_value)}",
    "Contains": lambda kind: "does not have the items that the schema requires",
    "Enum": lambda kind: f"is not one of {_listed(kind.options)}",
    "ExclusiveMaximum": lambda kind: f"is not below {_shown(kind.limit)}, as the schema says",
    "ExclusiveMinimum": lambda kind: f"is not above {_shown(kind.limit)}, as the schema says",
    "FalseSchema": lambda kind: "is not allowed by the schema",
    "MaxItems": lambda kind: f"has more items than {kind.limit}, the most the schema allows",
    "MaxLength": lambda kind: f"is longer than the {kind.limit} characters the schema allows",
    "MaxProperties": lambda kind: f"has more members than {kind.limit}, the most it may have",
    "Maximum": lambda kind: f"is above {_shown(kind.limit)}, the schema's maximum",
    "MinItems": lambda kind: f"has fewer items than {kind.limit}, the least the schema allows",
    "MinLength": lambda kind: f"is shorter than the {kind.limit} characters the schema asks for",
    "MinProperties": lambda kind: f"has fewer members than {kind.limit}, the least it may have",
    "Minimum": lambda kind: f"is below {_shown(kind.limit)}, the schema's minimum",
    "MultipleOf": lambda kind: f"is not a multiple of {_shown(kind.multiple_of)}",
    "Not": lambda kind: "is excluded by the schema",
    "OneOfMultipleValid": lambda kind: "matches more than one alternative of oneOf",
    "Pattern": lambda kind: f"does not match the schema's pattern {_shown(kind.pattern)}",
    "PropertyNames": lambda kind: "has a member whose name the schema does not allow",
    "Required": lambda kind: f"lacks the member {_shown(kind.property)}",
    "UnevaluatedItems": lambda kind: "has items that the schema does not allow",
    "UnevaluatedProperties": lambda kind: _unexpected(kind.unexpected),
    "UniqueItems": lambda kind: "has duplicate items, and the schema requires unique ones",
}
"""What is said of a place, by the kind of the engine's error."""

ALTERNATIVES: Final = ("AnyOf", "OneOfNotValid")


def problems(errors: Iterable[Any], value: object) -> tuple[SchemaProblem, ...]:
    """The first problems of a value, in words, no two alike."""
    problems = (problem for error in errors for problem in _problems(error, value))
    return tuple(dict.fromkeys(islice(problems, MAX_PROBLEMS)))


def _problems(error: Any, value: object) -> Iterator[SchemaProblem]:
    kind = _kind(error)
    if kind in ALTERNATIVES:
        yield from _alternatives(error, value)
    elif kind == "Type":
        yield _wrong_type(error, error.kind.types, value)
    else:
        yield SchemaProblem(_path(error), TEXTS.get(kind, _no_words)(error.kind), kind)


def _alternatives(error: Any, value: object) -> Iterator[SchemaProblem]:
    """What is wrong with the only alternative that the value is near; else that it fits none."""
    others = [_types_instead(errors, error) for errors in error.kind.context]
    near = [errors for errors, types in zip(error.kind.context, others, strict=True) if not types]
    if not near:
        yield _wrong_type(error, chain.from_iterable(others), value)
    elif len(near) == 1:
        for inner in islice(near[0], MAX_PROBLEMS):
            yield from _problems(inner, value)
    else:
        text = f"matches none of the {len(others)} alternatives of the schema"
        yield SchemaProblem(_path(error), text, _kind(error))


def _types_instead(errors: Iterable[Any], whole: Any) -> list[str]:
    """The types that an alternative is for, where the value is of another one."""
    here = (error for error in errors if error.instance_path == whole.instance_path)
    return [name for error in here if _kind(error) == "Type" for name in error.kind.types]


def _wrong_type(error: Any, types: Iterable[str], value: object) -> SchemaProblem:
    path = _path(error)
    seen = TYPES.get(type(resolve(value, path)), "a value")
    null_last = sorted(dict.fromkeys(types), key=lambda name: name == "null")
    return SchemaProblem(path, f"is {seen}, the schema says {' or '.join(null_last)}", "Type")


def _no_words(kind: Any) -> str:
    return "does not match the schema"


def _kind(error: Any) -> str:
    return type(error.kind).__name__


def _path(error: Any) -> Path:
    return tuple(error.instance_path)


def _unexpected(names: list[str]) -> str:
    return f"has members that the schema does not allow: {_listed(names)}"


def _listed(values: list[Any]) -> str:
    more = [f"and {len(values) - MAX_LISTED} more"] if len(values) > MAX_LISTED else []
    return ", ".join([*map(_shown, values[:MAX_LISTED]), *more])


def _shown(value: Any) -> str:
    """A value of the schema: short, and never a secret."""
    if isinstance(value, str):
        return REDACTED if holds_secret(value[:MAX_SEARCHED]) else quoted(value)
    if isinstance(value, dict | list):
        return TYPES[type(value)]
    if isinstance(value, bool | None):
        return {None: "null", True: "true", False: "false"}[value]
    return _short(str(value))


def _short(number: str) -> str:
    return number if len(number) <= MAX_DIGITS else "a very long number"
