"""Whether lists stay the same, come to an end, and refuse cursors that nobody gave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from mcp_assay.model.probe import Anew, Ask, OpenStep, Reply
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.confirmation import Part, graded, must_refuse
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import listing, quote

NO_CURSOR: Final = "mcp-assay-no-such-cursor"
ONE_PAGE: Final = "every list has one page"
MOST_PAGES: Final = 40
"""Of a longer list the end is not looked for."""
FEW_LISTS: Final = 4
MOST_LISTS: Final = 8
"""So often a list that differs at once is asked for; few times, where no form of it comes back."""
ENOUGH_RETURNS: Final = 2
"""What comes back once may have been changed back."""
BY_ITSELF: Final = "the list could not be fetched twice, or changes on every request"
NO_OTHER: Final = "could not open another connection to the server"
NOT_AFTER_A_CALL: Final = "a tool call, or the list after it, got no response"
NO_LIST: Final = "no list could be fetched"


class ProbedList(NamedTuple):
    """A list of a server: how it is asked for, where its items are, what an item is known by."""

    method: str
    member: str
    capability: str
    key: str


TOOLS: Final = ProbedList("tools/list", "tools", "tools", "name")
PROMPTS: Final = ProbedList("prompts/list", "prompts", "prompts", "name")
RESOURCES: Final = ProbedList("resources/list", "resources", "resources", "uri")
TEMPLATES: Final = ProbedList(
    "resources/templates/list", "resourceTemplates", "resources", "uriTemplate"
)
LISTS: Final = (TOOLS, PROMPTS, RESOURCES, TEMPLATES)

Names: TypeAlias = tuple[str, ...]
Pages: TypeAlias = dict[ProbedList, Names | None]
"""The names on the first page of each list; None where it did not come."""


def _declared(server: Known) -> list[ProbedList]:
    return [one for one in LISTS if server.declares(one.capability)]


def _listable(server: Known) -> list[ProbedList]:
    """The lists that have come before: whoever asks for others may wait in vain."""
    return [one for one in _declared(server) if one.member not in server.unlisted]


def _lists_something(server: Known) -> str | None:
    return None if _declared(server) else "the server declares nothing to list"


def _names(one: ProbedList, reply: Reply) -> Names | None:
    items = reply.result.get(one.member) if reply.is_result else None
    return _named(one, items) if isinstance(items, list) else None


def _named(one: ProbedList, items: Iterable[Any]) -> Names:
    named = (item.get(one.key) for item in items if isinstance(item, dict))
    return tuple(name for name in named if isinstance(name, str))


def _cursor(reply: Reply) -> str | None:
    cursor = reply.result.get("nextCursor") if reply.is_result else None
    return cursor if isinstance(cursor, str) else None


def _first_page(one: ProbedList) -> Part[Names | None]:
    reply = yield Ask(one.method)
    return _names(one, reply)


def first_pages(lists: Iterable[ProbedList]) -> Part[tuple[Pages, list[Reply]]]:
    """The names on the first page of each of these lists, and the replies with them."""
    replies: dict[ProbedList, Reply] = {}
    for one in lists:
        replies[one] = yield Ask(one.method)
    return {one: _names(one, reply) for one, reply in replies.items()}, [*replies.values()]


def _first_pages(server: Known) -> Part[Pages]:
    pages, _ = yield from first_pages(_declared(server))
    return pages


@probe("TOOL-030", "TOOL-031", need=_lists_something)
def lists_stay_the_same(server: Known) -> Dialogue:
    """List twice on a connection of its own, list after a call, and compare with other ones."""
    reply = yield Anew()
    if reply.ending != "answered":
        return [undecided("TOOL-030", NO_OTHER), undecided("TOOL-031", NO_OTHER)]
    before = yield from _first_pages(server)
    missing = [one.method for one in _listable(server) if before[one] is None]
    verdicts: Verdicts = []
    if server.declares("tools"):
        first, again = before[TOOLS], (yield from _first_page(TOOLS))
        if first is None or again is None or {*first} != {*again}:
            return (yield from _in_turns(first, again))
        verdicts += _order(first, again)
        verdicts += yield from _after_a_call(server, again)
    else:
        verdicts.append(OpenStep("TOOL-030", "not_declared", "the server does not declare tools"))
    if not any(verdict.rule == "TOOL-031" for verdict in verdicts):
        verdicts += yield from _over_others(server, before)
    if missing and not any(verdict.rule == "TOOL-031" for verdict in verdicts):
        verdicts.append(undecided("TOOL-031", f"{missing[0]} could not be fetched again"))
    return verdicts


def _in_turns(first: Names | None, again: Names | None) -> Dialogue:
    """Find out whether a list that differs at once has forms that come back, in whatever order."""
    open_order = undecided("TOOL-030", BY_ITSELF)
    if first is None or again is None:
        return [open_order, undecided("TOOL-031", BY_ITSELF)]
    forms = [frozenset(first), frozenset(again)]
    while _returns(forms) < ENOUGH_RETURNS:
        is_steady = len(forms) >= FEW_LISTS and not _returns(forms)
        names = None if is_steady or len(forms) == MOST_LISTS else (yield from _first_page(TOOLS))
        if names is None:
            return [open_order, undecided("TOOL-031", BY_ITSELF)]
        forms.append(frozenset(names))
    text = (
        f"The server returns {len({*forms})} different lists of tools in turns on one connection "
        f"({changed(first, again)})."
    )
    fix = "Let all instances of the server list the same tools."
    return [open_order, fault("TOOL-031", text, key="in turns", fix=fix)]


def _returns(forms: Sequence[frozenset[str]]) -> int:
    """How often a list has become again what it was before it changed."""
    turns = enumerate(pairwise(forms), 1)
    return sum(new != old and new in forms[:place] for place, (old, new) in turns)


def _order(before: Names, again: Names) -> Verdicts:
    if before != again:
        text = "The server lists the same tools in a different order each time."
        return [fault("TOOL-030", text)]
    if len({*before}) < 2:
        return [not_testable("TOOL-030", "the server lists fewer than two tools")]
    return KEPT


def _after_a_call(server: Known, before: Names) -> Dialogue:
    tool = next((one["name"] for one in server.tools if _is_plain(one, server)), None)
    if tool is None:
        return KEPT
    call = Ask("tools/call", {"name": tool, "arguments": {}})
    made = yield call
    after = yield from _first_page(TOOLS)
    if made.ending != "answered" or after is None:
        return [undecided("TOOL-031", NOT_AFTER_A_CALL)]
    if {*after} == {*before}:
        return KEPT
    if not (yield from _changes_again(call, before, after)):
        return [undecided("TOOL-031", BY_ITSELF)]
    text = f"The tools change after a call to {quote(tool)} ({changed(before, after)})."
    return [fault("TOOL-031", text, key="after a call")]


def _changes_again(call: Ask, before: Names, after: Names) -> Part[bool]:
    """Whether a new connection shows the same: no change without the call, and one after it."""
    reply = yield Anew()
    if reply.ending != "answered":
        return False
    for _ in range(2):
        names = yield from _first_page(TOOLS)
        if names is None or {*names} != {*before}:
            return False
    yield call
    names = yield from _first_page(TOOLS)
    return names is not None and {*names} == {*after}


def _is_plain(tool: dict[str, Any], server: Known) -> bool:
    """Whether a tool may be called, changes nothing by its own word, and needs no arguments."""
    return is_read_only(tool) and server.arguments_for(tool) == {}


def is_read_only(tool: dict[str, Any]) -> bool:
    """Whether a tool changes nothing by its own word."""
    hints = tool.get("annotations")
    return isinstance(hints, dict) and hints.get("readOnlyHint") is True


def _over_others(server: Known, before: Pages) -> Dialogue:
    """Compare with the lists that came before the probes, over another connection.

    Where they differ, list over two more: a list that changed once for all may do so.
    """
    if differing(before, _known_pages(server)) is None:
        return KEPT
    pages = [before]
    for _ in range(2):
        reply = yield Anew()
        if reply.ending != "answered":
            return [undecided("TOOL-031", NO_OTHER)]
        pages.append((yield from _first_pages(server)))
        if differing(pages[-2], pages[-1]) is None:
            break
        if differing(pages[-1], (yield from _first_pages(server))) is not None:
            return [undecided("TOOL-031", BY_ITSELF)]
    one = differing(pages[0], pages[1])
    if one is None:
        return KEPT
    if differing(pages[1], pages[2]) != one:
        return [
            undecided("TOOL-031", f"the list of {one.member} changed while it was being checked")
        ]
    names = changed(pages[1][one] or (), pages[2][one] or ())
    text = f"The server lists different {one.member} on each connection ({names})."
    return [fault("TOOL-031", text, key=f"{one.member} over connections")]


def _known_pages(server: Known) -> Pages:
    known = (server.tools, server.prompts, server.resources, server.templates)
    return {one: _named(one, items) for one, items in zip(LISTS, known, strict=True)}


def differing(some: Pages, others: Pages) -> ProbedList | None:
    """The first list that differs in what it holds, where both came."""
    for one, names in some.items():
        found = others.get(one)
        if names is not None and found is not None and {*names} != {*found}:
            return one
    return None


def changed(before: Names, after: Names) -> str:
    """What is new in a list and what is gone, in words."""
    new, gone = sorted({*after} - {*before})[:3], sorted({*before} - {*after})[:3]
    changes = [f"{listing(names, 'and')} {what}" for names, what in ((new, "new"), (gone, "gone"))
            if names]  # fmt: skip
    return ", ".join(changes)


TWO: Final = Reply(result={"tools": [{"name": "find"}, {"name": "open"}]})
TURNED: Final = Reply(result={"tools": [{"name": "open"}, {"name": "find"}]})
THREE: Final = Reply(result={"tools": [{"name": "find"}, {"name": "open"}, {"name": "close"}]})
CONNECTED: Final = Reply()
DONE: Final = Reply(result={"content": []})
PLAIN: Final = {
    "name": "open",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
MODERN: Final = Known(revision=R2026_07_28, capabilities={"tools": {}})
LISTED: Final = Known(
    revision=R2026_07_28, capabilities={"tools": {}}, tools=[{"name": "find"}, {"name": "open"}]
)
CALLED: Final = Known(
    revision=R2026_07_28, capabilities={"tools": {}}, tools=[PLAIN], callable=["open"]
)

probe_rule(
    "TOOL-030",
    "tool-order-changes",
    """tools/list returns the tools in a different order each time.

    Why: model providers cache prompts by their prefix, which contains the tools; a changing order
    makes every request slower and more expensive.
    Instead: return the tools in a fixed order, for example sorted by name.
    """,
    of=lists_stay_the_same,
    reason="order_changes",
    good=lambda: [replay(CONNECTED, TWO, TWO, CONNECTED, TWO, known=MODERN)],
    bad=lambda: [replay(CONNECTED, TWO, TURNED, CONNECTED, TWO, known=MODERN)],
)
probe_rule(
    "TOOL-031",
    "list-depends-on-connection",
    """A list depends on the connection or on earlier calls.

    Why: since 2026-07-28 there are no sessions: requests of one client reach any instance of a
    server over any connection, and clients keep lists for all of them.
    Instead: return the same list on every connection; if it changes, change it for all connections
    at once.
    """,
    of=lists_stay_the_same,
    reason="list_varies",
    good=lambda: [
        replay(CONNECTED, TWO, TWO, known=LISTED),
        replay(CONNECTED, TWO, TWO, CONNECTED, TWO, known=MODERN),
        replay(
            CONNECTED, TWO, TWO, Reply(result={"content": []}), TWO, CONNECTED, TWO, known=CALLED
        ),
        replay(CONNECTED, TWO, TWO, CONNECTED, THREE, THREE, CONNECTED, THREE, known=MODERN),
        replay(CONNECTED, TWO, THREE, THREE, THREE, known=MODERN),
    ],
    bad=lambda: [
        replay(
            *(CONNECTED, TWO, TWO, DONE, THREE),
            *(CONNECTED, TWO, TWO, DONE, THREE),
            known=CALLED,
        ),
        replay(
            *(CONNECTED, TWO, TWO),
            *(CONNECTED, THREE, THREE),
            *(CONNECTED, TWO, TWO),
            known=MODERN,
        ),
        replay(CONNECTED, TWO, THREE, TWO, THREE, known=MODERN),
    ],
)


@probe("PAGE-002", need=_lists_something)
def unknown_cursor(server: Known) -> Dialogue:
    """Ask for the page of a cursor that nobody gave, of a list with pages if there is one."""
    given: list[ProbedList] = []
    with_pages: list[ProbedList] = []
    for one in _listable(server):
        reply = yield Ask(one.method)
        given += [one] if reply.is_result else []
        with_pages += [one] if _cursor(reply) is not None else []
    if not given:
        return [undecided("PAGE-002", NO_LIST)]
    step = Ask((with_pages or given)[0].method, {"cursor": NO_CURSOR})
    what = "an invalid pagination cursor"
    key = "a list is asked for with a cursor that it never gave"
    verdicts = yield from must_refuse(server, "PAGE-002", step, what, key=key)
    return verdicts if with_pages else graded(verdicts, ONE_PAGE)


OLD: Final = Known(capabilities={"tools": {}})
PAGED: Final = Reply(result={"tools": [{"name": "find"}], "nextCursor": "2"})
BROKEN_LIST: Final = Reply(error={"code": -32603, "message": "fetch failed"})
UNKNOWN_CURSOR: Final = Reply(error={"code": INVALID_PARAMS, "message": "Unknown cursor"})

probe_rule(
    "PAGE-002",
    "unknown-cursor-accepted",
    """The server does not reject an invalid pagination cursor with error -32602.

    Why: a client with an outdated cursor gets the first page again, and loops or reads items twice.
    Instead: return error -32602 for an unknown cursor, even if the list has only one page.
    """,
    of=unknown_cursor,
    reason="unknown_cursor_accepted",
    good=lambda: [
        replay(PAGED, UNKNOWN_CURSOR, known=OLD),
        replay(TWO, UNKNOWN_CURSOR, known=OLD),
        replay(BROKEN_LIST, known=OLD),
    ],
    bad=lambda: [
        replay(PAGED, TWO, known=OLD),
        replay(PAGED, Reply(error={"code": -32603, "message": "?"}), known=OLD),
        replay(TWO, TWO, known=OLD),
    ],
)


@probe("PAGE-005", need=_lists_something)
def lists_come_to_an_end(server: Known) -> Dialogue:
    """Walk through every list that has more than one page."""
    verdicts: Verdicts = []
    has_pages = False
    listable = _listable(server)
    if not listable:
        return [undecided("PAGE-005", NO_LIST)]
    for one in listable:
        reply = yield Ask(one.method)
        if not reply.is_result:
            verdicts.append(undecided("PAGE-005", f"{one.method} could not be fetched again"))
        elif _cursor(reply) is not None:
            has_pages = True
            verdicts += yield from _walked(one, reply)
    if not has_pages and not verdicts:
        return [not_testable("PAGE-005", "no list has a second page")]
    return verdicts


def _walked(one: ProbedList, reply: Reply) -> Dialogue:
    """Follow the cursors of a list; one that leads back explains items that come twice."""
    cursors, names, repeated = set[str](), set[str](), set[str]()
    for _ in range(MOST_PAGES):
        page, cursor = {*(_names(one, reply) or ())}, _cursor(reply)
        repeated |= page & names
        names |= page
        if not reply.is_result:
            return [undecided("PAGE-005", f"a page of {one.method} could not be fetched")]
        if cursor is None:
            return [_twice(one, min(repeated))] if repeated else KEPT
        if cursor in cursors:
            return [_circle(one)]
        cursors.add(cursor)
        reply = yield Ask(one.method, {"cursor": cursor})
    return [undecided("PAGE-005", f"{one.method} has more than {MOST_PAGES} pages")]


def _twice(one: ProbedList, name: str) -> Found:
    text = f"Two pages of {one.method} have {quote(name)}."
    return fault("PAGE-005", text, key=f"{one.method} twice")


def _circle(one: ProbedList) -> Found:
    text = f"The pages of {one.method} loop: a nextCursor leads back to an earlier page."
    return fault("PAGE-005", text, key=f"{one.method} circle")


def _page(name: str, cursor: str | None = None) -> Reply:
    following = {} if cursor is None else {"nextCursor": cursor}
    return Reply(result={"tools": [{"name": name}], **following})


probe_rule(
    "PAGE-005",
    "list-without-end",
    """The pages of a list repeat items, or loop back to an earlier page.

    Why: a client that follows the cursors reads items twice, or never reaches the end.
    Instead: give each page its own nextCursor, and omit it on the last page.
    """,
    of=lists_come_to_an_end,
    reason="list_without_end",
    good=lambda: [
        replay(_page("find", "2"), _page("open"), known=OLD),
        replay(_page("find"), known=OLD),
    ],
    bad=lambda: [
        replay(_page("find", "2"), _page("find"), known=OLD),
        replay(_page("find", "2"), Reply(result={"tools": [], "nextCursor": "2"}), known=OLD),
    ],
)
