"""A fault of ours in one place: the rest is done, the report is written, the fault is named."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from mcp_assay.assess import probes, tool_runner
from mcp_assay.assess import report as report_on_server
from mcp_assay.assess.events import call_row
from mcp_assay.assess.reads import ServerReads
from mcp_assay.cli.main import main
from mcp_assay.report import as_html
from mcp_assay.rules import load
from mcp_assay.rules.behaviour import rule as behaviour
from mcp_assay.rules.definition import linter
from mcp_assay.rules.definition.rule import RULES_ON
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.probe.rule import PROBES
from tests.assess.running import SERVERS

QUICK = ("--no-input", "--max-calls", "3", "--timeout", "30", "--max-time", "300")
SHOWN = "LookupError: no such thing"


class Ended(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    report: dict[str, Any]
    err: str


def fail(*_: object, **__: object) -> Any:
    raise LookupError("no such thing")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    code = main([*arguments])
    said = capsys.readouterr()
    return Ended(code, json.loads(said.out), said.err)


def assess(capsys: pytest.CaptureFixture[str], server: str, *options: str) -> Ended:
    command = (sys.executable, str(SERVERS), server)
    return run(capsys, "assess", *QUICK, *options, "--format", "json", "--", *command)


@pytest.fixture
def _broken_in_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break a rule about calls, one about definitions, a probe, a read and a rule of messages."""
    for subject in ("behaviour", "definition", "probe"):
        load(subject)
    rules = [replace(it, check=fail) if it.id == "RESP-005" else it for it in behaviour.RULES]
    monkeypatch.setattr(behaviour, "RULES", rules)
    on = {
        facet: [replace(it, check=fail) if it.id == "TOOL-003" else it for it in rules]
        for facet, rules in RULES_ON.items()
    }
    monkeypatch.setattr(linter, "RULES_ON", on)
    made = [replace(it, start=fail) if "JSONRPC-033" in it.decides else it for it in PROBES]
    monkeypatch.setattr(probes, "PROBES", made)
    monkeypatch.setattr(ServerReads, "_get_prompt", fail)
    real = SessionChecker.check

    def check(self: SessionChecker, raw: bytes, *more: Any) -> Any:
        return fail() if b'"prompts/list"' in raw else real(self, raw, *more)

    monkeypatch.setattr(SessionChecker, "check", check)


@pytest.mark.usefixtures("_broken_in_places")
def test_the_rest_of_a_run_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    ended = assess(capsys, "resources-and-prompts")
    assert ended.code == 4
    for stage in (
        "rule RESP-005",
        "rule TOOL-003",
        "the probe of JSONRPC-033",
        "reading",
        "a rule about messages",
    ):
        (line,) = {one for one in ended.err.splitlines() if f"internal error in {stage}" in one}
        assert SHOWN in line
        assert "(fail in test_own_faults.py, line " in line
    report = ended.report
    assert report["summary"]["outcome"] == "incomplete"
    assert "internal error in rule TOOL-003" in report["summary"]["reason"]
    assert {tool["status"] for tool in report["tools"]} == {"fully_working"}
    outcomes = {check["rule"]: check["outcome"] for check in report["checks"]}
    assert outcomes["JSONRPC-033"] == "undecided"
    assert outcomes["JSONRPC-002"] == "passed"
    assert "Traceback" not in ended.err


def test_a_tool_that_breaks_us_keeps_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, broken = tool_runner._context, set[str]()

    def broken_for_one(tool: dict[str, Any], scenario: Any, answer: Any) -> Any:
        broken.add(tool["name"])
        return fail() if tool["name"] == min(broken) else real(tool, scenario, answer)

    monkeypatch.setattr(tool_runner, "_context", broken_for_one)
    ended = assess(capsys, "five-pages", "--ignore", "LINT")
    assert ended.code == 4
    assert "internal error in tool" in ended.err
    statuses = [tool["status"] for tool in ended.report["tools"]]
    assert statuses.count("fully_working") >= len(statuses) - len(broken)


def test_the_report_is_written_without_what_breaks_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = iter([fail])

    def rows(*given: Any) -> Any:
        return next(failing, call_row)(*given)

    monkeypatch.setattr(report_on_server, "call_row", rows)
    ended = assess(capsys, "banner-on-stdout")
    assert ended.code == 4
    assert f"internal error in the report: {SHOWN}" in ended.err
    assert "STDIO-001" in {finding["rule"] for finding in ended.report["findings"]}


@pytest.fixture
def listing(tmp_path: Path) -> Iterator[str]:
    file = tmp_path / "tools.json"
    schema = {"type": "object"}
    tools = [{"name": "a b", "inputSchema": schema}, {"name": "ok", "inputSchema": []}]
    file.write_text(json.dumps({"tools": tools}))
    yield str(file)
    os.remove(file)


@pytest.mark.usefixtures("_broken_in_places")
def test_a_rule_that_fails_leaves_the_others_to_lint(
    capsys: pytest.CaptureFixture[str], listing: str
) -> None:
    ended = run(capsys, "lint", "--format", "json", listing)
    assert ended.code == 4
    assert f"internal error in rule TOOL-003: {SHOWN}" in ended.err
    assert ended.report["summary"]["outcome"] == "incomplete"
    assert "TOOL-006" in {finding["rule"] for finding in ended.report["findings"]}


def test_one_form_of_a_report_that_fails_costs_no_other(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    listing: str,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(as_html, "to_html", fail)
    files = {form: tmp_path / form for form in ("html", "junit", "sarif")}
    wanted = [word for form, path in files.items() for word in ("--report", f"{form}={path}")]
    code = main(["lint", *wanted, "--format", "json", listing])
    said = capsys.readouterr()
    assert code == 4
    assert f"internal error in the html report: {SHOWN}" in said.err
    assert json.loads(said.out)["findings"]
    assert [form for form, path in files.items() if path.exists()] == ["junit", "sarif"]


@pytest.mark.parametrize(
    ("server", "options", "code"),
    [
        ("handshake-only", (), 0),
        ("banner-on-stdout", (), 1),
        ("exits-at-once", (), 3),
        ("missing-module", (), 3),
        ("handshake-only", ("--calls", "none"), 0),
        ("never-answers", ("--max-time", "1"), 3),
    ],
)
def test_what_a_server_does_is_no_fault_of_ours(
    capsys: pytest.CaptureFixture[str], server: str, options: tuple[str, ...], code: int
) -> None:
    ended = assess(capsys, server, *options)
    assert ended.code == code
    assert "internal error" not in ended.err
