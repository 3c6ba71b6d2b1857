"""Options from mcp-assay.toml or pyproject.toml."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcp_assay.client.project_config import parsed_toml
from tests.cli.conftest import Cli

WARNED = '{"jsonrpc": "2.0", "id": 1, "method": "tools/lst"}'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a message that gets a warning; the test stands in a folder of it."""
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "deep" / "inside"
    inner.mkdir(parents=True)
    (inner / "message.json").write_text(WARNED)
    monkeypatch.chdir(inner)
    return tmp_path


def test_without_a_configuration_a_warning_is_no_failure(project: Path, cli: Cli) -> None:
    assert project.is_dir()
    assert cli("validate", "message.json").code == 0


def test_a_working_folder_that_is_gone_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ran = cli("validate", "-")
    assert ran.code == 2
    assert "the working folder is gone" in ran.err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mcp-assay.toml", 'fail-on = "warning"'),
        ("pyproject.toml", '[tool.mcp-assay]\nfail-on = "warning"'),
    ],
)
def test_a_file_above_sets_an_option(project: Path, cli: Cli, name: str, content: str) -> None:
    (project / name).write_text(content)
    assert cli("validate", "message.json").code == 1


def test_an_option_on_the_command_line_wins(project: Path, cli: Cli) -> None:
    (project / "mcp-assay.toml").write_text('fail-on = "warning"')
    assert cli("validate", "message.json", "--fail-on", "error").code == 0


def test_our_own_file_wins_over_the_shared_one(project: Path, cli: Cli) -> None:
    (project / "pyproject.toml").write_text('[tool.mcp-assay]\nfail-on = "warning"')
    (project / "mcp-assay.toml").write_text('fail-on = "never"')
    assert cli("validate", "message.json").code == 0


def test_a_shared_file_without_our_section_is_passed_over(project: Path, cli: Cli) -> None:
    (project / "mcp-assay.toml").write_text('fail-on = "warning"')
    (project / "deep" / "pyproject.toml").write_text('[project]\nname = "x"')
    assert cli("validate", "message.json").code == 1


def test_the_search_ends_at_the_root_of_the_repository(project: Path, cli: Cli) -> None:
    (project / "mcp-assay.toml").write_text('fail-on = "warning"')
    (project / "deep" / ".git").mkdir()
    assert cli("validate", "message.json").code == 0


def test_an_option_that_may_be_repeated_takes_a_list_or_one_value(project: Path, cli: Cli) -> None:
    for value in ('"SCHEMA-003"', '["SCHEMA-003", "LINT"]'):
        (project / "mcp-assay.toml").write_text(f'ignore = {value}\nfail-on = "warning"')
        assert cli("validate", "message.json").code == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('fale-on = "error"', "unknown option 'fale-on'; did you mean fail-on?"),
        ('fail-on = "wrning"', "fail-on cannot be 'wrning'; use one of error, warning, never."),
        ("quiet = 7", "quiet cannot be 7."),
        ("max-findings = [1]", "max-findings cannot be [1]."),
        ("max-findings = 1.5", "max-findings cannot be 1.5."),
        ("max-findings = true", "max-findings cannot be True."),
        ("max-findings = -1", "in the configuration: invalid value for '--max-findings'"),
        ("errors = 7", "errors must be a table."),
        ("tools = 7", "tools must be a table."),
        ('[errors]\nbuisness = ["x"]', "errors.buisness is unknown"),
        ("fail-on = ", "is not valid TOML"),
        ('fail-on = "\udcff', "is not UTF-8"),
    ],
)
def test_a_wrong_configuration_gets_one_sentence(
    project: Path, cli: Cli, content: str, sentence: str
) -> None:
    (project / "mcp-assay.toml").write_bytes(content.encode("utf-8", "surrogateescape"))
    ended = cli("validate", "message.json")
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "head", ['[tool."mcp-assay"]\nbogus = 1', "[ tool . mcp-assay ]\nbogus = 1",
             "[tool]\nmcp-assay = { bogus = 1 }"]
)  # fmt: skip
def test_every_way_to_write_the_section_is_read(project: Path, cli: Cli, head: str) -> None:
    (project / "pyproject.toml").write_text(head)
    assert "unknown option 'bogus'" in cli("validate", "message.json").err


def test_a_broken_configuration_keeps_nobody_from_the_help(project: Path, cli: Cli) -> None:
    (project / "mcp-assay.toml").write_text("bogus = 1")
    assert cli("validate", "--help").code == 0


def test_a_value_for_one_command_is_no_trouble_for_another(project: Path, cli: Cli) -> None:
    (project / "mcp-assay.toml").write_text('revision = "auto"')
    assert cli("rules").code == 0
    assert cli("validate", "message.json").code == 0


def test_a_section_that_is_no_table_is_refused(project: Path, cli: Cli) -> None:
    (project / "pyproject.toml").write_text("tool.mcp-assay = 7")
    assert "tool.mcp-assay must be a table" in cli("validate", "message.json").err


def test_dates_and_times_are_texts_as_in_json() -> None:
    content = (
        b"[tools.find]\nvalid = [{day = 2026-11-16, at = 2026-11-16T09:30:00Z, hour = 09:30:00}]"
    )
    (sent,) = parsed_toml("mcp-assay.toml", content)["tools"]["find"]["valid"]
    assert sent == {"day": "2026-11-16", "at": "2026-11-16T09:30:00Z", "hour": "09:30:00"}


@pytest.mark.parametrize(
    ("typed", "called"),
    [
        ((), {"delete_note"}),
        (("--only", "add_note"), set()),
        (("--only", "add_note", "--args", '{"title": "a"}'), {"add_note"}),
    ],
)
def test_a_configured_call_permits_no_other_tool(
    project: Path, cli: Cli, typed: tuple[str, ...], called: set[str]
) -> None:
    (project / "mcp-assay.toml").write_text('only = "delete_note"\nargs = \'{"id": 1}\'')
    server = ("--", sys.executable, "-m", "mcp_assay.demo_server")
    ran = cli("assess", "--no-input", "--calls", "safe", "--format", "json", *typed, *server)
    assert {call["tool"] for call in json.loads(ran.out)["calls"]} == called
