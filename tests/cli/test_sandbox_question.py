"""The question about a disposable world, on a real terminal, and what the answers lead to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pty", reason="the system has no pseudo-terminals")

from tests.cli.asked_on_terminal import RawClient, conversation
from tests.worlds import world

__all__ = ["world"]

pytestmark = pytest.mark.usefixtures("world")

DEMO = (sys.executable, "-m", "mcp_assay.demo_server")
INSIDE = "in a disposable world, where nothing on this machine changes? [Y/n/choose]"
JSON = ("--format", "json", "--max-calls", "3")
OTHERS = {"add_note", "delete_note"}


def report_of(reported: RawClient) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(reported.out)
    return report


@pytest.mark.parametrize(
    ("answers", "called", "consent"),
    [
        ({INSIDE: ""}, OTHERS, {"answer": "yes", "in_world": True, "options": ["--sandbox"]}),
        ({INSIDE: "n"}, set(), {"answer": "no", "in_world": False, "options": []}),
        (
            {INSIDE: "choose", "Call add_note?": "n", "Call delete_note?": ""},
            {"delete_note"},
            {
                "answer": "choose",
                "in_world": True,
                "options": ["--sandbox", "--calls", "safe", "--allow", "delete_note"],
            },
        ),
    ],
    ids=["silence", "no", "choose"],
)
def test_the_question_is_asked_once_and_a_yes_starts_the_server_inside(
    tmp_path: Path, answers: dict[str, str], called: set[str], consent: dict[str, Any]
) -> None:
    reported = conversation(["assess", *JSON, "--", *DEMO], answers, tmp_path, worlds=True)
    report = report_of(reported)
    assert reported.screen.count("[Y/n/choose]") == 1
    assert "Call them in a disposable world" in reported.screen
    assert {call["tool"] for call in report["calls"]} & OTHERS == called
    assert report["consent"].items() >= consent.items()
    assert report["options"].get("sandbox") == ("auto" if called else None)
    assert (report["sandbox"] is not None) == bool(called)


def test_events_tell_of_the_run_inside_alone(tmp_path: Path) -> None:
    options = ("--format", "jsonl", "--max-calls", "2")
    reported = conversation(["assess", *options, "--", *DEMO], {INSIDE: "y"}, tmp_path, worlds=True)
    events = [json.loads(line) for line in reported.out.splitlines()]
    kinds = [event["event"] for event in events]
    assert [kinds.count(kind) for kind in ("begin", "connected", "listed")] == [1, 1, 1]
    permitted = {event["tool"] for event in events if event.get("allowed")}
    assert permitted >= OTHERS


def test_of_several_servers_each_is_asked_about(tmp_path: Path) -> None:
    demo = {"command": DEMO[0], "args": list(DEMO[1:])}
    (tmp_path / "mcp.json").write_text(json.dumps({"servers": {"first": demo, "second": demo}}))
    answers = {"Start them?": "y", "Server first:": "y", "Server second:": "n"}
    reported = conversation(
        ["assess", "--config", "mcp.json", "--all", *JSON], answers, tmp_path, worlds=True
    )
    first, second = (it["report"] for it in report_of(reported)["servers"])
    assert {call["tool"] for call in first["calls"]} >= OTHERS
    assert (first["options"]["sandbox"], first["consent"]["in_world"]) == ("auto", True)
    assert second["options"].get("sandbox") is None
    assert not {call["tool"] for call in second["calls"]} & OTHERS
