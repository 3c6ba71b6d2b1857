"""Traffic as it passes a proxy, and as trace files have it."""

from __future__ import annotations

from mcp_assay.web.traffic.pages import ROUTES, hang_up, show_traffic

__all__ = ["ROUTES", "hang_up", "show_traffic"]
