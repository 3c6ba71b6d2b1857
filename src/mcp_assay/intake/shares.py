"""How the conversations of a run are shared among processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from mcp_assay.intake.sources import size_of

WORTH_SHARING: Final = 16_000_000
"""Files of fewer bytes together are judged before another process has even started."""


class Share(Struct, frozen=True):
    """One of several equal shares of the conversations."""

    index: int = 0
    of: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this share also holds what belongs to no conversation."""
        return self.index == 0


WHOLE: Final = Share()


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
