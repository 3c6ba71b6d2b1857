"""System calls that the kernel tells of before they run: programs started, connections tried.

They are evidence of attempts. What a call does in the end is seen in files and packets.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import struct
from collections import Counter
from typing import Self

from mcp_assay.client.sandbox.filter import MISSING, REFUSED
from mcp_assay.client.sandbox.packets import Try
from mcp_assay.client.sandbox.system_calls import NUMBERS, machine

RECEIVE, SEND, IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
NOTICE = struct.Struct("=QIIiIQ6Q")
ANSWER = struct.Struct("=QqiI")
CONTINUE = 1
MOST_WORDS = 64
LONGEST_WORD = 1024
LONGEST_COMMAND = 8192
"""So many bytes of all words of a command are read."""
PAGE = 4096
LONGEST_ADDRESS = 128
MOST_PROGRAMS = 500
MOST_TRIES = 500
POINTER = struct.Struct("=Q")


class Notice:
    """One system call that waits for us."""

    def __init__(self, raw: bytes) -> None:
        self.id, self.pid, _, self.number, _, _, *rest = NOTICE.unpack(raw)
        self.arguments: list[int] = rest


class CallListener:
    """Takes notice of system calls and lets each go on, but those that lead out of the world."""

    def __init__(self, descriptor: int, cuts: Counter[str]) -> None:
        self._descriptor = descriptor
        self._cuts = cuts
        known = NUMBERS[machine()]
        self._noted = {
            known["execve"]: self._execve,
            known["execveat"]: self._execveat,
            known["connect"]: self._connect,
            known["sendto"]: self._sendto,
        }
        self._refused = {known[one]: one for one in (REFUSED + MISSING).split() if one in known}
        """Calls that must not run, whoever asked to hear of them."""
        self._attempts: dict[str, None] = {}
        self._server: int | None = None
        """The process that becomes the server, as soon as it has tried to."""
        self._first: list[str] | None = None
        """Its command, where it can be read."""
        self._programs: list[tuple[int, list[str]]] = []
        self._tries: dict[Try, None] = {}

    def hear(self) -> bool:
        """Take one notice and let the call go on; False where there was none."""
        raw = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(self._descriptor, RECEIVE, raw)
        except OSError:
            return False  # whoever made the call is no more
        notice = Notice(bytes(raw))
        if name := self._refused.get(notice.number):
            self._attempts[name] = None
            self._answer(ANSWER.pack(notice.id, 0, -errno.EPERM, 0))
            return True
        try:
            if noted := self._noted.get(notice.number):
                noted(notice)
        except OSError:
            self._note_unread(notice)
        finally:
            self._answer(ANSWER.pack(notice.id, 0, 0, CONTINUE))
        return True

    def _note_unread(self, notice: Notice) -> None:
        """Count a call that could not be read; the server itself can be read only once it runs."""
        self._server = self._server or notice.pid
        if self._server != notice.pid or self._first is not None:
            self._cuts["unread calls"] += 1

    def _answer(self, packed: bytes) -> None:
        try:
            fcntl.ioctl(self._descriptor, SEND, packed)
        except OSError:
            return  # killed while it waited

    def _is_valid(self, notice: Notice) -> bool:
        """Whether the process is still the one that made the call, so that its memory was read."""
        try:
            fcntl.ioctl(self._descriptor, IS_VALID, POINTER.pack(notice.id))
        except OSError:
            return False
        return True

    def _execve(self, notice: Notice) -> None:
        self._note_program(notice, notice.arguments[0], notice.arguments[1])

    def _execveat(self, notice: Notice) -> None:
        self._note_program(notice, notice.arguments[1], notice.arguments[2])

    def _note_program(self, notice: Notice, path_at: int, words_at: int) -> None:
        with _Memory(notice.pid) as memory:
            path, words = memory.text(path_at), memory.words(words_at)
        if not self._is_valid(notice):
            return
        command = command_of(path, words)
        if self._server is None:
            self._server, self._first = notice.pid, command
        is_server = self._server == notice.pid and _is_same(self._first or [""], command)
        if not is_server:
            self._keep_program(notice.pid, command)

    def _keep_program(self, pid: int, command: list[str]) -> None:
        """Keep the last of several attempts: a program is looked for in one folder after another.

        The words are the same then, and only the path of the program is another.
        """
        programs = self._programs
        if programs and programs[-1][0] == pid and _is_same(programs[-1][1], command):
            programs[-1] = (pid, command)
        elif len(programs) < MOST_PROGRAMS:
            programs.append((pid, command))
        else:
            self._cuts["programs"] += 1

    def _connect(self, notice: Notice) -> None:
        self._note_try(notice, notice.arguments[1], notice.arguments[2], "tcp")

    def _sendto(self, notice: Notice) -> None:
        if notice.arguments[4]:
            self._note_try(notice, notice.arguments[4], notice.arguments[5], "udp")

    def _note_try(self, notice: Notice, at: int, size: int, protocol: str) -> None:
        with _Memory(notice.pid) as memory:
            found = address_in(memory.read(at, min(size, LONGEST_ADDRESS)), protocol)
        if found is None or not self._is_valid(notice):
            return
        if len(self._tries) < MOST_TRIES or found in self._tries:
            self._tries[found] = None
        else:
            self._cuts["connections"] += 1

    def take_programs(self) -> list[list[str]]:
        """The programs since the last time."""
        programs, self._programs = self._programs, []
        return [command for _, command in programs]

    def take_attempts(self) -> list[str]:
        """What was refused since the last time, each once."""
        attempts, self._attempts = sorted(self._attempts), {}
        return attempts

    def take_tries(self) -> list[Try]:
        """The connections since the last time, where calls tell of them."""
        tries, self._tries = sorted(self._tries), {}
        return tries


class _Memory:
    """The memory of a process, read at addresses that it gave us itself."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._descriptor = -1

    def __enter__(self) -> Self:
        self._descriptor = os.open(f"/proc/{self._pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def read(self, at: int, size: int) -> bytes:
        """As many bytes as there are at an address; raises OSError where it leads nowhere."""
        if not 0 < at < 1 << 63:
            return b""
        return os.pread(self._descriptor, size, at)

    def text(self, at: int, most: int = LONGEST_WORD) -> str:
        """The text that begins at an address, up to its zero byte; pages may end before it does."""
        found = b""
        while len(found) < most and b"\x00" not in found:
            piece = self.read(at + len(found), min(most, PAGE - (at + len(found)) % PAGE))
            if not piece:
                break
            found += piece
        return os.fsdecode(found.partition(b"\x00")[0][:most])

    def words(self, at: int) -> list[str]:
        """The texts that a list of pointers leads to."""
        raw = self._pointers(at)
        found: list[str] = []
        left = LONGEST_COMMAND
        for (pointer,) in POINTER.iter_unpack(raw):
            if not pointer or left <= 0:
                break
            found.append(self.text(pointer, min(left, LONGEST_WORD)))
            left -= len(found[-1]) + 1
        return found

    def _pointers(self, at: int) -> bytes:
        size = POINTER.size * MOST_WORDS
        try:
            raw = self.read(at, size)
        except OSError:
            raw = self.read(at, min(size, PAGE - at % PAGE))
        return raw[: len(raw) - len(raw) % POINTER.size]


def command_of(path: str, words: list[str]) -> list[str]:
    """A command as people know it: by its words, but by its path where the first word differs."""
    if not words or os.path.basename(words[0]) != os.path.basename(path):
        return [path, *words[1:]]
    return words


def _is_same(known: list[str], other: list[str]) -> bool:
    return known[1:] == other[1:] and os.path.basename(known[0]) == os.path.basename(other[0])


def address_in(raw: bytes, protocol: str) -> Try | None:
    """Whom a socket address names; None where it is no address of the network."""
    if len(raw) < 8:
        return None
    family, port = int.from_bytes(raw[:2], "little"), int.from_bytes(raw[2:4], "big")
    protocol = "udp" if port == 53 else protocol
    if family == socket.AF_INET:
        return Try(socket.inet_ntop(socket.AF_INET, raw[4:8]), port, protocol)
    if family == socket.AF_INET6 and len(raw) >= 24:
        return Try(socket.inet_ntop(socket.AF_INET6, raw[8:24]), port, protocol)
    return None
