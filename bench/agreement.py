"""Which planted faults are found, and whether anything is said about messages that are whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from bench.corpus import REVISION, Line
from bench.sdk import SdkPath
from bench.tables import table
from bench.traffic.conversation import Direction
from bench.traffic.faults import FAULTS
from mcp_assay.rules.engine.checker import SessionChecker


class Tally(NamedTuple):
    """How one judge did on the corpus."""

    found: Counter[str]
    false_alarms: int


Judge = Callable[[bytes, Direction], bool]


def judges() -> dict[str, Judge]:
    """Those whose verdicts are compared: True from them means that a message is fine."""
    checker = SessionChecker(REVISION, duplicates=True)
    return {
        "mcp-assay": lambda raw, direction: not checker.check(raw, direction),
        "mcp SDK": SdkPath().accepts,
    }


def tally(lines: Iterable[Line], accepts: Judge) -> Tally:
    """Count what a judge finds."""
    found: Counter[str] = Counter()
    false_alarms = 0
    for line in lines:
        if accepts(line.raw, line.direction):
            continue
        if line.fault is None:
            false_alarms += 1
        else:
            found[line.fault] += 1
    return Tally(found, false_alarms)


def agreement(lines: Sequence[Line]) -> tuple[str, dict[str, Any]]:
    """The table of what everybody found, and the same as figures."""
    planted = Counter(line.fault for line in lines if line.fault is not None)
    tallies = {name: tally(lines, accepts) for name, accepts in judges().items()}
    rows = [
        [
            fault.name,
            str(planted[fault.name]),
            *(str(t.found[fault.name]) for t in tallies.values()),
        ]
        for fault in FAULTS
    ]
    totals = [str(t.found.total()) for t in tallies.values()]
    alarms = [str(t.false_alarms) for t in tallies.values()]
    rows += [
        ["all faults", str(planted.total()), *totals],
        ["whole messages blamed", str(len(lines) - planted.total()), *alarms],
    ]
    figures = {
        "planted": planted,
        **{name: {"found": t.found, "false_alarms": t.false_alarms} for name, t in tallies.items()},
    }
    return table(["fault", "planted", *tallies], rows), figures
