"""DNS inside a world: every question is noted, every name has an address, and nothing leaves."""

from __future__ import annotations

import select
import socket
import struct
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b

HEAD = struct.Struct(">6H")
LONGEST_NAME = 253
LONGEST_LABEL = 63
MOST_LABELS = 127
A, PTR, AAAA, ANY = 1, 12, 28, 255
INTERNET = 1
RESPONSE, RECURSION, NO_SUCH_NAME, NOT_IMPLEMENTED = 0x8400, 0x0180, 3, 4
OPCODE = 0x7800
SECONDS = 5
"""So long an answer may be kept."""
FIRST_OCTET = 11
"""Addresses that look public: servers refuse to fetch from private ones."""
MOST_NAMES = 1000
"""So many different names are noted."""
LONGEST_MESSAGE = 4096
MOST_STREAMS = 64
PACKET_INFO, PACKET_INFO_6, PACKET_INFO_KIND_6 = 8, 49, 50
NOWHERE = ("invalid", "arpa", "local", "localhost", "test")
"""Names under these lead nowhere, as they do outside."""


def address_of(name: str) -> str:
    """The address of a name in every world: always the same, and no other name's but by chance."""
    digest = blake2b(name.lower().rstrip(".").encode(errors="replace"), digest_size=3).digest()
    return f"{FIRST_OCTET}.{digest[0] or 1}.{digest[1]}.{digest[2] or 1}"


class Question:
    """What a message asks for."""

    def __init__(self, name: str, kind: int, end: int) -> None:
        self.name = name
        self.kind = kind
        self.end = end
        """Where the question ends in the message."""

    @property
    def is_nowhere(self) -> bool:
        """Whether there is no such host."""
        return self.name.rpartition(".")[2].lower() in NOWHERE or not self.name


def question_in(message: bytes) -> Question | None:
    """The question of a message; None where it is no plain question."""
    if len(message) < HEAD.size:
        return None
    _, flags, questions, *_ = HEAD.unpack_from(message)
    if flags & 0x8000 or questions != 1:
        return None
    read = _name(message, HEAD.size)
    if read is None or len(message) < read[1] + 4:
        return None
    name, at = read
    return Question(name, int.from_bytes(message[at : at + 2], "big"), at + 4)


def _name(message: bytes, at: int) -> tuple[str, int] | None:
    """The name that begins there, and where it ends; a question has no need of pointers."""
    labels: list[bytes] = []
    while at < len(message) and len(labels) <= MOST_LABELS:
        length = message[at]
        at += 1
        if length == 0:
            name = b".".join(labels).decode("utf-8", "surrogateescape")
            return (name, at) if len(name) <= LONGEST_NAME else None
        if length > LONGEST_LABEL or at + length > len(message):
            return None
        labels.append(message[at : at + length])
        at += length
    return None


def answer_to(message: bytes, question: Question, address: str | None) -> bytes:
    """The answer: an address for a name that has one, and nothing for all else asked of it."""
    number, flags, *_ = HEAD.unpack_from(message)
    asked = message[HEAD.size : question.end]
    code = NO_SUCH_NAME if address is None else 0
    if flags & OPCODE:
        code = NOT_IMPLEMENTED
    record = b""
    if code == 0 and address is not None and question.kind in (A, ANY):
        raw = socket.inet_aton(address)
        record = struct.pack(">HHHIH", 0xC00C, A, INTERNET, SECONDS, len(raw)) + raw
    head = HEAD.pack(number, RESPONSE | (flags & RECURSION) | code, 1, int(bool(record)), 0, 0)
    return head + asked + record


