"""mcp-assay finds out what an MCP server really does; its public names, loaded on first use."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.model.finding import Finding, Where
    from mcp_assay.model.report import Report
    from mcp_assay.protocol import Outcome, Session, validate_jsonrpc

__all__ = [
    "Finding",
    "Outcome",
    "Report",
    "Session",
    "Where",
    "__version__",
    "validate_jsonrpc",
]

_HOMES = {
    "Finding": "mcp_assay.model.finding",
    "Outcome": "mcp_assay.protocol",
    "Report": "mcp_assay.model.report",
    "Session": "mcp_assay.protocol",
    "Where": "mcp_assay.model.finding",
    "validate_jsonrpc": "mcp_assay.protocol",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mcp_assay' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  nothing is loaded before it is asked for

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
