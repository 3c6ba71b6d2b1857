"""A file or standard input -> its whole text where that is one document, else its lines."""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, FileIO
from itertools import chain
from typing import IO, Any, Final, Literal, TypeAlias, cast

import orjson

from mcp_assay.validate.lines import BLOCK, Damaged, Unreadable, lines, pieces
from mcp_assay.wire.reader import read

STDIN = "-"
STDIN_NAME = "<stdin>"
LOOKED_AT = 1 << 13
"""How much of the beginning decides whether this is text at all."""

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

OPENINGS = (b"{", b"[")
ROW = rb"(?m)^[\[{].*$"
"""A line that may be an array or object by itself."""

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match

Text: TypeAlias = bytes | Iterator[bytes | None]
"""One document, or lines: None stands for a line that is too long."""
Layout: TypeAlias = Literal["lines", "whole", "unknown"]
"""How a text goes on: as lines, as what only its end can tell, or too little of it is known."""
Seen: TypeAlias = Callable[[int], object]
"""Told how many bytes of the input, packed as they are, were read."""


def is_url(source: str) -> bool:
    """Whether the source is an address, not the path of a file."""
    return _URL(source) is not None


def is_pattern(source: str) -> bool:
    """Whether the source is no file, but may stand for several by their names."""
    return any(mark in source for mark in "*?[") and not os.path.lexists(source)


def names_several(source: str) -> bool:
    """Whether the source may be more than one file of this machine: an address, a folder, a
    pattern."""
    return is_url(source) or os.path.isdir(source) or is_pattern(source)


def shown_name(source: str) -> str:
    """What the source is called in findings."""
    return STDIN_NAME if source == STDIN else without_secrets(source)


def without_secrets(source: str) -> str:
    """The source; an address without the signature, or whatever else opens it for everybody."""
    if not is_url(source):
        return source
    from mcp_assay.client.target_secrets import shown_url  # noqa: PLC0415  seldom needed

    return shown_url(source)


@contextmanager
def opened(source: str, seen: Seen | None = None) -> Iterator[BufferedReader]:
    """The bytes of a file or of standard input, as they are."""
    if source == STDIN:
        yield _buffered(sys.stdin.buffer)
    elif is_url(source):
        from mcp_assay.validate.remote_files import (  # noqa: PLC0415  seldom needed
            opened_url,
        )

        with opened_url(source) as stream:
            yield stream
    else:
        with _open(source, seen) as stream:
            yield stream


def bounded(blocks: Iterable[bytes], most: int, otherwise: str) -> bytes:
    """All blocks as one, where they are not too long; raises Unreadable, with what it says then."""
    text = bytearray()
    for block in blocks:
        text += block
        if len(text) > most:
            raise Unreadable(otherwise)
    return bytes(text)


def read_text(blocks: Iterable[bytes], source: str, longest: int) -> Text:
    """The document in the blocks where it is one of at most `longest` bytes, else its lines.

    Nothing is waited for once it is clear that these are lines: a pipe is judged as it flows.
    """
    coming = iter(blocks)
    head, damage = _head(coming, longest)
    _refuse_binary(head[:LOOKED_AT], source)
    if damage is not None:
        return lines(chain(pieces(head), _raising(damage)), longest)
    if len(head) > longest or _layout(head) == "lines":
        return lines(chain(pieces(head), coming), longest)
    return head if is_document(head) else lines(pieces(head), longest)


def is_live(source: str) -> bool:
    """Whether the source is a pipe or the like, whose lines come one by one."""
    if source != STDIN:
        return False
    try:
        return not stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def size_of(source: str) -> int | None:
    """The size of a file in bytes, 0 where there is none; None for what is no regular file."""
    if source == STDIN:
        return None
    try:
        found = os.stat(source)
    except (OSError, ValueError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _head(blocks: Iterator[bytes], longest: int) -> tuple[bytes, Damaged | None]:
    """As much of the beginning as must be known, and what was wrong where it ends too early."""
    head = bytearray()
    layout: Layout = "unknown"
    try:
        for block in blocks:
            head += block
            if layout == "unknown" and b"\n" in block:
                layout = _layout(head)
            if layout == "lines" or len(head) > longest:
                break
    except Damaged as damage:
        return bytes(head), damage
    return bytes(head), None


def _layout(head: bytes | bytearray) -> Layout:
    """What the beginning says about the rest; a second value behind the first makes lines."""
    first, newline, rest = bytes(head.lstrip()).partition(b"\n")
    if not newline:
        return "unknown"
    if _is_json(first) and (first.startswith(b"{") or rest.strip()):
        return "lines"
    if not rest.strip():
        return "whole" if first.startswith(OPENINGS) and not _is_json(first) else "unknown"
    second, newline, _ = rest.lstrip(b"\r\n").partition(b"\n")
    if first.startswith(OPENINGS) or not second.startswith(OPENINGS):
        return "whole"
    return "lines" if newline else "unknown"


def _raising(damage: Damaged) -> Iterator[bytes]:
    def fail() -> bytes:
        raise damage

    return iter(fail, b"")


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


def _open(source: str, seen: Seen | None) -> BufferedReader:
    try:
        return BufferedReader(_Metered(source, seen) if seen else FileIO(source), BLOCK)
    except FileNotFoundError:
        raise Unreadable(f"{source} does not exist; check the path") from None
    except IsADirectoryError:
        raise Unreadable(f"{source} is a folder; name the files in it") from None
    except PermissionError:
        raise Unreadable(f"{source} is not readable; check its permissions") from None
    except (OSError, ValueError) as fault:
        raise Unreadable(f"{source} cannot be read: {fault}") from None


class _Metered(FileIO):
    """A file that tells how much of it was read."""

    def __init__(self, name: str, seen: Seen) -> None:
        super().__init__(name)
        self._seen = seen

    def readinto(self, buffer: Any) -> int:
        """Read as the file does, and tell."""
        size = super().readinto(buffer)
        self._seen(size)
        return size


def _buffered(stream: IO[bytes]) -> BufferedReader:
    return stream if isinstance(stream, BufferedReader) else BufferedReader(cast(FileIO, stream))


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
