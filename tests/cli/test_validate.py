"""`mcp-assay validate`: what it reads, what it reports, how it ends."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from mcp_assay.rules.engine.checker import SessionChecker, Suspect
from mcp_assay.validate import Run
from tests.cli.conftest import Cli

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
NULL_ID = '{"jsonrpc":"2.0","id":null,"method":"ping"}'
UNKNOWN = '{"jsonrpc":"2.0","id":1,"method":"tools/lst"}'
BROKEN = '{"jsonrpc":"2.0","id":1,"method"'


def report(cli: Cli, *arguments: object, stdin: str | bytes = b"", code: int) -> dict[str, Any]:
    given = stdin.encode() if isinstance(stdin, str) else stdin
    ended = cli("validate", "--format", "json", *arguments, stdin=given)
    assert (ended.code, ended.err) == (code, "")
    document: dict[str, Any] = json.loads(ended.out)
    return document


def places(document: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [
        (one["rule"], one["where"]["line"], one["where"]["column"]) for one in document["findings"]
    ]


def trace(*messages: str, **members: Any) -> str:
    line = json.dumps({"dir": "c2s", **members})[:-1]
    return "".join(f'{line}, "message": {message}}}\n' for message in messages)


def test_a_correct_message_passes(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "ping.json"
    file.write_text(PING)
    ended = cli("validate", file)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("PASS  0 errors, 0 warnings in 1 message")


def test_a_finding_has_its_file_line_and_column(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_text(trace(PING, NULL_ID))
    document = report(cli, file, "--select", "JSONRPC-005", code=1)
    (found,) = document["findings"]
    assert (found["rule"], found["pointer"], found["subject"]) == ("JSONRPC-005", "/id", "client")
    assert found["where"] == {"file": str(file), "line": 2, "column": 49}


@pytest.mark.parametrize(
    ("stdin", "expected"),
    [
        (f"{PING}\n{NULL_ID}\n", [("JSONRPC-005", 2, 23)]),
        (f"{PING}\n\n  \n{NULL_ID}", [("JSONRPC-005", 4, 23)]),
        (f"{PING}\r\n{NULL_ID}\r\n", [("JSONRPC-005", 2, 23)]),
        (f"{BROKEN}\n{PING}\n{NULL_ID}\n", [("JSONRPC-001", 1, 33), ("JSONRPC-005", 3, 23)]),
        (f"é\n{PING}", [("JSONRPC-001", 1, 1)]),
        (json.dumps(json.loads(NULL_ID), indent=2), [("JSONRPC-005", 3, 9)]),
        (f"[\n {PING},\n {NULL_ID}\n]", [("JSONRPC-005", 3, 24)]),
        (f"[{PING}, {NULL_ID}]", [("JSONRPC-005", 1, 66)]),
        ('{\n "jsonrpc": "2.0",\n "id": 1\n "method": "ping"\n}', [("JSONRPC-001", 4, 2)]),
        (trace(NULL_ID), [("JSONRPC-005", 1, 49)]),
        (trace(NULL_ID) + NULL_ID, [("JSONRPC-005", 1, 49), ("JSONRPC-005", 2, 23)]),
        ('{"dir": "s2c", "raw": "listening on 80"}\n' + PING, [("JSONRPC-001", 1, 23)]),
        ('{"dir": "s2c", "raw64": "/w=="}\n' + PING, [("JSONRPC-001", 1, 25)]),
        ('{"dir": "c2s", "end": true}\n' + PING, []),
        ('{"dir": "up", "message": {}}\n' + PING, [("ENV-001", 1, 1)]),
    ],
)
def test_the_place_is_that_of_the_value_in_the_input(
    cli: Cli, stdin: str, expected: list[tuple[str, int, int]]
) -> None:
    errors = any(rule != "ENV-001" for rule, _, _ in expected)
    document = report(cli, "--select", "JSONRPC-001,JSONRPC-005", stdin=stdin, code=int(errors))
    assert places(document) == expected


NOISE = '{"dir": "s2c", "raw": "listening on 80"}'
UNDECODABLE = '{"dir": "s2c", "raw64": "/w=="}'
TYPED = '{"dir": "c2s", "raw": "quit"}'


@pytest.mark.parametrize(
    ("line", "options", "rule"),
    [
        (NOISE, (), "STDIO-001"),
        (NOISE, ("--ignore", "STDIO"), "JSONRPC-001"),
        (NOISE, ("--ignore", "JSONRPC"), "STDIO-001"),
        (TYPED, (), "STDIO-004"),
        (UNDECODABLE, (), "STDIO-003"),
        (json.dumps({"dir": "s2c", "raw": '{"jsonrpc": "2.0", "id" 1}'}), (), "JSONRPC-001"),
        (json.dumps({"dir": "s2c", "transport": "http", "raw": "?"}), (), "JSONRPC-001"),
    ],
)
def test_what_is_wrong_with_a_line_is_reported_once(
    cli: Cli, line: str, options: tuple[str, ...], rule: str
) -> None:
    document = report(cli, "--partial", *options, stdin=f"{line}\n{PING}", code=1)
    assert [finding["rule"] for finding in document["findings"]] == [rule]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_rule_by_which_a_line_is_not_reported_has_not_passed(cli: Cli, jobs: str) -> None:
    document = report(
        cli, "--partial", "--jobs", jobs, stdin=f"{TYPED}\n{NOISE}\n{TYPED}\n", code=1
    )
    (check,) = [one for one in document["checks"] if one["rule"] == "JSONRPC-001"]
    assert check["outcome"] == "undecided"
    assert check["reason"] == "STDIO-001 reports the same lines"


def test_a_batch_is_one_message_in_2025_03_26_and_a_list_elsewhere(cli: Cli) -> None:
    both = f"[{PING}, {UNKNOWN}]"
    listed = report(cli, stdin=both, code=0)
    batch = report(cli, "--revision", "2025-03-26", stdin=both, code=0)
    assert [one["pointer"] for one in listed["findings"]] == ["/method"]
    assert [one["pointer"] for one in batch["findings"]] == ["/1/method"]
    assert (listed["summary"]["messages"], batch["summary"]["messages"]) == (2, 1)


def test_auto_follows_the_revision_that_each_session_negotiates(cli: Cli) -> None:
    def hello(revision: str) -> list[str]:
        who = {"name": "n", "version": "1"}
        asked = {"protocolVersion": revision, "capabilities": {}, "clientInfo": who}
        given = {"protocolVersion": revision, "capabilities": {}, "serverInfo": who}
        start = {"jsonrpc": "2.0", "id": 0}
        lines = [
            {"dir": "c2s", "message": {**start, "method": "initialize", "params": asked}},
            {"dir": "s2c", "message": {**start, "result": given}},
        ]
        return [json.dumps({**line, "session": revision}) for line in lines]

    old, new = "2024-11-05", "2025-06-18"
    document = report(cli, stdin="\n".join([*hello(old), *hello(new)]), code=0)
    assert (document["revision"], document["summary"]["sessions"]) == (None, 2)
    assert report(cli, stdin="\n".join(hello(old)), code=0)["revision"] == old


def test_a_response_is_judged_by_the_request_of_its_own_session(cli: Cli) -> None:
    asked = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    answer = '{"jsonrpc":"2.0","id":1,"result":{"tools":7}}'
    same = trace(asked, session="a") + trace(answer, session="a", dir="s2c")
    other = trace(asked, session="a") + trace(answer, session="b", dir="s2c")
    found = report(cli, "--select", "SCHEMA", stdin=same, code=1)
    assert places(found)[0][:2] == ("SCHEMA-002", 2)
    assert report(cli, "--select", "SCHEMA", stdin=other, code=0)["findings"] == []


def test_the_session_is_named_with_the_finding(cli: Cli) -> None:
    stdin = trace(NULL_ID, session="s-7", exchange=3)
    (found,) = report(cli, stdin=stdin, code=1)["findings"]
    assert (found["where"]["session"], found["where"]["exchange"]) == ("s-7", 3)


def test_direction_says_who_sent_bare_messages(cli: Cli) -> None:
    asked = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    assert report(cli, "--direction", "c2s", stdin=asked, code=0)["findings"] == []
    wrong = report(cli, "--direction", "s2c", stdin=asked, code=1)["findings"]
    assert wrong[0]["reason"] == "wrong_direction"


def test_the_dialect_accepts_its_own_names(cli: Cli) -> None:
    asked = '{"jsonrpc":"2.0","id":1,"method":"logging/set_level","params":{"level":"info"}}'
    assert report(cli, stdin=asked, code=0)["summary"]["warnings"] == 1
    assert report(cli, "--dialect", "erlmcp", stdin=asked, code=0)["findings"] == []


def test_fast_leaves_duplicate_members_undecided(cli: Cli) -> None:
    doubled = '{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}'
    slow = report(cli, stdin=doubled, code=0)
    fast = report(cli, "--fast", stdin=doubled, code=0)
    outcome = {check["rule"]: check["outcome"] for check in fast["checks"]}
    assert [one["rule"] for one in slow["findings"]] == ["JSONRPC-018"]
    assert (fast["findings"], outcome["JSONRPC-018"]) == ([], "undecided")


def test_select_and_ignore_choose_rules_and_families(cli: Cli) -> None:
    stdin = f"{NULL_ID}\n{UNKNOWN}\n{BROKEN}\n"

    def rules(*options: str, code: int) -> list[str]:
        return [one["rule"] for one in report(cli, *options, stdin=stdin, code=code)["findings"]]

    assert rules(code=1) == ["JSONRPC-005", "SCHEMA-003", "JSONRPC-001"]
    assert rules("--select", "jsonrpc", code=1) == ["JSONRPC-005", "JSONRPC-001"]
    assert rules("--select", "JSONRPC-005,SCHEMA", code=1) == ["JSONRPC-005", "SCHEMA-003"]
    assert rules("--ignore", "JSONRPC-00", code=0) == ["SCHEMA-003"]
    assert rules("--select", "JSONRPC", "--ignore", "JSONRPC-005", code=1) == ["JSONRPC-001"]


def test_what_could_not_be_judged_is_reported_whatever_is_selected(cli: Cli) -> None:
    stdin = f'{{"dir": "up"}}\n{PING}\n'
    document = report(cli, "--select", "JSONRPC", stdin=stdin, code=0)
    assert [one["rule"] for one in document["findings"]] == ["ENV-001"]
    assert report(cli, "--ignore", "ENV", stdin=stdin, code=0)["findings"] == []


def test_findings_beyond_the_limit_are_counted_but_not_kept(cli: Cli) -> None:
    stdin = f"{NULL_ID}\n" * 50
    document = report(cli, "--max-findings", "2", stdin=stdin, code=1)
    assert (len(document["findings"]), document["summary"]["errors"]) == (2, 50)
    (limit,) = document["limits"]
    assert (limit["name"], limit["value"], limit["count"]) == ("max-findings", 2, 48)


@pytest.mark.parametrize(
    ("option", "stdin", "code"),
    [
        ("error", UNKNOWN, 0),
        ("warning", UNKNOWN, 1),
        ("never", NULL_ID, 0),
        ("error", NULL_ID, 1),
        ("warning", PING, 0),
    ],
)
def test_fail_on_sets_the_exit_code(cli: Cli, option: str, stdin: str, code: int) -> None:
    assert cli("validate", "--fail-on", option, stdin=stdin.encode()).code == code


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
@pytest.mark.parametrize("name", ["trace.jsonl.gz", "trace.jsonl"])
def test_a_packed_file_is_read_as_it_is(
    cli: Cli, tmp_path: Path, pack: Callable[[bytes], bytes], name: str
) -> None:
    packed = tmp_path / name
    packed.write_bytes(pack(trace(PING, NULL_ID).encode()))
    document = report(cli, packed, "--select", "JSONRPC-005", code=1)
    assert places(document) == [("JSONRPC-005", 2, 49)]


@pytest.mark.parametrize("name", ["trace.jsonl.gz", "trace.jsonl"])
def test_a_cut_file_is_judged_as_far_as_it_goes(cli: Cli, tmp_path: Path, name: str) -> None:
    cut = tmp_path / name
    cut.write_bytes(gzip.compress(f"{NULL_ID}\n{PING[:20]}".encode())[:-3])
    first, breaks = report(cli, cut, code=1)["findings"]
    assert (first["rule"], first["where"]["line"]) == ("JSONRPC-005", 1)
    assert (breaks["rule"], breaks["where"]["line"]) == ("ENV-002", 2)
    assert breaks["message"].endswith("is truncated; everything before that was checked.")


def test_a_cut_file_of_which_nothing_can_be_judged_ends_with_2(cli: Cli, tmp_path: Path) -> None:
    cut = tmp_path / "trace.jsonl.gz"
    cut.write_bytes(gzip.compress(PING.encode())[:-3])
    ended = cli("validate", cut)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("is incomplete: its compressed data is truncated.\n")


def test_a_trace_of_another_format_is_mapped(cli: Cli) -> None:
    line = '{"from":"%s","event":{"body":%s}}\n'
    stdin = line % ("c2s", PING) + line % ("s2c", NULL_ID) + line % ("client", PING)
    options = ("--map", "dir=/from", "--map", "message=/event/body", "--select", "JSONRPC-005")
    assert places(report(cli, *options, stdin=stdin, code=1)) == [
        ("JSONRPC-005", 2, 53),
        ("ENV-001", 3, 1),
    ]


def test_partial_sessions_may_have_begun_before(cli: Cli) -> None:
    asked = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}'
    whole = report(cli, stdin=trace(asked, session="s"), code=1)
    part = report(cli, "--partial", stdin=trace(asked, session="s"), code=0)
    assert {one["rule"] for one in whole["findings"]} > {one["rule"] for one in part["findings"]}
    assert [one["partial"] for one in (*whole["sessions"], *part["sessions"])] == [False, True]


def test_the_end_of_a_session_is_reported_where_it_began_to_go_wrong(cli: Cli) -> None:
    stdin = trace(PING, session="a") + trace(NULL_ID, session="b")
    document = report(cli, "--select", "JSONRPC-026,JSONRPC-005", stdin=stdin, code=1)
    assert [(one["rule"], one["where"]["line"]) for one in document["findings"]] == [
        ("JSONRPC-026", 1),
        ("JSONRPC-005", 2),
    ]
    assert document["findings"][0]["where"]["session"] == "a"


def test_an_initialize_over_http_is_part_of_the_session_that_it_opens(cli: Cli) -> None:
    asked = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'
    answer = '{"jsonrpc":"2.0","id":0,"result":5}'
    named = {"response_headers": {"Mcp-Session-Id": "secret"}}
    stdin = trace(asked, exchange=1) + trace(answer, exchange=1, dir="s2c", http=named)
    document = report(cli, stdin=stdin, code=1)
    (session,) = document["sessions"]
    assert (session["messages"], session["key"][:5]) == (2, "http-")


def test_causes_and_sessions_are_counted(cli: Cli) -> None:
    stdin = trace(NULL_ID, NULL_ID, session="a") + trace(NULL_ID, PING, session="b")
    document = report(cli, "--select", "JSONRPC-005", stdin=stdin, code=1)
    (cause,) = document["causes"]
    assert (cause["rule"], cause["findings"], cause["sessions"]) == ("JSONRPC-005", 3, 2)
    assert [(one["key"], one["errors"]) for one in document["sessions"]] == [("a", 2), ("b", 1)]


def test_one_unreadable_file_among_several_is_a_finding(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(PING)
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    missing, binary = tmp_path / "missing", tmp_path / "binary"
    document = report(cli, missing, tmp_path / "good.json", binary, code=1)
    assert document["summary"]["messages"] == 1
    assert [(one["rule"], one["where"]) for one in document["findings"]] == [
        ("ENV-002", {"file": str(missing)}),
        ("ENV-002", {"file": str(binary)}),
    ]


def test_a_line_that_is_too_long_is_reported_and_the_rest_is_judged(cli: Cli) -> None:
    long = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (16 << 20) + b'"}\n'
    document = report(cli, stdin=long + NULL_ID.encode(), code=1)
    assert places(document) == [("LIMIT-002", 1, 1), ("JSONRPC-005", 2, 23)]
    assert document["summary"]["messages"] == 1


def test_reports_are_written_to_files_too(cli: Cli, tmp_path: Path) -> None:
    text, document = tmp_path / "out.txt", tmp_path / "out.json"
    options = ("--report", f"text={text}", "--report", f"json={document}")
    ended = cli("validate", *options, stdin=NULL_ID.encode())
    assert text.read_text() == ended.out
    assert json.loads(document.read_text())["summary"]["errors"] == 1


def test_two_runs_give_the_same_bytes_apart_from_timing(cli: Cli) -> None:
    stdin = trace(NULL_ID, BROKEN, UNKNOWN)
    first, second = (report(cli, stdin=stdin, code=1) for _ in range(2))
    assert first.pop("timing").keys() == second.pop("timing").keys()
    assert json.dumps(first) == json.dumps(second)


def test_a_rule_is_passed_only_where_messages_decided_it(cli: Cli) -> None:
    outcomes = {one["rule"]: one for one in report(cli, stdin=NULL_ID, code=1)["checks"]}
    assert outcomes["JSONRPC-005"]["outcome"] == "failed"
    assert outcomes["JSONRPC-006"]["outcome"] == "passed"
    assert outcomes["JSONRPC-026"]["outcome"] == "undecided"
    assert outcomes["JSONRPC-026"]["reason"]


def test_a_fault_of_ours_is_reported_and_the_rest_is_judged(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SessionChecker.explain

    def fails_once(checker: SessionChecker, refused: Suspect) -> Any:
        if b"tools/lst" in refused.raw:
            raise LookupError("no such thing")
        return real(checker, refused)

    monkeypatch.setattr(SessionChecker, "explain", fails_once)
    ended = cli("validate", "--quiet", stdin=f"{UNKNOWN}\n{NULL_ID}\n".encode())
    assert ended.code == 4
    assert "LookupError: no such thing" in ended.out
    assert "JSONRPC-005" in ended.out
    assert "internal error" in ended.err


def test_an_interrupted_run_still_reports(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(run: Run, source: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "judge", interrupted)
    ended = cli("validate", "some", "--format", "json")
    assert (ended.code, json.loads(ended.out)["summary"]["outcome"]) == (130, "incomplete")


@pytest.mark.parametrize("source", ["missing.jsonl", "-"])
def test_a_run_that_judged_nothing_is_incomplete_and_never_passes(cli: Cli, source: str) -> None:
    ended = cli("validate", "--format", "json", source)
    document = json.loads(ended.out)
    assert (ended.code, document["summary"]["outcome"]) == (2, "incomplete")
    assert {check["outcome"] for check in document["checks"]} <= {"undecided", "failed"}
