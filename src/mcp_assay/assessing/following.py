"""Tools that change while they are assessed: listed again, gated again, never called blindly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assessing.dossier import Dossier, by_name
from mcp_assay.assessing.permitting import permit_anew
from mcp_assay.drive.answer import Answer, Listing
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.gate import READ_ONLY, Permission, Withdrawn
from mcp_assay.model.call import Trial
from mcp_assay.model.finding import NOWHERE, Where
from mcp_assay.model.report import Limit
from mcp_assay.rules.behaviour.coverage import CALLED_NO_MORE

MOST_CHANGES: Final = 20
"""So often the tools may become others; then only those are called that the user allows."""
NOT_FOLLOWED: Final = "tools that only their hints allow were not called any more"
UNSTEADY: Final = Permission(False, "the tools change too often")
GONE: Final = Permission(False, "no longer listed")
UNHEARD: Final = Permission(False, "not listed again")
BINDING: Final = ("inputSchema", "outputSchema", "annotations")
"""The members of a definition that calls go by."""
TRIED_ANEW: Final = "Its definition changed during the run, and calls by the old one ended."
ENDED: Final = f"Its definition changed during the run, and {CALLED_NO_MORE}: {{}}."


class Follower:
    """Stands before a connection: no call passes that goes by a definition of yesterday.

    It looks before each call, which costs nothing where nothing was said and nobody has died.
    """

    def __init__(self, dossier: Dossier, connection: Connection) -> None:
        self.changes = 0
        """How often the tools were found to be others."""
        self._dossier: Final = dossier
        self._connection: Final = connection
        self.listed = dossier.definitions()
        """The tools as they were listed last."""
        self._attended = 0
        self._may_subscribe = True

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        seconds: float | None = None,
        about: Where = NOWHERE,
        meanwhile: Callable[[], None] | None = None,
    ) -> Answer:
        """Call a tool; raises Withdrawn where that may not be any more."""
        if self._connection.starts != self._attended or not self._connection.is_alive:
            await self._attend()
        if self._connection.has_other_tools:
            await self.look()
        if not self._dossier.may_call(tool) or tool in self._dossier.outdated:
            raise Withdrawn(tool)
        return await self._connection.call(tool, arguments, seconds, about, meanwhile)

    async def restart(self) -> None:
        """Begin anew, with a server that was not called yet."""
        await self._connection.restart()

    async def _attend(self) -> None:
        """See that there is a server, and that each of its lives was asked to tell of changes."""
        connection = self._connection
        if not connection.is_alive:
            await connection.restart()
        if self._may_subscribe and not await connection.hear_of_tool_changes():
            self._may_subscribe = False  # whatever calls show, the subscription is not to blame
            await connection.restart()
        self._attended = connection.starts

    async def look(self) -> None:
        """List the tools again where a server says that they are others, or was started again."""
        connection = self._connection
        if not (connection.is_alive and connection.has_other_tools):
            return
        if self.changes < MOST_CHANGES:
            self.take(await connection.list_all("tools"))
        else:
            self._lose_track()

    def take(self, listing: Listing) -> None:
        """Go by what is listed now; what is listed no longer stays in the report."""
        dossier, before = self._dossier, self.listed
        self.listed = by_name(listing.items)
        if self.listed == before:
            return
        self.changes += 1
        gone = {name: it for name, it in dossier.definitions().items() if name not in self.listed}
        dossier.surface = replace(dossier.surface, tools=[*listing.items, *gone.values()])
        permit_anew(dossier)
        if listing.cut is None:
            dossier.permissions.update(dict.fromkeys(gone, GONE))
        else:
            self._shut(gone, UNHEARD)
        self._end_trials()

    def _lose_track(self) -> None:
        """Call only what the user allows, whatever it has become."""
        if self._shut(self._dossier.permissions, UNSTEADY):
            limit = Limit(name="tool-changes", value=MOST_CHANGES, count=1, effect=NOT_FOLLOWED)
            self._dossier.limits.append(limit)
            self._end_trials()

    def _shut(self, names: Iterable[str], why: Permission) -> bool:
        """Shut those tools that nothing but their hints had opened; whether there were any."""
        permissions = self._dossier.permissions
        hinted = [name for name in names if permissions[name].reason == READ_ONLY]
        permissions.update(dict.fromkeys(hinted, why))
        return bool(hinted)

    def _end_trials(self) -> None:
        """Say of all that was called by definitions that hold no longer that it was."""
        definitions = self._dossier.definitions()
        for name, trial in self._dossier.trials.items():
            permission = self._dossier.permissions[name]
            if not permission.allowed:
                _note(trial, ENDED.format(permission.reason))
            elif _binding(trial.tool) != _binding(definitions[name]):
                self._dossier.outdated.add(name)
                _note(trial, TRIED_ANEW)


def _binding(tool: Mapping[str, Any]) -> list[Any]:
    return [tool.get(member) for member in BINDING]


def _note(trial: Trial, gap: str) -> None:
    if gap not in trial.gaps:
        trial.gaps.append(gap)
