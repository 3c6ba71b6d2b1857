"""Answers that are there already are taken at once; the loop still gets its turns."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import orjson

from mcp_assay.client.links import NO_HEADERS
from mcp_assay.client.observer import Observations
from mcp_assay.client.response import Response
from mcp_assay.client.session import MOST_IN_A_ROW, ClientSession
from mcp_assay.client.target import ConnectionOptions
from mcp_assay.model.entry import Entry
from mcp_assay.text.redaction import Redactor
from tests.client.connected import run


class Prompt:
    """A link to a server that has answered as soon as anybody looks."""

    is_http = False
    session = None

    def __init__(self, channel: ClientSession) -> None:
        self._channel = channel
        self._asked: list[Any] = []

    def send(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Take a request."""
        del headers
        self._asked.append(orjson.loads(raw)["id"])
        asyncio.get_running_loop().call_soon(self.take_in)

    def take_in(self) -> None:
        """Answer what was asked."""
        asked, self._asked = self._asked, []
        for id in asked:
            text = orjson.dumps({"jsonrpc": "2.0", "id": id, "result": {"id": id}})
            self._channel.hear(
                Entry(direction="s2c", at=0.0, transport="stdio", text=text, exact=True)
            )

    def stderr_mark(self) -> int:
        """Nothing is written there."""
        return 0

    def stderr_since(self, mark: int) -> str:
        """Nothing is written there."""
        return "" if mark == 0 else "?"


def prompt_channel() -> ClientSession:
    observed = Observations(Redactor(), most=100, largest=1 << 20, as_session=False)
    channel = ClientSession(observed.begin("test"), ConnectionOptions(), Redactor())
    channel.link = cast("Any", Prompt(channel))
    return channel


async def asked(channel: ClientSession, *, busy: bool) -> Response:
    """The answer to a request; who is busy does something else before looking for it."""
    pending = channel.send("ping", seconds=5)
    if busy:
        await channel.catch_up(pending)
    return await channel.receive(pending)


def turns_of_the_loop(calls: int, *, busy: bool) -> tuple[int, list[Any]]:
    """How often others had their turn while so many requests were made, and the answers."""

    async def main() -> tuple[int, list[Any]]:
        channel, turns = prompt_channel(), 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        others = asyncio.ensure_future(other())
        answers = [await asked(channel, busy=busy) for _ in range(calls)]
        others.cancel()
        return turns, [answer.result for answer in answers]

    return run(main())


def test_who_was_busy_meanwhile_finds_the_answer_there() -> None:
    turns, results = turns_of_the_loop(MOST_IN_A_ROW - 1, busy=True)
    assert results == [{"id": number} for number in range(1, MOST_IN_A_ROW)]
    assert turns == 0


def test_others_have_their_turn_all_the_same() -> None:
    turns, results = turns_of_the_loop(10 * MOST_IN_A_ROW, busy=True)
    assert len(results) == 10 * MOST_IN_A_ROW
    assert turns >= 10


def test_who_only_waits_lets_others_have_their_turn_each_time() -> None:
    turns, results = turns_of_the_loop(5, busy=False)
    assert [result["id"] for result in results] == [1, 2, 3, 4, 5]
    assert turns >= 5
