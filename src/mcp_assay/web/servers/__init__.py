"""The page of all servers."""

from __future__ import annotations

from mcp_assay.web.servers.page import ROUTES

__all__ = ["ROUTES"]
