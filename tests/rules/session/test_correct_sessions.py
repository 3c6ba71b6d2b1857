"""Nothing is said about a conversation that is as it should be, nor about any part of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.protocol import Session
from mcp_assay.spec.revisions import REVISIONS
from tests.rules.session.correct_sessions import CONVERSATIONS, Line


def reported(session: Session, lines: Iterable[Line]) -> list[tuple[str, str, str]]:
    found: list[Finding] = []
    for direction, message in lines:
        found += session.feed(direction, message)
    return [(one.rule, one.pointer, one.message) for one in [*found, *session.close()]]


def texts(lines: Iterable[Line]) -> list[Line]:
    return [(direction, json.dumps(message).encode()) for direction, message in lines]


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("given", [True, False], ids=["revision given", "revision found out"])
def test_a_correct_session_is_silent(revision: str, given: bool) -> None:
    lines = list(CONVERSATIONS[revision](revision))
    session = Session(revision if given else None)
    assert reported(session, texts(lines)) == []
    assert session.revision == revision


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_correct_session_of_python_values_is_silent(revision: str) -> None:
    assert reported(Session(), CONVERSATIONS[revision](revision)) == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_cut_of_a_correct_session_is_silent_when_it_is_partial(revision: str) -> None:
    lines = texts(CONVERSATIONS[revision](revision))
    for cut in range(len(lines)):
        assert reported(Session(revision, partial=True), lines[cut:]) == []
        assert reported(Session(revision, partial=True), lines[:cut]) == []


def replaced(value: Any, junk: Any) -> Iterable[Any]:
    """The value with each of its parts replaced by junk in turn."""
    members = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, part in members:
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[key] = junk
        yield copy
        if isinstance(part, dict | list):
            for changed in replaced(part, junk):
                copy[key] = changed
                yield copy


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("junk", [None, True, 1.5, "x", [], {}, [[]], {"a": {}}], ids=repr)
def test_no_junk_in_any_place_makes_a_session_raise(revision: str, junk: Any) -> None:
    lines = list(CONVERSATIONS[revision](revision))
    for at, (direction, message) in enumerate(lines):
        before = lines[max(0, at - 3) : at]
        for changed in replaced(message, junk):
            session = Session(revision, partial=True)
            found = list[Finding]()
            for line in [*before, (direction, changed), *lines[at + 1 : at + 3]]:
                found += session.feed(*line)
            found += session.close()
            assert all(one.message.endswith((".", "?")) and one.reason for one in found)
