"""Where is listened, and which Host and Origin headers are those of our own pages."""

from __future__ import annotations

import socket

import pytest

from mcp_assay.web.site import Site, WrongListen, wanted_site

LOCAL = Site(host="127.0.0.1", port=8000)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [("127.0.0.1:0", "127.0.0.1", 0), ("LOCALHOST:80", "127.0.0.1", 80), ("[::1]:9", "::1", 9)],
)
def test_this_machine_needs_no_certificate(text: str, host: str, port: int) -> None:
    its = wanted_site(text, is_secure=False)
    assert (its.host, its.port, its.scheme) == (host, port, "http")


@pytest.mark.parametrize("text", ["0.0.0.0:1", "[::]:1", "10.0.0.1:1", "team.example:8443"])
def test_others_need_one(text: str) -> None:
    with pytest.raises(WrongListen, match="reachable from other machines, which needs --tls-cert"):
        wanted_site(text, is_secure=False)
    assert wanted_site(text, is_secure=True).scheme == "https"


@pytest.mark.parametrize("text", ["", "80", "127.0.0.1", "127.0.0.1:", "a b:1", "x:70000", "::1:9"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(WrongListen, match="is not HOST:PORT"):
        wanted_site(text, is_secure=True)


@pytest.mark.parametrize(
    "header", ["127.0.0.1:8000", "localhost:8000", "LocalHost:8000", "[::1]:8000", "127.9.9.9:8000"]
)
def test_names_of_this_machine_are_ours(header: str) -> None:
    assert LOCAL.is_own_host(header)


@pytest.mark.parametrize(
    "header",
    [
        *(None, "", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", "127.0.0.1:x", "@:8000"),
        *("127.0.0.1:8000/x", "evil@127.0.0.1:8000", "127.0.0.1:8000#", "localhost.evil.org:8000"),
        *("[::1:8000", "127.0.0.1:8000, evil", "0x7f.1:8000", "2130706433:8000"),
    ],
)
def test_others_are_not(header: str | None) -> None:
    assert not LOCAL.is_own_host(header)


def test_a_site_for_others_is_named_as_it_was_listened_on() -> None:
    named = Site(host="team.example", port=443, is_secure=True)
    assert named.is_own_host("Team.Example")
    assert named.is_own_host("team.example:443")
    assert not named.is_own_host("localhost:443")
    everywhere = Site(host="0.0.0.0", port=443, is_secure=True)
    assert everywhere.is_own_host("10.1.2.3")
    assert everywhere.is_own_host(socket.gethostname())
    assert not everywhere.is_own_host("evil.example")
    assert everywhere.origin == f"https://{socket.gethostname()}:443"


def test_an_origin_is_ours_only_as_a_whole() -> None:
    assert LOCAL.is_own_origin("http://localhost:8000", "localhost:8000")
    for origin in (
        "https://localhost:8000",
        "http://localhost:80001",
        "null",
        "http://127.0.0.1:8000",
    ):
        assert not LOCAL.is_own_origin(origin, "localhost:8000")
