"""What a validator behind a proxy is told before the first frame."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Settings(Struct, frozen=True, kw_only=True):
    """How to judge the traffic, what to call it, and where to write what was found."""

    name: str
    """What the server is called in lines for people."""
    session: str
    """What a recording calls a conversation that has no name of its own."""
    revision: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    record: str | None = None
    reports: tuple[tuple[str, str], ...] = ()
    fail_on: Literal["error", "warning", "never"] = "never"
    secrets: tuple[str, ...] = ()
    """Texts that must appear nowhere."""
    group: int | None = None
    """The process group of the server: it ends when the proxy is killed."""
