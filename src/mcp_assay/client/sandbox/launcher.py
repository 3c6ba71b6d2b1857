"""The outer process of a world: has it made, watches it from outside, and ends with it.

Its arguments are two descriptors: the control socket to mcp-assay, and what is to be made. The
first line on the control socket says whether the server was started, or why there is no world.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

from mcp_assay.client.sandbox import kernel
from mcp_assay.client.sandbox.bubblewrap import BubbleWrap
from mcp_assay.client.sandbox.disk_watch import DiskWatch
from mcp_assay.client.sandbox.innermost import make_world
from mcp_assay.client.sandbox.memory_group import MemoryGroup, memory_group
from mcp_assay.client.sandbox.messages import receive, send
from mcp_assay.client.sandbox.relay import Relay
from mcp_assay.client.sandbox.watcher import Watcher

FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
NOT_STARTED = 125


def main(arguments: list[str], sender: dict[str, Any] | None = None) -> None:
    """Make a world and stay until it ends; ends as the server ended.

    Where root makes it for another user, `sender` is that user.
    """
    control_number, spec_number = map(int, arguments)
    control = socket.socket(fileno=control_number)
    control.set_inheritable(False)
    with open(spec_number, "rb") as file:
        file.seek(0)
        spec = json.load(file)
    spec["identity"] = sender if sender and sender["user"] else None
    os.umask(spec["umask"])
    kernel.dump_no_core()
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    end_like(Launcher(control, spec).run())


class Launcher:
    """One world, seen from outside."""

    def __init__(self, control: socket.socket, spec: dict[str, Any]) -> None:
        self._control = control
        self._spec = spec
        self._group: MemoryGroup | None = None
        self._inside, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def run(self) -> int:
        """Have the world made, and watch it; gives the server's status as `wait` would."""
        wrap = BubbleWrap(self._spec) if self._spec["bwrap"] else None
        if wrap:
            wrap.prepare()
        maker = os.fork()
        if maker == 0:
            self._control.close()
            self._inside.close()
            go_first()
            if wrap:
                become_wrapped(self._theirs, {**self._spec, "told": wrap.told}, wrap.arguments)
            make_world(self._theirs, self._spec)
        self._theirs.close()
        self._group = memory_group(maker, self._spec["limits"])
        try:
            return self._live(maker, wrap.descriptors if wrap else {})
        finally:
            self._end_world()

    def _end_world(self) -> None:
        """End everything in the world, and what bounded it."""
        self._inside.close()  # the first process ends with this, and all others with it
        if self._group:
            with suppress(OSError):
                while True:
                    os.waitpid(-1, 0)
            self._group.remove()

    def _live(self, maker: int, names: dict[str, int]) -> int:
        """Go along with the world from its making to its end."""
        while True:
            said, descriptors = receive(self._inside)
            if not said:
                return self._refuse({"step": "bwrap" if self._spec["bwrap"] else "lost"})
            if "failed" in said:
                return self._refuse(said["failed"])
            if "unshared" in said:
                why = why_not_mapped(maker)
                if why:
                    return self._refuse(why)
                send(self._inside, {"mapped": True})
            if "init" in said:
                self._spec["init"] = said["init"]
                os.waitpid(maker, 0)  # from now on this process is the parent of the world
                send(self._inside, {"go": True})
            if "names" in said:
                names |= dict(zip(said["names"], descriptors, strict=True))
            if "first" in names:
                self._spec["init"] = process_behind(names.pop("first"))
            if "ready" in said:
                return self._watch(said["ready"], names)

    def _watch(self, told: dict[str, Any], names: dict[str, int]) -> int:
        """Watch the server from before its first instruction until its end, or until ours."""
        if self._spec["identity"]:
            kernel.become(self._spec["identity"])
            kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # it may look at its own descriptors again
        kernel.die_with_parent()
        for number in FORWARDED:
            signal.signal(number, lambda got, _: send(self._inside, {"signal": got}))
        told = {**told, "memory": "cgroup" if self._group else "watchdog"}
        watcher = Watcher(self._control, names, {**self._spec, **told})
        Relay(self._spec["allow"], names, watcher.relayed).start()
        watcher.site.start()
        if self._spec["backing"]:
            most = self._spec["limits"]["disk_bytes"]
            DiskWatch(self._spec["backing"], most, self._stop_writing).start()
        send(self._inside, {"begin": True})
        while watcher.watch(self._inside.fileno()):
            said, descriptors = receive(self._inside)
            for name, descriptor in zip(said.get("names", ()), descriptors, strict=True):
                watcher.add(name, descriptor)
            if "failed" in said:
                return self._refuse(said["failed"])
            self._pass_on(said, told)
            if "ended" in said:
                watcher.finish()
                self._tell({"event": "ended", **said})
                return int(said["ended"])
            if not said:
                break
        return signal.SIGKILL  # mcp-assay has gone, or the world: the server went with it

    def _pass_on(self, said: dict[str, Any], told: dict[str, Any]) -> None:
        """Tell mcp-assay what the first process says of the server."""
        if "started" in said:
            self._tell({"event": "started", **told, **self._shown()})
        if "reached" in said:
            self._tell({"event": "reached", "limit": said["reached"]})

    def _shown(self) -> dict[str, Any]:
        """What was asked for, as far as the report tells it."""
        spec = self._spec
        home = spec["environment"].get("HOME", "")
        shown = {name: spec[name] for name in ("backend", "allow", "limits")}
        return {**shown, "folders": spec["work"], "home": home, "site": spec["site"] is not None}

    def _stop_writing(self) -> None:
        with suppress(OSError):
            send(self._inside, {"limit": "disk"})

    def _refuse(self, why: dict[str, Any]) -> int:
        self._tell({"event": "refused", **why})
        return NOT_STARTED << 8

    def _tell(self, said: dict[str, Any]) -> None:
        try:
            self._control.sendall(json.dumps(said).encode() + b"\n")
        except OSError:
            return


