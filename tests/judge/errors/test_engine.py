"""How evidence is gathered and weighed, shown with a few patterns of its own."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.judge.errors.classifier import Classifier
from mcp_assay.judge.errors.wording import read_table
from mcp_assay.model.verdict import Category, ErrorVerdict, ValidationContext

CLASSIFIER = Classifier(
    read_table(
        "own",
        """
        = own =
        == business strong ==
        not found | must be positive | invalid | ENOENT
        == failure certain ==
        segfault | TypeError
        == failure fair ==
        ValueError
        == environment strong ==
        timeout | connection refused
        == frames strong ==
        Traceback (most recent call last)
        == conversion strong ==
        could not convert
        == unclear fair ==
        something went wrong
        == wrapper ==
        error executing tool
        """,
    )
)


def explained(
    text: str,
    sent: dict[str, Any] | None = None,
    tool: str = "render",
    category: Category | None = None,
    stderr: str = "",
) -> ErrorVerdict:
    response = {"isError": True, "content": [{"type": "text", "text": text}]}
    context = ValidationContext({"name": tool}, sent or {}, response, category, stderr)
    return CLASSIFIER.explain(context)


TRACE = """Traceback (most recent call last):
  File "/srv/app/tools.py", line 3, in pay
    {code}
{error}"""


@pytest.mark.parametrize(
    ("text", "sent", "kind"),
    [
        ("File not found: segfault.txt", {"path": "segfault.txt"}, "business"),
        ("File not found: segfault.txt", {}, "business"),
        ("No file /srv/segfault/x: not found", {}, "business"),
        ("User timeout not found", {"name": "timeout"}, "business"),
        ("mode is invalid", {"mode": "invalid"}, "business"),
        ("timeout_ms is not found", {}, "business"),
        ("Lookup failed: 'timeout' not found", {}, "business"),
        ("User not found: connection refused", {}, "environment"),
        ("Connection refused: user not found", {}, "business"),
        ("Something went wrong: user not found", {}, "business"),
        ("Something went wrong", {}, "unclear"),
        ("Error executing tool render", {}, "unclear"),
        ("Error executing tool render: 'weights'", {}, "failure"),
        ("Could not convert 'abc'", {"amount": "abc"}, "business"),
        ("Could not convert 'abc'", {"path": "/srv/x"}, "failure"),
        ("Could not convert it", {"sql": "select 1"}, "business"),
        ("", {}, "unclear"),
        ("  \n ", {}, "unclear"),
    ],
)
def test_words_count_where_they_speak_for_themselves(
    text: str, sent: dict[str, Any], kind: str
) -> None:
    assert explained(text, sent).kind == kind


@pytest.mark.parametrize(
    ("code", "error", "kind"),
    [
        ('raise ValueError("amount must be positive")', "ValueError: must be positive", "business"),
        ("amount = amounts[0]", "ValueError: nothing there", "failure"),
        ("check_not_found(timeout)", "TypeError: x", "failure"),
    ],
)
def test_only_a_deliberate_raise_makes_a_trace_a_refusal(code: str, error: str, kind: str) -> None:
    assert explained(TRACE.format(code=code, error=error)).kind == kind


def test_words_in_frames_are_no_evidence() -> None:
    found = explained(TRACE.format(code="check_not_found(timeout)", error="TypeError: x"))
    assert {factor.text for factor in found.factors if factor.speaks_for != "failure"} == set()


def test_standard_error_decides_where_the_response_is_silent() -> None:
    trace = TRACE.format(code="x = y", error="TypeError: y")
    assert explained("Error executing tool render").kind == "unclear"
    assert explained("Error executing tool render", stderr=trace).kind == "failure"


def test_standard_error_of_something_else_is_not_received() -> None:
    trace = TRACE.format(code="x = y", error="TypeError: background job")
    assert explained("User not found", stderr=trace).kind == "business"


def test_a_trace_with_the_message_of_the_response_speaks_for_failure() -> None:
    trace = TRACE.format(code="x = y", error="ValueError: bad news")
    assert explained("bad news").kind == "unclear"
    assert explained("bad news", stderr=trace).kind == "failure"


@pytest.mark.parametrize("category", ["happy_path", "edge_case", "boundary", "error_case"])
def test_the_scenario_never_decides_alone(category: Category) -> None:
    assert explained("Error executing tool render", category=category).kind == "unclear"


def test_the_name_of_a_tool_never_decides_alone() -> None:
    assert explained("hmm", tool="delete_user").kind == "unclear"
    assert explained("segfault", tool="delete_user").kind == "failure"


def test_name_parts_are_whole_words() -> None:
    names = ("widget_render", "compute_hash", "address_book", "payload_validator")
    for name in names:
        assert "tool that validates" not in {f.name for f in explained("x", tool=name).factors}
    for name in ("get_user", "deleteUser", "users.list", "HTTPGet"):
        assert "tool that validates" in {f.name for f in explained("x", tool=name).factors}


def test_every_factor_says_what_triggered_it() -> None:
    found = explained("User x1 NOT found", {"user": "x1z"}, "get_user", "error_case")
    reported = {(factor.name, factor.speaks_for, factor.text) for factor in found.factors}
    assert reported == {
        ("business pattern", "business", "NOT found"),
        ("tool that validates", "business", "get"),
        ("names what was sent", "business", "user"),
        ("scenario", "business", "error_case"),
    }


@pytest.mark.parametrize(
    ("text", "sent", "kind"),
    [
        ("No book has the number 0.", {"number": 0}, "business"),
        ("Nobody knows the city 'Oz'", {"city": "Oz"}, "business"),
        ("Nothing there for user_id: 7", {"user_id": 7}, "business"),
        ("No book has the number 10.", {"number": 1}, "unclear"),
        ("A number was odd, and 0 came of it", {"number": 0}, "unclear"),
        ("TypeError: number 0", {"number": 0}, "failure"),
    ],
)
def test_an_argument_that_is_reported_with_its_value_is_what_was_refused(
    text: str, sent: dict[str, Any], kind: str
) -> None:
    assert explained(text, sent).kind == kind


MISSING = "ENOENT: no such file or directory, scandir '/srv/files/{}'"


@pytest.mark.parametrize(
    ("text", "sent", "kind"),
    [
        (MISSING.format("q"), {"path": "q"}, "business"),
        (MISSING.format("   "), {"path": "   "}, "business"),
        (MISSING.format("cache"), {"path": "q"}, "environment"),
        ("'could not convert v'", {"zone": "v"}, "business"),
        ("'could not convert    '", {"zone": "   "}, "business"),
        ("'could not convert w'", {"zone": "v"}, "failure"),
        ("'could not convert 1'", {"zone": 1}, "failure"),
    ],
)
def test_short_and_blank_values_count_only_where_they_are_surely_quoted(
    text: str, sent: dict[str, Any], kind: str
) -> None:
    assert explained(text, sent).kind == kind


def test_words_that_are_only_quoted_are_reported_and_not_weighed() -> None:
    found = explained("File not found: segfault", {"path": "segfault"})
    (quoted,) = [factor for factor in found.factors if factor.name == "quoted input"]
    assert (quoted.text, quoted.speaks_for, quoted.weight) == ("segfault", "failure", 0)


@pytest.mark.parametrize("category", ["happy_path", "edge_case", "error_case", None])
def test_the_scenario_does_not_excuse_a_text_of_the_tools_own(category: Category | None) -> None:
    found = explained("Could not convert the table", {"city": ""}, category=category)
    assert found.kind == "failure"


def test_a_field_that_was_left_out_is_known_from_the_tool() -> None:
    tool = {"name": "x", "inputSchema": {"properties": {"title": {}}}}
    response = {"isError": True, "content": [{"type": "text", "text": "Could not convert 'title'"}]}
    assert CLASSIFIER.explain(ValidationContext(tool, {"a": 1}, response)).kind == "business"


def test_a_value_is_looked_for_at_every_place() -> None:
    assert explained("Could not convert to float: 'o'", {"x": "o"}).kind == "business"


def test_the_cause_at_the_end_of_a_long_message_is_seen() -> None:
    lines = "".join(f"{number}: item not found\n" for number in range(160))
    assert explained(f"{lines}TypeError: x").kind == "failure"


@pytest.mark.parametrize(
    "stderr",
    [
        "INFO: connection refused earlier\n",
        "2026-01-01 10:00:00 [info] timeout is 30 s\n",
        "WARNING: TypeError is deprecated\n",
        "listening on port 80, timeout 30\n",
    ],
)
def test_chatter_on_standard_error_is_no_evidence(stderr: str) -> None:
    assert explained("Error executing tool render", stderr=stderr).kind == "unclear"
    assert explained("User not found", stderr=stderr + "ERROR: User not found").kind == "business"


def test_an_error_line_on_standard_error_is_evidence_where_nothing_else_is() -> None:
    stderr = "INFO: ready\nFATAL ERROR: segfault\n"
    assert explained("Error executing tool render", stderr=stderr).kind == "failure"


def test_a_certain_crash_is_certain_also_where_it_names_what_was_sent() -> None:
    assert explained("segfault while reading a.txt", {"path": "a.txt"}).confidence == 100


def test_words_that_begin_in_a_quoted_value_are_those_of_the_caller() -> None:
    said = "Project 'segfault' not found"
    table = read_table("own", "= own =\n== failure certain ==\nsegfault … not found\n")
    context = ValidationContext(
        {"name": "scan"}, {"project": "segfault"}, {"content": [{"type": "text", "text": said}]}
    )
    other = ValidationContext(
        {"name": "scan"}, {"project": "tea"}, {"content": [{"type": "text", "text": said}]}
    )
    assert Classifier(table).explain(other).kind == "failure"
    assert Classifier(table).explain(context).kind != "failure"
