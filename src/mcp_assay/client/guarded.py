"""A server under a guardian: started, told to end, and gone with all that it started."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from mcp_assay.client.children import OWN_GROUP, why_not_in_world, why_not_started
from mcp_assay.client.guardian import TERMINATE
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.world import World

if TYPE_CHECKING:
    from mcp_assay.client.sandbox.launch import Launch

SCRIPT: Final = os.path.join(os.path.dirname(__file__), "guardian.py")


PIECE: Final = 1 << 16


OWN_PROCESSES: Final = 2
"""The first process of a world and its server: neither was left behind by the server."""


LONGEST_FAREWELL: Final = 5.0
"""Seconds in which a guardian should have killed everything."""


SHORTEST_FAREWELL: Final = 0.5
"""Seconds that it gets in any case: mostly it needs less."""


LOST: Final = -9
"""The code of a server whose guardian was killed: it was killed with it."""


def _launch_of(
    command: Sequence[str], environment: Mapping[str, str], sandbox: SandboxOptions | None
) -> Launch | None:
    if sandbox is None:
        return None
    from mcp_assay.client.sandbox.availability import launch_in_world  # noqa: PLC0415  seldom

    return launch_in_world(command, environment, sandbox)


class Guarded:
    """A running server behind its guardian, and our ends of its three streams."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        sandbox: SandboxOptions | None = None,
    ) -> None:
        self.command: Final = tuple(command)
        self.world: World | None = None
        """The world that the server runs in, once it runs."""
        self._launch: Final = _launch_of(command, environment, sandbox)
        loop = asyncio.get_running_loop()
        self.started: Final[asyncio.Future[int]] = loop.create_future()
        """The process id, once it runs; raises NotReached where it never will."""
        self.exited: Final[asyncio.Future[int]] = loop.create_future()
        """Its exit code, below zero the number of a signal."""
        self.left_behind = 0
        self._gone: Final[asyncio.Future[None]] = loop.create_future()
        self._news = b""
        self._process: Final = self._start(environment)
        loop.add_reader(self._reports, self._hear)
        if self._launch:
            self._launch.let_go()
            self._launch.listen(self._hear_world)

    def _start(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        its_input, self.stdin = os.pipe()
        self.stdout, its_output = os.pipe()
        self.stderr, its_errors = os.pipe()
        reader, self._commands = os.pipe()
        self._reports, writer = os.pipe()
        theirs = (its_input, its_output, its_errors, reader, writer)
        command, more = self.command, tuple[int, ...]()
        if self._launch:
            command, more = self._launch.command, self._launch.descriptors
        arguments = (str(reader), str(writer), *command)
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", SCRIPT, *arguments],
                stdin=its_input,
                stdout=its_output,
                stderr=its_errors,
                env=environment,
                pass_fds=(reader, writer, *more),
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
            if self._launch:
                self._launch.end()
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
            if not self.started.done() and not self._launch:  # who waited for it may have given up
                self.started.set_result(number)
        elif word == "failed":
            fault = OSError(number, os.strerror(number))
            self.started.set_exception(NotReached(why_not_started(self.command[0], fault)))
        elif word == "ended":
            self.exited.set_result(number)
        elif word == "left":
            self.left_behind = max(0, number - OWN_PROCESSES) if self._launch else number

    def _hear_world(self, said: dict[str, Any] | None) -> None:
        """Take what the launcher of a world says; the server runs when it says so, not before."""
        if said is None or self._launch is None:
            if self.world:
                self.world.end()
            return
        event = said["event"]
        if event == "started":
            self.world = World(said, self._launch.say, self._launch.secrets)
            if not self.started.done():
                self.started.set_result(self._process.pid)
        elif event == "refused" and not self.started.done():
            self.started.set_exception(why_not_in_world(said, self.command[0]))
        elif self.world:
            self.world.note(said)

    def _forget(self) -> None:
        """Let go of a guardian that is gone."""
        self._gone.set_result(None)
        if self._launch:
            self._launch.hear_rest()
            self._launch.close()  # a launcher that lives on ends its world
            self._launch.clean_up()
        asyncio.get_running_loop().remove_reader(self._reports)
        os.close(self._reports)
        self._process.wait()
        if not self.started.done():
            self.started.set_exception(NotReached(f"{self.command[0]} could not be guarded"))
        if not self.exited.done():
            self.exited.set_result(LOST)
