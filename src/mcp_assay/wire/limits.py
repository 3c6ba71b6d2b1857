"""The limits that bound the reading of one message."""

from __future__ import annotations

from typing import Final

MAX_MESSAGE_BYTES: Final = 16 * 1024 * 1024
"""A longer message is not read at all."""

MAX_DEPTH: Final = 1024
"""Arrays and objects inside each other; the fast parser's own limit, so that both lanes agree."""

MAX_NOTES_PER_KIND: Final = 100
"""Further notes of the same kind are counted in one last note."""

MAX_INTEGER_DIGITS: Final = 640
"""Longer integers become infinite: Python converts this many digits under every setting."""

MAX_QUOTED: Final = 60
"""Characters of a name of the sender that a note repeats."""
