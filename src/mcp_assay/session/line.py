"""What a line of a trace tells besides its message: when, how, and over which exchange it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

Transport: TypeAlias = Literal["stdio", "http", "sse"]


class Line(Struct, frozen=True, kw_only=True):
    """The circumstances of one line; only what is known is set."""

    at: float | None = None
    transport: Transport | None = None
    exchange: str | int | None = None
    """What all lines of one HTTP exchange share."""
    http: Mapping[str, Any] | None = None
    sse: Mapping[str, Any] | None = None
    end: bool = False
    """Whether the stream or pipe was closed here."""
    gap: bool = False
    """Whether something that went before, or this very message, is missing."""
    exact: bool = False
    """Whether the text is the very bytes of the line, and not a message written anew."""


NO_LINE: Final = Line()
"""A message of which only the text is known."""
