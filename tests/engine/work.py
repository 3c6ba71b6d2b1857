"""What engines under test do: importable by their workers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

WORKERS_KILLED: Final = 9


def doubled(number: int) -> int:
    """A result that tells its task."""
    return 2 * number


def fail(words: str) -> None:
    """Raise."""
    raise ValueError(words)


def die(_: object) -> None:
    """End the process, however often it is tried."""
    os._exit(WORKERS_KILLED)


def die_once(mark: str) -> str:
    """End the process the first time."""
    path = Path(mark)
    if not path.exists():
        path.touch()
        os._exit(WORKERS_KILLED)
    return "done"


def die_once_before(mark: str, work: Callable[[Any], Any], task: Any) -> Any:
    """Some other work, but for the first time."""
    die_once(mark)
    return work(task)


def variables(names: tuple[str, ...]) -> list[str]:
    """Those of the variables that are there."""
    return [name for name in names if name in os.environ]


def print_much(number: int) -> int:
    """Something that prints where results go."""
    print("x" * 10_000)
    return number


def die_or_double(number: int) -> int:
    """A task among many that nobody survives."""
    if not number:
        die(number)
    return doubled(number)
