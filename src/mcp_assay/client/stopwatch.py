"""When a run began, and how long it has taken up to now."""

from __future__ import annotations

import time
from typing import Final

from mcp_assay.model.report import Timing


class Stopwatch:
    """Runs from the moment that it is made."""

    def __init__(self) -> None:
        self._moment: Final = time.time()
        self._clock: Final = time.perf_counter()

    def timing(self) -> Timing:
        """The part of a report that differs between equal runs."""
        started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._moment))
        return Timing(started=started, seconds=round(time.perf_counter() - self._clock, 6))
