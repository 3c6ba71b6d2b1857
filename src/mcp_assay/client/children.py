"""The server as a child process, plain or under a guardian: started, ended, never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import ENOEXEC
from types import FrameType
from typing import Final

FORWARDED: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that are passed on, where the system has them."""
BY_SIGNAL: Final = 128
PR_SET_PDEATHSIG: Final = 1
OWN_GROUP: Final = 0
"""A group of its own in the same session: Linux shares out the processor by sessions, so another
session would make each answer wait for its turn."""


class NotStarted(Exception):
    """A command that could not be started; its text says why and what to do."""


class ServerProcess:
    """A running server, its standard input and its standard output.

    It leads a group of its own, so that a signal reaches it once, and with it all that it started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._over = False
        its_input, self.stdin = os.pipe()
        self.stdout, its_output = os.pipe()
        try:
            self._process: Final = _start(command, environment, its_input, its_output)
        except (OSError, ValueError) as fault:
            os.close(self.stdin)
            os.close(self.stdout)
            raise NotStarted(why_not_started(command[0], fault)) from None
        finally:
            os.close(its_input)
            os.close(its_output)

    @property
    def group(self) -> int:
        """The process group of the server and of all that it started."""
        return self._process.pid

    def wait(self) -> int:
        """Wait for the end and give the exit code: 128 and its number where a signal ended it."""
        code = self._process.wait()
        return code if code >= 0 else BY_SIGNAL - code

    def send(self, number: int) -> None:
        """Send a signal to the server and to all that it started."""
        if not self._over:
            signal_group(self.group, number)

    def let_go(self) -> None:
        """Send no more signals: what is left has nothing to do with this process."""
        self._over = True

    @contextmanager
    def passing_signals_on(self) -> Iterator[None]:
        """While inside, signals that this process gets go to the server."""

        def forward(number: int, _: FrameType | None) -> None:
            self.send(number)

        before = {number: signal.signal(number, forward) for number in _heeded()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def signal_group(group: int, number: int) -> None:
    """Send a signal to a process group, if anything is left of it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _heeded() -> list[int]:
    """The signals to pass on, without those that this process was started to ignore."""
    numbers = [getattr(signal, name) for name in FORWARDED if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


def _start(
    command: Sequence[str], environment: Mapping[str, str], stdin: int, stdout: int
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=stdout,
        env=environment,
        process_group=OWN_GROUP,
        preexec_fn=_dying_with_parent(),  # noqa: PLW1509  no thread runs yet
    )


def _dying_with_parent() -> Callable[[], object] | None:
    """What a new process must call to be killed when its parent is; only Linux has it."""
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415  the other systems have no use for it

    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def why_not_started(program: str, fault: Exception) -> str:
    """What keeps a program from being started, and what to do about it."""
    if isinstance(fault, FileNotFoundError) and os.path.exists(program):
        return f"{program} names an interpreter that does not exist; check its first line"
    if isinstance(fault, FileNotFoundError):
        return f"the command {program} does not exist; check its name, or give the full path"
    if isinstance(fault, PermissionError):
        return f"{program} may not be executed; make it executable, or put its interpreter first"
    if isinstance(fault, OSError) and fault.errno == ENOEXEC:
        return f"{program} is no program that this system runs; put its interpreter first"
    return f"{program} cannot be started: {fault}"
