"""A loop whose time passes at once: what waits in it costs nothing."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any


class _Impatient(selectors.SelectSelector):
    """Selects without waiting, and moves the clock on instead."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[Any, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.passed += timeout
        return ready


class Clock(asyncio.SelectorEventLoop):
    """A loop that jumps to the next thing that is due."""

    def __init__(self) -> None:
        self._impatient = _Impatient()
        super().__init__(self._impatient)

    def be_busy(self, seconds: float) -> None:
        """Let time pass in which nothing is received."""
        self._impatient.passed += seconds

    def time(self) -> float:
        return self._impatient.passed
