"""The toolValidation capability: a server says that it can check a call before it is made.

For clients: find out whether a server can, ask it, or fall back on the tool's schema. For servers:
announce it and answer. Nothing is loaded before it is used.
"""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.capability.schema_only import SchemaOnlyValidator
    from mcp_assay.capability.server import add_tool_validation
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

__getattr__ = lazy_names(
    __name__,
    {
        "Caching": "spec.tool_validation",
        "SchemaOnlyValidator": "capability.schema_only",
        "ToolCheck": "model.tool_check",
        "ToolValidationCapability": "spec.tool_validation",
        "ToolValidator": "capability.validator",
        "add_tool_validation": "capability.server",
        "has_capability": "spec.tool_validation",
    },
)


def __dir__() -> list[str]:
    return __all__
