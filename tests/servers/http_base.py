"""The same servers over Streamable HTTP, in both eras, answering with JSON."""

from __future__ import annotations

import base64
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.base import META, STATELESS, Server
from tests.servers.things import Object

HEADER_MISMATCH, NO_METHOD = -32020, -32601
REFUSED = frozenset({-32022, -32021, -32602, HEADER_MISMATCH})
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
OWN_HOSTS = ("127.0.0.1", "localhost")


class Reply:
    """A status, headers and a body."""

    def __init__(self, status: int, body: Any = None, **headers: str) -> None:
        self.status, self.body, self.headers = status, body, headers


class Stream(Reply):
    """A stream of events, whose bytes come one by one."""

    def __init__(self, pieces: Iterable[bytes], **headers: str) -> None:
        super().__init__(200, **headers)
        self.pieces = pieces


class HttpServer:
    """A correct HTTP server around servers, one for each session; methods can be overridden."""

    def __init__(self, make: Callable[[], Server]) -> None:
        self.make = make
        self.sessions: dict[str, Server] = {}
        self.begun = 0

    def run(self) -> int:
        """Say the address on standard output, and serve until standard input ends."""
        listening = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        print(f"http://127.0.0.1:{listening.server_port}/mcp", flush=True)
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        sys.stdin.buffer.read()
        os._exit(0)

    def page(self, path: str) -> Reply | None:
        """What there is to read beside the endpoint; None leads to the endpoint."""
        return Reply(404) if path.startswith("/.well-known/") else None

    def handle(self, method: str, headers: Any, body: bytes) -> Reply:
        """The reply to one request."""
        if not self.admits(headers):
            return Reply(403)
        if method == "DELETE" and headers.get("Mcp-Session-Id"):
            return Reply(200 if self.sessions.pop(headers["Mcp-Session-Id"], None) else 404)
        if method != "POST":
            return Reply(405, None, Allow="POST, DELETE")
        accepted = headers.get("Accept", "")
        if "application/json" not in accepted or "text/event-stream" not in accepted:
            return Reply(406)
        return self.post(headers, body)

    def admits(self, headers: Any) -> bool:
        """Whether the request comes from here, by its Origin and its Host."""
        return self.admits_origin(headers) and self.admits_host(headers)

    def admits_origin(self, headers: Any) -> bool:
        """Whether the request comes from a page of ours, or from none."""
        before, _, after = (
            headers.get("Origin", "http://localhost").partition("//")[2].rpartition(":")
        )
        return (before or after) in OWN_HOSTS

    def admits_host(self, headers: Any) -> bool:
        """Whether the request is meant for us."""
        return headers.get("Host", "").rpartition(":")[0] in OWN_HOSTS

    def post(self, headers: Any, body: bytes) -> Reply:
        """The reply to a message."""
        try:
            message = json.loads(body)
        except ValueError:
            return Reply(400, {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Not JSON"}})
        if not isinstance(message, dict):
            error = {"code": -32600, "message": "Not one message"}
            return Reply(400, {"jsonrpc": "2.0", "error": error})
        meta = message.get("params", {}).get("_meta", {})
        if f"{META}protocolVersion" in meta or headers.get("MCP-Protocol-Version") == STATELESS:
            return self.stateless(headers, message)
        return self.in_session(headers, message)

    def stateless(self, headers: Any, message: Object) -> Reply:
        """The reply in 2026-07-28, which needs no session."""
        wrong = self.mismatch(headers, message)
        reply = wrong or self.make().reply(message)
        if reply is None:
            return Reply(202)
        code = reply.get("error", {}).get("code")
        return Reply(404 if code == NO_METHOD else 400 if code in REFUSED else 200, reply)

    def mismatch(self, headers: Any, message: Object) -> Object | None:
        """The refusal of a request whose headers do not say what its body says."""
        params = message.get("params", {})
        stated = {
            "MCP-Protocol-Version": params.get("_meta", {}).get(f"{META}protocolVersion"),
            "Mcp-Method": message.get("method"),
            "Mcp-Name": params.get(NAMED.get(str(message.get("method")), ""), None),
        }
        if all(decoded(headers.get(name)) == value for name, value in stated.items()):
            return None
        return self.refusal(message)

    def refusal(self, message: Object) -> Object:
        """The refusal of a request whose headers do not fit."""
        error = {"code": HEADER_MISMATCH, "message": "The headers differ from the body"}
        known = {"id": message["id"]} if message.get("id") is not None else {}
        return {"jsonrpc": "2.0", **known, "error": error}

    def in_session(self, headers: Any, message: Object) -> Reply:
        """The reply in the revisions with a handshake."""
        if message.get("method") == "initialize":
            self.begun += 1
            name = f"session-{self.begun}"
            server = self.sessions[name] = self.make()
            return Reply(200, server.reply(message), **{"Mcp-Session-Id": name})
        name = headers.get("Mcp-Session-Id")
        if name is None:
            return Reply(400)
        if name not in self.sessions:
            return Reply(404)
        if headers.get("MCP-Protocol-Version", "2025-11-25") != self.sessions[name].agreed:
            return Reply(400)
        reply = self.sessions[name].reply(message)
        return Reply(202) if reply is None else Reply(200, reply)


def decoded(value: str | None) -> str | None:
    """What a header stands for."""
    if value is not None and value.startswith("=?base64?") and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode()
    return value


def _handler(server: HttpServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            reply = server.page(self.path) or server.handle(self.command, self.headers, body)
            if isinstance(reply, Stream):
                self.send_stream(reply)
                return
            sent = b"" if reply.body is None else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            if sent:
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(sent)

        def send_stream(self, reply: Stream) -> None:
            self.close_connection = True
            self.send_response(reply.status)
            self.send_header("Content-Type", "text/event-stream")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):
                for piece in reply.pieces:
                    self.wfile.write(piece)

        do_GET = do_POST = do_DELETE = handle_any  # noqa: N815  their names are given

        def log_message(self, format: str, *arguments: Any) -> None:
            """Say nothing."""

    return Handler
