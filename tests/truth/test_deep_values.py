"""Values nested to any depth: no command ends with a fault of ours, and none is a pass."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.wire.depth import CUT, DEEPEST, cut_depths
from tests.patience import LONGEST
from tests.truth.deep_server import PLACES, marks

SERVER = str(Path(__file__).with_name("deep_server.py"))
FORMS = ("html", "markdown", "junit", "sarif", "text", "pytest")
OUTCOMES = (0, 1, 3)
"""Exit codes that are about the server."""
QUICK = ("--no-input", "--max-calls", "4", "--timeout", "30", "--max-time", "200")


def command(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    words = (sys.executable, "-m", "mcp_assay", *arguments)
    done = subprocess.run(words, input=stdin, capture_output=True, timeout=LONGEST, check=False)
    assert b"internal error" not in done.stderr
    assert b"Traceback" not in done.stderr
    return done


def server(levels: int, places: tuple[str, ...] = PLACES) -> tuple[str, ...]:
    return ("--", sys.executable, SERVER, str(levels), *places)


def levels_of(value: Any) -> int:
    """How deep a value is, found without walking down in calls."""
    level, found = [value], 0
    while level := [it for it in level if isinstance(it, dict | list)]:
        found += 1
        level = [m for it in level for m in (it.values() if isinstance(it, dict) else it)]
    return found


@pytest.mark.parametrize("levels", [2, DEEPEST - 1, DEEPEST])
def test_what_is_not_too_deep_stays_as_it_is(levels: int) -> None:
    for text in marks(levels // 2).values():
        value = json.loads(text)
        assert not cut_depths(value, text)
        assert value == json.loads(text)


@pytest.mark.parametrize("levels", [DEEPEST + 1, DEEPEST + 2, 400, 900])
@pytest.mark.parametrize("mark", ["@V@", "@A@"])
def test_what_is_too_deep_is_cut_there(mark: str, levels: int) -> None:
    text = marks(levels)[mark]
    beside = {"kept": [1, {"a": [2]}], "deep": json.loads(text)}
    assert cut_depths(beside, text)
    assert levels_of(beside) == DEEPEST
    assert beside["kept"] == [1, {"a": [2]}]
    inner = beside["deep"]
    while inner is not CUT:
        inner = inner["in"] if isinstance(inner, dict) else inner[0]


def test_what_is_wide_is_not_cut() -> None:
    value: list[Any] = [[[]] * 1000 for _ in range(1000)]
    assert not cut_depths(value, json.dumps(value).encode())


@pytest.mark.parametrize(("levels", "places"), [(1000, PLACES), (5000, ("input", "answer"))])
def test_an_assessment_of_deep_values_is_reported_in_every_form(
    levels: int, places: tuple[str, ...], tmp_path: Path
) -> None:
    files = {form: tmp_path / form for form in FORMS}
    reports = [word for form, path in files.items() for word in ("--report", f"{form}={path}")]
    trace, new = tmp_path / "trace.jsonl", tmp_path / "new.json"
    record = ("--record", str(trace))
    done = command("assess", *QUICK, *reports, *record, "--format", "json", *server(levels, places))
    assert done.returncode in OUTCOMES
    report = json.loads(done.stdout)
    assert {tool["name"] for tool in report["tools"]} == {"get_book", "get_shelf"}
    assert all(tool["called"] for tool in report["tools"])
    limits = {limit["name"] for limit in report["limits"]}
    assert "message-depth" in limits
    assert all(path.stat().st_size for path in files.values())
    new.write_bytes(done.stdout)
    assert command("validate", "--quiet", str(trace)).returncode in OUTCOMES
    assert command("diff", str(new), str(new)).returncode == 0


@pytest.mark.parametrize("levels", [20, 190])
def test_shallow_values_reach_no_limit(levels: int) -> None:
    places = ("answer", "meta", "error")
    done = command("assess", *QUICK, "--format", "json", *server(levels, places))
    limits = {limit["name"] for limit in json.loads(done.stdout)["limits"]}
    assert "message-depth" not in limits


@pytest.mark.parametrize("levels", [300, 5000])
def test_deep_definitions_are_linted(levels: int, tmp_path: Path) -> None:
    assert command("lint", "--quiet", *server(levels, ("input",))).returncode in OUTCOMES
    schema = marks(levels)["@S@"]
    tool = b'{"name": "a", "inputSchema": {"type": "object", "properties": {"b": %b}}}' % schema
    file = tmp_path / "tools.json"
    file.write_bytes(b'{"tools": [%b]}' % tool)
    assert command("lint", "--quiet", str(file)).returncode in OUTCOMES


def test_the_proxy_passes_deep_values_on() -> None:
    asked = b"".join(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method}).encode() + b"\n"
        for number, method in enumerate(("initialize", "tools/list", "prompts/list"))
    )
    done = command("proxy", *server(5000, ("info", "input", "prompt")), stdin=asked)
    assert done.returncode == 0
    assert [len(line) > 5000 for line in done.stdout.splitlines()] == [True, True, True]


@pytest.mark.parametrize(
    ("levels", "places"), [(1000, ("output", "default", "meta", "answer")), (5000, ("input",))]
)
def test_contract_tests_of_deep_values_are_made_and_run(
    levels: int, places: tuple[str, ...], tmp_path: Path
) -> None:
    words = " ".join(server(levels, places)[1:])
    options = ("--mcp-assay", "--mcp-assay-server", words, "-p", "no:cacheprovider")
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", *options),
        cwd=tmp_path,
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode in (0, 1)
    assert b"INTERNALERROR" not in done.stdout + done.stderr
    assert b"RecursionError" not in done.stdout + done.stderr
