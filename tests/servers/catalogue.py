"""The catalogue: every server with its one truth. `python tests/servers NAME` runs one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from os import path

from tests.servers.planting import Family, Planted

FAMILIES = (
    "correct",
    "protocol",
    "stateless",
    "probed",
    "definitions",
    "responses",
    "drift",
    "behaviour",
    "costly",
    "shifting",
    "processes",
    "hostile_bytes",
    "features",
    "validation",
    "over_http",
    "tokens",
    "floods",
    "http_floods",
)
"""The modules, in order; each is loaded only where it is needed: a server must start quickly."""


def families(modules: Iterable[str] = FAMILIES) -> Iterator[Family]:
    """The families, one by one."""
    for name in modules:
        family = import_module(f"tests.servers.{name}").SERVERS
        assert isinstance(family, Family)
        yield family


def catalogue() -> list[Planted]:
    """Every server, in order."""
    return [planted for family in families() for planted in family.servers.values()]


def named(name: str) -> Planted:
    """The server of this name, looked for first where its name is written."""
    for family in families(sorted(FAMILIES, key=lambda module: not _has_text(module, f'"{name}"'))):
        if name in family.servers:
            return family.servers[name]
    raise KeyError(name)


def _has_text(module: str, text: str) -> bool:
    with open(path.join(path.dirname(__file__), f"{module}.py"), "rb") as source:
        return text.encode() in source.read()
