"""What a server lists, fetched whole and judged by the rules about definitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_assay.assess.events import count_of
from mcp_assay.assess.state import AssessmentContext, Connected, Listed
from mcp_assay.client.connection import Connection
from mcp_assay.client.lists import METHODS
from mcp_assay.client.response import Kind, ServerList
from mcp_assay.model.probe import OpenStep
from mcp_assay.rules.definition.linter import Linter
from mcp_assay.rules.definition.surface import Surface
from mcp_assay.schema.checker import Worker

KINDS: Final[tuple[Kind, ...]] = ("tools", "resources", "templates", "prompts")


async def list_and_lint(
    connection: Connection, context: AssessmentContext, connected: Connected, worker: Worker
) -> Listed:
    """Hear what the server has, and judge its definitions."""
    lists = await whole_lists(connection)
    listed = Listed(
        surface=surface_of(lists),
        tool_pages=len(lists["tools"].answers),
        unlisted={kind: it.cut for kind, it in lists.items() if it.cut is not None},
    )
    context.listener.emit(count_of(listed.surface))
    lint(context, connected, listed, worker)
    return listed


def lint(context: AssessmentContext, connected: Connected, listed: Listed, worker: Worker) -> None:
    """Judge the definitions that are listed."""
    outcomes = context.outcomes
    linter = Linter(connected.revision, worker, outcomes.note_fault)
    outcomes.keep_definitions(linter.findings(listed.surface))
    outcomes.decided.update(linter.decided)
    outcomes.leave_open(OpenStep(rule, "undecided", why) for rule, why in linter.left_open)
    outcomes.limits.extend(linter.limits)


async def whole_lists(connection: Connection) -> dict[Kind, ServerList]:
    """All that the server lists, as far as it comes."""
    return {kind: await _listed(connection, kind) for kind in KINDS}


def surface_of(lists: Mapping[Kind, ServerList]) -> Surface:
    """The definitions in all lists together."""
    return Surface(
        tools=lists["tools"].items,
        resources=lists["resources"].items,
        templates=lists["templates"].items,
        prompts=lists["prompts"].items,
        unfinished=frozenset(METHODS[kind][1] for kind, it in lists.items() if _goes_on(it)),
    )


def _goes_on(listing: ServerList) -> bool:
    return listing.cut is not None and (bool(listing.items) or listing.is_missing)


async def _listed(connection: Connection, kind: Kind) -> ServerList:
    return await connection.list_all(kind) if connection.declares(kind) else ServerList(kind=kind)
