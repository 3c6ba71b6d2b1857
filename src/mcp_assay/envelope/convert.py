"""Responses and content items of the profile <-> those of MCP."""

from __future__ import annotations

from typing import Any

from mcp_assay.envelope.build import create_error_response, not_serializable
from mcp_assay.envelope.completion import INVALID_RESULT, completed
from mcp_assay.envelope.members import is_response, item_in
from mcp_assay.envelope.results import members_of
from mcp_assay.envelope.values import Unfit, json_value
from mcp_assay.rules.envelope.content import said
from mcp_assay.rules.envelope.results import ENVELOPE_KEY, MCP_MEMBERS, unfolded
from mcp_assay.spec.revisions import (
    DEFAULT_REVISION,
    R2025_06_18,
    R2026_07_28,
    require_revision,
)


def to_call_tool_result(response: object, revision: str = DEFAULT_REVISION) -> dict[str, Any]:
    """The MCP result of a response: only members that the revision knows.

    What else the response holds is kept in `_meta`, so that `from_call_tool_result` finds it.
    """
    require_revision(revision)
    return result_of(_response(response), revision)


def result_of(whole: dict[str, Any], revision: str = DEFAULT_REVISION) -> dict[str, Any]:
    """The MCP result of a response that is complete."""
    result = {name: value for name, value in whole.items() if name in MCP_MEMBERS}
    result["content"] = [item_in(revision, item) for item in whole["content"]]
    if revision < R2025_06_18:
        result.pop("structuredContent", None)
    elif revision >= R2026_07_28:
        result["resultType"] = "complete"
        if whole["success"] and "data" in whole:
            result["structuredContent"] = whole["data"]
    result["_meta"] = {**whole.get("_meta", {}), ENVELOPE_KEY: _folded(whole, result)}
    return result


def from_call_tool_result(result: object) -> dict[str, Any]:
    """The response that an MCP result stands for, be it a dict or an object of `mcp` or FastMCP."""
    try:
        members = unfolded(json_value(result, members_of))
    except Unfit as problem:
        return not_serializable(problem)
    if not _is_result(members):
        return _no_result(members)
    meta = members.get("_meta")
    if isinstance(meta, dict):
        own = {key: value for key, value in meta.items() if key != ENVELOPE_KEY}
        members = {**members, "_meta": own}
    return completed(members)


def _response(given: object) -> dict[str, Any]:
    try:
        value = json_value(given, members_of)
    except Unfit as problem:
        return not_serializable(problem)
    return completed(value) if is_response(value) else _no_result(value)


def _is_result(value: Any) -> bool:
    """Whether a value has at least one of the members by which results of tools are known."""
    return isinstance(value, dict) and (
        isinstance(value.get("content"), list)
        or isinstance(value.get("isError"), bool)
        or value.get("structuredContent") is not None
    )


def _no_result(value: Any) -> dict[str, Any]:
    message = f"The result is {said(value)} without success and content"
    return create_error_response(message, INVALID_RESULT, value)


def _folded(whole: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """What of the response is nowhere else in the result."""
    kept = {name: value for name, value in whole.items() if name not in MCP_MEMBERS}
    if "structuredContent" in result:
        if not whole["success"]:
            del kept["error"]
        elif kept.get("data") == result["structuredContent"]:
            kept.pop("data", None)
    return kept
