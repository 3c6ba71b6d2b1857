"""Packets on the only network of a world: who tried to reach whom."""

from __future__ import annotations

import socket
import struct
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

TCP, UDP, ICMP, ICMP6 = 6, 17, 1, 58
PROTOCOLS = {TCP: "tcp", UDP: "udp", ICMP: "icmp", ICMP6: "icmp"}
SYN, ACK = 0x02, 0x10
ECHO = {ICMP: 8, ICMP6: 128}
NAMES_PORT = 53
EXTENSIONS = frozenset({0, 43, 60, 135})
"""Headers of IPv6 that stand before what is sent: options, routes, destinations, mobility."""
MOST_EXTENSIONS = 8
LONGEST_PACKET = 256
"""So many bytes of a packet are looked at."""
OUTGOING = 4
"""How the kernel marks a packet on its way out; the same packet comes in again."""
MOST_TRIES = 500
SO_ATTACH_FILTER, SOL_PACKET, PACKET_STATISTICS = 26, 263, 6
LOAD_TYPE, LOAD_BYTE, LOAD_INDEX, LOAD_AT = 0x30, 0x30, 0xB1, 0x50
EQUAL, ANY_BIT, AND, RETURN = 0x15, 0x45, 0x54, 0x06
PACKET_TYPE = 0xFFFFF004
FILTER = (
    (LOAD_TYPE, 0, 0, PACKET_TYPE),
    (EQUAL, 0, 14, OUTGOING),
    (LOAD_BYTE, 0, 0, 0),
    (AND, 0, 0, 0xF0),
    (EQUAL, 0, 5, 0x40),
    (LOAD_BYTE, 0, 0, 9),
    (EQUAL, 0, 8, TCP),
    (LOAD_INDEX, 0, 0, 0),
    (LOAD_AT, 0, 0, 13),
    (EQUAL, 4, 4, 0xFFFF),
    (EQUAL, 0, 5, 0x60),
    (LOAD_BYTE, 0, 0, 6),
    (EQUAL, 0, 2, TCP),
    (LOAD_BYTE, 0, 0, 53),
    (ANY_BIT, 0, 1, SYN),
    (RETURN, 0, 0, LONGEST_PACKET),
    (RETURN, 0, 0, 0),
)
"""What passes: packets on their way out, of TCP only those that begin a connection."""


class Try(NamedTuple):
    """Somebody whom a packet was sent to."""

    address: str
    port: int
    protocol: str


def attach_filter(packets: socket.socket) -> None:
    """Have the kernel pass only packets that can tell of a try: a busy connection is no flood."""
    import ctypes  # noqa: PLC0415  only where there is a packet socket

    code = b"".join(struct.pack("=HBBI", *step) for step in FILTER)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(FILTER), ctypes.addressof(buffer))
    packets.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


def try_in(packet: bytes) -> Try | None:
    """Whom a packet tries to reach; None where it is an answer, or part of what goes on."""
    version = packet[0] >> 4 if packet else 0
    read = _of_version_4(packet) if version == 4 else _of_version_6(packet)
    if read is None:
        return None
    protocol, address, rest = read
    if protocol in ECHO:
        is_echo = rest[:1] == bytes([ECHO[protocol]])
        return Try(address, 0, PROTOCOLS[protocol]) if is_echo else None
    if len(rest) < 4:
        return None
    source, port = struct.unpack_from(">HH", rest)
    if protocol == TCP:
        is_first = len(rest) > 13 and rest[13] & (SYN | ACK) == SYN
        return Try(address, port, "tcp") if is_first else None
    is_name = NAMES_PORT in (source, port)
    return None if is_name else Try(address, port, "udp")


def _of_version_4(packet: bytes) -> tuple[int, str, bytes] | None:
    if len(packet) < 20:
        return None
    size, protocol = 4 * (packet[0] & 0x0F), packet[9]
    is_later_piece = int.from_bytes(packet[6:8], "big") & 0x1FFF
    if size < 20 or protocol not in (TCP, UDP, ICMP) or is_later_piece:
        return None
    return protocol, socket.inet_ntop(socket.AF_INET, packet[16:20]), packet[size:]


def _of_version_6(packet: bytes) -> tuple[int, str, bytes] | None:
    if len(packet) < 40 or packet[0] >> 4 != 6:
        return None
    protocol, at = packet[6], 40
    for _ in range(MOST_EXTENSIONS):
        if protocol not in EXTENSIONS or len(packet) < at + 8:
            break
        protocol, at = packet[at], at + 8 * (packet[at + 1] + 1)
    if protocol not in (TCP, UDP, ICMP6):
        return None
    return protocol, socket.inet_ntop(socket.AF_INET6, packet[24:40]), packet[at:]


class PacketLog:
    """Whom packets were sent to; answers to them are not tries."""

    def __init__(self, cuts: Counter[str]) -> None:
        self._cuts = cuts
        self._tries: dict[Try, None] = {}
        self._senders: dict[tuple[str, int], None] = {}

    def note(self, packet: bytes) -> None:
        """Take one packet."""
        found = try_in(packet)
        if found is None or self._is_answer(found, packet):
            return
        if len(self._tries) >= MOST_TRIES and found not in self._tries:
            self._cuts["connections"] += 1
            return
        self._tries[found] = None

    def _is_answer(self, found: Try, packet: bytes) -> bool:
        """Whether a datagram goes back to where another came from."""
        if found.protocol != "udp":
            return False
        if (found.address, found.port) in self._senders:
            return True
        sender = sender_of(packet)
        if sender is not None and len(self._senders) < MOST_TRIES:
            self._senders[sender] = None
        return False

    def take(self) -> list[Try]:
        """The tries since the last time."""
        tries, self._tries = sorted(self._tries), {}
        return tries


def sender_of(packet: bytes) -> tuple[str, int] | None:
    """From which address and port a datagram comes."""
    if packet[0] >> 4 == 4:
        size, family, address = 4 * (packet[0] & 0x0F), socket.AF_INET, packet[12:16]
    else:
        size, family, address = 40, socket.AF_INET6, packet[8:24]
    if len(packet) < size + 2:
        return None
    return socket.inet_ntop(family, address), int.from_bytes(packet[size : size + 2], "big")


def dropped(packets: socket.socket) -> int:
    """How many packets the kernel had no room for, since this was asked last."""
    raw = packets.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8)
    return int(struct.unpack("=II", raw)[1])


def packets_waiting(packets: socket.socket, most: int) -> Iterator[bytes]:
    """The packets that wait to be read, at most so many."""
    for _ in range(most):
        try:
            yield packets.recv(LONGEST_PACKET, socket.MSG_DONTWAIT)
        except OSError:
            return
