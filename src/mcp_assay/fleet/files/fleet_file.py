"""A file of any format -> the fleet that it names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from mcp_assay.fleet.entry import Fleet, FleetEntry, ValueSource, WrongEntry
from mcp_assay.fleet.files.client_fleet import ClientFleet
from mcp_assay.fleet.files.content import Content, FleetText, LeftOut, Row, WrongFleet, read_content
from mcp_assay.fleet.files.filters import FleetFilters
from mcp_assay.fleet.files.registry_page import RegistryPage, is_page, values_of_json
from mcp_assay.fleet.files.server_texts import LONGEST_NAME, wrong
from mcp_assay.fleet.files.toml_fleet import TomlFleet
from mcp_assay.text.safe import plain

TOML = ".toml"
NO_FILTERS = FleetFilters()


def read_fleet(path: str, filters: FleetFilters = NO_FILTERS) -> Fleet:
    """The servers that a file names, as far as they are wanted; raises WrongFleet."""
    content = read_content(path)
    taken_apart = fleet_text(content)
    file = os.path.abspath(path)
    entries, mistakes, left_out = _sorted(taken_apart.rows(), filters)
    if not entries and not mistakes:
        what = "none of its servers is wanted" if left_out else "it names no server"
        raise WrongFleet(f"{path}: {what}.")
    source = ValueSource(path=file, sha256=content.digest)
    return Fleet(
        file=file,
        name=_name(taken_apart.name, path),
        entries=tuple(_finished(one, source) for one in entries),
        wrong=tuple(mistakes),
        left_out=left_out,
    )


def fleet_text(content: Content) -> FleetText:
    """A file taken apart by its format; raises WrongFleet."""
    if content.path.endswith(TOML):
        return TomlFleet(content)
    pages = values_of_json(content.text)
    if pages and all(map(is_page, pages)):
        return RegistryPage(content, pages)
    try:
        return ClientFleet(content)
    except WrongFleet as why:
        if pages is None:
            raise
        forms = "a client's configuration has mcpServers, a registry's page a list of servers"
        raise WrongFleet(f"{str(why).rstrip('.')}; {forms}.") from None


def _sorted(
    rows: Iterable[Row], filters: FleetFilters
) -> tuple[list[FleetEntry], list[WrongEntry], int]:
    """The entries that are wanted, those that are wrong, and how many are neither."""
    entries: dict[str, FleetEntry] = {}
    mistakes, left_out = list[WrongEntry](), 0
    for row in rows:
        if isinstance(row, LeftOut) or not filters.wants(row):
            left_out += 1
        elif isinstance(row, WrongEntry):
            mistakes.append(row)
        elif row.name in entries:
            mistakes.append(wrong(row.name, "stands in the file twice"))
        elif filters.limit is not None and len(entries) >= filters.limit:
            left_out += 1
        else:
            entries[row.name] = row
    return list(entries.values()), mistakes, left_out


def _finished(entry: FleetEntry, source: ValueSource) -> FleetEntry:
    """The entry with its digest; it names the file only where that has something for it."""
    digest = sha256(msgspec.json.encode(entry)).hexdigest()
    has_values = entry.variables or entry.headers or entry.optional
    return replace(entry, digest=digest, values=source if has_values else None)


def _name(given: str | None, path: str) -> str:
    """How the fleet is called, by its file where that says nothing."""
    name = given or os.path.splitext(os.path.basename(path))[0]
    return plain(name)[:LONGEST_NAME]
