"""Client and server exchange the same with and without the proxy between them."""

from __future__ import annotations

import asyncio
import gzip
from random import Random

import pytest

from tests.proxy.http_peers import (
    Asked,
    Got,
    answering,
    ask,
    chunked,
    connect,
    pieces,
    proxied,
    request,
    response,
    serving,
)

JSON = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
BODIES = {
    "json": JSON,
    "two-spaces-and-a-newline": b'{ "jsonrpc" : "2.0" }\n',
    "invalid-utf-8": b'{"a":"\xff\xfe\xed\xa0\x80"}',
    "gzip": gzip.compress(JSON * 50, mtime=0),
    "broken-gzip": gzip.compress(JSON * 50, mtime=0)[:-9],
    "nul-and-crlf": b"\x00\r\n\r\n0\r\n\r\n",
    "random": Random(1).randbytes(1 << 20),
    "nothing": b"",
}
EVENTS = (b": hello\n\n", b"data: 1\r\n\r", b"\nid: 7\rdata: \xff\r\r", b"data: no end")


async def twice(
    answer: bytes, fields: list[tuple[str, str]], body: bytes, in_pieces: bool
) -> list[tuple[Got, Asked]]:
    """The same exchange without and with the proxy, as both ends saw it."""
    seen = []
    async with serving(answering(answer)) as (url, server), proxied(url) as between:
        for target in (url, between.url):
            data = pieces(body[:9], body[9:]) if in_pieces else body
            got = await ask(target, headers=fields, body=data if body else None)
            seen.append((got, server.asked.pop()))
        assert between.served.exchanges == 1
    return seen


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize("name", BODIES)
def test_bodies_of_requests_and_responses_are_the_same(name: str, in_pieces: bool) -> None:
    body = BODIES[name]
    kind = b"Content-Encoding: gzip" if "gzip" in name else b"Content-Type: application/json"
    answer = chunked(*filter(None, [body]), fields=(kind,)) if in_pieces else response(body, kind)
    fields = [tuple(kind.decode().split(": ")), ("Accept", "application/json, text/event-stream")]
    direct, through = asyncio.run(twice(answer, fields, body, in_pieces))  # type: ignore[arg-type]
    assert through[0] == direct[0]
    assert through[0].body == direct[1].body == body
    assert through[1].body == direct[1].body
    assert through[1].end_to_end == direct[1].end_to_end


def test_a_stream_of_events_is_the_same() -> None:
    answer = chunked(*EVENTS, fields=(b"Content-Type: text/event-stream", b"X-Accel-Buffering: no"))
    direct, through = asyncio.run(twice(answer, [], b"", in_pieces=False))
    assert through[0] == direct[0]
    assert through[0].body == b"".join(EVENTS)


@pytest.mark.parametrize(
    "answer",
    [
        response(b"", status=b"202 Accepted"),
        response(b"gone", status=b"404 Not Here"),
        response(b"odd", status=b"299 Most Unusual"),
        b"HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n",
        response(b"", b"Location: http://elsewhere.invalid/", status=b"307 Temporary Redirect"),
        response(b"", b"Set-Cookie: a=b", b"Set-Cookie: c=d; Path=/"),
        response(b"", b'WWW-Authenticate: Bearer scope="a b"', status=b"401 Unauthorized"),
        response(b"x", b"x-lower: 1", b"X-UPPER:  2  ", b"X-Empty:"),
        b"HTTP/1.1 200 OK\r\n\r\nuntil the connection closes",
    ],
)
def test_status_and_fields_of_a_response_are_the_same(answer: bytes) -> None:
    direct, through = asyncio.run(twice(answer, [], JSON, in_pieces=False))
    reported = (b"Transfer-Encoding", b"chunked")
    assert [field for field in through[0].headers if field != reported] == direct[0].headers
    assert (through[0].status, through[0].body) == (direct[0].status, direct[0].body)


