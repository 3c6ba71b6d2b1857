"""Where the proxy listens, and whom it lets in: programs on this machine, and no web page."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

LOCALHOST: Final = "localhost"
NETWORK_OPTION: Final = "--dangerously-listen-on-network"
_LISTEN: Final = re.compile(r"(?P<host>\[[^\[\]]+\]|[^:\[\]]+):(?P<port>[0-9]{1,5})", re.ASCII)
_HIGHEST_PORT: Final = 65535


class Address(NamedTuple):
    """A host, as an IP address, and a port; port 0 stands for any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def listen_address(text: str, *, on_network: bool = False) -> Address:
    """The address in `HOST:PORT`; raises ValueError where it is none, or open to the network."""
    found = _LISTEN.fullmatch(text)
    if found is None or int(found["port"]) > _HIGHEST_PORT:
        raise ValueError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:8080")
    host = found["host"].strip("[]")
    host = "127.0.0.1" if host == LOCALHOST else host
    if not _is_address(host):
        raise ValueError(f"{host!r} is a name; give an address, such as 127.0.0.1")
    if not on_network and not is_loopback(host):
        raise ValueError(
            f"{host} is reachable from other machines, which exposes the server; listen on "
            f"127.0.0.1, or add {NETWORK_OPTION}"
        )
    return Address(host, int(found["port"]))


def is_loopback(host: str | None) -> bool:
    """Whether the host is this machine, whatever a name server says."""
    return host == LOCALHOST or (_is_address(host) and ip_address(host or "").is_loopback)


def objection(host: str | None, origin: str | None, port: int, *, on_network: bool) -> str | None:
    """Why a request with these headers is not let in, in one sentence; None where it is.

    A web page that reaches this port by a name of its own is known by Host, others by Origin.
    """
    if not on_network and not _is_own_host(host, port):
        return f"The Host header must name this machine and port {port}, such as localhost:{port}."
    if origin is not None and not is_loopback(_host_of_origin(origin)):
        return "Requests from web pages of other origins are not allowed (see the Origin header)."
    return None


def _is_own_host(host: str | None, port: int) -> bool:
    parts = _split(f"//{host}") if host else None
    return parts is not None and is_loopback(parts[0]) and (parts[1] or 80) == port


def _host_of_origin(origin: str) -> str | None:
    parts = _split(origin)
    return parts[0] if parts and origin.startswith(("http://", "https://")) else None


def _split(url: str) -> tuple[str | None, int | None] | None:
    """Host and port of a URL that has nothing else; None where it has, or is broken."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    is_bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return (parts.hostname, port) if is_bare else None


def _is_address(host: str | None) -> bool:
    try:
        ip_address(host or "")
    except ValueError:
        return False
    return True
