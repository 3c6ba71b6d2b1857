"""Which addresses belong to the public internet, in whatever form they are written."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from mcp_assay.client.connection import connect
from mcp_assay.client.links import NotReached
from mcp_assay.client.public_addresses import NotPublic, is_public, literal, require_public
from mcp_assay.client.target import Endpoint
from tests.client.connected import options

PUBLIC = ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"]
NOT_PUBLIC = (
    "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "0.1.2.3", "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.0.8",
    "198.18.0.1", "203.0.113.1", "168.63.129.16", "::", "::1", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1", "2001:db8::1", "2001::1", "100::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::",
    "nonsense",
)  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_one(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_no_other_address_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("fe80::1%1", "fe80::1"),
        ("a.example", None),
        ("localhost", None),
    ],
)
def test_an_address_is_known_in_every_form(host: str, address: str | None) -> None:
    assert literal(host) == address


def test_a_name_is_what_it_leads_to() -> None:
    with pytest.raises(NotPublic, match="localhost has the address"):
        asyncio.run(require_public("localhost", 80))


def test_one_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (it, 80)) for it in ("8.8.8.8", "10.0.0.1")]

    def found(*_: Any, **__: Any) -> Any:
        return rows

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(NotPublic, match=r"10\.0\.0\.1"):
        asyncio.run(require_public("two.example", 80))


def test_the_link_looks_again_at_what_a_name_leads_to() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://localhost:{listener.getsockname()[1]}/mcp"
        with pytest.raises(NotReached, match="not public"):
            asyncio.run(connect(Endpoint(url=url, is_public=True), options()))
        listener.settimeout(0)
        with pytest.raises(BlockingIOError):
            listener.accept()
