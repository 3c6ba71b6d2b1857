"""A deadline rings for the server's silence, never for our own business."""

from __future__ import annotations

import asyncio

from mcp_assay.client.pending_requests import PendingRequest
from tests.clocks import Clock


def busy_clock() -> Clock:
    clock = asyncio.get_running_loop()
    assert isinstance(clock, Clock)
    return clock


async def silence() -> tuple[str, float]:
    waiting = PendingRequest("tools/call", 10.0, 10.0)
    return await waiting.ending(), waiting.seconds


async def silence_while_we_are_busy() -> tuple[str, float]:
    waiting = PendingRequest("tools/call", 10.0, 10.0)
    busy_clock().be_busy(13.0)
    return await waiting.ending(), waiting.seconds


async def answer_while_we_are_busy() -> tuple[str, float]:
    waiting = PendingRequest("tools/call", 10.0, 10.0)
    clock = busy_clock()
    clock.be_busy(13.0)
    clock.call_later(1.0, waiting.end, "answered")
    return await waiting.ending(), waiting.seconds


def test_silence_ends_on_time() -> None:
    with asyncio.Runner(loop_factory=Clock) as runner:
        assert runner.run(silence()) == ("timed_out", 10.0)


def test_what_came_while_we_were_busy_is_still_read() -> None:
    with asyncio.Runner(loop_factory=Clock) as runner:
        assert runner.run(answer_while_we_are_busy()) == ("answered", 14.0)
        assert runner.run(silence_while_we_are_busy()) == ("timed_out", 16.0)


async def silence_while_we_are_busy_for_ever() -> tuple[str, float]:
    waiting = PendingRequest("tools/call", 10.0, 10.0)
    clock = busy_clock()

    def be_busy() -> None:
        clock.be_busy(4.0)
        clock.call_later(0.1, be_busy)

    be_busy()
    return await waiting.ending(), waiting.seconds


def test_a_flood_that_keeps_us_busy_does_not_put_the_end_off_for_ever() -> None:
    with asyncio.Runner(loop_factory=Clock) as runner:
        ending, seconds = runner.run(silence_while_we_are_busy_for_ever())
        assert ending == "timed_out"
        assert 10.0 < seconds < 4 * 10.0
