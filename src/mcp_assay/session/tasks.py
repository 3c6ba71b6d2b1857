"""The tasks of a conversation: who runs them, for which request, and how far they are."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.entry import Direction
from mcp_assay.session.ids import Id

MOST_KEPT: Final = 1000
"""Tasks that one session remembers."""
LONGEST_KEPT: Final = 256
"""A task whose id is longer than this is not remembered."""

WORKING: Final = "working"
FINAL: Final = frozenset({"completed", "failed", "cancelled"})
STATUSES: Final = FINAL | {WORKING, "input_required"}


class Task:
    """What is known about one task."""

    __slots__ = ("created", "delivered", "method", "status", "updated")

    def __init__(self) -> None:
        self.status: str | None = None
        """The status that it was last seen in."""
        self.updated: str | None = None
        """When it came into that status, as its runner wrote it."""
        self.method: str | None = None
        """The method of the request that it was made for, where that was seen."""
        self.created = False
        """Whether it was seen being made."""
        self.delivered = False
        """Whether its result was given."""

    @property
    def is_over(self) -> bool:
        """Whether it was seen in a status that is final."""
        return self.status in FINAL


class Tasks:
    """The tasks by the side that runs them and by their ids."""

    __slots__ = ("_by_id", "_by_request")

    def __init__(self) -> None:
        self._by_id: Final[dict[tuple[Direction, str], Task]] = {}
        self._by_request: Final[dict[tuple[Direction, Id], Task]] = {}

    def known(self, runner: Direction, id: str) -> Task | None:
        """The task, if it was seen before."""
        return self._by_id.get((runner, id))

    def meet(self, runner: Direction, id: str) -> Task | None:
        """The task, seen now or before; None where no more can be remembered."""
        task = self._by_id.get((runner, id))
        if task is None and len(self._by_id) < MOST_KEPT and len(id) <= LONGEST_KEPT:
            task = self._by_id[runner, id] = Task()
        return task

    def make(self, runner: Direction, request: Id, task: Task) -> None:
        """Note that a request of the other side became a task."""
        task.created = True
        if len(self._by_request) < MOST_KEPT:
            self._by_request[runner, request] = task

    def made_for(self, runner: Direction, request: Id) -> Task | None:
        """The task that a request of the other side became."""
        return self._by_request.get((runner, request))


def becomes_task(method: str, capabilities: dict[str, Any]) -> bool:
    """Whether a side with these capabilities runs such a request as a task when asked to."""
    declared: Any = capabilities
    for name in ("tasks", "requests", *method.split("/")):
        declared = declared.get(name) if isinstance(declared, dict) else None
    return isinstance(declared, dict)
