"""What is tried on a tool: scenarios, and what could not be tried."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from mcp_assay.model.verdict import Category


class Scenario(Struct, frozen=True, kw_only=True):
    """One call that shows something about a tool."""

    tool: str
    name: str
    """What is tried, the same in every run: "happy path", "limit: above the maximum"."""
    category: Category
    arguments: dict[str, Any]
    valid: bool | None
    """Whether the arguments fit the tool's inputSchema; None where that could not be decided."""
    pointer: str = ""
    """The argument that it is about."""


class Plan(Struct, frozen=True, kw_only=True):
    """The scenarios of a tool, and in sentences what cannot be made for it."""

    scenarios: list[Scenario] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    listed: dict[str, list[Any]] = field(default_factory=dict)
    """The values that the schema lists, by the pointers of the arguments that have such a list."""
