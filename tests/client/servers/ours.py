"""mcp-assay in the middle of a call: connects, calls a tool that has a family, then waits.

Prints the process id of the server once its family is there.
"""

from __future__ import annotations

import asyncio
import os
import sys

from mcp_assay.client.connection import connect
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import ConnectionOptions
from tests.client.connected import plain


async def main() -> None:
    """Talk until somebody ends this process."""
    async with await connect(
        plain(sys.argv[1], MCP_ASSAY_TEST_FAMILY=os.environ["MCP_ASSAY_TEST_FAMILY"]),
        ConnectionOptions(revision="2025-11-25"),
    ) as connection:
        answer = await connection.call(CallRequest("echo", {}))
        print(answer.result["content"][0]["text"], flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
