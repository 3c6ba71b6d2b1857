"""The error codes whose error object has a shape of its own."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

ERROR_SHAPES: Final[dict[str, dict[float | None, str]]] = {
    R2025_11_25: {-32042: "UrlElicitationError"},
    R2026_07_28: {-32021: "MissingCapabilityError", -32022: "UnsupportedVersionError"},
}


def error_shapes(revision: str) -> dict[float | None, str]:
    """The shapes of error objects by their code, where they differ from the plain one."""
    return ERROR_SHAPES.get(revision, {})
