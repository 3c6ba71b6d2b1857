"""One run in several processes: each reads all files and judges its share of the conversations.

Reading twice is cheaper than handing lines from process to process, and no session is torn apart:
every process sees all lines in the same order and knows which sessions are its own.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import sleep
from types import TracebackType
from typing import IO, Final, Self

from mcp_assay.intake.garbage import collect_seldom
from mcp_assay.intake.options import Options
from mcp_assay.intake.parts import Part
from mcp_assay.intake.shares import Share
from mcp_assay.validate import Run

COMMAND: Final = (sys.executable, "-P", "-m", "mcp_assay.crew")
"""How a process of the crew is started; what lies in the working directory is not imported."""

NUDGE: Final = 0.05
"""Seconds between two signals to a process that is to stop."""


class Crew:
    """The processes that judge all shares but the first, which is left to this one."""

    def __init__(self, options: Options, sources: Sequence[str], size: int) -> None:
        self._members = [
            _start(options, sources, Share(index=index, of=size)) for index in range(1, size)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for member in self._members:
            member.kill()
            member.wait()
            _pipe(member.stdout).close()
            with suppress(BrokenPipeError):
                _pipe(member.stdin).close()

    def interrupt(self) -> None:
        """Let everybody stop, and report what was judged up to now."""
        for member in self._members:
            _pipe(member.stdin).close()

    def join(self, run: Run) -> None:
        """Add to the run what the others found out; a process that died is told of."""
        for member in self._members:
            try:
                part: Part = pickle.load(_pipe(member.stdout))
            except (EOFError, pickle.UnpicklingError):
                run.lose(_death(member.wait()))
            else:
                run.absorb(part)


def work() -> None:
    """Judge one share: what to do comes in through standard input, a Part goes out."""
    with open(0, "rb", closefd=False) as asked:
        options, sources, share = pickle.load(asked)
    signal.signal(signal.SIGINT, _interrupted_once)  # in the background it is ignored
    watch = threading.Thread(target=_stop_with_parent, args=(threading.get_ident(),), daemon=True)
    watch.start()
    collect_seldom()
    run = Run(options, share=share)
    run.judge_all(sources)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run.close()
    with open(1, "wb", closefd=False) as told:
        pickle.dump(run.part(), told)


def _start(options: Options, sources: Sequence[str], share: Share) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own: an interruption reaches it through this one."""
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    member = subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=null, start_new_session=True)
    with suppress(BrokenPipeError):  # it may have died already, which shows when it is joined
        _pipe(member.stdin).write(pickle.dumps((options, list(sources), share)))
        _pipe(member.stdin).flush()
    return member


def _stop_with_parent(main: int) -> None:
    """Wait until the parent closes its end or is no more, and stop then.

    A signal that comes just before a read begins does not end it, so it is sent until all is over.
    """
    while os.read(0, 1):
        pass
    while True:
        signal.pthread_kill(main, signal.SIGINT)
        sleep(NUDGE)


def _interrupted_once(*_: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _death(code: int) -> str:
    ending = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"A process of this run {ending}; the sessions that it judged are not in this report."


if __name__ == "__main__":
    work()
