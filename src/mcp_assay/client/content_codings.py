"""The content codings of HTTP bodies, taken off piece by piece, with what is wrong with them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_assay.wire.values import quoted

PIECE: Final = 1 << 18
"""A small piece may hold very much: it is unpacked so many bytes at a time."""
PLAIN: Final = ("", "identity")
GZIP: Final = ("gzip", "x-gzip")
DEFLATE: Final = "deflate"
MOST_LAYERS: Final = 3
"""Nobody packs a body more often than this."""
_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
_ZLIB_HEADER: Final = 2
"""Bytes that tell zlib's format from bare deflate."""


BROKEN: Final = "the body does not have the Content-Encoding {}"
UNKNOWN: Final = "the Content-Encoding {} is not supported"
TORN: Final = "the body ends before its Content-Encoding {} does"
MORE: Final = "there is more data after the body in its Content-Encoding {}"


class NotUnpacked(Exception):
    """A content coding that is broken, or not known here; its text says which."""


class Unpacker:
    """Takes the content codings off a body, the last one first."""

    def __init__(self, coding: str) -> None:
        self._coding: Final = coding.strip().lower()
        names = [name for part in self._coding.split(",") if (name := part.strip()) not in PLAIN]
        self._is_known: Final = len(names) <= MOST_LAYERS and {*names} <= {*GZIP, DEFLATE}
        self.is_plain: Final = not names
        """Whether the body is as it is meant to be read."""
        self._layers: Final = [_layer(name) for name in reversed(names)] if self._is_known else []
        self._has_begun = False

    @property
    def is_complete(self) -> bool:
        """Whether the body may end here."""
        return not self._has_begun or all(layer.is_complete for layer in self._layers)

    @property
    def torn(self) -> str:
        """What is wrong with a body that ends here, empty where nothing is."""
        return "" if self.is_complete else self._said(TORN)

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """What the piece holds; raises NotUnpacked."""
        self._has_begun = True
        if not self._is_known:
            raise NotUnpacked(self._said(UNKNOWN))
        pieces: Iterable[bytes] = (piece,)
        for layer in self._layers:
            pieces = layer.unpacked(pieces)
        try:
            yield from pieces
        except zlib.error:
            has_more = any(layer.is_followed for layer in self._layers)
            raise NotUnpacked(self._said(MORE if has_more else BROKEN)) from None

    def _said(self, words: str) -> str:
        return words.format(quoted(self._coding))


class _Gzip:
    """The coding gzip: one member after another."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(_GZIP_FORMAT)
        self.is_followed = False
        """Whether what came last stands behind a whole member."""

    @property
    def is_complete(self) -> bool:
        """Whether a member ends here."""
        return self._inflater.eof

    def unpacked(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """What the pieces hold; raises zlib.error."""
        for piece in pieces:
            rest = piece
            while rest:
                if self._inflater.eof:
                    self._inflater, self.is_followed = zlib.decompressobj(_GZIP_FORMAT), True
                for part in _inflated(self._inflater, rest):
                    self.is_followed = False
                    yield part
                rest = self._inflater.unused_data


class _Deflate:
    """The coding deflate: in zlib's format, or without it, as some servers send and all read it."""

    is_followed = False

    def __init__(self) -> None:
        self._begun = b""
        self._inflater: zlib._Decompress | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the data ends here."""
        return self._inflater is not None and self._inflater.eof

    def unpacked(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """What the pieces hold; raises zlib.error."""
        for piece in pieces:
            rest = piece
            if self._inflater is None:
                rest = self._begun = self._begun + piece
                if len(rest) < _ZLIB_HEADER:
                    continue
                self._inflater = zlib.decompressobj(_format_of(rest))
            self.is_followed = self._inflater.eof
            yield from _inflated(self._inflater, rest)
            if self._inflater.unused_data:
                self.is_followed = True
                raise zlib.error


def _layer(name: str) -> _Gzip | _Deflate:
    return _Deflate() if name == DEFLATE else _Gzip()


def _format_of(data: bytes) -> int:
    """The format of data in the coding deflate."""
    is_zlib = data[0] & 15 == zlib.DEFLATED and int.from_bytes(data[:_ZLIB_HEADER]) % 31 == 0
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS


def _inflated(inflater: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    while unpacked := inflater.decompress(data, PIECE):
        yield unpacked
        data = inflater.unconsumed_tail
