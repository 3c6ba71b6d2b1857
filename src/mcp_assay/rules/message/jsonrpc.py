"""The JSON-RPC envelope: version, kind, id, method, params and result of one message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from types import NoneType
from typing import Any, Final

from mcp_assay.model.entry import Kind, Message
from mcp_assay.rules.engine.rule import Found, On, rule
from mcp_assay.rules.engine.samples import (
    bad,
    error,
    good,
    modern_request,
    notification,
    request,
    result,
)
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import PHRASES, json_type

EVERY_KIND: Final[tuple[Kind, ...]] = ("request", "notification", "result", "error", "unknown")
CALLS: Final[tuple[Kind, ...]] = ("request", "notification")
MEMBERS: Final = ("jsonrpc", "id", "method", "params", "result", "error")

_NO: Final = NoneType
PLAIN: Final[Mapping[tuple[Kind, tuple[type, ...]], int]] = {
    ("request", (str, int, str, dict, _NO, _NO)): 4,
    ("request", (str, str, str, dict, _NO, _NO)): 4,
    ("request", (str, int, str, _NO, _NO, _NO)): 3,
    ("request", (str, str, str, _NO, _NO, _NO)): 3,
    ("notification", (str, _NO, str, dict, _NO, _NO)): 3,
    ("notification", (str, _NO, str, _NO, _NO, _NO)): 2,
    ("result", (str, int, _NO, _NO, dict, _NO)): 3,
    ("result", (str, str, _NO, _NO, dict, _NO)): 3,
}
"""The types of the MEMBERS of an envelope that has nothing out of the ordinary, and how many it
has: a member that is null counts too."""

MAX_UNKNOWN_MEMBERS: Final = 20
LONGEST_NEAR_MISS: Final = 32
MOST_NEAR_MISSES: Final = 1024

ID_FAULTS: Final[Mapping[str, str | None]] = {
    "string": None,
    "integer": None,
    "unreadable": None,
    "missing": "missing",
    "null": "null",
}
BAD_RESPONSE_ID: Final = {
    "missing": None,
    "null": None,
    "integral float": "integral float",
    "wrong type": None,
}
"""The id faults of a response that must have an id, each with its grade in the catalogue."""


def type_of(members: Mapping[str, Any], name: str) -> str:
    """The JSON type of a member, "missing", or "unreadable" for what the reader has marked."""
    return json_type(members[name], whole_floats=True) if name in members else "missing"


def wrong_type(members: Mapping[str, Any], name: str, expected: str) -> Iterator[Found]:
    """Report a member that is there but not of the expected JSON type."""
    actual = type_of(members, name)
    if actual not in (expected, "missing", "unreadable"):
        yield Found(
            (name,),
            f"The {name} member is {PHRASES[actual]}, not {PHRASES[expected]}.",
            details={"expected": expected, "actual": actual},
        )


def wrong_id(message: Message, whose: str, grades: Mapping[str, str | None]) -> Iterator[Found]:
    """Report the message's id if it has one of the graded faults."""
    fault = _id_fault(message.value)
    if fault is not None and fault in grades:
        actual = type_of(message.value, "id")
        yield Found(
            ("id",),
            f"The {whose}'s id is {_id_phrase(fault, actual)}.",
            grade=grades[fault],
            details={"expected": "string or integer", "actual": actual},
        )


def _id_fault(members: Mapping[str, Any]) -> str | None:
    value = members.get("id")
    if isinstance(value, float) and value.is_integer():
        return "integral float"
    return ID_FAULTS.get(type_of(members, "id"), "wrong type")


def _id_phrase(fault: str, actual: str) -> str:
    if fault == "integral float":
        return "an integer written like a fraction, such as 1.0"
    if fault == "wrong type":
        return f"{PHRASES[actual]}, not a string or an integer"
    return fault


