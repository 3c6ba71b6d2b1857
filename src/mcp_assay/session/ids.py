"""The ids that one side has given to its requests: exact, and small while they are counted up."""

from __future__ import annotations

from typing import Final, TypeAlias

Id: TypeAlias = int | str

MOST_UNORDERED: Final = 500_000
"""Ids of all sessions together that are kept one by one, because they follow no counting."""
LONGEST_KEPT: Final = 256
"""A longer id is not kept."""
MOST_DIGITS: Final = 18
"""A string that ends in more digits than this is not taken for a counted one."""
MOST_PREFIXES: Final = 8
"""Beginnings of strings that are counted apart in one session."""
UNCOUNTED: Final = -1
"""In place of the number of an id that has none."""


class Room:
    """How many more ids may be kept one by one; shared by the sessions of a run."""

    __slots__ = ("left", "refused")

    def __init__(self, most: int = MOST_UNORDERED) -> None:
        self.left = most
        self.refused = 0


class Ids:
    """Which ids were used. Those that are counted up, such as 1, 2, 3 or a-1, a-2, take no room."""

    __slots__ = ("_counts", "_next", "_others", "_room", "forgetful")

    def __init__(self, room: Room) -> None:
        self._counts: Final[dict[str | None, list[int]]] = {}
        """By what stands before the number: the first that was used, and the first that was not."""
        self._next: int | None = None
        """The integer that would go on with the count."""
        self._others: Final[set[Id]] = set()
        self._room: Final = room
        self.forgetful = False
        """Whether an id could not be kept, so that an unknown one may have been used before."""

    def add(self, id: Id) -> bool:
        """Note an id; tell whether it is certainly used for the second time."""
        if isinstance(id, int) and id == self._next and id not in self._others:
            self._counts[None][1] = self._next = id + 1
            return False
        prefix, number = _split(id)
        count = self._counts.get(prefix)
        if self._has(id, count, number):
            return True
        if number == UNCOUNTED or (count is not None and number != count[1]):
            self._keep(id)
        elif count is None:
            self._begin(id, prefix, number)
        else:
            self._count_on(id, count, number)
        return False

    def __contains__(self, id: Id) -> bool:
        """Whether the id is known to be used."""
        prefix, number = _split(id)
        return self._has(id, self._counts.get(prefix), number)

    def _has(self, id: Id, count: list[int] | None, number: int) -> bool:
        return (count is not None and count[0] <= number < count[1]) or id in self._others

    def _count_on(self, id: Id, count: list[int], number: int) -> None:
        count[1] = number + 1
        if isinstance(id, int):
            self._next = number + 1

    def _begin(self, id: Id, prefix: str | None, number: int) -> None:
        """Begin to count; of strings, whose beginning may never come again, only while few."""
        if len(self._counts) < MOST_PREFIXES:
            count = self._counts[prefix] = [number, number + 1]
            self._count_on(id, count, number)
        else:
            self._keep(id)

    def _keep(self, id: Id) -> None:
        if self._room.left <= 0 or (isinstance(id, str) and len(id) > LONGEST_KEPT):
            self.forgetful = True
            self._room.refused += 1
            return
        self._room.left -= 1
        self._others.add(id)

    def release(self) -> None:
        """Give back the room, when the session is over."""
        self._room.left += len(self._others)
        self._others.clear()


def _split(id: Id) -> tuple[str | None, int]:
    """What stands before the number, None for integers, and the number."""
    if not isinstance(id, str):
        return None, id if id >= 0 else UNCOUNTED
    prefix = id.rstrip("0123456789")
    digits = id[len(prefix) :]
    if not digits or len(digits) > MOST_DIGITS or (digits[0] == "0" and len(digits) > 1):
        return id, UNCOUNTED
    if not digits.isascii() or len(prefix) > LONGEST_KEPT:
        return id, UNCOUNTED
    return prefix, int(digits)
