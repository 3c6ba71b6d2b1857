"""Servers over HTTP, each but the first with one fault in how it uses HTTP."""

from __future__ import annotations

import threading
import time
from typing import Any

from tests.servers.base import A_HANDSHAKE, STATELESS, Server
from tests.servers.http_base import HttpServer, Reply, decoded
from tests.servers.planting import Family
from tests.servers.things import Behaviour, Object, Tool, accepts, found, lookup

SERVERS = Family("over-http", over_http=True)
plant = SERVERS.plant
UNSUPPORTED = "-32022"


_TITLED = lookup(
    found,
    name="find",
    input_schema=accepts("title", title={"type": "string", "x-mcp-header": "Title"}),
    sample={"title": "Middlemarch"},
)


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


_ONE_AT_A_TIME = threading.Lock()


def _in_turn(run: Behaviour) -> Behaviour:
    """What a tool does when no other call is under way."""

    def taking_turns(given: Object) -> Object:
        with _ONE_AT_A_TIME:
            return run(given)

    return taking_turns


def _never(given: Object) -> Object:
    time.sleep(3600)
    return given


@plant(
    "http-queue",
    "A call that is never answered keeps all others waiting.",
    "RESP-009",
    tools={"find_archive": "broken", "find_book": "unproven"},
    options=("--timeout", "1"),
)
class HttpQueue(HttpServer):
    def __init__(self) -> None:
        tools = (Tool("find_archive", _in_turn(_never)), lookup(_in_turn(found)))
        super().__init__(lambda: Server(*tools, revisions=(A_HANDSHAKE,)))


@plant("http-any-origin", "Serves pages from anywhere.", "HTTP-039", exit_code=1)
class HttpAnyOrigin(Handshaking):
    def admits_origin(self, headers: Any) -> bool:
        return True


@plant("http-any-host", "Serves requests that name a foreign host.", "HTTP-040", exit_code=0)
class HttpAnyHost(Handshaking):
    def admits_host(self, headers: Any) -> bool:
        return True


@plant("http-origin-400", "Refuses foreign pages with 400.", "HTTP-039", exit_code=1)
class HttpOrigin400(Handshaking):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        reply = super().handle(method, headers, body)
        return Reply(400) if reply.status == 403 else reply


@plant("http-get-400", "Answers a GET with 400.", "HTTP-015", exit_code=1)
class HttpGet400(Handshaking):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        return Reply(400) if method == "GET" else super().handle(method, headers, body)


@plant("http-any-accept", "Answers with a type that nobody accepts.", "HTTP-043", exit_code=0)
class HttpAnyAccept(Handshaking):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        reply = super().handle(method, headers, body)
        return self.post(headers, body) if reply.status == 406 else reply


@plant("http-no-session-404", "Refuses missing session ids with 404.", "HTTP-023", exit_code=0)
class HttpNoSession404(Handshaking):
    def in_session(self, headers: Any, message: Object) -> Reply:
        is_lost = message.get("method") != "initialize" and not headers.get("Mcp-Session-Id")
        return Reply(404) if is_lost else super().in_session(headers, message)


@plant("http-dead-session-served", "Serves sessions that are over.", "HTTP-024", exit_code=1)
class HttpDeadSessionServed(Handshaking):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        if method == "DELETE" and headers.get("Mcp-Session-Id") in self.sessions:
            return Reply(200)
        return super().handle(method, headers, body)


@plant("http-delete-500", "Fails to end a session.", "HTTP-026", exit_code=0)
class HttpDelete500(Handshaking):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        return Reply(500) if method == "DELETE" else super().handle(method, headers, body)


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


class WithParams(Modern):
    """A correct server of 2026-07-28 whose tool has a header for its argument."""

    def __init__(self) -> None:
        HttpServer.__init__(self, lambda: Server(_TITLED, revisions=(STATELESS,)))

    def mismatch(self, headers: Any, message: Object) -> Object | None:
        return super().mismatch(headers, message) or self.mismatched_param(headers, message)

    def mismatched_param(self, headers: Any, message: Object) -> Object | None:
        """The refusal of a call whose header does not say what its argument says."""
        params = message.get("params", {})
        title = params.get("arguments", {}).get("title") if params.get("name") == "find" else None
        reported = decoded(headers.get("Mcp-Param-Title"))
        return None if reported == title or not isinstance(title, str) else self.refusal(message)


@plant("http-param-headers", "Compares headers of arguments.", correct=True, exit_code=0)
def http_param_headers() -> WithParams:
    return WithParams()


@plant("http-params-unread", "Never reads headers of arguments.", "HTTP-034", exit_code=1)
class HttpParamsUnread(WithParams):
    def mismatched_param(self, headers: Any, message: Object) -> Object | None:
        return None


@plant("http-no-base64", "Does not decode its headers.", "HTTP-035", exit_code=1)
class HttpNoBase64(Modern):
    def mismatch(self, headers: Any, message: Object) -> Object | None:
        if "=?base64?" in headers.get("Mcp-Name", ""):
            headers = {**dict(headers.items()), "Mcp-Name": "(unreadable)"}
        return super().mismatch(headers, message)


@plant("http-refusals-200", "Refuses versions with status 200.", "HTTP-036", exit_code=1)
class HttpRefusals200(Modern):
    def stateless(self, headers: Any, message: Object) -> Reply:
        reply = super().stateless(headers, message)
        is_version = isinstance(reply.body, dict) and UNSUPPORTED in str(reply.body.get("error"))
        return Reply(200, reply.body) if is_version else reply


@plant("http-get-404", "Answers a GET with 404, without sessions.", "HTTP-037", exit_code=0)
class HttpGet404(Modern):
    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        return Reply(404) if method == "GET" else super().handle(method, headers, body)


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


@plant("http-always-500", "Answers everything with 500.", exit_code=3)
class HttpAlways500(Handshaking):
    def post(self, headers: Any, body: bytes) -> Reply:
        return Reply(500)
