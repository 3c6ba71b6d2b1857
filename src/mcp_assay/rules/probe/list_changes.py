"""Whether a server tells those who listen that a list has changed, since 2026-07-28."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from mcp_assay.model.probe import Anew, Ask, Linger, Listen, Reply
from mcp_assay.rules.probe.confirmation import Part
from mcp_assay.rules.probe.lists import (
    BY_ITSELF,
    NO_OTHER,
    PROMPTS,
    RESOURCES,
    THREE,
    TOOLS,
    TWO,
    Pages,
    ProbedList,
    changed,
    differing,
    first_pages,
    is_read_only,
)
from mcp_assay.rules.probe.rule import (
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    fault,
    how_it_ended,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.methods import ACKNOWLEDGED
from mcp_assay.spec.revisions import R2026_07_28

MOST_TOOLS: Final = 5
"""So many tools are called to change a list."""
NOTHING_CHANGED: Final = "no list changed while mcp-assay was subscribed, not even after tool calls"
NOT_GRANTED: Final = "the server does not accept a subscription to list changes"
NO_LONGER: Final = "the subscription ended before a list changed"
CHANGING: Final = (TOOLS, PROMPTS, RESOURCES)
"""The lists whose changes have a notification."""


def _announced(server: Known) -> list[ProbedList]:
    return [one for one in CHANGING if server.declares(one.capability, "listChanged")]


def announces_changes(server: Known) -> str | None:
    """What a server must declare to report changes."""
    return None if _announced(server) else "the server declares listChanged for none of its lists"


@probe("SUB-009", need=announces_changes)
def unreported_changes(server: Known) -> Dialogue:
    """Listen on a connection of its own, call tools, and see whether a list changes silently."""
    begun = yield Anew()
    if begun.ending != "answered":
        return [undecided("SUB-009", NO_OTHER)]
    kinds = {_kind(one): True for one in _announced(server)}
    opened = yield Listen(kinds)
    granted = _granted(opened)
    lists = [one for one in _announced(server) if granted.get(_kind(one)) is True]
    if not lists:
        reason = (
            NOT_GRANTED
            if granted
            else (f"the server {how_it_ended(opened)} for subscriptions/listen")
        )
        return [undecided("SUB-009", reason)]
    return (yield from _silent_change(server, lists))


def _kind(one: ProbedList) -> str:
    return f"{one.capability}ListChanged"


def _granted(reply: Reply) -> dict[str, Any]:
    """What an acknowledgement grants, nothing where none came."""
    for one in reply.notifications:
        if one.get("method") == ACKNOWLEDGED and isinstance(one.get("params"), dict):
            granted = one["params"].get("notifications")
            return granted if isinstance(granted, dict) else {}
    return {}


def _silent_change(server: Known, lists: list[ProbedList]) -> Part[Verdicts]:
    """Look for a list that stays as it is, changes by a call, and stays so."""
    before, notified = yield from _listed(lists)
    again, _ = yield from _listed(lists)
    if differing(before, again):
        return [undecided("SUB-009", BY_ITSELF)]
    for call in _calls(server):
        reply = yield call
        notified |= _notified(reply)
    after, later = yield from _listed(lists)
    one = differing(before, after)
    if one is None:
        return [not_testable("SUB-009", NOTHING_CHANGED)]
    late = yield Linger()
    if late.ending != "answered":
        return [undecided("SUB-009", NO_LONGER)]
    finally_listed, _ = yield from _listed(lists)
    if differing(after, finally_listed):
        return [undecided("SUB-009", BY_ITSELF)]
    if one.capability in notified | later | _notified(late):
        return KEPT
    names = changed(before[one] or (), after[one] or ())
    text = (
        f"The list of {one.member} changed ({names}), but the server did not notify its "
        "subscribers."
    )
    return [fault("SUB-009", text, key=one.member)]


def _listed(lists: list[ProbedList]) -> Part[tuple[Pages, set[str]]]:
    """The first page of each list, and the lists that are said to have changed."""
    pages, replies = yield from first_pages(lists)
    return pages, {kind for reply in replies for kind in _notified(reply)}


def _calls(server: Known) -> list[Ask]:
    """Calls of tools that may be called, first of those that are not said to change nothing."""
    made = [(tool, server.arguments_for(tool)) for tool in server.tools]
    able = [(tool, arguments) for tool, arguments in made if arguments is not None]
    able.sort(key=lambda one: is_read_only(one[0]))
    return [
        Ask("tools/call", {"name": tool["name"], "arguments": arguments})
        for tool, arguments in islice(able, MOST_TOOLS)
    ]


def _notified(reply: Reply) -> set[str]:
    """The capabilities whose lists are said to have changed."""
    methods = {str(one.get("method")) for one in reply.notifications}
    return {
        one.capability
        for one in CHANGING
        if f"notifications/{one.capability}/list_changed" in methods
    }


_OPEN: Final = {"name": "open", "inputSchema": {"type": "object"}}
_CHANGING: Final = Known(
    revision=R2026_07_28,
    capabilities={"tools": {"listChanged": True}},
    tools=[_OPEN],
    callable=["open"],
)
_GRANTED: Final = Reply(
    notifications=[
        {"method": ACKNOWLEDGED, "params": {"notifications": {"toolsListChanged": True}}}
    ]
)
_DONE: Final = Reply(result={"content": []})
_CHANGED: Final = Reply(notifications=[{"method": "notifications/tools/list_changed"}])

probe_rule(
    "SUB-009",
    "change-not-announced",
    """A list changed, but the server did not notify a subscribed client.

    Why: the client keeps using the old list: it offers tools that are gone and misses new ones.
    Instead: send the list_changed notification to every subscribed client.
    """,
    of=unreported_changes,
    reason="change_not_told",
    good=lambda: [
        replay(
            *(Reply(), _GRANTED, TWO, TWO, _DONE, THREE, _CHANGED, THREE),
            known=_CHANGING,
        ),
        replay(Reply(), _GRANTED, TWO, TWO, _DONE, TWO, known=_CHANGING),
        replay(Reply(), Reply(error={"code": -32601, "message": "Unknown"}), known=_CHANGING),
    ],
    bad=lambda: [
        replay(
            *(Reply(), _GRANTED, TWO, TWO, _DONE, THREE, Reply(), THREE),
            known=_CHANGING,
        )
    ],
)
