"""`mcp-assay lint FILE`: definitions in every wrapping, and what is said about anything else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from mcp_assay.rules.definition.rule import resource, tool
from tests.cli.conftest import Cli

NAMELESS = tool(None)
SCHEMA = Path(__file__).parents[2] / "src" / "mcp_assay" / "report" / "report.schema.json"


def saved(value: Any) -> bytes:
    return json.dumps(value).encode()


def linted(cli: Cli, value: Any, *options: str) -> dict[str, Any]:
    ended = cli("lint", "-", "--format", "json", *options, stdin=saved(value))
    report: dict[str, Any] = json.loads(ended.out)
    return report


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        (saved({"tools": [NAMELESS]}), "/tools/0/name"),
        (saved({"tools": [NAMELESS], "resources": [], "extra": 1}), "/tools/0/name"),
        (
            saved({"jsonrpc": "2.0", "id": 1, "result": {"tools": [NAMELESS]}}),
            "/result/tools/0/name",
        ),
        (json.dumps({"tools": [NAMELESS]}, indent=2).encode(), "/tools/0/name"),
        (gzip.compress(saved({"tools": [NAMELESS]})), "/tools/0/name"),
    ],
    ids=["result", "several lists", "response", "over lines", "packed"],
)
def test_definitions_are_found_in_every_wrapping(text: bytes, pointer: str, cli: Cli) -> None:
    ended = cli("lint", "-", "--format", "json", stdin=text)
    [finding] = json.loads(ended.out)["findings"]
    assert ended.code == 1
    assert (finding["rule"], finding["pointer"]) == ("TOOL-001", pointer)
    assert finding["where"]["file"] == "<stdin>"


def test_a_finding_has_the_line_of_its_place_and_the_name_of_its_tool(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "tools.json"
    path.write_text('{"tools": [\n{"name": "a b",\n "description": "A",\n "inputSchema": 1}]}')
    ended = cli("lint", path, "--format", "json", "--ignore", "LINT-1")
    found = json.loads(ended.out)["findings"]
    assert [(one["rule"], one["where"]) for one in found] == [
        ("TOOL-003", {"file": str(path), "line": 2, "column": 10, "tool": "a b"}),
        ("TOOL-006", {"file": str(path), "line": 4, "column": 17, "tool": "a b"}),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "<stdin>:1:1 is not JSON: "),
        (b"{", "<stdin>:1:2 is not JSON: "),
        (b"[]", '<stdin> holds an array, not an object with "tools", '),
        (b"7", "<stdin> holds an integer, not an object with "),
        (b"{}", "<stdin> lists nothing; it has none of "),
        (b'{"tools": {}}', '<stdin> lists nothing: its "tools" is an object, not an array'),
        (b'{"tools": []}', "<stdin> lists nothing: its lists are empty"),
        (b'{"jsonrpc": "2.0", "id": 1, "error": {}}', "<stdin> holds a JSON-RPC error, not "),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}}', "<stdin> lists nothing; it has none of "),
        (b"\x1f\x8b\x08", "<stdin> is incomplete: its compressed data is truncated"),
        (b" " * (16 * 1024 * 1024 + 1), "<stdin> has more than 16,777,216 bytes"),
    ],
)
def test_anything_else_is_refused_with_one_sentence(text: bytes, words: str, cli: Cli) -> None:
    ended = cli("lint", "-", stdin=text)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"mcp-assay: {words}")
    assert ended.err.count("\n") == 1


def test_a_file_that_is_not_there_is_refused(cli: Cli, tmp_path: Path) -> None:
    ended = cli("lint", tmp_path / "none.json")
    assert ended.code == 2
    assert "none.json does not exist; check the path." in ended.err


def test_lint_needs_a_file(cli: Cli) -> None:
    ended = cli("lint")
    assert ended.code == 2
    assert "FILE" in ended.err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 0),
        (("--fail-on", "warning"), 1),
        (("--fail-on", "warning", "--ignore", "TOOL-016"), 0),
        (("--fail-on", "warning", "--select", "TOOL-016"), 1),
        (("--fail-on", "never"), 0),
    ],
)
def test_the_exit_code_follows_what_is_asked_for(
    options: tuple[str, ...], code: int, cli: Cli
) -> None:
    ended = cli("lint", "-", *options, stdin=saved({"tools": [tool(description=None)]}))
    assert ended.code == code


def test_the_revision_decides(cli: Cli) -> None:
    booleans = {"tools": [tool(inputSchema={"type": "object", "properties": {"a": True}})]}
    assert linted(cli, booleans, "--revision", "2026-07-28")["findings"] == []
    assert linted(cli, booleans)["findings"][0]["rule"] == "TOOL-014"


def test_odd_text_and_wrong_shapes_are_findings_too(cli: Cli) -> None:
    text = b'{"tools": [{"name": "a", "name": "a", "title": 7, "description": "A", "inputSchema": '
    ended = cli(
        *("lint", "-", "--quiet", "--ignore", "LINT-1"),
        stdin=text + b'{"type": "object", "properties": {"a": {}}}}]}',
    )
    assert [line.split()[2] for line in ended.out.splitlines()] == ["JSONRPC-018", "SCHEMA-002"]


def test_a_fault_is_reported_once(cli: Cli) -> None:
    odd = [tool(None), tool("a", inputSchema=None), tool("b", annotations={"readOnlyHint": 1})]
    found = linted(cli, {"tools": odd, "resources": [resource("x", size="y")]})["findings"]
    assert [one["rule"] for one in found] == [
        "TOOL-001",
        "TOOL-006",
        "TOOL-017",
        "RES-001",
        "RES-005",
    ]


def test_checks_are_passed_only_where_something_was_judged(cli: Cli) -> None:
    report = linted(cli, {"tools": [tool()]})
    outcomes = {check["rule"]: check["outcome"] for check in report["checks"]}
    assert outcomes["TOOL-001"] == "passed"
    assert outcomes["RES-001"] == "undecided"
    assert "TOOL-029" not in outcomes
    assert report["summary"]["outcome"] == "pass"
    assert report["summary"]["tools_listed"] == 1


def test_the_report_reports_the_size_of_the_surface(cli: Cli) -> None:
    report = linted(cli, {"tools": [tool("a"), tool("b")]})
    surface = report["surface"]
    assert [one["name"] for one in surface["tools"]] == ["a", "b"]
    assert surface["bytes"] == sum(one["bytes"] for one in surface["tools"])
    assert report["subject"]["surface_sha256"] == surface["sha256"]


def test_the_report_is_valid_in_its_schema(cli: Cli) -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    validator.validate(linted(cli, {"tools": [NAMELESS, 7]}))


def test_two_runs_differ_in_their_timing_alone(cli: Cli) -> None:
    first, second = (linted(cli, {"tools": [NAMELESS, tool("a b")]}) for _ in range(2))
    assert first | {"timing": None} == second | {"timing": None}


def test_the_report_goes_to_files_as_well(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    ended = cli("lint", "-", "--report", f"json={path}", stdin=saved({"tools": [NAMELESS]}))
    assert ended.out.startswith("FAIL")
    assert json.loads(path.read_text("utf-8"))["summary"]["errors"] == 1


def test_at_most_so_many_findings_are_kept_and_all_are_counted(cli: Cli) -> None:
    report = linted(cli, {"tools": [7] * 5}, "--max-findings", "2")
    assert len(report["findings"]) == 2
    assert report["summary"]["errors"] == 5
    assert report["limits"][0]["name"] == "max-findings"


def test_a_wild_schema_is_checked_by_a_worker(cli: Cli) -> None:
    city = {"type": "string", "description": "A city", "pattern": "^(?!x)", "default": "xyz"}
    slow = tool(inputSchema={"type": "object", "properties": {"city": city}})
    [finding] = linted(cli, {"tools": [slow]})["findings"]
    assert finding["rule"] == "TOOL-015"
