"""Tools as they are listed, and what is called and answered: one must fit the other."""

from __future__ import annotations

from collections import ChainMap, OrderedDict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import orjson
from msgspec import Struct

from mcp_assay.model.ending import is_load_refusal
from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, Step, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    error,
    kept,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.ids import Id
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2025_06_18
from mcp_assay.text.words import quote
from mcp_assay.wire.notes import UNREAD
from mcp_assay.wire.pointer import Path, pointer

if TYPE_CHECKING:
    from mcp_assay.schema.checker import Prepared, SchemaProblem, SchemaVerdict

CONTENT: Final = ("result", "structuredContent")
INTERNAL_ERROR: Final = -32603

MOST_PAGES: Final = 1000
"""Pages of tools that are kept for all conversations together."""
MOST_OF_A_LIST: Final = 100
"""Pages of one list that are remembered."""
MOST_OLDER: Final = 1000
"""Calls under way that are remembered when the list changes."""
LARGEST_PAGE: Final = 1 << 20
"""A page of more bytes is not remembered."""

NOT_LISTED: Final = "no tools/list was seen before"
CHANGED: Final = "the list of tools has changed since it was seen"
CUT: Final = "only a part of the list of tools was seen"


class ListedTool:
    """A tool as it was listed; a schema of it is prepared when it is first needed."""

    __slots__ = ("_may_change", "definition", "input", "output", "promises")

    def __init__(self, definition: dict[str, Any]) -> None:
        self.definition: Final = definition
        self._may_change: bool | None = None
        self.promises: Final = isinstance(definition.get("outputSchema"), dict)
        """Whether it says what its results look like."""
        self.input: Prepared | None = None
        self.output: Prepared | None = None

    @property
    def may_change(self) -> bool:
        """Whether a call may change something: neither its hint nor its name says otherwise."""
        if self._may_change is None:
            from mcp_assay.text.changing_verbs import is_looking_name  # noqa: PLC0415  seldom needed

            hints = self.definition.get("annotations")
            reads = isinstance(hints, dict) and hints.get("readOnlyHint") is True
            self._may_change = not reads and not is_looking_name(self.definition["name"])
        return self._may_change

    def input_schema(self, session: SessionState) -> Prepared | None:
        """Its inputSchema, None where it has none."""
        if self.input is None and isinstance(schema := self.definition.get("inputSchema"), dict):
            self.input = session.schemas.prepare(schema)
        return self.input

    def output_schema(self, session: SessionState) -> Prepared | None:
        """Its outputSchema, None where it has none."""
        if self.output is None and self.promises:
            self.output = session.schemas.prepare(self.definition["outputSchema"])
        return self.output


class ListedPages:
    """Pages of tools: the same page, seen in many conversations, is kept once."""

    __slots__ = ("_pages",)

    def __init__(self) -> None:
        self._pages: Final[OrderedDict[bytes, dict[str, ListedTool]]] = OrderedDict()

    def __len__(self) -> int:
        """How many different pages are kept."""
        return len(self._pages)

    def page(self, tools: list[Any]) -> dict[str, ListedTool] | None:
        """The tools of a page by their names, None where it cannot be kept."""
        try:
            text = orjson.dumps(tools)
        except TypeError:
            return None
        if text in self._pages:
            self._pages.move_to_end(text)
        elif len(text) <= LARGEST_PAGE:
            self._pages[text] = _by_name(tools)
            if len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
        return self._pages.get(text)


NO_TOOLS: Final[Mapping[str, ListedTool]] = {}


