"""Streams without end are left at a limit, which is named and held against nobody."""

from __future__ import annotations

import asyncio
import json

import pytest

from mcp_assay.client import http_exchange
from mcp_assay.client.response import CallRequest
from tests.truth.http_peer import (
    JSON,
    TEXT,
    Asked,
    Handler,
    assessed,
    connected,
    head,
    run,
    serving,
)

NOTE = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
MOST = 100_000
"""Bytes of a stream that are read in these tests."""
PIECES = 2_000
"""So many a server would send if it were let."""


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_exchange, "LONGEST_STREAM", MOST)
    monkeypatch.setattr(http_exchange, "LONGEST_REST", MOST)
    monkeypatch.setattr(http_exchange, "LEFT_OPEN_SECONDS", 0.3)


class Flood:
    """A server that writes the same on and on, after its answer or in place of it."""

    def __init__(
        self, data: bytes, begun: bytes = b"", *, answers: bool = False, pause: float = 0.0
    ) -> None:
        self.data, self.begun, self.answers, self.pause = data, begun, answers, pause
        self.sent = 0

    async def __call__(self, asked: Asked) -> None:
        asked.begin_stream()
        if self.answers:
            asked.event(asked.result(TEXT))
        asked.say(self.begun)
        for _ in range(PIECES):
            asked.say(self.data)
            self.sent += 1
            await asked.writer.drain()
            await asyncio.sleep(self.pause)


UNANSWERED: dict[str, tuple[bytes, bytes]] = {
    "comments": (b": hi\n\n" * 500, b""),
    "a comment without end": (b"x" * 4000, b": "),
    "an id without end": (b"x" * 4000, b"id: "),
    "lines of data": (b"data: x\n" * 500, b""),
    "lines of ids": (b"id: x\n" * 500, b""),
    "fields that nobody knows": (b"foo: x\n" * 500, b""),
    "events with ids": (b"id: 7\n\n" * 500, b""),
    "other messages": ((b"data: " + NOTE + b"\n\n") * 50, b""),
    "events that nobody reads": (b"event: ping\ndata: 1\n\n" * 200, b""),
    "carriage returns": (b"\r" * 500, b""),
}


@pytest.mark.parametrize("name", UNANSWERED)
def test_a_stream_without_end_is_left_and_its_server_not_blamed(name: str) -> None:
    flood = Flood(*UNANSWERED[name])

    async def main() -> None:
        async with connected(tools__call=flood) as (connection, peer):
            answer = await connection.call(CallRequest("hours", {}))
        assert (answer.ending, answer.result) == ("over_limit", None)
        assert ("stream-bytes", MOST) in {(it.name, it.value) for it in connection.limits()}
        assert not [one for one in peer.asked if "last-event-id" in one.headers]
        assert not {"HTTP-008", "HTTP-009"} & {one.rule for one in connection.findings()}

    run(main())
    assert flood.sent < PIECES


AFTERWARDS: dict[str, tuple[Flood, str, str]] = {
    "comments": (Flood(b": hi\n\n" * 500, answers=True), "left", "stream-bytes"),
    "an event without end": (Flood(b"x" * 4000, b"data: ", answers=True), "left", "stream-bytes"),
    "other messages": (
        Flood((b"data: " + NOTE + b"\n\n") * 50, answers=True),
        "found",
        "stream-bytes",
    ),
    "a comment now and then": (Flood(b": hi\n\n", answers=True, pause=0.02), "found", ""),
    "a byte now and then": (Flood(b"x", b": ", answers=True, pause=0.02), "found", ""),
    "nothing at all": (Flood(b"", answers=True, pause=0.02), "found", ""),
}


@pytest.mark.parametrize("name", AFTERWARDS)
def test_a_stream_that_goes_on_after_its_response_is_left(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    flood, outcome, limit = AFTERWARDS[name]
    if limit:  # it is to be reached before the time is over, however busy the machine is
        monkeypatch.setattr(http_exchange, "LEFT_OPEN_SECONDS", 30.0)

    async def main() -> None:
        async with connected(tools__call=flood) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
            await connection.channel.link.settle(answer.exchange, 60.0)
            later = await connection.ask("ping")
        assert (answer.ending, later.ending) == ("answered", "answered")
        rules = connection.observations.decided_rules
        is_found = "HTTP-009" in {one.rule for one in connection.findings()}
        assert is_found is (outcome == "found")
        assert ("HTTP-009" in rules.session_rules) is is_found
        assert limit in {"", *(it.name for it in connection.limits())}

    run(main())
    assert flood.sent < PIECES


def short(before: bytes, after: bytes = b"", *, is_stream: bool = True) -> Handler:
    """Answer among some bytes, and end."""

    async def handler(asked: Asked) -> None:
        answer = asked.result(TEXT)
        if is_stream:
            asked.begin_stream()
            asked.say(before + b"data: " + answer + b"\n\n" + after)
        else:
            asked.say(head(200, Content_Type=JSON, Connection="close") + before + answer + after)
        await asked.close()

    return handler


ENDED: dict[str, Handler] = {
    "at once": short(b""),
    "after a comment that is long": short(b": " + b"x" * (MOST // 2) + b"\n\n"),
    "after many comments": short(b": hi\n\n" * 1000),
    "after a message": short(b"data: " + NOTE + b"\n\n"),
    "before a comment": short(b"", b": bye\n\n"),
    "with an event that has no end": short(b"", b"data: x"),
    "as a document with blanks": short(b" " * MOST, is_stream=False),
}


@pytest.mark.parametrize("name", ENDED)
def test_a_stream_that_ends_reaches_no_limit(name: str) -> None:
    async def main() -> None:
        async with connected(tools__call=ENDED[name]) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
            await connection.channel.link.settle(answer.exchange, 20.0)
        assert (answer.ending, answer.result) == ("answered", TEXT)
        assert connection.limits() == []
        assert "HTTP-009" not in {one.rule for one in connection.findings()}

    run(main())


def test_a_run_over_such_a_server_accuses_no_tool() -> None:
    async def main() -> None:
        async with serving(tools__call=Flood(b": hi\n\n" * 500)) as (url, _):
            report, _ = await assessed(
                url, revision="2025-11-25", select=("RESP", "HTTP-009"), max_calls=2, shrink=False
            )
        assert [tool.status for tool in report.tools] == ["unproven"]
        assert {call.ending for call in report.calls} == {"over_limit"}
        assert "stream-bytes" in {limit.name for limit in report.limits}
        assert (report.summary.errors, report.summary.outcome) == (0, "incomplete")
        outcomes = {check.rule: check.outcome for check in report.checks}
        assert outcomes["HTTP-009"] != "passed"
        assert "HTTP-009" not in json.dumps([one.rule for one in report.findings])

    run(main())
