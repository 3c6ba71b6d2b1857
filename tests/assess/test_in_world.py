"""Assessments in a disposable world: what is called, in which order, and what is repeated how."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.patience import LONGEST
from tests.worlds import world

__all__ = ["world"]

pytestmark = pytest.mark.usefixtures("world")

SERVER = (sys.executable, str(Path(__file__).with_name("folder_server.py")))
QUICK = ("--no-input", "--no-shrink", "--max-calls", "6", "--format", "json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "tea.txt").write_text("black\n", "utf-8")
    return work


def assessed(folder: Path, *options: str, server: tuple[str, ...] = SERVER) -> dict[str, Any]:
    done = subprocess.run(
        (sys.executable, "-m", "mcp_assay", "assess", *QUICK, *options, "--", *server),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def called(report: dict[str, Any]) -> set[str]:
    return {call["tool"] for call in report["calls"]}


def unspoilt(folder: Path) -> bool:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()} == {
        "tea.txt": "black\n"
    }


def test_what_adds_comes_before_what_reads_it_each_in_a_whole_world(
    folder: Path,
) -> None:
    report = assessed(folder, "--sandbox")
    tools = {tool["name"]: tool for tool in report["tools"]}
    order = [name for name, _ in groupby(call["tool"] for call in report["calls"])]
    assert order[:2] == ["add_file", "read_file"]
    assert set(order[2:4]) == {"wipe_folder", "rename_file"}
    assert all(tool["succeeded"] for tool in tools.values()), tools
    wiped = {file["path"] for file in tools["wipe_folder"]["effects"]["files"]}
    renamed = {file["path"] for file in tools["rename_file"]["effects"]["files"]}
    assert str(folder / "tea.txt") in wiped & renamed
    assert report["options"]["sandbox"] == "auto"
    assert unspoilt(folder)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--deny", "wipe_folder"), {"read_file", "add_file", "rename_file"}),
        (("--calls", "safe"), {"read_file"}),
        (("--calls", "none"), set()),
        (("--sandbox-allow", "127.0.0.1:9"), {"read_file"}),
        (("--sandbox-allow", "127.0.0.1:9", "--allow", "add_file"), {"read_file", "add_file"}),
        (("--only", "wipe_folder"), {"wipe_folder"}),
    ],
    ids=["deny", "safe", "none", "network", "network-and-allow", "only"],
)
def test_what_the_user_says_still_counts(
    folder: Path, options: tuple[str, ...], expected: set[str]
) -> None:
    assert called(assessed(folder, "--sandbox", *options)) == expected
    assert unspoilt(folder)


def test_without_a_world_the_report_says_what_one_would_add(folder: Path) -> None:
    report = assessed(folder, "--seed", "7")
    assert called(report) == {"read_file"}
    hint = report["sandbox_hint"]
    assert hint["tools"] == 3
    words = "mcp-assay assess --sandbox --seed 7 --max-calls 6"
    assert hint["command"] == f"{words} -- {' '.join(SERVER)}"
    assert assessed(folder, "--deny", "add_file")["sandbox_hint"]["tools"] == 2
    for options in (("--calls", "all"), ("--dry-run",), ("--only", "read_file"), ("--sandbox",)):
        assert assessed(folder, *options)["sandbox_hint"] is None
        (folder / "tea.txt").write_text("black\n", "utf-8")


def test_a_rerun_is_made_in_a_world_too(folder: Path) -> None:
    report = assessed(folder, "--sandbox")
    (folder.parent / "report.json").write_text(json.dumps(report), "utf-8")
    again = assessed(folder, "--like", "../report.json")
    assert called(again) == called(report)
    assert (again["options"]["sandbox"], again["options"]["calls"]) == ("auto", "all")
    assert unspoilt(folder)


def test_hosts_that_a_report_allowed_are_allowed_by_nobody_else(folder: Path) -> None:
    report = assessed(folder, "--sandbox", "--sandbox-allow", "127.0.0.1:9", "--calls", "all")
    assert called(report) >= {"wipe_folder"}
    (folder.parent / "report.json").write_text(json.dumps(report), "utf-8")
    again = assessed(folder, "--like", "../report.json")
    assert again["options"]["sandbox_allow"] == []
    opened = assessed(folder, "--like", "../report.json", "--sandbox-allow", "127.0.0.1:9")
    assert called(opened) == {"read_file"}
    assert unspoilt(folder)


def test_the_difference_can_be_kept(folder: Path) -> None:
    kept = folder.parent / "kept"
    one = ("--only", "add_file", "--args", '{"name": "new.txt"}', "--keep-world", str(kept))
    report = assessed(folder, "--sandbox", *one)
    assert report["calls"][0]["outcome"] == "passed"
    patches = "".join(path.read_text("utf-8") for path in kept.rglob("*") if path.is_file())
    assert "new.txt" in patches
    assert "+new" in patches
    assert unspoilt(folder)


def test_what_was_found_in_a_world_is_repeated_in_one(folder: Path) -> None:
    server = (sys.executable, "-m", "mcp_assay.demo_server")
    report = assessed(folder, "--sandbox", "--max-calls", "20", server=server)
    details = [it["details"] or {} for it in report["findings"]]
    repeats = [its["repeat"] for its in details if "repeat" in its]
    assert repeats
    assert all(line.startswith("mcp-assay assess --sandbox ") for line in repeats)
    assert not any("--allow" in line for line in repeats)
