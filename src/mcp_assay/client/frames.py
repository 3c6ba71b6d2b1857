"""What passes between a proxy and its inspector: frames, and what becomes of a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from mcp_assay.model.entry import Direction, Entry

FrameKind: TypeAlias = Literal["bytes", "http", "end", "big", "dropped", "over"]


class Frame(Struct, frozen=True, array_like=True):
    """A piece of traffic as it was forwarded, or news about it.

    `bytes` holds a piece of a stream or body, `http` the facts of a request or response. `end` says
    that the stream or body is complete, `big` that a message of so many `bytes` was too long,
    `dropped` that so many `frames` are missing here, and `over` that nothing more comes at all.
    """

    kind: FrameKind
    direction: Direction
    at: float
    """Seconds since the epoch."""
    conn: str
    exchange: int | None = None
    """The number of the HTTP exchange, None on stdio."""
    payload: bytes = b""
    facts: dict[str, Any] | None = None


class Assembler(Protocol):
    """Puts the messages of one transport together from frames."""

    def feed(self, frame: Frame) -> Iterator[Entry]:
        """What the frame completes."""


class Refusal(Struct, frozen=True, kw_only=True):
    """What happens in place of forwarding a message."""

    reply: bytes | None = None
    """What its sender gets: a JSON-RPC error, where it asked something."""
    instead: bytes | None = None
    """What its receiver gets: a JSON-RPC error, where it waits for this answer."""


class MessageGate(Protocol):
    """Decides whether a message may pass."""

    def check(self, direction: Direction, text: bytes, conn: str) -> Refusal | None:
        """Why the message may not pass, None where it may."""

    def too_long(self, direction: Direction, head: bytes, conn: str) -> Refusal:
        """What happens to a message that is too long to be held.

        Of the head, which is how it begins, the last bytes may be those with which it ends.
        """
