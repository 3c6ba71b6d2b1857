"""A JSON-RPC message as the rules see it: the decoded value and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.finding import NOWHERE, Where

Direction: TypeAlias = Literal["c2s", "s2c"]
Kind: TypeAlias = Literal["request", "notification", "result", "error", "unknown"]

TOOLS_CALL: Final = "tools/call"
LONGEST_TOOL_NAME: Final = 256
"""Characters; an answer is not told apart by a longer name of its tool."""


class Message(Struct, frozen=True, gc=False):
    """One decoded message (never a batch) of one revision.

    `method` is the message's own method or, for a response, that of the request it answers where
    this is known. `direction` is None where nobody can tell who sent the message.
    """

    value: dict[str, Any]
    kind: Kind
    method: str | None
    revision: str
    direction: Direction | None = None
    place: int = 0
    """The number that whoever read the message gave to its line."""
    answers: Message | None = None
    """The request that a response answers, where it was seen."""

    @property
    def params(self) -> dict[str, Any]:
        """The params object, empty where there is none or it is no object."""
        params = self.value.get("params")
        return params if isinstance(params, dict) else {}

    @property
    def meta(self) -> dict[str, Any]:
        """The `_meta` object of the params, empty where there is none or it is no object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def result(self) -> dict[str, Any]:
        """The result object, empty where there is none or it is no object."""
        result = self.value.get("result")
        return result if isinstance(result, dict) else {}

    @property
    def error(self) -> dict[str, Any]:
        """The error object, empty where there is none or it is no object."""
        error = self.value.get("error")
        return error if isinstance(error, dict) else {}

    @property
    def called_tool(self) -> str | None:
        """The tool that a request calls, or whose call a response answers; None where unknown."""
        request = self.answers or self
        name = request.params.get("name") if request.method == TOOLS_CALL else None
        return name if isinstance(name, str) and len(name) <= LONGEST_TOOL_NAME else None


Transport: TypeAlias = Literal["stdio", "http", "sse"]
SessionKey: TypeAlias = tuple[str, str]
"""What a session is known by, and its name: ("session", "s-1"), ("http", "http-0123456789ab") by
its Mcp-Session-Id, ("conn", "3") or ("file", "a"). What may belong to several sessions is held
together by ("bare", "a") and ("exchanges", "a")."""
UNNAMED: Final = frozenset({"bare", "exchanges", "file"})
"""Kinds of keys that nobody has given as the name of a session."""


MESSAGE_EVENTS: Final = ("", "message")
"""The types of events, where they have one, that clients read."""


StreamEnd: TypeAlias = Literal["server", "client", "left_open"]
"""Who ended a stream: the server, its client, or the client because the server had left it open
long after the response."""


class Delivery(Struct, frozen=True, kw_only=True):
    """How a message came: when, over which transport, in which exchange; what is known is set."""

    at: float | None = None
    """Seconds since the epoch."""
    transport: Transport | None = None
    exchange: str | int | None = None
    """What all messages of one HTTP exchange share."""
    http: Mapping[str, Any] | None = None
    sse: Mapping[str, Any] | None = None
    end: bool = False
    """Whether the stream or pipe was closed here."""
    ended_by: StreamEnd | None = None
    """Who closed it; None where only an onlooker can have seen it."""
    lost: int = 0
    """How many pieces of the traffic before this are missing."""
    unread: int = 0
    """The size of a message that was too long to be kept."""
    exact: bool = False
    """Whether the text is the very bytes of the line, and not a message written anew."""

    @property
    def gap(self) -> bool:
        """Whether something that went before, or this very message, is missing."""
        return self.lost > 0 or self.unread > 0

    @property
    def is_over_http(self) -> bool:
        """Whether the message came over HTTP, where streams may overtake each other."""
        has_parts = self.exchange is not None or self.http is not None or self.sse is not None
        return has_parts or self.transport == "http"

    @property
    def other_type(self) -> str | None:
        """The type of an event that clients do not read, None for all else."""
        type = self.sse.get("event") if self.sse is not None else None
        return type if isinstance(type, str) and type not in MESSAGE_EVENTS else None


NO_DELIVERY: Final = Delivery()
"""A message of which only the text is known."""


class Entry(Delivery, frozen=True, kw_only=True):
    """One message, or one event of its transport: from a trace, a proxy or our own client."""

    direction: Direction
    text: bytes | None = None
    """The message; None where there is none, or it was not kept."""
    garbled: str = ""
    """What is wrong with the content coding of a message that is missing for it."""
    conn: str = ""
    """The connection that it came over: never an Mcp-Session-Id, only a digest of it."""
    session: SessionKey | None = None
    number: int = 0
    """The running number of its line among all inputs."""
    where: Where = NOWHERE
    """The place of its line."""
    source: bytes = b""
    """The trace line that it was read from, where there is one."""
    member: bytes = b""
    """The member of that line that holds the text: message, raw or raw64."""

    @property
    def delivery(self) -> Delivery:
        """Its circumstances: the entry itself, or NO_DELIVERY where nothing is known of them."""
        is_known = self.exact or self.end or self.at is not None or self.exchange is not None
        is_known = is_known or self.transport is not None or self.http is not None
        return self if is_known or self.sse is not None or self.gap else NO_DELIVERY

    @property
    def moment(self) -> float:
        """When it came, in seconds since the epoch; 0 where nobody knows."""
        return self.at or 0.0
