"""Questions on a real terminal, asked once, and what the answers lead to."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.assess.running import SERVERS

pytest.importorskip("pty", reason="the system has no pseudo-terminals")

from tests.cli.asked_on_terminal import RawClient, conversation

DEMO = (sys.executable, "-m", "mcp_assay.demo_server")
START = "Start it?"
CALL = "Call them with generated"
JSON = ("--format", "json", "--max-calls", "3", "--select", "RESP")
"""Few calls and no probes: what is asked, and what comes of the answers, is the same."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    entry = {"command": sys.executable, "args": [str(SERVERS), "both-eras"]}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"books": entry}}))
    return tmp_path


def report_of(reported: RawClient) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(reported.out)
    return report


@pytest.mark.parametrize("command", ["assess", "lint"])
def test_a_configured_command_is_shown_and_starts_after_a_yes(config: Path, command: str) -> None:
    reported = conversation(
        [command, "--config", "mcp.json", "--format", "json"], {START: "y"}, config
    )
    assert reported.code == 0
    assert f"{SERVERS} both-eras" in reported.screen
    assert reported.screen.count(START) == 1
    assert report_of(reported)["summary"]["tools_listed"] == 1


@pytest.mark.parametrize("answer", ["n", ""])
def test_a_configured_command_does_not_start_without_one(config: Path, answer: str) -> None:
    reported = conversation(["assess", "--config", "mcp.json"], {START: answer}, config)
    assert (reported.code, reported.out) == (2, "")
    assert "the server was not started" in reported.screen


@pytest.mark.parametrize("option", ["--yes", "--no-input"])
def test_nobody_is_asked_who_does_not_want_it(config: Path, option: str) -> None:
    reported = conversation(["assess", "--config", "mcp.json", option, *JSON], {}, config)
    assert reported.code == 0
    assert START not in reported.screen


@pytest.mark.parametrize(
    ("answers", "called", "consent"),
    [
        ({CALL: "y"}, {"add_note"}, {"answer": "yes", "allowed": ["add_note"]}),
        ({CALL: "n"}, set(), {"answer": "no", "allowed": []}),
        (
            {CALL: "choose", "Call add_note?": "n", "Call delete_note?": "y"},
            {"delete_note"},
            {"answer": "choose", "allowed": ["delete_note"]},
        ),
    ],
)
def test_one_question_for_the_tools_that_are_not_called(
    tmp_path: Path, answers: dict[str, str], called: set[str], consent: dict[str, Any]
) -> None:
    reported = conversation(["assess", *JSON, "--", *DEMO], answers, tmp_path)
    report = report_of(reported)
    assert {call["tool"] for call in report["calls"]} & {"add_note", "delete_note"} == called
    options = [word for name in consent["allowed"] for word in ("--allow", name)]
    given = {"given_by": "terminal", "in_world": False}
    assert report["consent"] == {**consent, **given, "options": options}


def test_all_servers_are_confirmed_once_and_each_is_asked_about_in_order(tmp_path: Path) -> None:
    demo = {"command": DEMO[0], "args": list(DEMO[1:])}
    servers = {"first": demo, "gone": {"command": "no-such-command"}, "second": demo}
    (tmp_path / "mcp.json").write_text(json.dumps({"servers": servers}))
    answers = {"Start them?": "y", "Server first:": "y", "Server second:": "n"}
    reported = conversation(["assess", "--config", "mcp.json", "--all", *JSON], answers, tmp_path)
    assert reported.screen.count("Start them?") == 1
    assert reported.screen.count(CALL) == 2
    assert re.search(r"\d of 3 servers done  \d+\.\d s", reported.screen)
    first, gone, second = (it["report"] for it in report_of(reported)["servers"])
    assert first["consent"] == {
        "answer": "yes",
        "allowed": ["add_note"],
        "given_by": "terminal",
        "in_world": False,
        "options": ["--allow", "add_note"],
    }
    assert {call["tool"] for call in first["calls"]} >= {"add_note"}
    assert (gone["consent"], second["consent"]["answer"]) == (None, "no")


def test_what_was_denied_is_not_asked_about(tmp_path: Path) -> None:
    denied = ("--deny", "add_note", "--deny", "delete_note")
    reported = conversation(["assess", *JSON, *denied, "--", *DEMO], {}, tmp_path)
    assert CALL not in reported.screen
    assert report_of(reported)["consent"] is None