class ToolListing:
    """What one conversation has seen of the list of tools."""

    __slots__ = ("_pages", "changes", "gap", "is_judged", "older", "tools")

    def __init__(self) -> None:
        self._pages: Final[list[dict[str, ListedTool]]] = []
        self.tools: Mapping[str, ListedTool] = NO_TOOLS
        """By their names."""
        self.older: frozenset[Id] = frozenset()
        """The calls that were under way when the list changed: they go by the list before."""
        self.changes = 0
        """How many calls were made that may have changed something."""
        self.is_judged = False
        """Whether arguments were judged before, so that CALL-010 is known to be decided."""
        self.gap: str | None = NOT_LISTED
        """Why a tool that is not here may exist all the same; None where the list is whole."""

    def add(self, page: dict[str, ListedTool] | None, *, first: bool, last: bool) -> None:
        """Add a page of the list; the first one begins it anew."""
        if first:
            self._begin(CUT)
        if page is None or len(self._pages) >= MOST_OF_A_LIST:
            self.gap = CUT
            return
        self._pages.append(page)
        self.tools = page if first else ChainMap(*self._pages)
        if last and (first or self.gap == CUT):
            self.gap = None

    def forget(self) -> None:
        """Trust nothing of the list any more."""
        self._begin(CHANGED)

    def _begin(self, gap: str) -> None:
        self._pages.clear()
        self.tools, self.gap = NO_TOOLS, gap


class Promise(Struct, frozen=True):
    """A part of a message that has to fit a schema of a tool."""

    rule: str
    place: Path
    schema: str
    tool: str

    def broken(self, problem: SchemaProblem) -> Found:
        """The fault that one problem is."""
        path = (*self.place, *problem.path)
        text = f"{pointer(path)} {problem.text} ({self.schema} of {quote(self.tool)})."
        return Found(path, text, self.rule, key=self.tool)


def _by_name(tools: list[Any]) -> dict[str, ListedTool]:
    named = [one for one in tools if isinstance(one, dict) and isinstance(one.get("name"), str)]
    return {one["name"]: ListedTool(one) for one in named}


TOOLS: Final[dict[str, Any]] = {"tools": {"listChanged": True}}
CITY: Final = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
DEGREES: Final = {"type": "object", "properties": {"degrees": {"type": "number"}}}
WEATHER: Final = {
    "name": "weather",
    "inputSchema": CITY,
    "outputSchema": {**DEGREES, "required": ["degrees"]},
}
OSLO: Final = {"name": "weather", "arguments": {"city": "Oslo"}}
COLD: Final = {"content": [{"type": "text", "text": '{"degrees": -4}'}]}


def _listed(*, ask: int = 1) -> list[Step]:
    return [
        *opening(server=TOOLS),
        c2s(request("tools/list", id=ask)),
        s2c(answer({"tools": [WEATHER]}, id=ask)),
    ]


def _called(result: dict[str, Any], arguments: Any = None) -> list[Step]:
    params = OSLO if arguments is None else {**OSLO, "arguments": arguments}
    return [*_listed(), c2s(request("tools/call", params, id=2)), s2c(answer(result, id=2))]


session_rule(
    "CALL-002",
    "structured-content-missing",
    """A successful result lacks structuredContent although the tool has an outputSchema.

    Why: the outputSchema promises structured data; clients reject a result without it.
    Instead: return structuredContent with every success, or remove the outputSchema.
    """,
    reason="invalid_result",
    good=lambda: [
        kept(_called({**COLD, "structuredContent": {"degrees": -4}})),
        kept(_called({"content": [{"type": "text", "text": "No such city"}], "isError": True})),
    ],
    bad=lambda: [broken(_called(COLD), pointer="/result/structuredContent")],
)

