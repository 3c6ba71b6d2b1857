"""A file or standard input -> its whole text where that is one document, else its lines."""

from __future__ import annotations

import codecs
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import chain
from typing import IO, TypeAlias, cast

import orjson

from mcp_assay.intake.lines import BLOCK, lines, pieces
from mcp_assay.wire.reading import read

STDIN = "-"
STDIN_NAME = "<stdin>"
LOOKED_AT = 1 << 13
"""How much of the beginning decides whether this is text at all."""

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

OPENINGS = (b"{", b"[")
ROW = rb"(?m)^[\[{].*$"
"""A line that may be an array or object by itself."""

Text: TypeAlias = bytes | Iterator[bytes | None]
"""One document, or lines: None stands for a line that is too long."""


class Unreadable(Exception):
    """An input that cannot be read; its text says why and what to do."""


def shown_name(source: str) -> str:
    """What the source is called in reports."""
    return STDIN_NAME if source == STDIN else source


@contextmanager
def opened(source: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked where it is a gzip file, or of standard input."""
    if source == STDIN:
        yield _unpacked(sys.stdin.buffer, source)
    else:
        with _open(source) as stream:
            yield _unpacked(stream, source)


def read_text(stream: IO[bytes], source: str, longest: int) -> Text:
    """The document in the stream where it is one of at most `longest` bytes, else its lines."""
    head = _read(stream, longest + 1, source)
    _refuse_binary(head[:LOOKED_AT], source)
    if len(head) > longest:
        return lines(chain(pieces(head), _rest(stream, source)), longest)
    return head if is_document(head) else lines(pieces(head), longest)


def is_document(text: bytes) -> bool:
    """Whether the text is one JSON value, or was meant as one: broken over lines that make none."""
    return _is_json(text) or _is_broken_document(text)


def _is_broken_document(text: bytes) -> bool:
    first, _, rest = text.lstrip().partition(b"\n")
    rest = rest.lstrip(b"\r\n")
    if not rest or rest.isspace() or rest.startswith(OPENINGS) or read(first).readable:
        return False
    return not any(_is_json(row[0]) for row in re.finditer(ROW, rest))


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _open(source: str) -> IO[bytes]:
    try:
        return open(source, "rb", BLOCK)
    except FileNotFoundError:
        raise Unreadable(f"{source} is not there; check the path") from None
    except IsADirectoryError:
        raise Unreadable(f"{source} is a folder; name the files in it") from None
    except PermissionError:
        raise Unreadable(f"{source} may not be read; check its permissions") from None
    except (OSError, ValueError) as fault:
        raise Unreadable(f"{source} cannot be read: {fault}") from None


def _rest(stream: IO[bytes], source: str) -> Iterator[bytes]:
    return iter(lambda: _read(stream, BLOCK, source), b"")


def _read(stream: IO[bytes], size: int, source: str) -> bytes:
    try:
        return stream.read(size)
    except (OSError, EOFError, zlib.error) as fault:
        raise Unreadable(f"{source} breaks off: {fault}") from None


def _unpacked(stream: IO[bytes], source: str) -> IO[bytes]:
    beginning = stream.peek(len(ZSTD_MAGIC)) if isinstance(stream, BufferedReader) else b""
    if beginning.startswith(ZSTD_MAGIC):
        raise Unreadable(f"{source} is packed with zstd; unpack it first")
    if not beginning.startswith(GZIP_MAGIC):
        return stream
    from gzip import GzipFile  # noqa: PLC0415  seldom needed

    return cast(IO[bytes], GzipFile(fileobj=stream))


def _refuse_binary(beginning: bytes, source: str) -> None:
    if beginning.startswith(UTF16_MARKS):
        raise Unreadable(f"{source} is UTF-16; MCP messages are UTF-8, so convert it first")
    if _is_binary(beginning):
        raise Unreadable(f"{source} is not text; name a file of JSON messages or trace lines")


def _is_binary(beginning: bytes) -> bool:
    if beginning.lstrip().startswith(OPENINGS):
        return False
    if b"\0" not in beginning and _is_utf8(beginning):
        return False
    return not any(row.startswith(OPENINGS) and _is_json(row) for row in beginning.split(b"\n"))


def _is_utf8(beginning: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return True
