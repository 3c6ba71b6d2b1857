"""How to assess a server, and what to report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from mcp_assay.drive.gate import Calls
from mcp_assay.drive.target import AUTO, Bounds, Options
from mcp_assay.report.tally import DEFAULT_MAX_FINDINGS


class AssessOptions(Struct, frozen=True, kw_only=True):
    """How to assess a server, and what to report."""

    revision: str = AUTO
    calls: Calls = "safe"
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    seed: int = 0
    max_calls: int = 50
    timeout: float = 10.0
    max_time: float = 120.0
    only: str | None = None
    args: dict[str, Any] | None = None
    dry_run: bool = False
    shrink: bool = True
    examples: Mapping[str, Any] = {}
    """What the user says about tools, by name: valid, invalid and values."""
    answers: Mapping[str, Any] = {}
    """Results for what the server may ask of a client, by method."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: Literal["error", "warning", "never"] = "error"

    def driving(self) -> Options:
        """How to talk to the server."""
        bounds = Bounds(call_seconds=self.timeout)
        return Options(revision=self.revision, bounds=bounds, answers=self.answers)
