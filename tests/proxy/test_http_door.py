"""The proxy listens to programs on this machine, and to no web page."""

from __future__ import annotations

import asyncio

import pytest

from mcp_assay.proxy.http_listener import Address, listen_address, objection
from tests.proxy.http_peers import Got, answering, connect, proxied, response, serving

PORT = 8080
OWN = f"localhost:{PORT}"

NO_ADDRESSES = [
    "8080",
    ":8080",
    "127.0.0.1",
    "127.0.0.1:",
    "127.0.0.1:65536",
    "127.0.0.1:-1",
    "127.0.0.1:٣",
    "127.0.0.1:80/mcp",
    "[127.0.0.1:80",
    "::1:80",
    "a.example:80",
    "http://127.0.0.1:80",
]
OTHER_HOSTS = [
    "localhost",
    "localhost:81",
    "localhost:port",
    "localhost:8080/x",
    "localhost:8080,evil.example",
    "user@localhost:8080",
    "evil.example:8080",
    "localhost.evil.example:8080",
    "127.0.0.1.evil.example:8080",
    "0.0.0.0:8080",
    "2130706433:8080",
    "[::1",
]
OTHER_ORIGINS = [
    "null",
    "localhost",
    "file://",
    "chrome-extension://localhost",
    "https://evil.example",
    "http://localhost/path",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
    "http://[::1",
]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:8080", Address("127.0.0.1", 8080)),
        ("localhost:0", Address("127.0.0.1", 0)),
        ("127.1.2.3:65535", Address("127.1.2.3", 65535)),
        ("[::1]:80", Address("::1", 80)),
    ],
)
def test_loopback_addresses_may_be_listened_on(text: str, address: Address) -> None:
    assert listen_address(text) == address


@pytest.mark.parametrize("text", ["0.0.0.0:80", "[::]:80", "192.0.2.7:80", "[2001:db8::1]:80"])
def test_other_addresses_need_the_frightening_option(text: str) -> None:
    with pytest.raises(ValueError, match="--dangerously-listen-on-network"):
        listen_address(text)
    assert str(listen_address(text, on_network=True)) == text


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"such as 127\.0\.0\.1"):
        listen_address(text, on_network=True)


@pytest.mark.parametrize("host", [OWN, "127.0.0.1:8080", "127.9.9.9:8080", "[::1]:8080"])
@pytest.mark.parametrize(
    "origin",
    [None, "http://localhost", "http://localhost:5173", "https://127.0.0.1:1", "http://[::1]:3000"],
)
def test_programs_and_pages_of_this_machine_are_let_in(host: str, origin: str | None) -> None:
    assert objection(host, origin, PORT, on_network=False) is None


@pytest.mark.parametrize("host", [None, "", *OTHER_HOSTS])
def test_a_request_to_another_host_is_refused(host: str | None) -> None:
    words = objection(host, None, PORT, on_network=False)
    assert words is not None
    assert "Host" in words


@pytest.mark.parametrize("on_network", [False, True])
@pytest.mark.parametrize("origin", ["", *OTHER_ORIGINS])
def test_a_page_of_another_origin_is_refused(origin: str, on_network: bool) -> None:
    words = objection(OWN, origin, PORT, on_network=on_network)
    assert words is not None
    assert "Origin" in words


def test_on_the_network_any_host_is_answered() -> None:
    assert objection("server.example", None, PORT, on_network=True) is None


@pytest.mark.parametrize(
    ("line", "fields", "status"),
    [
        (b"POST /mcp HTTP/1.1", (b"Host: evil.example:PORT",), 403),
        (b"POST /mcp HTTP/1.1", (b"Host: localhost:PORT", b"Origin: https://evil.example"), 403),
        (b"POST /mcp HTTP/1.1", (b"Host: localhost:PORT", b"Origin: null"), 403),
        (b"OPTIONS /mcp HTTP/1.1", (b"Host: localhost:PORT", b"Origin: https://evil.example"), 403),
        (b"GET /mcp HTTP/1.1", (b"Host: localhost:PORT", *(
            b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13",
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        )), 501),
        (b"GET http://elsewhere.invalid/ HTTP/1.1", (b"Host: localhost:PORT",), 400),
        (b"GET /mcp HTTP/1.1", (b"Host: localhost:PORT", b"Origin: http://localhost:PORT"), 200),
    ],
)  # fmt: skip
def test_what_is_refused_never_reaches_the_server(
    line: bytes, fields: tuple[bytes, ...], status: int
) -> None:
    async def run() -> tuple[Got, int]:
        async with serving(answering(response(b""))) as (url, server), proxied(url) as between:
            got = await said(between.url, b"\r\n".join((line, *fields, b"Connection: close")))
            return got, len(server.asked)

    got, asked = asyncio.run(run())
    assert got.status == status
    assert asked == (status == 200)
    assert status == 200 or got.body.count(b"\n") == 1


async def said(url: str, head: bytes) -> Got:
    """What the proxy says to the head of a request; its port is filled in."""
    reader, writer = await connect(url)
    port = url.rsplit(":", 1)[1].removesuffix("/mcp").encode()
    writer.write(head.replace(b"PORT", port) + b"\r\n\r\n")
    top, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return Got(int(top.split()[1]), [], body)
