"""Processes of this machine, each with one task at a time."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from time import sleep
from typing import IO, Any, Final

from mcp_assay.engine.tasks import (
    AHEAD,
    MOST_RUNS,
    WAIT,
    Result,
    Task,
    TaskDone,
    TaskLost,
    loss_of,
    worker_environment,
    worker_lost,
)

COMMAND: Final = (sys.executable, "-P", "-m", "mcp_assay.engine.worker")
"""How a worker is started; what lies in the working directory is not imported."""
ASK_AGAIN: Final = 0.05
"""Seconds after which a worker that had to wait asks for a task again."""


class LocalEngine:
    """Runs tasks in processes of its own, or in this one where there is to be only one that
    need not be apart."""

    def __init__(self, workers: int, *, is_apart: bool = False) -> None:
        self.workers: Final = workers
        self.dashboard: Final = None
        self._is_apart: Final = is_apart
        self._members: Final = [_LocalWorker() for _ in range(workers)]

    def run(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Any],
        runs: int = MOST_RUNS,
        ahead: int = AHEAD,
    ) -> Iterator[TaskDone[Result] | TaskLost]:
        """Do the work on each task; each outcome as soon as it is there.

        Nothing is with a worker but its task, however far ahead that may be.
        """
        del ahead
        if self.workers == 1 and not self._is_apart:
            yield from _run_here(work, tasks)
            return
        outcomes: SimpleQueue[TaskDone[Any] | TaskLost | None] = SimpleQueue()
        waiting = _SharedTasks(tasks)
        for member in self._members:
            target, given = member.serve, (work, waiting, outcomes, runs)
            threading.Thread(target=target, args=given, daemon=True).start()
        left = len(self._members)
        while left:
            outcome = outcomes.get()
            if outcome is None:
                left -= 1
            else:
                yield outcome

    def close(self) -> None:
        """End all processes."""
        for member in self._members:
            member.stop()


class _SharedTasks(Iterator[tuple[int, Any]]):
    """Numbered tasks that several threads take from."""

    def __init__(self, tasks: Iterable[Any]) -> None:
        self._tasks: Final = iter(tasks)
        self._taken = 0
        self._lock: Final = threading.Lock()

    def __next__(self) -> tuple[int, Any]:
        while True:
            with self._lock:
                task = next(self._tasks)
                if task is not WAIT:
                    self._taken += 1
                    return self._taken - 1, task
            sleep(ASK_AGAIN)


class _LocalWorker:
    """One worker, whose process is started when there is a task, and anew after it died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False
        self._lock: Final = threading.Lock()

    def serve(
        self,
        work: Callable[[Any], Any],
        tasks: _SharedTasks,
        outcomes: SimpleQueue[TaskDone[Any] | TaskLost | None],
        runs: int,
    ) -> None:
        """Take tasks until there are none; None is the last that comes out."""
        try:
            for index, task in tasks:
                outcomes.put(self._outcome(index, work, task, runs))
        finally:
            outcomes.put(None)

    def stop(self) -> None:
        """End the process, and start none any more."""
        with self._lock:
            self._is_over = True
            self._end()

    def _outcome(
        self, index: int, work: Callable[[Any], Any], task: Any, runs: int
    ) -> TaskDone[Any] | TaskLost:
        ending = ""
        for _ in range(runs):
            process = self._running()
            if process is None:
                return TaskLost(index, "engine_lost", "the run was stopped")
            try:
                result = _asked(process, (index, work, task))
            except (EOFError, OSError, pickle.UnpicklingError):
                ending = _death(process.wait())
            else:
                return result if isinstance(result, TaskLost) else TaskDone(index, result)
        return worker_lost(index, ending, runs)

    def _running(self) -> subprocess.Popen[bytes] | None:
        """The process, which may have to be started; None where all is over."""
        with self._lock:
            if self._is_over:
                return None
            if self._process is None or self._process.poll() is not None:
                self._end()
                self._process = _start()
            return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        with suppress(BrokenPipeError):
            _pipe(process.stdin).close()
        _pipe(process.stdout).close()


def _run_here(
    work: Callable[[Task], Result], tasks: Iterable[Any]
) -> Iterator[TaskDone[Result] | TaskLost]:
    for index, task in enumerate(task for task in tasks if task is not WAIT):
        try:
            result = work(task)
        except Exception as fault:  # noqa: BLE001  one task must not end the others
            yield loss_of(index, fault)
        else:
            yield TaskDone(index, result)


def _start() -> subprocess.Popen[bytes]:
    """Start a process in a session of its own: an interruption is ours to act on."""
    return subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=worker_environment(),
        start_new_session=True,
    )


def _asked(process: subprocess.Popen[bytes], task: tuple[int, Any, Any]) -> Any:
    given = _pipe(process.stdin)
    pickle.dump(task, given)
    given.flush()
    return pickle.load(_pipe(process.stdout))


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _death(code: int) -> str:
    if code < 0:
        return f"a worker process was killed by signal {-code}"
    return f"a worker process exited with code {code}"
