"""One call to a server that wastes memory; prints the ending and the most memory that we had."""

from __future__ import annotations

import asyncio
import sys

from mcp_assay.drive.connection import connect
from mcp_assay.drive.target import Endpoint, Target
from tests.drive.talking import options, plain
from tests.proxy.http_process import peak_megabytes


async def main(target: Target, seconds: float) -> None:
    """Call once, then list, and tell."""
    bounds = {"call_seconds": seconds, "call_seconds_with_progress": seconds + 1.0}
    async with await connect(target, options(bounds)) as connection:
        answer = await connection.call("echo", {})
        listing = await connection.list_all("tools")
    print(answer.ending, len(listing.items), f"{peak_megabytes():.0f}", flush=True)


if __name__ == "__main__":
    word, seconds = sys.argv[1:]
    target = Endpoint(url=word) if word.startswith("http") else plain(word)
    asyncio.run(main(target, float(seconds)))
