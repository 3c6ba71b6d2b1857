"""Files and pipes: one document, or lines, or a sentence that says why not."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from mcp_assay.intake.sources import Unreadable, opened, read_text

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PRETTY = b'{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "ping"\n}\n'
DEEP = b"[" * 2000 + b"]" * 2000
LONGEST = 1 << 20


def read(content: bytes, longest: int = LONGEST) -> bytes | list[bytes | None]:
    text = read_text(io.BytesIO(content), "input", longest)
    return text if isinstance(text, bytes) else list(text)


@pytest.mark.parametrize(
    "content",
    [
        PING,
        PING + b"\n",
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


def test_a_gzip_file_is_unpacked(tmp_path: Path) -> None:
    packed = tmp_path / "trace.jsonl.gz"
    packed.write_bytes(gzip.compress(PING))
    with opened(str(packed)) as stream:
        assert stream.read() == PING


def test_a_broken_gzip_file_is_unreadable(tmp_path: Path) -> None:
    packed = tmp_path / "trace.jsonl.gz"
    packed.write_bytes(gzip.compress(PING * 100)[:-20])
    with opened(str(packed)) as stream, pytest.raises(Unreadable, match="breaks off"):
        read_text(stream, str(packed), LONGEST)


def test_what_cannot_be_opened_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "packed.zst").write_bytes(b"\x28\xb5\x2f\xfdrest")
    for name, why in {
        "absent": "is not there; check the path",
        ".": "is a folder; name the files in it",
        "packed.zst": "is packed with zstd; unpack it first",
        "a\0b": "cannot be read",
    }.items():
        with pytest.raises(Unreadable, match=why), opened(f"{tmp_path}/{name}"):
            pass
