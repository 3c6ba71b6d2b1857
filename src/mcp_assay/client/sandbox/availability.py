"""Whether a world can be made here, found out by making one around a program that does nothing."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Any, Final

from msgspec import Struct

from mcp_assay.client.sandbox.backends import Backend, bwrap, python_for_root, sudo
from mcp_assay.client.sandbox.launch import Launch
from mcp_assay.client.sandbox.options import SandboxOptions, Wanted
from mcp_assay.client.sandbox.refusal import REASONS, NoSandbox, detail_of, kind_of, unsupported

TRY_SECONDS: Final = 30.0
ORDER: Final[dict[Wanted, tuple[Backend, ...]]] = {
    "auto": ("namespaces", "bwrap"),
    "sudo": ("sudo",),
}


class TriedBackend(Struct, frozen=True, kw_only=True):
    """What came of one attempt to make a world."""

    backend: Backend
    works: bool
    why: str | None = None
    """One of REASONS, where it did not work."""
    detail: str = ""
    seconds: float = 0.0

    @property
    def reason(self) -> str:
        """Why it did not work, in words."""
        return REASONS[self.why][0] if self.why else ""

    @property
    def remedy(self) -> str:
        """The one command that would help."""
        return REASONS[self.why][1] if self.why else ""


class Availability(Struct, frozen=True, kw_only=True):
    """The attempts, the preferred one first."""

    attempts: tuple[TriedBackend, ...]

    @property
    def backend(self) -> Backend | None:
        """The first that works."""
        return next((one.backend for one in self.attempts if one.works), None)

    def required(self) -> Backend:
        """The first that works; raises NoSandbox with the reason of the preferred one."""
        if self.backend is None:
            first = self.attempts[0]
            raise NoSandbox(first.why or "failed", first.detail)
        return self.backend


def launch_in_world(
    command: Sequence[str], environment: Mapping[str, str], options: SandboxOptions
) -> Launch:
    """What starts a server in a world of the first kind that works; raises NoSandbox."""
    return Launch(command, environment, options, try_backends(options).required())


def try_backends(options: SandboxOptions | None = None) -> Availability:
    """Try what `options` ask for until one works; once in a process."""
    return _tried((options or SandboxOptions()).backend)


def try_backends_anew() -> Availability:
    """The same, tried again where nothing has worked up to now."""
    found = try_backends()
    if found.backend is None:
        _tried.cache_clear()
    return found


@cache
def _tried(wanted: Wanted) -> Availability:
    attempts: list[TriedBackend] = []
    for backend in ORDER[wanted]:
        attempts.append(attempt(backend))
        if attempts[-1].works:
            break
    return Availability(attempts=tuple(attempts))


def attempt(backend: Backend) -> TriedBackend:
    """Make a world around a program that does nothing, and say what came of it."""
    began = monotonic()
    why = unsupported()
    if why:
        return TriedBackend(backend=backend, works=False, why=why)
    try:
        require(backend)
        said = _launch(backend)
    except NoSandbox as fault:
        return TriedBackend(backend=backend, works=False, why=fault.why)
    seconds = monotonic() - began
    if said.get("event") == "started":
        return TriedBackend(backend=backend, works=True, seconds=seconds)
    return TriedBackend(
        backend=backend,
        works=False,
        why=kind_of(said),
        detail=detail_of(said),
        seconds=seconds,
    )


def require(backend: Backend) -> None:
    """Raise NoSandbox where the programs that a backend needs are not here."""
    if backend == "sudo":
        sudo()
        python_for_root()
    elif backend == "bwrap":
        bwrap()


def _launch(backend: Backend) -> dict[str, Any]:
    """The first line that a launcher says about a world."""
    program = shutil.which("true") or "/bin/true"
    launch = Launch((program,), {}, SandboxOptions(work="/"), backend)
    try:
        process = subprocess.Popen(
            launch.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=launch.descriptors,
        )
        launch.let_go()
        try:
            return launch.wait_for_start()
        finally:
            launch.control.shutdown(socket.SHUT_WR)  # ends what is left of the world
            process.wait(TRY_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return {"step": "lost", "errno": 0}
    finally:
        launch.control.close()
        launch.clean_up()
