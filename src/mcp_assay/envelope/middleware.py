"""An ASGI middleware that looks at every JSON response on its way out."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final, Literal, TypeAlias, get_args

from mcp_assay.envelope.audit import Sink, audit_mcp_response, issues_of
from mcp_assay.envelope.build import create_error_response
from mcp_assay.rules.envelope.session import OpenToolCalls, is_jsonrpc
from mcp_assay.wire.notes import UNREAD
from mcp_assay.wire.reader import read

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
OnInvalid: TypeAlias = Literal["report", "replace"]

MAX_BODY: Final = 1 << 20
SUCCEEDED: Final = range(200, 300)
"""Any other status says by itself that there is no ordinary answer: it is never replaced."""
JSON_TYPE: Final = b"application/json"
INVALID_FORMAT: Final = "INVALID_RESPONSE_FORMAT"
OF_THE_BODY: Final = frozenset(
    (
        b"accept-ranges",
        b"age",
        b"cache-control",
        b"content-digest",
        b"content-disposition",
        b"content-encoding",
        b"content-language",
        b"content-length",
        b"content-location",
        b"content-md5",
        b"content-range",
        b"content-type",
        b"digest",
        b"etag",
        b"expires",
        b"last-modified",
        b"location",
        b"repr-digest",
    )
)
"""Headers about the body or the success, and so are untrue without it."""


class ResponseFormatMiddleware:
    """Audits the responses of an ASGI application, and replaces those that break the profile.

    `paths` names what is looked at: each path and all below it; everything where it is left out.
    `on_invalid` is "report", which changes nothing, or "replace". A body longer than `max_body`
    passes unread, and so does all that is not plain JSON. The results of tool calls in JSON-RPC
    bodies are audited too, and never replaced.
    """

    def __init__(
        self,
        app: Application,
        *,
        paths: str | Iterable[str] | None = None,
        on_invalid: OnInvalid = "report",
        sink: Sink | None = None,
        max_body: int = MAX_BODY,
    ) -> None:
        if on_invalid not in get_args(OnInvalid):
            allowed = ", ".join(get_args(OnInvalid))
            raise ValueError(f"unknown on_invalid {on_invalid!r}; allowed: {allowed}")
        self.app: Final = app
        self.replaces: Final = on_invalid == "replace"
        self.sink: Final = sink
        self.max_body: Final = _size(max_body)
        self._paths: Final = None if paths is None else _named(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] == "HEAD" or not self._covers(_route(scope)):
            await self.app(scope, receive, send)
            return
        exchange = _ResponseExchange(self, scope["path"], receive, send)
        await self.app(scope, exchange.receive, exchange.send)

    def _covers(self, path: str) -> bool:
        return self._paths is None or any(
            path == named or path.startswith(f"{named}/") for named in self._paths
        )


def _size(max_body: object) -> int:
    if isinstance(max_body, int) and not isinstance(max_body, bool) and max_body >= 0:
        return max_body
    raise ValueError(f"wrong max_body {max_body!r}; allowed: a number of bytes, 0 or more")


def _named(paths: Any) -> tuple[str, ...]:
    """The paths without the slash at their end."""
    given = tuple(paths) if isinstance(paths, Iterable) and not isinstance(paths, str) else (paths,)
    for path in given:
        if not isinstance(path, str) or not path.startswith("/"):
            raise ValueError(f"wrong path {path!r}; allowed: paths that start with /")
    return tuple(path.rstrip("/") for path in given)


def _route(scope: Scope) -> str:
    """The path as the routes of the application have it, wherever that is mounted."""
    path, root = str(scope["path"]), str(scope.get("root_path", "")).rstrip("/")
    is_below = path == root or path.startswith(f"{root}/")
    return path[len(root) :] if is_below else path


class _Copy:
    """The bytes of a body as they pass, until they are too many."""

    def __init__(self, longest: int) -> None:
        self._longest: Final = longest
        self._bytes = bytearray()
        self.is_whole = False
        self.is_too_long = False

    def add(self, message: Message) -> None:
        if not self.is_too_long:
            self._bytes += message.get("body", b"")
        if len(self._bytes) > self._longest:
            self.is_too_long = True
            self._bytes.clear()
        self.is_whole = not message.get("more_body", False)

    def value(self) -> Any:
        """The JSON value in the body, UNREAD where it holds none or is too long."""
        return UNREAD if self.is_too_long else read(bytes(self._bytes)).value


class _ResponseExchange:
    """One request and its response, which is held back only where it may be replaced."""

    def __init__(
        self, middleware: ResponseFormatMiddleware, path: str, receive: Receive, send: Send
    ) -> None:
        self._middleware: Final = middleware
        self._path: Final = path
        self._receive: Final = receive
        self._send: Final = send
        self._asked: Final = _Copy(middleware.max_body)
        self._answer: _Copy | None = None
        self._start: Message = {}
        self._held: list[Message] = []
        self._holds = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._asked.add(message)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_plain_json(message):
            self._start, self._answer = message, _Copy(self._middleware.max_body)
            self._holds = self._middleware.replaces and _is_replaceable(message)
        elif message["type"] == "http.response.body" and self._answer is not None:
            self._answer.add(message)
            self._holds = self._holds and not self._is_stream(message)
        else:
            self._holds, self._answer = False, None
        self._held.append(message)
        if self._answer is not None and self._answer.is_whole:
            self._judge(self._answer.value())
            self._answer, self._holds = None, False
        if not self._holds:
            await self._release()

    def _is_stream(self, message: Message) -> bool:
        """Whether nobody can say how long this goes on, or it is too long already."""
        sized = any(name.lower() == b"content-length" for name, _ in self._start.get("headers", ()))
        too_long = self._answer is not None and self._answer.is_too_long
        return too_long or (not sized and message.get("more_body", False))

    async def _release(self) -> None:
        held, self._held = self._held, []
        for message in held:
            await self._send(message)

    def _judge(self, body: Any) -> None:
        if is_jsonrpc(body):
            calls = OpenToolCalls()
            list(calls.responses(self._asked.value(), "c2s"))
            for response in calls.responses(body, "s2c"):
                tool = response.tool or self._path
                audit_mcp_response(tool, response.value, self._middleware.sink)
        elif body is not UNREAD:
            issues = issues_of(audit_mcp_response(self._path, body, self._middleware.sink))
            if issues and self._holds:
                self._held = _replacement(self._start, issues)


def _replacement(start: Message, issues: list[str]) -> list[Message]:
    """A response that says that the one in its place was broken, and how."""
    envelope = create_error_response("; ".join(issues), INVALID_FORMAT)
    body = json.dumps(envelope).encode()
    kept = [header for header in start.get("headers", ()) if header[0].lower() not in OF_THE_BODY]
    about_body = [
        (b"content-type", JSON_TYPE),
        (b"content-length", str(len(body)).encode()),
    ]
    return [
        {**start, "status": 500, "headers": [*kept, *about_body]},
        {"type": "http.response.body", "body": body},
    ]


def _is_plain_json(start: Message) -> bool:
    """Whether the body that follows is JSON, neither packed nor followed by trailers."""
    packed = _header(start, b"content-encoding") not in (b"", b"identity")
    is_json = _media_type(start) == JSON_TYPE or _media_type(start).endswith(b"+json")
    return is_json and not packed and not start.get("trailers", False)


def _is_replaceable(start: Message) -> bool:
    """Whether this is an ordinary answer, and not JSON of a form that has a name of its own."""
    return start["status"] in SUCCEEDED and _media_type(start) == JSON_TYPE


def _media_type(start: Message) -> bytes:
    return _header(start, b"content-type").partition(b";")[0].strip()


def _header(start: Message, name: bytes) -> bytes:
    headers = {key.lower(): value.strip().lower() for key, value in start.get("headers", ())}
    return bytes(headers.get(name, b""))
