"""Small ASGI applications, and somebody who asks them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from mcp_assay.envelope.middleware import Application, Message, Receive, Scope, Send

JSON_TYPE = (b"content-type", b"application/json")


class Answer(NamedTuple):
    """What came out: every ASGI message, in order."""

    messages: list[Message]

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.messages[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages[1:])


def saying(
    *chunks: bytes, headers: Iterable[tuple[bytes, bytes]] = (JSON_TYPE,), status: int = 200
) -> Application:
    """An application that answers every request with these chunks."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body", False):
            pass
        await send({"type": "http.response.start", "status": status, "headers": list(headers)})
        for index, chunk in enumerate(chunks):
            more = index < len(chunks) - 1
            await send({"type": "http.response.body", "body": chunk, "more_body": more})

    return application


def sized(value: Any) -> list[tuple[bytes, bytes]]:
    """The headers of a JSON body."""
    return [JSON_TYPE, (b"content-length", str(len(json.dumps(value))).encode())]


def ask(
    application: Application,
    *chunks: bytes,
    path: str = "/tools/search",
    method: str = "POST",
    root: str = "",
) -> Answer:
    """Send a request in these chunks; everything that is answered."""
    waiting = list(chunks) or [b""]
    answer = Answer([])

    async def receive() -> Message:
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message: Message) -> None:
        answer.messages.append(message)

    scope = {"path": path, "method": method, "root_path": root}
    asyncio.run(application_run(application, scope, receive, send))
    return answer


async def application_run(
    application: Application, scope: dict[str, Any], receive: Receive, send: Send
) -> None:
    await application({"type": "http", "headers": [], **scope}, receive, send)
