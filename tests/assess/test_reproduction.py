"""The commands that a report gives repeat what they say they repeat."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.reproduction import RepeatCommands, Repeater
from mcp_assay.client.target import Command
from mcp_assay.model.call import ToolRun
from mcp_assay.model.finding import Where
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of
from tests.assess.running import SERVERS
from tests.cli.conftest import Cli, cli
from tests.patience import LONGEST
from tests.report.reports import finding

__all__ = ["cli"]

OPTIONS = ("--no-input", "--format", "json")
OVER_HTTP = (
    "import sys; sys.path[0] = sys.argv[1]\n"
    "from tests.servers.catalogue import named; from tests.servers.http_base import HttpServer\n"
    "HttpServer(named(sys.argv[2]).make).run()"
)
NAMES = ("smallest", "input")
"""What the details of a finding call its arguments."""
TOKEN = "a-token-of-nobody"


def assessed(cli: Cli, *words: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(cli("assess", *OPTIONS, *words).out)
    return report


def reported(report: dict[str, Any], rule: str) -> dict[str, Any]:
    """The details of the first finding of a rule."""
    found = [one["details"] for one in report["findings"] if one["rule"] == rule]
    assert found, f"{rule} was not found"
    details: dict[str, Any] = found[0]
    return details


def pasted(cli: Cli, command: str) -> dict[str, Any]:
    """The report of a command as it was printed, in JSON."""
    program, verb, *rest = shlex.split(command)
    assert (program, verb) == ("mcp-assay", "assess")
    return assessed(cli, *rest)


@contextmanager
def over_http(name: str) -> Iterator[str]:
    """A server of the catalogue at an address."""
    command = [sys.executable, "-c", OVER_HTTP, str(SERVERS.parents[1]), name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        yield it.stdout.readline().strip()
        it.kill()


@pytest.mark.parametrize(
    ("server", "rule", "smallest"),
    [
        ("unicode-crash", "RESP-004", {"title": "ü"}),
        ("wrong-type-crash", "RESP-005", None),
        ("empty-content", "RESP-001", None),
        ("output-schema-broken", "CALL-003", None),
        ("wrong-type-accepted", "DRIFT-003", None),
        ("value-outside-enum-accepted", "DRIFT-002", None),
        ("required-not-enforced", "DRIFT-004", {}),
        ("maximum-not-enforced", "DRIFT-005", None),
        ("pattern-not-enforced", "DRIFT-005", None),
        ("items-not-enforced", "DRIFT-005", None),
        ("enum-value-rejected", "DRIFT-001", None),
        ("leaks-stack-trace", "LEAK-001", None),
        ("leaks-secret", "LEAK-003", None),
        ("one-input-kills-server", "RESP-010", None),
        ("dies-after-three-calls", "RESP-010", None),
    ],
)
def test_a_pasted_command_shows_the_same_finding(
    cli: Cli, server: str, rule: str, smallest: dict[str, Any] | None
) -> None:
    report = assessed(cli, "--max-calls", "25", "--", sys.executable, str(SERVERS), server)
    details = reported(report, rule)
    again = reported(pasted(cli, details["repeat"]), rule)
    assert [again.get(name) for name in NAMES] == [details.get(name) for name in NAMES]
    assert smallest in (None, details.get("smallest"))


def test_what_one_call_does_not_show_is_repeated_with_all_calls_of_the_tool(cli: Cli) -> None:
    words = ("--seed", "7", "--max-calls", "25", "--", sys.executable, str(SERVERS))
    repeat = reported(assessed(cli, *words, "enum-value-rejected"), "DRIFT-001")["repeat"]
    assert "--args" not in repeat
    assert "--seed 7 --max-calls 25" in repeat


def test_options_that_matter_are_kept_and_values_are_not(cli: Cli) -> None:
    given = ("--revision", "2025-11-25", "--timeout", "30", "--env", f"NOTES_KEY={TOKEN}")
    report = assessed(cli, *given, "--", sys.executable, str(SERVERS), "unicode-crash")
    details = reported(report, "RESP-004")
    for part in ("--revision 2025-11-25", "--timeout 30", "--env NOTES_KEY"):
        assert part in details["repeat"]
    assert TOKEN not in json.dumps(report)
    assert "_meta" not in json.loads(details["raw"])["params"]
    assert "initialize" in details["needs"]


def test_the_raw_line_is_a_whole_conversation_in_the_latest_revision(cli: Cli) -> None:
    command = (sys.executable, str(SERVERS), "unicode-crash")
    details = reported(assessed(cli, "--", *command), "RESP-004")
    assert "needs" not in details
    ended = subprocess.run(
        command,
        input=details["raw"] + "\n",
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=True,
    )
    assert json.loads(ended.stdout)["result"]["isError"] is True


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_over_http_the_same_call_is_made_by_command_and_by_curl(cli: Cli, revision: str) -> None:
    header = f"Authorization: Bearer {TOKEN}"
    with over_http("unicode-crash") as url:
        report = assessed(cli, "--revision", revision, "--header", header, url)
        details = reported(report, "RESP-004")
        assert TOKEN not in json.dumps(report)
        assert "--header 'Authorization: @FILE'" in details["repeat"]
        repeat = details["repeat"].replace("@FILE", "Bearer x")
        assert reported(pasted(cli, repeat), "RESP-004")["smallest"] == {"title": "ü"}
        if revision == "2025-11-25":
            assert "SESSION" in details["curl"]
            assert "initialize" in details["needs"]
            return
        assert "needs" not in details
        words = shlex.split(details["curl"])
        ended = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=True)
        assert json.loads(ended.stdout)["result"]["isError"] is True


KILLERS = """
import json, os, sys
schema = {"type": "object", "properties": {"title": {"type": "string"}}}
safe = {"inputSchema": schema, "annotations": {"readOnlyHint": True}}
tools = [{"name": name, **safe} for name in "abcdefghijz"]
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "tools/call" and asked["params"]["name"] != "z":
        os._exit(3)
    offer = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
             "serverInfo": {"name": "killers", "version": "1"}}
    results = {"initialize": offer, "tools/list": {"tools": tools},
               "tools/call": {"content": [{"type": "text", "text": "done"}]}}
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result":
                          results.get(asked["method"], {})}), flush=True)
