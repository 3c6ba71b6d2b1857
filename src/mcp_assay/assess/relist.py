"""The tools listed once more after the calls: whether they became others without a word."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.changing_tools import ChangingTools
from mcp_assay.assess.state import AssessmentContext, by_name
from mcp_assay.assess.tool_runs import ToolRuns
from mcp_assay.client.connection import Connection
from mcp_assay.client.response import ServerList
from mcp_assay.drift.definitions import definition_changes, relisted
from mcp_assay.model.probe import OpenStep
from mcp_assay.rules.behaviour.changed_tools import SILENT, Relisted, silent_change
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.text.safe import shorten

TO_LISTENERS: Final = "SUB-009"
"""The rule of those that are asked to report changes, since 2026-07-28."""
SAME_CHANGE_RULES: Final = (TO_LISTENERS, "TOOL-031")
"""Where one of these was broken, probes have told of the same change."""
AGAIN: Final = 3
"""So often must a list that differs come again in the same form: several instances take turns."""
LEAST_SWITCHES: Final = 2
"""So often must one of two lists follow the other: what is only taken back does it once."""
LATE_SECONDS: Final = 1.0
"""So long after a change a notice of it may come."""
MOST_CHANGED_SHOWN: Final = 100
"""So many tools that changed are named in the details."""
MOST_CHANGES: Final = 10
"""So many changes are reported one by one."""
LONGEST_CHANGE: Final = 300
SEVERAL_PAGES: Final = "the tools are listed on several pages, which were not fetched again"
REPORTED_BY: Final = "{} reports the same change"
UNSTEADY: Final = "the tools differ each time they are listed"


class RelistCheck:
    """One look at what a server lists after its calls."""

    def __init__(
        self,
        context: AssessmentContext,
        connection: Connection,
        capabilities: Mapping[str, Any] | None,
        tools: ChangingTools,
        runs: ToolRuns,
    ) -> None:
        self._outcomes: Final = context.outcomes
        self._connection: Final = connection
        self._capabilities: Final = capabilities or {}
        self._tools: Final = tools
        self._runs: Final = runs

    async def look(self) -> None:
        """List the tools once more where that is one request, and tell what changed silently.

        What is listed then is gone by from now on.
        """
        connection = self._connection
        if not connection.is_alive or connection.has_other_tools:
            return
        if self._tools.listed.tool_pages != 1:
            self._leave_open(SEVERAL_PAGES)
            return
        listing = await connection.list_all("tools")
        if listing.cut is not None:
            self._leave_open(f"the tools were not listed again: {listing.cut}")
            return
        self._outcomes.decided.add(SILENT)
        seen = relisted(self._tools.current, by_name(listing.items))
        if not seen.is_changed:  # of two lists that come in turns, the other one is next
            listing = await connection.list_all("tools")
            seen = relisted(self._tools.current, by_name(listing.items))
        if listing.cut is not None:
            self._leave_open(f"the tools were not listed again: {listing.cut}")
        elif seen.is_changed:
            await self._look_closer(seen, listing)

    async def _look_closer(self, seen: Relisted, listing: ServerList) -> None:
        """See whether a change is lasting, and whether a notice of it comes late."""
        if not self._connection.has_other_tools:
            await asyncio.sleep(LATE_SECONDS)
        again = await self._listed_again()
        is_steady = all(one == by_name(listing.items) for one in again)
        if self._connection.has_other_tools:
            await self._tools.look()
            return
        seen = replace(
            seen,
            is_steady=is_steady,
            is_in_turns=_is_in_turns(self._tools.current, listing, again),
            is_declared=self._is_declared(),
            calls=self._calls(seen),
        )
        self._report(seen, listing)
        if not seen.is_binding:
            return
        if is_steady:
            self._tools.take(listing)
        elif not seen.is_in_turns:
            self._leave_open(UNSTEADY)

    async def _listed_again(self) -> list[dict[str, Any]]:
        """What is listed again and again; a notice ends the question."""
        found: list[dict[str, Any]] = []
        while len(found) < AGAIN and not self._connection.has_other_tools:
            found.append(by_name((await self._connection.list_all("tools")).items))
        return found

    def _report(self, seen: Relisted, listing: ServerList) -> None:
        """Tell it, under the rule of the specification where one was broken, and only once."""
        rule = next(
            (rule for rule in SAME_CHANGE_RULES if rule in self._outcomes.tally.rules), None
        )
        if rule is None and seen.is_steady and self._is_listener_forgotten(seen):
            rule = TO_LISTENERS
            self._keep(seen, listing, rule=TO_LISTENERS, key="tools")
        if rule is None:
            self._keep(seen, listing)
        else:
            self._leave_open(REPORTED_BY.format(rule))

    def _keep(self, seen: Relisted, listing: ServerList, **identity: str) -> None:
        details = {"tools": seen.names[:MOST_CHANGED_SHOWN], "changes": self._changes(listing)}
        for found in silent_change(seen):
            finding = replace(found, details=details, **identity)
            self._outcomes.keep([to_finding(finding, self._connection.revision, direction="s2c")])

    def _is_listener_forgotten(self, seen: Relisted) -> bool:
        return bool(seen.gone or seen.new) and self._connection.channel.is_subscribed

    def _is_declared(self) -> bool:
        tools = self._capabilities.get("tools")
        return isinstance(tools, dict) and tools.get("listChanged") is True

    def _calls(self, seen: Relisted) -> dict[str, int]:
        """The calls of each tool that is gone or has another definition."""
        changed = {*seen.gone, *seen.other}
        runs = self._runs.latest.items()
        return {name: len(it.calls) for name, it in runs if name in changed and it.calls}

    def _changes(self, listing: ServerList) -> list[str]:
        before: list[Any] = [*self._tools.current.values()]
        changes = definition_changes({"tools": before}, {"tools": listing.items})
        return [shorten(one.message, LONGEST_CHANGE) for one in changes[:MOST_CHANGES]]

    def _leave_open(self, reason: str) -> None:
        self._outcomes.decided.discard(SILENT)
        self._outcomes.leave_open([OpenStep(SILENT, "undecided", reason)])


def _is_in_turns(
    before: Mapping[str, Any], listing: ServerList, again: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether the list from before and the other one keep coming back, and no third one does."""
    other = by_name(listing.items)
    if len(again) < AGAIN or any(one not in (before, other) for one in again):
        return False
    are_other = [True, *(one == other for one in again)]
    return sum(one != following for one, following in pairwise(are_other)) >= LEAST_SWITCHES
