"""Where our time goes: differences between contestants that do one stage more or less."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bench.contestants import EVERYTHING, FINDINGS, VERDICT, verdicts
from bench.corpus import REVISION, Corpus
from bench.tables import table
from bench.timing import Measured, Run
from mcp_assay.rules.engine.checker import SessionChecker

UNCHECKED: Final = "mcp-assay: verdict without the compiled check"
WITH_DUPLICATES: Final = "mcp-assay: verdict, duplicate pass on"
LONGEST_RUN: Final = 600


def probes(corpus: Corpus) -> dict[str, Run]:
    """Contestants that are not shown, only subtracted from one another."""
    return {
        UNCHECKED: _unchecked(corpus),
        WITH_DUPLICATES: verdicts(corpus.lines, duplicates=True),
    }


def shares(measured: Mapping[str, Measured], corpus: Corpus) -> tuple[str, dict[str, Any]]:
    """The table of stages with everything on, and the same as figures."""
    taken = _stages({name: result.ratio.median for name, result in measured.items()})
    total = sum(taken.values())
    rows = [[name, f"{times:.2f}", f"{100 * times / total:.0f} %"] for name, times in taken.items()]
    slow = _slow_check(measured, corpus)
    sentence = (
        f"The slow check sees {slow['messages']} messages "
        f"and takes {slow['microseconds_each']:.0f} µs for each."
    )
    text = table(["stage, everything on", "times orjson.loads", "share"], rows)
    return f"{text}\n\n{sentence}", {"times": taken, "slow_lane": slow}


def _stages(ratio: Mapping[str, float]) -> dict[str, float]:
    return {
        "parsing": 1.0,
        "dispatch, envelope, correlation": ratio[UNCHECKED] - 1.0,
        "compiled check": ratio[VERDICT] - ratio[UNCHECKED],
        "duplicate pass": ratio[WITH_DUPLICATES] - ratio[VERDICT],
        "slow check": ratio[EVERYTHING] - ratio[WITH_DUPLICATES],
    }


def _slow_check(measured: Mapping[str, Measured], corpus: Corpus) -> dict[str, float]:
    messages = ((line.raw, line.direction, 0) for line in corpus.lines)
    suspects = SessionChecker(REVISION, duplicates=False).suspects(messages)
    sent_there = sum(1 for _ in suspects)
    seconds = measured[FINDINGS].seconds.median - measured[VERDICT].seconds.median
    return {"messages": sent_there, "microseconds_each": 1e6 * seconds / max(1, sent_there)}


def _unchecked(corpus: Corpus) -> Run:
    """A process of its own, because there every compiled check is replaced by a yes."""
    module = [sys.executable, "-m", "bench.unchecked"]
    command = [*module, str(len(corpus.lines)), str(corpus.seed)]

    def run() -> float:
        done = subprocess.run(
            command,
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            check=True,
            timeout=LONGEST_RUN,
        )
        return float(json.loads(done.stdout)["seconds"])

    return run
