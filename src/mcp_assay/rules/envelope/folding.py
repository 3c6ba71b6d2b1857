"""Where an MCP result keeps what only the envelope has: under a key of its own in `_meta`.

Software that knows MCP's members alone drops all others on the way, but never `_meta`.
"""

from __future__ import annotations

from typing import Any, Final

ENVELOPE_KEY: Final = "io.github.mcp-assay/envelope"
MCP_MEMBERS: Final = frozenset({"content", "structuredContent", "isError", "_meta"})
"""The members of an envelope that MCP knows; all others are folded away."""


def unfolded(result: Any) -> Any:
    """The envelope that a result was made of, or the result itself where it was made of none."""
    kept = folded_in(result)
    if kept is None:
        return result
    structured = result.get("structuredContent")
    carried: dict[str, Any] = {}
    if kept.get("success") is True and "structuredContent" in result:
        carried = {"data": structured}
    elif isinstance(structured, dict) and "error" in structured:
        carried = {"error": structured["error"]}
    others = {name: value for name, value in kept.items() if name not in MCP_MEMBERS}
    return {**result, **carried, **others}


def folded_in(result: Any) -> dict[str, Any] | None:
    """What a result keeps of its envelope, None where it keeps nothing."""
    meta = result.get("_meta") if isinstance(result, dict) else None
    kept = meta.get(ENVELOPE_KEY) if isinstance(meta, dict) else None
    return kept if isinstance(kept, dict) else None
