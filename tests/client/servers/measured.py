"""One call to a server that wastes memory; prints the ending and the most memory that we had."""

from __future__ import annotations

import asyncio
import sys

from mcp_assay.client.connection import connect
from mcp_assay.client.links import PATIENCE
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Endpoint, Target
from tests.client.connected import options, plain
from tests.proxy.http_process import peak_megabytes


async def main(target: Target, seconds: float) -> None:
    """Call once, then list, and tell."""
    bounds = {"call_seconds_with_progress": seconds + 1.0}
    async with await connect(target, options(bounds, patience=PATIENCE)) as connection:
        answer = await connection.call(CallRequest("echo", {}, seconds=seconds))
        listing = await connection.list_all("tools")
    print(answer.ending, len(listing.items), f"{peak_megabytes():.0f}", flush=True)


if __name__ == "__main__":
    word, seconds = sys.argv[1:]
    target = Endpoint(url=word) if word.startswith("http") else plain(word)
    asyncio.run(main(target, float(seconds)))
