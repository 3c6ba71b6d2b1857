"""Which HTTP exchanges are MCP, and which of them make one session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from itertools import count
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec
from msgspec import Struct

from mcp_assay.client.frames import Frame
from mcp_assay.spec.revisions import R2026_07_28

MOST_KEPT: Final = 10_000
"""So many sessions, connections and paths are remembered, the latest ones."""

SESSION_HEADER: Final = "mcp-session-id"
REVISION_HEADER: Final = "mcp-protocol-version"

EVENT_STREAM: Final = "text/event-stream"
UNCONCERNED: Final = ("HEAD", "OPTIONS")
"""Methods that browsers and monitors use around MCP, and MCP does not."""
MARK: Final = b'"jsonrpc"'
"""What tells a message from other JSON where it is not known to be one."""

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """A table that forgets what was put in first when it is full."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most: Final = most
        self._kept: Final = OrderedDict[object, Value]()

    def get(self, key: object) -> Value | None:
        """What is kept under the key, if anything is."""
        return self._kept.get(key)

    def put(self, key: object, value: Value) -> None:
        """Keep the value under the key."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def pop(self, key: object) -> None:
        """Forget what is kept under the key, if anything is."""
        self._kept.pop(key, None)

    def holds(self, value: Value) -> bool:
        """Whether the value is kept under any key."""
        return value in self._kept.values()


class _SentRequest(Struct):
    """What is read of a message, as far as it can be."""

    method: Any = None
    id: Any = None


class Request(Struct, frozen=True, kw_only=True):
    """The head of a request."""

    exchange: int
    conn: str
    method: str
    path: str
    headers: Mapping[str, str]
    is_endpoint: bool

    @property
    def accepts_events(self) -> bool:
        """Whether it asks for a stream."""
        return EVENT_STREAM in (header(self.headers, "accept") or "")

    @property
    def has_handshake(self) -> bool:
        """Whether it is of a revision that begins with a handshake, as far as it says."""
        return (header(self.headers, REVISION_HEADER) or "") < R2026_07_28


def request_of(frame: Frame) -> Request:
    """The head of a request from its frame."""
    facts = frame.facts or {}
    return Request(
        exchange=frame.exchange or 0,
        conn=frame.conn,
        method=facts.get("method", ""),
        path=facts.get("path", ""),
        headers=facts.get("request_headers", {}),
        is_endpoint=facts.get("is_endpoint", False),
    )


class HttpSessions:
    """Names the session of each exchange that is MCP.

    A session id tells it, or a path that was given out for it. Where there is neither, a connection
    stays with its session until it sends a second `initialize`, and a new connection joins the
    latest session of its era that has no session id: a client may use several. Only where that
    one waits for an answer to the very same id, this must be another client.
    """

    def __init__(self) -> None:
        self._numbers: Final = count(1)
        self._endpoints: Final = Recent[bool]()
        self._of_session: Final = Recent[str]()
        self._of_path: Final = Recent[str]()
        self._of_connection: Final = Recent[str]()
        self._greeted: Final = Recent[bool]()
        self._waiting: Final = Recent[tuple[str, str | int]]()
        self._latest: dict[bool, str] = {}

    def of(self, request: Request, body: bytes | None) -> str | None:
        """The session of a request; None where it is not MCP.

        What a client fetches besides, to be authorized say, goes elsewhere and looks different.
        """
        if not self._is_mcp(request, body):
            return None
        asked = _read(body)
        name = self._name(request, asked)
        if isinstance(asked.id, str | int):
            self._waiting.put(request.exchange, (name, asked.id))
        return name

    def ended(self, request: Request) -> None:
        """Note that the exchange is over."""
        self._waiting.pop(request.exchange)

    def _is_mcp(self, request: Request, body: bytes | None) -> bool:
        path = request.path.partition("?")[0]
        if request.method in UNCONCERNED:
            return False
        if request.method == "POST" and MARK in (body or b""):
            self._endpoints.put(path, True)
        return (
            request.is_endpoint
            or self._endpoints.get(path) is not None
            or self.was_given_out(request.path)
            or (request.method == "GET" and request.accepts_events)
        )

    def _name(self, request: Request, asked: _SentRequest) -> str:
        session = header(request.headers, SESSION_HEADER)
        if session is not None:
            return self._of_session.get(session) or self._begin_session(session)
        if given_out := self._of_path.get(request.path):
            return given_out
        if asked.method == "initialize":
            return self._greeting(request)
        return self._of_connection.get(request.conn) or self._joined(request, asked)

    def answered(self, name: str, headers: Mapping[str, str]) -> None:
        """Note the session id that the response gives to this session, if it gives one."""
        session = header(headers, SESSION_HEADER)
        if session is not None and self._of_session.get(session) is None:
            self._of_session.put(session, name)
            self._latest = {era: latest for era, latest in self._latest.items() if latest != name}

    def given_out(self, request: Request, name: str, endpoint: str) -> str:
        """Note the path to which, says a stream, the messages of its session are sent.

        The session is named anew where the stream had been taken for part of another one.
        """
        own = self._begin(request) if self._greeted.get(name) else name
        self._of_path.put(path_of(request, endpoint), own)
        self._greeted.put(own, True)
        return own

    def was_given_out(self, path: str) -> bool:
        """Whether the path is one that a stream gave out: the transport of 2024-11-05."""
        return self._of_path.get(path) is not None

    def _greeting(self, request: Request) -> str:
        name = self._of_connection.get(request.conn)
        if name is None or self._greeted.get(name):
            name = self._begin(request)
        self._greeted.put(name, True)
        return name

    def _joined(self, request: Request, asked: _SentRequest) -> str:
        latest = self._latest.get(request.has_handshake)
        if latest is None or self._waiting.holds((latest, asked.id)):
            return self._begin(request)
        self._of_connection.put(request.conn, latest)
        return latest

    def _begin(self, request: Request) -> str:
        name = f"http-{next(self._numbers)}"
        self._of_connection.put(request.conn, name)
        self._latest[request.has_handshake] = name
        return name

    def _begin_session(self, session: str) -> str:
        name = f"http-{next(self._numbers)}"
        self._of_session.put(session, name)
        return name


def header(headers: Mapping[str, str], name: str) -> str | None:
    """The value of a field, whatever the case of its name."""
    return next((value for key, value in headers.items() if key.lower() == name), None)


def media_type(headers: Mapping[str, str]) -> str:
    """The media type of a body, without its parameters."""
    return (header(headers, "content-type") or "").partition(";")[0].strip().lower()


def path_of(request: Request, endpoint: str) -> str:
    """The path, with its query, of a reference that was given in answer to the request.

    It begins with a slash whatever was given, so that it never leads to another host.
    """
    try:
        parts = urlsplit(urljoin(request.path, endpoint))
    except ValueError:
        return request.path
    path = "/" + parts.path.removeprefix("/")
    return f"{path}?{parts.query}" if parts.query else path


def _read(body: bytes | None) -> _SentRequest:
    try:
        return msgspec.json.decode(body or b"", type=_SentRequest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _SentRequest()
