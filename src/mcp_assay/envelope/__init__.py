"""Responses of tools in one form: success, timestamp, content, and data or an error.

For authors of tools: make such responses, wrap functions so that they give them, check, audit and
convert them. Nothing is loaded before it is used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.envelope.audit import audit_mcp_response, wrap_with_audit
    from mcp_assay.envelope.build import create_error_response, create_success_response
    from mcp_assay.envelope.check import validate_mcp_response
    from mcp_assay.envelope.convert import from_call_tool_result, to_call_tool_result
    from mcp_assay.envelope.middleware import ResponseFormatMiddleware
    from mcp_assay.envelope.schema import ENVELOPE_SCHEMA
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

_HOMES = {
    "ENVELOPE_SCHEMA": "schema",
    "ResponseFormatMiddleware": "middleware",
    "audit_mcp_response": "audit",
    "create_error_response": "build",
    "create_success_response": "build",
    "from_call_tool_result": "convert",
    "to_call_tool_result": "convert",
    "validate_mcp_response": "check",
    "wrap_tool_response": "wrap",
    "wrap_with_audit": "audit",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mcp_assay.envelope' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  nothing is loaded before it is asked for

    return getattr(import_module(f"mcp_assay.envelope.{home}"), name)


def __dir__() -> list[str]:
    return __all__
