"""Counting instructions: what is counted, and what is said where nothing can be."""

from __future__ import annotations

import shutil

import pytest

from bench import counted
from bench.instructions import BARS, instructions


def test_it_says_so_where_valgrind_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert instructions() == ("not measured: valgrind is not installed", {})


@pytest.mark.parametrize("name", counted.PASSES)
def test_every_pass_goes_over_the_corpus(name: str) -> None:
    counted.main(name, 300, 1)


def test_every_promise_has_a_pass() -> None:
    assert BARS.keys() < counted.PASSES.keys()
