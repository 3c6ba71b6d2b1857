"""What the schema of a tool says about a call, where nobody else is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from mcp_assay.model.tool_check import ToolCheck
from mcp_assay.schema.checker import SchemaProblem, Schemas, Worker

MOST_SHOWN: Final = 20
"""Problems of one call that are reported."""


class SchemaOnlyValidator:
    """Checks arguments against the inputSchema of one tool, in full JSON Schema."""

    def __init__(self, tool: Mapping[str, Any], *, worker: Worker | None = None) -> None:
        self._schema: Final = tool.get("inputSchema", {})
        self._prepared: Final = Schemas(worker).prepare(self._schema)

    def validate(self, arguments: object) -> ToolCheck:
        """Check the arguments of a call; what the schema leaves open is a warning."""
        if not isinstance(arguments, Mapping):
            kind = type(arguments).__name__
            return _check(errors=[f"The arguments must be an object, not {kind}."])
        verdict = self._prepared.check(dict(arguments))
        strangers = list(self._unknown(arguments))
        suggestions = [text for name in strangers for text in self._meant(name, arguments)]
        if verdict.outcome == "undecided":
            why = f"The schema check was inconclusive: {verdict.reason or 'no reason is known'}"
            return _check(warnings=[why], suggestions=suggestions)
        if verdict.outcome == "invalid":
            errors = [_words(problem) for problem in verdict.problems[:MOST_SHOWN]]
            return _check(errors or ["The arguments do not match the schema."], [], suggestions)
        warnings = [f"The tool has no parameter {name!r}." for name in strangers]
        return _check([], warnings, suggestions)

    def _unknown(self, arguments: Mapping[str, Any]) -> Iterator[str]:
        """The arguments that the schema does not name, where it names any."""
        properties = self._properties()
        if properties is not None:
            yield from (name for name in arguments if name not in properties)

    def _meant(self, name: str, arguments: Mapping[str, Any]) -> Iterator[str]:
        """The parameters that may have been meant: like in name, and not given."""
        free = [known for known in self._properties() or () if known not in arguments]
        for near in get_close_matches(str(name), free, n=1):
            yield f"Did you mean {near!r} instead of {name!r}?"

    def _properties(self) -> Mapping[str, Any] | None:
        found = self._schema.get("properties") if isinstance(self._schema, Mapping) else None
        return found if isinstance(found, Mapping) else None


def unknown_tool(name: str, tools: Iterable[str]) -> ToolCheck:
    """The verdict on a call of a tool that is not there."""
    near = get_close_matches(str(name), list(tools), n=1)
    suggestions = [f"Did you mean {near[0]!r}?"] if near else []
    return _check([f"The server has no tool {name!r}."], [], suggestions)


def _check(
    errors: list[str] | None = None,
    warnings: list[str] | None = None,
    suggestions: list[str] | None = None,
) -> ToolCheck:
    return ToolCheck(
        valid=not errors,
        errors=errors or [],
        warnings=warnings or [],
        suggestions=suggestions or [],
        method="schema-only",
    )


def _words(problem: SchemaProblem) -> str:
    place = ".".join(map(str, problem.path))
    return f"{repr(place) if place else 'The call'} {problem.text}."
