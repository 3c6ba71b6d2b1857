"""What a dialect lets pass although the specification does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mcp_assay.model.finding import Finding
from mcp_assay.spec.dialects import Dialect, is_erlmcp_name, registered_error_code

__all__ = ["Dialect", "tolerates"]


def _has_name(details: Mapping[str, Any], reason: str | None) -> bool:
    name = details.get("method", "")
    return is_erlmcp_name(name, "request" if reason == "unknown_method" else "notification")


def _has_code(details: Mapping[str, Any], reason: str | None) -> bool:
    return registered_error_code(details["code"])


def _is_null(details: Mapping[str, Any], reason: str | None) -> bool:
    return details.get("actual") == "null"


def _is_array(details: Mapping[str, Any], reason: str | None) -> bool:
    return details.get("actual") == "array"


ERLMCP: Final[Mapping[str, Callable[[Mapping[str, Any], str | None], bool]]] = {
    "SCHEMA-003": _has_name,
    "JSONRPC-005": _is_null,
    "JSONRPC-007": _is_array,
    "JSONRPC-011": _is_null,
    "JSONRPC-012": _is_null,
    "JSONRPC-013": _is_null,
    "JSONRPC-027": _has_code,
    "JSONRPC-028": _has_code,
    "JSONRPC-029": _has_code,
    "JSONRPC-030": _has_code,
}
"""The rules that erlmcp does not have, each with the details under which it lets a message pass."""


def tolerates(dialect: Dialect, finding: Finding) -> bool:
    """Whether the dialect has nothing against what the finding reports."""
    if dialect == "mcp" or finding.rule not in ERLMCP:
        return False
    return ERLMCP[finding.rule](finding.details or {}, finding.reason)
