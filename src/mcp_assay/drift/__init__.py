"""What changed between two states of a server, and for whom that breaks something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_assay.rules.behaviour.changed_tools import Relisted


def compare_tools(before: Mapping[str, Any], after: Mapping[str, Any]) -> Relisted:
    """How tools, by their names, differ from those before."""
    from mcp_assay.drift.definitions import relisted  # noqa: PLC0415  few servers change their tools

    return relisted(before, after)
