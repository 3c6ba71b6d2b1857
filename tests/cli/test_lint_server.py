"""`mcp-assay lint SERVER`: what a server lists and says, judged; nothing is called."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.assess.running import SERVERS
from tests.cli.conftest import Cli
from tests.client.living import eventually
from tests.patience import LONGEST
from tests.servers.catalogue import catalogue

SCHEMA = Path(__file__).parents[2] / "src" / "mcp_assay" / "report" / "report.schema.json"
DEFINITIONS = [one for one in catalogue() if one.family == "definitions" and not one.over_http]


DEAF = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    agreed = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
    info = {"serverInfo": {"name": "deaf", "version": "1"}}
    answers = {
        "initialize": {"result": {**agreed, **info}},
        "server/discover": {"error": {"code": -32601, "message": "There is no such method"}},
    }
    if asked["method"] == "tools/list" and len(sys.argv) > 1:
        open(sys.argv[1], "w").close()
    if answer := answers.get(asked["method"]):
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
"""


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


def test_an_interruption_leaves_a_report(tmp_path: Path) -> None:
    sign = tmp_path / "asked"
    server = [sys.executable, "-c", DEAF, str(sign)]
    lint = ("lint", "--timeout", str(LONGEST), "--format", "json", "--")
    command = [sys.executable, "-m", "mcp_assay", *lint, *server]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert eventually(sign.exists)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LONGEST)
    assert process.returncode == 130
    report = json.loads(out)
    assert report["summary"]["outcome"] == "incomplete"
    assert report["subject"]["server_info"]["name"] == "deaf"


def test_a_server_without_a_list_of_templates_lacks_nothing(cli: Cli) -> None:
    script = "; ".join(
        [
            f"import sys; sys.path.insert(0, {str(SERVERS.parents[1])!r})",
            "from tests.servers.base import Server, Fault",
            "from tests.servers.things import Resource",
            "server = Server(resources=(Resource('library://hours', 'hours'),))",
            "server.list_templates = lambda asked: (_ for _ in ()).throw(Fault(-32601, 'No'))",
            "server.run()",
        ]
    )
    ended = cli("lint", "--format", "json", "--", sys.executable, "-c", script)
    report = json.loads(ended.out)
    assert (ended.code, report["limits"], report["summary"]["outcome"]) == (0, [], "pass")


@pytest.mark.parametrize("command", ["assess", "lint"])
def test_a_list_that_does_not_come_is_no_pass(command: str, cli: Cli) -> None:
    deaf = ("--", sys.executable, "-c", DEAF)
    ended = cli(command, "--timeout", "0.5", "--format", "json", *deaf)
    report = json.loads(ended.out)
    assert ended.code == 3
    assert report["summary"]["outcome"] == "incomplete"
    (limit,) = report["limits"]
    assert limit["effect"] == (
        "the list of tools is missing: page 1 could not be fetched: the request timed out; "
        "raise --timeout"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--", sys.executable, "-c", "raise SystemExit(7)"), 3, "exited with code 7"),
        (("http://127.0.0.1:9/mcp",), 3, "no response from http://127.0.0.1:9"),
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
    assert ended.code == code
    assert ended.out.partition("\n")[0] == ("" if code == 2 else "INCOMPLETE  nothing was checked")
    assert sentence in ended.err


def test_a_report_on_a_server_that_is_not_there_is_written_in_every_form(
    cli: Cli, tmp_path: Path
) -> None:
    forms = ("json", "jsonl", "junit", "sarif", "markdown", "html", "text")
    files = [word for form in forms for word in ("--report", f"{form}={tmp_path / form}")]
    ended = cli("lint", *files, "--", "no-such-server")
    assert ended.code == 3
    assert all((tmp_path / form).stat().st_size for form in forms)
    reason = "Could not reach the server: the command no-such-server does not exist"
    assert reason in " ".join(ended.out.split())
    events = [json.loads(line) for line in (tmp_path / "jsonl").read_text().splitlines()]
    assert (events[0]["event"], events[-1]["event"]) == ("begin", "summary")
    summary = events[-1]["summary"]
    assert summary == json.loads((tmp_path / "json").read_text())["summary"]
    assert (summary["outcome"], summary["reason"].startswith(reason)) == ("incomplete", True)
