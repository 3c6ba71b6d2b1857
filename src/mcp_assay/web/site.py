"""Where the pages are: the address that is listened on, and what browsers may call it."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from mcp_assay.proxy.http_listener import LOCALHOST, is_loopback

ANY_PORT: Final = "127.0.0.1:0"
"""Where is listened when nobody says: any port that is free, for this machine alone."""
HIGHEST_PORT: Final = 65535
USUAL_PORTS: Final = {"http": 80, "https": 443}
_LISTEN: Final = r"(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(?P<port>[0-9]{1,5})"


class WrongListen(ValueError):
    """Nobody can or should listen there; the text is a sentence without its full stop."""


class Site(Struct, frozen=True, kw_only=True):
    """The address of the pages, as browsers see it."""

    host: str
    """An address or a name; it may be the address that stands for all of this machine."""
    port: int
    is_secure: bool = False
    """Whether the pages are served over TLS."""

    @property
    def scheme(self) -> str:
        """How addresses of the pages begin."""
        return "https" if self.is_secure else "http"

    @property
    def is_wildcard(self) -> bool:
        """Whether all addresses of this machine are listened on."""
        return _is_address(self.host) and ip_address(self.host).is_unspecified

    @property
    def is_local(self) -> bool:
        """Whether only browsers of this machine get here."""
        return is_loopback(self.host)

    @property
    def origin(self) -> str:
        """The address without a path."""
        host = socket.gethostname() if self.is_wildcard else self.host
        shown = f"[{host}]" if ":" in host else host
        return f"{self.scheme}://{shown}:{self.port}"

    def is_own_host(self, header: str | None) -> bool:
        """Whether a Host header names us: a page that gets here by a name of its own does not."""
        host, port = _split(header)
        if host is None or (port or USUAL_PORTS[self.scheme]) != self.port:
            return False
        if self.is_local:
            return is_loopback(host)
        if self.is_wildcard:
            return _is_address(host) or host == socket.gethostname().lower()
        return host == self.host.lower()

    def is_own_origin(self, origin: str, header: str) -> bool:
        """Whether an Origin header is that of the pages that a Host header names."""
        return origin.lower() == f"{self.scheme}://{header.lower()}"


def wanted_site(text: str, *, is_secure: bool) -> Site:
    """The site at HOST:PORT; raises WrongListen where it is none, or open to eavesdroppers."""
    found = re.fullmatch(_LISTEN, text, re.ASCII)
    if found is None or int(found["port"]) > HIGHEST_PORT:
        raise WrongListen(f"{text!r} is not HOST:PORT, such as 127.0.0.1:8080")
    host = found["host"].strip("[]").lower()
    host = "127.0.0.1" if host == LOCALHOST else host
    if not is_secure and not is_loopback(host):
        words = "is reachable from other machines, which needs --tls-cert FILE and --tls-key FILE"
        raise WrongListen(f"{host} {words}")
    return Site(host=host, port=int(found["port"]), is_secure=is_secure)


def _split(header: str | None) -> tuple[str | None, int | None]:
    """Host and port of a Host header; no host where it is broken or has something else."""
    if not header or set(header) & set("@/?#\\ \t"):
        return None, None
    try:
        parts = urlsplit(f"//{header}")
        return parts.hostname, parts.port
    except ValueError:
        return None, None


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
