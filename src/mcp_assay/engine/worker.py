"""A worker process of this machine: pickled tasks come in, pickled outcomes go out.

It ends as soon as its input does, whatever it is doing: nothing survives whoever started it.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from queue import SimpleQueue
from typing import Any, Final

from mcp_assay.engine.tasks import loss_of

GIVEN_UP: Final = 1


def work_on_tasks() -> None:
    """Work on what comes through standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this says when to stop
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints is no result
    coming: SimpleQueue[tuple[int, Any, Any]] = SimpleQueue()
    threading.Thread(target=_receive, args=(coming,), daemon=True).start()
    while True:
        index, work, task = coming.get()
        try:
            outcome: Any = work(task)
        except Exception as fault:  # noqa: BLE001  one task must not end the others
            outcome = loss_of(index, fault)
        pickle.dump(outcome, results)
        results.flush()


def _receive(coming: SimpleQueue[tuple[int, Any, Any]]) -> None:
    with open(0, "rb", closefd=False) as tasks:
        try:
            while True:
                coming.put(pickle.load(tasks))
        finally:
            os._exit(GIVEN_UP)


if __name__ == "__main__":
    work_on_tasks()
