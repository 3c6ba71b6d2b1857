"""What the launcher does while the server runs: watch the world, and tell what it saw."""

from __future__ import annotations

import json
import os
import select
import socket
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

from mcp_assay.client.sandbox.file_changes import TreePlace, TreeWatch
from mcp_assay.client.sandbox.file_record import FileRecord
from mcp_assay.client.sandbox.name_server import DatagramNames, NameLog, StreamNames
from mcp_assay.client.sandbox.network import SITE_ADDRESS
from mcp_assay.client.sandbox.notifications import CallListener
from mcp_assay.client.sandbox.packets import PacketLog, attach_filter, dropped, packets_waiting
from mcp_assay.client.sandbox.secret_reads import SecretLog, watch_files
from mcp_assay.client.sandbox.shared_maps import MappedNames
from mcp_assay.client.sandbox.stillness import Process, Sample, command_of_process, sample
from mcp_assay.client.sandbox.web_site import WebSite

STEP_SECONDS = 0.001
QUIET_STEPS = 2
"""Nothing has run in so many steps on end: then the server is quiet.

Two equal samples in which all threads sleep show that at one moment nothing was at work, however
near they are; the time between them lets short timers run out, such as those of zero in Node.
"""
MOST_SECONDS = 0.25
"""So long it is waited for that."""
REST_SECONDS = 0.5
"""So long what has already come is taken, before it is told what that was."""
AT_ONCE = 256
"""So much is taken from one source before the others have their turn."""
LONGEST_COMMAND = 1 << 16
SAY_SECONDS = 20.0
"""A reader that takes longer to take a line is gone."""
MOST_SENT = 200
"""So many of one sort are told; the others are counted."""


