"""A command line that is read without the parser means what the parser would have read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcp_assay.cli import assess, lint, plain_commands, validate
from mcp_assay.cli.application import run
from mcp_assay.cli.plain_commands import COMPLETION_VARIABLE, FLAGS, given_plainly, run_plain
from tests.cli.conftest import Cli

PLAIN = [
    ["validate", "a.jsonl"],
    ["validate", "--quiet", "a.jsonl", "b.jsonl", "--no-color"],
    ["validate", "a b", ""],
    ["lint", "tools.json"],
    ["lint", "tools.json", "--verbose", "--no-input"],
    ["lint", "--", "server", "--quiet"],
    ["assess", "--", "server"],
    ["assess", "--no-input", "--", "sh", "-c", "exit", "--", "x"],
    ["assess", "--quiet", "--quiet", "--", "https://example.com/"],
]
OTHERS = [
    [],
    ["version"],
    ["proxy", "--", "server"],
    ["validate"],
    ["validate", "-"],
    ["validate", "--"],
    ["validate", "--", "a.jsonl"],
    ["validate", "a.jsonl", "--"],
    ["validate", "--quiet"],
    ["validate", "--quie", "a.jsonl"],
    ["validate", "--quiet=1", "a.jsonl"],
    ["validate", "--jobs", "2", "a.jsonl"],
    ["validate", "a.jsonl", "--help"],
    ["lint", "a.json", "b.json"],
    ["lint", "https://example.com/mcp"],
    ["lint", "a.json", "--"],
    ["lint", "a.json", "--", "server"],
    ["assess", "server"],
    ["assess", "--"],
    ["assess", "http://example.com/mcp"],
    ["assess", "--calls", "all", "--", "server"],
    ["assess", "--sandbox", "--", "server"],
    ["assess", "a", "--", "server"],
]
"""What must be parsed, or would be refused by who parses it."""


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """What the work of a command was given, where there is no configuration."""
    monkeypatch.chdir(tmp_path)
    given: list[Any] = []

    def note(*arguments: object) -> int:
        given.append(arguments)
        return 0

    for module, name in ((validate, "validate_all"), (lint, "lint_one"), (assess, "assess_one")):
        monkeypatch.setattr(module, name, note)
    return given


@pytest.mark.parametrize("arguments", PLAIN, ids=" ".join)
def test_a_plain_command_means_what_the_parser_reads(arguments: list[str], done: list[Any]) -> None:
    assert run_plain(arguments) == 0
    assert run(arguments) == 0
    (line, plainly), (parsed_line, parsed) = done
    assert plainly == parsed
    assert (line.command, line.typed) == (parsed_line.command, parsed_line.typed)
    assert not line.configured


@pytest.mark.parametrize("arguments", OTHERS, ids=" ".join)
def test_everything_else_is_left_to_the_parser(arguments: list[str]) -> None:
    assert given_plainly(arguments) is None


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("words", [["validate", "a"], ["lint", "a"], ["lint", "--", "a"]])
def test_a_flag_that_a_command_lacks_is_left_to_the_parser(
    words: list[str], flag: str, done: list[Any]
) -> None:
    arguments = [words[0], flag, *words[1:]]
    is_known = words[0] != "validate" or flag != "--no-input"
    assert run_plain(arguments) == (0 if is_known else None)
    assert len(done) == is_known


@pytest.mark.parametrize("text", ["[validate]\nquiet = true\n", "no TOML"])
def test_a_configuration_is_left_to_the_parser(text: str, done: list[Any], tmp_path: Path) -> None:
    (tmp_path / "mcp-assay.toml").write_text(text)
    assert run_plain(["validate", "a.jsonl"]) is None
    assert done == []


def test_a_shell_that_wants_completions_gets_them_from_the_parser(
    done: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(COMPLETION_VARIABLE, "bash_complete")
    assert run_plain(["validate", "a.jsonl"]) is None
    assert done == []


@pytest.mark.parametrize(
    "arguments",
    [["validate", "--quiet", "--verbose", "a"], ["lint", "no-such-file"], ["lint", "."]],
    ids=" ".join,
)
def test_a_refusal_has_the_same_words(
    cli: Cli, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = cli(*arguments)
    monkeypatch.setattr(plain_commands, "given_plainly", lambda _: None)
    assert plain == cli(*arguments)
    assert plain.code == 2
