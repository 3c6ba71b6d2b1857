"""Which request a response answers: by who asked, and by the id's value and JSON type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

from mcp_assay.model.entry import Direction, Message
from mcp_assay.session.ids import Id


class Revised(Protocol):
    """Whatever belongs to one revision."""

    @property
    def revision(self) -> str:
        """The revision."""


Under = TypeVar("Under", bound=Revised)
"""What a request was sent under: whatever decides how its answer is judged."""

MOST_PENDING: Final = 100_000
"""Requests of one side that are kept waiting; when there are so many, the oldest tenth is
forgotten."""

MOST_WHOLE: Final = 64
"""Requests of one side that are kept whole; of further ones an outline is enough."""
LARGEST_WHOLE: Final = 1 << 14
"""A request of more bytes than this is kept in outline."""

LONGEST_KEPT: Final = 256
"""A request whose id or method is longer than this is not remembered; a longer text of its params
is not in its outline."""
MOST_MEMBERS: Final = 32
"""Members of an object that an outline has."""

OTHER_SIDE: Final[dict[Direction, Direction]] = {"c2s": "s2c", "s2c": "c2s"}
OPPOSITE: Final[dict[Direction | None, Direction | None]] = {"c2s": "s2c", "s2c": "c2s", None: None}
"""The same, where nobody may know who speaks."""


class RequestOutline(dict[str, Any]):
    """What is kept of a large request: its short members, those of params and of its `_meta`."""

    @classmethod
    def of(cls, value: dict[str, Any]) -> RequestOutline:
        """The outline of a request."""
        outline = cls(_short(value))
        params = value.get("params")
        if isinstance(params, dict):
            outline["params"] = _short(params)
            if isinstance(meta := params.get("_meta"), dict):
                outline["params"]["_meta"] = _short(meta)
        return outline


class Pending(Generic[Under]):
    """The requests that wait for their answers, apart by who sent them.

    `sent` has them by their own direction, `awaited` by the direction of their answers; the hot
    path writes and takes there itself. Each is (method, under, value, place).
    """

    __slots__ = ("awaited", "forgetful", "sent")

    def __init__(self) -> None:
        self.sent: Final[
            dict[Direction | None, dict[int | str, tuple[str, Under, dict[str, Any], int]]]
        ] = {"c2s": {}, "s2c": {}, None: {}}
        self.awaited: Final = {OPPOSITE[way]: waiting for way, waiting in self.sent.items()}
        self.forgetful = False
        """Whether a message was not read or a request forgotten: an answer may seem to be stray."""

    def ask(
        self,
        direction: Direction | None,
        asked: tuple[str, Under, dict[str, Any], int],
        size: int = 0,
    ) -> None:
        """Remember a request, if its id and method are legible; a large one only in outline."""
        method, under, value, place = asked
        id = value.get("id")
        if id.__class__ is int or (id.__class__ is str and len(id) <= LONGEST_KEPT):
            if len(method) > LONGEST_KEPT:
                self.forgetful = True
                return
            waiting = self.sent[direction]
            if len(waiting) >= MOST_PENDING:
                self.forgetful = True
                _forget_oldest(waiting)
            whole = size <= LARGEST_WHOLE and len(waiting) < MOST_WHOLE
            waiting[id] = asked if whole else (method, under, RequestOutline.of(value), place)

    def answered(
        self, direction: Direction | None, id: Any
    ) -> tuple[str, Under, dict[str, Any], int] | None:
        """The request that a response sent in `direction` answers; it waits no longer."""
        if id.__class__ is int or id.__class__ is str:
            return self.awaited[direction].pop(id, None)
        return None

    def waiting(self) -> Iterator[Message]:
        """The requests that still wait, oldest first for each side."""
        for direction, waiting in self.sent.items():
            for method, under, value, place in waiting.values():
                yield Message(value, "request", method, under.revision, direction, place)


def _short(members: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in islice(members.items(), MOST_MEMBERS)
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST_KEPT)
    }


def _forget_oldest(waiting: dict[int | str, Any]) -> None:
    """Many at once, because looking for the first entry of a dict passes all that were deleted."""
    for id in list(islice(waiting, MOST_PENDING // 10)):
        del waiting[id]


MOST_KEPT: Final = 10_000
"""Cancellations that one session remembers."""


class Cancellations:
    """The requests that their senders have cancelled."""

    __slots__ = ("_ids",)

    def __init__(self) -> None:
        self._ids: Final[set[tuple[Direction | None, Id]]] = set()

    def add(self, sender: Direction | None, id: Id) -> None:
        """Note that a side has cancelled its own request."""
        if len(self._ids) < MOST_KEPT:
            self._ids.add((sender, id))

    def has(self, sender: Direction | None, id: Id) -> bool:
        """Whether a side has cancelled this request of its own."""
        return (sender, id) in self._ids
