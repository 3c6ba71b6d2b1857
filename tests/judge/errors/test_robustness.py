"""Nothing makes the judge raise, and its work grows with the text alone."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcp_assay.judge
from mcp_assay.responses import ResponseValidator, ValidationContext
from tests.judge.error_corpus.corpus import KINDS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
WORDS = st.sampled_from(
    ["not found", "TypeError", "timeout", "Traceback (most recent call last):\n", '  File "x"\n',
     "    raise X", ": ", "\n", "'", "404", "-32602", "{", "[", "│", "❱", "\ud800", "İ", "必須"]
)  # fmt: skip
JSON_TEXTS = JSON.map(lambda value: json.dumps(value, default=str))
CODES = st.builds('{{"code": "{}", "status": "{}"}}'.format, st.text("-0129 "), st.text("-4.0"))
TEXTS = st.text() | st.lists(WORDS, max_size=12).map("".join) | JSON_TEXTS | CODES
BLOCKS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image", "resource"]) | JSON},
        optional={"text": TEXTS | JSON, "resource": JSON, "data": JSON},
    ),
    max_size=4,
)
RESPONSES = JSON | st.fixed_dictionaries(
    {},
    optional={
        "isError": JSON,
        "content": BLOCKS | JSON,
        "structuredContent": JSON,
        "error": JSON | st.fixed_dictionaries({"code": JSON, "message": TEXTS}),
    },
)


@settings(max_examples=400, deadline=None)
@given(tool=JSON, sent=JSON, response=RESPONSES, stderr=TEXTS)
def test_no_response_makes_the_judge_raise(
    tool: Any, sent: Any, response: Any, stderr: str
) -> None:
    context = ValidationContext(tool, sent, response, None, stderr)
    result = ResponseValidator.validate_response(context)
    assert 0 <= result.confidence <= 100
    assert ResponseValidator.explain_error(context).kind in KINDS


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, sent=st.dictionaries(st.text(), TEXTS, max_size=3))
def test_every_factor_is_reported_with_its_words(text: str, sent: dict[str, str]) -> None:
    response = {"isError": True, "content": [{"type": "text", "text": text}]}
    verdict = ResponseValidator.explain_error(ValidationContext({}, sent, response))
    assert all(factor.text and factor.source for factor in verdict.factors)
    assert 0 <= verdict.confidence <= 100


class Odd:
    """An object that JSON has no form for."""


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize("odd", [Odd(), CYCLE, b"bytes", {1: 2}, float("nan"), 10**400, ..., {1}])
def test_python_values_that_are_no_json_do_not_make_it_raise(odd: Any) -> None:
    for context in (
        ValidationContext(odd, odd, odd),
        ValidationContext({"name": odd}, {"a": odd}, {"isError": True, "content": [odd]}),
        ValidationContext({"outputSchema": odd}, {}, {"content": [], "structuredContent": odd}),
        ValidationContext({}, {}, {"isError": True, "content": []}, None, odd),
    ):
        assert ResponseValidator.validate_response(context).classification
        assert ResponseValidator.explain_error(context).kind in KINDS


def expressions() -> dict[str, re.Pattern[str]]:
    """Every regular expression of the judge, by its place."""
    folder = Path(mcp_assay.judge.__file__).parent
    names = [
        ".".join(("mcp_assay", "judge", *path.relative_to(folder).with_suffix("").parts))
        for path in folder.rglob("*.py")
    ]
    modules = [import_module(name.removesuffix(".__init__")) for name in names]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }


def test_no_regular_expression_repeats_without_end() -> None:
    found = expressions()
    assert len(found) >= 5
    unbounded = re.compile(r"(?<!\\)[*+]|\{\d*,\}")
    for place, expression in found.items():
        plain = re.sub(r"\[[^\]]*\]", "", expression.pattern)
        assert not unbounded.search(plain), place


HARD_TEXTS = [
    "a", "error ", "not found ", "no ", "no x ", "aB", "aB ", "4", "status ", "(4", "'", "/", "\\",
    "_", ": ", "\n", "\n    at x", '\n  File "x"', "\n    raise", "│ ", "\n            x",
    "caused by ", "The above exception was ", "Traceback (most recent call last):\n", "必",
]  # fmt: skip


def steps(text: str) -> int:
    """How many lines of Python are run to classify a text."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sent = {"text": text[:50], "query": "(" * 20}
    response = {"isError": True, "content": [{"type": "text", "text": text}]}
    context = ValidationContext({"name": "x"}, sent, response, None, text)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        ResponseValidator.explain_error(context)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", HARD_TEXTS)
def test_four_times_the_text_is_less_than_six_times_the_lines_run(piece: str) -> None:
    steps("warm up")
    short = piece * (2_000 // len(piece))
    assert steps(short * 4) < 6 * max(steps(short), 100)
