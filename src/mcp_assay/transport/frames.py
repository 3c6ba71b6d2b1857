"""What passes between a proxy and its validator: frames on the way in, what was heard behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from mcp_assay.model.message import Direction
from mcp_assay.session.line import Transport

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


class Heard(Struct, frozen=True, kw_only=True):
    """One message, or one event of its transport, put together from frames."""

    direction: Direction
    at: float
    conn: str
    """The name of the conversation: never an Mcp-Session-Id, only a digest of it."""
    text: bytes | None = None
    """The exact bytes of the message; None where there is none, or it was not kept."""
    unread: int = 0
    """The size of a message that was too long to be kept."""
    lost: int = 0
    """How many pieces of the traffic before this are missing."""
    transport: Transport = "stdio"
    exchange: int | None = None
    http: Mapping[str, Any] | None = None
    sse: Mapping[str, Any] | None = None
    end: bool = False


class Assembler(Protocol):
    """Puts the messages of one transport together from frames."""

    def feed(self, frame: Frame) -> Iterator[Heard]:
        """What the frame completes."""


class Refusal(Struct, frozen=True, kw_only=True):
    """What happens in place of forwarding a message."""

    reply: bytes | None = None
    """What its sender is told: a JSON-RPC error, where it asked something."""
    instead: bytes | None = None
    """What its receiver gets: a JSON-RPC error, where it waits for this answer."""


class Gate(Protocol):
    """Decides whether a message may pass."""

    def check(self, direction: Direction, text: bytes, conn: str) -> Refusal | None:
        """Why the message may not pass, None where it may."""

    def too_long(self, direction: Direction, head: bytes, conn: str) -> Refusal:
        """What happens to a message that is too long to be held.

        Of the head, which is how it begins, the last bytes may be those with which it ends.
        """
