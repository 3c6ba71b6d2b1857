"""The first process of a world: makes it from inside, starts the server, and outlives it.

Nobody in the world can end, stop or read this process; when it ends, everything in the world does.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import select
import signal
import socket
import traceback
from contextlib import suppress
from typing import Any

from mcp_assay.client.sandbox import kernel
from mcp_assay.client.sandbox.bounds import WorldBounds, others
from mcp_assay.client.sandbox.closed_files import close_files
from mcp_assay.client.sandbox.filter import program
from mcp_assay.client.sandbox.messages import MOST_DESCRIPTORS, receive, send
from mcp_assay.client.sandbox.mounts import make_files
from mcp_assay.client.sandbox.network import make_network

OWN = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWCGROUP
)
HOST_NAME = "sandbox"
RESET = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGCHLD", "SIGPIPE", "SIGXFSZ")
LOOK_SECONDS = 0.2
"""How often memory and processes are counted."""


def make_world(link: socket.socket, spec: dict[str, Any]) -> None:
    """Make a world in this new process, and never return."""
    step = "user"
    try:
        kernel.unshare(kernel.CLONE_NEWUSER)
        send(link, {"unshared": True})
        if not receive(link)[0].get("mapped"):
            os._exit(1)
        step = "namespaces"
        kernel.unshare(OWN)
        first = os.fork()
        if first:
            send(link, {"init": first})
            os._exit(0)
        FirstProcess(link, spec).run()
    except OSError as fault:
        report(link, step, fault)
    except BaseException:
        traceback.print_exc()  # a fault of ours, which must not look like one of the machine
        raise
    finally:
        os._exit(1)


def live_inside(link_number: int, spec_number: int) -> None:
    """Be the first process of a world that somebody else has made, and never return."""
    link = socket.socket(fileno=link_number)
    link.set_inheritable(False)
    with open(spec_number, "rb") as file:
        file.seek(0)
        spec = json.load(file)
    try:
        FirstProcess(link, spec).run_wrapped()
    finally:
        os._exit(1)


def report(link: socket.socket, step: str, fault: OSError) -> None:
    """Tell the launcher what could not be done."""
    why = {"step": step, "errno": fault.errno or 0, "what": str(fault.filename or "")}
    with suppress(OSError):
        send(link, {"failed": why})


class FirstProcess:
    """Process 1 of a world."""

    def __init__(self, link: socket.socket, spec: dict[str, Any]) -> None:
        self._link = link
        self._spec = spec
        self._step = "files"
        self._server = 0
        self._bounds = WorldBounds(spec["limits"], None)
        self._woken, self._waker = os.pipe()

    def run(self) -> None:
        """Make the world, start the server, wait until the launcher wants no more."""
        if "go" not in receive(self._link)[0]:
            return
        try:
            told = self._make()
            self._shrink()
            self._live(told)
        except OSError as fault:
            report(self._link, self._step, fault)

    def run_wrapped(self) -> None:
        """Do the same where the files are made already, without any right to give up."""
        try:
            self._require_no_rights()
            self._hand_over({"first": os.pidfd_open(os.getpid())})
            self._live(self._spec["told"])
        except OSError as fault:
            report(self._link, self._step, fault)

    def _require_no_rights(self) -> None:
        self._step = "rights"
        with open("/proc/self/status", encoding="ascii") as file:
            held = [line.split()[1] for line in file if line.startswith(("CapPrm", "CapEff"))]
        if any(int(one, 16) for one in held):
            raise OSError(errno.EPERM, "capabilities are left", "capabilities")
        self._bind_to_launcher()

    def _live(self, told: dict[str, Any]) -> None:
        """Start the server once it is watched, and wait."""
        lay_certificates(self._spec["site"])  # before anybody watches: the server has not done it
        if self._is_awaited(told):
            self._start()
            self._wait()

    def _make(self) -> dict[str, Any]:
        if self._spec["identity"]:
            kernel.act_as(self._spec["identity"])
        mask = os.umask(0o022)
        files = make_files(self._spec)
        if self._spec["least"] is not None:
            lay_certificates(self._spec["site"])
            close_files(self._spec["least"], files.hidden)
        self._bounds = WorldBounds(self._spec["limits"], files.store)
        self._step = "network"
        has_site = self._spec["site"] is not None
        network = make_network(self._spec["allow"], has_site=has_site)
        watched = {**files.descriptors, **network}
        kernel.set_host_name(HOST_NAME)
        os.umask(mask)
        self._hand_over(watched)
        return files.told

    def _hand_over(self, watched: dict[str, int]) -> None:
        rows = list(watched.items())
        for first in range(0, len(rows), MOST_DESCRIPTORS):
            names, descriptors = zip(*rows[first : first + MOST_DESCRIPTORS], strict=True)
            send(self._link, {"names": names}, descriptors)
        for descriptor in watched.values():
            os.close(descriptor)

    def _shrink(self) -> None:
        """Have no more rights than the server will have, and end with the launcher."""
        self._step = "rights"
        kernel.give_up_capabilities(self._spec["identity"])
        self._bind_to_launcher()

    def _bind_to_launcher(self) -> None:
        limits = self._spec["limits"]
        resource.setrlimit(resource.RLIMIT_NPROC, (limits["processes"],) * 2)
        for ahead_of_others in (resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO):
            resource.setrlimit(ahead_of_others, (0, 0))
        os.setsid()  # what a session has of the processor can be changed by all in it, for all
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # with a handler, the server could interrupt
        kernel.die_with_parent()

    def _is_awaited(self, told: dict[str, Any]) -> bool:
        """Whether the launcher lives and has begun to watch."""
        send(self._link, {"ready": told})
        return "begin" in receive(self._link)[0]

    def _start(self) -> None:
        """Start the server; raises what kept it from starting."""
        self._step = "command"
        reader, writer = os.pipe()
        signal.signal(signal.SIGCHLD, lambda *_: None)
        os.set_blocking(self._waker, False)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        self._server = os.fork()
        if self._server == 0:
            become(self._link, self._spec, writer)
        os.close(writer)
        fault = os.read(reader, 64)
        os.close(reader)
        if fault:
            raise OSError(int(fault), os.strerror(int(fault)), self._spec["command"][0])
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nothing, descriptor)
        send(self._link, {"started": True})

    def _wait(self) -> None:
        told = None
        while True:
            ready, _, _ = select.select([self._link.fileno(), self._woken], [], [], LOOK_SECONDS)
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._reap()
            if self._link.fileno() in ready:
                said, _ = receive(self._link)
                if not said:
                    return
                self._obey(said)
            is_broken = self._bounds.is_broken()
            if self._bounds.reached != told:
                told = self._bounds.reached
                send(self._link, {"reached": told})
            if is_broken:
                self._kill()

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._server:
                    self._server = 0
                    said = {"ended": ended[1], "left": len(others()), "limit": self._bounds.reached}
                    send(self._link, said)

    def _obey(self, said: dict[str, Any]) -> None:
        """Do what the launcher says."""
        if "limit" in said:
            self._bounds.reached = said["limit"]
            self._kill()
        elif self._server:
            with suppress(OSError):
                os.killpg(self._server, said["signal"])

    def _kill(self) -> None:
        with suppress(OSError):
            os.kill(-1, signal.SIGKILL)


def lay_certificates(site: dict[str, Any] | None) -> None:
    """Write what a server needs to trust the web site of its world."""
    if site is None or site["certificate"] is None:
        return
    roots = b""
    with suppress(OSError), open(site["roots"] or os.devnull, "rb") as file:
        roots = file.read()
    own = site["certificate"].encode()
    with suppress(OSError):
        os.makedirs(site["folder"], mode=0o700, exist_ok=True)
        for name, text in (("authority.pem", own), ("bundle.pem", roots + b"\n" + own)):
            with open(f"{site['folder']}/{name}", "wb") as file:
                file.write(text)


def become(link: socket.socket, spec: dict[str, Any], writer: int) -> None:
    """Turn this process into the server."""
    try:
        os.setsid()  # and a group, in which the first process is not
        signal.set_wakeup_fd(-1)
        for name in RESET:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.chdir(spec["cwd"])
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # the watcher reads its command from memory
        listener = kernel.install_filter(program(spec["notify"]), bool(spec["notify"]))
        if listener:
            send(link, {"names": ["notifications"]}, (listener,))
            os.close(listener)
        close_all_but(writer)
        os.execvpe(spec["command"][0], spec["command"], spec["environment"])
    except (OSError, ValueError) as fault:
        number = fault.errno if isinstance(fault, OSError) else None
        os.write(writer, str(number or 22).encode())
    finally:
        os._exit(127)


def close_all_but(kept: int) -> None:
    """Close every descriptor but the three streams and one that closes itself."""
    os.closerange(3, kept)
    os.closerange(kept + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
