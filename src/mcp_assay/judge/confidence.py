"""How sure it is, over several verdicts, that a tool works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mcp_assay.model.verdict import Classification, ValidationResult

WEIGHTS: Final[Mapping[Classification, float]] = {
    "fully_working": 1.0,
    "partially_working": 0.7,
    "connectivity_only": 0.3,
    "error": 0.2,
    "broken": 0.0,
}


def overall_confidence(results: Sequence[ValidationResult]) -> float:
    """The mean confidence, each weighed by its classification; 0 where there is none."""
    if not results:
        return 0.0
    weighted = sum(result.confidence * WEIGHTS[result.classification] for result in results)
    return weighted / len(results)
