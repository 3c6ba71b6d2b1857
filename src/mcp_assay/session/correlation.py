"""Which request a response answers: by who asked, and by the id's value and JSON type."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, Generic, TypeVar

from mcp_assay.model.message import Direction

Under = TypeVar("Under")
"""What a request was sent under: whatever decides how its answer is judged."""

MOST_PENDING: Final = 100_000
"""Requests of one side that are kept waiting; when there are so many, the oldest tenth is
forgotten."""

LONGEST_KEPT: Final = 256
"""A request whose id or method is longer than this is not remembered."""

OPPOSITE: Final[dict[Direction | None, Direction | None]] = {"c2s": "s2c", "s2c": "c2s", None: None}


class Pending(Generic[Under]):
    """The requests that wait for their answers, apart by who sent them.

    `sent` has them by their own direction, `awaited` by the direction of their answers; the hot
    path writes and takes there itself.
    """

    __slots__ = ("awaited", "sent")

    def __init__(self) -> None:
        self.sent: Final[dict[Direction | None, dict[int | str, tuple[str, Under]]]] = {
            "c2s": {},
            "s2c": {},
            None: {},
        }
        self.awaited: Final = {OPPOSITE[way]: waiting for way, waiting in self.sent.items()}

    def ask(self, direction: Direction | None, id: Any, method: Any, under: Under) -> None:
        """Remember a request, if its id and method are legible."""
        if id.__class__ is int or (id.__class__ is str and len(id) <= LONGEST_KEPT):
            if method.__class__ is not str or len(method) > LONGEST_KEPT:
                return
            waiting = self.sent[direction]
            if len(waiting) >= MOST_PENDING:
                _forget_oldest(waiting)
            waiting[id] = (method, under)

    def answered(self, direction: Direction | None, id: Any) -> tuple[str, Under] | None:
        """The request that a response sent in `direction` answers; it waits no longer."""
        if id.__class__ is int or id.__class__ is str:
            return self.awaited[direction].pop(id, None)
        return None


def _forget_oldest(waiting: dict[int | str, Any]) -> None:
    """Many at once, because looking for the first entry of a dict passes all that were deleted."""
    for id in list(islice(waiting, MOST_PENDING // 10)):
        del waiting[id]
