"""One run in several processes: each reads all files and judges its share of the sessions."""

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

from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.validate.options import OUR_FAULT, Options
from mcp_assay.validate.run import Run, collect_seldom
from mcp_assay.validate.shares import Share, SharePart

COMMAND: Final = (sys.executable, "-P", "-m", "mcp_assay.validate.workers")
"""How a worker process is started; what lies in the working directory is not imported."""

NUDGE: Final = 0.05
"""Seconds between two signals to a process that is to stop."""


class WorkerPool:
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
        """Add to the run what the others found out; a process that died is reported."""
        for member in self._members:
            try:
                part: SharePart = pickle.load(_pipe(member.stdout))
            except (EOFError, pickle.UnpicklingError):
                run.collector.own_faults += 1
                run.reader.report_input(OUR_FAULT, _death(member.wait()))
            else:
                absorb(run, part)


def work() -> None:
    """Judge one share: what to do comes in through standard input, a SharePart goes out."""
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
    with open(1, "wb", closefd=False) as output:
        pickle.dump(part_of(run), output)


def part_of(run: Run) -> SharePart:
    """What a share of a run found out; it must be closed."""
    sessions, decided, collector = run.sessions, run.decided, run.collector
    return SharePart(
        tally=collector.tally,
        kinds=dict(decided.messages),
        batches=decided.batches,
        session_rules=decided.session_rules,
        withheld=decided.withheld,
        seen=decided.seen,
        left_open=decided.left_open,
        ids_refused=decided.room.refused,
        limits=[*decided.limits.values()],
        revisions=sessions.revisions,
        sessions=sessions.finished.worst(),
        messages=run.reader.messages,
        own_faults=collector.own_faults,
        folded_rules=collector.folded_rules,
        forgotten=sessions.forgotten,
        is_trace=run.reader.is_trace,
        interrupted=run.interrupted,
    )


def absorb(run: Run, part: SharePart) -> None:
    """Add to a run what another share of it found out."""
    run.collector.tally.merge(part.tally)
    run.collector.own_faults += part.own_faults
    run.collector.note_folded(part.folded_rules)
    run.sessions.revisions |= part.revisions
    run.sessions.forgotten += part.forgotten
    for count in part.sessions:
        run.sessions.finished.add(count)
    run.reader.messages += part.messages
    run.reader.is_trace |= part.is_trace
    run.interrupted |= part.interrupted
    _merge(run.decided, part)


def _merge(decided: DecidedRules, part: SharePart) -> None:
    for revision, seen in part.kinds.items():
        decided.messages[revision] |= seen
    decided.batches.update(part.batches)
    decided.session_rules.update(part.session_rules)
    decided.withheld.update(part.withheld)
    decided.seen.update(part.seen)
    decided.left_open.update(part.left_open)
    decided.room.refused += part.ids_refused
    for limit in part.limits:
        decided.note_limit(limit)


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
    ending = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
    return f"A worker process {ending}; its sessions are missing from this report."


if __name__ == "__main__":
    work()
