"""Streams since 2026-07-28: each belongs to one request, and to that alone."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    kept,
    modern_request,
    modern_result,
    notification,
)
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import closed, event, modern_list, modern_post, stream
from mcp_assay.rules.session.http_streams import is_event
from mcp_assay.session.correlation import LONGEST_KEPT
from mcp_assay.spec.methods import LISTEN
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import glimpse, quote

OF_NO_REQUEST: Final = frozenset(
    (
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/tools/list_changed",
    )
)
"""Notifications that belong to no request but one that listens for them."""
MODERN_LIST: Final[dict[str, Any]] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
_ASKED_NOW: Final = (modern_post(modern_list()), stream())

session_rule(
    "HTTP-011",
    "request-on-stream",
    """The server sends a request on a stream.

    Why: since 2026-07-28 servers send no requests to clients; it will never be answered.
    Instead: use an input_required result.
    """,
    reason="request_on_stream",
    good=lambda: [kept(_ASKED_NOW, event(modern_result(MODERN_LIST)), closed())],
    bad=lambda: [
        broken(
            _ASKED_NOW,
            event(modern_request("x/ask", id="s-1")),
            event(modern_result(MODERN_LIST)),
            closed(),
            at=2,
            pointer="/method",
            also=(
                (2, "SCHEMA-003", "/method"),
                (2, "VER-010", "/method"),
            ),
        )
    ],
)

session_rule(
    "HTTP-012",
    "unrelated-notification",
    """A notification is sent on the stream of an unrelated request.

    Why: the stream belongs to one request; clients drop everything else.
    Instead: send progress on the stream of its own request, and changes on subscription streams.
    """,
    reason="unrelated_notification",
    good=lambda: [kept(_ASKED_NOW, event(modern_result(MODERN_LIST)), closed())],
    bad=lambda: [
        broken(
            _ASKED_NOW,
            event(notification("notifications/tools/list_changed")),
            event(modern_result(MODERN_LIST)),
            closed(),
            at=2,
            pointer="/method",
            also=((2, "SUB-002", "/params/_meta/io.modelcontextprotocol~1subscriptionId"),),
        )
    ],
)

session_rule(
    "HTTP-013",
    "stream-may-be-buffered",
    """A stream lacks the header X-Accel-Buffering: no.

    Why: reverse proxies may buffer the events, so they arrive late and all at once.
    Instead: send the header with every stream.
    """,
    reason="stream_buffered",
    good=lambda: [kept(_ASKED_NOW, event(modern_result(MODERN_LIST)), closed())],
    bad=lambda: [
        broken(
            modern_post(modern_list()),
            stream(headers={"X-Accel-Buffering": None}),
            event(modern_result(MODERN_LIST)),
            closed(),
            at=1,
        )
    ],
)


@watch_exchange("message", "HTTP-011", since=R2026_07_28)
def request_on_stream(look: Look) -> Verdict:
    """Decide HTTP-011."""
    if not is_event(look) or not look.messages:
        return None
    return [
        Found(
            ("method",),
            f"The server sends the request {quote(one.method or '')} on a stream.",
            "HTTP-011",
        )
        for one in look.messages
        if one.kind == "request"
    ]


@watch_exchange("message", "HTTP-012", since=R2026_07_28)
def unrelated_notification(look: Look) -> Verdict:
    """Decide HTTP-012."""
    question = look.exchange.question
    if question is None or question.method == LISTEN or not look.messages or not is_event(look):
        return None
    return [found for one in look.messages for found in _strangers(one, question)]


def _strangers(message: Message, question: Message) -> tuple[Found, ...]:
    if message.method in OF_NO_REQUEST:
        text = f"{message.method} came on the stream of {quote(question.method or '')}."
        return (Found(("method",), text, "HTTP-012", key="change"),)
    if message.method != "notifications/progress":
        return ()
    given, wanted = message.params.get("progressToken"), question.meta.get("progressToken")
    if given is None or _is_same(given, wanted) or _is_long(given):
        return ()
    text = f"The progress of {glimpse(given)} came on the stream of a request with another token."
    return (Found(("params", "progressToken"), text, "HTTP-012", key="progress"),)


def _is_same(given: object, wanted: object) -> bool:
    return given == wanted and given.__class__ is wanted.__class__


def _is_long(token: object) -> bool:
    """Whether the token is too long to be in the outline of a request."""
    return isinstance(token, str) and len(token) > LONGEST_KEPT


@watch_exchange("answered", "HTTP-013", since=R2026_07_28)
def stream_may_be_buffered(look: Look) -> Verdict:
    """Decide HTTP-013."""
    exchange = look.exchange
    if exchange.response_headers is None:
        return look.leave_open("HTTP-013", because=NO_HEADERS)
    if not exchange.is_stream or exchange.question is None:
        return None
    if exchange.response_headers.get("x-accel-buffering", "").lower() == "no":
        return ()
    return (Found((), "The stream has no header X-Accel-Buffering: no.", "HTTP-013"),)
