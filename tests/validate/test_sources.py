"""Files and pipes: one document, or lines, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from mcp_assay.validate.lines import Damaged, Unreadable
from mcp_assay.validate.sources import opened, read_text

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PRETTY = b'{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "ping"\n}\n'
DEEP = b"[" * 2000 + b"]" * 2000
LONGEST = 1 << 20


def read(content: bytes, longest: int = LONGEST) -> bytes | list[bytes | None]:
    text = read_text(blocks(content), "input", longest)
    return text if isinstance(text, bytes) else list(text)


def blocks(content: bytes) -> Iterator[bytes]:
    return (content[start : start + 7] for start in range(0, len(content), 7))


@pytest.mark.parametrize(
    "content",
    [
        PING,
        PRETTY,
        b"[\n" + PING + b",\n" + PING + b"\n]\n",
        b"[" + PING + b"]\n",
        PRETTY.replace(b'"2.0",', b'"2.0"'),
        PRETTY.replace(b'"ping"', b'"\\ud800"'),
        b"\xef\xbb\xbf" + PRETTY,
    ],
)
def test_one_value_is_one_document_even_where_it_is_broken(content: bytes) -> None:
    assert read(content) == content


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (PING + b"\n", [PING]),
        (PING + b"\n" + PING, [PING, PING]),
        (PING + b"\nnot json\n", [PING, b"not json"]),
        (b"not json\n" + PING + b"\n", [b"not json", PING]),
        (PING[:-1] + b"\n" + PING[:-1], [PING[:-1], PING[:-1]]),
        (b"[" + PING + b"]\n" + PING, [b"[" + PING + b"]", PING]),
        (DEEP + b"\nnot json", [DEEP, b"not json"]),
        (b"plain words", [b"plain words"]),
        (b"\n\n", [b"", b""]),
        (b"", []),
    ],
)
def test_everything_else_is_read_line_by_line(content: bytes, expected: list[bytes]) -> None:
    assert read(content) == expected


def test_a_document_beyond_the_limit_is_read_line_by_line() -> None:
    assert read(PRETTY, longest=20) == PRETTY.splitlines()
    assert read(PING, longest=len(PING) - 1) == [None]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "input is not text"),
        (b"\xde\xad\xbe\xef", "input is not text"),
        (PING.decode().encode("utf-16"), "input is UTF-16"),
    ],
)
def test_what_is_not_text_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read(content)


@pytest.mark.parametrize("content", [b"\0\n" + PING, b'{"a":"\0"}', b'{"a":"\xff"}', b"\xc3\xa9"])
def test_a_broken_line_does_not_make_a_file_binary(content: bytes) -> None:
    assert read(content) == content.split(b"\n")


@pytest.mark.parametrize(
    "needed",
    [
        PING + b"\n",
        b"\n" + PING + b"\r\n",
        b"[" + PING + b"]\n\n" + PING + b"\n",
        b"ready\n" + PING + b"\n",
    ],
)
def test_lines_are_not_waited_for(needed: bytes) -> None:
    """Lines come out before more is asked for than the beginning that shows them."""

    def live() -> Iterator[bytes]:
        yield from (bytes([byte]) for byte in needed)
        raise AssertionError("it is clear by now that these are lines")

    first = next(line for line in needed.splitlines() if line.strip())
    text = read_text(live(), "input", LONGEST)
    assert not isinstance(text, bytes)
    assert next(line for line in text if line and line.strip()).strip() == first


def test_of_damaged_input_the_whole_lines_come_out_first() -> None:
    def cut() -> Iterator[bytes]:
        yield PING + b"\n" + PING[:10]
        raise Damaged("cut")

    def pretty() -> Iterator[bytes]:
        yield PRETTY[:10]
        raise Damaged("cut")

    for blocks, whole in ((cut(), [PING]), (pretty(), [b"{"])):
        text = read_text(blocks, "input", LONGEST)
        assert not isinstance(text, bytes)
        assert list(islice(text, len(whole))) == whole
        with pytest.raises(Damaged):
            next(text)


def test_reading_a_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(PING)
    seen: list[int] = []
    with opened(str(file), seen.append) as stream:
        assert stream.read1() == PING
    assert sum(seen) == len(PING)


def test_what_cannot_be_opened_says_what_to_do(tmp_path: Path) -> None:
    for name, why in {
        "absent": "does not exist; check the path",
        ".": "is a folder; name the files in it",
        "a\0b": "cannot be read",
    }.items():
        with pytest.raises(Unreadable, match=why), opened(f"{tmp_path}/{name}"):
            pass
