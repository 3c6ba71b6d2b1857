"""A server under a guardian: started, told to end, and gone with all that it started."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from mcp_assay.client.children import OWN_GROUP, why_not_started
from mcp_assay.client.guardian import TERMINATE
from mcp_assay.client.links import NotReached

SCRIPT: Final = os.path.join(os.path.dirname(__file__), "guardian.py")


PIECE: Final = 1 << 16


LONGEST_FAREWELL: Final = 5.0
"""Seconds in which a guardian should have killed everything."""


SHORTEST_FAREWELL: Final = 0.5
"""Seconds that it gets in any case: mostly it needs less."""


LOST: Final = -9
"""The code of a server whose guardian was killed: it was killed with it."""


class Guarded:
    """A running server behind its guardian, and our ends of its three streams."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.command: Final = tuple(command)
        loop = asyncio.get_running_loop()
        self.started: Final[asyncio.Future[int]] = loop.create_future()
        """The process id, once it runs; raises NotReached where it never will."""
        self.exited: Final[asyncio.Future[int]] = loop.create_future()
        """Its exit code, below zero the number of a signal."""
        self.left_behind = 0
        self._gone: Final[asyncio.Future[None]] = loop.create_future()
        self._news = b""
        self._process: Final = self._launch(environment)
        loop.add_reader(self._reports, self._hear)

    def _launch(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        its_input, self.stdin = os.pipe()
        self.stdout, its_output = os.pipe()
        self.stderr, its_errors = os.pipe()
        reader, self._commands = os.pipe()
        self._reports, writer = os.pipe()
        theirs = (its_input, its_output, its_errors, reader, writer)
        arguments = (str(reader), str(writer), *self.command)
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", SCRIPT, *arguments],
                stdin=its_input,
                stdout=its_output,
                stderr=its_errors,
                env=environment,
                pass_fds=(reader, writer),
                process_group=OWN_GROUP,
            )
        except (OSError, ValueError) as fault:
            for descriptor in (self.stdin, self.stdout, self.stderr, self._commands, self._reports):
                os.close(descriptor)
            raise NotReached(why_not_started(self.command[0], fault)) from None
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def terminate(self) -> None:
        """Send SIGTERM to the server and its group."""
        with suppress(OSError):
            os.write(self._commands, TERMINATE)

    async def end(self, seconds: float = LONGEST_FAREWELL) -> None:
        """Have all that is left killed, and wait until it is, or rather long.

        A guardian that is still at work then goes on without us: it ends when all are dead.
        """
        if self._commands >= 0:
            os.close(self._commands)
            self._commands = -1
            self._process.send_signal(signal.SIGCONT)  # the server may have stopped it
        most = min(LONGEST_FAREWELL, max(SHORTEST_FAREWELL, seconds))
        await asyncio.wait([self._gone], timeout=most)

    def _hear(self) -> None:
        piece = os.read(self._reports, PIECE)
        *lines, self._news = (self._news + piece).split(b"\n")
        for line in lines:
            word, _, number = line.decode().partition(" ")
            self._note(word, int(number))
        if not piece:
            self._forget()

    def _note(self, word: str, number: int) -> None:
        if word == "started":
            if not self.started.done():  # who waited for it may have given up
                self.started.set_result(number)
        elif word == "failed":
            fault = OSError(number, os.strerror(number))
            self.started.set_exception(NotReached(why_not_started(self.command[0], fault)))
        elif word == "ended":
            self.exited.set_result(number)
        elif word == "left":
            self.left_behind = number

    def _forget(self) -> None:
        """Let go of a guardian that is gone."""
        self._gone.set_result(None)
        asyncio.get_running_loop().remove_reader(self._reports)
        os.close(self._reports)
        self._process.wait()
        if not self.started.done():
            self.started.set_exception(NotReached(f"{self.command[0]} could not be guarded"))
        if not self.exited.done():
            self.exited.set_result(LOST)