"""


def test_a_server_that_is_gone_for_good_accuses_no_tool_that_was_not_called(cli: Cli) -> None:
    words = ("--revision", "2025-11-25", "--", sys.executable, "-c", KILLERS)
    report = assessed(cli, *words)
    statuses = {tool["name"]: tool["status"] for tool in report["tools"]}
    assert statuses["a"] == "broken"
    assert statuses["z"] == "not_called"
    assert report["summary"]["outcome"] == "incomplete"
    assert "not restarted" in report["summary"]["reason"]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("required-not-enforced", "{}", "The call was accepted although"),
        ("both-eras", '{"title": 5}', "The call was rejected as expected"),
    ],
)
def test_a_typed_call_that_is_wrong_is_said_to_be(
    cli: Cli, name: str, arguments: str, words: str
) -> None:
    server = ("--", sys.executable, str(SERVERS), name)
    report = assessed(cli, "--only", "find_book", "--args", arguments, *server)
    assert words in report["summary"]["reason"]


def test_what_answers_of_several_tools_show_is_repeated_for_each() -> None:
    runs = []
    for number, (name, id) in enumerate((("find", 100), ("open", 1), ("open", 20)), 1):
        call = tool_run_of({"tool": {"name": name}, "calls": [called({"id": id})]}).calls[0]
        runs.append(ToolRun(tool={"name": name}, calls=(replace(call, number=number),)))
    places = [Where(tool=name, call=call) for name, call in (("find", 1), ("open", 3), ("open", 2))]
    received = replace(finding("x"), where=places[0], examples=places[1:])
    target = Command(command=("server",), environment={})
    commands = RepeatCommands(target, AssessOptions(), None, [], lambda _: None)
    repeater = Repeater(commands, target)
    (found,) = repeater.with_repeats([received], runs)
    assert found.details is not None
    assert found.details["smallest"] == {"id": 1}
    assert found.details["repeats"] == [
        {
            "tool": name,
            "smallest": {"id": id},
            "repeat": f"mcp-assay assess --only {name} --args '{{\"id\": {id}}}' -- server",
        }
        for name, id in (("open", 1), ("find", 100))
    ]
    (alone,) = repeater.with_repeats([replace(received, examples=[])], runs)
    assert "repeats" not in (alone.details or {})


def test_a_crash_that_the_call_alone_does_not_bring_about_is_told_so() -> None:
    lost = called({"id": 5}, trouble="died", ending="died")
    run = tool_run_of({"tool": {"name": "find_note"}, "calls": [lost]})
    target = Command(command=("notes-server",))
    commands = RepeatCommands(target, AssessOptions(), None, [run.tool], lambda _: None)
    (found,) = judge_tool_run(run, "2025-11-25")
    told = Repeater(commands, target).with_repeat(found, run, {})
    assert told.message.endswith("; the same call alone did not crash it.")
    assert (told.fix or "").startswith("Catch the errors of what earlier calls left running")
    assert "input" in (told.details or {})
