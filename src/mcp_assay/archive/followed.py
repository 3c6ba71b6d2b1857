"""Some sessions of a file, the same ones in every file: what they ask and answer, and when.

That tells by how much the clocks of files differ, also where they differ by more than a file
covers: then their times do not even overlap.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from mcp_assay.model.entry import SessionKey
from mcp_assay.validate.clocks import Asked, Halves
from mcp_assay.validate.file_order import ReadLine
from mcp_assay.validate.selection import digest
from mcp_assay.validate.trace import NotUnderstood

MOST_FOLLOWED: Final = 8
MOST_READ: Final = 2_000
"""Lines of a file that are read for this."""


class FollowedSessions:
    """The sessions of a file whose digests are smallest."""

    def __init__(self, read: ReadLine) -> None:
        self._read: Final = read
        self._digests: Final[dict[SessionKey, int]] = {}
        self._halves: Final = Halves(OrderedDict(), OrderedDict())
        self._left = MOST_READ

    def __contains__(self, key: SessionKey) -> bool:
        return key in self._digests and self._left > 0

    def consider(self, key: SessionKey) -> None:
        """Follow a session, if need be in place of another."""
        self._digests[key] = digest(key)
        if len(self._digests) > MOST_FOLLOWED:
            del self._digests[max(self._digests, key=self._digests.__getitem__)]

    def read(self, line: bytes) -> None:
        """Note what a line of such a session asks and answers."""
        self._left -= 1
        try:
            entry = self._read(line)
        except NotUnderstood:
            return
        if entry is not None:
            self._halves.note(entry)

    def halves(self) -> tuple[dict[int, float], dict[int, float]]:
        """The requests and the answers whose other halves may be in other files, by digests."""
        return self._digested(self._halves.requests), self._digested(self._halves.answers)

    def _digested(self, half: Mapping[Asked, float]) -> dict[int, float]:
        """Those of sessions that are followed to the end."""
        return {
            digest((*key, way, type(id).__name__, str(id))): at
            for (key, way, id), at in half.items()
            if key in self._digests
        }
