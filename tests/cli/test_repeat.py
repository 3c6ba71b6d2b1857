"""`--report pytest=PATH`: tests that fail while the faults are there, and pass when mended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_assay.cli.main import main
from mcp_assay.cli.reports import home_of
from mcp_assay.repeat import Repeat
from tests.cli.conftest import Cli

SERVER = ("--", sys.executable, "-S", str(Path(__file__).with_name("mendable_server.py")))
RULES = {"TOOL-015", "JSONRPC-035", "RESP-004", "DRIFT-003"}
SELECTED = ("--select", ",".join(sorted(RULES)))
QUICK = ("--no-input", "--max-calls", 12, "--fail-on", "warning")
EXAMPLES = Path(__file__).parents[2] / "examples"
TOKEN = "correct-horse-battery"


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run be made in this process, which is the same and quicker."""

    def run(words: list[str], cwd: Path, **_: Any) -> SimpleNamespace:
        before = Path.cwd()
        os.chdir(cwd)
        try:
            return SimpleNamespace(returncode=main(words[4:]), stderr=b"said")
        finally:
            os.chdir(before)

    monkeypatch.setattr("mcp_assay.repeat.subprocess.run", run)


@pytest.fixture
def written(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a run on a faulty server, made in another folder than that of the file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MENDABLE_VERSION", TOKEN)
    path = tmp_path / "tests" / "test_found.py"
    path.parent.mkdir()
    options = (*QUICK, *SELECTED, "--env", "MENDABLE_VERSION")
    assert cli("assess", *options, "--report", f"pytest={path}", *SERVER).code == 1
    monkeypatch.chdir("/")
    return path


def found_in(path: Path) -> dict[str, Any]:
    spec = spec_from_file_location("found", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: it for name, it in vars(module).items() if name.startswith("test_")}


@pytest.mark.usefixtures("in_process")
def test_each_test_fails_while_its_fault_is_there_and_passes_when_it_is_mended(
    written: Path,
) -> None:
    found = found_in(written)
    assert {name.upper()[5:].replace("_", "-", 1).split("_")[0] for name in found} == RULES
    for name, test in found.items():
        with pytest.raises(AssertionError, match=r"^(error|warning) "):
            test()
        assert name.startswith("test_")
    (written.parent.parent / "mended").touch()
    for test in found_in(written).values():
        test()


def test_the_file_runs_by_itself_from_any_folder_and_holds_no_secret(written: Path) -> None:
    assert TOKEN not in written.read_text("utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "resp_004", written],
        cwd="/",
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert 'RESP-004 valid-call-crashes: Tool "search" crashed' in ended.stdout


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    ("command", "file", "rule"),
    [("lint", "weather-tools.json", "TOOL-015"), ("validate", "ping.json", "JSONRPC-005")],
)
def test_files_are_judged_again(
    command: str, file: str, rule: str, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "test_found.py"
    options = ("--fail-on", "warning", "--select", rule, "--report", f"pytest={path}")
    assert cli(command, *options, EXAMPLES / file).code == 1
    for test in found_in(path).values():
        with pytest.raises(AssertionError, match=rf"^(error|warning) {rule} "):
            test()


@pytest.mark.usefixtures("in_process")
def test_what_cannot_be_decided_is_skipped_with_the_reason() -> None:
    run = Repeat("assess", *SERVER, options=["--calls", "none"])
    with pytest.raises(pytest.skip.Exception, match="RES-005 was not decided: "):
        run.whole().must_keep("RES-005")


def test_what_calls_of_one_tool_leave_open_a_run_over_all_tools_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[bool] = []

    def run(words: list[str], **_: Any) -> SimpleNamespace:
        seen.append("--only" in words)
        outcome = "undecided" if seen[-1] else "passed"
        report = {
            "subject": {"kind": "server"},
            "revision": "2025-11-25",
            "findings": [],
            "baseline": None,
            "checks": [{"rule": "DRIFT-006", "outcome": outcome, "reason": None}],
        }
        place = next(word for word in words if word.startswith("json="))
        Path(place.removeprefix("json=")).write_text(json.dumps(report), "utf-8")
        return SimpleNamespace(returncode=0, stderr=b"")

    monkeypatch.setattr("mcp_assay.repeat.subprocess.run", run)
    Repeat("assess", "--", "server").calls("count").must_keep("DRIFT-006")
    assert seen == [True, False]


@pytest.mark.usefixtures("in_process")
def test_a_server_that_is_not_there_fails_the_test() -> None:
    run = Repeat("assess", "--", "no-such-command")
    with pytest.raises(AssertionError, match="said"):
        run.whole().must_keep("RESP-004")


def test_a_folder_is_named_by_the_way_from_the_file_or_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project" / "tests").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    assert home_of("tests/test_found.py") == ".."
    assert home_of("test_found.py") == "."
    assert home_of(str(tmp_path / "test_found.py")) == str(tmp_path / "project")


@pytest.mark.parametrize("what", ["headers", "secrets"])
def test_a_secret_that_is_not_in_the_environment_is_asked_for_by_name(what: str) -> None:
    given: Any = {"headers": {"Authorization": "MY_TOKEN"}, "secrets": ["MY_TOKEN"]}[what]
    run = Repeat("assess", "http://127.0.0.1:1/${MY_TOKEN}", **{what: given})
    with pytest.raises(AssertionError, match="set the variable MY_TOKEN"):
        run.whole().must_keep("RESP-004")


def test_secrets_come_from_the_environment_and_headers_are_not_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[list[str]] = []

    def run(words: list[str], **_: Any) -> SimpleNamespace:
        headers = [word for word in words if word.startswith("Authorization: @")]
        seen.append([*words, *(Path(word.partition("@")[2]).read_text() for word in headers)])
        return SimpleNamespace(returncode=2, stderr=b"refused")

    monkeypatch.setattr("mcp_assay.repeat.subprocess.run", run)
    monkeypatch.setenv("MY_TOKEN", TOKEN)
    monkeypatch.setenv("MY_WORD", "a word")
    headers, subject = (
        {"Authorization": "MY_TOKEN"},
        ("--", "server", "--key=${MY_WORD}", "${PATH}"),
    )
    again = Repeat("assess", *subject, headers=headers, secrets=["MY_WORD"])
    with pytest.raises(AssertionError, match="refused"):
        again.whole().must_keep("RESP-004")
    *words, header = seen[0]
    assert header == TOKEN
    assert words[-4:] == ["--", "server", "--key=a word", "${PATH}"]
    assert not any(TOKEN in word for word in words)
