"""A memory server with 21 tools, in the kinds of schema that such servers have.

Its errors are {error: {type, message}} in results without isError. What it advertises comes from
one set of lists and what its code takes from another, as in servers that keep both by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool
from msgspec import Struct

Arguments: TypeAlias = dict[str, Any]
Lists: TypeAlias = Mapping[str, tuple[str, ...]]

CODE: Lists = {
    "domain": ("debugging", "refactoring", "configuration", "performance", "security"),
    "strategy": ("systematic-elimination", "trial-and-error", "divide-and-conquer"),
    "root_cause": ("wrong-assumption", "missing-knowledge", "oversight"),
    "outcome": ("confirmed", "falsified", "abandoned"),
    "axis": ("full", "strategy", "surprise", "root_cause"),
    "category": ("preference", "fact", "event"),
}
"""What the code takes."""
DRIFTED: Lists = {
    **CODE,
    "domain": ("debugging", "refactoring", "optimization", "other"),
    "root_cause": ("wrong_assumption", "knowledge_gap", "carelessness"),
}
"""What was advertised when the bug was there: values that are refused, and others kept hidden."""


class Field(Struct, frozen=True):
    """An argument of a tool."""

    name: str
    type: str = "string"
    required: bool = True
    least: int | None = None
    """The least number, or the least length of a text."""

    def schema(self, lists: Lists) -> dict[str, Any]:
        """What is advertised."""
        schema: dict[str, Any] = {"type": self.type, "description": f"The {self.name}"}
        if self.name in lists:
            schema["enum"] = list(lists[self.name])
        if self.least is not None:
            schema["minimum" if self.type == "integer" else "minLength"] = self.least
        return schema

    def complaint(self, arguments: Arguments) -> str | None:
        """What the code says against a value."""
        if self.name not in arguments:
            return f"{self.name} is required" if self.required else None
        value, kind = arguments[self.name], int if self.type == "integer" else str
        if not isinstance(value, kind) or isinstance(value, bool):
            return f"{self.name} must be of type {self.type}"
        if self.name in CODE and value not in CODE[self.name]:
            return f"Invalid {self.name} '{value}'. Must be one of: {', '.join(CODE[self.name])}"
        size = value if isinstance(value, int) else len(value)
        if self.least is not None and size < self.least:
            return f"{self.name} must be at least {self.least}"
        return None


class Memory:
    """What the server remembers."""

    def __init__(self) -> None:
        self.active: Arguments | None = None
        self.count = 0

    def start(self, given: Arguments) -> Arguments:
        self.active = {"id": "g1", **given}
        return {"ok": True, **self.active}

    def needs_active(self, answer: Arguments) -> Arguments:
        return answer if self.active else wrong("not_found", "There is no active GHAP")

    def counted(self, more: int) -> Arguments:
        self.count = self.count + more if more else 0
        return {"tool_count": self.count}


Handler: TypeAlias = Callable[[Memory, Arguments], Any]
MEMORIES = [{"id": "m1", "category": "fact", "content": "tea is hot"}]


def maybe(name: str) -> Field:
    """An argument that is now optional."""
    return Field(name, required=False)


def found(given: Arguments, **item: Any) -> Arguments:
    """The results of a search, none for an empty query."""
    return {"results": [{"id": "g0", **item}] if given.get("query", "x").strip() else []}


def members(_: Memory, given: Arguments) -> Arguments:
    """The members of a cluster, whose id is AXIS_NUMBER."""
    axis, _, number = given["cluster_id"].rpartition("_")
    if axis not in CODE["axis"] or not number.isdigit():
        return wrong("validation_error", "Invalid cluster_id format, should be axis_number")
    return {"axis": axis, "members": [{"id": "g0", "axis": axis}]}


READ: dict[str, tuple[tuple[Field, ...], Handler]] = {
    "retrieve_memories": (
        (Field("query"), maybe("category")),
        lambda _, given: {"results": MEMORIES if given["query"].strip() else []},
    ),
    "list_memories": (
        (Field("offset", "integer", required=False, least=0),),
        lambda _, given: {"results": MEMORIES[given.get("offset", 0) :], "total": len(MEMORIES)},
    ),
    "get_active_ghap": (
        (),
        lambda memory, _: {
            "has_active": memory.active is not None,
            "domain": (memory.active or {}).get("domain"),
        },
    ),
    "list_ghap_entries": (
        (maybe("domain"), maybe("outcome")),
        lambda _, given: found(
            given,
            domain=given.get("domain", "debugging"),
            outcome=given.get("outcome", "confirmed"),
        ),
    ),
    "get_clusters": (
        (Field("axis"),),
        lambda _, given: {
            "axis": given["axis"],
            "clusters": [{"cluster_id": f"{given['axis']}_0"}],
        },
    ),
    "get_cluster_members": ((Field("cluster_id"),), members),
    "validate_value": (
        (Field("text", least=1),),
        lambda _, given: {"valid": True, "length": len(given["text"])},
    ),
    "list_values": ((Field("axis"),), lambda _, given: found(given, axis=given["axis"])),
    "search_experiences": (
        (Field("query"), maybe("axis"), maybe("domain"), maybe("outcome")),
        lambda _, given: found(given, axis=given.get("axis", "full"), domain="debugging"),
    ),
    "get_orphaned_ghap": ((), lambda *_: {"has_orphan": False, "orphan": None}),
    "should_check_in": (
        (Field("frequency", "integer", required=False, least=1),),
        lambda memory, given: {"should_check_in": memory.count >= given.get("frequency", 10)},
    ),
    "assemble_context": (
        (Field("query"), Field("limit", "integer", required=False, least=1)),
        lambda _, given: {"markdown": f"# {given['query']}", "item_count": 0},
    ),
}
"""The tools that only read."""
WRITE: dict[str, tuple[tuple[Field, ...], Handler]] = {
    "store_memory": (
        (Field("content"), Field("category")),
        lambda _, given: {"id": "m2", "category": given["category"]},
    ),
    "delete_memory": (
        (Field("memory_id"),),
        lambda _, given: {"deleted": given["memory_id"] == "m1"},
    ),
    "start_ghap": (
        (Field("domain"), Field("strategy"), Field("goal")),
        lambda memory, given: memory.start(given),
    ),
    "update_ghap": (
        (maybe("strategy"),),
        lambda memory, _: memory.needs_active({"success": True}),
    ),
    "resolve_ghap": (
        (Field("outcome"), maybe("root_cause")),
        lambda memory, _: memory.needs_active({"id": "g1"}),
    ),
    "store_value": (
        (Field("text", least=1), Field("axis")),
        lambda _, given: {"id": "v1", "axis": given["axis"]},
    ),
    "start_session": ((), lambda *_: {"session_id": "s1", "started": True}),
    "increment_tool_count": ((), lambda memory, _: memory.counted(1)),
    "reset_tool_count": ((), lambda memory, _: memory.counted(0)),
}
"""The tools that change something."""
TOOLS = {**READ, **WRITE}


def wrong(kind: str, message: str) -> Arguments:
    """An error, as this server tells it."""
    return {"error": {"type": kind, "message": message}}


def definition(name: str, lists: Lists) -> Tool:
    """What is advertised of a tool."""
    fields, _ = TOOLS[name]
    schema = {
        "type": "object",
        "properties": {field.name: field.schema(lists) for field in fields},
        "required": [field.name for field in fields if field.required],
    }
    hints = {"readOnlyHint": name in READ}
    return Tool.model_validate(
        {"name": name, "description": name, "inputSchema": schema, "annotations": hints}
    )


def answered(memory: Memory, name: str, given: Arguments) -> Any:
    """What a tool answers."""
    fields, handler = TOOLS[name]
    complaints = [text for field in fields if (text := field.complaint(given))]
    return wrong("validation_error", complaints[0]) if complaints else handler(memory, given)


def memory_server(lists: Lists = CODE, only: Iterable[str] = TOOLS) -> Server[Any]:
    """The server, with what it advertises, or with some of its tools."""
    memory = Memory()

    async def list_tools(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=[definition(name, lists) for name in only])

    async def call_tool(_: Any, params: Any) -> CallToolResult:
        answer = answered(memory, params.name, params.arguments or {})
        return CallToolResult(content=[TextContent(type="text", text=json.dumps(answer))])

    return Server("memory", version="1.0", on_list_tools=list_tools, on_call_tool=call_tool)
