"""Worlds made by root through sudo, and by bwrap: the same walls."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.client.sandbox import backends
from mcp_assay.client.sandbox import backing_folder as backing
from mcp_assay.client.sandbox.availability import attempt
from mcp_assay.client.sandbox.backends import bwrap, only_root_writes
from mcp_assay.client.sandbox.backing_folder import BackingFolder, remove_abandoned
from mcp_assay.client.sandbox.launch import Launch
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.client.sandbox.specification import specification
from tests.client.sandbox.yards import SECONDS, SOURCES

AS_NOBODY = """
import ctypes, os, pwd, sys
libc = ctypes.CDLL(None, use_errno=True)
assert libc.unshare(0x20000) == 0
assert libc.mount(None, b"/", None, ctypes.c_ulong(1 << 18 | 1 << 14), None) == 0
assert libc.mount(sys.argv[1].encode(), b"/etc/sudoers.d", None, ctypes.c_ulong(4096), None) == 0
nobody = pwd.getpwnam("nobody")
os.setgroups([nobody.pw_gid, 1])
os.setresgid(*(nobody.pw_gid,) * 3)
os.setresuid(*(nobody.pw_uid,) * 3)
os.chdir(sys.argv[2])
os.execv(sys.argv[3], sys.argv[3:])
"""
START = """
import json, os, socket, subprocess, sys
spec, entry, sudo, python = sys.argv[1:]
ours, theirs = socket.socketpair()
memory = os.memfd_create("spec")
with open(spec, "rb") as file:
    os.write(memory, file.read())
numbers = (str(theirs.fileno()), str(memory))
kept = (theirs.fileno(), memory)
command = [sys.executable, "-I", "-S", entry, "elevate", sudo, python, *numbers]
process = subprocess.Popen(command, pass_fds=kept)
theirs.close()
for line in ours.makefile():
    said = json.loads(line)
    print(said["event"], said.get("step", ""), said.get("what", ""), file=sys.stderr)
