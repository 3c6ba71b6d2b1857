"""The wire shapes of MCP, written once for all revisions."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.shape import Shape
from mcp_assay.spec.shapes import base, client, common, server

SHAPES: Final[dict[str, Shape]] = {
    shape.name: shape for module in (base, common, server, client) for shape in module.SHAPES
}
"""Every shape by its name."""
