"""Validation: files and traces in, a report on every message and session out."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.validate.options import KNOWN_RULES, Options
    from mcp_assay.validate.run import Run, rule_name, validate

__all__ = [
    "KNOWN_RULES",
    "Options",
    "Run",
    "rule_name",
    "validate",
]

__getattr__ = lazy_names(
    __name__,
    {
        "KNOWN_RULES": "validate.options",
        "Options": "validate.options",
        "Run": "validate.run",
        "rule_name": "validate.run",
        "validate": "validate.run",
    },
)


def __dir__() -> list[str]:
    return __all__
