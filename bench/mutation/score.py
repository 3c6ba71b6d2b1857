"""The mutation score: how many of the faults put into the code the tests notice."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct

from bench.bars import MUTATION_SCORE
from bench.mutation.line_tests import LineTests
from bench.mutation.mutant_runs import MutantRun, mutant_runs
from bench.mutation.mutants import Mutant, controls, mutants
from bench.mutation.scope import PROJECT, Scope
from bench.tables import table

SAMPLE: Final = 500
HEAD: Final = ("folder", "mutants", "killed", "timed out", "survived", "score")
FATES: Final = ("killed", "timed out", "survived")
NEWS_EVERY: Final = 25


class Sampling(Struct, frozen=True):
    """Which mutants are tried, and what becomes of them."""

    size: int = SAMPLE
    seed: int = 0
    within: str = ""
    """Only files whose paths hold this."""
    lists_survivors: bool = False


def mutation_score(
    cache: Path, sampling: Sampling, scope: Scope = PROJECT
) -> tuple[str, dict[str, Any]]:
    """The table of scores, and the same as figures with every survivor."""
    everyone = [one for one in mutants(scope) if sampling.within in scope.shown(one.path)]
    sample = Random(sampling.seed).sample(everyone, min(sampling.size, len(everyone)))
    tests = LineTests.of(scope, cache)
    outputs = cache / "trials"
    outputs.mkdir(exist_ok=True)
    _check(mutant_runs(scope, controls(scope), tests, outputs))
    tried = list(_announced(mutant_runs(scope, sample, tests, outputs), len(sample)))
    figures = {"possible": len(everyone), "seed": sampling.seed, **_figures(scope, tried)}
    return _text(figures, sampling), figures


def _check(unchanged: Iterable[MutantRun]) -> None:
    for mutant, fate in unchanged:
        if fate != "survived":
            raise RuntimeError(
                f"{mutant.path}: {fate} without a change, so no trial means anything"
            )


def _announced(tried: Iterable[MutantRun], number: int) -> Iterator[MutantRun]:
    """Tell how far it is from time to time: all of it takes half an hour."""
    for count, mutant_run in enumerate(tried, 1):
        if count % NEWS_EVERY == 0:
            print(f"{count} of {number} mutants tried", file=sys.stderr, flush=True)
        yield mutant_run


def _figures(scope: Scope, tried: Sequence[MutantRun]) -> dict[str, Any]:
    fates: dict[str, Counter[str]] = {
        folder: Counter(
            mutant_run.fate for mutant_run in tried if mutant_run.mutant.folder == folder
        )
        for folder in scope.mutated
    }
    fates["all"] = Counter(mutant_run.fate for mutant_run in tried)
    survivors = sorted(_place(scope, one.mutant) for one in tried if one.fate == "survived")
    return {
        "folders": {folder: dict(seen) for folder, seen in fates.items()},
        "score": _score(fates["all"]),
        "survivors": [f"{path}:{line}  {text}" for path, line, text in survivors],
    }


def _place(scope: Scope, mutant: Mutant) -> tuple[str, int, str]:
    return scope.shown(mutant.path), mutant.lines.start, mutant.text


def _score(fates: Counter[str]) -> float:
    """The share that was noticed, by a failing test or by never ending."""
    return 1 - fates["survived"] / fates.total() if fates else 0.0


def _text(figures: dict[str, Any], sampling: Sampling) -> str:
    rows = [_row(folder, Counter(fates)) for folder, fates in figures["folders"].items()]
    score = figures["score"]
    bar = f"{MUTATION_SCORE.words()}: {MUTATION_SCORE.verdict(score)}"
    summary = f"score {score:.1%}, {bar}; of {figures['possible']} mutants, seed {sampling.seed}"
    listed = figures["survivors"] if sampling.lists_survivors else []
    return "\n".join(
        [table(HEAD, rows), "", summary, *(["", "survivors:"] if listed else []), *listed]
    )


def _row(folder: str, fates: Counter[str]) -> list[str]:
    counts = [str(fates[fate]) for fate in FATES]
    return [folder, str(fates.total()), *counts, f"{_score(fates):.1%}"]
