"""Nobody waits for an answer that has come already, under an id that is not that of the request."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcp_assay.client.pending_requests import (
    CERTAIN,
    OTHER_ID,
    PROBABLE,
    UNREADABLE,
    PendingRequest,
    Queue,
    WrongIds,
)
from tests.clocks import Clock

LONG = 10.0
RESULT: dict[str, Any] = {"result": {}}
ERROR: dict[str, Any] = {"error": {"code": -32600, "message": "?"}}


class RawClient:
    """Request 1 was answered and request 2 timed out; request 3 waits, and 4 where it is wanted."""

    def __init__(self, *, has_company: bool = False) -> None:
        self.queue = Queue()
        self.misnaming = WrongIds(self.queue)
        self.ask(1)
        self.misnaming.answered(1)
        self.queue.take_out(1)
        self.ask(2)
        self.queue.take_out(2)
        self.waiting = self.ask(3)
        if has_company:
            self.ask(4)

    def ask(self, id: int) -> PendingRequest:
        waiting = PendingRequest("tools/list", LONG, LONG)
        self.queue.put(id, waiting)
        self.misnaming.asked(id)
        return waiting

    async def waited(self) -> tuple[float, str]:
        assert await self.waiting.ending() == "timed_out"
        return self.waiting.seconds, self.waiting.detail


def waits_after(value: dict[str, Any], *, has_company: bool = False, reports: bool = False) -> Any:
    """How long the request waits after a response came, and why."""

    async def conversation() -> tuple[float, str]:
        one = RawClient(has_company=has_company)
        if reports:
            one.misnaming.forget_suspects()
        one.misnaming.heed(value)
        return await one.waited()

    with asyncio.Runner(loop_factory=Clock) as runner:
        return runner.run(conversation())


@pytest.mark.parametrize("id", ["3", 3.0, "03"])
@pytest.mark.parametrize("said", [RESULT, ERROR])
def test_an_id_with_the_same_digits_is_surely_ours(id: Any, said: dict[str, Any]) -> None:
    received = {"id": id, **said}
    assert waits_after(received) == (CERTAIN, OTHER_ID)
    assert waits_after(received, has_company=True, reports=True) == (CERTAIN, OTHER_ID)


@pytest.mark.parametrize("id", [None, 1003, "another", "1003", True, [3], "9" * 5000, "³"])
def test_a_result_under_a_foreign_id_is_for_the_only_request_that_waits(id: Any) -> None:
    received = {"id": id, **RESULT}
    assert waits_after(received) == (PROBABLE, OTHER_ID)
    assert waits_after({"id": id, **ERROR}) == (LONG, "")
    assert waits_after(received, has_company=True) == (LONG, "")
    assert waits_after(received, reports=True) == (LONG, "")


@pytest.mark.parametrize("id", [1, 2, "1", "2", 2.0])
def test_an_answer_that_comes_late_or_twice_is_for_nobody(id: Any) -> None:
    assert waits_after({"id": id, **RESULT}) == (LONG, "")


def test_what_wants_no_answer_is_over_when_a_later_request_is_answered() -> None:
    async def conversation() -> tuple[float, str]:
        one = RawClient()
        one.misnaming.forget_suspects()
        one.misnaming.answered(3)  # it was sent before
        one.misnaming.heed({"id": None, **RESULT})
        one.ask(4)
        one.queue.take_out(4)
        one.misnaming.answered(4)
        assert one.waiting.detail == ""
        one.misnaming.heed({"id": None, **RESULT})
        return await one.waited()

    with asyncio.Runner(loop_factory=Clock) as runner:
        assert runner.run(conversation()) == (PROBABLE, OTHER_ID)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (b'{"jsonrpc":"2.0","id":3,"result":{"tools":["\xff"]}}', PROBABLE),
        (b'{"jsonrpc":"2.0","method":"x"}{"jsonrpc":"2.0","id" : 3, "result":{}}', PROBABLE),
        (b'{"jsonrpc":"2.0","id":30,"result":{"tools":["\xff"]}}', LONG),
        (b'{"jsonrpc":"2.0","id":3,"method":"ping","params":"\xff"}', LONG),
        (b'sent {"jsonrpc":"2.0","id":3,"result":{}}', LONG),
        (b"{", LONG),
    ],
)
def test_a_result_that_cannot_be_read_is_not_waited_for(text: bytes, seconds: float) -> None:
    async def conversation(*, has_company: bool) -> tuple[float, str]:
        one = RawClient(has_company=has_company)
        one.misnaming.overhear(text)
        return await one.waited()

    why = UNREADABLE if seconds == PROBABLE else ""
    with asyncio.Runner(loop_factory=Clock) as runner:
        assert runner.run(conversation(has_company=False)) == (seconds, why)
        assert runner.run(conversation(has_company=True)) == (LONG, "")
