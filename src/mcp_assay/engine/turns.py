"""Which task is given out next, and which once more: decisions alone, which can be replayed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, Generic

from mcp_assay.engine.tasks import AHEAD, MOST_RUNS, WAIT, Task


class TaskTurns(Generic[Task]):
    """Gives the tasks out in their order, and those whose worker was lost again.

    Where workers have tasks ahead, the last try of one has a worker for itself, so that nobody else
    is taken for what it does: it comes behind the others, when so few are given out that each has
    an idle worker, also where some have just been lost. Where each has but its task, a lost one is
    tried again at once: it may hold what others wait for.
    """

    def __init__(
        self, tasks: Iterable[Any], *, ahead: int = AHEAD, most_runs: int = MOST_RUNS
    ) -> None:
        self._coming: Final = iter(tasks)
        self._taken = 0
        self._ahead: Final = ahead
        self._most_runs: Final = most_runs
        self._under_way: Final[dict[int, Task]] = {}
        self._again: Final[deque[tuple[int, Task]]] = deque()
        self._last: Final[deque[tuple[int, Task]]] = deque()
        self._apart: Final[set[int]] = set()
        """Those under way for the last time."""
        self._runs: Final[Counter[int]] = Counter()

    def take(self, workers: int) -> tuple[int, Task] | None:
        """The next task and its place, None where so many workers have enough or none is left."""
        given = None if self._apart else self._next(workers)
        if given is None and len(self._apart) == len(self._under_way):
            given = self._next_apart(workers)
        if given is not None:
            index, task = given
            self._under_way[index] = task
            self._runs[index] += 1
        return given

    def end(self, index: int, *, is_lost: bool) -> bool:
        """Note that a try is over, or was lost with its worker; whether there will be another."""
        task = self._under_way.pop(index)
        self._apart.discard(index)
        if not is_lost or self._runs[index] >= self._most_runs:
            del self._runs[index]
            return False
        is_last = self._runs[index] == self._most_runs - 1 and self._ahead > 1
        (self._last if is_last else self._again).append((index, task))
        return True

    def left(self) -> Iterator[int]:
        """The places of all tasks that are not over; none of them is given out any more."""
        yield from self._under_way
        yield from (index for waiting in (self._again, self._last) for index, _ in waiting)
        for task in self._coming:
            if task is not WAIT:
                self._taken += 1
                yield self._taken - 1

    def _next(self, workers: int) -> tuple[int, Task] | None:
        if len(self._under_way) >= max(1, workers) * self._ahead:
            return None
        if self._again and self._ahead == 1:
            return self._again.popleft()
        task: Any = next(self._coming, WAIT)
        if task is WAIT:
            return self._again.popleft() if self._again else None
        self._taken += 1
        return self._taken - 1, task

    def _next_apart(self, workers: int) -> tuple[int, Task] | None:
        if not self._last or len(self._apart) >= max(1, workers // 2):
            return None
        given = self._last.popleft()
        self._apart.add(given[0])
        return given
