"""`--config FILE [--server NAME]`: the server of a client's configuration."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.assess.running import SERVERS
from tests.cli.conftest import Cli

SECRET = "k-93475-very-secret"
LEAKY = (
    "import json, os, sys\n"
    "key = os.environ['API_KEY']\n"
    "print('started with', key, file=sys.stderr)\n"
    "tool = {'name': 'get_key', 'description': 'Key ' + key, 'inputSchema': {'type': 'object'},\n"
    "        'annotations': {'readOnlyHint': True}}\n"
    "for line in sys.stdin:\n"
    "    asked = json.loads(line)\n"
    "    if 'id' not in asked: continue\n"
    "    info = {'name': key, 'version': '1'}\n"
    "    hello = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}}\n"
    "    results = {'initialize': {**hello, 'serverInfo': info},\n"
    "               'tools/list': {'tools': [tool]},\n"
    "               'tools/call': {'content': [{'type': 'text', 'text': 'Error: ' + key}]}}\n"
    "    result = results.get(asked['method'])\n"
    "    answer = {'result': result} if result else {'error': {'code': -32601, 'message': key}}\n"
    "    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], **answer}), flush=True)\n"
)


def entry(name: str = "both-eras", **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": [str(SERVERS), name], **more}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: Path, **servers: Any) -> None:
    (project / "mcp.json").write_text(json.dumps({"mcpServers": servers}))


QUICK = ("--config", "mcp.json", "--max-calls", "3", "--format", "json")


def test_the_only_server_needs_no_name(project: Path, cli: Cli) -> None:
    write(project, books=entry())
    for command in (("assess", *QUICK), ("lint", "--config", "mcp.json", "--format", "json")):
        ended = cli(*command)
        assert ended.code == 0
        report = json.loads(ended.out)
        assert report["subject"]["command"][-1] == "both-eras"
        assert report["summary"]["tools_listed"] == 1


def test_of_several_servers_one_is_named(project: Path, cli: Cli) -> None:
    write(project, books=entry(), films=entry("no-such-server"))
    assert cli("assess", *QUICK, "--server", "books").code == 0
    assert cli("assess", *QUICK, "--server", "films").code == 3
    ended = cli("assess", *QUICK)
    assert (ended.code, ended.out) == (2, "")
    assert "mcp.json contains 2 servers; add --server NAME: books, films" in ended.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--config", "mcp.json", "--server", "boks"), "did you mean books?"),
        (("--config", "none.json"), "none.json cannot be read"),
        (("--server", "books", "--", "true"), "--server needs --config FILE"),
        (("--env", "NO_SUCH", "--", "true"), "no such environment variable; type NO_SUCH=VALUE"),
        (("--config", "mcp.json", "--", "true"), "either a server or --config FILE, not both"),
        (("--config", "mcp.json", "http://localhost"), "either a server or --config FILE"),
        (("--config", "mcp.json", "--server", "inputs"), "add --env KEY=VALUE for ${input:key}"),
        (("--config", "mcp.json", "--server", "web"), '--header "X-Key: VALUE" for ${env:NO_SUCH}'),
        (("--config", "mcp.json", "--server", "args"), "type the server without --config"),
    ],
)
@pytest.mark.parametrize("command", ["assess", "lint"])
def test_what_is_not_clear_gets_one_sentence(
    project: Path, cli: Cli, command: str, arguments: tuple[str, ...], sentence: str
) -> None:
    write(
        project,
        books=entry(),
        inputs=entry(env={"KEY": "${input:key}"}),
        web={"url": "http://localhost", "headers": {"X-Key": "${env:NO_SUCH}"}},
        args={"command": "true", "args": ["${input:folder}"]},
    )
    ended = cli(command, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.count("\n") == 1


def test_an_option_fills_a_placeholder(project: Path, cli: Cli) -> None:
    write(project, books=entry(env={"KEY": "${input:key}"}))
    assert cli("assess", *QUICK, "--env", "KEY=value-of-ours").code == 0


def test_what_a_typed_server_is_goes_before_a_configured_file(project: Path, cli: Cli) -> None:
    (project / "mcp-assay.toml").write_text('config = "none.json"')
    command = ("--", sys.executable, str(SERVERS), "both-eras")
    assert cli("assess", "--max-calls", "3", *command).code == 0
    assert "none.json cannot be read" in cli("assess").err


def test_what_is_not_followed_is_said(project: Path, cli: Cli) -> None:
    write(project, books=entry(cwd="/somewhere"))
    assert "cwd of 'books' is not supported" in cli("assess", *QUICK).err


@pytest.mark.parametrize("way", ["config", "placeholder", "option"])
def test_values_of_variables_appear_nowhere(
    project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setenv("OURS", SECRET)
    values = {"config": SECRET, "placeholder": "${env:OURS}", "option": "${input:x}"}
    command = {"command": sys.executable, "args": ["-c", LEAKY], "env": {"API_KEY": values[way]}}
    write(project, leaky=command)
    typed = ("--env", f"API_KEY={SECRET}") if way == "option" else ()
    for format in ("json", "text"):
        more = ("--record", "trace.jsonl", "--report", "json=report.json", *typed)
        ended = cli("assess", *QUICK, "--format", format, "--verbose", *more)
        assert ended.code == 3  # all that it ever tells is an error
        assert "[redacted]" in (project / "report.json").read_text("utf-8")
        assert "[redacted]" in (project / "trace.jsonl").read_text("utf-8")
        files = [(project / name).read_text("utf-8") for name in ("report.json", "trace.jsonl")]
        assert all(SECRET not in text for text in (ended.out, ended.err, *files))
    linted = cli("lint", "--config", "mcp.json", "--format", "json", *typed)
    assert SECRET not in linted.out + linted.err


def test_a_common_word_is_no_secret(project: Path, cli: Cli) -> None:
    write(project, books=entry(env={"MODE": "true"}))
    report = json.loads(cli("assess", *QUICK).out)
    assert "[redacted]" not in json.dumps(report)


def test_a_failing_call_is_repeated_from_the_same_configuration(project: Path, cli: Cli) -> None:
    write(project, notes={"command": sys.executable, "args": ["-m", "mcp_assay.demo_server"]})
    ended = cli("assess", "--config", "mcp.json", "--env", "KEY=secret-value", "--format", "json")
    commands = [
        found["details"]["repeat"]
        for found in json.loads(ended.out)["findings"]
        if "repeat" in (found["details"] or {})
    ]
    assert commands
    for command in commands:
        assert command.startswith(
            "mcp-assay assess --config mcp.json --server notes --env KEY=VALUE --only "
        )
