"""Planted secrets: the kernel tells who opened which, and odd bytes tell nothing."""

from __future__ import annotations

import os
import struct
from collections import Counter
from pathlib import Path

from mcp_assay.client.sandbox.secret_reads import SecretLog, watch_files


def event(watch: int, mask: int, name: bytes = b"") -> bytes:
    return struct.pack("=iIII", watch, mask, 0, len(name)) + name


def log(cuts: Counter[str] | None = None) -> SecretLog:
    return SecretLog(os.open("/dev/null", os.O_RDONLY), {1: "/a", 2: "/b"}, cuts or Counter())


def test_a_file_that_was_read_is_told_as_read() -> None:
    known = log()
    known.note(event(2, 0x20) + event(1, 0x20) + event(1, 0x1, b"name\0\0\0\0") + event(9, 0x1))
    assert known.take() == [("/a", "read"), ("/b", "opened")]
    assert known.take() == []


def test_a_queue_that_ran_over_is_counted() -> None:
    cuts = Counter[str]()
    known = SecretLog(os.open("/dev/null", os.O_RDONLY), {1: "/a"}, cuts)
    known.note(event(-1, 0x4000))
    assert cuts["secrets"] == 1


def test_half_an_event_is_none() -> None:
    known = log()
    known.note(event(1, 0x1)[:15])
    known.note(struct.pack("=iIII", 1, 0x1, 0, 1 << 31))
    assert known.take() == [("/a", "read")]


def test_files_are_watched_through_descriptors(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret")
    descriptor = os.open(tmp_path / "key", os.O_PATH)
    teller, paths = watch_files({"/home/u/key": descriptor})
    known = SecretLog(teller, paths, Counter())
    assert not known.hear()
    (tmp_path / "key").read_text()
    assert known.hear()
    assert known.take() == [("/home/u/key", "read")]
    os.close(descriptor)
    os.close(teller)
