"""What MCP itself says about a response, taken as the result of tools/call."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine import NOTE_RULES, Setting, judge
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.wire.examining import examine
from mcp_assay.wire.pointer import Path, Step

ABOUT_TEXT: Final = frozenset(NOTE_RULES.values())
"""The rules about the text of a message, whatever it says."""
AROUND: Final = "/result"


def refusal_by_mcp(response: Any) -> Finding | None:
    """The first reason for which MCP refuses a response as the result of a tool, if there is one.

    A response with a text that cannot be sent at all is another matter.
    """
    message = examine({"jsonrpc": "2.0", "id": 1, "result": response})
    setting = Setting(revision=DEFAULT_REVISION, method_of=lambda message: "tools/call")
    errors = (one for one in judge(message, setting) if one.severity == "error")
    return next((one for one in errors if one.rule not in ABOUT_TEXT), None)


def path_in_response(finding: Finding) -> Path:
    """Where in the response a finding about the result stands."""
    steps = finding.pointer.removeprefix(AROUND).split("/")[1:]
    return tuple(map(_step, steps))


def _step(token: str) -> Step:
    return int(token) if token.isdecimal() else token.replace("~1", "/").replace("~0", "~")
