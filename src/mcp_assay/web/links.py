"""Links that let a browser in: each works once, and what it makes is a session."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Final

LINK_SECONDS: Final = 60 * 60.0
"""So long a link that nobody has used works."""
SESSION_SECONDS: Final = 7 * 24 * 60 * 60.0
"""So long a browser that was let in may come back."""
MOST_LINKS: Final = 32
MOST_SESSIONS: Final = 64
"""Where there are as many, the oldest is forgotten for a new one."""
BYTES: Final = 32
"""Of chance in each token: nobody guesses it."""


class _Tokens:
    """Tokens that are valid for some time; only their hashes are kept, so that none can leak."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._ends: Final[dict[bytes, float]] = {}

    def new(self) -> str:
        token = secrets.token_urlsafe(BYTES)
        while len(self._ends) >= self._most:
            del self._ends[next(iter(self._ends))]
        self._ends[_hashed(token)] = self._clock() + self._seconds
        return token

    def is_valid(self, token: str) -> bool:
        return self._ends.get(_hashed(token), 0.0) > self._clock()

    def drop(self, token: str) -> None:
        self._ends.pop(_hashed(token), None)


class AccessLinks:
    """The links that were given out, and the sessions of browsers that came by one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._links: Final = _Tokens(MOST_LINKS, LINK_SECONDS, clock)
        self._sessions: Final = _Tokens(MOST_SESSIONS, SESSION_SECONDS, clock)

    def new_link(self) -> str:
        """The token of a new link."""
        return self._links.new()

    def begin_session(self, token: str) -> str | None:
        """The session that a link leads to; None where the link is wrong, used or too old."""
        if not self._links.is_valid(token):
            return None
        self._links.drop(token)
        return self._sessions.new()

    def is_session(self, session: str) -> bool:
        """Whether a browser with this session was let in."""
        return self._sessions.is_valid(session)


def _hashed(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()
