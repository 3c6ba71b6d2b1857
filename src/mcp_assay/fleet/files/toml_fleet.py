"""A fleet as users write it: a table for each server, in TOML."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from mcp_assay.client.project_config import WrongConfiguration, parsed_toml
from mcp_assay.fleet.entry import FleetEntry, Origin, Package, Program, Registry, Remote
from mcp_assay.fleet.files.content import (
    MOST_SERVERS,
    Content,
    GivenValues,
    Row,
    WrongFleet,
    WrongServer,
)
from mcp_assay.fleet.files.server_texts import (
    HEADER,
    VARIABLE,
    address,
    names,
    package,
    require_name,
    require_values,
    texts,
    wrong,
)
from mcp_assay.model.tool import Calls

LARGEST: Final = 4 << 20
KEYS: Final = ("name", "servers")
REGISTRIES: Final = ("pypi", "npm", "oci")
WAYS: Final = ("package", "command", "url")
OF_PACKAGES: Final = ("version", "program")


class TomlServer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of one server, as it may be written."""

    package: str | None = None
    version: str = ""
    program: str = ""
    command: str | tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()
    url: str | None = None
    env: tuple[str, ...] | dict[str, str] = ()
    headers: tuple[str, ...] | dict[str, str] = ()
    calls: Calls | None = None


class TomlFleet:
    """What a TOML file says; raises WrongFleet where it says nothing of servers."""

    def __init__(self, content: Content) -> None:
        self._path: Final = content.path
        whole = _whole(content)
        self.name: Final[str | None] = whole.get("name")
        self._servers: Final[Mapping[str, Any]] = whole["servers"]

    def rows(self) -> Iterator[Row]:
        """Every table below `servers`."""
        for name, table in self._servers.items():
            try:
                yield _entry(require_name(name), _server(table))
            except WrongServer as why:
                yield wrong(name, why)

    def values(self, name: str) -> GivenValues:
        """The values that stand in the tables `env` and `headers` of a server."""
        server = _server(self._servers[name])
        return GivenValues(
            server.env if isinstance(server.env, dict) else {},
            server.headers if isinstance(server.headers, dict) else {},
        )


def _whole(content: Content) -> dict[str, Any]:
    path = content.path
    if len(content.text) > LARGEST:
        raise WrongFleet(f"{path} has more than {LARGEST >> 20} MB; split it.")
    try:
        whole = parsed_toml(path, content.text.encode())
    except WrongConfiguration as fault:
        raise WrongFleet(str(fault)) from None
    except RecursionError:
        raise WrongFleet(f"{path} is nested too deeply.") from None
    unknown = next((key for key in whole if key not in KEYS), None)
    if unknown is not None:
        raise WrongFleet(f"{path}: {unknown!r} is no key of a fleet; it has {' and '.join(KEYS)}.")
    if not isinstance(whole.get("servers"), dict) or len(whole["servers"]) > MOST_SERVERS:
        raise WrongFleet(f"{path} names no servers; write a table [servers.NAME] for each.")
    if not isinstance(whole.get("name", ""), str):
        raise WrongFleet(f"{path}: name must be a text.")
    return whole


def _server(table: object) -> TomlServer:
    try:
        return msgspec.convert(table, TomlServer)
    except msgspec.ValidationError as fault:
        raise WrongServer(str(fault)) from None


def _entry(name: str, server: TomlServer) -> FleetEntry:
    for given, place in ((server.env, "env"), (server.headers, "headers")):
        if isinstance(given, dict):
            require_values(given, place)
    return FleetEntry(
        name=name,
        origin=_origin(server),
        variables=names(server.env, VARIABLE, "env"),
        headers=names(server.headers, HEADER, "headers"),
        calls=server.calls,
    )


def _origin(server: TomlServer) -> Origin:
    """How the server is had: one of three ways, and nothing beside it that belongs to another."""
    given = [way for way in WAYS if getattr(server, way) is not None]
    if len(given) != 1:
        raise WrongServer(f"needs one of {', '.join(WAYS)}{', not several' if given else ''}")
    if server.package is None and any(getattr(server, key) for key in OF_PACKAGES):
        raise WrongServer(f"{' and '.join(OF_PACKAGES)} belong to a package, and it has none")
    if server.url is None and server.headers:
        raise WrongServer("headers belong to a url, and it has none")
    if server.package is not None:
        return _package(server.package, server)
    if server.command is not None:
        return Program(command=_command(server.command, server.arguments))
    if server.arguments or server.env:
        raise WrongServer("arguments and env belong to a package or command, and it has a url")
    return Remote(url=address(server.url or ""))


def _package(named: str, server: TomlServer) -> Package:
    registry, sign, name = named.partition(":")
    if not sign or registry not in REGISTRIES:
        forms = ", ".join(f"{one}:NAME" for one in REGISTRIES)
        raise WrongServer(f"package {named[:100]!r} is none of {forms}")
    known: Registry = next(one for one in get_args(Registry) if one == registry)
    return package(
        Package(
            registry=known,
            name=name,
            version=server.version,
            program=server.program,
            arguments=server.arguments,
        )
    )


def _command(given: str | tuple[str, ...], arguments: tuple[str, ...]) -> tuple[str, ...]:
    try:
        words = shlex.split(given) if isinstance(given, str) else list(given)
    except ValueError as fault:
        raise WrongServer(f"command cannot be read as words: {fault}") from None
    if not words or not words[0]:
        raise WrongServer("command is empty")
    return texts((*words, *arguments), "command")
