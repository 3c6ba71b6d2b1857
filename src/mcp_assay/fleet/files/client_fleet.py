"""The servers of a client's configuration as a fleet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.client.client_configs import (
    ConfigServer,
    WrongClientConfig,
    client_server,
    read_client_config,
    why_skipped,
)
from mcp_assay.fleet.entry import FleetEntry, Origin, Program, Remote
from mcp_assay.fleet.files.content import (
    Content,
    GivenValues,
    LeftOut,
    Row,
    WrongFleet,
    WrongServer,
)
from mcp_assay.fleet.files.server_texts import (
    HEADER,
    VARIABLE,
    address,
    names,
    require_name,
    require_values,
    texts,
    wrong,
)


class ClientFleet:
    """What a client's configuration says; raises WrongFleet where it has no table of servers."""

    name: Final = None

    def __init__(self, content: Content) -> None:
        self._path: Final = content.path
        try:
            self._servers: Final = read_client_config(content.path)
        except WrongClientConfig as why:
            raise WrongFleet(str(why)) from None

    def rows(self) -> Iterator[Row]:
        """Every server; those that are switched off are left out."""
        for name, entry in self._servers.items():
            if why_skipped(entry):
                yield LeftOut()
                continue
            try:
                yield _entry(self._described(require_name(name), entry))
            except WrongServer as why:
                yield wrong(name, why)

    def values(self, name: str) -> GivenValues:
        """The variables and headers of a server, as they stand there."""
        entry = self._servers[name]
        return GivenValues(_texts(entry.get("env")), _texts(entry.get("headers")))

    def _described(self, name: str, entry: Mapping[str, Any]) -> ConfigServer:
        """A server whose placeholders stay: only the worker knows what belongs into them."""
        try:
            return client_server(self._path, name, entry, {})
        except WrongClientConfig as why:
            raise WrongServer(str(why).rstrip(".")) from None


def _texts(table: object) -> dict[str, str]:
    """The members that are set, numbers as clients write them."""
    members = table.items() if isinstance(table, dict) else ()
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in members
        if value is not None
    }


def _entry(server: ConfigServer) -> FleetEntry:
    require_values(server.environment, "env")
    require_values(server.headers, "headers")
    return FleetEntry(
        name=server.name,
        origin=_origin(server),
        variables=names(server.environment, VARIABLE, "env"),
        headers=names(server.headers, HEADER, "headers"),
    )


def _origin(server: ConfigServer) -> Origin:
    if server.url is not None:
        return Remote(url=address(server.url))
    if not server.command[0]:
        raise WrongServer("its command is empty")
    return Program(command=texts(server.command, "its command"))
