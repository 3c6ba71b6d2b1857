"""The validate tool itself: its definition, and what it answers; it never calls a tool."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.capability.schema_only import SchemaOnlyValidator, unknown_tool
from mcp_assay.model.tool_check import ToolCheck
from mcp_assay.spec.tool_validation import ToolValidationCapability

Said: TypeAlias = ToolCheck | str | list[str] | None
Check: TypeAlias = Callable[..., Said | Awaitable[Said]]
"""An author's own check of arguments: what is wrong with them, None where nothing is.

One with a parameter `context` is given the client's context too, None where there is none.
"""
Checks: TypeAlias = Mapping[str, Check | Mapping[str, Check]]
"""Checks by tool; several by level."""

SYNTAX: Final = "syntax"
"""The level of the schema, which is checked always."""
TEXTS: Final = {"type": "array", "items": {"type": "string"}}
VERDICT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "valid": {"type": "boolean"},
        "errors": TEXTS,
        "warnings": TEXTS,
        "suggestions": TEXTS,
    },
    "required": ["valid", "errors", "warnings", "suggestions"],
}
CALL: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "tool": {"type": "string", "description": "The name of the tool that would be called."},
        "arguments": {"type": "object", "description": "The arguments of that call."},
    },
    "required": ["tool", "arguments"],
}


class Answers:
    """Answers calls of the validate tool."""

    def __init__(self, announced: ToolValidationCapability, checks: Checks) -> None:
        self._announced: Final = announced
        self._checks: Final = checks

    def definition(self) -> dict[str, Any]:
        """The validate tool as it is listed."""
        return {
            "name": self._announced.method,
            "description": "Checks a call of another tool without making it.",
            "inputSchema": self._input(),
            "outputSchema": self._output(),
            "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
        }

    def _input(self) -> dict[str, Any]:
        properties: dict[str, Any] = dict(CALL["properties"])
        if self._announced.levels:
            offered = [level for level, is_offered in self._announced.levels.items() if is_offered]
            properties["levels"] = {"type": "array", "items": {"enum": offered}}
        if self._announced.context_aware:
            properties["context"] = {"type": "object"}
        if not self._announced.batch_validation:
            return {**CALL, "properties": properties}
        most = self._announced.max_batch_size
        properties["calls"] = {"type": "array", "items": CALL, "maxItems": most}
        alone, together = {"required": CALL["required"]}, {"required": ["calls"]}
        return {"type": "object", "properties": properties, "anyOf": [alone, together]}

    def _output(self) -> dict[str, Any]:
        if not self._announced.batch_validation:
            return VERDICT
        results = {"type": "array", "items": VERDICT}
        properties = {**VERDICT["properties"], "results": results}
        alone, together = {"required": VERDICT["required"]}, {"required": ["results"]}
        return {"type": "object", "properties": properties, "anyOf": [alone, together]}

    async def answer(
        self, asked: Mapping[str, Any], tools: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Any]:
        """The result of a call of the validate tool."""
        fault = self._fault(asked)
        if fault is not None:
            return {"content": [{"type": "text", "text": fault}], "isError": True}
        if "calls" in asked:
            shared = {name: asked[name] for name in ("levels", "context") if name in asked}
            calls = [{**shared, **one} for one in asked["calls"]]
            verdict = {"results": [await self._verdict(one, tools) for one in calls]}
        else:
            verdict = await self._verdict(asked, tools)
        return {
            "content": [{"type": "text", "text": json.dumps(verdict, ensure_ascii=False)}],
            "structuredContent": verdict,
        }

    def _fault(self, asked: Mapping[str, Any]) -> str | None:
        """What is wrong with the call of the validate tool itself."""
        check = SchemaOnlyValidator({"inputSchema": self._input()}).validate(asked)
        return None if check.valid else " ".join(check.errors)

    async def _verdict(
        self, asked: Mapping[str, Any], tools: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Any]:
        check = await self._check(asked, tools)
        return {
            "valid": check.valid,
            "errors": check.errors,
            "warnings": check.warnings,
            "suggestions": check.suggestions,
        }

    async def _check(
        self, asked: Mapping[str, Any], tools: Mapping[str, Mapping[str, Any]]
    ) -> ToolCheck:
        name, arguments = asked["tool"], dict(asked["arguments"])
        if name == self._announced.method:
            return ToolCheck(valid=False, errors=[f"{name} does not validate itself."])
        if name not in tools:
            return unknown_tool(name, tools)
        found = SchemaOnlyValidator(tools[name]).validate(arguments)
        if found.valid:  # the author's own checks may rely on the schema
            for check in self._own(name, asked.get("levels")):
                found = joined(found, await _said(check, arguments, asked.get("context")))
        return found

    def _own(self, tool: str, levels: list[str] | None) -> Iterator[Check]:
        """The author's checks of a tool, as deep as was asked."""
        own = self._checks.get(tool)
        if isinstance(own, Mapping):
            yield from (check for level, check in own.items() if not levels or level in levels)
        elif own is not None and (not levels or set(levels) != {SYNTAX}):
            yield own


def joined(first: ToolCheck, second: ToolCheck) -> ToolCheck:
    """Two checks of one call as one."""
    return replace(
        first,
        valid=first.valid and second.valid,
        errors=[*first.errors, *second.errors],
        warnings=[*first.warnings, *second.warnings],
        suggestions=[*first.suggestions, *second.suggestions],
    )


async def _said(check: Check, arguments: dict[str, Any], context: Any) -> ToolCheck:
    said = check(arguments, context=context) if _takes_context(check) else check(arguments)
    if inspect.isawaitable(said):
        said = await said
    if isinstance(said, ToolCheck):
        return said
    errors = [said] if isinstance(said, str) else list(said or [])
    return ToolCheck(valid=not errors, errors=errors)


def _takes_context(check: Check) -> bool:
    try:
        return "context" in inspect.signature(check).parameters
    except (TypeError, ValueError):  # what is written in C may hide its parameters
        return False
