"""What is listed is judged on the command line, across processes and behind the proxy."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.cli.main import main
from tests.proxy.stdio import proxied, run
from tests.truth.recorded import Line, opened, page, tool

SERVER: Final = """
import json, sys
answers = json.loads(sys.argv[1])
for line in sys.stdin:
    id = json.loads(line).get("id")
    if id is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": answers[id]}), flush=True)
"""
BROKEN: Final = [*opened(), *page(1, "tools", [tool("get note", inputSchema={"type": "objekt"})])]
GOOD: Final = [*opened(), *page(1, "tools", [tool()])]


def written(folder: Path, lines: list[Line]) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize(
    ("lines", "options", "code"),
    [
        (BROKEN, (), 1),
        (BROKEN, ("--partial",), 1),
        (BROKEN, ("--select", "TOOL-003"), 0),
        (BROKEN, ("--select", "TOOL-003", "--fail-on", "warning"), 1),
        (BROKEN, ("--ignore", "TOOL,SCHEMA"), 0),
        (BROKEN, ("--jobs", "2"), 1),
        (GOOD, ("--fail-on", "warning"), 0),
    ],
)
def test_a_listed_definition_decides_the_exit_code(
    tmp_path: Path, lines: list[Line], options: tuple[str, ...], code: int
) -> None:
    assert main(["validate", "--quiet", *options, str(written(tmp_path, lines))]) == code


def behind_the_proxy(folder: Path, lines: list[Line]) -> dict[str, Any]:
    answers = [line["message"]["result"] for line in lines if line["dir"] == "s2c"]
    said = [json.dumps(line["message"]) for line in lines if line["dir"] == "c2s"]
    server = [sys.executable, "-c", SERVER, json.dumps(answers)]
    report = folder / "report.json"
    ended = run(proxied(server, "--report", f"json={report}"), "\n".join([*said, ""]).encode())
    assert ended.code == 0
    told: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return told


def of_the_server(report: dict[str, Any]) -> list[tuple[str, str | None]]:
    """What is said of the server: our client does not wait for its answers."""
    found = [one for one in report["findings"] if one["subject"] == "server"]
    return [(one["rule"], one["where"].get("tool")) for one in found]


def test_the_proxy_judges_what_a_server_lists(tmp_path: Path) -> None:
    found = of_the_server(behind_the_proxy(tmp_path, BROKEN))
    assert {("TOOL-003", "get note"), ("TOOL-007", "get note")} <= {*found}


def test_the_proxy_is_silent_about_good_definitions(tmp_path: Path) -> None:
    report = behind_the_proxy(tmp_path, GOOD)
    assert of_the_server(report) == []
    assert {row["outcome"] for row in report["checks"] if row["rule"] == "TOOL-004"} == {"passed"}
