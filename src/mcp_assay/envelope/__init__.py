"""Responses of tools in one form: success, timestamp, content, and data or an error.

For authors of tools: make such responses, wrap functions so that they give them, check, audit and
convert them. Nothing is loaded before it is used.
"""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.envelope.audit import audit_mcp_response, wrap_with_audit
    from mcp_assay.envelope.build import create_error_response, create_success_response
    from mcp_assay.envelope.convert import from_call_tool_result, to_call_tool_result
    from mcp_assay.envelope.middleware import ResponseFormatMiddleware
    from mcp_assay.envelope.schema import ENVELOPE_SCHEMA, validate_mcp_response
    from mcp_assay.envelope.wrap import wrap_tool_response

__all__ = [
    "ENVELOPE_SCHEMA",
    "ResponseFormatMiddleware",
    "audit_mcp_response",
    "create_error_response",
    "create_success_response",
    "from_call_tool_result",
    "to_call_tool_result",
    "validate_mcp_response",
    "wrap_tool_response",
    "wrap_with_audit",
]

__getattr__ = lazy_names(
    __name__,
    {
        "ENVELOPE_SCHEMA": "envelope.schema",
        "ResponseFormatMiddleware": "envelope.middleware",
        "audit_mcp_response": "envelope.audit",
        "create_error_response": "envelope.build",
        "create_success_response": "envelope.build",
        "from_call_tool_result": "envelope.convert",
        "to_call_tool_result": "envelope.convert",
        "validate_mcp_response": "envelope.schema",
        "wrap_tool_response": "envelope.wrap",
        "wrap_with_audit": "envelope.audit",
    },
)


def __dir__() -> list[str]:
    return __all__
