from __future__ import annotations

import pytest

from bench.corpus import REVISION, Line, build
from mcp_assay.rules.engine.checker import SessionChecker
from tests.rules.engine.verdicts import accepts


@pytest.fixture(scope="module")
def judged() -> list[tuple[Line, list[str]]]:
    checker = SessionChecker(REVISION, duplicates=True)
    return [
        (line, [finding.message for finding in checker.check(line.raw, line.direction)])
        for line in build(2_000)
    ]


def test_nothing_is_said_about_whole_messages(judged: list[tuple[Line, list[str]]]) -> None:
    blamed = [(line.raw, said) for line, said in judged if line.fault is None and said]
    assert blamed == []


def test_something_is_said_about_every_broken_message(
    judged: list[tuple[Line, list[str]]],
) -> None:
    missed = [
        (line.fault, line.raw) for line, said in judged if line.fault is not None and not said
    ]
    assert missed == []


def test_the_verdict_alone_agrees_with_the_findings() -> None:
    verdict, findings = (
        SessionChecker(REVISION, duplicates=True),
        SessionChecker(REVISION, duplicates=True),
    )
    for line in build(2_000):
        if accepts(verdict, line.raw, line.direction):
            assert not findings.check(line.raw, line.direction), line.raw
        else:
            assert findings.check(line.raw, line.direction) or line.fault is None
