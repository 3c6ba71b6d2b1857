"""`--format jsonl` and `--report jsonl=PATH`: events as they happen, and the report in the end."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.tool import CallRow, ToolRow
from tests.assess.running import SERVERS
from tests.cli.conftest import Cli
from tests.cli.test_live import NULL_ID, hear, say, validating
from tests.proxy.stdio import proxied, run

INPUTS = Path(__file__).parent / "inputs"
NULL_IDS = NULL_ID * 5
SERVER = ("--", sys.executable, SERVERS)
QUICK = ("assess", "--max-calls", 8, "--no-input")


def read(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def findings(events: list[dict[str, Any]]) -> list[Any]:
    gone = {event["number"] for event in events if event["event"] == "withdrawn"}
    return [it["finding"] for it in events if it["event"] == "finding" and it["number"] not in gone]


def in_order(found: list[Any]) -> list[str]:
    return sorted(json.dumps(one, sort_keys=True) for one in found)


def test_an_assessment_reports_everything_as_it_happens(cli: Cli, tmp_path: Path) -> None:
    saved, also = tmp_path / "report.json", tmp_path / "events.jsonl"
    reports = ("--report", f"json={saved}", "--report", f"jsonl={also}")
    ended = cli(*QUICK, "--format", "jsonl", *reports, *SERVER, "wrong-type-accepted")
    events, report = read(ended.out), json.loads(saved.read_text("utf-8"))
    assert also.read_text("utf-8") == ended.out
    kinds = list(dict.fromkeys(event["event"] for event in events))
    assert kinds == [
        *("begin", "connected", "listed", "permitted", "call", "finding", "tool", "limit"),
        *("check", "summary"),
    ]
    assert report["findings"]
    assert findings(events) == report["findings"]
    assert [it["call"] for it in events if it["event"] == "call"] == report["calls"]
    assert [it["tool"] for it in events if it["event"] == "tool"] == report["tools"]
    assert [it["check"] for it in events if it["event"] == "check"] == report["checks"]
    assert events[-1]["summary"] == report["summary"]
    for name, record in (("tools", ToolRow), ("calls", CallRow)):
        assert {tuple(row) for row in report[name]} == {record.__struct_fields__}


@pytest.mark.parametrize(
    "given",
    [
        ("validate", *sorted(INPUTS.glob("*.jsonl"))),
        ("validate", "--max-findings", 1, *sorted(INPUTS.glob("*.jsonl"))),
        ("validate", "--jobs", 2, *sorted(INPUTS.glob("*.jsonl"))),
        ("lint", Path(__file__).parents[2] / "examples" / "weather-tools.json"),
        ("lint", "--timeout", 60, *SERVER, "no-description"),
    ],
    ids=["validate", "cut", "jobs", "lint-file", "lint-server"],
)
def test_the_findings_are_those_of_the_report(
    cli: Cli, tmp_path: Path, given: tuple[Any, ...]
) -> None:
    saved = tmp_path / "report.json"
    name, *others = given
    ended = cli(name, "--format", "jsonl", "--report", f"json={saved}", *others)
    events, report = read(ended.out), json.loads(saved.read_text("utf-8"))
    assert report["findings"]
    assert in_order(findings(events)) == in_order(report["findings"])
    assert [it["limit"] for it in events if it["event"] == "limit"] == report["limits"]
    assert events[-1]["event"] == "summary"


def test_what_a_baseline_accepts_is_withdrawn(cli: Cli, tmp_path: Path) -> None:
    baseline = ("--baseline", tmp_path / "baseline.json")
    assert cli("validate", *baseline, "--update-baseline", stdin=NULL_IDS).code == 0
    ended = cli("validate", *baseline, "--format", "jsonl", stdin=NULL_IDS)
    events = read(ended.out)
    assert (ended.code, findings(events)) == (0, [])
    assert sum(event["event"] == "withdrawn" for event in events) == 5


def test_verbose_events_tell_the_phases_and_each_tool_before_its_verdict(
    cli: Cli, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'history.db'}"
    given = ("--format", "jsonl", "--verbose", "--history", store, *SERVER, "output-schema")
    events = read(cli(*QUICK, *given).out)
    phases = [it["phase"] for it in events if it["event"] == "phase"]
    assert phases == ["connecting", "listing", "probing", "reading", "calling", "comparing"]
    rows = {it["tool"]["name"]: it["tool"] for it in events if it["event"] == "tool"}
    progress = {it["tool"]: it for it in events if it["event"] == "progress"}
    assert progress.keys() == {name for name, row in rows.items() if row["called"]}
    for name, latest in progress.items():
        assert latest["finished"]
        assert {it: latest[it] for it in ("called", "succeeded", "rejected")} == {
            it: rows[name][it] for it in ("called", "succeeded", "rejected")
        }
    kinds = [event["event"] for event in events]
    assert kinds.index("progress") < kinds.index("tool")
    assert kinds[-2:] == ["summary", "recorded"]
    assert events[-1]["run"] == 1


def test_an_event_appears_at_once_and_an_interruption_leaves_whole_lines() -> None:
    with validating("--format", "jsonl") as process:
        assert json.loads(hear(process))["event"] == "begin"
        say(process, NULL_ID)
        assert json.loads(hear(process))["finding"]["rule"] == "JSONRPC-005"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 130
    assert read(out.decode())[-1]["summary"]["outcome"] == "incomplete"


def test_a_proxy_writes_events_and_every_other_form_without_secrets(tmp_path: Path) -> None:
    said = b'{"jsonrpc":"2.0","id":null,"method":"correct-horse-battery"}\n'
    events, sarif = tmp_path / "events.jsonl", tmp_path / "report.sarif"
    reports = ("--report", f"jsonl={events}", "--report", f"sarif={sarif}")
    secret = ("--env", "WORD=correct-horse-battery")
    assert run(proxied(["cat"], *reports, *secret), said).code == 0
    reported = read(events.read_text("utf-8"))
    assert "JSONRPC-005" in [one["rule"] for one in findings(reported)]
    assert reported[-1]["event"] == "summary"
    results = json.loads(sarif.read_text("utf-8"))["runs"][0]["results"]
    assert len(results) == len(findings(reported))
    assert b"correct-horse" not in events.read_bytes() + sarif.read_bytes()


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_done(cli: Cli) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    ended = cli("validate", "--report", "jsonl=/dev/full", stdin=NULL_ID)
    assert ended.code == 2
    assert "/dev/full could not be written: No space left" in ended.err
