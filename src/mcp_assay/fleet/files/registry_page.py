"""A saved page of the MCP registry's list of servers, or several: every word of it a stranger's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from mcp_assay.fleet.entry import FleetEntry, Origin, Package, Registry, Remote
from mcp_assay.fleet.files.content import (
    MOST_SERVERS,
    Content,
    GivenValues,
    LeftOut,
    Row,
    WrongFleet,
    WrongServer,
)
from mcp_assay.fleet.files.registry_inputs import (
    Members,
    argument_words,
    asked_for,
    filled_url,
    first_reason,
    member,
    tables,
    text,
    values_in,
)
from mcp_assay.fleet.files.server_texts import (
    HEADER,
    VARIABLE,
    address,
    names,
    package,
    require_name,
    require_values,
    wrong,
)

OFFICIAL: Final = "io.modelcontextprotocol.registry/official"
PREPARED: Final[dict[str, Registry]] = {"npm": "npm", "pypi": "pypi"}
"""Packages that can be installed, by the names of their registries."""
MEANT: Final[dict[Registry, tuple[str, str]]] = {"npm": ("npmjs", "org"), "pypi": ("pypi", "org")}
"""The domain of the registry that everybody means, where a page names one at all."""
STREAMABLE: Final = ("streamable-http", "streamable", "http")
DELETED: Final = "deleted"


class ListedWay(Struct, frozen=True):
    """One way to have a server, with what it wants to be given."""

    origin: Origin
    variables: object = None
    headers: object = None


class RegistryPage:
    """All that one or several pages say."""

    name: Final = None

    def __init__(self, content: Content, pages: Iterable[Any]) -> None:
        self._servers: Final = [one for page in pages for one in _listed(page)]
        if len(self._servers) > MOST_SERVERS:
            raise WrongFleet(f"{content.path} lists more than {MOST_SERVERS:,} servers; split it.")

    def rows(self) -> Iterator[Row]:
        """Every server once, by its latest version; a second entry of the same version is wrong."""
        latest = self._latest()
        seen = set[tuple[str, str]]()
        for listed in self._servers:
            name, version = text(_server(listed), "name"), _version(listed)
            if name and (name, version) in seen:
                yield wrong(name, "stands in the file twice")
            elif (name and latest[name] is not listed) or _official(listed, "status") == DELETED:
                yield LeftOut()
            else:
                yield _row(listed)
            seen.add((name, version))

    def values(self, name: str) -> GivenValues:
        """The values that the page itself says."""
        way = _way(_server(self._latest()[name]))
        return GivenValues(values_in(way.variables), values_in(way.headers))

    def _latest(self) -> dict[str, Members]:
        """The entry of each server that is its latest version: marked so, or published last."""
        latest: dict[str, Members] = {}
        for listed in self._servers:
            name = text(_server(listed), "name")
            if name not in latest or _age(listed) > _age(latest[name]):
                latest[name] = listed
        return latest


def is_page(value: object) -> bool:
    """Whether a JSON value is a page of a registry, or one entry of it."""
    return bool(_listed(value)) or (
        isinstance(value, dict) and isinstance(value.get("servers"), list)
    )


def values_of_json(text_: str) -> list[Any] | None:
    """The JSON values of a text, one behind the other; None where it is no JSON."""
    decoder, found, at = json.JSONDecoder(), list[Any](), 0
    try:
        while at < len(text_):
            if text_[at].isspace():
                at += 1
                continue
            value, at = decoder.raw_decode(text_, at)
            found.append(value)
    except (ValueError, RecursionError):
        return None
    return found


def _listed(value: object) -> list[Members]:
    """The entries of a page, of a list of pages, or of a list of entries."""
    if isinstance(value, list):
        return [one for part in value if isinstance(part, dict) for one in _listed(part)]
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("servers"), list):
        return tables(value["servers"])
    is_entry = isinstance(value.get("server"), dict) or (
        isinstance(value.get("name"), str) and ("packages" in value or "remotes" in value)
    )
    return [value] if is_entry else []


def _server(listed: Members) -> Members:
    """The server.json of an entry, which newer pages have below `server`."""
    nested = listed.get("server")
    return nested if isinstance(nested, dict) else listed


def _official(listed: Members, key: str) -> Any:
    """What the registry itself says of an entry."""
    for holder in (listed, _server(listed)):
        meta = holder.get("_meta")
        said = meta.get(OFFICIAL) if isinstance(meta, dict) else None
        if isinstance(said, dict) and member(said, key) is not None:
            return member(said, key)
    return _server(listed).get(key)


def _version(listed: Members) -> str:
    server = _server(listed)
    detail = server.get("version_detail")
    return text(server, "version") or (text(detail, "version") if isinstance(detail, dict) else "")


def _age(listed: Members) -> tuple[bool, str]:
    published = _official(listed, "publishedAt")
    return (
        _official(listed, "isLatest") is True,
        published if isinstance(published, str) else "",
    )


def _row(listed: Members) -> Row:
    server = _server(listed)
    updated = _official(listed, "updatedAt") or _official(listed, "publishedAt")
    try:
        name = require_name(server.get("name"))
        return _entry(name, _way(server), updated if isinstance(updated, str) else "")
    except WrongServer as why:
        return wrong(server.get("name"), why)


def _entry(name: str, way: ListedWay, updated: str) -> FleetEntry:
    variables, headers = asked_for(way.variables), asked_for(way.headers)
    require_values(values_in(way.variables), "environmentVariables")
    require_values(values_in(way.headers), "headers")
    return FleetEntry(
        name=name,
        origin=way.origin,
        variables=names(variables[0], VARIABLE, "environmentVariables"),
        headers=names(headers[0], HEADER, "headers"),
        optional=(
            *names(variables[1], VARIABLE, "environmentVariables"),
            *names(headers[1], HEADER, "headers"),
        ),
        is_foreign=True,
        updated=updated[:40] if updated.isascii() and updated.isprintable() else "",
    )


def _way(server: Members) -> ListedWay:
    """The best way to have a server: a package that can be prepared, an address, anything else."""
    reasons = list[str]()
    packages, remotes = tables(server.get("packages")), tables(server.get("remotes"))
    known = [one for one in packages if text(one, "registryType") in PREPARED]
    remotes.sort(key=lambda one: _transport(one) not in STREAMABLE)
    others = [one for one in packages if one not in known]
    for make, found in ((_package, known), (_remote, remotes), (_other, others)):
        for one in found:
            try:
                return make(one)
            except WrongServer as why:
                reasons.append(str(why))
    raise WrongServer(first_reason(reasons))


def _package(described: Members) -> ListedWay:
    registry = PREPARED[text(described, "registryType")]
    base = text(described, "registryBaseUrl")
    if base and _domain(base) != MEANT[registry]:
        raise WrongServer("its package is in a registry of its own, which nobody here has set up")
    transport = described.get("transport")
    spoken = transport.get("type", "stdio") if isinstance(transport, dict) else "stdio"
    if spoken != "stdio":
        raise WrongServer("its package is not spoken to over stdio")
    origin = Package(
        registry=registry,
        name=text(described, "identifier"),
        version=text(described, "version"),
        arguments=argument_words(member(described, "packageArguments")),
    )
    return ListedWay(package(origin), member(described, "environmentVariables"))


def _remote(described: Members) -> ListedWay:
    url = address(filled_url(described))
    return ListedWay(Remote(url=url, is_public=True), headers=described.get("headers"))


def _other(described: Members) -> ListedWay:
    """A package that is not prepared: its job ends with the reason."""
    kind: Registry = "oci" if text(described, "registryType") in ("oci", "docker") else "other"
    name, version = text(described, "identifier"), text(described, "version")
    called = name if kind == "oci" else f"{text(described, 'registryType')}:{name}"
    return ListedWay(package(Package(registry=kind, name=called, version=version)))


def _domain(url: str) -> tuple[str, ...]:
    """The last two labels of the host of an address."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ()
    return tuple(host.split(".")[-2:])


def _transport(remote: Members) -> str:
    return text(remote, "type") or text(remote, "transport_type")