def test_the_fields_of_a_request_keep_order_and_case_and_none_is_added() -> None:
    fields = (b"x-Odd: 1", b"ACCEPT: a/b", b"x-Odd: 2", b"Cookie: a=b", b"user-agent: ")

    async def run() -> list[tuple[bytes, bytes]]:
        async with serving(answering(response(b""))) as (url, server), proxied(url) as between:
            reader, writer = await connect(between.url)
            writer.write(request(between.url, b"GET /mcp HTTP/1.1", *fields))
            await reader.readuntil(b"\r\n\r\n")
            writer.close()
            return server.asked[0].end_to_end

    assert [b": ".join(field) for field in asyncio.run(run())] == list(fields)


@pytest.mark.parametrize(
    "target", ["/mcp?a=%41&b=%2f", "/", "//double//slash", "/a/../b", "/%C3%BC?x=y?z", "/mcp/"]
)
def test_the_target_of_a_request_is_the_same(target: str) -> None:
    async def run() -> bytes:
        async with serving(answering(response(b""))) as (url, server), proxied(url) as between:
            await ask(between.url.removesuffix("/mcp") + target, "GET")
            return server.asked[0].line

    assert asyncio.run(run()) == f"GET {target} HTTP/1.1".encode()


def test_an_event_arrives_while_the_stream_goes_on() -> None:
    arrived = asyncio.Event()

    async def script(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        for event in (b"data: 1\n\n", b"data: 2\n\n"):
            writer.write(event)
            await writer.drain()
            await arrived.wait()

    async def run() -> bytes:
        async with serving(script) as (url, _), proxied(url) as between:
            reader, writer = await connect(between.url)
            writer.write(request(between.url, b"GET /mcp HTTP/1.1"))
            await reader.readuntil(b"data: 1\n\n")
            arrived.set()
            rest = await reader.readuntil(b"0\r\n\r\n")
            writer.close()
            return rest

    assert b"data: 2\n\n" in asyncio.run(run())


def test_the_head_of_a_stream_arrives_before_any_event() -> None:
    async def script(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        await writer.drain()
        await asked.reader.read()

    async def run() -> bytes:
        async with serving(script) as (url, _), proxied(url) as between:
            reader, writer = await connect(between.url)
            writer.write(request(between.url, b"GET /mcp HTTP/1.1"))
            head = await reader.readuntil(b"\r\n\r\n")
            writer.close()
            return head

    assert asyncio.run(run()).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + JSON,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n28\r\n" + JSON[:20],
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n28\r\n" + JSON + b"\r\n",
    ],
)
def test_a_server_killed_in_the_midst_of_a_message_looks_the_same(answer: bytes) -> None:
    direct, through = asyncio.run(twice(answer, [], JSON, in_pieces=False))
    assert through[0] == direct[0]
    assert not through[0].is_whole


def test_a_client_that_hangs_up_ends_the_exchange_with_the_server() -> None:
    ended = asyncio.Event()

    async def script(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        await writer.drain()
        assert await asked.reader.read() == b""
        ended.set()

    async def run() -> None:
        async with serving(script) as (url, _), proxied(url) as between:
            reader, writer = await connect(between.url)
            writer.write(request(between.url, b"GET /mcp HTTP/1.1"))
            await reader.readuntil(b"\r\n\r\n")
            writer.close()
            await ended.wait()

    asyncio.run(run())


def test_a_client_that_hangs_up_in_its_body_ends_the_exchange_with_the_server() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"Content-Length: 9\r\n\r\nhalf")
        begun.set()
        assert await reader.read() == b""
        ended.set()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, proxied(f"http://127.0.0.1:{port}/mcp") as between:
            _, writer = await connect(between.url)
            head = request(between.url, b"POST /mcp HTTP/1.1", b"Content-Length: 9")
            writer.write(head + b"half")
            await begun.wait()
            writer.close()
            await ended.wait()
            assert between.tap.body("c2s") == b"half"

    asyncio.run(run())


