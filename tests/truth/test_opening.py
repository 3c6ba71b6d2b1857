"""How a session could not be opened: each failure in its own words, with what was seen kept."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from mcp_assay.cli.unreachable import words_about
from mcp_assay.client.connection import connect
from mcp_assay.client.target import Endpoint
from tests.truth.http_peer import (
    EVENTS,
    JSON,
    TOOL,
    Asked,
    Handler,
    assessed,
    head,
    response,
    run,
    serving,
)
from tests.truth.test_endings import sends, waits_for_ever

STATUSES = {
    "307": (response(307, Location="https://books.example/mcp/"), "refused"),
    "404": (response(404), "refused"),
    "405": (response(405), "refused"),
    "406": (response(406), "refused"),
    "500": (response(500), "refused"),
    "401": (response(401), "closed"),
    "403": (response(403), "closed"),
}


def everywhere(handler: Handler) -> dict[str, Handler]:
    return dict.fromkeys(("initialize", "server__discover", "GET"), handler)


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_is_named_and_the_server_was_reached(status: str) -> None:
    data, kind = STATUSES[status]

    async def main() -> None:
        async with serving(**everywhere(sends(data))) as (url, _):
            report, refusal = await assessed(url, select=("AUTH", "JSONRPC"))
        assert refusal is not None
        assert (refusal.kind, str(refusal.status)) == (kind, status)
        assert f"HTTP status {status}" in str(refusal)
        reason = report.summary.reason or ""
        assert "reach" not in reason
        assert ("books.example/mcp/" in reason) == (status == "307")
        assert report.summary.outcome == "incomplete"

    run(main())


@pytest.mark.parametrize(
    ("handler", "kind", "words"),
    [
        (sends(b""), "not_reached", "closed the connection without a response"),
        (sends(b"", reset=True), "not_reached", "reset the connection without a response"),
        (sends(b"SSH-2.0-x\r\n"), "refused", "not valid HTTP"),
        (sends(response(200, b"<p>", Content_Type="text/html")), "refused", "HTTP status 200"),
    ],
    ids=["closed", "reset", "no HTTP", "a page"],
)
def test_what_is_no_status_is_named_too(handler: Handler, kind: str, words: str) -> None:
    async def main() -> None:
        async with serving(**everywhere(handler)) as (url, _):
            _, refusal = await assessed(url, select=("JSONRPC",))
        assert refusal is not None
        assert (refusal.kind, words in str(refusal)) == (kind, True)
        assert "message=" not in str(refusal)

    run(main())


def test_the_first_notification_may_hang_and_the_rest_is_assessed() -> None:
    async def main() -> None:
        async with serving(notifications__initialized=waits_for_ever()) as (url, _):
            report, refusal = await assessed(url, select=("RESP",), timeout=1.0)
        assert refusal is None
        assert [tool.succeeded > 0 for tool in report.tools] == [True]
        (limit,) = (one for one in report.limits if one.name == "unsettled-notifications")
        assert "answered initialize, but not notifications/initialized" in limit.effect

    run(main())


def test_a_stream_that_names_no_endpoint_is_called_so() -> None:
    async def stream(asked: Asked) -> None:
        asked.say(head(200, Content_Type=EVENTS))
        await asyncio.Event().wait()

    async def main() -> None:
        handlers = {**everywhere(sends(response(404))), "GET": stream}
        async with serving(**handlers) as (url, _):
            _, refusal = await assessed(url, select=("JSONRPC",), timeout=0.5)
        assert refusal is not None
        assert "did not name an endpoint" in str(refusal)
        assert refusal.kind == "refused"

    run(main())


def _error(asked: Asked, code: int, **data: Any) -> bytes:
    error = {"code": code, "message": "no", "data": data}
    return json.dumps({"jsonrpc": "2.0", "id": asked.message["id"], "error": error}).encode()


async def _refuses_initialize(asked: Asked) -> None:
    data = _error(asked, -32022, supported=["2026-07-28"], requested="2025-11-25")
    asked.respond(400, data, Content_Type=JSON)


async def _no_discover(asked: Asked) -> None:
    asked.respond(404, _error(asked, -32601), Content_Type=JSON)


async def _modern_list(asked: Asked) -> None:
    asked.answer({"resultType": "complete", "tools": [TOOL], "ttlMs": 0, "cacheScope": "private"})


def test_a_server_that_names_2026_07_28_is_taken_at_its_word() -> None:
    async def main() -> None:
        handlers = {
            "initialize": _refuses_initialize,
            "server__discover": _no_discover,
            "tools__list": _modern_list,
        }
        async with serving(**handlers) as (url, _):
            report, refusal = await assessed(url, calls="none", select=("CAP",))
            pinned, why = await assessed(url, revision="2025-11-25", calls="none", select=("CAP",))
        assert (refusal, report.revision) == (None, "2026-07-28")
        assert (why is not None, pinned.revision) == (True, None)
        outcomes = {check.rule: check.outcome for check in report.checks}
        assert outcomes["CAP-001"] == "undecided"  # it had no chance to declare anything

    run(main())


@pytest.mark.parametrize(
    "answer",
    [
        {"jsonrpc": "1.0", "error": {"code": -32601, "message": "no"}},
        {"jsonrpc": "2.0", "error": {"code": 1.5, "message": "no"}},
        {"jsonrpc": "2.0", "error": {"code": -32601}},
        {"jsonrpc": "2.0", "error": "no"},
    ],
)
def test_a_fall_back_forgets_what_was_decided_with_what_was_found(answer: dict[str, Any]) -> None:
    async def odd(asked: Asked) -> None:
        body = json.dumps({**answer, "id": asked.message["id"]}).encode()
        asked.respond(200, body, Content_Type=JSON)

    async def main() -> None:
        async with (
            serving(server__discover=odd) as (url, _),
            await connect(Endpoint(url=url)) as connection,
        ):
            rules = connection.observations.decided_rules
            kinds = {kind for seen in rules.messages.values() for kind, *_ in seen}
            assert connection.findings() == []
            assert "error" not in kinds
            assert "2026-07-28" not in rules.messages
            assert "result" in kinds  # what came after the fall-back counts

    run(main())


BEARER = 'Bearer scope="read", resource_metadata="{}/.well-known/oauth-protected-resource"'
CLOSED = [
    (None, 401, BEARER, ("No token was sent", "Bearer TOKEN", '"read"', "https://id.example")),
    ("Bearer old", 401, BEARER, ("rejected the token", "https://id.example")),
    (
        "Bearer old",
        401,
        'Bearer error="invalid_token", error_description="It expired"',
        ("rejected the token", "It expired"),
    ),
    ("old", 401, BEARER, ("names no scheme", "Bearer TOKEN")),
    (None, 401, 'Basic realm="books"', ("Basic authentication", "Authorization: Basic")),
    (None, 401, 'Digest realm="books", nonce="x"', ("Digest authentication",)),
    (
        "Bearer small",
        403,
        'Bearer error="insufficient_scope", scope="write"',
        ('"write"', "another scope"),
    ),
    (None, 401, "", ("No token was sent",)),
]


@pytest.mark.parametrize(("token", "status", "challenge", "words"), CLOSED)
def test_who_wants_a_token_says_which(
    token: str | None, status: int, challenge: str, words: tuple[str, ...]
) -> None:
    async def main() -> None:
        async with serving() as (url, peer):
            base = url.removesuffix("/mcp")
            named = {"WWW_Authenticate": challenge.format(base)} if challenge else {}

            async def refuse(asked: Asked) -> None:
                asked.respond(status, **named)

            async def document(asked: Asked) -> None:
                body = {"resource": url, "authorization_servers": ["https://id.example"]}
                asked.respond(200, json.dumps(body).encode(), Content_Type=JSON)

            peer.handlers = {
                "initialize": refuse,
                "server/discover": refuse,
                "GET": document,
            }
            headers = {} if token is None else {"Authorization": token}
            report, refusal = await assessed(url, headers, select=("AUTH",))
        assert refusal is not None
        said = words_about(refusal, Endpoint(url=url, headers=headers))
        assert refusal.kind == "closed"
        assert [it for it in words if it not in said] == []
        assert (report.summary.reason or "").startswith("The server requires authorization: ")
        assert token is None or token not in json.dumps(report.summary.reason)

    run(main())
