"""Servers over HTTP, each but the first with one fault in how it uses HTTP."""

from __future__ import annotations

from typing import Any

from tests.servers.base import A_HANDSHAKE, STATELESS, Server
from tests.servers.http_base import HttpServer, Reply
from tests.servers.planting import Family
from tests.servers.things import Object, found, lookup

SERVERS = Family("over-http", over_http=True)
plant = SERVERS.plant


class Handshaking(HttpServer):
    """A correct server of 2025-11-25."""

    def __init__(self, revisions: tuple[str, ...] = (A_HANDSHAKE,)) -> None:
        super().__init__(lambda: Server(lookup(found), revisions=revisions))


class Modern(Handshaking):
    """A correct server of 2026-07-28."""

    def __init__(self) -> None:
        super().__init__((STATELESS,))


@plant("http-both-eras", "Speaks both eras over HTTP.", correct=True, exit_code=0)
class HttpBothEras(Handshaking):
    def __init__(self) -> None:
        super().__init__((A_HANDSHAKE, STATELESS))


@plant("http-any-origin", "Serves pages from anywhere.", "HTTP-039", exit_code=1)
class HttpAnyOrigin(Handshaking):
    def admits(self, headers: Any) -> bool:
        return True


@plant("http-notification-200", "Answers notifications with 200.", "HTTP-005", exit_code=1)
class HttpNotification200(Handshaking):
    def in_session(self, headers: Any, message: Object) -> Reply:
        reply = super().in_session(headers, message)
        return Reply(200) if reply.status == 202 else reply


@plant("http-any-session", "Serves sessions that it never began.", "HTTP-024", exit_code=1)
class HttpAnySession(Handshaking):
    def in_session(self, headers: Any, message: Object) -> Reply:
        name = headers.get("Mcp-Session-Id")
        if name is not None and name not in self.sessions:
            self.sessions[name] = self.make()
            self.sessions[name].agreed = A_HANDSHAKE
        return super().in_session(headers, message)


@plant("http-session-with-space", "Its session ids have spaces.", "HTTP-021", exit_code=1)
class HttpSessionWithSpace(Handshaking):
    def in_session(self, headers: Any, message: Object) -> Reply:
        reply = super().in_session(headers, message)
        if name := reply.headers.get("Mcp-Session-Id"):
            spaced = reply.headers["Mcp-Session-Id"] = name.replace("-", " ")
            self.sessions[spaced] = self.sessions[name]
        return reply


@plant("http-any-version-header", "Takes revisions that do not exist.", "HTTP-028", exit_code=1)
class HttpAnyVersionHeader(Handshaking):
    def in_session(self, headers: Any, message: Object) -> Reply:
        stated = {**dict(headers.items()), "MCP-Protocol-Version": A_HANDSHAKE}
        named = next((headers[name] for name in headers if name.lower() == "mcp-session-id"), None)
        return super().in_session({**stated, "Mcp-Session-Id": named}, message)


@plant("http-unknown-method-200", "Answers an unknown method with 200.", "HTTP-033", exit_code=1)
class HttpUnknownMethod200(Modern):
    def stateless(self, headers: Any, message: Object) -> Reply:
        reply = super().stateless(headers, message)
        return Reply(200, reply.body) if reply.status == 404 else reply


@plant("http-headers-unread", "Never compares headers with the body.", "HTTP-034", exit_code=1)
class HttpHeadersUnread(Modern):
    def mismatch(self, headers: Any, message: Object) -> Object | None:
        return None


@plant("http-wrong-id-in-errors", "Its errors name another id.", "HTTP-042", exit_code=1)
class HttpWrongIdInErrors(Modern):
    def stateless(self, headers: Any, message: Object) -> Reply:
        reply = super().stateless(headers, message)
        if isinstance(reply.body, dict) and "error" in reply.body:
            reply.body = {**reply.body, "id": 0}
        return reply


@plant("http-text-answers", "Answers as text/plain, without JSON.", "HTTP-007", exit_code=3)
class HttpTextAnswers(Handshaking):
    def post(self, headers: Any, body: bytes) -> Reply:
        return Reply(200, None, **{"Content-Type": "text/plain"})


@plant("http-401-without-metadata", "Wants a token and says not whose.", "AUTH-001", exit_code=3)
class Http401WithoutMetadata(Handshaking):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        return Reply(401, None, **{"WWW-Authenticate": "Bearer"})


@plant("http-always-500", "Answers everything with 500.", exit_code=3)
class HttpAlways500(Handshaking):
    def post(self, headers: Any, body: bytes) -> Reply:
        return Reply(500)