sys.exit(process.wait())
"""
LOOK = """
id -u; id -G; grep -c '^Cap.*0000000000000000' /proc/self/status; hostname
cat /etc/shadow /proc/1/environ; touch /etc/mark; echo changed > file.txt; echo mine > foreign
cat foreign; ls -A; exit 6
"""


@pytest.fixture
def sudoers(tmp_path: Path) -> Iterator[Path]:
    """A folder of rules for sudo that lets nobody do everything, seen by one process alone."""
    if os.geteuid() != 0:
        pytest.skip("only root can make rules for sudo")
    if not any(map(os.path.isfile, backends.SUDO_PLACES)):
        pytest.skip("sudo is not installed")
    folder = Path("/var/tmp", f"mcp-assay-sudo-{os.getpid()}")
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "nobody").write_text("nobody ALL=(root) NOPASSWD: ALL\n")
    (folder / "rules" / "nobody").chmod(0o440)
    yield folder
    shutil.rmtree(folder)


def test_root_makes_a_world_for_an_ordinary_user(sudoers: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    work = sudoers / "work"
    work.mkdir()
    shutil.copytree(SOURCES, sudoers / "launcher", ignore=shutil.ignore_patterns("__pycache__"))
    (work / "json.py").write_text("open('/var/tmp/imported-as-root', 'w')")
    (work / "file.txt").write_text("kept")
    (work / "foreign").write_text("of a group")
    for path in (work, work / "file.txt"):
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    os.chown(work / "foreign", 0, 1)
    (work / "foreign").chmod(0o664)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(work)}
    options = SandboxOptions(work=str(work))
    spec = specification(("/bin/sh", "-c", LOOK), environment, options)
    spec["plant"] = {}
    (sudoers / "spec.json").write_text(json.dumps({**spec, "backend": "sudo"}))
    for name, text in (("nobody.py", AS_NOBODY), ("start.py", START)):
        (sudoers / name).write_text(text)
    done = subprocess.run(
        [
            *(sys.executable, sudoers / "nobody.py", sudoers / "rules", work),
            *("/usr/bin/python3", "-I", sudoers / "start.py", sudoers / "spec.json"),
            *(sudoers / "launcher" / "entry.py", backends.sudo(), backends.python_for_root()),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert "started" in done.stderr.split(), done.stderr  # two processes write there
    user, groups, none, host, owned, *names = done.stdout.splitlines()
    assert (int(user), host, owned) == (nobody.pw_uid, "sandbox", "mine")
    assert set(groups.split()) == {str(nobody.pw_gid), "1"}
    assert int(none) == 5
    assert names == ["file.txt", "foreign", "json.py"]
    assert done.returncode == 6
    assert (work / "file.txt").read_text() == "kept"
    assert (work / "foreign").read_text() == "of a group"
    assert not os.path.exists("/etc/mark")
    assert not os.path.exists("/var/tmp/imported-as-root")


def test_only_what_root_alone_can_change_is_run_as_root(tmp_path: Path) -> None:
    assert only_root_writes("/usr/bin/env") == (os.stat("/usr/bin/env").st_uid == 0)
    mine = tmp_path / "python3"
    mine.write_text("#!/bin/sh\n")
    assert not only_root_writes(str(mine))  # /tmp belongs to everybody


@pytest.mark.parametrize("said", ["0.8.0", "0.9.0", "0.10.1", None])
def test_a_bwrap_without_overlays_is_not_used(
    said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if said:
        program = tmp_path / "bwrap"
        program.write_text(f"#!/bin/sh\necho bubblewrap {said}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    bwrap.cache_clear()
    try:
        tried = attempt("bwrap")
    finally:
        bwrap.cache_clear()
    assert (tried.works, tried.why) == (False, "old_bwrap" if said else "no_bwrap")


@pytest.fixture
def real_bwrap() -> None:
    try:
        bwrap()
    except NoSandbox as why:
        pytest.skip(str(why))


@pytest.mark.usefixtures("real_bwrap")
def test_bwrap_makes_a_world(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("kept")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    look = "hostname; grep -c '^CapEff.*0000000000' /proc/self/status; echo x > file.txt; cat *"
    options = SandboxOptions(work=str(tmp_path))
    launch = Launch(("/bin/sh", "-c", look), environment, options, "bwrap")
    with subprocess.Popen(
        launch.command, pass_fds=launch.descriptors, stdout=subprocess.PIPE, text=True
    ) as process:
        launch.let_go()
        assert launch.wait_for_start()["event"] == "started"
        launch.ignore_rest()
        assert process.stdout is not None
        assert process.stdout.read().split() == ["sandbox", "1", "x"]
        assert process.wait(SECONDS) == 0
    launch.clean_up()
    launch.control.close()
    assert (tmp_path / "file.txt").read_text() == "kept"


def test_folders_of_those_who_were_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backing, "PLACE", str(tmp_path))
    held = BackingFolder()
    abandoned = tmp_path / f"{backing.PREFIX}{os.getuid()}-abandoned"
    (abandoned / "1" / "w" / "work").mkdir(parents=True)
    (abandoned / "1" / "w" / "work").chmod(0)
    (abandoned / backing.LOCK).touch()
    (abandoned / "link").symlink_to(tmp_path)
    other = tmp_path / f"{backing.PREFIX}{os.getuid()}-of-somebody-else"
    other.symlink_to(tmp_path / "nowhere")
    deep = os.open(abandoned, os.O_PATH)
    for _ in range(3000):
        os.mkdir("d", dir_fd=deep)
        deep, above = os.open("d", os.O_PATH, dir_fd=deep), deep
        os.close(above)
    os.close(deep)
    remove_abandoned()
    assert not abandoned.exists()
    assert os.path.exists(held.path)
    held.remove()
    other.unlink()
    assert list(tmp_path.iterdir()) == []
