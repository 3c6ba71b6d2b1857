"""A Dask cluster for tests: a scheduler and workers as processes of their own, on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from distributed import Client

from tests.patience import LONGEST

ROOT: Final = Path(__file__).resolve().parents[2]
HOST: Final = "127.0.0.1"


@contextmanager
def dask_cluster(folder: Path, workers: int = 2) -> Iterator[str]:
    """HOST:PORT of a scheduler with workers."""
    place = f"{HOST}:{free_port()}"
    folder.mkdir(exist_ok=True)
    started = [start_scheduler(folder, place)]
    try:
        started += [start_worker(folder, place) for _ in range(workers)]
        with Client(f"tcp://{place}", timeout=LONGEST, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers, timeout=LONGEST)
        yield place
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(LONGEST)


def start_scheduler(folder: Path, place: str) -> subprocess.Popen[bytes]:
    """Start a scheduler at HOST:PORT."""
    return _started(folder, "scheduler", "--host", HOST, "--port", place.partition(":")[2])


def start_worker(folder: Path, place: str) -> subprocess.Popen[bytes]:
    """Start a worker of the scheduler at HOST:PORT."""
    single = ("--nthreads", "1", "--local-directory", str(folder), "--host", HOST)
    return _started(folder, "worker", f"tcp://{place}", *single)


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as trial:
        trial.bind((HOST, 0))
        port: int = trial.getsockname()[1]
        return port


def _started(folder: Path, what: str, *options: str) -> subprocess.Popen[bytes]:
    """Start a part of a cluster, which allows a task to be lost as often as one of ours would."""
    allowed = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with (folder / f"{what}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *options],
            cwd=folder,
            env={**os.environ, **allowed, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
