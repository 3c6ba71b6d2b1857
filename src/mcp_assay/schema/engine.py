"""The engine that checks values: compiled offline, formats and contents taken as annotations."""

from __future__ import annotations

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
