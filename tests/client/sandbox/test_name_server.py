"""Questions for names are noted and answered, whatever bytes they are made of."""

from __future__ import annotations

import ipaddress
import os
import random
import select
import socket
import struct
from collections import Counter
from time import monotonic

import pytest

from mcp_assay.client.sandbox.name_server import (
    MOST_NAMES,
    NameLog,
    StreamNames,
    address_of,
    question_in,
)


def question(name: str, kind: int = 1, flags: int = 0x0100) -> bytes:
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split(".") if part)
    return struct.pack(">6H", 7, flags, 1, 0, 0, 0) + labels + b"\x00" + struct.pack(">HH", kind, 1)


def answered(message: bytes, log: NameLog | None = None) -> tuple[int, int, bytes]:
    """The code, the number of answers and the end of what comes back."""
    answer = (log or NameLog(Counter())).answer(message)
    assert answer is not None
    number, flags, _, answers, _, _ = struct.unpack_from(">6H", answer)
    assert number == 7
    return flags & 0xF, answers, answer[-4:]


def test_every_name_has_a_public_address_that_is_always_the_same() -> None:
    code, answers, raw = answered(question("api.example.com"))
    address = ipaddress.ip_address(raw)
    assert (code, answers) == (0, 1)
    assert address.is_global
    assert str(address) == address_of("API.example.com.") == address_of("api.example.com")
    assert address_of("a.example.com") != address_of("b.example.com")


@pytest.mark.parametrize("name", ["nowhere.invalid", "4.3.2.1.in-addr.arpa", "printer.local", ""])
def test_names_that_lead_nowhere_do_not(name: str) -> None:
    assert answered(question(name))[:2] == (3, 0)


@pytest.mark.parametrize("kind", [28, 16, 65, 15])
def test_what_is_asked_besides_addresses_has_no_answer(kind: int) -> None:
    assert answered(question("example.com", kind))[:2] == (0, 0)


def test_an_allowed_host_has_the_address_of_its_relay() -> None:
    log = NameLog(Counter(), {"api.example.com": "11.0.0.1"})
    assert answered(question("API.example.com"), log)[2] == bytes([11, 0, 0, 1])
    assert log.host("11.0.0.1") == "api.example.com"


def test_names_are_told_once_and_in_order() -> None:
    log = NameLog(Counter())
    for name in ("b.example", "a.example", "B.example"):
        log.answer(question(name))
    log.answer(question("4.3.2.1.in-addr.arpa", 12))
    assert log.take() == ["a.example", "b.example"]
    assert log.take() == []
    assert log.host(address_of("a.example")) == "a.example"


def test_a_flood_of_names_is_counted() -> None:
    cuts = Counter[str]()
    log = NameLog(cuts)
    for number in range(MOST_NAMES + 50):
        log.answer(question(f"x{number}.example"))
    assert len(log.take()) == MOST_NAMES
    assert cuts["names"] == 50


def test_no_bytes_are_too_odd() -> None:
    chance, whole = random.Random(3), question("www.example.com")
    log = NameLog(Counter())
    for length in range(len(whole)):
        assert log.answer(whole[:length]) is None
    for _ in range(3000):
        raw = bytearray(whole + b"\xc0\x0c")
        for _ in range(chance.randrange(1, 6)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        log.answer(bytes(raw))
    loop = struct.pack(">6H", 7, 0, 1, 0, 0, 0) + b"\xc0\x0c" + b"\x00\x01\x00\x01"
    assert question_in(loop) is None
    assert question_in(whole[:12] + b"\x01a" * 200 + b"\x00" + b"\x00\x01\x00\x01") is None


def test_an_answer_is_no_question_and_other_orders_are_not_done() -> None:
    assert NameLog(Counter()).answer(question("example.com", flags=0x8180)) is None
    assert answered(question("example.com", flags=0x2800))[0] == 4


def test_names_with_odd_characters_are_kept() -> None:
    log = NameLog(Counter())
    head = struct.pack(">6H", 7, 0, 1, 0, 0, 0)
    log.answer(head + b"\x04a\x1b\xff.\x03com\x00" + b"\x00\x01\x00\x01")
    assert log.take() == ["a\x1b\udcff..com"]


def test_questions_over_connections_wait_for_nobody() -> None:
    """Many connections that ask nothing keep none waiting; a question may come in pieces."""
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listener:
        log = NameLog(Counter())
        streams = StreamNames(os.dup(listener.fileno()), log)
        silent = [socket.create_connection(listener.getsockname()) for _ in range(150)]
        asking = socket.create_connection(listener.getsockname())
        asking.settimeout(5)
        message = question("api.example.com")
        asking.sendall(len(message).to_bytes(2, "big") + message[:5])
        began = monotonic()
        heard_all(streams)
        asking.sendall(message[5:])
        heard_all(streams)
        assert asking.recv(4096)[-4:] == ipaddress.ip_address(address_of("api.example.com")).packed
        assert monotonic() - began < 5
        assert log.take() == ["api.example.com"]
        for link in (*silent, asking):
            link.close()
        streams.close()


def heard_all(streams: StreamNames) -> None:
    while select.select([streams], [], [], 0.2)[0]:
        streams.hear()
