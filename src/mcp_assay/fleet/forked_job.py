"""A job that is done in a fork of the fork server: its guardian, and what becomes of it."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import Final

from mcp_assay.client.guarded import LONGEST_FAREWELL, LOST, PIECE
from mcp_assay.engine.tasks import worker_environment
from mcp_assay.fleet.fork_server import IN_WORLD, PLAIN
from mcp_assay.fleet.job_folder import JobFolder

COMMAND: Final = (sys.executable, "-P", "-m", "mcp_assay.fleet.fork_server")
"""How the fork server is started; what lies in the working directory is not imported."""


class ForkedJob:
    """One job, from its beginning until nothing of it is left."""

    def __init__(self, folder: JobFolder, *, in_world: bool) -> None:
        self.code: int | None = None
        """How its process ended, below zero the number of a signal; None before that."""
        self.guardian = 0
        """The process id of its guardian, once that is known: all of the job is below it."""
        self._news = b""
        self._is_gone = False
        reader, self._commands = os.pipe()
        self._reports, writer = os.pipe()
        try:
            _fork_server.fork(folder, (reader, writer), in_world=in_world)
        finally:
            os.close(reader)
            os.close(writer)

    def wait(self, seconds: float) -> bool:
        """Wait for its end, not longer than that; whether it has come."""
        end = monotonic() + seconds
        while self.code is None and (left := end - monotonic()) > 0:
            self._hear(left)
        return self.code is not None

    def end(self) -> None:
        """Have all that is left of it killed, and wait until it is, or rather long."""
        os.close(self._commands)
        if self.guardian:
            with suppress(OSError):
                os.kill(self.guardian, signal.SIGCONT)  # a server may have stopped it
        end = monotonic() + LONGEST_FAREWELL
        while not self._is_gone and (left := end - monotonic()) > 0:
            self._hear(left)
        os.close(self._reports)

    def _hear(self, seconds: float) -> None:
        """Take what the guardian says within so many seconds."""
        if not select.select([self._reports], [], [], seconds)[0]:
            return
        piece = os.read(self._reports, PIECE)
        *lines, self._news = (self._news + piece).split(b"\n")
        for line in lines:
            word, _, number = line.decode().partition(" ")
            if word == "guardian":
                self.guardian = int(number)
            elif word == "ended":
                self.code = int(number)
        if not piece:
            self._is_gone = True
            self.code = LOST if self.code is None else self.code


class _ForkServer:
    """The fork server of this worker, started when there is a job, and anew after it died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._lock: Final = threading.Lock()

    def fork(self, folder: JobFolder, descriptors: tuple[int, int], *, in_world: bool) -> None:
        """Have a job begun; raises OSError where that cannot be."""
        order = (IN_WORLD if in_world else PLAIN) + os.fsencode(folder.path)
        with self._lock:
            link = self._running()
            socket.send_fds(link, [order], descriptors)

    def _running(self) -> socket.socket:
        if self._process is not None and self._link is not None and self._process.poll() is None:
            return self._link
        if self._link is not None:
            self._link.close()
        self._link, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                (*COMMAND, str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=worker_environment(),
                pass_fds=(theirs.fileno(),),
                process_group=0,
            )
        return self._link


_fork_server: Final = _ForkServer()
