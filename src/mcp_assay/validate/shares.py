"""How the sessions of a run are shared among processes, and what each finds out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from mcp_assay.findings.tally import SessionCount, Tally
from mcp_assay.model.entry import Direction
from mcp_assay.model.report import Limit
from mcp_assay.rules.engine.decided import Judged
from mcp_assay.spec.catalogue.row import EvidenceKind
from mcp_assay.validate.sources import size_of

WORTH_SHARING: Final = 16_000_000
"""Files of fewer bytes together are judged before another process has even started."""


class Share(Struct, frozen=True):
    """One of several equal shares of the sessions."""

    index: int = 0
    of: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this share also holds what belongs to no session."""
        return self.index == 0


WHOLE: Final = Share()


class SharePart(Struct, frozen=True, kw_only=True):
    """All that is known about the sessions of one share, when they are over."""

    tally: Tally
    kinds: dict[str, set[Judged]]
    """The messages that were seen, by revision."""
    batches: set[tuple[str, Direction | None]]
    session_rules: set[str]
    withheld: set[str]
    seen: set[EvidenceKind]
    left_open: Counter[tuple[str, str]]
    ids_refused: int
    limits: list[Limit]
    """Limits of what sessions list."""
    revisions: set[str]
    sessions: list[SessionCount]
    messages: int
    own_faults: int
    folded_rules: dict[str, str]
    """Rules by which a fault of a line was not reported, and the rule that reports it."""
    forgotten: int
    is_trace: bool
    interrupted: bool


def number_of_shares(sources: Sequence[str], jobs: int | None) -> int:
    """How many processes to use: as many as asked for, else one per core where that pays.

    What can be read only once, such as a pipe, is read by one process.
    """
    sizes = [size_of(source) for source in sources]
    if None in sizes:
        return 1
    if jobs is not None:
        return jobs
    return _cores() if sum(size or 0 for size in sizes) >= WORTH_SHARING else 1


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
