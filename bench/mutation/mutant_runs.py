"""The tool runs of mutants: two at a time, each in a process of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import pytest

from bench.mutation.child import fork, wait
from bench.mutation.line_tests import LineTests
from bench.mutation.mutants import Mutant
from bench.mutation.pytest_run import Mutation, Selection, run_pytest
from bench.mutation.scope import Scope

Fate: TypeAlias = Literal["killed", "timed out", "survived"]

WORKERS: Final = 2
GRACE: Final = 30
"""Seconds of CPU time that a tool run has beyond three times what its tests took unchanged."""
TOO_LONG: Final = (-signal.SIGXCPU, -signal.SIGALRM, -signal.SIGKILL)
UNNOTICED: Final = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class MutantRun(NamedTuple):
    """A mutant and what became of it."""

    mutant: Mutant
    fate: Fate


def mutant_runs(
    scope: Scope, mutants: Iterable[Mutant], tests: LineTests, folder: Path
) -> Iterator[MutantRun]:
    """Try every mutant, and give each as soon as its fate is known."""
    running: dict[int, Mutant] = {}
    for mutant in mutants:
        if len(running) == WORKERS:
            yield _next_ended(running)
        running[_started(scope, mutant, tests, folder)] = mutant
    while running:
        yield _next_ended(running)


def _started(scope: Scope, mutant: Mutant, tests: LineTests, folder: Path) -> int:
    chosen = tests.chosen_for(mutant)
    limit = GRACE + int(3 * tests.seconds(chosen))
    output = folder / f"{mutant.path.stem}-{mutant.number}.txt"
    return fork(partial(_try, scope, mutant, chosen), output, limit)


def _try(scope: Scope, mutant: Mutant, chosen: list[str]) -> int:
    mutation = Mutation(scope.module(mutant.path), mutant.path, mutant.code())
    selection = Selection(chosen)
    return run_pytest(scope, selection.files(), selection, mutation)


def _next_ended(running: dict[int, Mutant]) -> MutantRun:
    process, code = wait()
    return MutantRun(running.pop(process), _fate(code))


def _fate(code: int) -> Fate:
    if code in UNNOTICED:
        return "survived"
    return "timed out" if code in TOO_LONG else "killed"
