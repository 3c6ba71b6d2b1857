"""Streams are resumed as the specification allows: a server that lets us poll is healthy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import pytest

from mcp_assay.client.connection import Connection
from mcp_assay.client.response import CallRequest, Response
from tests.truth.http_peer import (
    EVENTS,
    TEXT,
    Asked,
    Handler,
    Peer,
    assessed,
    connected,
    head,
    run,
    serving,
)

Sent: TypeAlias = tuple[str, int, bytes]
"""An event: its id, its stream, its data."""
STREAMS = ("HTTP-008", "HTTP-009", "HTTP-018", "HTTP-019", "HTTP-020")


class Polling:
    """A server that closes the stream of a call, and answers when its client comes back."""

    def __init__(
        self,
        rounds: int = 1,
        *,
        retry: int | None = 60,
        torn: bool = False,
        again: Callable[[Asked, bytes], None] | None = None,
        status: int = 200,
    ) -> None:
        self.rounds, self.retry, self.torn, self.again, self.status = (
            rounds,
            retry,
            torn,
            again,
            status,
        )
        self.resumed: list[str] = []
        self._number = 0
        self._left: dict[str, tuple[bytes, int]] = {}

    @property
    def handlers(self) -> dict[str, Handler]:
        return {"tools__call": self.call, "GET": self.resume}

    def _next(self) -> str:
        self._number += 1
        return f"e-{self._number}"

    async def call(self, asked: Asked) -> None:
        self._prime(asked, asked.result(TEXT), self.rounds)
        await asked.close()

    def _prime(self, asked: Asked, answer: bytes, rounds: int) -> None:
        id = self._next()
        self._left[id] = answer, rounds
        retry = {} if self.retry is None else {"retry": self.retry}
        if self.torn:  # a length that the connection does not live to see
            asked.say(head(200, Content_Type=EVENTS, Content_Length="9999"))
        else:
            asked.begin_stream()
        asked.event(id=id, **retry)

    async def resume(self, asked: Asked) -> None:
        last = asked.headers.get("last-event-id")
        if last is None:
            asked.respond(405)
            return
        self.resumed.append(last)
        answer, rounds = self._left[last]
        if self.status != 200:
            asked.respond(self.status)
        elif rounds > 1:
            self._prime(asked, answer, rounds - 1)
        elif self.again is not None:
            asked.begin_stream()
            self.again(asked, answer)
        else:
            asked.begin_stream()
            asked.event(answer, id=self._next())
        await asked.close()


def _after_a_comment(asked: Asked, answer: bytes) -> None:
    asked.say(b": hi\n\n")
    asked.event(answer)


async def called(polling: Polling, seconds: float = 30.0) -> tuple[Response, Connection, Peer]:
    async with connected(seconds, **polling.handlers) as (connection, peer):
        answer = await connection.call(CallRequest("hours", {}))
    return answer, connection, peer


def found(connection: Connection) -> dict[str, str]:
    return {one.rule: one.message for one in connection.findings() if one.rule in STREAMS}


@pytest.mark.parametrize(
    "polling",
    [
        Polling(),
        Polling(3),
        Polling(retry=0),
        Polling(2, retry=5),
        Polling(again=lambda asked, answer: asked.event(answer)),
        Polling(again=_after_a_comment),
    ],
    ids=["once", "three times", "at once", "twice", "without an id", "after a comment"],
)
def test_a_server_that_lets_us_poll_is_healthy(polling: Polling) -> None:
    async def main() -> None:
        answer, connection, peer = await called(polling)
        assert (answer.ending, answer.result) == ("answered", TEXT)
        assert len(polling.resumed) == polling.rounds
        resumed = [one for one in peer.asked if "last-event-id" in one.headers]
        assert {one.headers["mcp-session-id"] for one in resumed} == {"session-1"}
        assert {one.headers["mcp-protocol-version"] for one in resumed} == {"2025-11-25"}
        assert found(connection) == {}
        decided = connection.observations.decided_rules.session_rules
        assert {"HTTP-008", "HTTP-018", "HTTP-020"} <= decided

    run(main())


def test_a_stream_that_was_torn_is_resumed_too() -> None:
    async def main() -> None:
        answer, _, _ = await called(Polling(2, torn=True))
        assert (answer.ending, answer.result) == ("answered", TEXT)

    run(main())


def _foreign(asked: Asked, answer: bytes) -> None:
    asked.event(answer, id="e-1")  # an event of the stream of the first call


@pytest.mark.parametrize("status", [400, 404, 405])
def test_a_stream_that_cannot_be_resumed_has_no_response(status: int) -> None:
    async def main() -> None:
        answer, connection, _ = await called(Polling(status=status))
        assert (answer.ending, answer.result) == ("closed", None)
        assert f"HTTP status {status}" in answer.what_it_did
        assert "HTTP-008" in found(connection)

    run(main())


def test_who_is_never_answered_when_he_polls_is_out_of_time() -> None:
    async def main() -> None:
        answer, connection, _ = await called(Polling(10_000, retry=10), seconds=0.5)
        assert answer.ending == "timed_out"
        assert "HTTP-008" not in found(connection)  # nobody waited any longer

    run(main())


def test_a_retry_beyond_the_deadline_is_not_waited_for() -> None:
    async def main() -> None:
        answer, _, _ = await called(Polling(retry=60_000), seconds=0.5)
        assert (answer.ending, answer.seconds < 30) == ("timed_out", True)

    run(main())


def test_events_of_another_stream_are_named() -> None:
    polling = Polling()

    async def main() -> None:
        async with connected(**polling.handlers) as (connection, _):
            await connection.call(CallRequest("hours", {}))
            polling.again = _foreign
            await connection.call(CallRequest("hours", {}))
        assert "HTTP-019" in found(connection)

    run(main())


async def _ends_early(asked: Asked) -> None:
    asked.begin_stream()
    asked.say(b": hi\n\n")
    await asked.close()


def test_a_stream_without_ids_that_ends_too_early_is_named() -> None:
    async def main() -> None:
        async with connected(tools__call=_ends_early) as (connection, peer):
            answer = await connection.call(CallRequest("hours", {}))
        assert answer.ending == "closed"
        assert "HTTP-008" in found(connection)
        assert not [one for one in peer.asked if "last-event-id" in one.headers]

    run(main())


def test_a_server_that_closes_without_retry_is_named() -> None:
    async def main() -> None:
        _, connection, _ = await called(Polling(retry=None))
        assert "HTTP-020" in found(connection)

    run(main())


async def _stays_open(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(asked.result(TEXT))
    await asked.writer.drain()
    await asyncio.Event().wait()


async def _floods(asked: Asked) -> None:
    asked.begin_stream()
    asked.event(asked.result(TEXT))
    for _ in range(200):
        asked.say(b": and so on\n\n" * 8000)
        await asked.writer.drain()


def test_a_stream_that_we_left_is_no_pass() -> None:
    async def main() -> None:
        async with connected(tools__call=_stays_open) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
        assert answer.ending == "answered"
        rules = connection.observations.decided_rules
        assert "HTTP-009" not in rules.session_rules
        assert "HTTP-009" in {rule for rule, _ in rules.left_open}

    run(main())


def test_a_stream_that_stays_open_long_after_the_response_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mcp_assay.client.http_exchange.LEFT_OPEN_SECONDS", 0.2)

    async def main() -> None:
        async with connected(tools__call=_stays_open) as (connection, _):
            await connection.call(CallRequest("hours", {}))
            for _ in range(600):
                if not connection.channel.link._exchanges:  # type: ignore[attr-defined]
                    break
                await asyncio.sleep(0.05)
        assert "HTTP-009" in found(connection)

    run(main())


def test_a_flood_after_the_response_is_not_read_to_its_end() -> None:
    async def main() -> None:
        async with connected(tools__call=_floods) as (connection, _):
            answer = await connection.call(CallRequest("hours", {}))
            await connection.channel.link.settle(answer.exchange, 30.0)
        assert answer.ending == "answered"
        assert [limit.name for limit in connection.limits()] == ["stream-bytes"]

    run(main())


def test_a_run_over_a_polling_server_passes() -> None:
    polling = Polling(2)

    async def main() -> None:
        async with serving(**polling.handlers) as (url, _):
            report, refusal = await assessed(url, revision="2025-11-25", select=("RESP", *STREAMS))
        assert refusal is None
        assert [tool.status for tool in report.tools] == ["fully_working"]
        assert report.summary.errors == 0
        outcomes = {check.rule: check.outcome for check in report.checks}
        assert {outcomes[rule] for rule in ("HTTP-008", "HTTP-019")} == {"passed"}

    run(main())


class Streams:
    """A server whose responses are streams with ids, which can be resumed in several ways."""

    def __init__(self, repeats: Callable[[Asked, list[Sent], int], None], ids: bool = True) -> None:
        self.repeats, self.ids = repeats, ids
        self._sent: list[Sent] = []

    @property
    def handlers(self) -> dict[str, Handler]:
        return {"ping": self.ping, "GET": self.resume}

    def _next(self, stream: int, data: bytes) -> dict[str, str]:
        self._sent.append((f"e-{len(self._sent)}", stream, data))
        return {"id": self._sent[-1][0]} if self.ids else {}

    async def ping(self, asked: Asked) -> None:
        stream = len(self._sent)
        asked.begin_stream()
        asked.event(**self._next(stream, b""))
        answer = asked.result({})
        asked.event(answer, **self._next(stream, answer))
        await asked.close()

    async def resume(self, asked: Asked) -> None:
        last = asked.headers.get("last-event-id")
        places = [place for place, (id, _, _) in enumerate(self._sent) if id == last]
        if not places:
            asked.respond(405)
            return
        self.repeats(asked, self._sent, places[0])
        await asked.close()


def _own(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    for id, stream, data in sent[last + 1 :]:
        if stream == sent[last][1]:
            asked.event(data, id=id)


def _all(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    for id, _, data in sent[last + 1 :]:
        asked.event(data, id=id)


def _all_renamed(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    for number, (_, _, data) in enumerate(sent[last + 1 :]):
        asked.event(data, id=f"again-{number}")


def _own_renamed(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    asked.event(sent[last + 1][2], id="again")


def _other_first(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    for id, _, data in reversed(sent[last + 1 :]):
        asked.event(data, id=id)


def _other_alone(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    asked.event(sent[-1][2], id=sent[-1][0])


def _other_prime(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    asked.event(sent[last + 1][2], id=sent[last + 1][0])
    asked.event(b"", id=sent[-2][0])


def _other_nameless(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    asked.event(sent[-1][2])


def _nothing(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    asked.say(b": nothing\n\n")


def _news(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.begin_stream()
    asked.event(b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', id="new-1")


def _refused(status: int) -> Callable[[Asked, list[Sent], int], None]:
    return lambda asked, sent, last: asked.respond(status)


def _as_json(asked: Asked, sent: list[Sent], last: int) -> None:
    asked.respond(200, sent[last + 1][2], Content_Type="application/json")


REPEATED: dict[str, tuple[Streams, str]] = {
    "its own": (Streams(_own), "passed"),
    "its own under another id": (Streams(_own_renamed), "passed"),
    "all": (Streams(_all), "failed"),
    "all under other ids": (Streams(_all_renamed), "failed"),
    "all, backwards": (Streams(_other_first), "failed"),
    "those of the other alone": (Streams(_other_alone), "failed"),
    "the beginning of the other": (Streams(_other_prime), "failed"),
    "the other's answer without an id": (Streams(_other_nameless), "failed"),
    "nothing": (Streams(_nothing), "undecided"),
    "news": (Streams(_news), "undecided"),
    "no ids": (Streams(_own, ids=False), "undecided"),
    "status 405": (Streams(_refused(405)), "undecided"),
    "status 400": (Streams(_refused(400)), "undecided"),
    "JSON": (Streams(_as_json), "undecided"),
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_server_that_closes_no_stream_early_is_asked_to_repeat_one(name: str) -> None:
    streams, outcome = REPEATED[name]

    async def main() -> None:
        async with serving(**streams.handlers) as (url, _):
            report, _ = await assessed(
                url, revision="2025-11-25", select=("HTTP-019",), calls="none"
            )
        (check,) = (it for it in report.checks if it.rule == "HTTP-019")
        assert (check.outcome, bool(check.reason)) == (outcome, outcome == "undecided"), check
        assert len(report.findings) == (outcome == "failed")

    run(main())
