"""What a server lists, heard whole and judged by the rules about definitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.telling import tell_listed
from mcp_assay.drive.answer import Kind, Listing
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.listing import METHODS
from mcp_assay.rules.definitions.judging import Linter
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.schema.checking import Worker
from mcp_assay.spec.revisions import DEFAULT_REVISION

KINDS: Final[tuple[Kind, ...]] = ("tools", "resources", "templates", "prompts")


async def list_and_lint(connection: Connection, dossier: Dossier, worker: Worker) -> None:
    """Hear what the server has, and judge its definitions."""
    lists = await listed(connection)
    dossier.surface = surface_of(lists)
    dossier.tool_pages = len(lists["tools"].answers)
    tell_listed(dossier)
    dossier.unlisted.update((kind, it.cut) for kind, it in lists.items() if it.cut is not None)
    lint(dossier, worker)


def lint(dossier: Dossier, worker: Worker) -> None:
    """Judge the definitions that are known now."""
    linter = Linter(dossier.revision or DEFAULT_REVISION, worker)
    dossier.keep_definitions(linter.findings(dossier.surface))
    dossier.decided.update(linter.decided)
    dossier.limits.extend(linter.limits)


async def listed(connection: Connection) -> dict[Kind, Listing]:
    """All that the server lists, as far as it comes."""
    return {kind: await _listed(connection, kind) for kind in KINDS}


def surface_of(lists: Mapping[Kind, Listing]) -> Surface:
    """The definitions in all lists together."""
    return Surface(
        tools=lists["tools"].items,
        resources=lists["resources"].items,
        templates=lists["templates"].items,
        prompts=lists["prompts"].items,
        unfinished=frozenset(METHODS[kind][1] for kind, it in lists.items() if _goes_on(it)),
    )


def _goes_on(listing: Listing) -> bool:
    return listing.cut is not None and (bool(listing.items) or listing.is_missing)


async def _listed(connection: Connection, kind: Kind) -> Listing:
    return await connection.list_all(kind) if connection.declares(kind) else Listing(kind=kind)
