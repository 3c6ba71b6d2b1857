"""Known findings that a project accepts, format `mcp-assay/baseline/1`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

SCHEMA: Literal["mcp-assay/baseline/1"] = "mcp-assay/baseline/1"


class BaselineEntry(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One finding that is accepted, why, and until when."""

    fingerprint: str
    rule: str
    tool: str | None = None
    message: str = ""
    """What it said when it was accepted; only for people."""
    reason: str = ""
    expires: str | None = None
    """The last day on which it is accepted, as 2026-12-31."""


class BaselineRun(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What decides which calls are made: where it differs, other calls may show other findings."""

    seed: int | None = None
    max_calls: int | None = None


class Baseline(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a project accepts."""

    schema: Literal["mcp-assay/baseline/1"] = SCHEMA
    run: BaselineRun = BaselineRun()
    entries: list[BaselineEntry] = field(default_factory=list)


class Overdue(Struct, frozen=True, kw_only=True):
    """An entry that should be in the baseline no longer, and why."""

    entry: BaselineEntry
    why: Literal["stale", "expired"]
