"""Which tools `--calls likely` would call, by definitions that were listed once; nothing is run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from bench.published.labels import labels_of
from bench.published.score import Share
from bench.published.servers import CACHE, DATA, OPEN_HALVES, servers_of
from bench.published.session import definitions
from bench.tables import table
from mcp_assay.client.links import NotReached
from mcp_assay.text.reading_tools import declares_no_hint, only_reads

DEFINITIONS: Final = CACHE.parent / "definitions"
LISTED: Final = DATA / "listed.toml"
Half: TypeAlias = Literal["build", "held", "late", "fresh"]


class ListedServer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A server that was listed and never called, and what a reader says of its tools."""

    source: Literal["pypi", "npm"]
    version: str
    half: Half
    reads: tuple[str, ...]
    changes: tuple[str, ...]


class Decision(NamedTuple):
    """What was decided about one tool without hints, and what is so."""

    group: str
    server: str
    tool: str
    reads: bool
    is_called: bool


def likely() -> tuple[str, dict[str, Any]]:
    """Decide about every labelled tool without hints of which a definition is stored."""
    made = [*_of_halves(), *_of_listed()]
    groups = dict.fromkeys(one.group for one in made)
    head = ["half", "servers", "tools that only read, called", "others, called"]
    rows = [_row(group, [one for one in made if one.group == group]) for group in groups]
    wrong = [f"{one.server} {one.tool}" for one in made if one.is_called and not one.reads]
    text = table(head, rows) + "".join(f"\ncalled, and changes something: {one}" for one in wrong)
    return text, {"decisions": [one._asdict() for one in made]}


def _row(group: str, made: list[Decision]) -> list[str]:
    servers = len({one.server for one in made})
    shares = (_called([one for one in made if one.reads is reads]) for reads in (True, False))
    return [group, str(servers), *map(str, shares)]


def _called(made: list[Decision]) -> Share:
    return Share(sum(one.is_called for one in made), len(made))


def _of_halves() -> Iterator[Decision]:
    """The tools of the open halves, whose definitions are listed when they are first needed."""
    for half in OPEN_HALVES:
        for name in servers_of(half):
            reads = {tool: label.reads for tool, label in labels_of(name).items()}
            yield from _decided(half, name, reads, _stored(name) or _list(name))


def _of_listed() -> Iterator[Decision]:
    """The tools of servers that were listed only, where their definitions are still stored."""
    listed = msgspec.toml.decode(LISTED.read_bytes(), type=dict[str, ListedServer])
    for name, server in listed.items():
        reads = {**dict.fromkeys(server.reads, True), **dict.fromkeys(server.changes, False)}
        yield from _decided(server.half, name, reads, _stored(name))


def _decided(
    group: str, server: str, reads: Mapping[str, bool], tools: list[dict[str, Any]]
) -> Iterator[Decision]:
    for tool in tools:
        name = tool["name"]
        if name in reads and declares_no_hint(tool):
            yield Decision(group, server, name, reads[name], only_reads(tool))


def _stored(name: str) -> list[dict[str, Any]]:
    file = DEFINITIONS / f"{name.replace('/', '~')}.json"
    stored: list[dict[str, Any]] = json.loads(file.read_bytes()) if file.exists() else []
    return stored


def _list(name: str) -> list[dict[str, Any]]:
    """The tools of a server, stored for the next time; none where it does not start."""
    try:
        tools = asyncio.run(definitions(name))
    except NotReached:
        return []
    DEFINITIONS.mkdir(parents=True, exist_ok=True)
    (DEFINITIONS / f"{name}.json").write_text(json.dumps(tools), "utf-8")
    return tools
