"""What MCP says about a response as a tools/call result, and where it keeps the rest."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.entry import TOOLS_CALL
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.slow import NOTE_RULES, Setting, asked_by, judge
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.pointer import Path, follow, tokens
from mcp_assay.wire.python_values import examine

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


ABOUT_TEXT: Final = frozenset(NOTE_RULES.values())
"""The rules about the text of a message, whatever it says."""
AROUND: Final = "/result"


def refusal_by_mcp(response: Any) -> Finding | None:
    """The first reason for which MCP refuses a response as the result of a tool, if there is one.

    A response with a text that cannot be sent at all is another matter.
    """
    message = examine({"jsonrpc": "2.0", "id": 1, "result": response})
    asked = asked_by(TOOLS_CALL, DEFAULT_REVISION)
    setting = Setting(revision=DEFAULT_REVISION, request_of=asked)
    errors = (one for one in judge(message, setting) if one.severity == "error")
    return next((one for one in errors if one.rule not in ABOUT_TEXT), None)


def path_in_response(response: object, finding: Finding) -> Path:
    """Where in the response a finding about the result stands, or what it misses should stand."""
    steps = tokens(finding.pointer.removeprefix(AROUND))
    known = follow(response, steps)
    return (*known, *steps[len(known) :])
