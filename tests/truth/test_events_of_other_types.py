"""What comes in an event that clients do not read is no answer, and is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from mcp_assay.client.connection import connect
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.client.target import Endpoint
from tests.client.connected import options, run
from tests.client.servers.web import Server, serving

DATA = {"content": [{"type": "text", "text": "sunny"}]}
COMMENT, PING = ": alive\n\n", "event: ping\ndata: alive\n\n"


def event(id: Any, type: str | None) -> str:
    """An event with the answer to a request."""
    message = json.dumps({"jsonrpc": "2.0", "id": id, "result": DATA})
    return (f"event: {type}\n" if type is not None else "") + f"data: {message}\n\n"


@asynccontextmanager
async def streaming(monkeypatch: pytest.MonkeyPatch, *before: str) -> AsyncIterator[list[Any]]:
    """A server whose calls are answered with these events and one with the answer."""
    types: list[Any] = []

    async def call(_: Server, request: web.Request, message: Any) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for text in (*before, event(message["id"], types[0])):
            await response.write(text.encode())
        return response

    monkeypatch.setattr(Server, "_call", call)
    yield types


def called(
    monkeypatch: pytest.MonkeyPatch, type: str | None, *before: str
) -> tuple[Response, set[tuple[str, str]]]:
    """What comes of a call, and what is found."""

    async def main() -> tuple[Response, set[tuple[str, str]]]:
        async with streaming(monkeypatch, *before) as types, serving("") as (url, _):
            types.append(type)
            async with await connect(Endpoint(url=url), options()) as connection:
                async with asyncio.timeout(30):
                    answer = await connection.call(CallRequest("weather", {}))
            found = {(one.rule, one.message) for one in connection.findings()}
            return answer, {(rule, text) for rule, text in found if not rule.startswith("HTTP-00")}

    result: list[tuple[Response, set[tuple[str, str]]]] = []

    async def kept() -> None:
        result.append(await main())

    run(kept())
    return result[0]


OTHER_TYPES = ("update", "result", "Message", "error", "ping", "message ")


@pytest.mark.parametrize("type", OTHER_TYPES)
def test_an_answer_in_an_event_of_another_type_is_left_out_and_told(
    monkeypatch: pytest.MonkeyPatch, type: str
) -> None:
    answer, found = called(monkeypatch, type)
    assert (answer.ending, answer.result) != ("answered", DATA)
    assert answer.result is None
    assert {rule for rule, _ in found} == {"HTTP-010"}
    assert all(json.dumps(type) in text for _, text in found)


@pytest.mark.parametrize(
    ("type", "before"),
    [
        (None, ()),
        ("message", ()),
        ("", ()),
        (None, (COMMENT,)),
        ("message", (COMMENT, COMMENT)),
        (None, ("id: 1\n\n",)),
    ],
)
def test_an_answer_in_an_event_that_clients_read_is_taken(
    monkeypatch: pytest.MonkeyPatch, type: str | None, before: tuple[str, ...]
) -> None:
    answer, found = called(monkeypatch, type, *before)
    assert (answer.ending, answer.result) == ("answered", DATA)
    assert "HTTP-010" not in {rule for rule, _ in found}


def test_an_event_of_another_type_before_the_answer_is_told_once_and_the_answer_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer, found = called(monkeypatch, None, PING)
    assert (answer.ending, answer.result) == ("answered", DATA)
    assert [rule for rule, _ in found] == ["HTTP-010"]
