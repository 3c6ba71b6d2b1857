"""The one moment at which a run must be over: whoever waits for a server waits no longer."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

CLOSING_SECONDS: Final = 1.0
"""So much later, at most, servers are closed as gently as they can be; then they are killed."""


class Deadline:
    """When a run must be over, by the clock of the event loop; it may be moved while it runs."""

    def __init__(self, seconds: float = inf) -> None:
        self._seconds: Final = seconds
        self.end = monotonic() + seconds
        """The moment itself."""

    def begin(self) -> None:
        """Count from now: what was prepared before takes nobody's time."""
        self.end = monotonic() + self._seconds

    @property
    def is_over(self) -> bool:
        """Whether nothing more may be begun."""
        return self.left() <= 0

    def left(self) -> float:
        """The seconds that are left for work."""
        return max(0.0, self.end - monotonic())

    def left_to_close(self) -> float:
        """The seconds that are left to close what is open."""
        return max(0.0, self.end + CLOSING_SECONDS - monotonic())

    def put_off(self, seconds: float) -> None:
        """Give back time that somebody else took: the user, to answer a question."""
        self.end += seconds

    def end_now(self) -> None:
        """Have the run end now."""
        self.end = min(self.end, monotonic())
