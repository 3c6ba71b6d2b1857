"""Short ways to write the responses that show a rule of the profile."""

from __future__ import annotations

from typing import Any

MOMENT = "2026-03-01T09:30:00Z"
IMAGE = {"type": "image", "url": "https://example.com/cpu.png", "altText": "CPU usage"}
RESOURCE = {
    "type": "resource",
    "resourceType": "url",
    "identifier": "https://example.com/notes/7",
    "name": "Note 7",
}
MCP_IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
MCP_RESOURCE = {"type": "resource", "resource": {"uri": "note://7", "text": "Buy milk"}}


def text(words: str) -> dict[str, Any]:
    """A text item."""
    return {"type": "text", "text": words}


def success(*items: Any, **members: Any) -> dict[str, Any]:
    """A response that reports success, with these items and members."""
    content = list(items) or [text("3 notes found")]
    return {"success": True, "timestamp": MOMENT, "content": content, **members}


def failure(*items: Any, **members: Any) -> dict[str, Any]:
    """A response that reports failure, with these items and members."""
    return {
        "success": False,
        "timestamp": MOMENT,
        "content": list(items) or [text("Error: Note 7 not found")],
        "isError": True,
        "error": {"code": "NOTE_NOT_FOUND", "message": "Note 7 not found"},
        **members,
    }


def without(response: dict[str, Any], *names: str) -> dict[str, Any]:
    """The response without the members of these names."""
    return {name: value for name, value in response.items() if name not in names}
