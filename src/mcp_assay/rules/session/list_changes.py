"""Tools that are others in a later list of the same session, though nobody was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.session_rules import SessionLine, watch, watch_end, watch_lines
from mcp_assay.rules.session.definitions import SessionLists
from mcp_assay.rules.session.tools import ListedTool, ToolListing
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2026_07_28

if TYPE_CHECKING:
    from mcp_assay.rules.behaviour.changed_tools import Relisted

SILENT: Final = "DRIFT-010"
TO_LISTENERS: Final = "SUB-009"
"""The rule of those that are asked to report changes, since 2026-07-28."""
TOOLS: Final = "tools/list"
TOOLS_CHANGED: Final = "notifications/tools/list_changed"
MOST_CHANGES: Final = 10
"""Changes of one session that are reported one by one."""
MOST_CHANGED_SHOWN: Final = 100
"""So many tools that changed are named in the details."""

NOT_KEPT: Final = "the tools were listed twice, but not all of their definitions could be kept"
UNENDED: Final = "the tools changed, and the notification may come after the recording"
NO_STREAM: Final = "the tools changed, but the client had no stream open for notifications"
NOT_SUBSCRIBED: Final = "the tools changed, but the client was not subscribed to list changes"
REPORTED: Final = f"{TO_LISTENERS} reports the same change"


class WholeList(Struct, frozen=True):
    """A list of tools of which all pages were seen."""

    digest: bytes
    tools: Mapping[str, ListedTool]
    notices: int
    """How often the server had said before that its tools changed."""


class SilentChange(Struct, frozen=True):
    """A list of tools that differs from the one before, without a notice in between."""

    seen: Relisted
    listed: Message
    is_subscribed: bool


class ToolChanges:
    """What one session has seen of its tools over time."""

    __slots__ = ("found", "has_stream", "latest", "notices")

    def __init__(self) -> None:
        self.latest: WholeList | None = None
        self.notices = 0
        self.found: Final[list[SilentChange]] = []
        self.has_stream = False
        """Whether the client has opened a stream for notifications over HTTP."""


@watch("result", methods=(TOOLS,))
def compare_lists(session: SessionState, message: Message) -> Iterable[Found]:
    """Compare a whole list of tools with the one before it."""
    if not session.run.judges_lists or message.answers is None:
        return ()
    pages, listing = session.recall(SessionLists).of(TOOLS), session.recall(ToolListing)
    if pages.is_open or pages.gap is not None:
        return ()
    changes = session.recall(ToolChanges)
    before = changes.latest
    if listing.gap is not None:
        changes.latest = None
        if before is not None:
            session.leave_open(SILENT, NOT_KEPT)
        return ()
    changes.latest = WholeList(pages.chain, listing.tools, changes.notices)
    if before is None:
        return ()
    if before.digest == pages.chain or before.notices != changes.notices:
        session.decide(SILENT)
    else:
        _compare(session, changes, before, message)
    return ()


def _compare(
    session: SessionState, changes: ToolChanges, before: WholeList, message: Message
) -> None:
    """Note a change of which no notice came, if the client could have been told."""
    compare, now = session.run.compare_tools, changes.latest
    if compare is None or now is None:
        return
    seen: Relisted = compare(_definitions(before), _definitions(now))
    if not seen.is_changed:
        session.decide(SILENT)
        return
    excuse = _excuse(session, changes, message)
    if excuse is not None:
        session.withhold(SILENT, excuse)
    elif len(changes.found) < MOST_CHANGES:
        seen = replace(seen, is_declared=_is_declared(session))
        listed = replace(message, value={}, answers=None)
        is_subscribed = message.revision >= R2026_07_28 and bool(seen.gone or seen.new)
        changes.found.append(SilentChange(seen, listed, is_subscribed))


def _definitions(listed: WholeList) -> dict[str, object]:
    return {name: tool.definition for name, tool in listed.tools.items()}


def _excuse(session: SessionState, changes: ToolChanges, message: Message) -> str | None:
    """Why a notice of the change could not reach the client."""
    if message.revision >= R2026_07_28:
        return None if _is_subscribed(session) else NOT_SUBSCRIBED
    return NO_STREAM if session.delivery.is_over_http and not changes.has_stream else None


def _is_subscribed(session: SessionState) -> bool:
    from mcp_assay.rules.session.subscriptions import (  # noqa: PLC0415  seldom needed
        Subscriptions,
    )

    known = session.recall(Subscriptions).by_id.values()
    return any(one.acknowledged and not one.over and one.wants(TOOLS_CHANGED) for one in known)


def _is_declared(session: SessionState) -> bool:
    tools = (session.handshake.server_capabilities or {}).get("tools")
    return isinstance(tools, dict) and tools.get("listChanged") is True


@watch("notification", methods=(TOOLS_CHANGED,))
def note_change(session: SessionState, message: Message) -> Iterable[Found]:
    """Note that the client was told; a notice that comes late is one all the same."""
    if session.run.judges_lists:
        changes = session.recall(ToolChanges)
        changes.notices += 1
        if changes.found:
            changes.found.pop()
            session.decide(SILENT)
    return ()


@watch_lines(plain=False)
def note_stream(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Note that the client has a stream on which notices can come."""
    http = line.delivery.http
    if http is not None and session.run.judges_lists and http.get("method") == "GET":
        status = http.get("status")
        session.recall(ToolChanges).has_stream |= status is None or status == 200
    return ()


@watch_end
def tools_changed_silently(session: SessionState, revision: str) -> Iterator[Found]:
    """Decide DRIFT-010, or SUB-009 where the client has subscribed to changes."""
    if not session.run.judges_lists:
        return
    for change in session.recall(ToolChanges).found:
        if session.partial:
            session.withhold(SILENT, UNENDED)
        else:
            yield from _reported(session, change)


def _reported(session: SessionState, change: SilentChange) -> Iterator[Found]:
    from mcp_assay.rules.behaviour.changed_tools import (  # noqa: PLC0415  only where they changed
        silent_change,
    )

    details = {"tools": change.seen.names[:MOST_CHANGED_SHOWN]}
    for found in silent_change(change.seen, "session"):
        told = replace(found, details=details, about=change.listed)
        if change.is_subscribed:
            session.withhold(SILENT, REPORTED)
            told = replace(told, rule=TO_LISTENERS, key="tools")
        yield told
