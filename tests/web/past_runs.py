"""Runs of a history as a question answers them, made in memory."""

from __future__ import annotations

from typing import Any

from mcp_assay.history.answers import PastRun
from mcp_assay.model.outcome import RunOutcome
from tests.history.runs import at_day


def past_run(run: int, outcome: RunOutcome = "pass", **more: Any) -> PastRun:
    """A run about which nothing else is known."""
    its: dict[str, Any] = {
        **dict.fromkeys(("reason", "score", "confidence", "version", "revision", "surface")),
        **dict.fromkeys(("seconds", "median_ms", "p95_ms")),
        **dict.fromkeys(("errors", "warnings", "infos"), 0),
    }
    its |= {"at": at_day(run), "command": "assess", "tools": {}, **more}
    return PastRun(run=run, outcome=outcome, **its)
