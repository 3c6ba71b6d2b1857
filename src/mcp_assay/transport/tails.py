"""The last of a stream that never ends, in bounded memory."""

from __future__ import annotations

from typing import Final

LONGEST_TAIL: Final = 64 * 1024


class Tail:
    """Keeps the last bytes that it was given, and counts them all."""

    def __init__(self, longest: int = LONGEST_TAIL) -> None:
        self.total = 0
        """How many bytes there were."""
        self._longest: Final = longest
        self._kept = bytearray()

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        self.total += len(piece)
        self._kept += piece[-self._longest :]
        if len(self._kept) > 2 * self._longest:
            del self._kept[: -self._longest]

    def since(self, mark: int = 0) -> str:
        """What came after the first `mark` bytes, as far as it is kept."""
        length = min(self.total - mark, self._longest, len(self._kept))
        return self._kept[-length:].decode("utf-8", "replace") if length > 0 else ""
