"""The race over the corpus: everybody's CPU time against parsing alone, and where ours goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench import bars, stages
from bench.contestants import (
    FINDINGS,
    FLOOR,
    SDK_MODELS,
    Contestant,
    contestants,
    parsing_alone,
)
from bench.corpus import Corpus, Line
from bench.tables import table
from bench.timing import BASELINE, Measured, in_turns

HEAD = ["what", "µs each", "MB/s", "times (lowest-highest)", "promised", "seen"]


def race(corpus: Corpus, rounds: int) -> tuple[str, dict[str, Any]]:
    """The tables of ratios and stages, and the same as figures."""
    others = contestants(corpus)
    runs = {one.name: one.run for one in others if one.run is not None}
    measured = in_turns(parsing_alone(corpus.lines), {**runs, **stages.probes(corpus)}, rounds)
    measured[FLOOR] = measured.pop(BASELINE)
    rows = [_row(one, measured.get(one.name), corpus.lines) for one in (Contestant(FLOOR), *others)]
    shares, stage_figures = stages.shares(measured, corpus)
    text = f"{table(HEAD, rows)}\n\n{_against_sdk(measured)}\n\n{shares}"
    ratios = {name: result.figures() for name, result in measured.items()}
    return text, {"ratios": ratios, "stages": stage_figures}


def _row(one: Contestant, measured: Measured | None, lines: Sequence[Line]) -> list[str]:
    if measured is None:
        return [one.name, "", "", f"not measured: {one.absent}", "", ""]
    seconds, ratio = measured
    size = sum(len(line.raw) for line in lines)
    return [
        one.name,
        f"{seconds.median / len(lines) * 1e6:.1f}",
        f"{size / seconds.median / 1e6:.0f}",
        str(ratio),
        one.bar.words() if one.bar else "",
        one.bar.verdict(ratio.median) if one.bar else "",
    ]


def _against_sdk(measured: dict[str, Measured]) -> str:
    times = measured[SDK_MODELS].ratio.median / measured[FINDINGS].ratio.median
    bar = bars.AGAINST_SDK
    return (
        f"The SDK's own path takes {times:.1f} times as long as ours with findings "
        f"(promised: {bar.words()}; {bar.verdict(times)})."
    )
