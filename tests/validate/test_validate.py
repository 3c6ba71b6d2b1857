"""The facade behind `mcp-assay validate`, called from Python."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.model.report import Report
from mcp_assay.validate import KNOWN_RULES, Options, Run, rule_name, validate
from tests.validate.traces import session

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
NULL_ID = '{"jsonrpc":"2.0","id":null,"method":"ping"}'
PIECES = [
    PING,
    NULL_ID,
    '{"dir":"c2s","session":"s","message":',
    '{"dir":"s2c","exchange":1,"message":',
    '"http":{"request_headers":{"Mcp-Session-Id":"x"}},',
    '{"dir":"c2s","message":',
    '{"dir":"s2c","raw":"',
    "{",
    "[",
    "]",
    "}",
    '"',
]


@pytest.mark.parametrize(
    "options",
    [
        {"select": ("NOPE",)},
        {"ignore": ("JSONRPC-999",)},
        {"revision": "2023-01-01"},
        {"profile": "swarm"},
    ],
)
def test_an_option_that_does_not_exist_raises(options: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "ping.json"
    file.write_text(PING)
    with pytest.raises(ValueError, match=r"NOPE|JSONRPC-999|2023-01-01|allowed: mcp, envelope"):
        validate([str(file)], Options(**options))


@given(
    content=st.lists(
        st.sampled_from([piece.encode() for piece in PIECES] + [b"\n", b"\0", b"\xff"])
        | st.binary(max_size=12)
    ).map(b"".join)
)
def test_no_content_makes_it_raise(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "content"
    file.write_bytes(content)
    run = Run(Options())
    run.judge(str(file))
    assert isinstance(run.report(), Report)
    assert run.own_faults == 0


def test_a_session_goes_on_in_the_next_file(tmp_path: Path) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    lines = [{"dir": "c2s", "message": asked}, {"dir": "s2c", "message": answer}]
    files = []
    for number, line in enumerate(lines):
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_text(json.dumps({**line, "session": "s"}))
    report = validate(map(str, files))
    assert ("SCHEMA-002", "/result/tools") in {(f.rule, f.pointer) for f in report.findings}
    assert report.summary.sessions == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_line_is_judged_alike_wherever_its_session_stands(tmp_path: Path, seed: int) -> None:
    lines, key = list(session(Random(seed))), {"session": "s"}
    found = []
    for before, after in ((key, {}), ({}, key), (key, {"sse": None})):
        file = tmp_path / "trace.jsonl"
        file.write_text("".join(json.dumps(before | line | after) + "\n" for line in lines))
        findings = validate([str(file)]).findings
        found.append([(f.rule, f.message, f.pointer, f.where.line) for f in findings])
    assert found[0] == found[1] == found[2]


def test_files_without_a_session_are_conversations_of_their_own(tmp_path: Path) -> None:
    asked, answer = tmp_path / "asked.json", tmp_path / "answer.json"
    asked.write_text('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    answer.write_text('{"jsonrpc":"2.0","id":1,"result":{}}')
    assert validate([str(asked), str(answer)]).findings == []


def test_memory_does_not_grow_with_the_findings(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text(f"{NULL_ID}\n" * 3_000)
    run = Run(Options(max_findings=5))
    run.judge(str(file))
    tally = run.collector.tally
    assert (len(tally.kept), tally.severities["error"]) == (5, 3_000)


def test_every_rule_of_the_registry_is_known_by_its_name() -> None:
    assert rule_name("ENV-001") == "trace-line-not-understood"
    assert rule_name("JSONRPC-005") == "null-request-id"
    assert "ENV-003" in KNOWN_RULES
