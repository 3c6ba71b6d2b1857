"""`assess --config FILE --all`: every server of a configuration, side by side."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

import mcp_assay.report
from tests.cli.conftest import Cli
from tests.cli.test_client_config import LEAKY, entry
from tests.patience import LONGEST

SECRET = "k-93475-very-secret"
ALL = ("assess", "--config", "mcp.json", "--all")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: Path, **servers: Any) -> None:
    (project / "mcp.json").write_text(json.dumps({"servers": servers}))


def schema() -> Draft202012Validator:
    path = Path(next(iter(mcp_assay.report.__path__))) / "reports.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))


def test_every_server_has_its_row_and_the_others_go_on(project: Path, cli: Cli) -> None:
    write(
        project,
        **{
            "gone": {"command": "no-such-command"},
            "odd": {},
            "off": entry(disabled=True),
            "gaps": entry(env={"KEY": "${input:key}"}),
            "../books": entry(),
        },
    )
    reports = ("--report", "json=out/", "--report", "text=out/{server}.txt")
    ended = cli(*ALL, "--dry-run", "--jobs", "4", "--format", "json", *reports)
    assert ended.code == 3
    whole = json.loads(ended.out)
    assert list(schema().iter_errors(whole)) == []
    outcomes = {it["name"]: it["summary"]["outcome"] for it in whole["servers"]}
    assert outcomes == {
        "gone": "incomplete",
        "odd": "incomplete",
        "gaps": "incomplete",
        "../books": "pass",
    }
    assert whole["skipped"] == [{"name": "off", "reason": "disabled in the configuration"}]
    reasons = [str(it["summary"]["reason"]) for it in whole["servers"]]
    assert "no-such-command does not exist" in reasons[0]
    assert "'odd' has neither a command nor an http(s) url" in reasons[1]
    assert "add --env KEY=VALUE" in reasons[2]
    written = sorted(path.name for path in (project / "out").iterdir())
    names = ("books", "gaps", "gone", "odd")
    texts = [f"{name}.txt" for name in names]
    assert written == sorted([*texts, *(f"{name}.json" for name in names), "overall.json"])
    overall = json.loads((project / "out" / "overall.json").read_text("utf-8"))
    assert list(schema().iter_errors(overall)) == []
    assert [it["file"] for it in overall["servers"]][-1] == "books.json"
    own = json.loads((project / "out" / "books.json").read_text("utf-8"))
    assert own["summary"] == overall["servers"][-1]["summary"]


def test_the_report_on_each_is_what_it_would_be_alone(project: Path, cli: Cli) -> None:
    write(project, films=entry("zero-crash"), books=entry())
    ended = cli(*ALL, "--max-calls", "10", "--jobs", "2", "--format", "json")
    assert ended.code == 1
    whole = json.loads(ended.out)
    assert [it["name"] for it in whole["servers"]] == ["films", "books"]
    one = ("--config", "mcp.json", "--server", "films", "--max-calls", "10")
    alone = json.loads(cli("assess", *one, "--format", "json").out)
    assert whole["servers"][0]["report"] | {"timing": None} == alone | {"timing": None}


def test_a_secret_of_one_server_goes_to_no_other(project: Path, cli: Cli) -> None:
    shows = {"command": sys.executable, "args": ["-c", LEAKY]}
    write(project, own={**shows, "env": {"API_KEY": "${input:x}"}}, other=shows)
    reported = ("--format", "json", "--report", "text=t/")
    ended = cli(*ALL, "--max-calls", "3", "--env", f"API_KEY={SECRET}", *reported)
    own, other = json.loads(ended.out)["servers"]
    assert own["summary"]["tools_listed"] == 1
    assert "KeyError" in str(other["summary"]["reason"])
    files = [path.read_text("utf-8") for path in (project / "t").iterdir()]
    assert all(SECRET not in text for text in (ended.out, ended.err, *files))


def test_baselines_and_traces_are_kept_for_each_server(project: Path, cli: Cli) -> None:
    write(project, notes=entry("zero-crash"))
    run = (*ALL, "--max-calls", "10", "--baseline", "{server}.baseline.json")
    assert cli(*run, "--update-baseline", "--record", "{server}.jsonl").code == 0
    assert (project / "notes.jsonl").stat().st_size
    again = cli(*run, "--format", "json")
    assert again.code == 0
    (notes,) = json.loads(again.out)["servers"]
    assert notes["report"]["baseline"]["accepted"]


def test_lint_judges_what_every_server_lists(project: Path, cli: Cli) -> None:
    write(project, books=entry(), gone={"command": "no-such-command"})
    lint = ("lint", "--config", "mcp.json")
    ended = cli(*lint, "--all", "--format", "json", "--report", "text=all.txt")
    assert ended.code == 3
    whole = json.loads(ended.out)
    assert list(schema().iter_errors(whole)) == []
    assert whole["command"] == "lint"
    books, gone = whole["servers"]
    alone = json.loads(cli(*lint, "--server", "books", "--format", "json").out)
    assert books["report"] | {"timing": None} == alone | {"timing": None}
    assert "no-such-command does not exist" in gone["summary"]["reason"]
    lines = (project / "all.txt").read_text("utf-8").splitlines()
    assert lines[5].split() == ["books", "PASS", "1", "-", "-", "0", "0"]
    assert lines[1].endswith("· 1 tool listed")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("assess", "--all"), "--all needs --config FILE"),
        (("assess", "--all", "--", "true"), "--all needs --config FILE"),
        ((*ALL, "--", "true"), "name either a server or --config FILE, not both"),
        ((*ALL, "--server", "books"), "--all and --server NAME exclude each other"),
        ((*ALL, "--only", "find"), "--only applies to one server: use --server NAME"),
        ((*ALL, "--quiet", "--verbose"), "--quiet and --verbose exclude each other"),
        ((*ALL, "--baseline", "b.json"), "each server needs its own file"),
        ((*ALL, "--record", "t.jsonl"), "put {server} into the path"),
        ((*ALL, "--env", "TOKEN=x"), "--env TOKEN: no server of mcp.json names it"),
        ((*ALL, "--header", "X-Key: x"), "--header X-Key: no server of mcp.json names it"),
        ((*ALL, "--env", "NO_SUCH"), "no such environment variable"),
        (("assess", "--config", "none.json", "--all"), "none.json cannot be read"),
        (("assess", "--config", "off.json", "--all"), "off.json contains no server that is"),
        (("assess", "--jobs", "2", "--", "true"), "--jobs needs --config FILE --all"),
        ((*ALL, "--jobs", "0"), "0 is not in the range"),
        (("lint", "--jobs", "2", "--", "true"), "--jobs needs --config FILE --all"),
        (("lint", "mcp.json", "--all"), "name either a server or a file, not both"),
    ],
)
def test_what_makes_no_sense_gets_one_sentence(
    project: Path, cli: Cli, arguments: tuple[str, ...], sentence: str
) -> None:
    write(project, books=entry())
    (project / "off.json").write_text('{"servers": {"books": {"command": "x", "enabled": false}}}')
    ended = cli(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
    assert ended.err.count("\n") == 1


def test_a_configured_all_gives_way_to_a_server_that_is_named(project: Path, cli: Cli) -> None:
    write(project, books=entry(), gone={"command": "no-such-command"})
    (project / "mcp-assay.toml").write_text('config = "mcp.json"\nall = true\njobs = 2\n')
    one = cli("assess", "--dry-run", "--server", "books", "--format", "json")
    assert json.loads(one.out)["schema"] == "mcp-assay/report/1"
    every = cli("assess", "--dry-run", "--format", "json")
    assert json.loads(every.out)["schema"] == "mcp-assay/reports/1"


def test_a_report_that_cannot_be_written_hides_nothing_else(project: Path, cli: Cli) -> None:
    write(project, gone={"command": "no-such-command"})
    (project / "taken").write_text("a file")
    reports = ("--report", "json=taken/x.json", "--report", "markdown=all.md")
    ended = cli(*ALL, *reports)
    assert ended.code == 2
    assert "taken/x.json could not be written" in ended.err
    assert ended.out.startswith("INCOMPLETE  1 server: 1 incomplete")
    assert "no-such-command" in (project / "all.md").read_text("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent in the manner of POSIX")
def test_an_interruption_gives_what_was_found(project: Path) -> None:
    os.mkfifo(project / "reached")
    script = "open('reached', 'w').write('here'); input(); input()"
    stuck = {"command": sys.executable, "args": ["-c", script]}
    write(project, gone={"command": "no-such-command"}, stuck=stuck, waits=stuck)
    with subprocess.Popen(
        [sys.executable, "-m", "mcp_assay", *ALL, "--jobs", "1", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        reached = os.open("reached", os.O_RDONLY | os.O_NONBLOCK)
        assert select.select([reached], [], [], LONGEST)[0], "the second server never began"
        os.close(reached)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 130
    assert b"interrupted; the report contains the results so far" in err
    reasons = [it["summary"]["reason"] for it in json.loads(out)["servers"]]
    assert "no-such-command" in reasons[0]
    assert reasons[1:] == ["The run was interrupted; results so far are shown."] * 2
