"""A call of a tool as it really went, and all calls of one tool together."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import CallEnding, ScenarioVerdict, ValidationResult


class Answer(Struct, frozen=True, kw_only=True):
    """What came back from a server, or how it ended without."""

    ending: CallEnding = "answered"
    result: Any = None
    """The result of the call; None where an error or nothing came."""
    error: dict[str, Any] | None = None
    """The JSON-RPC error that came instead of a result."""
    stderr: str = ""
    """What the server wrote to its standard error meanwhile."""
    unread: int = 0
    """The bytes of an answer that was too long to be decoded."""
    fate: str = ""
    """What became of the server where it died, as the verb of a sentence."""


class Call(Struct, frozen=True, kw_only=True):
    """One scenario, what came of it, and the verdict on that."""

    number: int
    scenario: Scenario
    answer: Answer
    result: ValidationResult | None
    verdict: ScenarioVerdict


class Trial(Struct, frozen=True, kw_only=True):
    """A tool as it is listed, and every call that was made of it."""

    tool: dict[str, Any]
    calls: list[Call] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    """What could not be generated for it, in sentences."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        return str(self.tool.get("name", ""))
