"""The ids that one side has given to its requests: exact, and small while they are counted up."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final, TypeAlias

Id: TypeAlias = int | str

MOST_UNORDERED: Final = 500_000
"""Ids of all sessions together that are kept one by one, because they follow no counting."""
LONGEST_KEPT: Final = 256
"""A longer id is not kept."""
MOST_DIGITS: Final = 18
"""A string that ends in more digits than this is not taken for a counted one."""
MOST_COUNTED: Final = 10**MOST_DIGITS
MOST_PREFIXES: Final = 8
"""Beginnings of strings that are counted apart in one session."""
UNCOUNTED: Final = -1
"""In place of the number of an id that has none."""
NO_IDS: Final[frozenset[Id]] = frozenset()


def legible(id: Any) -> Id | None:
    """The id where it is an integer or a string, None where it is anything else."""
    return id if id.__class__ is int or id.__class__ is str else None


class IdBudget:
    """How many more ids may be kept one by one; shared by the sessions of a run."""

    __slots__ = ("left", "refused")

    def __init__(self, most: int = MOST_UNORDERED) -> None:
        self.left = most
        self.refused = 0


class Ids:
    """Which ids were used. Those that are counted up, as 1, 2, 3 or a-01, a-02, take no room."""

    __slots__ = ("_next", "_others", "_prefix", "_room", "_run", "_runs", "forgetful")

    def __init__(self, room: IdBudget) -> None:
        self._runs: Final[dict[str | None, list[int]]] = {}
        """By what stands before the number: where each run of numbers begins, and where it ends."""
        self._prefix: str | None = None
        self._run: list[int] = []
        """The runs that the latest counted id belongs to, and what stands before its number."""
        self._next: Id | None = None
        """The id that would go on with the last of these runs."""
        self._others: set[Id] | frozenset[Id] = NO_IDS
        self._room: Final = room
        self.forgetful = False
        """Whether an id could not be kept, so that an unknown one may have been used before."""

    def add(self, id: Id) -> bool:
        """Note an id; tell whether it is certainly used for the second time."""
        if id == self._next:
            self._run[-1] = number = self._run[-1] + 1
            self._next = number if self._prefix is None else _counted(self._prefix, number)
            return False
        prefix, number = _split(id)
        runs = self._runs.get(prefix)
        if self._has(id, runs, number):
            return True
        if number == UNCOUNTED or (runs is not None and number < runs[-1]):
            self._keep(id)
        elif runs is not None:
            self._count(id, prefix, runs, number)
        elif len(self._runs) < MOST_PREFIXES:
            runs = self._runs[prefix] = [number, number]
            self._count(id, prefix, runs, number)
        else:
            self._keep(id)
        return False

    def __contains__(self, id: Id) -> bool:
        """Whether the id is known to be used."""
        prefix, number = _split(id)
        return self._has(id, self._runs.get(prefix), number)

    def _has(self, id: Id, runs: list[int] | None, number: int) -> bool:
        return (runs is not None and bisect_right(runs, number) % 2 == 1) or id in self._others

    def _count(self, id: Id, prefix: str | None, runs: list[int], number: int) -> None:
        """Go on with the last run, or begin another after a gap: it takes the room of one id."""
        if number > runs[-1]:
            if self._room.left <= 0:
                self._keep(id)
                return
            self._room.left -= 1
            runs += (number, number)
        runs[-1] += 1
        self._prefix, self._run = prefix, runs
        self._next = runs[-1] if prefix is None else _counted(prefix, runs[-1])

    def _keep(self, id: Id) -> None:
        if self._room.left <= 0 or (isinstance(id, str) and len(id) > LONGEST_KEPT):
            self.forgetful = True
            self._room.refused += 1
            return
        self._room.left -= 1
        if isinstance(self._others, frozenset):
            self._others = set()
        self._others.add(id)

    def release(self) -> None:
        """Give back the room, when the session is over."""
        gaps = sum(len(runs) // 2 - 1 for runs in self._runs.values())
        self._room.left += len(self._others) + gaps
        self._others = NO_IDS
        self._runs.clear()
        self._next = None


def _split(id: Id) -> tuple[str | None, int]:
    """What stands before the number, None for integers, and the number."""
    if not isinstance(id, str):
        return None, id if id >= 0 else UNCOUNTED
    digits = id[len(id.rstrip("0123456789")) :]
    number = digits.lstrip("0") or digits[-1:]
    prefix = id[: len(id) - len(number)]
    if not number or len(number) > MOST_DIGITS or len(prefix) > LONGEST_KEPT:
        return id, UNCOUNTED
    return prefix, int(number)


def _counted(prefix: str, number: int) -> str | None:
    """The string that counts on to a number, None where the number is too long for that."""
    return f"{prefix}{number}" if number < MOST_COUNTED else None
