"""Worlds for tests: made as root and as an ordinary user, around programs of the tests' own."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from mcp_assay.client.sandbox.availability import attempt
from mcp_assay.client.sandbox.backing_folder import remove_folder
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.specification import specification

SOURCES: Final = Path(attempt.__code__.co_filename).parent
ORDINARY: Final = 47_110
"""A user that no list of users has."""
SECONDS: Final = 60.0
PATH: Final = "/usr/local/bin:/usr/bin:/bin"


class Who(NamedTuple):
    """As whom a world is made."""

    name: str
    user: int


class Ended(NamedTuple):
    """What became of a world."""

    code: int
    said: list[dict[str, Any]]
    output: str

    @property
    def first(self) -> dict[str, Any]:
        return self.said[0]

    def event(self, name: str) -> dict[str, Any]:
        return next(one for one in self.said if one["event"] == name)


def everybody() -> list[Any]:
    """Root and an ordinary user, as far as this process can be them."""
    is_root = os.geteuid() == 0
    needs_root = pytest.mark.skipif(not is_root, reason="only root can be root")
    return [
        pytest.param(Who("root", 0), id="root", marks=needs_root),
        pytest.param(Who("user", ORDINARY if is_root else os.geteuid()), id="user"),
    ]


@cache
def needs_worlds() -> None:
    """Skip where no world can be made, with the reason."""
    tried = attempt("namespaces")
    if not tried.works:
        pytest.skip(f"no world can be made here: {tried.reason}")


@cache
def python_for(user: int) -> str:
    """A Python that a user can run; skips where there is none."""
    for place in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        if os.path.exists(place) and _runs(place, user):
            return place
    pytest.skip("an ordinary user can run no Python here")


def _runs(python: str, user: int) -> bool:
    try:
        done = subprocess.run([python, "-I", "-S", "-c", ""], check=False, **identity(user))
    except OSError:
        return False
    return done.returncode == 0


def identity(user: int) -> dict[str, Any]:
    """What starts a process as a user."""
    if user == os.geteuid():
        return {}
    return {"user": user, "group": user, "extra_groups": []}


class Yard:
    """A place on the host for one user: a home with secrets, a work folder, the launcher."""

    def __init__(self, folder: Path, who: Who) -> None:
        self.folder = folder
        self.who = who
        self.home, self.work = folder / "home", folder / "work"
        self.python = python_for(who.user)
        shutil.copytree(SOURCES, folder / "launcher", ignore=shutil.ignore_patterns("__pycache__"))
        self.secret = "real-secret-of-the-user"
        for path, text in {
            self.home / ".ssh" / "id_rsa": self.secret,
            self.home / ".config" / "gh" / "hosts.yml": self.secret,
            self.home / ".git-credentials": self.secret,
            self.home / "kept.txt": "kept",
            self.work / "kept.txt": "kept",
            self.work / "folder" / "file.txt": "file",
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self._give_away()

    def _give_away(self) -> None:
        os.chmod(self.folder, 0o755)
        for path in (self.folder, *self.folder.rglob("*")):
            if self.who.user != os.geteuid():
                os.chown(path, self.who.user, self.who.user)

    def add(self, name: str, text: str) -> str:
        """Put a program of the test's own into the yard."""
        path = self.folder / name
        path.write_text(text)
        self._give_away()
        return str(path)

    def spec(self, *command: str, **changes: Any) -> dict[str, Any]:
        """What is to be made."""
        environment = {"PATH": PATH, "HOME": str(self.home), "LANG": "C.UTF-8"}
        options = SandboxOptions(work=str(self.work), allow=changes.pop("allow", ()))
        limits = changes.pop("limits", {})
        made = specification(command, environment, options)
        return {**made, **changes, "limits": {**made["limits"], **limits}}

    @contextmanager
    def started(self, spec: dict[str, Any], *prefix: str) -> Iterator[Started]:
        """A world while it runs."""
        with tempfile.TemporaryFile() as output:
            ours, theirs = socket.socketpair()
            memory = os.memfd_create("spec")
            os.write(memory, json.dumps(spec).encode())
            entry = str(self.folder / "launcher" / "entry.py")
            numbers = (str(theirs.fileno()), str(memory))
            process = subprocess.Popen(
                [*prefix, self.python, "-I", "-S", entry, "plain", *numbers],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                pass_fds=(theirs.fileno(), memory),
                cwd=self.work,
                env={"LAUNCHER_SECRET": "x", "PATH": PATH},
                **identity(self.who.user),
            )
            theirs.close()
            os.close(memory)
            ours.settimeout(SECONDS)
            with process, ours, ours.makefile("rb") as lines:
                try:
                    yield Started(process, ours, lines, output)
                finally:
                    process.kill()

    def run(self, *command: str, **changes: Any) -> Ended:
        """A world from its beginning to its end."""
        with self.started(self.spec(*command, **changes)) as world:
            return world.end()

    def fingerprint(self) -> str:
        """Everything in the yard, but for the launcher, as one hash."""
        found = hashlib.sha256()
        for path in sorted((*self.home.rglob("*"), *self.work.rglob("*"))):
            about = path.lstat()
            found.update(f"{path} {about.st_mode} {about.st_uid} {about.st_mtime_ns}".encode())
            if path.is_file():
                found.update(path.read_bytes())
        return found.hexdigest()


class Started(NamedTuple):
    """A world that runs."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    lines: Any
    output: Any

    def first(self) -> dict[str, Any]:
        """The first thing that the launcher says."""
        return dict(json.loads(self.lines.readline()))

    def end(self) -> Ended:
        """Wait for the end."""
        said = [json.loads(line) for line in self.lines]
        code = self.process.wait(SECONDS)
        return Ended(code, said, self.written())

    def written(self) -> str:
        """What the server has written up to now, errors too."""
        self.output.seek(0)
        return str(self.output.read().decode())


@contextmanager
def yard(who: Who) -> Iterator[Yard]:
    """A yard that is gone afterwards."""
    needs_worlds()
    folder = tempfile.mkdtemp(prefix="mcp-assay-yard-", dir="/tmp")
    try:
        yield Yard(Path(folder), who)
    finally:
        remove_folder(folder)
