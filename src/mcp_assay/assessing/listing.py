"""What a server lists, heard whole and judged by the rules about definitions."""

from __future__ import annotations

from typing import Final

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.drive.answer import Kind, Listing
from mcp_assay.drive.connection import Connection
from mcp_assay.rules.definitions.judging import Linter
from mcp_assay.rules.definitions.surface import Surface
from mcp_assay.schema.checking import Worker

KINDS: Final[tuple[Kind, ...]] = ("tools", "resources", "templates", "prompts")


async def list_and_lint(connection: Connection, dossier: Dossier, worker: Worker) -> None:
    """Hear what the server has, and judge its definitions."""
    heard = {kind: await _listed(connection, kind) for kind in KINDS}
    lists = {kind: listing.items for kind, listing in heard.items()}
    dossier.has_unread_tools = bool(heard["tools"].cut) and not lists["tools"]
    dossier.surface = Surface(
        tools=lists["tools"],
        resources=lists["resources"],
        templates=lists["templates"],
        prompts=lists["prompts"],
    )
    linter = Linter(connection.revision, worker)
    dossier.keep(linter.findings(dossier.surface))
    dossier.decided.update(linter.decided)
    dossier.limits.extend(linter.limits)


async def _listed(connection: Connection, kind: Kind) -> Listing:
    return await connection.list_all(kind) if connection.declares(kind) else Listing(kind=kind)
