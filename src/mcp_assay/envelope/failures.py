"""A failure as an author returned it -> a response with an error that tells all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mcp_assay.envelope.build import (
    ERROR_START,
    UNKNOWN_ERROR,
    UNKNOWN_TEXT,
    failed,
    message_of,
    sayable,
)
from mcp_assay.envelope.members import (
    is_words,
    items_of,
    meta_of,
    moment_of,
    own_members,
    strays_of,
)
from mcp_assay.rules.envelope.outcome import first_text

Members = dict[str, Any]


def failure_of(given: Members) -> Members:
    """The response that reports this failure; what its author added is in the error's details."""
    items, strays = items_of(given), strays_of(given)
    error = _error(given, items)
    response = failed(error)
    response["content"] = _content(items, response["content"][0]["text"])
    structured = given.get("structuredContent")
    if isinstance(structured, dict):
        if structured.get("error") in (None, _error_of(given)):
            response["structuredContent"] = {**structured, "error": error}
        else:
            strays["structuredContent"] = structured
    return {**meta_of(given, strays), **response, "timestamp": moment_of(given)}


def _error_of(given: Members) -> Any:
    """What reports the error: its own member, or the one that MCP clients see."""
    structured = given.get("structuredContent")
    seen = structured.get("error") if isinstance(structured, dict) else None
    return given.get("error") or seen


def _error(given: Members, items: list[Members]) -> Members:
    """The error object, made of whatever tells something about it."""
    error, own = _error_of(given), own_members(given)
    members = (
        dict(error) if isinstance(error, dict) else {"message": error} if is_words(error) else {}
    )
    if error and not members:
        own["error"] = error
    if given.get("data") is not None:
        own["data"] = given["data"]
    code = sayable(_taken("code", _is_code, members, own))
    message = message_of(_taken("message", is_words, members, own) or _spoken(items))
    details = _details(members, own)
    if not message:
        shown = json.dumps(details, ensure_ascii=False) if details else ""
        message = message_of(f"{UNKNOWN_TEXT}: {shown}" if shown else UNKNOWN_TEXT)
    error = {"code": code or UNKNOWN_ERROR, "message": message, **members}
    return error if details is None else {**error, "details": details}


def _taken(name: str, fits: Callable[[Any], bool], *holders: Members) -> Any:
    """The first member of this name that is fit for its purpose, taken out; None without one."""
    fitting = (holder.pop(name) for holder in holders if fits(holder.get(name)))
    return next(fitting, None)


def _is_code(value: Any) -> bool:
    return is_words(value) or (isinstance(value, int) and not isinstance(value, bool))


def _spoken(items: list[Members]) -> str:
    spoken = first_text(items)
    return spoken[1] if spoken else ""


def _details(members: Members, own: Members) -> Any:
    """All that has no other place; what was given as details, where there is nothing else.

    Whatever of these is in `members` is taken out.
    """
    left = {name: members.pop(name, None) for name in ("code", "message")}
    if unfit := {name: value for name, value in left.items() if value not in (None, "")}:
        own["error"] = unfit
    holder = members if "details" in members else own
    details = holder.pop("details", None)
    if not own or details is None:
        return own or details
    if isinstance(details, dict) and details.keys().isdisjoint(own):
        return {**details, **own}
    return {**own, "error": {**own.get("error", {}), "details": details}}


def _content(items: list[Members], text: str) -> list[Members]:
    """The items, the first text of which tells the error."""
    spoken = first_text(items)
    if spoken and spoken[1].startswith(text):
        return items
    if spoken and message_of(spoken[1]) == text.removeprefix(ERROR_START):
        index = spoken[0]
        return [*items[:index], {**items[index], "text": text}, *items[index + 1 :]]
    return [{"type": "text", "text": text}, *items]
