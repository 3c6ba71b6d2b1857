"""`mcp-assay assess --like REPORT`: a reviewer verifies an author's report."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.report import Report
from mcp_assay.report.as_json import to_json
from tests.assess.running import QUICK, SERVERS, run_of
from tests.cli.conftest import Cli
from tests.drift.small_reports import made

SERVER = "tool-without-hints"
COMMAND = ("--", sys.executable, SERVERS, SERVER)


@pytest.fixture(scope="module")
def authored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of an author who allowed a tool that is not declared read-only."""
    path = tmp_path_factory.mktemp("author") / "author.json"
    options = replace(QUICK, allow=("shelve",), max_calls=3, seed=5)
    path.write_text(to_json(run_of(SERVER, options)))
    return path


def saved(folder: Path, report: Report, **options: Any) -> Path:
    path = folder / "report.json"
    path.write_text(to_json(replace(report, options={**report.options, **options})))
    return path


def test_a_run_that_is_repeated_with_permission_confirms_the_report(
    cli: Cli, authored: Path
) -> None:
    ended = cli("assess", "--like", authored, "--allow", "shelve", "--format", "json", *COMMAND)
    assert ended.code == 0
    assert ended.err == f"Compared with {authored}: the same findings, tools and surface\n"
    options = json.loads(ended.out)["options"]
    assert (options["seed"], options["max_calls"], options["allow"]) == (5, 3, ["shelve"])


def test_the_permission_of_an_author_is_none_for_others(cli: Cli, authored: Path) -> None:
    ended = cli("assess", "--like", authored, "--fail-on", "never", *COMMAND)
    assert "called tools that need your permission: --allow shelve" in ended.err
    assert "nothing differs, but not everything was repeated" in ended.out
    assert "no longer called  shelve" in ended.out
    assert ended.code == 1


def test_another_server_differs_and_is_said_to(cli: Cli, authored: Path) -> None:
    server = ("--", sys.executable, SERVERS, "both-eras")
    ended = cli("assess", "--like", authored, "--timeout", "40", *server)
    assert ended.code == 1
    assert f"Compared with {authored}: it differs" in ended.out
    assert "The tool 'shelve' is gone." in ended.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "contains the command python notes; type it (mcp-assay assess --like"),
        ({"args": {"a": "b c"}, "only": "find"}, """typing it: --only find --args '{"a":"b c"}'"""),
        ({"max_calls": 0}, "has options that no run can have"),
    ],
)
def test_what_needs_the_reviewer_is_said_before_anything_starts(
    cli: Cli, tmp_path: Path, options: dict[str, Any], sentence: str
) -> None:
    ended = cli("assess", "--like", saved(tmp_path, made(), **options))
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err


def test_half_a_call_is_no_permission(cli: Cli, tmp_path: Path) -> None:
    path = saved(tmp_path, made(), only="find")
    ended = cli("assess", "--like", path, "--args", "{}", *COMMAND)
    assert ended.code == 2
    assert "--args needs --only TOOL" in ended.err


def test_a_server_that_the_report_hides_must_be_named(cli: Cli, tmp_path: Path) -> None:
    report = made()
    hidden = replace(report, subject=replace(report.subject, command=["s", "[redacted]"]))
    ended = cli("assess", "--like", saved(tmp_path, hidden), "--yes")
    assert ended.code == 2
    assert "does not contain the complete server command; add it" in ended.err


def test_an_address_that_comes_from_the_report_is_said(cli: Cli, tmp_path: Path) -> None:
    report = made()
    subject = replace(report.subject, command=None, url="http://127.0.0.1:9/mcp")
    ended = cli("assess", "--like", saved(tmp_path, replace(report, subject=subject)))
    assert ended.code == 3
    assert "contains this server: http://127.0.0.1:9/mcp" in ended.err


def test_what_is_no_report_is_refused(cli: Cli, tmp_path: Path) -> None:
    ended = cli("assess", "--like", tmp_path / "none.json", *COMMAND)
    assert ended.code == 2
    assert "none.json does not exist" in ended.err


def test_examples_come_from_the_report_and_that_is_said(cli: Cli, tmp_path: Path) -> None:
    known = {"find": {"valid": [{"q": "[redacted]"}]}}
    path = saved(tmp_path, made(), examples=known, answers={"roots/list": {}})
    ended = cli("assess", "--like", path, "--", "no-such-command")
    assert ended.code == 3
    assert f"the examples for find, roots/list come from {path}." in ended.err
    assert "Its examples are incomplete" in ended.err
    assert "nothing differs" not in ended.out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that commands are run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "configured", "expected"),
    [
        ((), "", ("safe", [])),
        (("--calls", "all"), "", ("all", [])),
        (("--allow", "find"), "", ("safe", ["find"])),
        ((), 'allow = ["find", "other"]', ("safe", ["find"])),
        ((), 'calls = "all"', ("safe", ["find"])),
    ],
)
def test_permission_is_what_the_reviewer_typed_or_configured_for_the_tools_of_the_report(
    cli: Cli, folder: Path, typed: tuple[str, ...], configured: str, expected: object
) -> None:
    (folder / "mcp-assay.toml").write_text(f"seed = 3\n{configured}\n")
    path = saved(folder, made(), calls="all", allow=["find"])
    ended = cli("assess", "--like", path, *typed, "--format", "json", "--", "no-such-command")
    options = json.loads(ended.out)["options"]
    assert (options["calls"], options["allow"]) == expected
    assert options["seed"] == 0


def test_a_reviewer_is_asked_about_the_server_and_the_tools_of_the_report(authored: Path) -> None:
    pytest.importorskip("pty", reason="the system has no pseudo-terminals")
    from tests.cli.asked_on_terminal import conversation  # noqa: PLC0415  not on every system

    reported = conversation(
        ["assess", "--like", str(authored)],
        {"Start it?": "y", "Call them with generated": "y"},
        authored.parent,
    )
    assert f"{authored} contains this command:" in reported.screen
    assert "the same findings, tools and surface" in reported.out
    assert reported.code == 0
