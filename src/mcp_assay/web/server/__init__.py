"""A server over time: its tools against its runs, one tool, its calls in a run, two runs."""

from __future__ import annotations

from mcp_assay.web.server import (
    approvals,
    calls_page,
    comparison_page,
    server_page,
    tool_page,
)

ROUTES = (
    *server_page.ROUTES,
    *tool_page.ROUTES,
    *calls_page.ROUTES,
    *comparison_page.ROUTES,
    *approvals.ROUTES,
)
