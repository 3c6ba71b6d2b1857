"""The options of `mcp-assay assess` that are about its calls, its examples and its record."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.assess.running import SERVERS
from tests.cli.conftest import Cli, Ended, cli

__all__ = ["cli"]

DEMO = ("--", sys.executable, "-m", "mcp_assay.demo_server")


def server(name: str) -> tuple[str, ...]:
    return ("--", sys.executable, str(SERVERS), name)


def assessed(cli: Cli, *arguments: str) -> tuple[Ended, dict[str, Any]]:
    ended = cli("assess", "--no-input", "--format", "json", "--max-calls", "6", *arguments)
    return ended, json.loads(ended.out)


@pytest.mark.parametrize(
    ("wanted", "code"), [("4", 0), ("5", 1), ("66%", 0), ("67%", 1), ("0", 0), ("100%", 1)]
)
def test_so_many_tools_must_succeed(cli: Cli, wanted: str, code: int) -> None:
    ended, report = assessed(cli, "--fail-on", "never", "--min-tools", wanted, *DEMO)
    assert report["summary"]["tools_succeeded"] == 4
    assert ended.code == code
    assert (f"4 of 6 tools succeeded; --min-tools requires {wanted}." in ended.err) is (code == 1)
    assert (report["summary"]["outcome"] == "fail") or code == 0


def test_where_not_all_tools_are_to_be_called_none_need_to_succeed(cli: Cli) -> None:
    for option in (("--dry-run",), ("--calls", "none")):
        assert assessed(cli, "--min-tools", "100%", *option, *DEMO)[0].code == 0


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--min-tools", "101%"), "neither a number of tools nor a share"),
        (("--min-tools", "-1"), "neither a number of tools nor a share"),
        (("--seed", "any"), "neither a number nor 'random'"),
        (("--record", "no/such/folder/trace"), "cannot be written"),
        (("--examples", "none.toml"), "none.toml cannot be read"),
    ],
)
def test_a_wrong_value_gets_one_sentence(cli: Cli, option: tuple[str, str], words: str) -> None:
    ended = cli("assess", *option, "--", "true")
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


def test_a_random_seed_is_in_the_report_and_repeats_the_run(cli: Cli) -> None:
    first = assessed(cli, "--seed", "random", *server("both-eras"))[1]
    again = assessed(cli, "--seed", str(first["seed"]), *server("both-eras"))[1]
    assert first["calls"] == again["calls"]
    seeds = {assessed(cli, "--seed", "random", *server("both-eras"))[1]["seed"] for _ in range(2)}
    assert len({first["seed"], *seeds}) > 1


def test_options_of_calls_may_stand_in_the_configuration(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mcp-assay.toml").write_text('seed = 7\nmin-tools = "100%"\nyes = true\n')
    monkeypatch.chdir(tmp_path)
    ended, report = assessed(cli, *DEMO)
    assert (ended.code, report["seed"]) == (1, 7)
    assert report["consent"]["allowed"] == ["add_note"]


def test_yes_answers_the_question_and_destructive_tools_stay_alone(cli: Cli) -> None:
    report = assessed(cli, "--yes", *DEMO)[1]
    called = {call["tool"] for call in report["calls"]}
    assert "add_note" in called
    assert "delete_note" not in called
    assert report["consent"] == {
        "answer": "yes",
        "allowed": ["add_note"],
        "given_by": "--yes",
        "in_world": False,
        "options": ["--allow", "add_note"],
    }


@pytest.mark.parametrize("refused", [("--deny", "add_note"), ("--calls", "none")])
def test_a_yes_does_not_reach_what_was_refused(cli: Cli, refused: tuple[str, str]) -> None:
    report = assessed(cli, "--yes", *refused, *DEMO)[1]
    assert "add_note" not in {call["tool"] for call in report["calls"]}


def test_a_tool_that_does_not_exist_cannot_be_the_only_one(cli: Cli) -> None:
    ended = cli("assess", "--no-input", "--only", "get_nots", *DEMO)
    assert (ended.code, ended.out) == (2, "")
    assert "--only: the server has no tool 'get_nots'; did you mean get_note or " in ended.err
    far = cli("assess", "--no-input", "--only", "zzz", *DEMO)
    assert "it lists list_notes, " in far.err


@pytest.mark.parametrize("option", ["--allow", "--deny"])
def test_a_tool_that_does_not_exist_is_remarked_on(cli: Cli, option: str) -> None:
    ended, report = assessed(cli, option, "find_bok", *server("both-eras"))
    assert ended.code == 0
    assert f"{option}: the server has no tool 'find_bok'; did you mean find_book?" in ended.err
    assert report["summary"]["tools_called"] == 1


def test_scenarios_that_the_budget_leaves_out_are_a_limit(cli: Cli) -> None:
    report = assessed(cli, "--max-calls", "2", "--only", "find_book", *server("both-eras"))[1]
    (limit,) = report["limits"]
    assert (limit["name"], limit["value"], limit["count"]) == ("max-calls", 2, 1)


def test_examples_for_a_tool_that_does_not_exist_are_remarked_on(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "examples.toml"
    file.write_text("[tools.get_nots]\nvalid = [{}]\n")
    ended = cli("assess", "--no-input", "--dry-run", "--examples", str(file), *DEMO)
    assert "--examples: the server has no tool 'get_nots'; did you mean get_note" in ended.err


def test_examples_are_merged_over_the_configuration(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ours = '[tools.get_note]\nvalid = [{ id = "from-configuration" }]\nvalues = { id = ["v"] }\n'
    (tmp_path / "mcp-assay.toml").write_text(ours)
    (tmp_path / "more.json").write_text('{"tools": {"get_note": {"valid": [{"id": "typed"}]}}}')
    report = assessed(cli, "--examples", "more.json", *DEMO)[1]
    tried = [call["arguments"] for call in report["calls"] if call["tool"] == "get_note"]
    assert tried[0] == {"id": "typed"}
    assert {"id": "from-configuration"} not in tried
    assert report["options"]["examples"]["get_note"]["values"] == {"id": ["v"]}


WRONG = [
    ("tols = 1", "tols is unknown; did you mean tools?"),
    ("[tools.a]\nvald = []", "tools.a.vald is unknown; did you mean valid?"),
    ("[tools.a]\nvalid = 1", "tools.a.valid must be a list."),
    ("[tools.a]\nvalid = [1]", "tools.a.valid must be a list of tables."),
    ("[tools.a]\nvalues = { x = 1 }", "tools.a.values.x must be a list."),
    ("[tools]\na = 1", "tools.a must be a table."),
    ("[sampling]\ntxt = 'x'", "sampling.txt is unknown; did you mean text?"),
    ("[sampling]\ntext = 7", "sampling.text must be a text."),
    ("[elicitation]\naction = 'agree'", "use one of accept, decline, cancel."),
    ("[roots]\nuris = 'x'", "roots.uris must be a list."),
]


@pytest.mark.parametrize(("content", "words"), [*WRONG, ("x = ", "is not valid TOML")])
def test_examples_that_nobody_would_read_are_refused(
    cli: Cli, tmp_path: Path, content: str, words: str
) -> None:
    (tmp_path / "examples.toml").write_text(content)
    ended = cli("assess", "--examples", str(tmp_path / "examples.toml"), "--", "true")
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(("content", "words"), WRONG[1:])
def test_a_configuration_that_nobody_would_read_is_refused(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, words: str
) -> None:
    (tmp_path / "mcp-assay.toml").write_text(content)
    monkeypatch.chdir(tmp_path)
    ended = cli("assess", "--", "true")
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("both-eras", set()),
        ("samples-unasked", {"CAP-009"}),
        ("asks-before-initialized", {"LIFE-006"}),
    ],
)
def test_a_recorded_run_is_judged_alike_when_it_is_replayed(
    cli: Cli, tmp_path: Path, name: str, rules: set[str]
) -> None:
    trace = str(tmp_path / "trace.jsonl")
    for _ in range(2):  # the second time the file is written anew
        report = assessed(cli, "--record", trace, *server(name))[1]
    replayed = json.loads(cli("validate", "--format", "json", trace).out)
    received = [found for found in report["findings"] if found["where"].get("session")]
    again = [found for found in replayed["findings"] if found["subject"] != "client"]
    assert {found["rule"] for found in received} >= rules
    assert {it["fingerprint"] for it in received} == {it["fingerprint"] for it in again}
    assert replayed["summary"]["messages"] == report["summary"]["messages"]


SEATS = ("--", sys.executable, str(SERVERS.parent / "assess" / "seats_server.py"))
RESET = '[tools.take_seat]\nreset = "free_seats"\n'


@pytest.mark.parametrize(
    ("examples", "allowed", "refused"),
    [
        ("", ("take_seat", "free_seats"), True),
        (RESET, ("take_seat", "free_seats"), False),
        (RESET, ("take_seat",), True),
    ],
)
def test_a_reset_puts_back_what_calls_change(
    cli: Cli, tmp_path: Path, examples: str, allowed: tuple[str, ...], refused: bool
) -> None:
    (tmp_path / "examples.toml").write_text(examples)
    options = [word for name in allowed for word in ("--allow", name)]
    given = ("--examples", str(tmp_path / "examples.toml"), *options)
    report = assessed(cli, *given, *SEATS)[1]
    [seat] = [tool for tool in report["tools"] if tool["name"] == "take_seat"]
    assert (seat["unproven"] > 0) is refused
    reported = "free_seats, which resets it, may not be called: --allow free_seats."
    assert (reported in seat["coverage"]["not_reached"]) is (bool(examples) and refused)


def test_a_tool_without_errors_gets_no_wrong_arguments(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "examples.toml").write_text('[tools.find_book]\nno_error = "it takes anything"')
    examples = ("--examples", str(tmp_path / "examples.toml"))
    report = assessed(cli, *examples, *server("both-eras"))[1]
    assert report["calls"]
    assert all(call["valid"] for call in report["calls"])
    [tool] = report["tools"]
    assert "Invalid arguments were not tried: it takes anything" in tool["coverage"]["not_reached"]
    without = assessed(cli, *server("both-eras"))[1]
    assert not all(call["valid"] for call in without["calls"])
