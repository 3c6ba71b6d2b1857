"""The progressTokens of a conversation: which requests they came with, and the latest progress."""

from __future__ import annotations

from collections.abc import Container
from itertools import islice
from typing import Any, Final, TypeAlias, TypeGuard

from mcp_assay.model.entry import Direction
from mcp_assay.session.correlation import LONGEST_KEPT
from mcp_assay.session.ids import Id, IdBudget, Ids

FEW_FOLLOWED: Final = 16
"""Tokens that are followed before those of finished requests are let go."""
MOST_FOLLOWED: Final = 10_000
"""Tokens of one side that are followed at the same time."""
MOST_UNORDERED: Final = 100_000
"""Tokens of all sessions together that are kept one by one, because they follow no counting."""

Exchange: TypeAlias = str | int | None
Asked: TypeAlias = tuple[Id, bool, Exchange]
"""What a token came with: the request's id, whether it is for a task, how it came over HTTP."""
Progress: TypeAlias = tuple[int | float, Exchange]
"""The last progress, and how it came over HTTP."""


class TokenRoom(IdBudget):
    """How many more tokens may be kept one by one; apart from the room for ids."""

    def __init__(self) -> None:
        super().__init__(MOST_UNORDERED)


class ProgressTokens:
    """The tokens that one side has given to its requests."""

    __slots__ = ("_room_for", "asked", "forgetful", "latest", "used")

    def __init__(self, room: TokenRoom) -> None:
        self.asked: dict[Id, Asked] = {}
        """By token, while they are followed."""
        self.latest: dict[Id, Progress] = {}
        self.used: Final = Ids(room)
        """Every token so far; those that are counted up take no room."""
        self.forgetful = False
        """Whether a token could not be followed, so that an unknown one may be in order."""
        self._room_for = FEW_FOLLOWED

    def follow(self, token: Id, asked: Asked, waiting: Container[Id]) -> None:
        """Follow the token of a request that is being sent."""
        if len(self.asked) >= self._room_for:
            self._let_go(waiting)
        self.asked[token] = asked
        if self.latest:
            self.latest.pop(token, None)

    def _let_go(self, waiting: Container[Id]) -> None:
        """Let go the finished ones; where most are not finished, look again only much later."""
        kept = {token: one for token, one in self.asked.items() if one[1] or one[0] in waiting}
        if len(kept) >= MOST_FOLLOWED:
            kept = dict(islice(kept.items(), MOST_FOLLOWED // 2, None))
            self.forgetful = True
        self.asked = kept
        self.latest = {token: one for token, one in self.latest.items() if token in kept}
        self._room_for = min(max(FEW_FOLLOWED, 2 * len(kept)), MOST_FOLLOWED)


class TokensOfSides(dict[Direction, ProgressTokens]):
    """The tokens of each side that has given any."""

    def request_with(self, token: object, asker: Direction) -> Id | None:
        """The latest request of a side that came with the token, while it is followed."""
        tokens = self.get(asker)
        asked = tokens.asked.get(token) if tokens is not None and is_kept(token) else None
        return None if asked is None else asked[0]


def is_kept(id: Any) -> TypeGuard[Id]:
    """Whether a request with this id or token is sure to be remembered while it waits."""
    return id.__class__ is int or (id.__class__ is str and len(id) <= LONGEST_KEPT)
