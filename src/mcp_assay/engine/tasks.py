"""The seam: tasks go in, results come out as they are ready, whoever runs them.

A task and its result are plain values that can be pickled, and the work is a function of a module:
so it does not matter in which process, or on which machine, it is done.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

MOST_RUNS: Final = 3
"""A task whose worker was lost is run again elsewhere, so often in all."""
AHEAD: Final = 2
"""Tasks per worker that a scheduler has at a time, so that nobody waits for the next one."""
OF_THE_CLIENT: Final = "MCP_ASSAY_"
"""How variables begin that are for the client alone, such as the one with the history's URL."""

WAIT: Final = object()
"""Stands among the tasks where the next one may begin only when another is done."""

LossKind: TypeAlias = Literal["worker_lost", "engine_lost", "failed", "other_version"]
"""Why a task has no result: its workers died, nobody is left, it raised, or its worker differs."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class EngineUnavailable(Exception):
    """An engine that cannot be used: nothing was run; its text says why and what to do."""


class TaskDone(Struct, Generic[Result], frozen=True):
    """A task that was done: its place among all tasks, and its result."""

    index: int
    result: Result


class TaskLost(Struct, frozen=True):
    """A task that has no result: its place among all tasks, and the reason."""

    index: int
    kind: LossKind
    reason: str


class TaskEngine(Protocol):
    """What runs tasks."""

    @property
    def workers(self) -> int:
        """How many tasks are worked on at a time."""

    @property
    def dashboard(self) -> str | None:
        """The address of a page about the work, where there is one."""

    def run(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Any],
        runs: int = MOST_RUNS,
        ahead: int = AHEAD,
    ) -> Iterator[TaskDone[Result] | TaskLost]:
        """Do the work on each task; each outcome once, as soon as it is there, in any order.

        The tasks are taken one by one, as there is room. Among them may be WAIT; that is no task,
        and not counted. A task whose worker was lost is run so often in all; so many are with each
        worker at a time, and may be lost with it.
        """

    def close(self) -> None:
        """End what was started; tasks that are not done are given up."""


def loss_of(index: int, fault: Exception) -> TaskLost:
    """The outcome of a task that raised."""
    from mcp_assay.model.own_fault import own_fault  # noqa: PLC0415  hardly ever needed

    if isinstance(fault, EngineUnavailable):
        return TaskLost(index, "other_version", str(fault))
    return TaskLost(index, "failed", own_fault("", fault).words)


def worker_lost(index: int, ending: str, runs: int) -> TaskLost:
    """The outcome of a task that took every worker with it that tried."""
    return TaskLost(index, "worker_lost", f"{ending}, {runs} times on the same task")


def worker_environment() -> dict[str, str]:
    """The environment of worker processes: without what is for the client alone."""
    return {name: it for name, it in os.environ.items() if not name.startswith(OF_THE_CLIENT)}


def collected(outcomes: Iterable[TaskDone[Any] | TaskLost]) -> list[TaskDone[Any] | TaskLost]:
    """All outcomes in the order of their tasks."""
    return sorted(outcomes, key=lambda outcome: outcome.index)
