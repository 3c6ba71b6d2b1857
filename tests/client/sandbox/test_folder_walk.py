"""Folders of a hostile hand are listed without following, hanging or running out of anything."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcp_assay.client.sandbox import folder_walk
from mcp_assay.client.sandbox.folder_walk import listings, open_below, read_file
from tests.client.sandbox.deep_folders import nested


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def paths(folder: Path, cuts: Counter[str] | None = None, most: int = 50_000) -> list[str]:
    with opened(folder) as root:
        found = listings(root, Counter() if cuts is None else cuts, most)
        return sorted(listing.path_of(name) for listing in found for name in listing.entries)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_all_is_listed_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").touch()
    (tmp_path / "away").symlink_to("/etc")
    (tmp_path / "round").symlink_to(".")
    assert paths(tmp_path) == ["a", "a/b", "a/b/file", "away", "round"]


def test_three_thousand_nested_folders_need_few_descriptors(tmp_path: Path) -> None:
    before, cuts = open_descriptors(), Counter[str]()
    with nested(tmp_path, 3000):
        assert len(paths(tmp_path, cuts)) == 3000
    assert not cuts
    assert open_descriptors() == before


def test_deep_folders_with_others_beside_them_are_bounded_and_counted(tmp_path: Path) -> None:
    before, cuts = open_descriptors(), Counter[str]()
    with nested(tmp_path, 600, beside=2):
        found = paths(tmp_path, cuts)
    assert cuts["folders"] > 0
    assert len(found) < 1800
    assert open_descriptors() == before


def test_very_many_files_are_bounded_and_counted(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / str(number)).touch()
    cuts = Counter[str]()
    assert len(paths(tmp_path, cuts, most=20)) == 20
    assert cuts["files"] == 1


def test_very_long_paths_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_walk, "MOST_CHARACTERS", 1000)
    cuts = Counter[str]()
    with nested(tmp_path, 200):
        assert sum(map(len, paths(tmp_path, cuts))) <= 1000
    assert cuts["files"] > 0


def test_a_walk_that_is_broken_off_leaves_nothing_open(tmp_path: Path) -> None:
    before = open_descriptors()
    with nested(tmp_path, 5, beside=3), opened(tmp_path) as root:
        walk = listings(root, Counter())
        next(walk)
        next(walk)
        walk.close()
    assert open_descriptors() == before


def test_names_keep_their_bytes(tmp_path: Path) -> None:
    names = [b"\x1b[31m", "\u202e.txt".encode(), b"\xff\xfe", b"line\nend"]
    for name in names:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb"):
            pass
    assert sorted(map(os.fsencode, paths(tmp_path))) == sorted(names)


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"12345")
    with opened(tmp_path) as root:
        assert [read_file(root, name, 9) for name in ("pipe", "link", "folder", "none")] == [
            None
        ] * 4
        assert read_file(root, "file", 3) == b"123"


def test_no_link_leads_out_on_the_way_to_a_path(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "etc").symlink_to("/etc")
    with opened(tmp_path) as root:
        assert open_below(root, "a/etc/passwd") is None
        assert open_below(root, "none/file") is None
        found = open_below(root, "a/etc")
        assert found is not None
        os.close(found[0])
