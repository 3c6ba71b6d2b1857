"""A stream of files from a world is believed in nothing: it stays in its folder, and small."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from mcp_assay.fleet.packages.package_tar import WrongStream, pack, unpack
from mcp_assay.fleet.packages.python_environment import is_ours


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, target, 0o777
    return made


def stream(path: Path, *members: tarfile.TarInfo, content: bytes = b"") -> str:
    with tarfile.open(path, "w") as archive:
        for one in members:
            one.size = len(content) if one.isreg() else 0
            archive.addfile(one, io.BytesIO(content) if one.isreg() else None)
    return str(path)


def unpacked(path: str, folder: Path, most: int = 1 << 20) -> Path:
    folder.mkdir()
    unpack(path, str(folder), most, lambda _: False)
    return folder


def test_files_folders_and_inner_links_come_back_as_they_were(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "bin").mkdir(parents=True)
    (source / "bin" / "one").write_text("hello")
    (source / "bin" / "one").chmod(0o755)
    (source / "two").symlink_to("bin/one")
    with (tmp_path / "stream").open("wb") as target:
        pack(str(source), ["bin", "two"], target)
    found = unpacked(str(tmp_path / "stream"), tmp_path / "found")
    assert (found / "two").read_text() == "hello"
    assert (found / "bin" / "one").stat().st_mode & 0o777 == 0o755
    assert int((found / "bin" / "one").stat().st_mtime) == int(
        (source / "bin" / "one").stat().st_mtime
    )


@pytest.mark.parametrize(
    "members",
    [
        [member("../out")],
        [member("/etc/out")],
        [member("a/../../out")],
        [member("a//b")],
        [member("link", tarfile.SYMTYPE, "../out")],
        [member("link", tarfile.SYMTYPE, "/etc/passwd")],
        [member("a/link", tarfile.SYMTYPE, "../../out")],
        [member("/".join("a" * 200))],
        [member("twice"), member("twice")],
        [member("a"), member("a/b")],
    ],
)
def test_what_leads_out_or_makes_no_sense_is_refused(
    tmp_path: Path, members: list[tarfile.TarInfo]
) -> None:
    with pytest.raises(WrongStream):
        unpacked(stream(tmp_path / "stream", *members), tmp_path / "found")
    assert {path.name for path in tmp_path.iterdir()} == {"stream", "found"}


def test_nothing_is_written_through_a_link_of_the_stream(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    members = [member("in"), member("d", tarfile.SYMTYPE, "in"), member("d/file")]
    with pytest.raises(WrongStream):
        unpacked(stream(tmp_path / "stream", *members), tmp_path / "found")
    assert not list((tmp_path / "outside").iterdir())


def test_devices_and_hard_links_are_left_out(tmp_path: Path) -> None:
    odd = [member("pipe", tarfile.FIFOTYPE), member("hard", tarfile.LNKTYPE, "/etc/passwd")]
    found = unpacked(stream(tmp_path / "stream", *odd, member("good")), tmp_path / "found")
    assert [path.name for path in found.iterdir()] == ["good"]


def test_what_is_too_large_or_no_archive_is_refused(tmp_path: Path) -> None:
    large = stream(tmp_path / "large", member("a"), member("b"), content=b"0" * 600)
    with pytest.raises(WrongStream, match="larger than a job may be"):
        unpacked(large, tmp_path / "found", most=1000)
    (tmp_path / "junk").write_bytes(b"junk" * 1000)
    with pytest.raises(WrongStream, match="cannot be written"):
        unpacked(str(tmp_path / "junk"), tmp_path / "other")


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("bin/python", True),
        ("bin/python3.11", True),
        ("pyvenv.cfg", True),
        ("lib64", True),
        ("bin/hello", False),
        ("lib/python3.11/site-packages/a.py", False),
    ],
)
def test_a_package_cannot_bring_its_own_interpreter(path: str, ours: bool) -> None:
    assert is_ours(path) is ours
