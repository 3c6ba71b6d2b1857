"""What writing a report costs, form by form, as times its JSON encoding; and how that grows."""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bench.bars import GROWTH, WRITING
from bench.tables import table
from bench.timing import BASELINE, in_this_process, in_turns
from mcp_assay.assess import AssessOptions, assess
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.report.as_text import full_text
from mcp_assay.report.formats import TEXT, WRITERS, written
from mcp_assay.text.lines import as_plain_text

FINDINGS: Final = 10_000
SIZES: Final = (1_000, 10_000, 100_000)
TOOLS: Final = 200
DEMO: Final = ("-P", "-m", "mcp_assay.demo_server")
FORMS: Final = (TEXT, *WRITERS)


def writers(rounds: int) -> tuple[str, dict[str, Any]]:
    """The table of costs and growth, and the same as figures."""
    sample = _sample()
    large = enlarged(sample, FINDINGS)
    measured = in_turns(
        in_this_process(lambda: msgspec.json.encode(large)),
        {form: in_this_process(_writing(large, form)) for form in FORMS},
        rounds,
    )
    grown = _growth(sample)
    rows = [
        [
            form,
            str(measured[form].ratio),
            WRITING.verdict(measured[form].ratio.median),
            *(f"{factor:.2f}" for factor in grown[form].values()),
            GROWTH.verdict(max(grown[form].values())),
        ]
        for form in FORMS
    ]
    heads = ["form", f"x encoding, {WRITING.words()}", "", "time x10", "memory x10", GROWTH.words()]
    figures = {
        form: {**measured[form].figures(), "growth": grown[form]}
        for form in measured
        if form != BASELINE
    }
    return table(heads, rows), figures


def enlarged(sample: Report, findings: int) -> Report:
    """A report like the sample, with so many findings and half as many calls."""
    return replace(
        sample,
        findings=[_another(sample.findings, number) for number in range(findings)],
        calls=[
            replace(sample.calls[number % len(sample.calls)], number=number)
            for number in range(findings // 2)
        ],
        tools=[replace(sample.tools[0], name=f"tool_{number}") for number in range(TOOLS)],
    )


def _another(findings: list[Finding], number: int) -> Finding:
    one = findings[number % len(findings)]
    where = replace(one.where, tool=f"tool_{number % TOOLS}", call=number)
    return replace(one, where=where, fingerprint=f"{number:016x}")


def _sample() -> Report:
    """What is really found in a server: the one of the demo."""
    target = Command(command=(sys.executable, *DEMO), environment=allowed(os.environ, {}))
    return assess(target, AssessOptions(seed=0))


def _writing(report: Report, form: str) -> Callable[[], str]:
    if form == TEXT:
        return lambda: as_plain_text(full_text(report))
    return lambda: written(report, form)


def _growth(sample: Report) -> dict[str, dict[str, float]]:
    """How much more than ten times as much ten times as many findings cost, at the steepest."""
    costs: dict[str, list[tuple[float, float]]] = {form: [] for form in FORMS}
    for size in SIZES:
        report = enlarged(sample, size)
        for form, known in costs.items():
            run = in_this_process(_writing(report, form))
            known.append((min(run() for _ in range(3)), _peak(_writing(report, form))))
    return {
        form: {
            "time": steepest([it[0] for it in known]),
            "memory": steepest([it[1] for it in known]),
        }
        for form, known in costs.items()
    }


def steepest(costs: list[float]) -> float:
    """The largest step, where 1 is as much per finding as before."""
    return max(after / before / 10 for before, after in pairwise(costs))


def _peak(write: Callable[[], str]) -> float:
    tracemalloc.start()
    write()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(peak)
