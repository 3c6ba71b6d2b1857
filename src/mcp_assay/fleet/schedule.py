"""Which server is assessed next: decisions alone, so that a simulation can replay them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable
from typing import Final, Generic, TypeVar

from msgspec import Struct

TRIES: Final = 3
"""A job whose reason may pass is tried so often in all."""
PER_HOST: Final = 2
"""So many servers at one host are assessed at a time."""

It = TypeVar("It")


class Planned(Struct, Generic[It], frozen=True):
    """A job with what decides when it is its turn."""

    job: It
    host: Hashable | None = None
    """Whoever is busy with it besides its worker."""


class FleetSchedule(Generic[It]):
    """Gives the jobs in their order; none while its host is busy, and some of them again."""

    def __init__(
        self, jobs: Iterable[Planned[It]], *, per_host: int = PER_HOST, tries: int = TRIES
    ) -> None:
        self._waiting: Final = deque(enumerate(jobs))
        self._under_way: Final[dict[int, Planned[It]]] = {}
        self._busy: Final[Counter[Hashable]] = Counter()
        self._tries: Final[Counter[int]] = Counter()
        self._per_host: Final = per_host
        self._most_tries: Final = tries

    @property
    def is_over(self) -> bool:
        """Whether no job waits, and none is under way."""
        return not self._waiting and not self._under_way

    def take(self) -> tuple[int, It] | None:
        """The next job and its place, None where none may begin now."""
        for row, (place, planned) in enumerate(self._waiting):
            if planned.host is None or self._busy[planned.host] < self._per_host:
                del self._waiting[row]
                self._begin(place, planned)
                return place, planned.job
        return None

    def end(self, place: int, *, is_passing: bool = False) -> bool:
        """Note that a try of a job is over; whether it is tried again."""
        planned = self._under_way.pop(place)
        if planned.host is not None:
            self._busy[planned.host] -= 1
        if not is_passing or self._tries[place] >= self._most_tries:
            return False
        self._waiting.append((place, planned))
        return True

    def _begin(self, place: int, planned: Planned[It]) -> None:
        self._under_way[place] = planned
        self._tries[place] += 1
        if planned.host is not None:
            self._busy[planned.host] += 1
