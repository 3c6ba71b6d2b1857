"""Whatever moment a server goes away in, no exception of ours is left to the event loop."""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from typing import Any

import pytest

from mcp_assay.assess import NotReached
from mcp_assay.client.connection import connect
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Bounds, ConnectionOptions, Endpoint
from tests.truth.http_peer import EVENTS, Asked, Handler, head, response, run, serving
from tests.truth.test_endings import sends, waits_for_ever


async def _half_a_stream(asked: Asked) -> None:
    asked.say(head(200, Content_Type=EVENTS, Transfer_Encoding="chunked") + b"6\r\n: hi\n\n\r\n")
    await asked.writer.drain()
    asked.reset()


MOMENTS: dict[str, dict[str, Handler]] = {
    "before discover": {"server__discover": sends(b"", reset=True)},
    "before initialize": {"initialize": sends(b"", reset=True)},
    "initialize refused while discover waits": {
        "server__discover": waits_for_ever(),
        "initialize": sends(response(401)),
    },
    "after the first notification": {"notifications__initialized": sends(b"", reset=True)},
    "on the stream of a GET": {"GET": _half_a_stream},
    "in a call": {"tools__call": sends(b"", reset=True)},
    "in the stream of a call": {"tools__call": _half_a_stream},
    "at the end": {"DELETE": sends(b"", reset=True)},
    "what is no HTTP": {"tools__call": sends(b"\x15\x03\x01\x00\x02\x02")},
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_exception_is_left_to_the_loop(moment: str) -> None:
    left: list[dict[str, Any]] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: left.append(context))
        options = ConnectionOptions(bounds=Bounds(connect_seconds=6.0, call_seconds=1.0))
        async with serving(**MOMENTS[moment]) as (url, _):
            with suppress(NotReached):
                async with await connect(Endpoint(url=url), options) as connection:
                    await connection.call(CallRequest("hours", {}))
        gc.collect()
        await asyncio.sleep(0)

    run(main())
    gc.collect()
    assert [one for one in left if "retrieved" in one["message"]] == []
