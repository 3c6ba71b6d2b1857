"""A small HTTP server without any MCP library that does one thing wrong, named by a word."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

INFO = {"name": "web", "version": "1.0"}
META = {"io.modelcontextprotocol/serverInfo": INFO}
SESSION = "session-1"
TOOL = {
    "name": "weather",
    "description": "The weather in a city.",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "A city", "x-mcp-header": "City"}},
    },
    "annotations": {"readOnlyHint": True},
}
BIG = 64 * 1024 * 1024


class Server:
    """Answers over HTTP, in the old era or the new one, and remembers what it was asked."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.rounds = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one exchange."""
        body = await request.read()
        message = json.loads(body) if body else {}
        self.requests.append((request.method, dict(request.headers), message))
        if request.method != "POST":
            return web.Response(status=405 if request.method == "GET" else 204)
        if refusal := self._refusal(message):
            return refusal
        if "id" not in message:
            return web.Response(status=202)
        return await self._answer(request, message)

    def _refusal(self, message: dict[str, Any]) -> web.Response | None:
        if self.how == "locked":
            return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        if self.how == "elsewhere":
            return web.Response(status=307, headers={"Location": "http://192.0.2.1/mcp"})
        if self.how == "forgetful" and message["method"] == "tools/call":
            self.how = "reminded"
            return web.Response(status=404)
        return None

    async def _answer(self, request: web.Request, message: Any) -> web.StreamResponse:
        method = message["method"]
        if method == "server/discover":
            return self._discover(message)
        if method == "initialize":
            return reply(message, handshake(message), headers={"Mcp-Session-Id": SESSION})
        if method == "tools/list":
            return self._complete(message, {"tools": [TOOL]}, ttlMs=0, cacheScope="private")
        return await self._call(request, message)

    def _discover(self, message: Any) -> web.Response:
        if not self.is_modern:
            headers = {"Mcp-Session-Id": "of-no-meaning"}
            return web.Response(status=400, text="no session", headers=headers)
        result = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
        return self._complete(message, result, ttlMs=0, cacheScope="private")

    @property
    def is_modern(self) -> bool:
        return self.how.startswith("modern")

    def _complete(self, message: Any, result: dict[str, Any], **cache: Any) -> web.Response:
        new = {"resultType": "complete", "_meta": META, **cache} if self.is_modern else {}
        return reply(message, {**new, **result})

    async def _call(self, request: web.Request, message: Any) -> web.StreamResponse:
        if self.how == "bomb":
            packed = gzip.compress(b" " * BIG)
            headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
            return web.Response(body=packed, headers=headers)
        if self.how == "huge":
            return web.Response(body=b" " * BIG, content_type="application/json")
        if self.how == "broken":
            return web.Response(status=500, text="<h1>Oops</h1>", content_type="text/html")
        if self.how in ("endless-comments", "endless-event", "no-answer"):
            return await self._stream(request)
        if self.how == "hanging":
            await asyncio.Event().wait()
        if self.how in ("modern-input", "modern-insatiable"):
            return self._input(message)
        return self._complete(message, {"content": [{"type": "text", "text": "sunny"}]})

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        if self.how == "endless-event":
            await response.write(b"data: ")
        piece = b":" + b"x" * 65535 if self.how == "endless-event" else b": alive\n\n" * 1000
        while self.how != "no-answer":
            await response.write(piece)
            await asyncio.sleep(0)  # the client, in the same loop, must have its turn
        return response

    def _input(self, message: Any) -> web.Response:
        params = message["params"]
        if "inputResponses" in params and self.how == "modern-input":
            said = json.dumps([params["inputResponses"], params["requestState"]])
            return self._complete(message, {"content": [{"type": "text", "text": said}]})
        self.rounds += 1
        asked = {"method": "elicitation/create", "params": {"message": "Which?"}}
        return reply(
            message,
            {
                "resultType": "input_required",
                "inputRequests": {"which": asked},
                "requestState": f"state-{self.rounds}",
                "_meta": META,
            },
        )


def handshake(message: Any) -> dict[str, Any]:
    """The result of initialize."""
    version = message["params"]["protocolVersion"]
    return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": INFO}


def reply(message: Any, result: Any, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON body with the result."""
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    return web.json_response(answer, headers=headers)


@asynccontextmanager
async def serving(how: str = "") -> AsyncIterator[tuple[str, Server]]:
    """A server that listens, and its URL."""
    server, application = Server(how), web.Application()
    application.router.add_route("*", "/mcp", server.handle)
    runner = web.AppRunner(
        application, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/mcp", server
    finally:
        await runner.cleanup()
