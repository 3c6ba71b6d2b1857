"""What the calls of a tool say of its annotations."""

from __future__ import annotations

from msgspec import Struct, field


class HintEvidence(Struct, frozen=True, kw_only=True):
    """One hint of a tool: what it declares, and what its calls support."""

    hint: str
    """readOnlyHint, destructiveHint, idempotentHint or openWorldHint."""
    declared: bool | None
    """What the tool declares; null where it says neither true nor false."""
    supported: bool | None
    """What its calls support; null where they show too little."""
    calls: int
    """How many valid calls that succeeded are behind it."""
    reason: str
    """What was seen, or what is missing."""


class ProposedAnnotations(Struct, frozen=True, kw_only=True):
    """The annotations of a tool that its calls in a disposable world support."""

    annotations: dict[str, bool] = field(default_factory=dict)
    """The hints that are supported, as they can be declared."""
    hints: list[HintEvidence] = field(default_factory=list)
    """All four hints, each with what is behind it."""

    @property
    def changes(self) -> list[HintEvidence]:
        """The hints that should be declared otherwise than they are."""
        supported = (one for one in self.hints if one.supported is not None)
        return [one for one in supported if one.supported != one.declared]

    def evidence(self, hint: str) -> HintEvidence | None:
        """What is known of one hint."""
        return next((one for one in self.hints if one.hint == hint), None)
