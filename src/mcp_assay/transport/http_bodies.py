"""Pieces of HTTP bodies -> their bytes without the content coding, in bounded memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from mcp_assay.wire.limits import MAX_MESSAGE_BYTES

PIECE: Final = 1 << 18
"""A small piece may hold very much: it is unpacked so many bytes at a time."""
PLAIN: Final = ("", "identity")
PACKED: Final = ("deflate", "gzip", "x-gzip")
_EITHER_FORMAT: Final = 32 + zlib.MAX_WBITS


class NotUnpacked(Exception):
    """A content coding that is broken, or not known here."""


class Unpacker:
    """Takes the content coding off a body."""

    def __init__(self, coding: str) -> None:
        self._coding: Final = coding.strip().lower()
        self._inflater: Final = zlib.decompressobj(_EITHER_FORMAT)
        self._has_begun = False

    @property
    def is_plain(self) -> bool:
        """Whether the body is as it is meant to be read."""
        return self._coding in PLAIN

    @property
    def is_complete(self) -> bool:
        """Whether the body may end here."""
        return self.is_plain or not self._has_begun or self._inflater.eof

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """What the piece holds; raises NotUnpacked."""
        self._has_begun = True
        if self.is_plain:
            yield piece
        elif self._coding in PACKED:
            yield from self._inflated(piece)
        else:
            raise NotUnpacked(self._coding)

    def _inflated(self, piece: bytes) -> Iterator[bytes]:
        try:
            while unpacked := self._inflater.decompress(piece, PIECE):
                yield unpacked
                piece = self._inflater.unconsumed_tail
        except zlib.error as fault:
            raise NotUnpacked(str(fault)) from None
        if self._inflater.unused_data:
            raise NotUnpacked("something follows what was packed")


class Document:
    """A body that is one text, kept unless it is too long, packed in an unknown way, or torn."""

    def __init__(self, coding: str, longest: int = MAX_MESSAGE_BYTES) -> None:
        self._unpacker: Final = Unpacker(coding)
        self._longest: Final = longest
        self._text: bytearray | None = bytearray()
        self._size = 0
        self.is_torn = False

    @property
    def is_kept(self) -> bool:
        """Whether all that came was kept."""
        return self._text is not None

    @property
    def size(self) -> int:
        """How many bytes came, packed as they were."""
        return self._size

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""
        self._size += len(piece)
        try:
            for unpacked in self._unpacker.feed(piece) if self._text is not None else ():
                self._add(unpacked)
        except NotUnpacked:
            self._text = None

    def tear(self) -> None:
        """A piece is missing: what there is makes no text."""
        self.is_torn = True
        self._text = None

    def text(self, size: int) -> bytes | None:
        """The text of a body of this size, None where not all of it was kept."""
        is_whole = self._size == size and self._unpacker.is_complete
        return bytes(self._text) if self._text is not None and is_whole else None

    def _add(self, unpacked: bytes) -> None:
        if self._text is None or len(self._text) + len(unpacked) > self._longest:
            self._text = None
        else:
            self._text += unpacked
