"""How to assess a server, and what to report."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

import msgspec
from msgspec import Struct

from mcp_assay.client.deadline import Deadline
from mcp_assay.client.target import PROGRESS_FACTOR, Bounds, ConnectionOptions
from mcp_assay.client.trace_file import Recording
from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.model.outcome import FailOn
from mcp_assay.model.tool import Calls
from mcp_assay.spec.revisions import AUTO

USUAL_BOUNDS: Final = Bounds()


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
    min_tools: str | None = None
    """How many tools must have succeeded at least: a number, or a share of those listed as P%."""
    only: str | None = None
    args: dict[str, Any] | None = None
    dry_run: bool = False
    shrink: bool = True
    examples: Mapping[str, Any] = {}
    """What the user says about tools, by name: valid, invalid and values."""
    examples_file: str | None = None
    """The file that they come from, beyond the configuration."""
    answers: Mapping[str, Any] = {}
    """Results for what the server may ask of a client, by method."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: FailOn = "error"
    record: str | None = None
    """A file that is written anew with a trace of all that is said."""
    secrets: tuple[str, ...] = ()
    """Texts that must appear nowhere, not even among the options of the report."""

    def driving(
        self, recording: Recording | None = None, deadline: Deadline | None = None
    ) -> ConnectionOptions:
        """How to connect to the server."""
        connecting = min(self.max_time, USUAL_BOUNDS.connect_seconds)
        return ConnectionOptions(
            revision=self.revision,
            bounds=Bounds(
                call_seconds=self.timeout,
                call_seconds_with_progress=min(PROGRESS_FACTOR * self.timeout, self.max_time),
                connect_seconds=connecting,
            ),
            deadline=deadline or Deadline(),
            answers=self.answers,
            secrets=self.secrets,
            recording=recording,
        )

    def shown(self) -> dict[str, Any]:
        """The options for the report."""
        shown: dict[str, Any] = msgspec.to_builtins(self)
        shown.pop("secrets")
        return shown

    def tools_wanted(self, listed: int) -> int:
        """How many tools must have succeeded; none where not all were to be called."""
        if self.min_tools is None or self.only or self.dry_run or self.calls == "none":
            return 0
        number = self.min_tools.removesuffix("%")
        return int(number) if number == self.min_tools else ceil(listed * int(number) / 100)
