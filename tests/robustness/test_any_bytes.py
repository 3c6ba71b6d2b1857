"""Any bytes and any text: nothing raises, and everything that is said is well formed."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mcp_assay.model.entry import Direction
from mcp_assay.protocol import validate_jsonrpc
from mcp_assay.rules import load
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.spec.revisions import REVISIONS
from tests.robustness.hostile import assert_well_formed, judged, rules
from tests.rules.engine.verdicts import accepts
from tests.rules.examples import values

MESSAGES: Final = sorted(
    {
        orjson.dumps(one.value)
        for rule in load("message").values()
        for one in (*values(rule.good), *values(rule.bad))
        if isinstance(one.value, dict | list)
    }
)
SNIPPETS: Final = (
    *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u", b"\\ud800", b"\\u0000", b"\x00"),
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"NaN", b"-Infinity", b"1e999", b"null"),
    *(b"-", b"0", b"00", b"1.0", b"9" * 30, b"9" * 700, b"true", b'"id":1,', b'"method":', b" "),
    *(b"\n", b"[[[[", b'{"a":', b'"_meta":{', b"\xf4\x90\x80\x80", b"/", b"//", b"'"),
)
revisions = st.sampled_from(REVISIONS)
directions: st.SearchStrategy[Direction | None] = st.sampled_from(["c2s", "s2c", None])
calmly = settings(
    derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


@st.composite
def mutated_messages(draw: st.DrawFn) -> bytes:
    """A message with bytes cut out, doubled or put in."""
    raw: bytes = draw(st.sampled_from(MESSAGES))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(raw)))
        end = draw(st.integers(start, min(len(raw), start + 20)))
        put: bytes = draw(
            st.sampled_from(SNIPPETS) | st.binary(max_size=4) | st.just(raw[start:end])
        )
        raw = raw[:start] + put + raw[draw(st.sampled_from([start, end])) :]
    return raw


@settings(calmly, max_examples=400)
@given(st.binary(max_size=120), revisions)
@example(b"", REVISIONS[0])
@example(b" ", REVISIONS[0])
@example(b"\xef\xbb\xbf", REVISIONS[0])
@example(b"null", REVISIONS[0])
def test_arbitrary_bytes_are_judged(raw: bytes, revision: str) -> None:
    found = judged(raw, revision)
    assert found or json.loads(raw)


@settings(calmly, max_examples=200)
@given(st.text(max_size=80) | st.text(st.characters(categories=["Cs"]), max_size=5), revisions)
def test_arbitrary_text_is_judged(text: str, revision: str) -> None:
    assert judged(text, revision)


@settings(calmly, max_examples=800)
@given(mutated_messages(), revisions)
def test_mutated_messages_are_judged(raw: bytes, revision: str) -> None:
    judged(raw, revision)


@settings(calmly, max_examples=150)
@given(st.lists(st.tuples(directions, st.sampled_from(MESSAGES) | mutated_messages()), max_size=12))
def test_a_conversation_of_mutated_messages_is_judged(
    conversation: list[tuple[Direction | None, bytes]],
) -> None:
    accepting, checking = SessionChecker(), SessionChecker()
    for direction, raw in conversation:
        passes = accepts(accepting, raw, direction)
        found = checking.check(raw, direction)
        assert_well_formed(found)
        assert not (passes and found)


@settings(calmly, max_examples=150)
@given(mutated_messages())
def test_a_message_is_judged_alike_as_bytes_and_as_text(raw: bytes) -> None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return
    assert validate_jsonrpc(text).findings == validate_jsonrpc(raw).findings


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_kind_of_bytes_is_read(kind: Any) -> None:
    assert validate_jsonrpc(kind(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')).ok
    assert validate_jsonrpc(kind(b"{")).reason == "parse_error"


def test_bytes_that_cannot_be_had_any_more_are_no_message() -> None:
    view = memoryview(b"{}")
    view.release()
    assert rules(validate_jsonrpc(view).findings) == [("JSONRPC-001", "")]
