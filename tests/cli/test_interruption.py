"""A signal ends work, and questions at once."""

from __future__ import annotations

import asyncio
import gc
import os
import signal

import pytest

from mcp_assay.cli.interruption import Interruption


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_question_at_once(number: int) -> None:
    interruption, answers = Interruption(), list[str]()

    def ask(_: str) -> str:
        os.kill(os.getpid(), number)
        return "answered all the same"

    async def work() -> None:
        answers.append(interruption.asking(ask)("Call them too?"))

    interruption.run(work())
    assert interruption.has_come
    assert answers == []


def test_work_that_nobody_interrupts_comes_to_its_end() -> None:
    interruption = Interruption()
    interruption.run(asyncio.sleep(0))
    assert not interruption.has_come
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_work_that_a_signal_breaks_off_leaves_no_complaint(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def signalled() -> None:
        raise KeyboardInterrupt

    async def broken_off() -> None:
        asyncio.get_running_loop().call_soon(signalled)
        try:
            await asyncio.sleep(5)
        finally:  # a third signal comes while all is put away
            signalled()

    interruption = Interruption()
    interruption.run(broken_off())
    assert interruption.has_come
    del interruption
    gc.collect()
    assert caplog.records == []
