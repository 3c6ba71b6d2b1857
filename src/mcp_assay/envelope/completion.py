"""Whatever a tool returns -> a response that keeps the profile and MCP, and loses nothing of it."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.envelope.build import (
    SUCCESS_TEXT,
    create_error_response,
    not_serializable,
    succeeded,
    text_item,
    text_of,
)
from mcp_assay.envelope.failures import failure_of
from mcp_assay.envelope.members import (
    is_response,
    is_words,
    items_of,
    meta_of,
    moment_of,
    own_members,
    strays_of,
)
from mcp_assay.envelope.results import members_of
from mcp_assay.envelope.values import Unfit, json_value, readable
from mcp_assay.rules.envelope.results import refusal_by_mcp

INVALID_RESULT: Final = "INVALID_RESULT"


def response_of(returned: object) -> dict[str, Any]:
    """The response to a call that returned this, be it data, a response or an MCP result."""
    try:
        value = json_value(returned, members_of)
    except Unfit as problem:
        return not_serializable(problem)
    return completed(value) if is_response(value) else succeeded(value, text_of(value))


def completed(given: dict[str, Any]) -> dict[str, Any]:
    """A response with all that it lacks; one that MCP would not allow becomes a failure."""
    has_failed = (
        given.get("success") is False or given.get("isError") is True or bool(given.get("error"))
    )
    response = failure_of(given) if has_failed else _success(given)
    refusal = refusal_by_mcp(response)
    if refusal is None:
        return response
    message = f"The tool returned a result that MCP does not allow: {refusal.message}"
    return create_error_response(message, INVALID_RESULT, given)


def _success(given: dict[str, Any]) -> dict[str, Any]:
    items, own, strays = items_of(given), own_members(given), strays_of(given)
    spoken = [own.pop("message")] if not items and is_words(own.get("message")) else []
    data = _data(given, own, strays)
    if data.get("data") is own:
        own = {}
    elif "content" in own:
        spoken.append(readable(own.pop("content")))
    response = {**own, **meta_of(given, strays), "success": True, "timestamp": moment_of(given)}
    response["content"] = items or _texts(spoken, data)
    response |= data
    for structured in (given.get("structuredContent"), data.get("data")):
        if isinstance(structured, dict):
            return {**response, "structuredContent": structured}
    return response


def _data(given: dict[str, Any], own: dict[str, Any], strays: dict[str, Any]) -> dict[str, Any]:
    """The data of a success, if there is any: without other data, the author's own members."""
    if given.get("data") is not None:
        return {"data": given["data"]}
    if given.get("structuredContent") is not None:
        strays.pop("structuredContent", None)
        return {"data": given["structuredContent"]}
    if own:
        return {"data": own}
    return {"data": None} if "data" in given else {}


def _texts(spoken: list[str], data: dict[str, Any]) -> list[dict[str, Any]]:
    """What was said, and the data as text; never nothing."""
    shown = [] if data.get("data") is None else [text_of(data["data"])]
    return [text_item(words) for words in dict.fromkeys([*spoken, *shown]) or [SUCCESS_TEXT]]
