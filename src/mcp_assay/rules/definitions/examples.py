"""Short ways to write the definitions that show a rule."""

from __future__ import annotations

from typing import Any

from mcp_assay.rules.examples import bad, good
from mcp_assay.rules.rule import Example
from mcp_assay.spec.revisions import DEFAULT_REVISION

CITY = {"type": "string", "description": "A city"}


def tool(name: Any = "get_weather", /, **members: Any) -> dict[str, Any]:
    """A tool, well defined but for what is given; None leaves a member out."""
    usual = {
        "name": name,
        "description": "Does what its name says",
        "inputSchema": inputs(city=CITY),
    }
    return {key: value for key, value in {**usual, **members}.items() if value is not None}


def inputs(**properties: Any) -> dict[str, Any]:
    """An inputSchema with these properties."""
    return {"type": "object", "properties": properties}


def taking(**properties: Any) -> dict[str, Any]:
    """A tool that takes these arguments."""
    return tool(inputSchema=inputs(**properties))


def resource(uri: Any = "notes://7", /, **members: Any) -> dict[str, Any]:
    """A resource, well defined but for what is given; None leaves a member out."""
    usual = {"uri": uri, "name": "note-7"}
    return {key: value for key, value in {**usual, **members}.items() if value is not None}


def good_tools(*tools: Any, revision: str = DEFAULT_REVISION) -> Example:
    """Tools about which mcp-assay has nothing to say."""
    return good({"tools": list(tools)}, revision=revision)


def bad_tools(
    pointer: str,
    *tools: Any,
    revision: str = DEFAULT_REVISION,
    also: tuple[tuple[str, str], ...] = (),
) -> Example:
    """Tools that break the rule at `pointer`, seen from their list."""
    return bad({"tools": list(tools)}, f"/tools{pointer}", revision=revision, also=also)


def good_resources(*resources: Any, revision: str = DEFAULT_REVISION) -> Example:
    """Resources about which mcp-assay has nothing to say."""
    return good({"resources": list(resources)}, revision=revision)


def bad_resources(pointer: str, *resources: Any, revision: str = DEFAULT_REVISION) -> Example:
    """Resources that break the rule at `pointer`, seen from their list."""
    return bad({"resources": list(resources)}, f"/resources{pointer}", revision=revision)
