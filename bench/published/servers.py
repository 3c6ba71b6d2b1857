"""The servers of bench/published_servers, installed when they are asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from tools.real_subjects import IDENTITY, OPTIONS, QUIET, Start, Subject

DATA: Final = Path(__file__).parents[1] / "published_servers"
CACHE: Final = Path(__file__).parents[1] / ".cache" / "servers"
NPM: Final = "npm"
LOCKS: Final = ("package.json", "package-lock.json")
LONGEST_INSTALL: Final = 900

Half: TypeAlias = Literal["seen", "scored", "scored_second", "scored_third", "unseen"]
HALVES: Final[tuple[Half, ...]] = get_args(Half)
UNSEEN: Final[Half] = "unseen"
OPEN_HALVES: Final = tuple(half for half in HALVES if half != UNSEEN)
"""What may be looked at and run while mcp-assay is being built."""


class Server(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published server and how it is started; `{work}` stands for its working folder."""

    source: Literal["pypi", "npm"]
    package: str = ""
    """Where its registry knows it by another name."""
    command: tuple[str, ...]
    """A program of its environment, and its arguments."""
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    """Texts that it finds in its working folder, by their paths."""
    prepare: tuple[tuple[str, ...], ...] = ()
    """Commands that make the rest of what it finds there; `{data}` is the folder of its half."""


@cache
def servers_of(half: Half) -> Mapping[str, Server]:
    """The servers of one half by their names; none where it holds none."""
    file = DATA / half / "servers.toml"
    return msgspec.toml.decode(file.read_bytes(), type=dict[str, Server]) if file.exists() else {}


@cache
def servers() -> Mapping[str, Server]:
    """Every server by its name."""
    return {name: server for half in HALVES for name, server in servers_of(half).items()}


def chosen(names: Collection[str] = (), half: Half | None = None) -> dict[str, Server]:
    """The named servers, or all, of one half or of every open one; raises KeyError.

    So nothing runs the unseen half unless it, or a server of it, is asked for by name.
    """
    wanted = {name: servers()[name] for name in (tuple(names) or servers())}
    every = HALVES if names else OPEN_HALVES
    halves = every if half is None else (half,)
    return {name: one for name, one in wanted.items() if half_of(name) in halves}


def half_of(name: str) -> Half:
    """The half in which a server is."""
    return next(half for half in HALVES if name in servers_of(half))


def data_of(name: str) -> Path:
    """The folder of what is kept about a server and the others of its half."""
    return DATA / half_of(name)


def package_of(name: str) -> str:
    """What the registry of a server calls it."""
    return servers()[name].package or name


def version_of(name: str) -> str:
    """The pinned version of a server."""
    if servers()[name].source == "npm":
        pinned = msgspec.json.decode((data_of(name) / NPM / LOCKS[0]).read_bytes())
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
        command = [word.replace("{data}", str(data_of(name))) for word in words]
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
        locks = [data_of(name) / NPM / lock for lock in LOCKS]
        return _environment(CACHE / half_of(name) / NPM, locks) / "node_modules/.bin"
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
    return data_of(name) / "pypi" / f"{name}.txt"
