"""A finding about the answer to a call belongs to the tool that was called, whichever rule made it.

So a baseline that accepts a fault of one tool never hides the same fault of another.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.model.baseline import Baseline
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.protocol import Session
from mcp_assay.report.as_text import full_text
from mcp_assay.report.baseline import accepted, read_baseline, write_baseline
from mcp_assay.report.shared_faults import folded
from mcp_assay.validate.options import Options
from mcp_assay.validate.run import validate
from tests.truth.running import report_on

TODAY: Final = date(2026, 11, 18)
IMAGE: Final = {"type": "image", "data": "%%%", "mimeType": "image/png"}
"""A block that is not base64: an error of the rules about messages."""


def call(id: Any, tool: Any, **more: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": {}, **more}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def result(id: Any, **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": members}


ANSWERS: Final = {
    "no content": (result(1), "CALL-001"),
    "content is a text": (result(1, content="Emma"), "CALL-001"),
    "unknown block": (result(1, content=[{"type": "hologram"}]), "SCHEMA-008"),
    "not base64": (result(1, content=[IMAGE]), "SCHEMA-007"),
    "isError is a text": (result(1, content=[], isError="no"), "SCHEMA-002"),
    "code is a text": (
        {"jsonrpc": "2.0", "id": 1, "error": {"code": "E1", "message": "no"}},
        "JSONRPC-014",
    ),
    "neither result nor error": ({"jsonrpc": "2.0", "id": 1}, "JSONRPC-009"),
    "no jsonrpc": ({"id": 1, "result": {"content": []}}, "JSONRPC-002"),
    "a member twice": (
        '{"jsonrpc": "2.0", "id": 1, "result": {"content": [], "content": []}}',
        "JSONRPC-018",
    ),
}


def answered(tool: Any, answer: Any, **more: Any) -> list[Finding]:
    session = Session("2025-11-25", partial=True)
    session.feed("c2s", call(1, tool, **more))
    return session.feed("s2c", answer)


@pytest.mark.parametrize("name", ANSWERS)
def test_each_tool_has_its_own_finding(name: str) -> None:
    answer, rule = ANSWERS[name]
    one, other = (answered(tool, answer) for tool in ("find_book", "find_loan"))
    assert [found.rule for found in one] == [found.rule for found in other]
    assert rule in {found.rule for found in one}
    for mine, theirs in zip(one, other, strict=True):
        assert (mine.where.tool, theirs.where.tool) == ("find_book", "find_loan")
        assert "find_book" in mine.cause
        assert mine.fingerprint != theirs.fingerprint


@pytest.mark.parametrize("name", ANSWERS)
def test_the_same_fault_of_the_same_tool_keeps_its_fingerprint(name: str) -> None:
    answer, _ = ANSWERS[name]
    plain = answered("find_book", answer)
    large = answered("find_book", answer, _meta={"padding": "x" * 20_000})
    assert [it.fingerprint for it in plain] == [it.fingerprint for it in large]


def test_a_rule_about_the_session_knows_the_tool_too() -> None:
    schema = {"type": "object", "required": ["pages"], "properties": {"pages": {"type": "integer"}}}
    tool = {"inputSchema": {"type": "object"}, "outputSchema": schema}
    tools = [{"name": name, **tool} for name in ("find_book", "find_loan")]
    session = Session("2025-11-25", partial=True)
    session.feed("c2s", {"jsonrpc": "2.0", "id": 0, "method": "tools/list"})
    session.feed("s2c", result(0, tools=tools))
    found = []
    for id, name in enumerate(("find_book", "find_loan"), 1):
        session.feed("c2s", call(id, name))
        found += session.feed("s2c", result(id, content=[], structuredContent={"pages": "many"}))
    kept = [it for it in found if it.rule == "CALL-003"]
    assert [it.where.tool for it in kept] == ["find_book", "find_loan"]
    assert len({it.fingerprint for it in kept}) == 2


def test_a_call_without_an_answer_names_its_tool() -> None:
    session = Session("2025-11-25")
    session.feed("c2s", call(1, "find_book"))
    assert [it.where.tool for it in session.close() if it.rule == "JSONRPC-026"] == ["find_book"]


def test_each_answer_of_a_batch_has_its_tool() -> None:
    session = Session("2025-03-26", partial=True)
    session.feed("c2s", [call(1, "find_book"), call(2, "find_loan")])
    found = session.feed("s2c", [result(2, content=[IMAGE]), result(1, content=[IMAGE])])
    assert [(it.pointer, it.where.tool) for it in found] == [
        ("/0/result/content/0/data", "find_loan"),
        ("/1/result/content/0/data", "find_book"),
    ]


@pytest.mark.parametrize("has_session", [True, False])
def test_lines_of_a_file_know_their_tools(tmp_path: Path, has_session: bool) -> None:
    messages = [call(1, "find_book"), result(1, content=[IMAGE])]
    messages += [call(2, "find_loan"), result(2, content=[IMAGE])]
    lines: list[Any] = messages
    if has_session:
        ways = ("c2s", "s2c") * 2
        lines = [{"dir": way, "message": it} for way, it in zip(ways, messages, strict=True)]
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = validate([str(file)], Options(partial=True))
    found = [(it.where.line, it.where.tool) for it in report.findings if it.rule == "SCHEMA-007"]
    assert found == [(2, "find_book"), (4, "find_loan")]


FOREIGN: Final = {
    "another method": (
        {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "find_book"}},
        result(1, messages="none"),
    ),
    "a list": ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, result(1, tools=7)),
    "a name that is no text": (call(1, 7), result(1, content="Emma")),
    "a name without end": (call(1, "x" * 300), result(1, content="Emma")),
    "an answer to nothing": (call(2, "find_book"), result(1, content="Emma", isError=7)),
    "params that are a list": (
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["find_book"]},
        result(1, content="Emma"),
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_answers_no_known_call_has_no_tool(name: str) -> None:
    request, answer = FOREIGN[name]
    session = Session("2025-11-25", partial=True)
    session.feed("c2s", request)
    assert all(it.where.tool is None for it in session.feed("s2c", answer))


def test_what_is_about_no_tool_keeps_the_fingerprint_of_earlier_versions() -> None:
    session = Session("2025-11-25", partial=True)
    session.feed("c2s", {"jsonrpc": "2.0", "id": 9, "method": "tools/list"})
    (of_list,) = session.feed("s2c", result(9, tools=7))
    request = {"jsonrpc": "2.0", "id": 11, "method": "tools/call", "params": {"arguments": {}}}
    (of_client,) = session.feed("c2s", request)
    assert (of_list.rule, of_list.fingerprint) == ("SCHEMA-002", "d37e265b0a388802")
    assert (of_client.rule, of_client.fingerprint) == ("SCHEMA-001", "79b5011a9936e7f0")


@pytest.fixture(scope="module")
def both() -> Report:
    return report_on("faulty-cover-and-map")


def test_an_assessment_names_every_tool_and_shows_them_as_one(both: Report) -> None:
    found = [it for it in both.findings if it.rule == "SCHEMA-007"]
    assert {it.where.tool for it in found} == {"read_cover", "read_map"}
    (shown,) = (it for it in folded(both.findings) if it.rule == "SCHEMA-007")
    assert shown.message.endswith('Seen in 2 tools: "read_cover", "read_map".')
    screen = "".join(part for line in full_text(both) for part, _ in line)
    assert screen.count("error  SCHEMA-007") == 1


def test_a_baseline_for_one_tool_hides_no_other(both: Report) -> None:
    known = read_baseline(write_baseline(report_on("faulty-cover"), Baseline()).encode())
    left = accepted(both, known, TODAY)
    assert {it.where.tool for it in left.findings if it.rule == "SCHEMA-007"} == {"read_map"}
    assert left.summary.outcome == "fail"


def test_a_baseline_for_all_tools_accepts_them_all_and_goes_stale_one_by_one(both: Report) -> None:
    known = read_baseline(write_baseline(both, Baseline()).encode())
    assert not [it for it in accepted(both, known, TODAY).findings if it.rule == "SCHEMA-007"]
    partly = accepted(report_on("faulty-map"), known, TODAY)
    assert partly.baseline is not None
    stale = [(it.entry.rule, it.entry.tool) for it in partly.baseline.overdue]
    assert ("SCHEMA-007", "read_cover") in stale
    assert ("SCHEMA-007", "read_map") not in stale


def test_an_entry_that_named_no_tool_accepts_nothing_and_is_stale(both: Report) -> None:
    """Earlier versions made one fingerprint of the method for all tools."""
    old = {"fingerprint": "08c2c35cdcd94628", "rule": "SCHEMA-007", "message": "not base64"}
    text = write_baseline(both, Baseline())
    run = json.loads(text)["run"]
    baseline = {"schema": "mcp-assay/baseline/1", "run": run, "entries": [old]}
    left = accepted(both, read_baseline(json.dumps(baseline).encode()), TODAY)
    assert len([it for it in left.findings if it.rule == "SCHEMA-007"]) == 2
    assert left.baseline is not None
    assert [(it.entry.fingerprint, it.why) for it in left.baseline.overdue] == [
        (old["fingerprint"], "stale")
    ]


def test_a_tool_that_a_probe_made_up_is_none() -> None:
    report = report_on("odd-meta")
    rows = [one.where.tool for one in report.findings if one.rule == "META-001"]
    assert sorted(map(str, rows)) == ["read_cover", "read_map"]


def test_what_only_calls_of_no_tool_show_is_about_none() -> None:
    report = report_on("odd-refusals")
    assert [one.where.tool for one in report.findings if one.rule == "META-001"] == [None]
