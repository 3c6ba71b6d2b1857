"""The server as a child process, plain or under a guardian: started, ended, never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import ENOEXEC
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcp_assay.client.links import NotReached
    from mcp_assay.client.sandbox.launch import Launch
    from mcp_assay.client.sandbox.options import SandboxOptions

FORWARDED: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that are passed on, where the system has them."""
BY_SIGNAL: Final = 128
STDERR: Final = 2
PIECE: Final = 1 << 16
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

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        sandbox: SandboxOptions | None = None,
    ) -> None:
        self._over = False
        self._launch: Final = _launch_of(command, environment, sandbox)
        errors = ErrorPipe() if self._launch else None
        its_input, self.stdin = os.pipe()
        self.stdout, its_output = os.pipe()
        try:
            self._process: Final = _start(
                command, environment, (its_input, its_output, errors), self._launch
            )
        except (OSError, ValueError) as fault:
            os.close(self.stdin)
            os.close(self.stdout)
            raise NotStarted(why_not_started(command[0], fault)) from None
        finally:
            os.close(its_input)
            os.close(its_output)
            if errors:
                errors.forward()
        if self._launch:
            self._require_world(self._launch, command[0])

    def _require_world(self, launch: Launch, program: str) -> None:
        """Wait until the server runs in its world; raises NotStarted where it never will."""
        launch.let_go()
        said = launch.wait_for_start()
        if said.get("event") != "started":
            self.wait()
            raise NotStarted(str(why_not_in_world(said, program)))
        launch.ignore_rest()

    @property
    def group(self) -> int:
        """The process group of the server and of all that it started."""
        return self._process.pid

    def wait(self) -> int:
        """Wait for the end and give the exit code: 128 and its number where a signal ended it."""
        code = self._process.wait()
        if self._launch:
            self._launch.clean_up()
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


class ErrorPipe:
    """A pipe to standard error: from our terminal itself a server in a world could read."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()

    def fileno(self) -> int:
        """The end that the server gets."""
        return self._writer

    def forward(self) -> None:
        """Write to standard error what comes, until the last who could write has ended."""
        os.close(self._writer)
        threading.Thread(target=self._copy, daemon=True).start()

    def _copy(self) -> None:
        with suppress(OSError), open(self._reader, "rb", buffering=0) as source:
            while piece := source.read(PIECE):
                os.write(STDERR, piece)


def signal_group(group: int, number: int) -> None:
    """Send a signal to a process group, if anything is left of it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _heeded() -> list[int]:
    """The signals to pass on, without those that this process was started to ignore."""
    numbers = [getattr(signal, name) for name in FORWARDED if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


def _launch_of(
    command: Sequence[str], environment: Mapping[str, str], sandbox: SandboxOptions | None
) -> Launch | None:
    """What makes the world that is asked for; raises NotStarted where it cannot be made."""
    if sandbox is None:
        return None
    from mcp_assay.client.sandbox.availability import launch_in_world  # noqa: PLC0415  seldom
    from mcp_assay.client.sandbox.refusal import NoSandbox  # noqa: PLC0415

    try:
        return launch_in_world(command, environment, sandbox)
    except NoSandbox as why:
        raise NotStarted(str(why)) from None


def _start(
    command: Sequence[str],
    environment: Mapping[str, str],
    streams: tuple[int, int, ErrorPipe | None],
    launch: Launch | None,
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        launch.command if launch else command,
        pass_fds=launch.descriptors if launch else (),
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2].fileno() if streams[2] else None,
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


def why_not_in_world(said: Mapping[str, Any], program: str) -> NotReached:
    """What to raise where the launcher of a world says that the server does not run."""
    from mcp_assay.client.links import NotReached  # noqa: PLC0415  only for this
    from mcp_assay.client.sandbox.refusal import NoSandbox, detail_of, kind_of  # noqa: PLC0415

    number = int(said.get("errno") or 0)
    if said["step"] == "command":
        return NotReached(why_not_started(program, OSError(number, os.strerror(number))))
    return NoSandbox(kind_of(said), detail_of(said))
