"""Result objects of `mcp` and FastMCP -> what they hold, without importing either."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.rules.envelope.content import MCP_TYPES

ATTRIBUTES: Final = {
    "structured_content": "structuredContent",
    "meta": "_meta",
    "is_error": "isError",
}
"""What result objects call the members of an MCP result."""


def members_of(returned: object) -> Any:
    """The members of a result object, content blocks as the content of one; the rest as it is."""
    content = getattr(returned, "content", None)
    if isinstance(content, list) and hasattr(returned, "structured_content"):
        return _result(returned, content)
    blocks = returned if isinstance(returned, list | tuple) else [returned]
    if blocks and all(map(_is_block, blocks)):
        return {"content": list(map(_block, blocks))}
    return returned


def asks_for_input(returned: object) -> bool:
    """Whether this is no result yet: the tool asks its caller for more, and is called again."""
    return getattr(returned, "result_type", None) == "input_required"


def _result(result: object, content: list[Any]) -> dict[str, Any]:
    told = {name: getattr(result, own, None) for own, name in ATTRIBUTES.items()}
    members = {name: value for name, value in told.items() if value is not None}
    return {"content": [_block(block) for block in content], **members}


def _is_block(value: object) -> bool:
    kind = getattr(value, "type", None) if hasattr(value, "model_dump") else None
    return isinstance(kind, str) and kind in MCP_TYPES


def _block(block: Any) -> Any:
    if not hasattr(block, "model_dump"):
        return block
    return block.model_dump(mode="json", by_alias=True, exclude_none=True)
