"""Tools that change while they are assessed: listed again, gated again, never called blindly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.permissions import BY_DEFINITION, PermissionWithdrawn, permit_anew
from mcp_assay.assess.state import AssessmentContext, Listed, Permitted, by_name
from mcp_assay.assess.tool_runs import ToolRuns
from mcp_assay.client.connection import Connection, SentCall
from mcp_assay.client.response import CallRequest, Response, ServerList
from mcp_assay.client.sandbox.admission import is_disposable
from mcp_assay.model.report import Limit
from mcp_assay.model.scenario import Gap, GapKind
from mcp_assay.model.tool import CALLED_NO_MORE, Permission

MOST_CHANGES: Final = 20
"""So often the tools may become others; then only those are called that the user allows."""
NOT_FOLLOWED: Final = "tools allowed only by their hints were not called again"
UNSTEADY: Final = Permission(False, "changes_too_often", "the tools change too often")
GONE: Final = Permission(False, "not_listed", "no longer listed")
UNLISTED: Final = Permission(False, "list_cut", "not listed again")
BINDING: Final = ("inputSchema", "outputSchema", "annotations")
"""The members of a definition that calls go by."""
TRIED_ANEW: Final = Gap(
    GapKind.REDEFINED, "Its definition changed during the run, and calls with the old one stopped."
)


class ChangingTools:
    """Stands before a connection: no call passes that goes by a definition of yesterday.

    It looks before each call, which costs nothing where nothing was said and nobody has died.
    """

    def __init__(
        self,
        context: AssessmentContext,
        connection: Connection,
        listed: Listed,
        permitted: Permitted,
        runs: ToolRuns,
    ) -> None:
        self.changes = 0
        """How often the tools were found to be others."""
        self.listed = listed
        """What is listed now; what is listed no longer stays in it."""
        self.permitted = permitted
        """Which tools may be called now."""
        self.current = listed.definitions()
        """The tools as they were listed last."""
        self._context: Final = context
        self._connection: Final = connection
        self._runs: Final = runs
        self._attended = 0
        self._may_subscribe = True

    async def send(self, request: CallRequest) -> SentCall:
        """Send a call of a tool; raises PermissionWithdrawn where that may not be any more."""
        if self._connection.starts != self._attended or not self._connection.is_alive:
            await self._attend()
        if self._connection.has_other_tools:
            await self.look()
        if not self.may_call(request.tool):
            raise PermissionWithdrawn(request.tool)
        return await self._connection.send(request)

    async def receive(self, sent: SentCall) -> Response:
        """The response to a call that was sent."""
        return await self._connection.receive(sent)

    async def restart(self) -> None:
        """Begin anew, with a server that was not called yet."""
        await self._connection.restart()

    def may_call(self, tool: str) -> bool:
        """Whether a tool may be called as it was called before, or for the first time."""
        return self.permitted.may_call(tool) and tool not in self._runs.outdated

    async def _attend(self) -> None:
        """See that there is a server, and that each of its lives was asked to report changes."""
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

    def take(self, listing: ServerList) -> None:
        """Go by what is listed now; what is listed no longer stays in the report."""
        before, self.current = self.current, by_name(listing.items)
        if self.current == before:
            return
        self.changes += 1
        known = self.listed.definitions()
        gone = {name: it for name, it in known.items() if name not in self.current}
        surface = replace(self.listed.surface, tools=[*listing.items, *gone.values()])
        self.listed = replace(self.listed, surface=surface)
        context = self._context
        self.permitted = permit_anew(
            self.listed,
            context.options,
            self.permitted,
            is_disposable=is_disposable(context.target),
        )
        if listing.cut is None:
            self._set(gone, GONE)
        else:
            self._shut(gone, UNLISTED)
        self._end_runs()

    def _lose_track(self) -> None:
        """Call only what the user allows, whatever it has become."""
        if self._shut(self.permitted.permissions, UNSTEADY):
            limit = Limit(name="tool-changes", value=MOST_CHANGES, count=1, effect=NOT_FOLLOWED)
            self._context.outcomes.limits.append(limit)
            self._end_runs()

    def _shut(self, names: Iterable[str], why: Permission) -> bool:
        """Shut those tools that only their definitions had opened; whether there were any."""
        permissions = self.permitted.permissions
        opened = [name for name in names if permissions[name].kind in BY_DEFINITION]
        self._set(opened, why)
        return bool(opened)

    def _set(self, names: Iterable[str], permission: Permission) -> None:
        permissions = {**self.permitted.permissions, **dict.fromkeys(names, permission)}
        self.permitted = replace(self.permitted, permissions=permissions)

    def _end_runs(self) -> None:
        """Say of all that was called by definitions that hold no longer that it was."""
        definitions = self.listed.definitions()
        for name, run in self._runs.latest.items():
            permission = self.permitted.permissions[name]
            if not permission.allowed:
                run.note(withdrawn(permission.text))
            elif _binding(run.tool) != _binding(definitions[name]):
                self._runs.outdated.add(name)
                run.note(TRIED_ANEW)


def withdrawn(reason: str) -> Gap:
    """The gap of a tool that changed so that it may not be called any more."""
    return Gap(GapKind.WITHDRAWN, f"{CALLED_NO_MORE}{reason}.")


def _binding(tool: Mapping[str, Any]) -> list[Any]:
    return [tool.get(member) for member in BINDING]
