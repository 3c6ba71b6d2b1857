"""Which tools may be called: those that are declared read-only, and those that the user allows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.spec.changing_verbs import is_changing_name
from mcp_assay.spec.lookalikes import mixes_alphabets

Calls: TypeAlias = Literal["safe", "none", "all"]
READ_ONLY: Final = "declared read-only"
MIXED: Final = "its name mixes alphabets"
DESTRUCTIVE: Final = "destructiveHint: true"


class Withdrawn(Exception):
    """A tool that may not be called any more, or not by the definition that was known of it."""


class Permission(Struct, frozen=True):
    """Whether a tool may be called, and why."""

    allowed: bool
    reason: str


class Gate(Struct, frozen=True, kw_only=True):
    """What the user permits."""

    calls: Calls = "safe"
    allow: Collection[str] = ()
    deny: Collection[str] = ()

    def permission(self, tool: dict[str, Any]) -> Permission:
        """Whether this tool may be called: only literally true opens, and all like it shuts."""
        name = str(tool.get("name", ""))
        if name in self.deny:
            return Permission(False, "left out by --deny")
        if name in self.allow:
            return Permission(True, "allowed by --allow")
        if self.calls == "none":
            return Permission(False, "calls are switched off")
        return Permission(True, "allowed by --calls all") if self.calls == "all" else _safe(tool)


def _safe(tool: dict[str, Any]) -> Permission:
    hints = tool.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    if hints.get("destructiveHint") not in (None, False):
        return Permission(False, DESTRUCTIVE)
    if hints.get("readOnlyHint") is not True:
        return Permission(False, "no readOnlyHint")
    name = str(tool.get("name", ""))
    if mixes_alphabets(name):
        return Permission(False, MIXED)
    word = is_changing_name(name)
    if word is not None:
        return Permission(False, f"its name says {word!r}")
    return Permission(True, READ_ONLY)
