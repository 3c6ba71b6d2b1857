"""Counting instructions: what is counted, and what is said where nothing can be."""

from __future__ import annotations

import shutil

import orjson
import pytest

from bench import counted
from bench.corpus import build
from bench.instructions import BARS, instructions

MESSAGES, SEED = 2_000, 1


def test_it_says_so_where_valgrind_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert instructions() == ("not measured: valgrind is not installed", {})


def test_every_pass_does_its_work_on_the_whole_corpus() -> None:
    lines = build(MESSAGES, SEED)
    broken = [line for line in lines if line.fault is not None]
    doubled = [line for line in broken if line.fault == "duplicate member"]
    done = {name: counted.main(name, MESSAGES, SEED) for name in counted.PASSES}
    assert done["nothing"] == 0
    assert done["parsing"] == sum(is_json(line.raw) for line in lines)
    assert done["verdict"] >= len(broken) - len(doubled)
    assert done["findings"] == len(broken) - len(doubled)
    assert done["everything"] == len(broken)


def is_json(raw: bytes) -> bool:
    try:
        orjson.loads(raw)
    except orjson.JSONDecodeError:
        return False
    return True


def test_every_promise_has_a_pass() -> None:
    assert BARS.keys() < counted.PASSES.keys()