def is_plain(message: Message) -> bool:
    """Whether the envelope is just what the message's kind needs: then no rule here objects."""
    value = message.value
    types = tuple(map(type, map(value.get, MEMBERS)))
    return PLAIN.get((message.kind, types)) == len(value) and value["jsonrpc"] == "2.0"


@rule(
    "JSONRPC-002",
    "wrong-jsonrpc-version",
    reason="invalid_jsonrpc_version",
    good=lambda: [good(request("tools/list")), good(notification("notifications/initialized"))],
    bad=lambda: [
        bad({"id": 1, "method": "tools/list"}, "/jsonrpc"),
        bad({"jsonrpc": "1.0", "id": 1, "method": "tools/list"}, "/jsonrpc"),
        bad({"jsonrpc": 2.0, "id": 1, "result": {"tools": []}}, "/jsonrpc", method="tools/list"),
    ],
    on=On(EVERY_KIND),
    patch={},
    skip_if=is_plain,
)
def wrong_jsonrpc_version(message: Message) -> Iterator[Found]:
    """A message's jsonrpc member is missing or not the string "2.0".

    Why: the receiver cannot tell which protocol the message follows, and usually rejects it.
    Instead: send "jsonrpc": "2.0", as a string, in every message.
    """
    actual = type_of(message.value, "jsonrpc")
    if actual == "string" and message.value["jsonrpc"] == "2.0":
        return
    fault = "is missing" if actual == "missing" else 'is not the string "2.0"'
    details = {"expected": "2.0", "actual": actual}
    yield Found(("jsonrpc",), f"The jsonrpc member {fault}.", details=details)


@rule(
    "JSONRPC-004",
    "wrong-request-id-type",
    reason="invalid_id_type",
    good=lambda: [good(request("tools/list", id=7)), good(request("tools/list", id="list-7"))],
    bad=lambda: [
        bad(request("tools/list", id=True), "/id"),
        bad(request("tools/list", id={"n": 7}), "/id"),
        bad(request("tools/list", id=1.5), "/id"),
        bad(request("tools/list", id=1.0), "/id"),
    ],
    on=On(("request",)),
    patch={},
    skip_if=is_plain,
)
def wrong_request_id_type(message: Message) -> Iterator[Found]:
    """A request's id is neither a string nor an integer.

    Why: the response must repeat the id exactly; peers reject other types, round them, or return
    something that no longer matches.
    Instead: use an integer without a decimal point, or a string.
    """
    yield from wrong_id(
        message, "request", {"integral float": "integral float", "wrong type": None}
    )


@rule(
    "JSONRPC-005",
    "null-request-id",
    reason="invalid_id_type",
    good=lambda: [
        good(request("tools/list", id=0)),
        good(notification("notifications/roots/list_changed"), direction="c2s"),
    ],
    bad=lambda: [
        bad(request("tools/list", id=None), "/id"),
        bad(modern_request("tools/list", id=None), "/id", revision=R2026_07_28),
    ],
    on=On(("request",)),
    patch={},
    skip_if=is_plain,
)
def null_request_id(message: Message) -> Iterator[Found]:
    """A request's id is null.

    Why: the response cannot be matched to the request, so the requester waits until its timeout.
    Instead: give the request an id, or omit id if it is a notification.
    """
    yield from wrong_id(message, "request", {"null": None})


