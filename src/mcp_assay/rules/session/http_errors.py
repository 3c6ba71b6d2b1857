"""How a server refuses a request over HTTP, since 2026-07-28: status, error code and id agree."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    error,
    kept,
    modern_request,
    modern_result,
)
from mcp_assay.rules.session.http_exchanges import (
    NO_HEADERS,
    NO_STATUS,
    UNKNOWN_ERA,
    Look,
    Verdict,
    named_version,
    watch_exchange,
)
from mcp_assay.rules.session.http_headers import ToolHeaders
from mcp_assay.rules.session.http_samples import modern_list, modern_post, reply
from mcp_assay.session.exchanges import (
    NAME_HEADER,
    decoded,
    is_encoded,
    is_id,
)
from mcp_assay.session.handshake import CLIENT_CAPABILITIES, VERSION_HEADER
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import glimpse, listing

BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404
INVALID_PARAMS: Final = -32602
METHOD_NOT_FOUND: Final = -32601
HEADER_MISMATCH: Final = -32020
REFUSALS: Final = (-32021, -32022)
"""Error codes whose status the specification fixes, whatever the request was."""
NOT_READ: Final = (-32700, -32600)
"""Error codes that say that the server could not read the request."""
READ_BODIES: Final = (200, BAD_REQUEST, NOT_FOUND)
"""With other statuses a server may refuse a request before it has read the body; before
2026-07-28, where a session can be missing, with any but the first."""
BOTH_ERAS: Final = "the server also supports older revisions"

_EMPTY: Final[dict[str, Any]] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
_LISTED: Final = (modern_post(modern_list()), reply(modern_result(_EMPTY)))
_NO_SUCH: Final = modern_post(modern_request("prompts/list", id=2), 2)
_CALL: Final = modern_request("tools/call", {"name": "weather"}, id=2)
_UMLAUT: Final = modern_request("prompts/get", {"name": "für"}, id=2)
_ENCODED: Final = "=?base64?ZsO8cg==?="

session_rule(
    "HTTP-033",
    "unknown-method-status",
    """A request for an unknown method is answered with a status other than 404.

    Why: status 404 together with the error lets a client tell a missing method from a missing
    server.
    Instead: return status 404 and error -32601.
    """,
    reason="status_of_error",
    good=lambda: [
        kept(_LISTED, _NO_SUCH, reply(error(-32601, "No such method", id=2), 2, status=404)),
    ],
    bad=lambda: [broken(_LISTED, _NO_SUCH, reply(error(-32601, "No such method", id=2), 2))],
)

session_rule(
    "HTTP-034",
    "header-fault-accepted",
    """A request whose headers do not match its body is not rejected with error -32020.

    Why: gateways that read the headers and servers that read the body then see different requests.
    Instead: return status 400 and error -32020.
    """,
    reason="header_fault_accepted",
    good=lambda: [
        kept(
            modern_post(_CALL, 2),
            reply(error(-32020, "The header Mcp-Param-Town is missing", id=2), 2, status=400),
        ),
    ],
    bad=lambda: [
        broken(
            modern_post(_CALL, 2, Mcp_Name="forecast"),
            reply(modern_result({"content": []}, id=2), 2),
            also=((0, "HTTP-030", ""),),
        ),
        broken(
            modern_post(_CALL, 2, Mcp_Name="forecast"),
            reply(error(-32020, "The header Mcp-Name is another", id=2), 2),
            also=((0, "HTTP-030", ""),),
        ),
    ],
)

session_rule(
    "HTTP-035",
    "encoded-header-refused",
    """A request is rejected for its headers, although their base64 values are correct.

    Why: non-ASCII names can only be sent as base64, so such a tool or resource cannot be used.
    Instead: decode the header before it is compared with the body.
    """,
    reason="encoded_header_refused",
    good=lambda: [
        kept(
            modern_post(_UMLAUT, 2, Mcp_Name=_ENCODED),
            reply(modern_result({"messages": []}, id=2), 2),
        ),
    ],
    bad=lambda: [
        broken(
            modern_post(_UMLAUT, 2, Mcp_Name=_ENCODED),
            reply(error(-32020, "The header Mcp-Name is another", id=2), 2, status=400),
        ),
    ],
)

session_rule(
    "HTTP-036",
    "status-of-refusal",
    """A version, capability or `_meta` error is not sent with status 400.

    Why: clients and gateways misinterpret any other status.
    Instead: send these errors with status 400.
    """,
    reason="status_of_error",
    good=lambda: [
        kept(
            modern_post(_CALL, 2),
            reply(
                error(
                    -32021, "Sampling is needed", {"requiredCapabilities": {"sampling": {}}}, id=2
                ),
                2,
                status=400,
            ),
        )
    ],
    bad=lambda: [
        broken(
            modern_post(_CALL, 2),
            reply(
                error(
                    -32021, "Sampling is needed", {"requiredCapabilities": {"sampling": {}}}, id=2
                ),
                2,
            ),
        )
    ],
)

session_rule(
    "HTTP-042",
    "error-without-id",
    """An error's id is not the id of the posted request.

    Why: the client cannot match the error to its request by the body alone.
    Instead: copy the id of the request into the error, unless the request could not be read.
    """,
    reason="error_without_id",
    good=lambda: [
        kept(_LISTED, _NO_SUCH, reply(error(-32601, "No such method", id=2), 2, status=404)),
    ],
    bad=lambda: [
        broken(
            _LISTED,
            _NO_SUCH,
            reply(error(-32601, "No such method", id=None), 2, status=404),
            pointer="/id",
            also=((3, "JSONRPC-013", "/id"),),
        )
    ],
)


@watch_exchange("asked", since=R2026_07_28)
def remember_missing_meta(look: Look) -> Verdict:
    """Remember that a request lacks what HTTP-036 asks about."""
    question = look.exchange.question
    if question is not None:
        lacks_version = named_version(question) is None
        look.exchange.lacks_meta = lacks_version or CLIENT_CAPABILITIES not in question.meta
    return None


@watch_exchange("message", "HTTP-033", since=R2026_07_28)
def unknown_method_status(look: Look) -> Verdict:
    """Decide HTTP-033."""
    refusal = _refusal(look)
    if refusal is None or refusal.error.get("code") != METHOD_NOT_FOUND:
        return None
    if look.exchange.status is None or _is_of_older_server(look):
        because = NO_STATUS if look.exchange.status is None else UNKNOWN_ERA
        return look.leave_open("HTTP-033", because=because)
    if look.exchange.status == NOT_FOUND:
        return ()
    text = f"Error -32601 came with HTTP status {look.exchange.status}, not 404."
    return (Found((), text, "HTTP-033"),)


@watch_exchange("answered", "HTTP-034", since=R2026_07_28)
def header_fault_accepted(look: Look) -> Verdict:
    """Decide HTTP-034 by the status."""
    exchange = look.exchange
    if exchange.question is None or exchange.status is None:
        return None
    if exchange.request_headers is None:
        return look.leave_open("HTTP-034", because=NO_HEADERS)
    if not exchange.header_faults or (not _is_event(look) and _names(look, HEADER_MISMATCH)):
        return None
    if not exchange.succeeded:
        return ()
    grade = BOTH_ERAS if VERSION_HEADER in exchange.header_faults else None
    named = listing(sorted(exchange.header_faults), "and")
    text = f"A request with errors in {named} was answered with status {exchange.status}, not 400."
    return (Found((), text, "HTTP-034", grade, key="accepted"),)


@watch_exchange("message", "HTTP-034", since=R2026_07_28)
def header_fault_status(look: Look) -> Verdict:
    """Decide HTTP-034 where the server speaks of a fault in the headers."""
    refusal = _refusal(look)
    if refusal is None or refusal.error.get("code") != HEADER_MISMATCH:
        return None
    if _is_event(look) and look.exchange.header_faults:
        return None  # the status of the stream has told it
    status = look.exchange.status
    if status is None:
        return look.leave_open("HTTP-034", because=NO_STATUS)
    if status == BAD_REQUEST:
        return () if look.exchange.request_headers is not None else None
    text = f"Error -32020 came with HTTP status {status}, not 400."
    return (Found((), text, "HTTP-034", key="status"),)


@watch_exchange("message", "HTTP-035", since=R2026_07_28)
def encoded_header_refused(look: Look) -> Verdict:
    """Decide HTTP-035."""
    question, headers = look.exchange.question, look.exchange.request_headers
    given = (headers or {}).get(NAME_HEADER)
    if question is None or given is None or not is_encoded(given):
        return None
    if look.exchange.header_faults or _has_unknown_headers(look, question):
        return None
    if not _names(look, HEADER_MISMATCH):
        return ()
    name = glimpse(decoded(given))
    text = (
        f"The request was rejected for its headers, but the base64 in Mcp-Name decodes to {name}."
    )
    return (Found((), text, "HTTP-035"),)


@watch_exchange("message", "HTTP-036", since=R2026_07_28)
def status_of_refusal(look: Look) -> Verdict:
    """Decide HTTP-036."""
    refusal = _refusal(look)
    if refusal is None or not _has_fixed_status(look, refusal):
        return None
    status = look.exchange.status
    if status is None:
        return look.leave_open("HTTP-036", because=NO_STATUS)
    if status == BAD_REQUEST:
        return ()
    text = f"The error {glimpse(refusal.error.get('code'))} came with status {status}, not 400."
    return (Found((), text, "HTTP-036"),)


@watch_exchange("message", "HTTP-042", since=R2026_07_28)
def error_without_id(look: Look) -> Verdict:
    """Decide HTTP-042."""
    refusal, question = _error_of_one(look), look.exchange.question
    if refusal is None or question is None or not _was_read(look, refusal, question):
        return None
    asked, given = question.value.get("id"), refusal.value.get("id")
    if given == asked and given.__class__ is asked.__class__:
        return ()
    if _is_of_older_server(look):
        return look.withhold("HTTP-042", because=UNKNOWN_ERA)
    named = "no id" if given is None else f"the id {glimpse(given)}"
    text = f"The error has {named}, but the request that was posted has {glimpse(asked)}."
    return (Found(("id",), text, "HTTP-042"),)


@watch_exchange("message", "JSONRPC-013", since=R2025_11_25)
def error_omits_id(look: Look) -> Verdict:
    """Decide JSONRPC-013 where the request was seen, so that its id can be read."""
    refusal, question = _error_of_one(look), look.exchange.question
    if refusal is None or question is None or not _was_read(look, refusal, question):
        return None
    if "id" in refusal.value:
        return ()
    if _is_of_older_server(look):
        return look.withhold("JSONRPC-013", because=UNKNOWN_ERA)
    asked = glimpse(question.value.get("id"))
    text = f"The error has no id, but the request that was posted has {asked}."
    return (Found(("id",), text, "JSONRPC-013", key="omitted"),)


def _error_of_one(look: Look) -> Message | None:
    """The error that answers one request: as the body of the response, or on its stream."""
    is_of_one = look.exchange.question is not None and bool(look.exchange.awaited)
    alone = look.messages[0] if len(look.messages) == 1 and isinstance(look.value, dict) else None
    return alone if is_of_one and alone is not None and alone.kind == "error" else None


def _refusal(look: Look) -> Message | None:
    """The error that refuses one request: the whole body, or the first thing on its stream.

    Later on a stream the status has long been sent.
    """
    return None if _is_event(look) and look.exchange.events else _error_of_one(look)


def _is_event(look: Look) -> bool:
    return look.exchange.is_stream or look.line.delivery.sse is not None


def _names(look: Look, code: int) -> bool:
    refusal = _refusal(look)
    return refusal is not None and refusal.error.get("code") == code


def _is_of_older_server(look: Look) -> bool:
    """Whether the server may be one that does not know the revision of the request."""
    if look.exchange.revision < R2026_07_28:
        return False
    question = look.exchange.question
    is_discovery = question is not None and question.method == "server/discover"
    return is_discovery or not look.exchanges.speaks_modern


def _has_fixed_status(look: Look, refusal: Message) -> bool:
    code = refusal.error.get("code")
    return code in REFUSALS or (code == INVALID_PARAMS and look.exchange.lacks_meta)


def _was_read(look: Look, refusal: Message, question: Message) -> bool:
    """Whether the server has read the request, and its id can be compared."""
    statuses = READ_BODIES if look.exchange.revision >= R2026_07_28 else READ_BODIES[:1]
    return (
        look.exchange.status in statuses
        and refusal.error.get("code") not in NOT_READ
        and is_id(question.value.get("id"))
    )


def _has_unknown_headers(look: Look, question: Message) -> bool:
    """Whether the tool may want headers that nobody here knows of."""
    known = look.session.recall(ToolHeaders).of
    return question.method == "tools/call" and str(question.params.get("name")) not in known
