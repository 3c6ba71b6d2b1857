"""What `--engine` says: which engine is meant, and where it is."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

LOCAL: Final = "local"
DASK: Final = "dask"
FORMS: Final = "local, dask, dask://HOST:PORT or dask+tls://HOST:PORT"
SCHEMES: Final = {"dask": False, "dask+tls": True}
"""How the address of a scheduler begins, and whether that asks for TLS."""


class EngineChoice(Struct, frozen=True):
    """Which engine is meant: a scheduler, if one is named, and whether TLS is asked for."""

    name: str = LOCAL
    scheduler: str | None = None
    """HOST:PORT."""
    tls: bool = False

    @property
    def is_remote(self) -> bool:
        """Whether the scheduler may be on another machine."""
        if self.scheduler is None:
            return False
        host = urlsplit(f"//{self.scheduler}").hostname or ""
        try:
            return not ip_address(host).is_loopback
        except ValueError:
            return host != "localhost"


def engine_choice(text: str) -> EngineChoice:
    """What a text means; ValueError says what it may be."""
    if text in (LOCAL, DASK):
        return EngineChoice(text)
    scheme, _, place = text.partition("://")
    if scheme not in SCHEMES or not _is_place(place):
        raise ValueError(f"{text!r} is no engine; choose {FORMS}")
    return EngineChoice(DASK, place, SCHEMES[scheme])


def _is_place(place: str) -> bool:
    """Whether a text is a host and a port, and nothing more."""
    try:
        parts = urlsplit(f"//{place}")
        return bool(parts.hostname and parts.port) and parts.netloc == place and "@" not in place
    except ValueError:
        return False