class Watcher:
    """Watches one world from outside, and answers what is asked over the control socket.

    The server does not run before the first look is over.
    """

    def __init__(
        self, control: socket.socket, descriptors: dict[str, int], spec: dict[str, Any]
    ) -> None:
        self.cuts = Counter[str]()
        """What was left out because there was too much of it."""
        self._control = control
        self._control.settimeout(SAY_SECONDS)
        self._spec = spec
        self._heard = b""
        self._sources: dict[int, Callable[[], bool]] = {}
        self._ready = select.epoll()
        self._relayed: dict[tuple[str, str, int], int] = {}
        self._calls: CallListener | None = None
        self._packets: socket.socket | None = None
        self._packet_log = PacketLog(self.cuts)
        allowed = {one["host"]: one["address"] for one in spec.get("allow", ())}
        self.site = WebSite(descriptors, self.cuts, self.relayed)
        self._names = NameLog(self.cuts, allowed, self.site.address)
        self._secrets: SecretLog | None = None
        for name, descriptor in descriptors.items():
            self.add(name, descriptor)
        self._watch_secrets(descriptors)
        self._files = FileRecord(list(self._trees(descriptors)), self.cuts)
        self._mapped = MappedNames()
        self._last: Sample | None = None
        self._known: frozenset[Process] | None = None

    def add(self, name: str, descriptor: int) -> None:
        """Take a descriptor by what it is; one of no known name is left alone."""
        if name == "notifications":
            self._calls = CallListener(descriptor, self.cuts)
            self.listen(descriptor, self._calls.hear)
        elif name == "packets":
            self._packets = socket.socket(fileno=descriptor)
            attach_filter(self._packets)
            self.listen(descriptor, self._take_packets)
        elif name.startswith("names_udp"):
            self.listen(descriptor, DatagramNames(descriptor, self._names).hear)
        elif name.startswith("names_tcp"):
            streams = StreamNames(descriptor, self._names)
            self.listen(streams.fileno(), streams.hear)

    def listen(self, descriptor: int, hear: Callable[[], bool]) -> None:
        """Call `hear` when there is something to read; it says whether there may be more."""
        self._sources[descriptor] = hear
        self._ready.register(descriptor, select.EPOLLIN)

    def relayed(self, host: str, address: str, port: int, size: int) -> None:
        """Note what was sent to an allowed host or came from it."""
        key = host, address, port
        self._relayed[key] = self._relayed.get(key, 0) + size

    def watch(self, inside: int) -> bool:
        """Whether the world has something to say: wait for it, or for the end of the control."""
        waiting = select.poll()
        for descriptor in (inside, self._control.fileno(), self._ready.fileno()):
            waiting.register(descriptor, select.POLLIN)
        while True:
            found = {descriptor for descriptor, _ in waiting.poll()}
            if self._ready.fileno() in found:
                self._take(0)
            if inside in found:
                return True
            if self._control.fileno() in found and not self._obey():
                return False

    def finish(self) -> None:
        """Take a last look, once the server has ended and before its world is gone."""
        self._say({"event": "effects", "number": None, "effects": self._collected()})
        if self._spec.get("keep"):
            self._tell_difference(None)

    def _trees(self, descriptors: dict[str, int]) -> list[TreeWatch]:
        planted = [os.fstat(it) for name, it in descriptors.items() if name.startswith("planted")]
        unread = {(it.st_dev, it.st_ino) for it in planted}
        found = []
        for place in self._spec.get("places", ()):
            kind, path, lower = place["kind"], place["path"], None
            if kind in ("overlay", "copy"):
                try:
                    lower = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                except OSError:
                    self.cuts["places"] += 1
                    continue
            where = TreePlace(path, kind, descriptors[place["descriptor"]], lower)
            found.append(TreeWatch(where, self.cuts, unread))
        return found

    def _watch_secrets(self, descriptors: dict[str, int]) -> None:
        planted = self._spec.get("planted", ())
        places = {one["path"]: descriptors[one["descriptor"]] for one in planted}
        if not places:
            return
        try:
            teller, paths = watch_files(places)
        except OSError:
            self.cuts["secrets"] += 1
            return
        self._secrets = SecretLog(teller, paths, self.cuts)
        self.listen(teller, self._secrets.hear)

    def _take(self, seconds: float) -> bool:
        """Take what has come to the sources, after waiting so long for the first; whether any."""
        ready = self._ready.poll(seconds)
        for descriptor, event in ready:
            hear = self._sources[descriptor]
            if event & select.EPOLLIN:
                for _ in range(AT_ONCE):
                    if not hear() or not self._has_more(descriptor):
                        break
            elif event & (select.EPOLLHUP | select.EPOLLERR):
                self._ready.unregister(descriptor)
        return bool(ready)

    def _take_rest(self) -> None:
        """Take all that has come to the sources, but do not run after who sends without end."""
        end = monotonic() + REST_SECONDS
        while self._take(0):
            if monotonic() > end:
                self.cuts["backlog"] += 1
                return

    def _has_more(self, descriptor: int) -> bool:
        """Whether a source can be read at once: to read notifications would wait otherwise."""
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        return any(event & select.POLLIN for _, event in waiting.poll(0))

    def _take_packets(self) -> bool:
        assert self._packets is not None
        for packet in packets_waiting(self._packets, AT_ONCE):
            self._packet_log.note(packet)
        return False

    def _obey(self) -> bool:
        """Do what was asked for; False where nobody asks any more."""
        try:
            piece = self._control.recv(LONGEST_COMMAND)
        except OSError:
            return False
        *lines, self._heard = (self._heard + piece).split(b"\n")
        for line in lines:
            asked = json.loads(line)
            if not self._answer(asked):
                return False
        return bool(piece)

    def _answer(self, asked: dict[str, Any]) -> bool:
        order, number = asked.get("do"), asked.get("number")
        if order == "serve":
            self.site.serve(asked["places"], asked["chain"])
            return self._say({"event": "effects", "number": number, "effects": {}})
        if order == "difference":
            return self._tell_difference(number)
        if order not in ("mark", "effects"):
            return True
        is_quiet = self._settle() if order == "effects" else True
        is_of_call = order == "effects"
        effects = self._collected(is_of_call=is_of_call) if is_of_call or self._has_run() else {}
        return self._say(
            {"event": "effects", "number": number, "effects": effects, "quiet": is_quiet}
        )

    def _settle(self) -> bool:
        """Wait until nothing runs in the world; whether it has come to that."""
        end, known, quiet_steps = monotonic() + MOST_SECONDS, self._sample(), 0
        while monotonic() < end:
            step = monotonic() + STEP_SECONDS
            while (left := step - monotonic()) > 0:
                self._take(left)
            before, known = known, self._sample()
            is_quiet = known.work == before.work and not known.is_busy
            quiet_steps = quiet_steps + 1 if is_quiet else 0
            if quiet_steps == QUIET_STEPS:
                self._last = known
                return True
        self._last = None
        return False

    def _sample(self) -> Sample:
        return sample(self._spec.get("init", 0), self.cuts)

    def _has_run(self) -> bool:
        """Whether anything in the world may have run since it was quiet."""
        if self._last is None or self._files.is_behind:
            return True
        return self._sample().work != self._last.work

    def _collected(self, *, is_of_call: bool = False) -> dict[str, Any]:
        """Everything since the last time."""
        self._take_rest()
        self._mapped.look(pid for pid, _ in (self._last or self._sample()).processes)
        if self._packets is not None and (lost := dropped(self._packets)):
            self.cuts["packets"] += lost
        requests = self.site.take()  # before connections: those that are being read count as made
        found: dict[str, list[Any]] = {
            "files": self._files.changes(self._mapped, is_of_call=is_of_call),
            "programs": self._calls.take_programs() if self._calls else [],
            "names": self._names.take(),
            "connections": self._connections(),
            "requests": requests,
            "secrets": self._secrets.take() if self._secrets else [],
            "processes": self._new_processes(),
            "attempts": self._calls.take_attempts() if self._calls else [],
        }
        left_out = {name: len(rows) - MOST_SENT for name, rows in found.items()}
        cuts = dict(self.cuts)
        self.cuts.clear()
        return {
            **{name: rows[:MOST_SENT] for name, rows in found.items()},
            "left_out": {name: more for name, more in left_out.items() if more > 0},
            "cuts": cuts,
        }

    def _connections(self) -> list[list[Any]]:
        tries = self._packet_log.take()
        if self._calls is not None and self._packets is None:
            tries = self._calls.take_tries()
        relayed, self._relayed = self._relayed, {}
        rows: list[list[Any]] = []
        answered = {(address, port) for _, address, port in relayed if address == SITE_ADDRESS}
        for one in tries:
            if (one.address, one.port) in answered:
                continue  # to which of its hosts, the site itself tells
            host = self._names.host(one.address)
            size = relayed.pop((host or "", one.address, one.port), 0)
            rows.append([host, one.address, one.port, one.protocol, size])
        rows += [[*key, "tcp", size] for key, size in sorted(relayed.items())]
        return rows

    def _new_processes(self) -> list[list[str]]:
        """What runs and did not run the last time; before the first call that is the server."""
        now = self._last or self._sample()
        known, self._known = self._known, now.processes
        new = sorted(now.processes - known) if known is not None else ()
        return [command_of_process(pid) for pid, _ in new]

    def _tell_difference(self, number: object) -> bool:
        for change in self._files.difference():
            if not self._say({"event": "change", "change": change}):
                return False
        return self._say({"event": "effects", "number": number, "effects": {}})

    def _say(self, said: dict[str, Any]) -> bool:
        try:
            self._control.sendall(json.dumps(said).encode() + b"\n")
        except OSError:
            return False
        return True
