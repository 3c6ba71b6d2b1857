"""Definitions judged without a call: what `mcp-assay lint` does, for programs."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.validate.lines import Unreadable
    from mcp_assay.validate.lint_run import LintOptions, LintRun, ObservedMessages, lint

__all__ = ["LintOptions", "LintRun", "ObservedMessages", "Unreadable", "lint"]

__getattr__ = lazy_names(
    __name__,
    {
        "ObservedMessages": "validate.lint_run",
        "LintOptions": "validate.lint_run",
        "LintRun": "validate.lint_run",
        "Unreadable": "validate.sources",
        "lint": "validate.lint_run",
    },
)


def __dir__() -> list[str]:
    return __all__
