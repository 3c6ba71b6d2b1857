"""`mcp-assay lint SERVER`: what a server lists and says, judged; nothing is called."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.assess.running import SERVERS
from tests.cli.conftest import Cli
from tests.servers.catalogue import catalogue

SCHEMA = Path(__file__).parents[2] / "src" / "mcp_assay" / "report" / "report.schema.json"
DEFINITIONS = [one for one in catalogue() if one.family == "definitions" and not one.over_http]


def server(name: str) -> tuple[str, ...]:
    return ("--", sys.executable, str(SERVERS), name)


def linted(cli: Cli, *arguments: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(cli("lint", "--format", "json", *arguments).out)
    return report


@pytest.mark.parametrize("planted", DEFINITIONS[:12], ids=lambda one: one.name)
def test_what_is_planted_in_definitions_is_found(planted: Any, cli: Cli) -> None:
    report = linted(cli, *server(planted.name))
    observable = {rule for rule in planted.rules if rule.startswith(("TOOL", "LINT", "RES"))}
    assert {finding["rule"] for finding in report["findings"]} >= observable


def test_nothing_is_called(cli: Cli) -> None:
    report = linted(cli, *server("samples-unasked"))
    assert report["calls"] == []
    assert "CAP-009" not in {finding["rule"] for finding in report["findings"]}


def test_the_messages_are_judged_too(cli: Cli) -> None:
    report = linted(cli, *server("asks-before-initialized"))
    [finding] = [one for one in report["findings"] if one["rule"] == "LIFE-006"]
    assert finding["subject"] == "server"
    outcomes = {check["rule"]: check["outcome"] for check in report["checks"]}
    assert outcomes["LIFE-006"] == "warned"
    assert outcomes["JSONRPC-001"] == "passed"


def test_the_report_says_which_server_it_is_about(cli: Cli) -> None:
    report = linted(cli, *server("both-eras"))
    assert report["subject"]["kind"] == "server"
    assert report["subject"]["command"] == [sys.executable, str(SERVERS), "both-eras"]
    assert report["subject"]["server_info"]["name"] == "small-library"
    assert report["revision"] == "2026-07-28"
    assert report["summary"]["messages"] > 1
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    validator.validate(report)


def test_the_revision_can_be_chosen(cli: Cli) -> None:
    assert linted(cli, "--revision", "2025-11-25", *server("both-eras"))["revision"] == "2025-11-25"


def test_two_runs_differ_in_their_timing_alone(cli: Cli) -> None:
    first, second = (linted(cli, *server("both-eras")) for _ in range(2))
    assert first | {"timing": None} == second | {"timing": None}


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--", sys.executable, "-c", "raise SystemExit(7)"), 3, "exit code 7"),
        (("http://127.0.0.1:9/mcp",), 3, "no answer from http://127.0.0.1:9"),
        (
            ("python", "server.py"),
            2,
            "put -- before the server's command: mcp-assay lint -- python",
        ),
        (("no_such_server.py",), 2, "To lint a server: mcp-assay lint -- python no_such_server.py"),
        (("package.module:app",), 2, "from package.module import app"),
        (("none.json",), 2, "To lint a server: mcp-assay lint -- COMMAND, or a URL"),
        (("none.json", "--env", "A=b"), 2, "either a server or a file, not both"),
        (("none.json", "--", "true"), 2, "either a server or a file, not both"),
    ],
)
def test_what_cannot_be_linted_gets_one_sentence(
    cli: Cli, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    ended = cli("lint", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert sentence in ended.err
