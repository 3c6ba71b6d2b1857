"""`mcp-assay validate --profile envelope`: responses in every wrapping."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.rules.envelope.rule import failure, success
from tests.cli.conftest import Cli

PROFILE = ("validate", "--profile", "envelope")
EMPTY = {**success(), "content": []}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search"}}


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def answer(result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": result}


def traced(direction: str, message: Any) -> dict[str, Any]:
    return {"dir": direction, "session": "s-1", "message": message}


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        (lines(EMPTY), "/content"),
        (json.dumps(EMPTY, indent=1).encode(), "/content"),
        (lines(success(), failure(), EMPTY), "/content"),
        (lines([success(), EMPTY]), "/content"),
        (lines(answer(EMPTY)), "/result/content"),
        (lines(CALL, answer(EMPTY)), "/result/content"),
        (lines(traced("c2s", CALL), traced("s2c", answer(EMPTY))), "/result/content"),
    ],
    ids=["one", "over lines", "lines", "array", "message", "exchange", "trace"],
)
def test_a_response_is_found_in_every_wrapping(text: bytes, pointer: str, cli: Cli) -> None:
    ended = cli(*PROFILE, "--format", "json", stdin=text)
    [finding] = json.loads(ended.out)["findings"]
    *ended_lines, line = text.partition(b"[]")[0].split(b"\n")
    assert ended.code == 1
    assert (finding["rule"], finding["pointer"]) == ("ENV-102", pointer)
    assert finding["where"]["line"] == len(ended_lines) + 1
    assert finding["where"]["column"] == len(line) + 1
    assert finding["details"] == {"breaks": "profile"}


def test_good_responses_pass(cli: Cli) -> None:
    ended = cli(*PROFILE, stdin=lines(success(), failure()))
    assert ended.code == 0
    assert ended.out.startswith("PASS")


def test_packed_files_are_read(cli: Cli, tmp_path: Path) -> None:
    packed = tmp_path / "responses.jsonl.gz"
    packed.write_bytes(gzip.compress(lines(EMPTY)))
    assert cli(*PROFILE, packed).code == 1


def test_severities_decide_the_exit_code(cli: Cli) -> None:
    unflagged = lines({name: value for name, value in failure().items() if name != "isError"})
    assert cli(*PROFILE, stdin=unflagged).code == 0
    assert cli(*PROFILE, "--fail-on", "warning", stdin=unflagged).code == 1
    assert cli(*PROFILE, "--fail-on", "never", stdin=lines(EMPTY)).code == 0


def test_rules_can_be_selected_and_ignored(cli: Cli) -> None:
    bad = lines({})
    assert cli(*PROFILE, "--select", "ENV-102", stdin=bad).code == 0
    assert cli(*PROFILE, "--ignore", "ENV-1", stdin=bad).code == 0


def test_a_file_without_a_response_is_wrong_usage(cli: Cli) -> None:
    ended = cli(*PROFILE, stdin=lines(CALL))
    assert ended.code == 2
    assert ended.err == "mcp-assay: no tool response was found in <stdin>.\n"


def test_text_that_is_no_json_is_a_finding(cli: Cli) -> None:
    ended = cli(*PROFILE, "--quiet", stdin=b'{"success": tru}\n')
    assert ended.code == 1
    assert "JSONRPC-001" in ended.out


def test_the_report_lists_the_rules_of_the_profile_and_no_others(cli: Cli) -> None:
    report = json.loads(cli(*PROFILE, "--format", "json", stdin=lines(success())).out)
    outcomes = {check["rule"]: check["outcome"] for check in report["checks"]}
    assert report["options"]["profile"] == "envelope"
    assert outcomes["ENV-101"] == "passed"
    assert outcomes["ENV-105"] == "undecided"
    assert outcomes["ENV-117"] == "not_testable"
    assert "CALL-001" not in outcomes


def test_without_the_profile_its_rules_are_not_judged(cli: Cli) -> None:
    text = lines(CALL, answer(EMPTY))
    report = json.loads(cli("validate", "--format", "json", stdin=text).out)
    assert not any(check["rule"].startswith("ENV-1") for check in report["checks"])
    assert report["options"]["profile"] == "mcp"


def test_duplicates_are_undecided_where_nobody_looks_for_them(cli: Cli) -> None:
    report = json.loads(cli(*PROFILE, "--fast", "--format", "json", stdin=lines(success())).out)
    [duplicates] = [check for check in report["checks"] if check["rule"] == "JSONRPC-018"]
    assert duplicates["outcome"] == "undecided"


def test_several_processes_find_the_same(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    entries = ({**traced("s2c", answer(EMPTY)), "session": f"s-{number}"} for number in range(20))
    file.write_bytes(lines(*entries))
    reports = [
        json.loads(cli(*PROFILE, "--jobs", jobs, "--format", "json", file).out) for jobs in (1, 2)
    ]
    assert reports[0]["findings"] == reports[1]["findings"]
    assert len(reports[0]["findings"]) == 20


@pytest.mark.parametrize(
    ("option", "value"),
    [("--dialect", "erlmcp"), ("--revision", "2025-06-18"), ("--direction", "s2c")],
)
def test_options_that_mean_nothing_to_responses_are_refused(
    option: str, value: str, cli: Cli
) -> None:
    ended = cli(*PROFILE, option, value, stdin=lines(success()))
    assert ended.code == 2
    assert f"--profile envelope checks only responses; omit {option}" in ended.err


def test_an_unknown_profile_is_refused_with_those_that_exist(cli: Cli) -> None:
    ended = cli("validate", "--profile", "swarm", stdin=lines(success()))
    assert ended.code == 2
    assert "'mcp', 'envelope'" in ended.err


def test_options_of_a_configuration_are_meant_for_other_runs(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mcp-assay.toml").write_text(
        'revision = "2025-03-26"\npartial = true\ndirection = "s2c"\n'
    )
    file = tmp_path / "responses.json"
    file.write_bytes(lines([success(), EMPTY]))
    ended = cli(*PROFILE, "--format", "json", file)
    report = json.loads(ended.out)
    assert (ended.code, len(report["findings"])) == (1, 1)
    assert report["options"]["revision"] == "auto"


@pytest.mark.parametrize("names", ["CALL-001", "SCHEMA", "ENV-117"])
def test_a_selection_without_a_rule_of_the_profile_is_refused(names: str, cli: Cli) -> None:
    ended = cli(*PROFILE, "--select", names, stdin=lines(EMPTY))
    assert ended.code == 2
    assert f"--profile envelope has no rule that matches --select {names}" in ended.err


def test_a_selection_of_the_envelope_alone_is_refused_without_its_profile(cli: Cli) -> None:
    assert cli("validate", "--select", "ENV-102", stdin=lines(CALL)).code == 2


def test_both_sides_of_a_trace_may_use_the_same_ids(cli: Cli) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    text = lines(
        traced("s2c", asked),
        traced("c2s", CALL),
        traced("c2s", answer({"roots": []})),
        traced("s2c", answer(EMPTY)),
    )
    report = json.loads(cli(*PROFILE, "--format", "json", stdin=text).out)
    assert [finding["rule"] for finding in report["findings"]] == ["ENV-102"]
