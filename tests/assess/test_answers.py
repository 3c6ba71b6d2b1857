"""What a server asks of its client is answered from --examples, in both eras."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.assess.examples import examples_in
from tests.cli.conftest import Cli, cli

__all__ = ["cli"]

ROOT = Path(__file__).parents[2]
SERVER = (sys.executable, str(ROOT / "tests" / "real" / "asking_server.py"))
EXAMPLES = """
[sampling]
text = "Middlemarch"
[elicitation]
content = { shelf = "A3" }
[roots]
uris = ["file:///books"]
"""
ALL = {"books_on_shelf", "suggest_title", "find_folder"}


@pytest.mark.parametrize(
    ("table", "method", "result"),
    [
        (
            {"sampling": {"text": "x", "model": "m"}},
            "sampling/createMessage",
            {
                "role": "assistant",
                "content": {"type": "text", "text": "x"},
                "model": "m",
                "stopReason": "endTurn",
            },
        ),
        ({"sampling": {"result": {"a": 1}}}, "sampling/createMessage", {"a": 1}),
        (
            {"elicitation": {"content": {"a": 1}}},
            "elicitation/create",
            {"action": "accept", "content": {"a": 1}},
        ),
        ({"elicitation": {"action": "cancel"}}, "elicitation/create", {"action": "cancel"}),
        (
            {"roots": {"uris": ["file:///a", {"uri": "file:///b", "name": "B"}]}},
            "roots/list",
            {"roots": [{"uri": "file:///a"}, {"uri": "file:///b", "name": "B"}]},
        ),
    ],
)
def test_simple_words_become_whole_answers(
    table: dict[str, Any], method: str, result: dict[str, Any]
) -> None:
    assert examples_in(table, {}).answers == {method: result}
    assert examples_in({}, table).answers == {method: result}


def test_what_is_not_said_is_not_answered() -> None:
    assert examples_in({}, {}).answers == {}


@pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed")
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_a_real_server_gets_its_answers(cli: Cli, tmp_path: Path, revision: str) -> None:
    (tmp_path / "examples.toml").write_text(EXAMPLES)
    given = ("--examples", str(tmp_path / "examples.toml"), "--record", str(tmp_path / "trace"))
    common = ("assess", "--no-input", "--format", "json", "--max-calls", "3")
    ended = cli(*common, "--revision", revision, *given, "--", *SERVER)
    report = json.loads(ended.out)
    assert ended.code == 0
    assert {tool["name"] for tool in report["tools"] if tool["status"] == "fully_working"} == ALL
    trace = (tmp_path / "trace").read_text("utf-8")
    for words in ("Read Middlemarch", "Nothing on A3", "In file:///books"):
        assert words in trace


@pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed")
def test_without_examples_nothing_succeeds(cli: Cli) -> None:
    ended = cli(
        *("assess", "--no-input", "--format", "json", "--max-calls", "3"),
        *("--revision", "2026-07-28", "--", *SERVER),
    )
    assert ended.code == 3
    assert json.loads(ended.out)["summary"]["tools_succeeded"] == 0
