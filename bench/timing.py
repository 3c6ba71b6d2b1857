"""CPU time, measured in turns: every pass of a contestant stands between two of the baseline."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

Run: TypeAlias = Callable[[], float]
"""Does the work once and returns the CPU seconds it took."""

BASELINE: Final = "baseline"


class Figure(NamedTuple):
    """The middle, lowest and highest of several measurements."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Figure:
        """Sum up some measurements."""
        ordered = sorted(values)
        return cls(statistics.median(ordered), ordered[0], ordered[-1])

    def __str__(self) -> str:
        """The middle, and how far the others spread."""
        return f"{self.median:.2f} ({self.low:.2f}-{self.high:.2f})"


class Measured(NamedTuple):
    """What a contestant took: seconds per pass, and times the baseline's seconds."""

    seconds: Figure
    ratio: Figure

    def figures(self) -> dict[str, dict[str, float]]:
        """The same as plain data."""
        return {"cpu_seconds": self.seconds._asdict(), "ratio": self.ratio._asdict()}


class Sample(NamedTuple):
    """One pass of one contestant."""

    seconds: float
    ratio: float


def in_this_process(work: Callable[[], object]) -> Run:
    """Measure `work` by the CPU time of this process."""

    def run() -> float:
        gc.collect()
        start = time.process_time()
        work()
        return time.process_time() - start

    return run


def in_turns(baseline: Run, contestants: Mapping[str, Run], rounds: int) -> dict[str, Measured]:
    """Let everybody run once to warm up, then `rounds` times in turns with the baseline.

    Other work on the machine slows neighbours alike, so ratios are steadier than seconds. The
    baseline itself comes back under the name BASELINE.
    """
    for run in (baseline, *contestants.values()):
        run()
    samples: dict[str, list[Sample]] = {name: [] for name in contestants}
    baselines = [baseline()]
    for _ in range(rounds):
        for name, run in contestants.items():
            seconds = run()
            baselines.append(baseline())
            samples[name].append(Sample(seconds, 2 * seconds / sum(baselines[-2:])))
    summed = {name: _sum_up(taken) for name, taken in samples.items()}
    return {BASELINE: Measured(Figure.of(baselines), Figure(1, 1, 1)), **summed}


def _sum_up(samples: list[Sample]) -> Measured:
    return Measured(
        Figure.of(sample.seconds for sample in samples),
        Figure.of(sample.ratio for sample in samples),
    )
