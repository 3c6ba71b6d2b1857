"""What a server does with text that is no message: it says so, and goes on."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from mcp_assay.model.probe import Raw, Reply
from mcp_assay.rules.probe.confirmation import (
    FIRST_FAILURE,
    FIRST_REFUSAL,
    NO_CODE,
    NO_RESPONSE,
    UNSURE,
    Aftermath,
    aftermath,
)
from mcp_assay.rules.probe.rule import (
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    fault,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_11_25

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600


class Malformed(NamedTuple):
    """A text that is no message."""

    words: str
    text: str
    provokes: tuple[str, ...] = ()
    """The rules that an answer breaks which repeats it."""
    key: str = ""
    """What fingerprints know it by, where the words have become better."""


def _request(id: Any, method: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method}, ensure_ascii=False)


NOT_JSON: Final = Malformed(
    "invalid JSON", '{"jsonrpc": "2.0", "id": "mcp-assay-1", "met', key="text that is not JSON"
)
NOT_A_REQUEST: Final = Malformed("a request whose method is a number", _request("mcp-assay-2", 5))
MALFORMED: Final = (
    NOT_JSON,
    NOT_A_REQUEST,
    Malformed(
        "a request whose id is null", _request(None, "mcp-assay/no-such-method"), ("JSONRPC-013",)
    ),
    Malformed("JSON that is not an object", '"mcp-assay"'),
    Malformed(
        *("bytes that are not UTF-8", _request("mcp-assay-3", "\udcff\udcfe")),
        provokes=("JSONRPC-001", "JSONRPC-020", "STDIO-001", "STDIO-003"),
    ),
)
"""In the order in which they are sent; what is written as a lone surrogate is sent as a byte."""

SILENCE: Final = "the server does not answer input that is not a message"
BROKEN_OFF: Final = "the server did not survive an earlier malformed message"
HEADER_MISMATCH: Final = -32020
HEADERS_FIRST: Final = "the server checks the headers first, and they cannot match malformed input"
NO_LEGAL_ANSWER: Final = "before 2025-11-25 an error response without an id is not allowed"


@probe("JSONRPC-031", "JSONRPC-032", "JSONRPC-035")
def malformed_input(server: Known) -> Dialogue:
    """Send texts that are no messages, and after each of them an ordinary request."""
    found: dict[Malformed, Aftermath] = {}
    verdicts: Verdicts = []
    for one in MALFORMED:
        came = yield from aftermath(server, Raw(one.text, provokes=one.provokes))
        if came.fate != "goes on":
            verdicts += _fallen(one, came)
            break
        found[one] = came
    verdicts += _refusal("JSONRPC-031", PARSE_ERROR, NOT_JSON, found.get(NOT_JSON), server)
    verdicts += _refusal(
        "JSONRPC-032", INVALID_REQUEST, NOT_A_REQUEST, found.get(NOT_A_REQUEST), server
    )
    return verdicts


def _fallen(one: Malformed, came: Aftermath) -> Verdicts:
    if came.fate == "unclear":
        return [undecided("JSONRPC-035", UNSURE)]
    text = f"The server {came.how} after {one.words}."
    return [fault("JSONRPC-035", text, key=one.key or one.words)]


def _refusal(
    rule: str, code: int, one: Malformed, came: Aftermath | None, server: Known
) -> Verdicts:
    """Whether a text was refused with the right code."""
    if came is None:
        return [undecided(rule, BROKEN_OFF)]
    if code in came.codes:
        return KEPT
    if reason := _excuse(one, came, server):
        return [undecided(rule, reason)]
    fix = f"Return error {code}."
    if not came.responses:
        silent = f"The server does not respond to {one.words}."
        return [fault(rule, silent, fix=fix, cause=SILENCE, text_sent=one.text)]
    how = f"with error {came.codes[0]}" if came.codes else "with a result"
    return [fault(rule, f"The server answers {one.words} {how}.", fix=fix, text_sent=one.text)]


def _excuse(one: Malformed, came: Aftermath, server: Known) -> str | None:
    """Why the right code may be missing."""
    if server.is_http and server.is_modern and HEADER_MISMATCH in came.codes:
        return HEADERS_FIRST
    if came.responses:
        return NO_CODE if None in came.codes else None
    if server.is_http and came.status is None:
        return NO_RESPONSE
    if FIRST_REFUSAL <= (came.status or 0) < FIRST_FAILURE:
        return f"the server rejects it with HTTP status {came.status} and no JSON-RPC message"
    is_too_old = not server.is_http and server.revision < R2025_11_25
    return NO_LEGAL_ANSWER if one is NOT_JSON and is_too_old else None


_TOOLS: Final = Known(capabilities={"tools": {}})
_ALIVE: Final = Reply(result={"tools": []})
_DEAD: Final = Reply(ending="died")


def _stray(code: int, **id: str) -> Reply:
    error = {"code": code, "message": "This cannot be read"}
    return Reply(result={"tools": []}, strays=[{"jsonrpc": "2.0", **id, "error": error}])


_UNREADABLE: Final = (Reply(), _stray(PARSE_ERROR))
_INVALID: Final = (Reply(), _stray(INVALID_REQUEST))
_NAMED: Final = (Reply(), _stray(INVALID_REQUEST, id="mcp-assay-2"))
_IGNORED: Final = (Reply(), _ALIVE, _ALIVE)
_GOOD: Final = replay(*_UNREADABLE, *_NAMED, *_INVALID, *_INVALID, *_UNREADABLE, known=_TOOLS)
_SILENT: Final = replay(*_IGNORED * 5, known=_TOOLS)

probe_rule(
    "JSONRPC-031",
    "unreadable-text-not-refused",
    """The server does not answer invalid JSON with error -32700.

    Why: a client whose message was corrupted waits until its timeout.
    Instead: return error -32700, without an id.
    """,
    of=malformed_input,
    reason="parse_error_not_told",
    good=lambda: [_GOOD],
    bad=lambda: [_SILENT],
)

probe_rule(
    "JSONRPC-032",
    "invalid-request-not-refused",
    """The server does not reject an invalid request with error -32600.

    Why: the client waits for a response and never learns about its mistake.
    Instead: return error -32600 with the id of the request, if it has one.
    """,
    of=malformed_input,
    reason="invalid_request_not_refused",
    good=lambda: [_GOOD],
    bad=lambda: [_SILENT],
)

probe_rule(
    "JSONRPC-035",
    "falls-over-malformed-input",
    """The server crashes on malformed input.

    Why: one corrupted message stops the server for everyone who uses it.
    Instead: catch errors while reading a message, return an error, and continue.
    """,
    of=malformed_input,
    reason="malformed_input_not_survived",
    good=lambda: [_GOOD, _SILENT],
    bad=lambda: [
        replay(Reply(), _DEAD, Reply(), _ALIVE, Reply(), _DEAD, known=_TOOLS),
    ],
)
