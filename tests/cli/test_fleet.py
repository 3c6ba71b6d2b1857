"""`mcp-assay fleet run` as it is typed: what it refuses, what it would do, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_assay.engine import dask_engine
from tests.cli.conftest import Cli
from tests.engine.cluster import HOST, free_port

FLEET = """
[servers.nobody]
command = ["there-is-no-such-program"]
[servers.typo]
command = 7
"""


@pytest.fixture
def words(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "fleet.toml").write_text(FLEET)
    history = f"--history=sqlite:///{tmp_path}/history.db"
    return "fleet", "run", str(tmp_path / "fleet.toml"), history, "--format", "json"


def test_a_scheduler_that_is_not_there_is_named_and_nothing_ran(
    cli: Cli, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 1)
    place = f"{HOST}:{free_port()}"
    ended = cli(*words, "--engine", f"dask://{place}")
    assert ended.code == 3
    assert ended.err.startswith(f"mcp-assay: no Dask scheduler answers at tcp://{place}; start one")
    assert len(ended.err.splitlines()) == 1
    assert json.loads(cli("history", words[3], "--format", "json").out)["servers"] == []


def test_what_would_be_done_is_said_and_not_done(cli: Cli, words: tuple[str, ...]) -> None:
    ended = cli(*words, "--dry-run")
    assert ended.code == 0
    plan = json.loads(ended.out)
    assert plan["to_do"] == [{"name": "nobody", "why": "never assessed"}]
    assert [one["name"] for one in plan["wrong"]] == ["typo"]
    assert plan["estimate"]["unknown"] == 1
    shown = cli(*words[:4], "--dry-run").out.splitlines()
    assert shown[:2] == ["Would assess 1 server", "  nobody  never assessed"]
    assert json.loads(cli("history", words[3], "--format", "json").out)["servers"] == []


def test_a_wrong_entry_is_a_row_and_the_rest_goes_on(
    cli: Cli, words: tuple[str, ...], tmp_path: Path
) -> None:
    ended = cli(*words, "--no-sandbox", "--jobs", "1", "--report", f"html={tmp_path}/fleet.html")
    assert ended.code == 3
    rows = {row["name"]: row for row in json.loads(ended.out)["servers"]}
    assert rows["typo"]["reason_kind"] == "wrong_entry"
    assert rows["nobody"]["reason_kind"] == "not_reached"
    assert "nobody" in (tmp_path / "fleet.html").read_text()
    assert json.loads(cli(*words, "--since", "1d", "--dry-run").out)["to_do"] == []


@pytest.mark.parametrize(
    ("more", "refusal"),
    [
        (("--since", "soon"), "--since: 'soon' is no moment; write a date such as 2026-11-19"),
        (("--env", "KEY=value"), "'KEY' must be a name alone; workers look its value up"),
        (("--engine", "spark"), "'spark' is no engine; choose local, dask"),
        (("--report", "junit=x"), "'junit=x' is not FORMAT=PATH"),
        (("--include", "x*"), "none of its servers is wanted"),
        (("--history=mysql://host/runs",), "mysql is not a database for a history"),
    ],
)
def test_wrong_usage_says_what_is_wrong(
    cli: Cli, words: tuple[str, ...], more: tuple[str, ...], refusal: str
) -> None:
    ended = cli(*words, *more)
    assert (ended.code, ended.out) == (2, "")
    assert refusal in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize("typed", [("fleet",), ("fleet", "rum"), ("fleet", "run")])
def test_a_command_that_is_not_whole_is_wrong_usage(cli: Cli, typed: tuple[str, ...]) -> None:
    ended = cli(*typed)
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
