"""What was promised, shown beside what was seen. A miss is shown; it fails nothing."""

from __future__ import annotations

from typing import Final, NamedTuple


class Bar(NamedTuple):
    """A promise about a figure, and the goal beyond it."""

    limit: float
    goal: float | None = None
    at_least: bool = False

    def words(self) -> str:
        """The promise in words."""
        side = "at least" if self.at_least else "at most"
        return f"{side} {self.limit:g}" + (f", goal {self.goal:g}" if self.goal else "")

    def verdict(self, value: float) -> str:
        """How the figure compares with the promise."""
        if self.goal is not None and self._holds(value, self.goal):
            return "goal reached"
        return "kept" if self._holds(value, self.limit) else "missed"

    def _holds(self, value: float, limit: float) -> bool:
        return value >= limit if self.at_least else value <= limit


VERDICT: Final = Bar(1.6, goal=1.3)
FINDINGS: Final = Bar(2.1, goal=1.7)
EVERYTHING: Final = Bar(3.0, goal=2.2)
AGAINST_SDK: Final = Bar(2.0, at_least=True)
START_VERSION: Final = Bar(2.0)
START_HELP: Final = Bar(4.0)
START_RULES: Final = Bar(5.0)
START_COMPLETION: Final = Bar(5.0)
START_VALIDATE: Final = Bar(8.0)
START_LINT: Final = Bar(10.0)
START_ASSESS: Final = Bar(12.0)
COLLECTION: Final = Bar(1.0)
PLUGIN_UNUSED: Final = Bar(1.05)
SESSIONS: Final = Bar(0.3)
TWO_PROCESSES: Final = Bar(1.4, at_least=True)
TRACE_MEMORY: Final = Bar(200)
ASSESS_MEMORY: Final = Bar(200)
FLEET_TIME: Final = Bar(0.6)
FLEET_OVERHEAD: Final = Bar(0.5)
OVERRUN: Final = Bar(3.0)
MEMORY_OF_STDIO: Final = Bar(150)
MEMORY_OF_HTTP: Final = Bar(200)
LEAST_CUT: Final = Bar(0.1, at_least=True)
DISTINGUISHED: Final = Bar(0.96, at_least=True)
FOUR_KINDS: Final = Bar(0.88, at_least=True)
RECALL: Final = Bar(0.85, at_least=True)
CLASSIFYING: Final = Bar(10.0)
WRITING: Final = Bar(10.0)
GROWTH: Final = Bar(1.5)
MUTATION_SCORE: Final = Bar(0.8, at_least=True)
