"""The toolValidation capability: a server says that it can check a call before it is made.

For clients: find out whether a server can, ask it, or fall back on the tool's schema. For servers:
announce it and answer. Nothing is loaded before it is used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.capability.schema_only import SchemaOnlyValidator
    from mcp_assay.capability.serving import add_tool_validation
    from mcp_assay.capability.validator import ToolValidator
    from mcp_assay.model.tool_check import ToolCheck
    from mcp_assay.spec.tool_validation import Caching, ToolValidationCapability, has_capability

__all__ = [
    "Caching",
    "SchemaOnlyValidator",
    "ToolCheck",
    "ToolValidationCapability",
    "ToolValidator",
    "add_tool_validation",
    "has_capability",
]

_HOMES = {
    "Caching": "spec.tool_validation",
    "SchemaOnlyValidator": "capability.schema_only",
    "ToolCheck": "model.tool_check",
    "ToolValidationCapability": "spec.tool_validation",
    "ToolValidator": "capability.validator",
    "add_tool_validation": "capability.serving",
    "has_capability": "spec.tool_validation",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mcp_assay.capability' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  nothing is loaded before it is asked for

    return getattr(import_module(f"mcp_assay.{home}"), name)


def __dir__() -> list[str]:
    return __all__
