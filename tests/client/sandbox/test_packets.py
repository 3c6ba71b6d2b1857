"""Packets tell who tried to reach whom; answers, pieces and nonsense do not."""

from __future__ import annotations

import random
import socket
import struct
from collections import Counter

import pytest

from mcp_assay.client.sandbox.packets import MOST_TRIES, PacketLog, Try, try_in

SYN, SYN_ACK, ACK = 0x02, 0x12, 0x10


def over_4(protocol: int, rest: bytes, to: str, source: str = "11.0.0.9", piece: int = 0) -> bytes:
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(rest), 1, piece, 64, protocol, 0)
    return head + socket.inet_aton(source) + socket.inet_aton(to) + rest


def over_6(protocol: int, rest: bytes, to: str, source: str = "2001:db8::9") -> bytes:
    addresses = b"".join(socket.inet_pton(socket.AF_INET6, one) for one in (source, to))
    return struct.pack(">IHBB", 6 << 28, len(rest), protocol, 64) + addresses + rest


def tcp(port: int, flags: int) -> bytes:
    return struct.pack(">HHIIBBHHH", 40000, port, 0, 0, 0x50, flags, 0, 0, 0)


def udp(port: int, source: int = 40000) -> bytes:
    return struct.pack(">HHHH", source, port, 8, 0)


@pytest.mark.parametrize(
    ("packet", "expected"),
    [
        (over_4(6, tcp(443, SYN), "9.9.9.9"), Try("9.9.9.9", 443, "tcp")),
        (over_6(6, tcp(443, SYN), "2a00::1"), Try("2a00::1", 443, "tcp")),
        (over_4(17, udp(123), "9.9.9.9"), Try("9.9.9.9", 123, "udp")),
        (over_6(17, udp(123), "2a00::1"), Try("2a00::1", 123, "udp")),
        (over_6(0, b"\x11\x00" + bytes(6) + udp(123), "2a00::1"), Try("2a00::1", 123, "udp")),
        (over_4(1, b"\x08\x00" + bytes(6), "9.9.9.9"), Try("9.9.9.9", 0, "icmp")),
        (over_6(58, b"\x80\x00" + bytes(6), "2a00::1"), Try("2a00::1", 0, "icmp")),
        (over_4(6, tcp(443, SYN_ACK), "9.9.9.9"), None),
        (over_4(6, tcp(443, ACK), "9.9.9.9"), None),
        (over_4(17, udp(53), "9.9.9.9"), None),
        (over_4(17, udp(40000, source=53), "9.9.9.9"), None),
        (over_4(17, udp(123), "9.9.9.9", piece=1), None),
        (over_4(1, b"\x03\x03" + bytes(6), "9.9.9.9"), None),
        (over_4(2, bytes(8), "9.9.9.9"), None),
        (b"", None),
    ],
)
def test_a_packet_tells_whom_it_tries_to_reach(packet: bytes, expected: Try | None) -> None:
    assert try_in(packet) == expected


def test_no_bytes_are_too_odd() -> None:
    chance = random.Random(5)
    whole = [over_4(6, tcp(1, SYN), "9.9.9.9"), over_6(17, udp(1), "2a00::1")]
    log = PacketLog(Counter())
    for packet in whole:
        for length in range(len(packet)):
            log.note(packet[:length])
        for _ in range(3000):
            raw = bytearray(packet)
            for _ in range(4):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
            log.note(bytes(raw))


def test_a_datagram_back_is_no_try() -> None:
    log = PacketLog(Counter())
    log.note(over_4(17, udp(514, source=5000), "203.0.113.9", source="203.0.113.9"))
    log.note(over_4(17, udp(5000, source=514), "203.0.113.9", source="203.0.113.9"))
    assert log.take() == [Try("203.0.113.9", 514, "udp")]


def test_tries_are_told_once_and_a_flood_is_counted() -> None:
    cuts = Counter[str]()
    log = PacketLog(cuts)
    for _ in range(3):
        for port in range(1, MOST_TRIES + 11):
            log.note(over_4(6, tcp(port, SYN), "9.9.9.9"))
    assert len(log.take()) == MOST_TRIES
    assert cuts["connections"] == 30
    assert log.take() == []
