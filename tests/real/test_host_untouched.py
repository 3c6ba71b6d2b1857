"""After an assessment in a disposable world this machine is as it was, however the run ended."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.client.living import MARK, alive, eventually
from tests.patience import LONGEST
from tests.real.servers import npm_server, pypi_server
from tests.worlds import world
from tools.real_subjects import SUBJECTS

__all__ = ["world"]

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who is alive"),
    pytest.mark.usefixtures("world"),
]

SERVERS: Final[dict[str, Callable[[Path], list[str]]]] = {
    "server-filesystem": lambda work: npm_server("filesystem", str(work)),
    "mcp-server-sqlite": lambda work: pypi_server("sqlite", "--db-path", str(work / "tea.db")),
    "server-memory": lambda _: npm_server("memory"),
    "server-everything": lambda _: npm_server("everything", "stdio"),
    "mcp-server-git": lambda work: pypi_server("git", "--repository", str(work)),
    "mcp-server-time": lambda _: pypi_server("time"),
}
WRITING: Final = {"server-filesystem", "mcp-server-sqlite", "mcp-server-git"}
"""Servers that change the work folder, at their start or when they are called."""
LAUNCHER: Final = "client/sandbox/entry.py"
GUARDIAN: Final = "client/guardian.py"


class Machine(NamedTuple):
    """What of a machine a server could change: a work folder, a home, a temporary folder."""

    folder: Path
    mark: str

    @property
    def work(self) -> Path:
        """The folder that the server works in."""
        return self.folder / "work"

    def state(self) -> str:
        """A hash of every file, folder, link and socket that is there, and of what is mounted."""
        found = hashlib.sha256()
        for path in sorted(self.folder.rglob("*")):
            status = path.lstat()
            found.update(f"{path} {status.st_mode} {status.st_uid}".encode())
            if stat.S_ISREG(status.st_mode):
                found.update(path.read_bytes())
            elif stat.S_ISLNK(status.st_mode):
                found.update(os.readlink(path).encode())
        mounts = Path("/proc/self/mounts").read_text().splitlines()
        found.update("".join(it for it in mounts if str(self.folder) in it).encode())
        return found.hexdigest()

    def sockets(self) -> list[str]:
        """The sockets of this machine that have a name in one of the folders."""
        rows = Path("/proc/net/unix").read_text().splitlines()
        return [row.split()[-1] for row in rows if str(self.folder) in row]

    @contextmanager
    def assessing(self, command: list[str], *options: str) -> Iterator[subprocess.Popen[str]]:
        """Assess a server in a world; what is still there afterwards is killed."""
        ours = (sys.executable, "-m", "mcp_assay", "assess", "--sandbox", "--format", "json")
        quick = ("--no-input", "--no-shrink", "--max-calls", "12", "--timeout", "60")
        with subprocess.Popen(
            (*ours, *quick, "--max-time", "600", *options, "--env", MARK, "--", *command),
            cwd=self.work,
            env={
                **os.environ,
                MARK: self.mark,
                "HOME": str(self.folder / "home"),
                "TMPDIR": str(self.folder / "tmp"),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def members(self, script: str) -> list[int]:
        """The living processes of the run that are this script of ours."""
        return [pid for pid in alive(self.mark) if script in _command(pid)]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _is_node(pid: int) -> bool:
    return _command(pid).startswith("node ")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path / "machine", f"{os.getpid()}-{tmp_path.name}")
    for name in ("work", "home", "tmp"):
        (machine.folder / name).mkdir(parents=True)
    (machine.work / "data.json").write_text('{"tea": "black"}\n', "utf-8")
    (machine.folder / "home" / ".bashrc").write_text("# mine\n", "utf-8")
    SUBJECTS["mcp-server-git"].fill(machine.work)
    return machine


@pytest.mark.parametrize("name", SERVERS)
def test_nothing_is_left_of_all_that_the_tools_did(machine: Machine, name: str) -> None:
    command, before = SERVERS[name](machine.work), machine.state()
    with machine.assessing(command) as process:
        out, err = process.communicate(timeout=5 * LONGEST)
    assert process.returncode in (0, 1), err
    report = json.loads(out)
    assert report["summary"]["tools_called"] == report["summary"]["tools_listed"] > 0
    effects = [report["sandbox"]["at_start"], *(tool["effects"] for tool in report["tools"])]
    changed = [file for its in effects for file in its["files"]]
    assert bool(changed) or name not in WRITING
    assert eventually(lambda: alive(machine.mark) == [])
    assert (machine.state(), machine.sockets()) == (before, [])


@pytest.mark.parametrize("killed", ["mcp_assay assess", LAUNCHER, GUARDIAN])
def test_nothing_is_left_after_a_kill(machine: Machine, killed: str) -> None:
    command, before = SERVERS["server-filesystem"](machine.work), machine.state()
    with machine.assessing(command) as process:
        assert eventually(lambda: any(map(_is_node, alive(machine.mark))))
        assert machine.members(killed)
        for pid in machine.members(killed):
            os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=5 * LONGEST)
    assert eventually(lambda: alive(machine.mark) == [])
    assert (machine.state(), machine.sockets()) == (before, [])


def test_one_call_is_repeated_in_a_fresh_world(machine: Machine) -> None:
    command, before = SERVERS["server-filesystem"](machine.work), machine.state()
    target = machine.work / "new.txt"
    arguments = json.dumps({"path": str(target), "content": "tea\n"})
    for _ in range(2):
        with machine.assessing(command, "--only", "write_file", "--args", arguments) as process:
            out, err = process.communicate(timeout=LONGEST)
        assert process.returncode == 0, err
        (call,) = json.loads(out)["calls"]
        assert [(it["path"], it["what"]) for it in call["effects"]["files"]] == [
            (str(target), "created")
        ]
        assert machine.state() == before
