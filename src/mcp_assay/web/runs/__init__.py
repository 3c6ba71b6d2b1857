"""The page of one run."""

from __future__ import annotations

from mcp_assay.web.runs.page import ROUTES

__all__ = ["ROUTES"]
