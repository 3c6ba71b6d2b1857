"""Changes are told by contents: what only lies in an upper, or was only touched, is none."""

from __future__ import annotations

import mmap
import os
import shutil
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcp_assay.client.sandbox import file_changes, file_record, file_state
from mcp_assay.client.sandbox.file_changes import PathChange, TreePlace, TreeWatch
from mcp_assay.client.sandbox.file_record import FileRecord
from mcp_assay.client.sandbox.folder_walk import listings
from mcp_assay.client.sandbox.shared_maps import MappedNames
from tests.client.sandbox.deep_folders import nested

FOLDER = os.O_RDONLY | os.O_DIRECTORY
NOBODY = 65534


class Trees:
    """A lower, and an upper over it."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.lower, self.upper, self.kind = folder / "lower", folder / "upper", kind
        (self.lower / "old" / "deep").mkdir(parents=True)
        (self.lower / "a.txt").write_text("one\ntwo\n")
        (self.lower / "old" / "b.txt").write_text("b\n")
        (self.lower / "old" / "deep" / "c.txt").write_text("c\n")
        if kind == "copy":
            shutil.copytree(self.lower, self.upper, symlinks=True)
        else:
            self.upper.mkdir()
        self.cuts = Counter[str]()

    def watch(self) -> TreeWatch:
        place = TreePlace(
            "/world", self.kind, os.open(self.upper, FOLDER), os.open(self.lower, FOLDER)
        )
        return TreeWatch(place, self.cuts)


def words(changes: list[PathChange]) -> list[str]:
    return [f"{one.what} {one.path.removeprefix('/world/')}" for one in changes]


@pytest.fixture
def overlay(tmp_path: Path) -> Trees:
    return Trees(tmp_path, "overlay")


@pytest.fixture
def copy(tmp_path: Path) -> Trees:
    return Trees(tmp_path, "copy")


def white_out(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(0, 0))
    except PermissionError:
        pytest.skip("this kernel lets only root make a whiteout")


def make_opaque(path: Path) -> None:
    path.mkdir()
    try:
        os.setxattr(path, "user.overlay.opaque", b"y")
    except OSError:
        pytest.skip("this file system has no extended attributes")


def test_a_file_that_was_only_copied_up_is_no_change(overlay: Trees) -> None:
    watch = overlay.watch()
    shutil.copy2(overlay.lower / "a.txt", overlay.upper / "a.txt")
    (overlay.upper / "old").mkdir()
    os.chmod(overlay.upper / "old", stat.S_IMODE((overlay.lower / "old").stat().st_mode))
    assert words(watch.changes()) == []


def test_contents_permissions_and_new_files_are_told_once(overlay: Trees) -> None:
    watch = overlay.watch()
    (overlay.upper / "a.txt").write_text("one\nother\n")
    (overlay.upper / "new").write_text("")
    assert words(watch.changes()) == ["changed a.txt", "created new"]
    assert words(watch.changes()) == []
    (overlay.upper / "a.txt").chmod(0o755)
    assert words(watch.changes()) == ["permissions a.txt"]
    (overlay.upper / "new").unlink()
    assert words(watch.changes()) == ["deleted new"]


def test_a_file_written_back_as_it_was_is_told_as_a_change_each_time(overlay: Trees) -> None:
    watch = overlay.watch()
    (overlay.upper / "a.txt").write_text("1\n")
    assert words(watch.changes()) == ["changed a.txt"]
    (overlay.upper / "a.txt").write_text("one\ntwo\n")
    assert words(watch.changes()) == ["changed a.txt"]
    assert words(watch.difference()) == []


def test_a_whiteout_is_a_deletion_of_all_below(overlay: Trees) -> None:
    watch = overlay.watch()
    white_out(overlay.upper / "old")
    expected = ["deleted old", "deleted old/b.txt", "deleted old/deep", "deleted old/deep/c.txt"]
    assert words(watch.changes()) == expected
    (overlay.upper / "old").unlink()
    assert words(watch.changes()) == [word.replace("deleted", "created") for word in expected]


def test_a_folder_made_anew_hides_what_was_in_it(overlay: Trees) -> None:
    watch = overlay.watch()
    make_opaque(overlay.upper / "old")
    (overlay.upper / "old" / "b.txt").write_text("b\n")
    assert words(watch.changes()) == ["deleted old/deep", "deleted old/deep/c.txt"]


def test_a_file_in_place_of_a_folder_hides_what_was_in_it(overlay: Trees) -> None:
    watch = overlay.watch()
    (overlay.upper / "old").write_text("now a file\n")
    expected = ["changed old", "deleted old/b.txt", "deleted old/deep", "deleted old/deep/c.txt"]
    assert words(watch.changes()) == expected


def test_what_stood_in_the_upper_before_the_server_is_not_told(overlay: Trees) -> None:
    white_out(overlay.upper / "a.txt")
    (overlay.upper / "planted").write_text("secret\n")
    watch = overlay.watch()
    assert words(watch.changes()) == []
    assert words(watch.difference()) == []


def test_a_copy_is_compared_with_its_original(copy: Trees) -> None:
    watch = copy.watch()
    os.utime(copy.upper / "a.txt")
    assert words(watch.changes()) == []
    (copy.upper / "a.txt").write_text("other\n")
    shutil.rmtree(copy.upper / "old" / "deep")
    os.rename(copy.upper / "old", copy.upper / "moved")
    expected = ["changed a.txt", "created moved", "created moved/b.txt"]
    expected += ["deleted old", "deleted old/b.txt", "deleted old/deep", "deleted old/deep/c.txt"]
    assert words(watch.changes()) == expected
    assert words(watch.difference()) == expected


def test_a_write_that_leaves_size_and_time_as_they_were_is_seen(copy: Trees) -> None:
    watch = copy.watch()
    (copy.upper / "a.txt").write_text("ONE\ntwo\n")
    assert words(watch.changes()) == ["changed a.txt"]
    (copy.upper / "a.txt").write_text("ONE\nTWO\n")  # perhaps in the same tick of the clock
    assert words(watch.changes()) == ["changed a.txt"]


def test_a_file_too_large_to_compare_is_not_said_to_be_changed(
    copy: Trees, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_state, "LARGEST_COMPARED", 4)
    watch = copy.watch()
    (copy.upper / "a.txt").write_text("one\nTWO\n")
    assert words(watch.changes()) == []
    assert copy.cuts["bytes"] == 1
    (copy.upper / "a.txt").write_text("one\nlonger than before\n")
    assert words(watch.changes()) == ["changed a.txt"]


def test_a_sparse_file_without_end_is_read_only_in_part(copy: Trees) -> None:
    watch = copy.watch()
    with open(copy.upper / "huge", "wb") as file:
        file.truncate(1 << 40)
    assert words(watch.changes()) == ["created huge"]


def test_contents_are_kept_within_bounds(copy: Trees, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_state, "MOST_KEPT", 100)
    watch = copy.watch()
    for number in range(10):
        (copy.upper / f"{number}").write_text("x" * 30)
    kept = [one.after.content for one in watch.changes() if one.after and one.after.content]
    assert len(kept) == 3


def test_the_part_of_a_path_that_was_there_is_known(copy: Trees) -> None:
    watch = copy.watch()
    (copy.upper / "old" / "tmp1" / "x").mkdir(parents=True)
    known = {one.path: one.path[: one.known] for one in watch.changes()}
    assert known == {"/world/old/tmp1": "/world/old", "/world/old/tmp1/x": "/world/old"}


def test_three_thousand_folders_are_compared_in_little_time(overlay: Trees) -> None:
    watch = overlay.watch()
    with nested(overlay.upper, 3000):
        assert len(watch.changes()) == 3000


def test_differences_are_cut_and_long_paths_shortened(copy: Trees) -> None:
    record = FileRecord([copy.watch()], copy.cuts)
    (copy.upper / "long.txt").write_text("a line of some length\n" * 2500)
    for number in range(20):
        (copy.upper / f"text{number}").write_text("another line\n" * 2000)
    told = {one["path"]: one for one in record.changes()}
    assert told["/world/long.txt"]["diff"].endswith("…\n")
    assert len(told["/world/long.txt"]["diff"]) < 17_000
    assert copy.cuts["diffs"] > 0


def test_a_patch_holds_all_of_a_longer_text(copy: Trees) -> None:
    watch = copy.watch()
    record = FileRecord([watch], copy.cuts)
    (copy.upper / "long.txt").write_text("a line of some length\n" * 10_000)
    assert record.changes()[0]["diff"] is None
    (told,) = record.difference()
    assert told["diff"].count("\n+a line") == 10_000


def test_a_racy_look_is_as_short_as_a_tick() -> None:
    assert file_changes.RACY >= 10_000_000, "the clock of files may tick only every 10 ms"


def test_a_file_that_was_not_come_to_is_not_told_as_deleted(
    copy: Trees, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = copy.watch()
    (copy.upper / "old" / "b.txt").unlink()
    monkeypatch.setattr(file_changes, "listings", lambda root, cuts, end: listings(root, cuts, 1))
    assert words(watch.changes()) == ["deleted old/b.txt"]
    assert copy.cuts["files"]


@contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """While inside, root is somebody else, who owns the folder: no folder is closed to root."""
    is_root = os.geteuid() == 0
    if is_root:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_what_is_below_a_closed_folder_is_not_told_as_deleted(copy: Trees) -> None:
    watch = copy.watch()
    with ordinary_user(copy.upper):
        os.chmod("old", 0, dir_fd=watch.place.upper)
        assert words(watch.changes()) == ["permissions old"]
    assert copy.cuts["closed"] == 1
    (copy.upper / "old").chmod(0o755)


def test_a_look_ends_in_time_and_the_next_call_is_not_blamed(
    copy: Trees, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = FileRecord([copy.watch()], copy.cuts)
    monkeypatch.setattr(file_record, "LOOK_SECONDS", -1.0)
    (copy.upper / "new").write_text("x")
    assert record.changes(is_of_call=True) == []
    assert record.is_behind
    monkeypatch.setattr(file_record, "LOOK_SECONDS", 60.0)
    assert record.changes(is_of_call=True) == []
    assert copy.cuts["backlog"] == 1
    assert not record.is_behind


def test_a_file_written_through_memory_is_seen(copy: Trees) -> None:
    """Only the first write through memory sets the time of a file."""
    names = MappedNames()
    with open(copy.upper / "a.txt", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0:1] = b"O"
        watch = copy.watch()
        written = os.stat(copy.upper / "a.txt")
        memory[1:2] = b"N"
        names.look([os.getpid()])
        assert "a.txt" in names
        assert "b.txt" not in names
    os.utime(copy.upper / "a.txt", ns=(written.st_atime_ns, written.st_mtime_ns))
    assert words(watch.changes(names)) == ["changed a.txt"]


def test_a_patch_never_holds_what_a_planted_file_stands_for(overlay: Trees) -> None:
    """Below a planted file lies the real one, which nobody in the world has seen."""
    (overlay.lower / "secret").write_text("real\n")
    (overlay.upper / "secret").write_text("planted\n")
    about = (overlay.upper / "secret").stat()
    place = TreePlace(
        "/world", "overlay", os.open(overlay.upper, FOLDER), os.open(overlay.lower, FOLDER)
    )
    watch = TreeWatch(place, overlay.cuts, {(about.st_dev, about.st_ino)})
    (overlay.upper / "secret").unlink()
    (overlay.upper / "secret").write_text("of the server\n")
    (change,) = watch.difference()
    before, _ = watch.with_contents(change)
    assert before is not None
    assert before.content != b"real\n"


def test_patches_are_bounded_together(copy: Trees, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_record, "MOST_PATCHED", 10)
    record = FileRecord([copy.watch()], copy.cuts)
    for name in "xyz":
        (copy.upper / name).write_text("a line of text\n")
    assert [bool(row["diff"]) for row in record.difference()] == [True, False, False]
    assert copy.cuts["diffs"] == 2
