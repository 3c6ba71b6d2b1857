"""Error responses: the id they answer, the shape of the error, its code and its message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, On, rule
from mcp_assay.rules.engine.samples import bad, error, good
from mcp_assay.rules.message.jsonrpc import BAD_RESPONSE_ID, type_of, wrong_id, wrong_type
from mcp_assay.spec.revisions import R2025_06_18, R2026_07_28
from mcp_assay.text.secrets import texts_in
from mcp_assay.text.words import PHRASES

ERRORS: Final = On(("error",))
ERROR_SHAPES: Final = (
    "Error",
    "MissingCapabilityError",
    "UnsupportedVersionError",
    "UrlElicitationError",
)
"""The shapes that an error object can have, by its code."""


class Member(Struct, frozen=True):
    """A member that every error object has, and the reasons given where it is absent or wrong."""

    name: str
    type: str
    absent: str
    wrong: str


ERROR_MEMBERS: Final = (
    Member("code", "integer", "missing_error_code", "invalid_error_code_type"),
    Member("message", "string", "missing_error_message", "type_mismatch"),
)

LINE_BREAK: Final = r"[\r\n]"
QUOTED: Final = r"""(?<![^\s(\[:=,])(?:'[^']{0,2000}'|"[^"]{0,2000}"|`[^`]{0,2000}`)"""
"""What somebody said, in quotes: its line breaks are not those of the message."""
STACK_TRACES: Final = (
    r"Traceback \(most recent call",
    r"Stack trace:",
    r"stack traceback:",
    r"Exception in thread ",
    r"goroutine [0-9]+ \[running\]",
    r"panicked at ",
    r"at Object\.<anonymous>",
    r"\(node:internal/",
    r"--- End of stack trace",
)
"""What stack traces of common runtimes contain: regular expressions that both checks understand."""
STACK_TRACE: Final = "|".join(STACK_TRACES)


class Band(Struct, frozen=True):
    """The error codes from `first` to `last`, except the spared ones."""

    first: int
    last: int
    spared: tuple[int, ...] = ()

    def holds(self, code: float) -> bool:
        """Whether the code lies in this band."""
        return self.first <= code <= self.last and code not in self.spared

    def schema(self) -> dict[str, Any]:
        """The same test as JSON Schema."""
        bounds = {"minimum": self.first, "maximum": self.last}
        return {**bounds, "not": {"enum": list(self.spared)}} if self.spared else bounds


STANDARD: Final = (-32700, -32600, -32601, -32602, -32603)
RESERVED: Final = (Band(-32768, -32100, spared=STANDARD),)
UNDEFINED: Final = (Band(-32099, -32020, spared=(-32020, -32021, -32022, -32042)),)
RETIRED: Final = (Band(-32002, -32002), Band(-32042, -32042))
LEGACY: Final = (Band(-32019, -32000, spared=(-32002,)),)


def _without(bands: tuple[Band, ...]) -> dict[str, dict[str, Any]]:
    return _in_errors(code={"not": {"anyOf": [band.schema() for band in bands]}})


def _in_errors(**properties: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {shape: {"properties": properties} for shape in ERROR_SHAPES}


def _code_within(message: Message, bands: tuple[Band, ...], fault: str) -> Iterator[Found]:
    if type_of(message.error, "code") != "integer":
        return
    code = message.error["code"]
    if any(band.holds(code) for band in bands):
        text = f"The error code {int(code)} {fault}."
        yield Found(("error", "code"), text, details={"code": int(code)})


@rule(
    "JSONRPC-012",
    "wrong-error-id",
    reason="invalid_id_type",
    good=lambda: [
        good(error(-32602, "Unknown tool: forecast", id=7), revision=R2025_06_18),
        good(error(-32602, "Unknown tool: forecast", id="call-7"), revision=R2025_06_18),
    ],
    bad=lambda: [
        bad(
            {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}},
            "/id",
            revision=R2025_06_18,
        ),
        bad(error(-32700, "Parse error", id=None), "/id", revision=R2025_06_18),
        bad(error(-32602, "Unknown tool: forecast", id=False), "/id", revision=R2025_06_18),
        bad(error(-32602, "Unknown tool: forecast", id=7.0), "/id", revision=R2025_06_18),
    ],
    on=ERRORS,
    patch={},
)
def wrong_error_id(message: Message) -> Iterator[Found]:
    """An error response's id is missing, or is neither a string nor an integer.

    Why: the id says which request failed; without it the requester waits until its timeout.
    Instead: repeat the id of the request, with the same value and the same type.
    """
    yield from wrong_id(message, "error response", BAD_RESPONSE_ID)


@rule(
    "JSONRPC-013",
    "null-error-id",
    reason="invalid_id_type",
    good=lambda: [
        good(error(-32602, "Unknown tool: forecast", id=7)),
        good({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}),
    ],
    bad=lambda: [
        bad(error(-32700, "Parse error", id=None), "/id"),
        bad(error(-32700, "Parse error", id=None), "/id", revision=R2026_07_28),
        bad(error(-32602, "Unknown tool: forecast", id={"n": 7}), "/id"),
        bad(error(-32602, "Unknown tool: forecast", id=7.0), "/id"),
    ],
    on=ERRORS,
    patch={},
)
def null_error_id(message: Message) -> Iterator[Found]:
    """An error response's id is present but neither a string nor an integer.

    Why: strict clients reject the response, and with it the explanation of what went wrong.
    Instead: repeat the id of the request; omit it only if the request's id was unreadable.
    """
    grades = {"null": None, "integral float": "integral float", "wrong type": "wrong type"}
    yield from wrong_id(message, "error response", grades)


@rule(
    "JSONRPC-014",
    "malformed-error",
    reason="type_mismatch",
    good=lambda: [
        good(error(-32601, "Method not found")),
        good(error(-32602, "Unknown tool: forecast", {"known": ["search"]})),
    ],
    bad=lambda: [
        bad({"jsonrpc": "2.0", "id": 1, "error": "Method not found"}, "/error"),
        bad({"jsonrpc": "2.0", "id": 1, "error": {"message": "No such tool"}}, "/error/code"),
        bad(error("ENOENT", "No such note"), "/error/code"),
        bad({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603}}, "/error/message"),
        bad(error(-32603, None), "/error/message"),
    ],
    on=ERRORS,
    patch={},
)
def malformed_error(message: Message) -> Iterator[Found]:
    """An error is not an object with an integer code and a string message.

    Why: clients use the code to decide what to do, and show the message to people.
    Instead: send {"code": -32603, "message": "..."}, and put everything else into data.
    """
    yield from wrong_type(message.value, "error", "object")
    if isinstance(message.value.get("error"), dict):
        for member in ERROR_MEMBERS:
            yield from _wrong_member(message.error, member)


def _wrong_member(members: dict[str, Any], member: Member) -> Iterator[Found]:
    actual = type_of(members, member.name)
    path = ("error", member.name)
    details = {"expected": member.type, "actual": actual}
    if actual == "missing":
        yield Found(path, f"The error has no {member.name}.", reason=member.absent, details=details)
    elif actual not in (member.type, "unreadable"):
        text = f"The error's {member.name} is {PHRASES[actual]}, not {PHRASES[member.type]}."
        yield Found(path, text, reason=member.wrong, details=details)


@rule(
    "JSONRPC-015",
    "error-message-not-a-sentence",
    reason="unfit_error_message",
    good=lambda: [
        good(error(-32602, "The argument limit must be between 1 and 100.")),
        good(error(-32603, "Internal error", {"trace": "Traceback (most recent call last):\n..."})),
        good(error(-32602, "No such note: 'tea\nand water'")),
    ],
    bad=lambda: [
        bad(error(-32603, ""), "/error/message"),
        bad(error(-32602, "Invalid arguments:\n- limit: not a number"), "/error/message"),
        bad(
            error(-32603, 'Traceback (most recent call last):\n  File "notes.py", line 3'),
            "/error/message",
        ),
    ],
    on=ERRORS,
    patch=_in_errors(
        message={"pattern": "[^ ]", "not": {"pattern": f"{LINE_BREAK}|{STACK_TRACE}"}}
    ),
)
def error_message_not_a_sentence(message: Message) -> Iterator[Found]:
    """An error message is empty, has several lines or contains a stack trace.

    Why: people and models read this text; an empty one explains nothing, a long one hides the
    cause, and a stack trace exposes server internals.
    Instead: say in one sentence what went wrong; put details into data, traces into the log.
    """
    text = message.error.get("message")
    flaw = _flaw(text, message.answers) if isinstance(text, str) else None
    if flaw:
        yield Found(("error", "message"), f"The error message {flaw}.")


def _flaw(text: str, request: Message | None) -> str | None:
    if not text.strip(" "):
        return "is empty"
    if re.search(STACK_TRACE, text):
        return "contains a stack trace"
    said = re.sub(QUOTED, "", _without_sent(text, request))
    return "has a line break" if re.search(LINE_BREAK, said) else None


def _without_sent(text: str, request: Message | None) -> str:
    """The text without what it repeats of the request, which may have lines of its own."""
    sent = texts_in(request.value.get("params")) if request else ()
    lines = {value for _, value in sent if value.strip() and re.search(LINE_BREAK, value)}
    for value in sorted(lines, key=len, reverse=True):
        text = text.replace(value, "").replace(value.strip(), "")
    return text


@rule(
    "JSONRPC-027",
    "reserved-error-code",
    reason="invalid_error_code",
    good=lambda: [
        good(error(-32602, "Unknown tool: forecast")),
        good(error(-32002, "Resource not found")),
        good(error(1001, "The account is locked."), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad(error(-32604, "Not authorised"), "/error/code"),
        bad(error(-32100, "Quota exceeded"), "/error/code", revision=R2026_07_28),
    ],
    on=ERRORS,
    patch=_without(RESERVED),
)
def reserved_error_code(message: Message) -> Iterator[Found]:
    """An error code is reserved by JSON-RPC without a defined meaning.

    Why: its meaning is undefined, and a later version may define it differently.
    Instead: use one of the five standard codes, or a code of your own above -32000.
    """
    yield from _code_within(message, RESERVED, "is reserved by JSON-RPC without a defined meaning")


@rule(
    "JSONRPC-028",
    "undefined-mcp-error-code",
    reason="invalid_error_code",
    good=lambda: [
        good(error(-32020, "The Mcp-Name header differs from the body."), revision=R2026_07_28),
        good(
            error(
                -32022,
                "Unsupported protocol version",
                {"supported": [R2026_07_28], "requested": "1900-01-01"},
            ),
            revision=R2026_07_28,
        ),
    ],
    bad=lambda: [
        bad(error(-32023, "Too many requests"), "/error/code", revision=R2026_07_28),
        bad(error(-32099, "Upstream failed"), "/error/code", revision=R2026_07_28),
    ],
    on=ERRORS,
    patch=_without(UNDEFINED),
)
def undefined_mcp_error_code(message: Message) -> Iterator[Found]:
    """An error code is in the range reserved for MCP, but MCP does not define it.

    Why: only the specification may define these codes; clients cannot know yours.
    Instead: use a standard code, or a code of your own outside -32768..-32000.
    """
    yield from _code_within(message, UNDEFINED, "is reserved for MCP, which does not define it")


@rule(
    "JSONRPC-029",
    "retired-error-code",
    reason="invalid_error_code",
    good=lambda: [
        good(error(-32602, "Resource not found: notes://7"), revision=R2026_07_28),
        good(error(-32002, "Resource not found: notes://7")),
    ],
    bad=lambda: [
        bad(error(-32002, "Resource not found"), "/error/code", revision=R2026_07_28),
        bad(
            error(-32042, "Please sign in first.", {"elicitations": []}),
            "/error/code",
            revision=R2026_07_28,
        ),
    ],
    on=ERRORS,
    patch=_without(RETIRED),
)
def retired_error_code(message: Message) -> Iterator[Found]:
    """An error code of earlier revisions is used that 2026-07-28 forbids: -32002 or -32042.

    Why: clients of this revision no longer handle it, so a missing resource or a required sign-in
    looks like any other failure.
    Instead: answer -32602 for a resource that does not exist; to ask the user for something, answer
    with a result of type input_required.
    """
    yield from _code_within(message, RETIRED, "was retired and must no longer be sent")


@rule(
    "JSONRPC-030",
    "legacy-error-code",
    reason="invalid_error_code",
    good=lambda: [
        good(error(-32603, "Internal error"), revision=R2026_07_28),
        good(error(-31999, "The account is locked."), revision=R2026_07_28),
        good(error(-32000, "Connection closed")),
    ],
    bad=lambda: [
        bad(error(-32000, "Connection closed"), "/error/code", revision=R2026_07_28),
        bad(error(-32019, "Rate limited"), "/error/code", revision=R2026_07_28),
    ],
    on=ERRORS,
    patch=_without(LEGACY),
)
def legacy_error_code(message: Message) -> Iterator[Found]:
    """An error code is between -32019 and -32000, which 2026-07-28 advises against.

    Why: older software used these codes for many different things, so receivers must not interpret
    them.
    Instead: use a standard code, or a code of your own outside -32768..-32000.
    """
    yield from _code_within(
        message, LEGACY, "is a leftover from older software without a defined meaning"
    )
