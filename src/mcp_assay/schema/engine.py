"""The engine that checks values: compiled offline, formats and contents taken as annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, Final, Protocol

from mcp_assay.schema.limits import TAME_PATTERN_PROGRAM
from mcp_assay.schema.outline import RefusedSchema
from mcp_assay.schema.preflight import Survey
from mcp_assay.wire.pointer import pointer

MASK: Final = "a value"
"""Stands for values in the engine's own messages, which nobody reads: they would be repeated."""

PRACTICALLY_ENDLESS: Final = 10**12
"""Attempts of a pattern with look-around; the worker is stopped by the clock long before."""


class Engine(Protocol):
    """A compiled schema."""

    def is_valid(self, instance: Any) -> bool:
        """Whether the value fits."""

    def validate(self, instance: Any) -> None:
        """Raise a ValueError, the first thing that does not fit."""

    def iter_errors(self, instance: Any) -> Any:
        """What does not fit: all of it is found before the first is given."""


FEW: Final = 20
"""So many values are held against a plain schema before it is compiled, as a short file has."""
TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "array": (list,),
    "boolean": (bool,),
    "integer": (int,),
    "null": (NoneType,),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}


class LateEngine:
    """A plain schema, compiled when a value does not fit at first sight, or many have come."""

    def __init__(self, survey: Survey) -> None:
        self._survey: Final = survey
        self._left = FEW
        self._engine: Engine | None = None

    def is_valid(self, instance: Any) -> bool:
        """Whether the value fits."""
        if self._left:
            self._left -= 1
            if fits(self._survey.document, instance):
                return True
        return (self._engine or self._compiled()).is_valid(instance)

    def validate(self, instance: Any) -> None:
        """Raise a ValueError, the first thing that does not fit."""
        self._compiled().validate(instance)

    def iter_errors(self, instance: Any) -> Any:
        """What does not fit."""
        return self._compiled().iter_errors(instance)

    def _compiled(self) -> Engine:
        if self._engine is None:
            self._engine = compiled(self._survey)
        return self._engine


def is_plain(schema: Any) -> bool:
    """Whether `fits` understands all of a schema, which is then valid in every dialect."""
    return isinstance(schema, dict) and all(
        name in _PLAIN and _PLAIN[name](value) for name, value in schema.items()
    )


def _are_names(value: Any) -> bool:
    """Whether a value is a list of different texts, as enums and required must be."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return False
    return 0 < len(value) == len(set(value))


_PLAIN: Final[Mapping[str, Callable[[Any], bool]]] = {
    "$schema": lambda value: isinstance(value, str),
    "title": lambda value: isinstance(value, str),
    "description": lambda value: isinstance(value, str),
    "default": lambda value: True,
    "type": lambda value: isinstance(value, str) and value in TYPES,
    "enum": _are_names,
    "required": _are_names,
    "properties": lambda value: isinstance(value, dict) and all(map(is_plain, value.values())),
    "additionalProperties": lambda value: isinstance(value, bool),
    "items": is_plain,
}
"""The keywords of plain schemas, and what each may be."""


def fits(schema: Any, value: Any) -> bool:
    """Whether a value certainly fits a plain schema; where not, it may fit all the same."""
    if "type" in schema and value.__class__ not in TYPES[schema["type"]]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        is_closed = schema.get("additionalProperties") is False
        return (
            all(name in value for name in schema.get("required", ()))
            and (not is_closed or value.keys() <= properties.keys())
            and all(fits(properties[name], value[name]) for name in properties.keys() & value)
        )
    if isinstance(value, list) and "items" in schema:
        return all(fits(schema["items"], item) for item in value)
    return True


class UnsafePattern(Exception):
    """A pattern that no engine of linear time can match: look-around, or a huge program."""


def compiled(survey: Survey) -> Engine:
    """The engine of a schema, all of whose patterns take linear time.

    Raises UnsafePattern, and RefusedSchema where the schema breaks the rules of its dialect.
    """
    from jsonschema_rs import RegexOptions  # noqa: PLC0415  slow to import

    return _compiled(survey, RegexOptions(size_limit=TAME_PATTERN_PROGRAM))


def compiled_with_any_pattern(survey: Survey) -> Engine:
    """The engine of a schema with look-around in its patterns: only where it can be stopped."""
    from jsonschema_rs import FancyRegexOptions  # noqa: PLC0415  slow to import

    try:
        return _compiled(survey, FancyRegexOptions(backtrack_limit=PRACTICALLY_ENDLESS))
    except UnsafePattern as pattern:
        raise RefusedSchema(f"has an invalid or too large pattern at {pattern}") from None


def _compiled(survey: Survey, patterns: Any) -> Engine:
    import jsonschema_rs  # noqa: PLC0415  slow to import

    make = getattr(jsonschema_rs, survey.dialect.engine)
    try:
        engine: Engine = make(
            survey.document,
            offline=True,
            validate_formats=False,
            mask=MASK,
            pattern_options=patterns,
        )
    except jsonschema_rs.ValidationError as error:
        path = tuple(error.instance_path)
        place = pointer(path) or "its root"
        if error.kind.name == "format":
            raise UnsafePattern(place) from None
        raise RefusedSchema(f"is not valid in its dialect, see {place}", place=path) from None
    except (ValueError, jsonschema_rs.ReferencingError):
        raise RefusedSchema("is not valid in its dialect") from None
    return engine
