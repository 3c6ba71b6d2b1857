"""`mcp-assay assess` and `mcp-assay demo` as people use them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from mcp_assay.assess.permissions import DESTRUCTIVE, NO_HINT
from mcp_assay.cli import questions
from tests.assess.running import SERVERS
from tests.cli.conftest import Cli, cli

__all__ = ["cli"]

SERVER = (sys.executable, str(SERVERS))


def server(name: str) -> tuple[str, ...]:
    return ("--no-input", "--max-calls", "15", "--", *SERVER, name)


def report_of(out: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(out)
    report.pop("timing")
    return report


def test_the_demo_shows_its_faults_and_ends_well(cli: Cli) -> None:
    ended = cli("demo")
    assert ended.code == 0
    assert ended.out.startswith("FAIL  2 errors")
    assert "search_notes   partly working" in ended.out
    assert 'smallest {"query": "ü"}' in ended.out
    assert "delete_note    not called" in ended.out
    (row,) = [line for line in ended.out.splitlines() if line.startswith("  notes_summary ")]
    assert " 9 0 1 8" in " ".join(row.split()), "what its schema forbids is unexpected"


def test_the_same_seed_gives_the_same_report(cli: Cli) -> None:
    first, second = (cli("demo", "--format", "json").out for _ in range(2))
    assert report_of(first) == report_of(second)


def test_the_report_says_which_server_it_is_about(cli: Cli) -> None:
    report = report_of(cli("demo", "--format", "json").out)
    assert report["subject"]["server_info"]["name"] == "mcp-assay-demo"
    assert report["revision"] in report["revisions_offered"]
    assert report["summary"]["tools_listed"] == 6


def test_a_tool_without_permission_is_never_called(cli: Cli) -> None:
    report = report_of(cli("demo", "--format", "json").out)
    called = {call["tool"] for call in report["calls"]}
    assert called == {"list_notes", "notes_summary", "get_note", "search_notes"}


def test_one_call_is_repeated_as_the_report_says(cli: Cli, monkeypatch: Any) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    arguments = ("--only", "search_notes", "--args", '{"query": "ü"}', "--format", "json")
    command = ("--", sys.executable, str(Path("src/mcp_assay/demo_server.py").resolve()))
    environment = ("--env", f"PYTHONPATH={Path('src').resolve()}")
    ended = cli("assess", "--no-input", *arguments, *environment, *command)
    report = report_of(ended.out)
    assert [call["arguments"] for call in report["calls"]] == [{"query": "ü"}]
    assert "RESP-004" in {finding["rule"] for finding in report["findings"]}


def test_a_dry_run_calls_nothing(cli: Cli) -> None:
    ended = cli("assess", "--dry-run", "--format", "json", *server("both-eras"))
    report = report_of(ended.out)
    assert (ended.code, report["calls"]) == (0, [])
    assert {tool["status"] for tool in report["tools"]} == {"not_called"}
    called = cli("assess", "--format", "json", *server("both-eras"))
    assert report_of(called.out)["calls"] != []


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("assess",), 2, "name a server"),
        (("assess", "--args", "{}", "--", "true"), 2, "--args needs --only"),
        (("assess", "--only", "x", "--args", "{", "--", "true"), 2, "--args is not JSON"),
        (("assess", "--only", "x", "--args", "[]", "--", "true"), 2, "must be a JSON object"),
    ],
)
def test_what_cannot_be_assessed_gets_one_sentence(
    cli: Cli, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    ended = cli(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert sentence in ended.err


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("no-such-program-of-ours",), "no-such-program-of-ours"),
        ((sys.executable, "-c", "raise SystemExit(7)"), "exited with code 7"),
    ],
)
def test_a_server_that_is_not_reached_is_reported_too(
    cli: Cli, command: tuple[str, ...], sentence: str
) -> None:
    ended = cli("assess", "--format", "json", "--", *command)
    summary = report_of(ended.out)["summary"]
    assert (ended.code, summary["outcome"]) == (3, "incomplete")
    assert sentence in summary["reason"]
    assert sentence in ended.err
    assert "PASS" not in cli("assess", "--", *command).out


CLOSED = [("add", NO_HINT), ("drop", DESTRUCTIVE)]


def test_a_yes_does_not_reach_destructive_tools(monkeypatch: Any) -> None:
    monkeypatch.setattr(click, "prompt", lambda *_, **__: "y")
    assert questions.ask(CLOSED).allowed == ["add"]
    assert questions.say_yes(CLOSED).allowed == ["add"]


def test_the_answer_to_the_question_may_be_no_or_a_choice(monkeypatch: Any) -> None:
    monkeypatch.setattr(click, "prompt", lambda *_, **__: "n")
    assert questions.ask(CLOSED).allowed == []
    monkeypatch.setattr(click, "prompt", lambda *_, **__: "choose")
    monkeypatch.setattr(click, "confirm", lambda words, **_: "drop" in words)
    assert questions.ask(CLOSED).allowed == ["drop"]


def test_where_nobody_is_there_nobody_is_blamed(cli: Cli) -> None:
    ended = cli("assess", "http://127.0.0.1:9/mcp", "--no-input", "--format", "json")
    assert ended.code == 3
    assert "no response from http://127.0.0.1:9" in ended.err
    assert report_of(ended.out)["findings"] == []


def test_a_text_on_standard_output_is_one_finding(cli: Cli) -> None:
    report = report_of(cli("assess", "--format", "json", *server("logs-on-stdout")).out)
    errors = [one["rule"] for one in report["findings"] if one["severity"] == "error"]
    assert errors == ["STDIO-001"]
    (check,) = [one for one in report["checks"] if one["rule"] == "JSONRPC-001"]
    assert check == {
        "rule": "JSONRPC-001",
        "outcome": "undecided",
        "reason": "STDIO-001 reports the same lines",
    }
