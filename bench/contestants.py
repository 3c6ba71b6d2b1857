"""Who takes part in the race over the corpus."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from bench import bars, node
from bench.bars import Bar
from bench.corpus import REVISION, Corpus, Line
from bench.sdk import SdkPath, SdkRuntimePath
from bench.timing import Run, in_this_process
from mcp_assay.rules.engine.checker import SessionChecker

FLOOR: Final = "orjson.loads"
VERDICT: Final = "mcp-assay: verdict, no duplicate pass"
FINDINGS: Final = "mcp-assay: findings, no duplicate pass"
EVERYTHING: Final = "mcp-assay: everything on"
SDK_MODELS: Final = "mcp SDK: message, then the method's model"
SDK_RUNTIME: Final = "mcp SDK: as its client and server do it"


class Contestant(NamedTuple):
    """Somebody who goes over the corpus, or the reason why not."""

    name: str
    run: Run | None = None
    bar: Bar | None = None
    absent: str | None = None


def parsing_alone(lines: Sequence[Line]) -> Run:
    """The baseline, which nothing that works on Python objects can undercut."""
    return _parsing(lines, orjson.loads)


def contestants(corpus: Corpus) -> list[Contestant]:
    """Everybody but the baseline, in the order of the table."""
    lines = corpus.lines
    return [
        Contestant("json.loads", _parsing(lines, json.loads)),
        Contestant(VERDICT, verdicts(lines, duplicates=False), bars.VERDICT),
        Contestant(FINDINGS, findings(lines, duplicates=False), bars.FINDINGS),
        Contestant(EVERYTHING, findings(lines, duplicates=True), bars.EVERYTHING),
        Contestant(SDK_MODELS, _judging(lines, lambda: SdkPath().accepts)),
        Contestant(SDK_RUNTIME, _judging(lines, lambda: SdkRuntimePath().accepts)),
        *_node(corpus.file),
    ]


def verdicts(lines: Sequence[Line], *, duplicates: bool) -> Run:
    """Our fast check alone: is there anything to say about this message?"""
    messages = [(line.raw, line.direction, place) for place, line in enumerate(lines)]

    def work() -> None:
        for _ in SessionChecker(REVISION, duplicates=duplicates).suspects(messages):
            pass

    return in_this_process(work)


def findings(lines: Sequence[Line], *, duplicates: bool) -> Run:
    """Both of our checks: everything there is to say about this message."""
    messages = [(line.raw, line.direction, place) for place, line in enumerate(lines)]

    def work() -> None:
        checker = SessionChecker(REVISION, duplicates=duplicates)
        for refused in checker.suspects(messages):
            checker.explain(refused)

    return in_this_process(work)


def _node(corpus: Path) -> list[Contestant]:
    works: dict[str, node.Work] = {"node: JSON.parse": "parse", "node: JSON.parse, then ajv": "ajv"}
    absent = node.missing()
    return [
        Contestant(name, None if absent else node.pass_over(corpus, work), absent=absent)
        for name, work in works.items()
    ]


def _parsing(lines: Sequence[Line], loads: Callable[[bytes], Any]) -> Run:
    raws = [line.raw for line in lines]

    def work() -> None:
        for raw in raws:
            try:
                loads(raw)
            except ValueError:
                continue

    return in_this_process(work)


def _judging(lines: Sequence[Line], new_judge: Callable[[], Callable[[bytes, Any], object]]) -> Run:
    messages = [(line.raw, line.direction) for line in lines]

    def work() -> None:
        judge = new_judge()
        for raw, direction in messages:
            judge(raw, direction)

    return in_this_process(work)
