"""What one typed call answered is shown, safe and cut."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.report import Report
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.as_text import full_text
from mcp_assay.report.single_answer import MOST_LINES
from tests.report.test_assessment import call, report


def shown(message: Any, **options: Any) -> str:
    lines = full_text(run(message), **options)
    return "\n".join("".join(text for text, _ in line) for line in lines)


def run(message: Any, **changes: Any) -> Report:
    answer = message if isinstance(message, str) or message is None else json.dumps(message)
    one = replace(call("find", {}), answer=answer)
    return report("pass", calls=[one], options={"args": {}}, **changes)


def said(*texts: str, **more: Any) -> dict[str, Any]:
    return {"result": {"content": [{"type": "text", "text": text} for text in texts], **more}}


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (said("milk", "tea"), ["  milk", "  tea"]),
        (said("no", isError=True), ["Answer of find (isError)", "  no"]),
        (said("a", structuredContent={"a": 1}), ['  structuredContent {"a": 1}']),
        ({"error": {"code": -32602, "message": "no"}}, ['  {"code": -32602, "message": "no"}']),
        ('{"result": {"content": [{"te…', ['  {"result": {"content": [{"te…']),
        (None, ["  (no response: answered)"]),
    ],
)
def test_the_answer_is_shown(message: Any, words: list[str]) -> None:
    lines = shown(message).splitlines()
    assert all(word in lines for word in words)


def test_escape_sequences_are_not_obeyed() -> None:
    assert "\x1b" not in shown(said("\x1b[31mred"))


def test_long_answers_are_cut_unless_all_is_wanted() -> None:
    many = said("\n".join(f"line {number}" for number in range(MOST_LINES + 7)))
    assert "… 7 more lines" in shown(many)
    assert f"line {MOST_LINES + 6}" in shown(many, verbose=True)


def test_markdown_has_it_too_and_other_runs_do_not() -> None:
    assert "- milk" in to_markdown(run(said("milk")))
    assert "Answer of" not in to_markdown(replace(run(said("milk")), options={}))
