"""The servers of bench/published_servers, installed when they are asked for."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from tools.real_subjects import IDENTITY, OPTIONS, QUIET, Start, Subject

DATA: Final = Path(__file__).parents[1] / "published_servers"
CACHE: Final = Path(__file__).parents[1] / ".cache" / "servers"
NPM: Final = "npm"
LOCKS: Final = ("package.json", "package-lock.json")
LONGEST_INSTALL: Final = 900
SEED: Final = "published 18"
"""Decides the halves: changed, it would mix what was looked at with what was not."""

Half: TypeAlias = Literal["seen", "unseen"]


class Server(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published server and how it is started; `{work}` stands for its working folder."""

    source: Literal["pypi", "npm"]
    half: Half
    package: str = ""
    """Where its registry knows it by another name."""
    command: tuple[str, ...]
    """A program of its environment, and its arguments."""
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    """Texts that it finds in its working folder, by their paths."""
    prepare: tuple[tuple[str, ...], ...] = ()
    """Commands that make the rest of what it finds there; `{data}` is the folder of this data."""
    is_known: bool = False
    """Whether it was looked at before the halves were made: then it is seen."""


@cache
def servers() -> Mapping[str, Server]:
    """Every server by its name."""
    return msgspec.toml.decode((DATA / "servers.toml").read_bytes(), type=dict[str, Server])


def chosen(names: Iterable[str] = (), half: Half | None = None) -> dict[str, Server]:
    """The named servers, or all, of one half or of both; raises KeyError."""
    wanted = {name: servers()[name] for name in (tuple(names) or servers())}
    return {name: one for name, one in wanted.items() if half in (None, one.half)}


def half_of(name: str) -> Half:
    """The half in which a server is that nobody had looked at."""
    digest = hashlib.sha256(f"{SEED} {name}".encode()).digest()
    return "unseen" if digest[0] % 2 else "seen"


def package_of(name: str) -> str:
    """What the registry of a server calls it."""
    return servers()[name].package or name


def version_of(name: str) -> str:
    """The pinned version of a server."""
    if servers()[name].source == "npm":
        pinned = msgspec.json.decode((DATA / NPM / LOCKS[0]).read_bytes())
        return str(pinned["dependencies"][package_of(name)])
    lines = _pins(name).read_text("utf-8").splitlines()
    pinned_line = next(line for line in lines if line.startswith(f"{package_of(name)}=="))
    return pinned_line.split("==")[1].split()[0]


def start(name: str, work: Path) -> Start:
    """The command of an installed server in a working folder, and its variables."""
    server, programs = servers()[name], installed(name)
    program, *arguments = (part.replace("{work}", str(work)) for part in server.command)
    variables = {key: value.replace("{work}", str(work)) for key, value in server.env.items()}
    return Start(command=[str(programs / program), *arguments], environment={**QUIET, **variables})


def fill(name: str, work: Path) -> None:
    """Put into a working folder what a server is to find there."""
    server = servers()[name]
    for path, text in server.files.items():
        file = work / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    for words in server.prepare:
        command = [word.replace("{data}", str(DATA)) for word in words]
        subprocess.run(command, cwd=work, env=os.environ | IDENTITY, check=True)


def published(name: str) -> Subject:
    """A server to assess; it is installed when it is begun."""

    def begin(folder: Path, _: ExitStack) -> Start:
        return start(name, folder)

    return Subject(
        name=name,
        version=version_of(name),
        begin=begin,
        fill=lambda folder: fill(name, folder),
        options=OPTIONS,
    )


def installed(name: str) -> Path:
    """The folder of a server's programs, in an environment made from its pinned files."""
    if servers()[name].source == "npm":
        return _environment(CACHE / NPM, [DATA / NPM / lock for lock in LOCKS]) / (
            "node_modules/.bin"
        )
    return _environment(CACHE / name, [_pins(name)]) / "bin"


def _environment(home: Path, pinned: list[Path]) -> Path:
    made_from = f"{b''.join(file.read_bytes() for file in pinned).decode()}{sys.version}"
    stamp = home / ".installed"
    if not stamp.exists() or stamp.read_text("utf-8") != made_from:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        (_install_npm if home.name == NPM else _install_pypi)(home, pinned)
        stamp.write_text(made_from, "utf-8")
    return home


def _install_pypi(home: Path, pinned: list[Path]) -> None:
    """Install exactly what a file pins, wheels alone: no code of a package runs meanwhile."""
    _run([sys.executable, "-m", "venv", "--without-pip", str(home)])
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install"]
    only = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
    _run([*pip, *only, "--requirement", str(pinned[0])])


def _install_npm(home: Path, pinned: list[Path]) -> None:
    for file in pinned:
        shutil.copy(file, home / file.name)
    _run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], home)


def _run(command: list[str], folder: Path | None = None) -> None:
    subprocess.run(command, cwd=folder, check=True, timeout=LONGEST_INSTALL, stdout=sys.stderr)


def _pins(name: str) -> Path:
    return DATA / "pypi" / f"{name}.txt"
