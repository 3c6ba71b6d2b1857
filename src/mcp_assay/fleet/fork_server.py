"""A process with everything loaded that jobs need: for each job it forks, which takes no time.

It has one thread and no secret but the environment of its worker. Over its only socket come folders
of jobs, each with the two descriptors of a guardian. It ends when its worker does.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from typing import Final, NoReturn

from mcp_assay.client.guardian import (
    HEEDED,
    NOT_STARTED,
    PR_SET_PDEATHSIG,
    Guardian,
    prctl,
)
from mcp_assay.client.sandbox.availability import try_backends_anew
from mcp_assay.fleet.job_folder import JobFolder
from mcp_assay.fleet.job_process import do_job_in

LONGEST: Final = 1 << 12
IN_WORLD: Final = b"w"
"""Stands before the folder of a job whose server needs a world."""
PLAIN: Final = b"p"
LOADED_LATE: Final = (
    "mcp_assay.assess.report",
    "mcp_assay.assess.stages",
    "mcp_assay.history.packed_reports",
)
"""What an assessment loads when it needs it: here it is better loaded before."""


class JobGuardian(Guardian):
    """A guardian whose server is a job, done in a fork of this process."""

    def __init__(self, commands: int, news: int, folder: JobFolder) -> None:
        super().__init__(commands, news)
        self._folder: Final = folder
        self._report(f"guardian {os.getpid()}")

    def _start(self, command: list[str]) -> int:
        del command
        parent = os.getpid()
        self._server = os.fork()
        if self._server == 0:
            self._become_job(parent)
        return 0

    def _become_job(self, parent: int) -> NoReturn:
        """Do the job, as a process that nothing of its guardian is left in."""
        code = NOT_STARTED
        try:
            os.setpgid(0, 0)
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() == parent:
                signal.set_wakeup_fd(-1)
                for name in (*HEEDED, "SIGCHLD"):
                    signal.signal(getattr(signal, name), signal.SIG_DFL)
                self.close()
                os.environ["TMPDIR"] = self._folder.temporary
                tempfile.tempdir = None
                do_job_in(self._folder)
                code = 0
        finally:
            os._exit(code)


def serve(link: socket.socket) -> None:
    """Fork for each job that comes, until nobody is left to send one."""
    for name in LOADED_LATE:
        __import__(name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    while True:
        said, descriptors, _, _ = socket.recv_fds(link, LONGEST, 2)
        if not said:
            return
        if said.startswith(IN_WORLD):
            try_backends_anew()
        if os.fork() == 0:
            link.close()
            _guard(descriptors, JobFolder(os.fsdecode(said[1:])))
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                continue


def _guard(descriptors: list[int], folder: JobFolder) -> NoReturn:
    try:
        os.setpgid(0, 0)
        commands, news = descriptors
        JobGuardian(commands, news, folder).run([])
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
