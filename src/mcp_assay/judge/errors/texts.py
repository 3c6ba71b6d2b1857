"""What an error response says: the words in it, and the codes that stand where codes stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from msgspec import Struct

from mcp_assay.judge.blocks import texts
from mcp_assay.text.names import word_set

MOST_HEAD: Final = 12_000
MOST_TAIL: Final = 4_000
"""Of a longer message the beginning and the end are read: what happened, and its last cause."""
LONGEST_JSON: Final = 200_000
MOST_LEAVES: Final = 200
DEEPEST: Final = 8
LONGEST_CODE: Final = 6

SPEAKING: Final = word_set(
    """
    body cause classification code content data debug description detail details developermessage
    err errmsg error caused_by causedby inner_exception original_error originalerror rootcause
    underlying errormessages error_code error_description error_message error_type errorcode
    errormessage errors errortype exception
    exceptionmessage exceptiontype explanation extensions failure fault
    faultcode faultstring hint info inner innererror innerexception issues kind message messages msg
    name output problem reason response result stack stacktrace status statustext text title trace
    traceback type usermessage violations @type __type constraints errorsummary fielderrors
    invalid_params non_field_errors root_cause
    """
)
"""Members of a JSON error that say what is wrong, in lower case; others may only echo the input."""

CODES: Final = word_set(
    "code error_code errorcode http_status httpstatus status status_code statuscode"
)
"""Members whose number is a status or an error code."""


ENVELOPE: Final = word_set("error errors message response detail fault exception")
"""Members by which an object inside a text is an error."""
LONGEST_AFTER: Final = 20
CAUSES: Final = word_set(
    """
    cause caused_by causedby inner innererror innerexception inner_exception original_error
    originalerror root_cause rootcause underlying
    """
)
"""Members that hold what an error came of."""
CAUSED_BY: Final = "Caused by: "


class Statement(Struct, frozen=True):
    """The words of an error response, and its codes."""

    text: str
    codes: tuple[int, ...] = ()
    is_structured: bool = False
    """Whether it has the parts of an error object, not only prose."""


def rpc_error(response: object) -> dict[str, Any] | None:
    """The JSON-RPC error that came instead of a result."""
    if not isinstance(response, dict) or "content" in response or "structuredContent" in response:
        return None
    error = response.get("error")
    return error if isinstance(error, dict) else None


def error_text(response: object) -> str:
    """The message of an error response as people read it."""
    error = rpc_error(response)
    if error is not None:
        message = error.get("message")
        return message if isinstance(message, str) else ""
    content = response.get("content") if isinstance(response, dict) else None
    return next((text for text in texts(content) if text.strip()), "")


def statement(response: object) -> Statement:
    """All that an error response says."""
    plain = _plain_text(response)
    if plain is not None:
        return Statement(_bounded(plain))
    spoken: list[str] = []
    codes: list[int] = []
    error = rpc_error(response)
    if error is not None:
        _gather(error, spoken, codes)
        return Statement(_bounded("\n".join(spoken)), tuple(codes), is_structured=True)
    is_structured = False
    content = response.get("content") if isinstance(response, dict) else None
    for text in texts(content):
        value = _parsed(text)
        if value is None:
            _gather_embedded(text, spoken, codes)
        else:
            is_structured = True
            _gather(value, spoken, codes)
    structured = response.get("structuredContent") if isinstance(response, dict) else None
    if structured:
        is_structured = True
        _gather(structured, spoken, codes)
    if len(spoken) > 1:
        spoken = list(dict.fromkeys(spoken))
    return Statement(_bounded("\n".join(spoken)), tuple(codes), is_structured)


def _plain_text(response: object) -> str | None:
    """The text of a response that is one block of prose, as most are."""
    if type(response) is not dict or "structuredContent" in response:
        return None
    content = response.get("content")
    block = content[0] if type(content) is list and len(content) == 1 else None
    if type(block) is not dict or block.get("type") != "text":
        return None
    text = block.get("text")
    is_prose = type(text) is str and "}" not in text and "]" not in text
    return text if is_prose else None


def _parsed(text: str) -> Any:
    """The JSON object or array that a text is, or None."""
    if text.lstrip()[:1] not in ("{", "[") or len(text) > LONGEST_JSON:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _gather_embedded(text: str, spoken: list[str], codes: list[int]) -> None:
    """The words of a text, and those of the JSON error that it ends in."""
    end = text.rfind("}")
    if end < 0:
        spoken.append(text)
        return
    start = text.find("{")
    value = _parsed(text[start : end + 1]) if 0 < start < end else None
    is_error = isinstance(value, dict) and any(str(key).lower() in ENVELOPE for key in value)
    if not is_error or len(text) - end > LONGEST_AFTER:
        spoken.append(text)
        return
    spoken.append(text[:start])
    _gather(value, spoken, codes)


def _gather(value: Any, spoken: list[str], codes: list[int]) -> None:
    room = MOST_LEAVES
    for name, leaf in _leaves(value, DEEPEST):
        if isinstance(leaf, str):
            spoken.append(leaf if name in SPEAKING or not name else f"{name}: {leaf}")
        if name in CODES and (code := _code(leaf)) is not None:
            codes.append(code)
        room -= 1
        if not room:
            break


def _code(leaf: object) -> int | None:
    """A number, or a short text that is one."""
    if isinstance(leaf, str):
        return (
            int(leaf) if len(leaf) <= LONGEST_CODE and leaf.removeprefix("-").isdecimal() else None
        )
    return leaf if type(leaf) is int else None


def _leaves(value: Any, depth: int, name: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of the members that say what is wrong; where there are none, all leaves."""
    if isinstance(value, list):
        for item in value if depth else ():
            yield from _leaves(item, depth - 1, name)
    elif not isinstance(value, dict):
        yield name, value
    elif depth:
        members = [(str(key).lower(), member) for key, member in value.items()]
        speaking = [pair for pair in members if pair[0] in SPEAKING or pair[0] in CODES]
        told = sorted(speaking or members, key=lambda pair: pair[0] in CAUSES)
        for key, member in told:
            inner = _leaves(member, depth - 1, key)
            yield from _announced(inner) if key in CAUSES else inner


def _announced(leaves: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The leaves of a cause, said to be one."""
    for name, leaf in leaves:
        yield name, f"{CAUSED_BY}{leaf}" if isinstance(leaf, str) else leaf


def _bounded(text: str) -> str:
    """The text, its middle left out where it is long; half a surrogate pair becomes a "?"."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    if len(text) <= MOST_HEAD + MOST_TAIL:
        return text
    return f"{text[:MOST_HEAD]}\n{text[-MOST_TAIL:]}"
