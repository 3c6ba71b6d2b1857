"""The registries that pip and npm of this machine are set up to use, without anybody's secrets."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from mcp_assay.fleet.entry import Package

ASK_SECONDS: Final = 60.0
MOST_OUTPUT: Final = 1 << 22
SECTIONS: Final = ("global", "install", ":env:")
"""Where pip takes an option from; a later one counts more."""
PASSED_TO_PIP: Final = (
    *("index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "cert"),
)
WITH_ADDRESSES: Final = ("index-url", "extra-index-url", "find-links")
BUILT_IN: Final = (
    "from pip._internal.models.index import PyPI; print(PyPI.simple_url, PyPI.file_storage_domain)"
)
"""Asks pip for the index that it uses where nobody names one, and for the host of its files."""
PASSED_TO_NPM: Final = re.compile(r"registry|@[a-z0-9~-][a-z0-9._~-]*:registry|cafile|strict-ssl")
USUAL_PORTS: Final[Mapping[str, int]] = {"https": 443, "http": 80}


class NoRegistry(Exception):
    """No package can be asked for on this machine; the text says why and what to do."""


class Registries(Struct, frozen=True, kw_only=True):
    """What the installer of a package is told about registries."""

    indexes: tuple[str, ...] = ()
    """Their addresses, as far as they are on the web."""
    linked: tuple[str, ...] = ()
    """Hosts that are known to have the files of one of them."""
    environment: Mapping[str, str] = {}
    npmrc: str = ""
    certificates: str | None = None

    @property
    def hosts(self) -> tuple[str, ...]:
        """HOST:PORT of all of them."""
        return tuple(dict.fromkeys((*map(_host, self.indexes), *self.linked)))

    def pages(self, package: Package) -> list[str]:
        """The pages on which the registries tell of a package and its files."""
        name = package.name.partition("[")[0].replace("/", "%2f")
        return [f"{index.rstrip('/')}/{name}{self._end}" for index in self.indexes]

    @property
    def _end(self) -> str:
        return "" if self.npmrc else "/"


def registries_for(package: Package) -> Registries:
    """The registries for a package, asked once in a process; raises NoRegistry."""
    return for_pip() if package.registry == "pypi" else for_npm()


@cache
def for_pip() -> Registries:
    """The indexes of pip."""
    said = _asked([sys.executable, "-m", "pip", "config", "list"], "pip")
    settings = pip_settings(said)
    index, _, files = _asked([sys.executable, "-c", BUILT_IN], "pip").strip().partition(" ")
    places = " ".join(settings.get(name, "") for name in WITH_ADDRESSES).split()
    is_usual = "index-url" not in settings and "no-index" not in settings
    indexes = _on_the_web([*([index] if is_usual else []), *places], "pip")
    variables = {f"PIP_{name.upper().replace('-', '_')}": it for name, it in settings.items()}
    return Registries(
        indexes=indexes,
        linked=(f"{files}:443",) if index in indexes and files else (),
        environment={**variables, "PIP_CONFIG_FILE": os.devnull},
        certificates=settings.get("cert"),
    )


def pip_settings(said: str) -> dict[str, str]:
    """The options that matter here, from what `pip config list` says."""
    found: dict[str, tuple[int, str]] = {}
    for line in said.splitlines():
        key, sign, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if sign and section in SECTIONS and name in PASSED_TO_PIP:
            rank = SECTIONS.index(section)
            found[name] = max(found.get(name, (-1, "")), (rank, " ".join(_text(value).split())))
    return {name: value for name, (_, value) in found.items() if value}


def _text(shown: str) -> str:
    try:
        return str(ast.literal_eval(shown))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return shown


@cache
def for_npm() -> Registries:
    """The registries of npm, one for each scope that has its own."""
    said = _asked(["npm", "config", "list", "--json"], "npm")
    try:
        whole = json.loads(said)
    except (ValueError, RecursionError):
        whole = None
    if not isinstance(whole, dict):
        raise NoRegistry("npm on this worker does not say how it is set up; try: npm config list")
    settings = {name: it for name, it in whole.items() if PASSED_TO_NPM.fullmatch(name)}
    addresses = [str(it) for name, it in settings.items() if name.endswith("registry")]
    return Registries(
        indexes=_on_the_web(addresses, "npm"),
        npmrc="".join(_npm_lines(settings)),
        certificates=settings.get("cafile") or None,
    )


def _npm_lines(settings: Mapping[str, Any]) -> Iterator[str]:
    for name, value in settings.items():
        if isinstance(value, str | bool):
            yield f"{name}={json.dumps(value)}\n"


def _on_the_web(addresses: Iterable[str], tool: str) -> tuple[str, ...]:
    """Those that are on the web; raises NoRegistry where one needs a secret of the user.

    Without it packages of the same names would be taken from elsewhere.
    """
    found = dict[str, None]()
    for address in addresses:
        parts = _split(address)
        if parts is None or parts.scheme not in USUAL_PORTS:
            continue
        if "@" in parts.netloc:
            raise NoRegistry(
                f"{tool} on this worker is set up with a password for {parts.hostname}, and what "
                "prepares packages is given none; set up an index that needs none"
            )
        found[address] = None
    return tuple(found)


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        return parts if parts.hostname and parts.port is not False else None
    except ValueError:
        return None


def _host(address: str) -> str:
    parts = urlsplit(address)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{parts.port or USUAL_PORTS[parts.scheme]}"


def _asked(command: Sequence[str], tool: str) -> str:
    """What a tool says of itself, asked from outside of every project."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            timeout=ASK_SECONDS,
            check=True,
        )
    except FileNotFoundError:
        raise NoRegistry(f"{tool} is not installed on this worker") from None
    except (OSError, subprocess.SubprocessError):
        raise NoRegistry(
            f"{tool} does not work on this worker; try: {' '.join(command[:4])}"
        ) from None
    return done.stdout[:MOST_OUTPUT].decode("utf-8", "replace")
