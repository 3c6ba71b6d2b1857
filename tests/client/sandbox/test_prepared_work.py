"""Where a working folder is empty a world shows prepared files there, and the machine has none."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from mcp_assay.client.sandbox.copies import write_all
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.specification import with_prepared_work
from mcp_assay.client.target import Command
from mcp_assay.model.effect import FileChange, SandboxRow
from mcp_assay.scenario.prepared_folder import prepared_files
from tests.client.connected import run
from tests.client.sandbox.worlds import called, in_world, planted


def empty(folder: Path, keep: Path | None = None) -> tuple[Command, Path]:
    """The planted server, with nothing in its working folder."""
    work = folder / "work"
    work.mkdir()
    (folder / "home").mkdir()
    return planted(work, keep=keep), work


def prepared(server: Command, **changes: str) -> Command:
    assert server.sandbox is not None
    world = replace(server.sandbox, **changes)
    return replace(server, sandbox=with_prepared_work(server.command, world))


async def effects_row(server: Command) -> tuple[SandboxRow, FileChange]:
    """What the report says of the world, and the one change of a file that a call made."""
    async with in_world(server) as connection:
        await called(connection, "overwrite", 0)
        assert connection.effects.row is not None
        (change,) = connection.effects.calls[0].files
        return connection.effects.row, change


def test_a_change_of_a_prepared_file_is_seen_and_the_folder_stays_empty(tmp_path: Path) -> None:
    server, work = empty(tmp_path, tmp_path / "kept")
    row, change = run(effects_row(prepared(server)))
    assert row.work == "prepared"
    assert row.at_start is None or row.at_start.files == []
    assert (change.what, change.path) == ("changed", f"{work}/notes.txt")
    assert change.diff is not None
    assert "+a line of the tool" in change.diff
    assert os.listdir(work) == []
    patch = (tmp_path / "kept" / "1" / "work.patch").read_text()
    assert patch.count("diff --git") == 1
    assert "--- a/notes.txt" in patch


def test_a_folder_of_the_users_own_takes_its_place(tmp_path: Path) -> None:
    server, work = empty(tmp_path)
    own = tmp_path / "own"
    (own / "inside").mkdir(parents=True)
    (own / "notes.txt").write_text("mine\n")
    _, change = run(effects_row(prepared(server, prepare_from=str(own))))
    assert change.diff is not None
    assert " mine\n+a line of the tool\n" in change.diff
    assert (own / "notes.txt").read_text() == "mine\n"
    assert os.listdir(work) == []


def test_only_folders_that_are_empty_are_prepared(tmp_path: Path) -> None:
    full, bare = tmp_path / "full", tmp_path / "bare"
    for folder in (full, bare):
        folder.mkdir()
    (full / "a.txt").touch()
    world = SandboxOptions(work=str(full))
    assert with_prepared_work(("serve", str(bare), "bare"), world).prepared == (str(bare),)
    assert with_prepared_work(("serve", str(tmp_path / "none")), world).prepared == ()


def test_git_finds_a_history_and_something_to_do(tmp_path: Path) -> None:
    program = shutil.which("git")
    if program is None:
        pytest.skip("git is not installed")
    write_all(prepared_files(), str(tmp_path))

    def git(*words: str) -> list[str]:
        ended = subprocess.run(
            [program, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.splitlines()

    git("fsck", "--strict")
    changes = {"A  garden/trees/list.txt", " M notes.txt", "?? fruits.db", "?? prices.js"}
    assert {*git("status", "--porcelain")} == changes
    assert len(git("log", "--oneline")) == len(git("reflog")) == 5
    assert git("branch", "--format=%(refname:short)") == ["assay-branch", "main"]
    assert git("describe", "--tags", "main~1") == ["v1.0.0"]
    for words in (("fetch",), ("commit", "-qm", "More"), ("push", "-q"), ("merge", "assay-branch")):
        git(*words)
