"""Tools that list are called before those that need what was listed."""

from __future__ import annotations

from typing import Any

from mcp_assay.scenario.plan import listing_first
from tests.scenario.helping import closed


def tool(name: Any, *required: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": closed({one: {"type": "string"} for one in required})}


def test_tools_that_list_come_first() -> None:
    tools = [
        tool("get_user", "id"),
        tool("status"),
        tool("listUsers"),
        tool("search_users", "query"),
        tool("list_orders", "user_id"),
        tool("recent_orders"),
        {"name": 5},
        {"inputSchema": {"required": "odd"}},
    ]
    assert [one.get("name") for one in listing_first(tools)] == [
        "listUsers",
        "recent_orders",
        "status",
        5,
        None,
        "list_orders",
        "search_users",
        "get_user",
    ]
