"""The difference of a world is kept as patches that `git apply` takes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from mcp_assay.client.sandbox.kept_difference import write_difference
from tests.client.connected import run
from tests.client.sandbox.worlds import called, furnish, in_world, planted


def state(
    kind: str = "file", mode: str = "0644", size: int | None = 1, **more: Any
) -> dict[str, Any]:
    return {"kind": kind, "mode": mode, "size": size, "target": None, **more}


def change(path: str, what: str, **more: Any) -> dict[str, Any]:
    return {"path": path, "what": what, "before": None, "after": None, "diff": None, **more}


def test_a_patch_makes_of_the_folder_what_the_world_made_of_it(tmp_path: Path) -> None:
    work, kept = furnish(tmp_path / "here"), tmp_path / "kept"
    tools = ["overwrite", "write_new", "delete", "relink", "make_executable", "tricky_name"]
    tools += ["delete_tree", "write_home", "empty"]

    async def talk() -> None:
        async with in_world(planted(work, keep=kept)) as connection:
            for number, tool in enumerate(tools):
                await called(connection, tool, number)

    run(talk())
    (folder,) = kept.iterdir()
    again = tmp_path / "again"
    shutil.copytree(work, again, symlinks=True)
    patch = folder / "work.patch"
    subprocess.run(["git", "apply", str(patch)], cwd=again, check=True, capture_output=True)
    assert (again / "notes.txt").read_text().endswith("a line of the tool\n")
    assert (again / "notes.txt").stat().st_mode & 0o777 == 0o755
    assert (again / "new.txt").read_text() == "one\ntwo\n"
    assert (again / "table.csv").read_text() == ""
    assert not (again / "old" / "inside.txt").exists()
    assert str((again / "link").readlink()) == "/etc/passwd"
    assert len([path for path in again.iterdir() if path.name.startswith("harmless")]) == 1
    assert ".bashrc" in (folder / "elsewhere.patch").read_text()
    assert "\x1b" not in (folder / "changes.txt").read_text()


def test_a_server_that_dies_leaves_its_difference(tmp_path: Path) -> None:
    work, kept = furnish(tmp_path / "here"), tmp_path / "kept"

    async def talk() -> None:
        async with in_world(planted(work, keep=kept)) as connection:
            await called(connection, "die", 1)

    run(talk())
    assert "last-words.txt" in (kept / "1" / "work.patch").read_text()


def test_where_nothing_changed_nothing_is_written(tmp_path: Path) -> None:
    write_difference(str(tmp_path / "kept"), [], ["/w"])
    assert list(tmp_path.iterdir()) == []


def test_what_no_patch_can_hold_is_listed(tmp_path: Path) -> None:
    changes = [
        change("/w/picture", "changed", before=state(size=5), after=state(size=9)),
        change("/w/pipe", "created", after=state("pipe", size=None)),
        change("/w/folder", "created", after=state("folder", size=None)),
    ]
    write_difference(str(tmp_path), changes, ["/w"])
    assert (tmp_path / "1" / "changes.txt").read_text().splitlines() == [
        "changed      /w/picture (9 bytes, not in a patch)",
        "created      /w/pipe (pipe, not in a patch)",
        "created      /w/folder (folder)",
    ]
    assert not (tmp_path / "1" / "work.patch").exists()


def test_each_world_has_a_folder_of_its_own(tmp_path: Path) -> None:
    one = [change("/w/a", "created", after=state(size=0))]
    for _ in range(2):
        write_difference(str(tmp_path), one, ["/w"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2"]
    assert (tmp_path / "2" / "work.patch").read_text() == (
        "diff --git a/a b/a\nnew file mode 100644\n"
    )


def test_the_target_of_a_link_writes_no_patch_of_its_own(tmp_path: Path) -> None:
    target = "x\ndiff --git a/evil b/evil\nnew file mode 100755\n--- /dev/null\n+++ b/evil\n"
    link = change("/desk/link", "created", after=state("link", "0777", None, target=target))
    write_difference(str(tmp_path), [link], ["/desk"])
    assert not (tmp_path / "1" / "work.patch").exists()
    assert "not in a patch" in (tmp_path / "1" / "changes.txt").read_text()
