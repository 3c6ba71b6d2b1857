"""Objects of `mcp` and FastMCP -> what they hold, without importing either."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.rules.envelope.content import MCP_TYPES

ATTRIBUTES: Final = {"structured_content": "structuredContent", "meta": "_meta"}
"""What result objects call the members of an MCP result."""

HELPERS: Final = ("to_image_content", "to_audio_content", "to_resource_content")
"""How the pictures, recordings and files of both libraries become content blocks."""


LIBRARIES: Final = frozenset(("fastmcp", "mcp", "mcp_types"))
"""The packages whose classes are content blocks: classes of authors may have a type as well."""


def members_of(returned: object) -> Any:
    """The members of a result object, content blocks as the content of one; the rest as it is."""
    content = getattr(returned, "content", None)
    if isinstance(content, list) and hasattr(returned, "structured_content"):
        return _result(returned, content)
    parts = returned if isinstance(returned, list | tuple) else [returned]
    blocks = [block_in(part) for part in parts]
    if any(blocks):
        content = [block or part for block, part in zip(blocks, parts, strict=True)]
        return {"success": True, "content": content}
    return returned


def block_in(value: Any) -> Any:
    """The members of the content block that an object is or stands for, None where it is none."""
    for helper in HELPERS:
        if hasattr(type(value), helper):
            return _dumped(getattr(value, helper)())
    if not hasattr(type(value), "model_dump") or not _is_of_library(type(value)):
        return None
    return _dumped(value) if getattr(value, "type", None) in MCP_TYPES else None


def asks_for_input(returned: object) -> bool:
    """Whether this is no result yet: the tool asks its caller for more, and is called again."""
    return getattr(returned, "result_type", None) == "input_required"


def _result(result: object, content: list[Any]) -> dict[str, Any]:
    attributes = {name: getattr(result, own, None) for own, name in ATTRIBUTES.items()}
    members = {name: value for name, value in attributes.items() if value is not None}
    has_failed = getattr(result, "is_error", None) is True
    return {
        "content": [block_in(part) or part for part in content],
        "isError": has_failed,
        **members,
    }


def _is_of_library(kind: type) -> bool:
    return any(base.__module__.partition(".")[0] in LIBRARIES for base in kind.__mro__)


def _dumped(block: Any) -> Any:
    return block.model_dump(mode="json", by_alias=True, exclude_none=True)