session_rule(
    "CALL-003",
    "output-schema-violated",
    """structuredContent does not match the tool's own outputSchema.

    Why: clients may validate it and drop the whole result; the model never sees it.
    Instead: return what the schema declares, or correct the schema.
    """,
    reason="invalid_result",
    good=lambda: [
        kept(_called({**COLD, "structuredContent": {"degrees": -4}})),
        kept(
            _listed(),
            s2c(notification("notifications/tools/list_changed")),
            c2s(request("tools/call", OSLO, id=2)),
            s2c(answer({**COLD, "structuredContent": {"celsius": -4}}, id=2)),
        ),
    ],
    bad=lambda: [
        broken(
            _called({**COLD, "structuredContent": {"degrees": "-4"}}),
            pointer="/result/structuredContent/degrees",
        ),
        broken(
            c2s(modern_request("tools/list", id=1)),
            s2c(
                modern_result({"tools": [WEATHER], "ttlMs": 0, "cacheScope": "private"}, id=1),
            ),
            c2s(modern_request("tools/call", OSLO, id=2)),
            s2c(modern_result({**COLD, "structuredContent": {}}, id=2)),
            pointer="/result/structuredContent",
        ),
    ],
)

session_rule(
    "CALL-009",
    "tool-failure-as-internal-error",
    """A failed tool call returns an internal JSON-RPC error.

    Why: models see the text of an isError result but rarely that of a protocol error, so they
    cannot correct the call.
    Instead: return a result with isError true and content that says what went wrong.
    """,
    reason="invalid_result",
    good=lambda: [
        kept(
            _listed(),
            c2s(request("tools/call", OSLO, id=2)),
            s2c(error(-32602, "Unknown tool", id=2)),
        ),
        kept(_called({"content": [{"type": "text", "text": "No such city"}], "isError": True})),
    ],
    bad=lambda: [
        broken(
            _listed(),
            c2s(request("tools/call", OSLO, id=2)),
            s2c(error(INTERNAL_ERROR, "KeyError: 'Oslo'", id=2)),
            pointer="/error/code",
        )
    ],
)

session_rule(
    "CALL-010",
    "call-does-not-fit-the-list",
    """The client calls an unknown tool, or with arguments that violate the inputSchema.

    Why: the server has to reject it, or does something unintended.
    Instead: call only listed tools, and validate the arguments before sending them.
    """,
    reason="invalid_params",
    good=lambda: [kept(_called({**COLD, "structuredContent": {"degrees": -4}}))],
    bad=lambda: [
        broken(
            _listed(),
            c2s(request("tools/call", {"name": "wether", "arguments": {"city": "Oslo"}}, id=2)),
            s2c(error(-32602, "Unknown tool", id=2)),
            at=5,
            pointer="/params/name",
        ),
        broken(
            _called({"content": [], "isError": True}, {"town": "Oslo"}),
            at=5,
            pointer="/params/arguments",
        ),
    ],
)


