"""Shortcuts of the slow check: they spare work and change nothing that is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice

import orjson
import pytest

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.payload import predicates
from mcp_assay.rules.engine.slow import Setting, asked_by, judge, kind_of
from mcp_assay.rules.engine.strict_shapes import VISITS_BEFORE_COMPILING, Shortcut
from mcp_assay.rules.message.jsonrpc import is_plain
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.wire.reader import Reading
from tests.oracle import Case, cases, needs_spec, official

MESSAGES = 2_500


def some(revision: str) -> list[Case]:
    """Messages of every unit: those of the walk spread evenly, and random ones."""
    made = list(cases(official(revision), random.Random(7)))
    return random.Random(11).sample(made, MESSAGES)


def always(method: str | None) -> Callable[[int], str | None]:
    return lambda _: method


@needs_spec
@pytest.mark.parametrize("revision", REVISIONS)
def test_parts_that_the_strict_schema_accepts_need_no_walk(revision: str) -> None:
    for case in some(revision):
        message = orjson.loads(orjson.dumps(case.message))
        setting = Setting(revision=revision, request_of=asked_by(case.unit.method, revision))
        quick, thorough = Reading(message, parsed=True), Reading(message)
        assert judge(quick, setting) == judge(thorough, setting)


@needs_spec
@pytest.mark.parametrize("revision", REVISIONS)
def test_no_rule_of_the_envelope_objects_to_a_plain_one(revision: str) -> None:
    plain = 0
    for case in islice(cases(official(revision), random.Random(3)), MESSAGES):
        if not isinstance(case.message, dict):
            continue
        message = Message(
            value=case.message,
            kind=kind_of(case.message),
            method=case.unit.method,
            revision=revision,
        )
        if is_plain(message):
            plain += 1
            for unless, group in predicates(revision, message.kind, None):
                if unless is is_plain:
                    assert [found for _, check in group for found in check(message)] == []
    assert plain > MESSAGES // 4


def test_a_shortcut_is_taken_once_a_shape_has_become_common() -> None:
    shortcut, block = Shortcut("TextContent", REVISIONS[-1]), {"type": "text", "text": "hello"}
    taken = [shortcut.accepts(block) for _ in range(VISITS_BEFORE_COMPILING + 2)]
    assert taken == [False] * (VISITS_BEFORE_COMPILING + 1) + [True]
    assert not shortcut.accepts({"type": "text", "text": 1})
