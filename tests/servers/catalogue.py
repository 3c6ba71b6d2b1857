"""The catalogue: every server with its one truth. `python tests/servers NAME` runs one."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

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
    "shifting",
    "processes",
    "hostile_bytes",
    "features",
    "validation",
    "over_http",
    "tokens",
)
"""The modules, loaded in this order and only as far as needed: a server must start quickly."""


def families() -> Iterator[Family]:
    """The families, one by one."""
    for name in FAMILIES:
        family = import_module(f"tests.servers.{name}").SERVERS
        assert isinstance(family, Family)
        yield family


def catalogue() -> list[Planted]:
    """Every server, in order."""
    return [planted for family in families() for planted in family.servers.values()]


def named(name: str) -> Planted:
    """The server of this name."""
    for family in families():
        if name in family.servers:
            return family.servers[name]
    raise KeyError(name)
