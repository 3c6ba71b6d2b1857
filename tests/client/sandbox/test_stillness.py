"""Whether anything is at work in a tree of processes is seen from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mcp_assay.client.sandbox import stillness
from mcp_assay.client.sandbox.stillness import command_of_process, sample
from tests.patience import LONGEST


@contextmanager
def running(program: str) -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.kill()


def becomes_quiet(pid: int) -> bool:
    """Whether two samples are equal, sooner or later."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        first = sample(pid, Counter())
        time.sleep(0.005)
        second = sample(pid, Counter())
        if first.work == second.work and not second.is_busy:
            return True
    return False


def test_a_process_that_waits_is_quiet() -> None:
    with running("print(flush=True); input()") as pid:
        assert becomes_quiet(pid)


def test_a_thread_that_works_is_not() -> None:
    work = "import threading\ndef w():\n  while True: pass\nthreading.Thread(target=w).start()\n"
    with running(f"{work}print(flush=True)\nimport time\ntime.sleep(1000)") as pid:
        assert sample(pid, Counter()).is_busy


def test_children_belong_to_the_sample() -> None:
    with running(
        "import subprocess, sys\n"
        "child = subprocess.Popen(['sleep', '1000'])\n"
        "print(child.pid, flush=True)\n"
        "try: child.wait()\nfinally: child.kill()"
    ) as pid:
        found = {number for number, _ in sample(pid, Counter()).processes}
        assert len(found) == 2
        (child,) = found - {pid}
        os.kill(child, 9)


def test_very_many_processes_are_never_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stillness, "MOST_THREADS", 0)
    cuts = Counter[str]()
    assert sample(os.getpid(), cuts).is_busy
    assert cuts["processes"] == 1


def test_who_is_gone_has_no_command_and_no_work() -> None:
    assert command_of_process(2**22 + 1) == []
    assert sample(2**22 + 1, Counter()).work == ()
