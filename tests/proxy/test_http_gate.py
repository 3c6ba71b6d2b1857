"""A gate holds every message: what it refuses is answered, and everything else passes unchanged."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import pytest

from mcp_assay.client.frames import Refusal
from mcp_assay.model.entry import Direction
from mcp_assay.proxy.enforcement import Enforcement
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from tests.proxy.http_peers import (
    Asked,
    Between,
    Got,
    Script,
    Server,
    answering,
    ask,
    chunked,
    connect,
    proxied,
    request,
    response,
    serving,
)

GOOD = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
BAD = b'{"jsonrpc":"2.0","id":1,"method":"bad"}'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}'
REPLY = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"to the sender"}}'
INSTEAD = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"to the receiver"}}'
JSON = b"Content-Type: application/json"
STREAM = (b"Content-Type: text/event-stream",)


class Strict:
    """Refuses what has "bad" in it, and remembers what it was asked."""

    def __init__(self, reply: bytes | None = REPLY, instead: bytes | None = None) -> None:
        self.refusal = Refusal(reply=reply, instead=instead)
        self.asked: list[tuple[Direction, bytes, str]] = []

    def check(self, direction: Direction, text: bytes, conn: str) -> Refusal | None:
        self.asked.append((direction, text, conn))
        return self.refusal if b"bad" in text else None

    def too_long(self, direction: Direction, head: bytes, conn: str) -> Refusal:
        self.asked.append((direction, head[:20], conn))
        return self.refusal


async def exchange(
    gate: Strict, answer: bytes, body: bytes = GOOD, *fields: tuple[str, str], path: str = ""
) -> tuple[Got, Server]:
    async with serving(answering(answer)) as (url, server), proxied(url, gate) as between:
        return await ask(between.url + path, headers=fields, body=body), server


def test_what_may_pass_passes_unchanged() -> None:
    gate, answer = Strict(), response(PONG, JSON, b"X-A: b")
    got, server = asyncio.run(exchange(gate, answer, GOOD, ("X-B", "c")))
    assert (got.status, got.body) == (200, PONG)
    assert (b"X-A", b"b") in got.headers
    assert server.asked[0].body == GOOD
    assert gate.asked == [("c2s", GOOD, "http-1"), ("s2c", PONG, "http-1")]


def test_a_request_that_may_not_pass_is_answered_and_never_reaches_the_server() -> None:
    got, server = asyncio.run(exchange(Strict(), response(PONG, JSON), BAD))
    assert (got.status, got.body) == (400, REPLY)
    assert (b"Content-Type", b"application/json; charset=utf-8") in got.headers
    assert server.asked == []


def test_a_notification_that_may_not_pass_is_answered_without_an_id() -> None:
    got, server = asyncio.run(exchange(Strict(reply=None), response(PONG, JSON), BAD))
    answer = json.loads(got.body)
    assert (got.status, answer["error"]["code"], "id" in answer) == (400, -32600, False)
    assert server.asked == []


def test_an_answer_of_the_client_that_may_not_pass_is_replaced() -> None:
    got, server = asyncio.run(exchange(Strict(None, INSTEAD), response(b""), BAD))
    assert got.status == 200
    assert server.asked[0].body == INSTEAD


def test_a_json_answer_that_may_not_pass_is_replaced() -> None:
    answer = response(b'{"bad":1}', JSON, b"X-A: b")
    got, _ = asyncio.run(exchange(Strict(None, INSTEAD), answer))
    assert (got.status, got.body) == (200, INSTEAD)


def test_a_packed_request_is_judged_by_what_is_in_it() -> None:
    coding = ("Content-Encoding", "gzip")
    refused, _ = asyncio.run(exchange(Strict(), response(PONG, JSON), gzip.compress(BAD), coding))
    packed = gzip.compress(GOOD)
    passed, server = asyncio.run(exchange(Strict(), response(PONG, JSON), packed, coding))
    assert (refused.status, passed.status) == (400, 200)
    assert server.asked[0].body == packed


def test_the_server_is_asked_not_to_pack_its_answers() -> None:
    _, server = asyncio.run(
        exchange(Strict(), response(PONG, JSON), GOOD, ("accept-encoding", "br"))
    )
    codings = [
        value for name, value in server.asked[0].headers if name.lower() == b"accept-encoding"
    ]
    assert codings == [b"identity"]


def test_events_that_may_pass_pass_unchanged_and_the_others_are_replaced() -> None:
    events = (
        b": hi\n\n",
        b"id: 1\r\ndata: " + PONG + b"\r\n\r\n",
        b'id: 2\ndata: "bad"\n\n',
        b"data: x",
    )
    got, _ = asyncio.run(exchange(Strict(None, INSTEAD), chunked(*events, fields=STREAM)))
    assert got.body == b"".join(events[:2]) + b"id: 2\nevent: message\ndata: " + INSTEAD + b"\n\n"


def test_an_event_that_nobody_waits_for_is_left_out() -> None:
    answer = chunked(b'data: "bad"\n\n', b"data: 2\n\n", fields=STREAM)
    got, _ = asyncio.run(exchange(Strict(reply=None), answer))
    assert got.body == b"data: 2\n\n"


def test_a_request_of_the_server_that_may_not_pass_is_answered_to_the_server() -> None:
    replied = asyncio.Event()

    async def script(asked: Asked, writer: asyncio.StreamWriter) -> None:
        if asked.body == REPLY:
            writer.write(response(b"", status=b"202 Accepted"))
            replied.set()
        else:
            writer.write(chunked(b'data: "bad"\n\n', fields=STREAM)[: -len(b"0\r\n\r\n")])
            await writer.drain()
            await replied.wait()
            writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def run() -> tuple[Got, Asked]:
        async with serving(script) as (url, server), proxied(url, Strict()) as between:
            got = await ask(between.url, headers=[("Mcp-Session-Id", "s-1")], body=GOOD)
            return got, server.asked[1]

    got, asked = asyncio.run(run())
    assert (got.is_whole, got.body) == (True, b"")
    assert asked.line == b"POST /mcp HTTP/1.1"
    fields = {name.lower(): value for name, value in asked.headers}
    assert fields[b"mcp-session-id"] == b"s-1"
    assert fields[b"content-type"] == b"application/json"
    assert fields[b"content-length"] == b"%d" % len(REPLY)


def test_an_event_passes_while_the_stream_goes_on() -> None:
    arrived = asyncio.Event()

    async def script(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        await writer.drain()
        await arrived.wait()

    async def run() -> bytes:
        async with serving(script) as (url, _), proxied(url, Strict()) as between:
            reader, writer = await connect(between.url)
            writer.write(request(between.url, b"GET /mcp HTTP/1.1"))
            await reader.readuntil(b"data: 1\n\n")
            arrived.set()
            rest = await reader.readuntil(b"0\r\n\r\n")
            writer.close()
            return rest

    assert asyncio.run(run()) == b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("size", [MAX_MESSAGE_BYTES - 20, MAX_MESSAGE_BYTES + 1])
def test_a_message_that_is_too_long_to_be_held_does_not_pass(size: int) -> None:
    gate = Strict(REPLY, INSTEAD)
    answer = response(b'"' + b"x" * (size - 2) + b'"', JSON)
    got, _ = asyncio.run(exchange(gate, answer))
    assert (got.body == INSTEAD) == (size > MAX_MESSAGE_BYTES)
    assert len(gate.asked) == 2


def test_a_packed_stream_that_cannot_be_judged_does_not_pass() -> None:
    packed = gzip.compress(b"data: 1\n\n")
    answer = chunked(packed, fields=(*STREAM, b"Content-Encoding: gzip"))
    got, _ = asyncio.run(exchange(Strict(), answer))
    words = b"The server compressed a stream that was to be checked.\n"
    assert (got.status, got.body) == (502, words)


def test_a_session_that_a_response_names_is_one_conversation() -> None:
    async def run() -> list[str]:
        gate, greeting = Strict(), GOOD.replace(b"ping", b"initialize")
        script = answering(response(b"", b"Mcp-Session-Id: s-1", status=b"202 Accepted"))
        async with serving(script) as (url, _), proxied(url, gate) as between:
            for body, fields in (
                (greeting, []),
                (greeting, []),
                (GOOD, [("Mcp-Session-Id", "s-1")]),
            ):
                await ask(between.url, headers=fields, body=body)
        return [conn for _, _, conn in gate.asked]

    assert asyncio.run(run()) == ["http-1", "http-2", "http-1"]


def test_what_is_not_mcp_passes_unjudged() -> None:
    gate, answer = Strict(), response(b'{"issuer":"bad"}', JSON)
    got, server = asyncio.run(exchange(gate, answer, b"grant=bad", path="/token"))
    assert got.body == b'{"issuer":"bad"}'
    assert server.asked[0].body == b"grant=bad"
    assert gate.asked == []


def test_a_server_that_breaks_off_in_its_answer_is_reported() -> None:
    answer = response(PONG, JSON)[:-5]
    got, _ = asyncio.run(exchange(Strict(), answer))
    words = b"The server closed the connection in the middle of its response.\n"
    assert (got.status, got.body) == (502, words)


def test_the_validator_hears_what_was_refused_and_how_it_was_answered() -> None:
    async def run(script: Script) -> Between:
        async with serving(script) as (url, _), proxied(url, Strict()) as between:
            await ask(between.url, body=BAD)
            return between

    between = asyncio.run(run(answering(response(PONG, JSON))))
    assert (between.tap.body("c2s"), between.tap.body("s2c")) == (BAD, REPLY)


def test_a_real_gate_refuses_by_the_rules_of_the_protocol() -> None:
    async def run(body: dict[str, Any]) -> tuple[Got, int]:
        text = json.dumps(body).encode()
        script, gate = answering(response(PONG, JSON)), Enforcement("2025-06-18")
        async with serving(script) as (url, server), proxied(url, gate) as between:
            return await ask(between.url, body=text), len(server.asked)

    got, asked = asyncio.run(run({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": 5}))
    answer = json.loads(got.body)
    assert (got.status, answer["id"], asked) == (400, 7, 0)
    assert answer["error"]["code"] in (-32600, -32602)
