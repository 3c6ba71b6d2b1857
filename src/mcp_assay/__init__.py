"""mcp-assay finds out what an MCP server really does; its public names, loaded on first use."""

from __future__ import annotations

__version__ = "0.2.0"

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """A `__getattr__` for a package of ours: each public name is loaded from its home when used."""

    def load(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415  nothing is loaded before it is used

        return getattr(import_module(f"mcp_assay.{home}"), name)

    return load


__getattr__ = lazy_names(
    __name__,
    {
        "Finding": "model.finding",
        "Outcome": "protocol",
        "Report": "model.report",
        "Session": "protocol",
        "Where": "model.finding",
        "validate_jsonrpc": "protocol",
    },
)


def __dir__() -> list[str]:
    return __all__