def go_first() -> None:
    """Be ended first where the machine has no memory left; who may more cannot be undone."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def become_wrapped(link: socket.socket, spec: dict[str, Any], arguments: list[str]) -> None:
    """Turn this process into bwrap, which starts this program again as the world's first one."""
    told = os.memfd_create("world", 0)
    with open(told, "wb", closefd=False) as file:
        file.write(json.dumps(spec).encode())
    link.set_inheritable(True)
    inside = (sys.executable, "-I", "-S", sys.argv[0], "inside", str(link.fileno()), str(told))
    try:
        os.execv(spec["bwrap"], (spec["bwrap"], *arguments, "--", *inside))
    finally:
        os._exit(1)


def process_behind(descriptor: int) -> int:
    """The number, out here, of the process that a descriptor stands for."""
    with open(f"/proc/self/fdinfo/{descriptor}", encoding="ascii") as file:
        numbers = [int(line.split()[1]) for line in file if line.startswith("Pid:")]
    os.close(descriptor)
    return numbers[0]


def why_not_mapped(maker: int) -> dict[str, Any] | None:
    """Let the new namespace know its users; gives what forbids it."""
    try:
        map_identities(maker)
    except OSError as fault:
        return {"step": "map", "errno": fault.errno or 0}
    return None


def map_identities(maker: int) -> None:
    """Let the new user namespace know the users that this one may give it: all, or one."""
    try:
        _write(f"/proc/{maker}/uid_map", known("/proc/self/uid_map"))
    except OSError:
        _write(f"/proc/{maker}/uid_map", f"{os.geteuid()} {os.geteuid()} 1\n")
    try:
        _write(f"/proc/{maker}/gid_map", known("/proc/self/gid_map"))
    except OSError:
        _write(f"/proc/{maker}/setgroups", "deny")
        _write(f"/proc/{maker}/gid_map", f"{os.getegid()} {os.getegid()} 1\n")


def known(path: str) -> str:
    """Everybody whom this namespace knows, under the same numbers."""
    with open(path, encoding="ascii") as file:
        ranges = [line.split() for line in file]
    return "".join(f"{first} {first} {count}\n" for first, _, count in ranges)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())  # at once: a file object would swallow the refusal
    finally:
        os.close(descriptor)


def end_like(status: int) -> None:
    """End this process as another one ended."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        sys.exit(code)
    if -code not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
