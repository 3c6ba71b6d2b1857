"""Live traffic as server-sent events: what is new, and never more than a page can take."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from aiohttp import web
from msgspec.json import encode

from mcp_assay.web.traffic.filters import TrafficFilter
from mcp_assay.web.traffic.live_traffic import LiveTraffic
from mcp_assay.web.traffic.row_values import found_value, row_value
from mcp_assay.web.traffic.traffic_hub import TrafficHub

SECONDS_OF_SILENCE: Final = 15.0
"""After so long without news a comment is sent: so both sides notice when the other is gone."""
SECONDS_BETWEEN: Final = 0.25
"""News are sent no faster."""
MOST_SENT: Final = 100
"""Rows of one event; of more that passed meanwhile the latest are sent, and the others counted."""
MILLISECONDS_TO_RETRY: Final = 1_000
"""So long a browser waits before it connects anew."""


async def send_events(
    request: web.Request, hub: TrafficHub, traffic: LiveTraffic, after: int, wanted: TrafficFilter
) -> web.StreamResponse:
    """Tell a page what passes behind a number, up to the end of the traffic."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    hub.streams += 1
    try:
        await response.write(f"retry: {MILLISECONDS_TO_RETRY}\n\n".encode())
        await _send(response, hub, traffic, after, wanted)
    except ConnectionError:
        pass  # the browser is gone; it comes back, or not
    finally:
        hub.streams -= 1
    return response


async def _send(
    response: web.StreamResponse,
    hub: TrafficHub,
    traffic: LiveTraffic,
    after: int,
    wanted: TrafficFilter,
) -> None:
    late = traffic.late_findings
    while not hub.is_closing:
        changes, is_over = traffic.changes, traffic.is_over
        news = _news(traffic, after, late, wanted)
        after, late = max(after, traffic.last), traffic.late_findings
        await response.write(b"id: %d\ndata: %b\n\n" % (after, encode(news)))
        if is_over:
            return
        await asyncio.sleep(SECONDS_BETWEEN)
        while not await _has_changed(traffic, changes):
            await response.write(b":\n\n")


async def _has_changed(traffic: LiveTraffic, since: int) -> bool:
    """Whether something changes before the silence becomes too long."""
    try:
        async with asyncio.timeout(SECONDS_OF_SILENCE):
            await traffic.changed(since)
    except TimeoutError:
        return False
    return True


def _news(traffic: LiveTraffic, after: int, late: int, wanted: TrafficFilter) -> dict[str, Any]:
    lines = traffic.new_lines(after, wanted)
    return {
        "rows": [row_value(line.read.shown()) for line in lines[-MOST_SENT:]],
        "skipped": max(0, len(lines) - MOST_SENT),
        "found": [found_value(one) for one in traffic.late_since(late)],
        "messages": traffic.messages,
        "errors": traffic.errors,
        "missed": traffic.missed,
        "over": traffic.how,
    }