@rule(
    "JSONRPC-006",
    "method-not-a-string",
    reason="invalid_method_type",
    good=lambda: [
        good(request("ping")),
        good(modern_request("tools/list"), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad({"jsonrpc": "2.0", "id": 1, "method": 42}, "/method"),
        bad({"jsonrpc": "2.0", "method": None}, "/method"),
        bad({"jsonrpc": "2.0", "id": 1, "params": {"name": "search"}}, "/method"),
        bad({"jsonrpc": "2.0"}, ""),
    ],
    on=On((*CALLS, "unknown")),
    patch={},
    skip_if=is_plain,
)
def method_not_a_string(message: Message) -> Iterator[Found]:
    """A request or notification has no method, or its method is not a string.

    Why: the receiver does not know what to do.
    Instead: name the method as a string, such as "tools/list".
    """
    if message.kind != "unknown":
        yield from wrong_type(message.value, "method", "string")
    elif "params" in message.value:
        yield Found(("method",), "The message has params but no method.", reason="missing_method")
    elif "id" not in message.value:
        text = "The message has no method, no result and no error."
        yield Found((), text, reason="invalid_message_structure")


@rule(
    "JSONRPC-007",
    "params-not-an-object",
    reason="invalid_params_type",
    good=lambda: [
        good(request("tools/list")),
        good(request("tools/call", {"name": "search", "arguments": {"query": "tea"}})),
    ],
    bad=lambda: [
        bad(request("tools/call", ["search", {"query": "tea"}]), "/params"),
        bad({**request("tools/list"), "params": None}, "/params"),
        bad(notification("notifications/initialized", "ready"), "/params"),
    ],
    on=On((*CALLS, "unknown")),
    patch={},
    skip_if=is_plain,
)
def params_not_an_object(message: Message) -> Iterator[Found]:
    """The params of a request or notification are not an object.

    Why: MCP uses named parameters only, so the receiver finds none of them.
    Instead: send an object, or omit params if the method allows it.
    """
    yield from wrong_type(message.value, "params", "object")


@rule(
    "JSONRPC-008",
    "notification-with-id",
    reason="invalid_message_structure",
    good=lambda: [good(notification("notifications/initialized"), direction="c2s")],
    bad=lambda: [
        bad({**notification("notifications/initialized"), "id": 1}, "/id"),
        bad({**notification("notifications/tools/list_changed"), "id": None}, "/id"),
    ],
    on=On(("notification",)),
    patch={},
    skip_if=is_plain,
)
def notification_with_id(message: Message) -> Iterator[Found]:
    """A notification has an id.

    Why: an id makes it a request, but notifications get no response. Some receivers return an
    error, others ignore it, and the sender may wait for a response that never comes.
    Instead: omit id in notifications.
    """
    if "id" in message.value:
        yield Found(("id",), "The notification has an id.")


@rule(
    "JSONRPC-009",
    "not-exactly-one-of-result-and-error",
    reason="both_result_and_error",
    good=lambda: [
        good(result({"tools": []}), method="tools/list"),
        good(error(-32601, "Method not found"), method="prompts/list"),
    ],
    bad=lambda: [
        bad({**result({"tools": []}), **error(-32603, "Internal error")}, "", method="tools/list"),
        bad({"jsonrpc": "2.0", "id": 1}, ""),
    ],
    on=On(("error", "unknown")),
    patch={},
    skip_if=is_plain,
)
def not_exactly_one_of_result_and_error(message: Message) -> Iterator[Found]:
    """A response has both a result and an error, or neither.

    Why: it is unclear whether the request succeeded, and clients interpret it differently.
    Instead: send result on success and error on failure, and omit the other (null counts as
    present).
    """
    if message.kind == "error" and "result" in message.value:
        yield Found((), "The response has both a result and an error.")
    elif message.kind == "unknown" and "id" in message.value and "params" not in message.value:
        text = "The message has an id but no result, no error and no method."
        yield Found((), text, reason="missing_result_and_error")


@rule(
    "JSONRPC-010",
    "result-not-an-object",
    reason="invalid_result_type",
    good=lambda: [
        good(result({}), method="ping"),
        good(result({"content": [{"type": "text", "text": "3 notes"}]}), method="tools/call"),
    ],
    bad=lambda: [
        bad(result("pong"), "/result", method="ping"),
        bad(result(None), "/result", method="ping"),
        bad(result([{"name": "search"}]), "/result", method="tools/list"),
    ],
    on=On(("result",)),
    patch={},
    skip_if=is_plain,
)
def result_not_an_object(message: Message) -> Iterator[Found]:
    """A response's result is not an object.

    Why: every MCP result is an object with named members, so clients cannot read it.
    Instead: send an object; an empty one if there is nothing to return.
    """
    yield from wrong_type(message.value, "result", "object")


@rule(
    "JSONRPC-011",
    "wrong-result-id",
    reason="invalid_id_type",
    good=lambda: [
        good(result({"tools": []}, id=7), method="tools/list"),
        good(result({}, id="ping-7"), method="ping"),
    ],
    bad=lambda: [
        bad({"jsonrpc": "2.0", "result": {"tools": []}}, "/id", method="tools/list"),
        bad(result({"tools": []}, id=None), "/id", method="tools/list"),
        bad(result({}, id=[7]), "/id", method="ping"),
        bad(result({}, id=7.0), "/id", method="ping"),
    ],
    on=On(("result",)),
    patch={},
    skip_if=is_plain,
)
def wrong_result_id(message: Message) -> Iterator[Found]:
    """A result response's id is missing, or is neither a string nor an integer.

    Why: without the id, the result cannot be matched to its request.
    Instead: repeat the id of the request, with the same value and the same type.
    """
    yield from wrong_id(message, "result response", BAD_RESPONSE_ID)


@rule(
    "JSONRPC-016",
    "request-and-response-at-once",
    reason="invalid_message_structure",
    good=lambda: [
        good(request("tools/list")),
        good(result({"tools": []}), method="tools/list"),
    ],
    bad=lambda: [
        bad({**request("tools/list"), "result": {"tools": []}}, ""),
        bad({**request("tools/list"), "error": {"code": -32603, "message": "Failed"}}, ""),
    ],
    on=On(CALLS),
    patch={},
    skip_if=is_plain,
)
def request_and_response_at_once(message: Message) -> Iterator[Found]:
    """A message has a method and also a result or an error.

    Why: it can be read as a request or as a response, and receivers disagree.
    Instead: omit method in responses, and result and error in requests.
    """
    answers = [name for name in ("result", "error") if name in message.value]
    if answers:
        yield Found((), f"The message has a method and also {' and '.join(answers)}.")


@rule(
    "JSONRPC-017",
    "unknown-envelope-member",
    reason="unknown_member",
    good=lambda: [good(request("tools/list", {"cursor": "page-2"}))],
    bad=lambda: [
        bad({**request("tools/list"), "timestamp": "2025-11-25T10:00:00Z"}, "/timestamp"),
        bad({**request("tools/list"), "parameters": {"cursor": "page-2"}}, "/parameters"),
        bad({**result({}), "Error": None}, "/Error", method="ping"),
    ],
    on=On(EVERY_KIND),
    patch={},
    skip_if=is_plain,
)
def unknown_envelope_member(message: Message) -> Iterator[Found]:
    """A message has a member that JSON-RPC does not define.

    Why: receivers ignore it or reject the whole message, and a misspelt name goes unnoticed.
    Instead: use only jsonrpc, id, method, params, result and error; put extra data into `_meta`.
    """
    unknown = (name for name in message.value if name not in MEMBERS)
    yield from map(_unknown_member, islice(unknown, MAX_UNKNOWN_MEMBERS))


def _unknown_member(name: str) -> Found:
    near = _near_miss(name) if len(name) <= LONGEST_NEAR_MISS else None
    return Found(
        (name,),
        f"The message has a member {name[:LONGEST_NEAR_MISS]!r} that JSON-RPC does not define.",
        details={"did_you_mean": near} if near else None,
        fix=f"Did you mean {near}?" if near else None,
    )


@lru_cache(maxsize=MOST_NEAR_MISSES)
def _near_miss(name: str) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415, slow to import and seldom needed

    return next(iter(get_close_matches(name.lower(), MEMBERS, n=1, cutoff=0.7)), None)