def test_a_request_that_offers_http_2_is_passed_on_without_the_offer() -> None:
    async def run() -> Asked:
        async with serving(answering(response(b""))) as (url, server), proxied(url) as between:
            reader, writer = await connect(between.url)
            offer = (b"Upgrade: h2c", b"HTTP2-Settings: AA", b"Connection: Upgrade, HTTP2-Settings")
            head = request(between.url, b"POST /mcp HTTP/1.1", *offer, b"Content-Length: 4")
            writer.write(head + b"body")
            await reader.readuntil(b"\r\n\r\n")
            writer.close()
            return server.asked[0]

    asked = asyncio.run(run())
    assert asked.end_to_end == [(b"Content-Length", b"4")]
    assert asked.body == b"body"


def test_headers_that_are_given_take_the_place_of_the_clients() -> None:
    async def run() -> list[tuple[bytes, bytes]]:
        async with serving(answering(response(b""))) as (url, server):
            async with proxied(url, headers={"Authorization": "Bearer ours"}) as between:
                await ask(between.url, "GET", [("authorization", "Bearer theirs"), ("X-A", "b")])
            return server.asked[0].end_to_end

    assert dict(asyncio.run(run())) == {b"Authorization": b"Bearer ours", b"X-A": b"b"}


def test_cookies_are_not_kept_between_exchanges() -> None:
    async def run() -> list[tuple[bytes, bytes]]:
        script = answering(response(b"", b"Set-Cookie: a=b"))
        async with serving(script) as (url, server), proxied(url) as between:
            await ask(between.url, "GET")
            await ask(between.url, "GET")
            return server.asked[1].end_to_end

    assert asyncio.run(run()) == []


def test_a_server_that_is_not_there_is_reported_in_one_sentence() -> None:
    async def run() -> tuple[Got, int]:
        async with serving(answering(b"")) as (url, _):
            pass
        async with proxied(url) as between:
            return await ask(between.url, body=JSON), between.served.unreached

    got, unreached = asyncio.run(run())
    assert got.status == 502
    assert got.body.endswith(b": Connection refused.\n")
    assert unreached == 1


def test_a_field_that_cannot_be_passed_on_unchanged_is_not_passed_on() -> None:
    async def run() -> Got:
        script = answering(response(b"", b"X-Name: caf\xe9"))
        async with serving(script) as (url, _), proxied(url) as between:
            return await ask(between.url, body=JSON)

    got = asyncio.run(run())
    assert (got.status, got.body) == (
        502,
        b"This cannot be passed on unchanged: the header X-Name is not UTF-8.\n",
    )


@pytest.mark.parametrize(
    ("line", "fields", "body"),
    [
        (b"\x00\xff", (), b""),
        (b"POST /mcp HTTP/9.9", (), b""),
        (b"GET /mcp HTTP/1.1", (b"X: " + b"x" * 100_000,), b""),
        (b"POST /mcp HTTP/1.1", (b"Content-Length: -1",), b""),
        (b"POST /mcp HTTP/1.1", (b"Transfer-Encoding: chunked",), b"zz\r\n"),
        (
            b"POST /mcp HTTP/1.1",
            (b"Transfer-Encoding: chunked", b"Content-Length: 5"),
            b"0\r\n\r\n",
        ),
    ],
)
def test_after_garbage_from_one_client_the_next_is_served(
    line: bytes, fields: tuple[bytes, ...], body: bytes
) -> None:
    async def run() -> tuple[bytes, Got]:
        async with serving(answering(response(b"fine"))) as (url, _), proxied(url) as between:
            reader, writer = await connect(between.url)
            writer.write(request(between.url, line, *fields) + body)
            writer.write_eof()
            said = await reader.read()
            writer.close()
            return said, await ask(between.url, body=JSON)

    said, got = asyncio.run(run())
    assert b" 200 " not in said[:20]
    assert (got.status, got.body) == (200, b"fine")
