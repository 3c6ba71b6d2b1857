"""The words that are on a picture, kept in the picture: in a chunk that PNG has for texts."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
KEY: Final = b"Words\0\0\0\0\0"
"""The key of an iTXt chunk that is not packed and names no language."""
KIND: Final = b"iTXt"
END: Final = b"IEND"
_HEAD: Final = struct.Struct(">I4s")
_SUM: Final = struct.Struct(">I")


def with_words(picture: bytes, words: str) -> bytes:
    """The picture with these words in place of those that it held."""
    chunks = [(kind, body) for kind, body in _chunks(picture) if not _is_words(kind, body)]
    chunks.insert(-1, (KIND, KEY + words.encode()))
    return SIGNATURE + b"".join(_written(kind, body) for kind, body in chunks)


def words_of(picture: bytes) -> str:
    """The words that a picture holds, "" where it holds none."""
    found = (body for kind, body in _chunks(picture) if _is_words(kind, body))
    return next(found, KEY)[len(KEY) :].decode()


def _is_words(kind: bytes, body: bytes) -> bool:
    return kind == KIND and body.startswith(KEY)


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not picture.startswith(SIGNATURE):
        raise ValueError("this is no PNG picture")
    at, kind = len(SIGNATURE), b""
    while kind != END:
        size, kind = _HEAD.unpack_from(picture, at)
        at += _HEAD.size
        yield kind, picture[at : at + size]
        at += size + _SUM.size


def _written(kind: bytes, body: bytes) -> bytes:
    return _HEAD.pack(len(body), kind) + body + _SUM.pack(zlib.crc32(kind + body))