@watch("result", methods=("tools/list",))
def remember_tools(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the tools of a page."""
    tools, asked = message.result.get("tools"), message.answers
    if isinstance(tools, list) and asked is not None:
        page = session.run.recall(ListedPages).page(tools)
        first, last = "cursor" not in asked.params, "nextCursor" not in message.result
        session.recall(ToolListing).add(page, first=first, last=last)
    return ()


@watch("notification", methods=("notifications/tools/list_changed",))
def forget_tools(session: SessionState, message: Message) -> Iterable[Found]:
    """Trust the list no more: schemas may have changed with it."""
    listing = session.recall(ToolListing)
    listing.forget()
    waiting = session.pending.sent["c2s"].items()
    calls = (id for id, asked in waiting if asked[0] == "tools/call")
    listing.older = frozenset(islice(calls, MOST_OLDER))
    return ()


@watch("request", methods=("tools/call",))
def call_does_not_fit_the_list(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CALL-010."""
    params: Any = message.value.get("params")
    name = params.get("name") if params.__class__ is dict else None
    listing = session.recall(ToolListing)
    tool = listing.tools.get(name) if name.__class__ is str else None
    if tool is None:
        listing.changes += 1
        return _not_listed(session, listing, name)
    if tool.may_change:
        listing.changes += 1
    schema = tool.input or tool.input_schema(session)
    if schema is None or "task" in params:
        return ()
    arguments = params.get("arguments", {})
    if _fits(session, schema, arguments):
        return () if listing.is_judged else _judged(session, listing)
    promise = Promise("CALL-010", ("params", "arguments"), "inputSchema", str(name))
    return _misfits(session, promise, schema.check(arguments))


def _judged(session: SessionState, listing: ToolListing) -> tuple[()]:
    """Note that the arguments of a call were judged, and are well."""
    listing.is_judged = True
    session.decide("CALL-010")
    return ()


def _not_listed(session: SessionState, listing: ToolListing, name: object) -> Iterable[Found]:
    if listing.gap is not None or not isinstance(name, str):
        session.leave_open("CALL-010", listing.gap or "the call names no tool")
        return ()
    text = f"The tool {quote(name)} is not in the list of tools."
    return (Found(("params", "name"), text, "CALL-010"),)


@watch("result", methods=("tools/call",), since=R2025_06_18, decides=("CALL-009",))
def result_not_as_promised(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CALL-002 and CALL-003."""
    asked: Any = message.answers and message.answers.value.get("params")
    name = asked.get("name") if asked.__class__ is dict else None
    listing = session.recall(ToolListing)
    tool = listing.tools.get(name) if name.__class__ is str else None
    if tool is not None and not tool.promises:
        return ()
    return _promised(session, message, listing, tool)


def _promised(
    session: SessionState, message: Message, listing: ToolListing, tool: ListedTool | None
) -> Iterable[Found]:
    """Judge the answer of a tool that has an outputSchema, or that may have one."""
    asked, result = message.answers, message.result
    if asked is None or not _is_final_success(result):
        return ()
    schema = None if tool is None else tool.output_schema(session)
    gap = CHANGED if asked.value.get("id") in listing.older else listing.gap
    if schema is not None and gap is not CHANGED:
        return _keeps(session, schema, result, asked.params["name"])
    if gap is not None:
        session.leave_open("CALL-002", gap)
        session.leave_open("CALL-003", gap)
    return ()


def _keeps(
    session: SessionState, schema: Prepared, result: dict[str, Any], name: str
) -> Iterable[Found]:
    """Judge a successful result by the schema that was promised."""
    content = result.get("structuredContent", UNREAD)
    if content is UNREAD:
        session.decide("CALL-002")
        text = (
            f"The tool {quote(name)} has an outputSchema, but the result has no structuredContent."
        )
        return (Found(CONTENT, text, "CALL-002", key=name),)
    session.decide("CALL-002")
    if _fits(session, schema, content):
        session.decide("CALL-003")
        return ()
    promise = Promise("CALL-003", CONTENT, "outputSchema", name)
    return _misfits(session, promise, schema.check(content))


def _is_final_success(result: dict[str, Any]) -> bool:
    """Whether this is the answer of a tool that worked, and not a task or a question."""
    return (
        result.get("isError") is not True
        and "task" not in result
        and result.get("resultType", "complete") == "complete"
    )


def _fits(session: SessionState, schema: Prepared, value: Any) -> bool:
    """Whether a tame schema accepts the value at once; what it cannot read is for a closer look."""
    size = session.size
    if size is None or schema.accepts is None or size > schema.most_bytes:
        return False
    try:
        return schema.accepts(value)
    except ValueError:
        return False


def _misfits(session: SessionState, promise: Promise, verdict: SchemaVerdict) -> Iterable[Found]:
    """What the verdict of a schema means for the rule."""
    if verdict.outcome == "undecided":
        session.leave_open(promise.rule, verdict.reason or "the schema cannot be used")
        return ()
    session.decide(promise.rule)
    return tuple(promise.broken(problem) for problem in verdict.problems)


@watch("error", methods=("tools/call",), decides=("CALL-009",))
def tool_failure_as_internal_error(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CALL-009."""
    status = (session.delivery.http or {}).get("status")
    if message.error.get("code") != INTERNAL_ERROR or is_load_refusal(status, message.value):
        return ()
    text = "The call returned internal error -32603 instead of a result."
    return (Found(("error", "code"), text, "CALL-009"),)
