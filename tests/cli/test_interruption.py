"""A signal ends work, and questions at once."""

from __future__ import annotations

import asyncio
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
