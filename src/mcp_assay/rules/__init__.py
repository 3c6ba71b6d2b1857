"""The rules: what is wrong with a message, said once, in words and in code."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from mcp_assay.rules.rule import REGISTRY, Rule

FAMILIES: Final = (
    "json_text",
    "jsonrpc",
    "error_codes",
    "batch",
    "method_names",
    "schema",
    "meta",
    "lifecycle",
    "tools",
    "prompts",
    "utilities",
    "roots",
    "sampling",
    "elicitation",
    "tasks",
    "input_required",
    "subscriptions",
    "limits",
)
"""The modules that hold rules."""


@cache
def load() -> dict[str, Rule]:
    """Every rule by its id; the modules that hold them are imported on the first call."""
    for family in FAMILIES:
        import_module(f"mcp_assay.rules.{family}")
    return REGISTRY
