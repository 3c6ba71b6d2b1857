"""Whatever a tool returns -> a response that keeps the profile and MCP."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.envelope.build import (
    SUCCESS_TEXT,
    UNKNOWN_ERROR,
    UNKNOWN_TEXT,
    create_error_response,
    create_success_response,
    failed,
    not_serializable,
    now,
    sayable,
    text_item,
)
from mcp_assay.envelope.items import mcp_item
from mcp_assay.envelope.results import members_of
from mcp_assay.envelope.values import Unfit, json_value, readable
from mcp_assay.rules.engine import Setting, judge
from mcp_assay.rules.envelope.outcome import first_text
from mcp_assay.spec.formats import is_moment
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.examining import examine

INVALID_RESULT: Final = "INVALID_RESULT"
KNOWN: Final = frozenset(
    (
        "success",
        "timestamp",
        "content",
        "data",
        "error",
        "message",
        "isError",
        "structuredContent",
        "_meta",
        "resultType",
    )
)
"""The members that mean something in what a tool returns as its response."""


def response_of(returned: object) -> dict[str, Any]:
    """The response to a call that returned this, be it data, a response or an MCP result."""
    try:
        value = json_value(returned, members_of)
    except Unfit as problem:
        return not_serializable(problem)
    return completed(value) if is_response(value) else create_success_response(value)


def is_response(value: Any) -> bool:
    """Whether a JSON value is meant as a response, not as data."""
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("success"), bool) or _is_content(value.get("content"))


def completed(given: dict[str, Any]) -> dict[str, Any]:
    """A response with all that it lacks; one that MCP would not allow becomes a failure."""
    has_failed = (
        given.get("success") is False or given.get("isError") is True or bool(given.get("error"))
    )
    response = _failure(given) if has_failed else _success(given)
    checked = examine({"jsonrpc": "2.0", "id": 1, "result": response})
    setting = Setting(revision=DEFAULT_REVISION, method_of=lambda message: "tools/call")
    for finding in judge(checked, setting):
        if finding.severity == "error":
            message = f"The tool returned a result that MCP does not allow: {finding.message}"
            return create_error_response(message, INVALID_RESULT)
    return response


def _is_content(content: Any) -> bool:
    return isinstance(content, list) and all(
        isinstance(item, dict) and isinstance(item.get("type"), str) for item in content
    )


def _success(given: dict[str, Any]) -> dict[str, Any]:
    data, others = _data(given), _others(given)
    if others and not data and "content" not in given:
        data, others = {"data": others}, {}  # where MCP clients can see them
    response = {**others, **_meta(given), "success": True, "timestamp": _moment(given)}
    response["content"] = _items(given) or [text_item(_success_text(given, data))]
    response |= data
    for structured in (given.get("structuredContent"), data.get("data")):
        if isinstance(structured, dict):
            return {**response, "structuredContent": structured}
    return response


def _failure(given: dict[str, Any]) -> dict[str, Any]:
    error = _error(given)
    response = failed(error)
    items, structured = _items(given), given.get("structuredContent")
    spoken = first_text(items)
    if spoken and spoken[1].startswith(f"Error: {error['message']}"):
        response["content"] = items
    else:
        response["content"] += items
    if isinstance(structured, dict):
        response["structuredContent"] = {**structured, "error": error}
    response["timestamp"] = _moment(given)
    data = {"data": given["data"]} if "data" in given else {}
    return {**_others(given), **_meta(given), **response, **data}


def _meta(given: dict[str, Any]) -> dict[str, Any]:
    meta = given.get("_meta")
    return {"_meta": meta} if meta and isinstance(meta, dict) else {}


def _others(given: dict[str, Any]) -> dict[str, Any]:
    """The members of the author's own."""
    return {name: value for name, value in given.items() if name not in KNOWN}


def _data(given: dict[str, Any]) -> dict[str, Any]:
    """The data of a success, if there is any."""
    if "data" in given:
        return {"data": given["data"]}
    structured = given.get("structuredContent")
    return {} if structured is None else {"data": structured}


def _items(given: dict[str, Any]) -> list[dict[str, Any]]:
    content = given.get("content")
    return [mcp_item(item) for item in content] if isinstance(content, list) else []


def _success_text(given: dict[str, Any], data: dict[str, Any]) -> str:
    if data.get("data") is not None:
        return readable(data["data"])
    return sayable(given.get("message")) or SUCCESS_TEXT


def _error(given: dict[str, Any]) -> dict[str, Any]:
    """The error object of a failure, made of whatever tells something about it."""
    error = given.get("error")
    members = error if isinstance(error, dict) else {"message": error}
    spoken = first_text(given.get("content"))
    said = spoken[1].removeprefix("Error: ") if spoken else ""
    message = sayable(members.get("message") or given.get("message") or said) or UNKNOWN_TEXT
    told = {"code": sayable(members.get("code")) or UNKNOWN_ERROR, "message": message}
    return {**told, **{name: value for name, value in members.items() if name not in told}}


def _moment(given: dict[str, Any]) -> str:
    moment = given.get("timestamp")
    return moment if isinstance(moment, str) and is_moment(moment) else now()