class NameLog:
    """The names that were asked for, and the hosts behind the addresses that were given."""

    def __init__(
        self,
        cuts: Counter[str],
        allowed: Mapping[str, str] | None = None,
        site: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self._site = site
        self._cuts = cuts
        self._allowed = allowed or {}
        self._asked: dict[str, None] = {}
        self._hosts = {address: host for host, address in self._allowed.items()}

    def answer(self, message: bytes) -> bytes | None:
        """Note what a message asks for; give the answer, None where it asks nothing."""
        question = question_in(message)
        if question is None:
            self._cuts["questions"] += 1
            return None
        name = question.name.lower()
        address = self._allowed.get(name) or self._site(name)
        if address is None and not question.is_nowhere:
            address = address_of(name)
        if question.kind != PTR:
            self._note(name, address)
        return answer_to(message, question, address)

    def _note(self, name: str, address: str | None) -> None:
        if len(self._asked) >= MOST_NAMES and name not in self._asked:
            self._cuts["names"] += 1
            return
        self._asked[name] = None
        if address is not None and len(self._hosts) < MOST_NAMES:
            self._hosts[address] = name

    def take(self) -> list[str]:
        """The names since the last time."""
        asked, self._asked = sorted(self._asked), {}
        return asked

    def host(self, address: str) -> str | None:
        """The name that led to an address."""
        return self._hosts.get(address)


class DatagramNames:
    """Questions that come as datagrams, answered from the address that was asked."""

    def __init__(self, descriptor: int, log: NameLog) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._log = log
        is_old = self._socket.family == socket.AF_INET
        level, option = (0, PACKET_INFO) if is_old else (socket.IPPROTO_IPV6, PACKET_INFO_6)
        self._socket.setsockopt(level, option, 1)
        self._socket.setblocking(False)

    def fileno(self) -> int:
        """The descriptor that tells of questions."""
        return self._socket.fileno()

    def hear(self) -> bool:
        """Answer one question; False where there is none."""
        try:
            message, about, _, sender = self._socket.recvmsg(LONGEST_MESSAGE, 256)
        except OSError:
            return False
        answer = self._log.answer(message)
        if answer is not None:
            with suppress(OSError):
                self._socket.sendmsg([answer], _from_there(about), 0, sender)
        return True


def _from_there(about: list[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    """What makes an answer leave from the address to which the question came."""
    found = []
    for level, kind, raw in about:
        if (level, kind) == (0, PACKET_INFO):
            found.append((level, kind, struct.pack("=i", 0) + raw[8:12] + bytes(4)))
        elif (level, kind) == (socket.IPPROTO_IPV6, PACKET_INFO_KIND_6):
            found.append((level, kind, raw[:16] + bytes(4)))
    return found


class StreamNames:
    """Questions that come over connections; nobody is waited for, and who asks too late is let go.

    Its descriptor tells of new connections and of what comes over those that there are.
    """

    def __init__(self, descriptor: int, log: NameLog) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._socket.setblocking(False)
        self._log = log
        self._links: dict[int, tuple[socket.socket, bytes]] = {}
        """The connections, the oldest first, each with what came over it."""
        self._ready = select.epoll()
        self._ready.register(descriptor, select.EPOLLIN)

    def fileno(self) -> int:
        """The descriptor that tells of questions."""
        return self._ready.fileno()

    def hear(self) -> bool:
        """Take what came over one connection, or a new one; False where there is none."""
        found = self._ready.poll(0, 1)
        for descriptor, _ in found:
            with suppress(OSError):
                if descriptor in self._links:
                    self._read(descriptor)
                else:
                    self._accept()
        return bool(found)

    def close(self) -> None:
        """Let go of all."""
        for descriptor in list(self._links):
            self._let_go(descriptor)
        self._ready.close()
        self._socket.close()

    def _accept(self) -> None:
        link, _ = self._socket.accept()
        link.setblocking(False)
        if len(self._links) >= MOST_STREAMS:
            self._let_go(next(iter(self._links)))
        self._links[link.fileno()] = link, b""
        self._ready.register(link.fileno(), select.EPOLLIN)

    def _read(self, descriptor: int) -> None:
        link, before = self._links[descriptor]
        try:
            piece = link.recv(LONGEST_MESSAGE)
        except OSError:
            piece = b""
        heard = before + piece
        end = 2 + int.from_bytes(heard[:2], "big")
        if piece and (len(heard) < 2 or len(heard) < end <= LONGEST_MESSAGE):
            self._links[descriptor] = link, heard
            return
        answer = self._log.answer(heard[2:end]) if heard else None
        if answer is not None:
            with suppress(OSError):
                link.send(len(answer).to_bytes(2, "big") + answer)
        self._let_go(descriptor)

    def _let_go(self, descriptor: int) -> None:
        self._ready.unregister(descriptor)
        self._links.pop(descriptor)[0].close()
