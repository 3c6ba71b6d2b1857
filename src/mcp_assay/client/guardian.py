"""A small process between mcp-assay and a server: whatever the server starts is its descendant.

It runs as a script of its own, apart from the package, so that it starts fast. Its arguments are
two descriptors and the server's command. On the first it hears commands, each one byte; on the
second it tells, line by line, what becomes of the server. When the first closes, because mcp-assay
said so or is no more, every descendant is killed.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TERMINATE = b"T"
"""The command to send SIGTERM to the server's group."""
NOT_STARTED = 127
HEEDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
"""What a terminal may send is for mcp-assay alone: this process ends when mcp-assay does."""
LATEST = 1 << 12


class Guardian:
    """Starts the server, waits for its end and for commands, and leaves nothing alive."""

    def __init__(self, commands: int, news: int) -> None:
        self._commands = commands
        self._news = news
        for descriptor in (commands, news):
            os.set_inheritable(descriptor, False)
        self._woken, self._waker = os.pipe()
        self._server = 0

    def close(self) -> None:
        """Let go of all descriptors, in a process that is no guardian."""
        for descriptor in (self._commands, self._news, self._woken, self._waker):
            os.close(descriptor)

    def run(self, command: list[str]) -> None:
        """Guard the server until the commands end."""
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        let_go_of_terminal()
        self._heed_signals()
        fault = self._start(command)
        if fault:
            self._report(f"failed {fault}")
            return
        self._report(f"started {self._server}")
        let_go_of_streams()
        while self._obey():
            self._reap()
        self._reap()
        self._report(f"left {end_all(self._server)}")

    def _heed_signals(self) -> None:
        for name in HEEDED:
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        os.set_blocking(self._waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)

    def _start(self, command: list[str]) -> int:
        """Start the server; give the number of the system's error, 0 where there was none."""
        reader, writer = os.pipe()
        parent = os.getpid()
        self._server = os.fork()
        if self._server == 0:
            become(command, writer, parent)
        os.close(writer)
        fault = os.read(reader, LATEST)
        os.close(reader)
        return int(fault or b"0")

    def _obey(self) -> bool:
        """Wait for a command or for news of a child; False once there are no more commands."""
        ready, _, _ = select.select([self._commands, self._woken], [], [])
        if self._woken in ready:
            os.read(self._woken, LATEST)
        if self._commands not in ready:
            return True
        order = os.read(self._commands, 1)
        if order == TERMINATE:
            signal_group(self._server, signal.SIGTERM)
        return bool(order)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self._note(*ended)

    def _note(self, pid: int, status: int) -> None:
        if pid == self._server:
            self._report(f"ended {os.waitstatus_to_exitcode(status)}")

    def _report(self, words: str) -> None:
        with suppress(OSError):
            os.write(self._news, f"{words}\n".encode())


def become(command: list[str], writer: int, parent: int) -> None:
    """Turn this new process into the server; it dies with the guardian, whatever happens."""
    try:
        os.setpgid(0, 0)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(NOT_STARTED)
        signal.set_wakeup_fd(-1)
        for name in (*HEEDED, "SIGCHLD", "SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.execvp(command[0], command)
    except (OSError, ValueError) as fault:
        number = fault.errno if isinstance(fault, OSError) else None
        os.write(writer, str(number or 22).encode())
    finally:
        os._exit(NOT_STARTED)


def let_go_of_terminal() -> None:
    """Have no terminal, and none for the server: it must not ask the user behind our back.

    A session of its own would do the same, but each answer would wait for the turn of that session.
    """
    import fcntl  # noqa: PLC0415  not on every platform
    import termios  # noqa: PLC0415

    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
        try:
            fcntl.ioctl(terminal, termios.TIOCNOTTY)
        finally:
            os.close(terminal)


def let_go_of_streams() -> None:
    """Let the streams belong to the server alone, so that they end when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)


def end_all(server: int) -> int:
    """Kill the server's group and every descendant; give how many besides the server there were.

    What is killed leaves its children to this process, so children alone are killed, until there
    are none: to list them is fast, and a process that forks and ends without end is not faster.
    """
    left = {*descendants(os.getpid())} - {server}
    signal_group(server, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            for pid in children():
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG)[0]:
                continue
    return len(left)


def children() -> list[int]:
    """The children of this process, those that have ended too; all of /proc is the slow way."""
    own = os.getpid()
    try:
        with open(f"/proc/{own}/task/{own}/children", "rb") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return [pid for pid, parent in parents() if parent == own]


def descendants(ancestor: int) -> list[int]:
    """All living processes below one; none where the system does not list them."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents():
        children.setdefault(parent, []).append(pid)
    found = list(children.get(ancestor, ()))
    for pid in found:
        found += children.get(pid, ())
    return found


def parents() -> list[tuple[int, int]]:
    """Every living process with its parent."""
    found = []
    names = os.listdir("/proc") if os.path.isdir("/proc") else []
    for name in filter(str.isdigit, names):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                found.append((int(name), int(parent)))
    return found


def signal_group(group: int, number: int) -> None:
    """Send a signal to a process group, if anything is left of it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def prctl(option: int, value: int) -> None:
    """Ask Linux for something about this process; other systems do not know it."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  only Linux has what it is for

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    Guardian(int(sys.argv[1]), int(sys.argv[2])).run(sys.argv[3:])
