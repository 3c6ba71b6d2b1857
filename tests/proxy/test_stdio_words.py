"""What people see of the proxy: one line per finding, an end, and the exit code."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcp_assay.model.finding import NOWHERE, Finding, Severity
from mcp_assay.proxy import server_name
from mcp_assay.report.live import MOST_FOLLOWED, LiveLines
from tests.cli.conftest import Cli, cli
from tests.proxy.stdio import proxied, run

__all__ = ["cli"]

BROKEN = b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n'


def found(fingerprint: str = "f", message: str = "words", severity: Severity = "error") -> Finding:
    return Finding(
        rule="CALL-003",
        name="name",
        severity=severity,
        subject="server",
        message=message,
        pointer="",
        where=NOWHERE,
        revision="2025-11-25",
        statement="",
        url="",
        reason=None,
        details=None,
        evidence=None,
        fix=None,
        cause="",
        fingerprint=fingerprint,
    )


@pytest.fixture
def live() -> LiveLines:
    return LiveLines("crm", lambda at: f"11:00:{at:02.0f}")


def test_a_finding_is_reported_once_and_its_repeats_are_counted(live: LiveLines) -> None:
    reported = [
        line for at in (0, 1, 2, 61, 62, 63) for line in live.finding(found(), "tools/call #7", at)
    ]
    assert reported == [
        "mcp-assay[crm] 11:00:00 error CALL-003 server tools/call #7: words",
        "mcp-assay[crm] 11:00:61 repeated CALL-003 x3 in 61 s",
    ]
    assert list(live.last_repeats(64)) == ["mcp-assay[crm] 11:00:64 repeated CALL-003 x2 in 3 s"]
    assert list(live.last_repeats(65)) == []
    assert live.error_causes == 1


def test_warnings_are_no_error_causes(live: LiveLines) -> None:
    assert len(list(live.finding(found(severity="warning"), "#1", 0))) == 1
    assert live.error_causes == 0


def test_endless_kinds_of_findings_are_not_all_reported(live: LiveLines) -> None:
    kinds = (str(number) for number in range(MOST_FOLLOWED + 5))
    reported = [line for kind in kinds for line in live.finding(found(kind), "#1", 0)]
    assert len(reported) == MOST_FOLLOWED
    assert list(live.last_repeats(1)) == ["mcp-assay[crm] and 5 other findings"]


def test_nothing_in_a_line_is_obeyed_by_a_terminal(live: LiveLines) -> None:
    (line,) = live.finding(found(message="\x1b[2Jred\nnext \u202e" + "x" * 1000), "#1", 0)
    assert "\\x1b[2Jred\\x0anext \\u202e" in line
    assert len(line) <= 500


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python server.py", "server"),
        ("/usr/bin/python3 -m crm.server", "crm"),
        ("npx -y @modelcontextprotocol/server-everything stdio", "server-everything"),
        ("uv run crm --port 1", "crm"),
        ("docker run -i --rm -e KEY=secret crm", "crm"),
        ("python", "server"),
    ],
)
def test_a_server_is_named_after_its_command(command: str, name: str) -> None:
    assert server_name(command.split()) == name


@pytest.mark.parametrize(
    ("options", "causes", "code"),
    [
        ((), "1 error", 0),
        (("--fail-on", "error"), "1 error", 1),
        (("--fail-on", "never"), "1 error", 0),
        (("--fail-on", "error", "--ignore", "JSONRPC-005"), "0 errors", 0),
    ],
)
def test_findings_are_reported_and_fail_only_where_that_is_asked_for(
    options: tuple[str, ...], causes: str, code: int
) -> None:
    ended = run(proxied(["sh", "-c", "cat > /dev/null"], *options), BROKEN * 3)
    assert (ended.code, ended.out) == (code, b"")
    *findings, end = ended.err.splitlines()
    assert end == f"mcp-assay[server] end: 3 messages, {causes}, 0 dropped, server exit 0"
    reported = [line.partition(" error ")[2] for line in findings[:1]]
    ignored = "--ignore" in options
    assert reported == (
        [] if ignored else ["JSONRPC-005 client ping #1: The request's id is null."]
    )


def test_a_server_that_fails_keeps_its_code() -> None:
    ended = run(proxied(["sh", "-c", "cat > /dev/null; exit 9"], "--fail-on", "error"), BROKEN)
    assert ended.code == 9
    assert "server exit 9" in ended.err


def test_a_report_is_written_at_the_end(tmp_path: Path) -> None:
    report, text = tmp_path / "report.json", tmp_path / "report.txt"
    run(proxied(["cat"], "--report", f"json={report}", "--report", f"text={text}"), BROKEN)
    written = json.loads(report.read_text())
    assert written["schema"] == "mcp-assay/report/1"
    assert {finding["rule"] for finding in written["findings"]} >= {"JSONRPC-005"}
    assert "JSONRPC-005 null-request-id" in text.read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["server.py"], "mcp-assay proxy -- python server.py"),
        (["python", "server.py"], "mcp-assay proxy -- python server.py"),
        (["npx", "-y", "some-server"], "mcp-assay proxy -- npx -y some-server"),
        (["build/index.js", "--x"], "mcp-assay proxy -- node build/index.js --x"),
        (["--enforce", "server.py", "a b"], "proxy --enforce -- python server.py 'a b'"),
        (["crm.app:server"], "-- python -c 'from crm.app import server; server.run()'"),
        ([], "name a server: mcp-assay proxy -- COMMAND, or a URL"),
        (["--"], "name a server"),
        (["http://127.0.0.1:1/mcp", "--", "cat"], "either a URL or a command, not both"),
        (["--listen", "127.0.0.1:0", "--", "cat"], "--listen and --header are for a URL"),
        (["--header", "A: b", "--", "cat"], "--listen and --header are for a URL"),
        (["http://127.0.0.1:1/mcp", "--env", "A=b"], "--env is for a command"),
        (["http://127.0.0.1:1/mcp", "--listen", "0.0.0.0:80"], "--dangerously-listen-on-network"),
        (["--env", "=b", "--", "cat"], "has no '=' between name and value"),
        (["--env", "NO_SUCH_VARIABLE", "--", "cat"], "type NO_SUCH_VARIABLE=VALUE"),
        (["--env", "A=@no-such-file", "--", "cat"], "cannot read 'no-such-file'"),
        (["--record", "no/such/folder/x", "--", "cat"], "no/such/folder/x cannot be written"),
        (["--select", "NOPE-1", "--", "cat"], "there is no rule 'NOPE-1'"),
        (["--report", "xml=x", "--", "cat"], "'xml=x' is not FORMAT=PATH"),
        (["--fail-on", "info", "--", "cat"], "'info' is not one of"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_type(
    cli: Cli, arguments: list[str], sentence: str
) -> None:
    ended = cli("proxy", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.count("\n") == 1


def test_the_server_gets_the_environment_and_what_env_adds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FROM_CLIENT", "one")
    (tmp_path / "value").write_text("three\n")
    options = ("--env", "GIVEN=two", "--env", f"READ=@{tmp_path / 'value'}", "--env", "FROM_CLIENT")
    ended = run(proxied(["sh", "-c", 'echo "$FROM_CLIENT $GIVEN $READ"'], *options))
    assert ended.out == b"one two three\n"


def test_the_proxy_itself_loads_neither_the_rules_nor_an_event_loop() -> None:
    heavy = {"asyncio", "jsonschema_rs", "mcp_assay.rules", "mcp_assay.validate", "orjson", "rich"}
    program = (
        "import sys; from mcp_assay.cli.main import main; main(['proxy', '--', 'true']); "
        f"print(*sorted({heavy} & set(sys.modules)), file=sys.stderr)"
    )
    ended = run([sys.executable, "-c", program])
    assert ended.err.splitlines()[-1] == ""
