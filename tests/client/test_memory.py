"""Whatever a server sends, our memory stays small."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.client.connected import ENOUGH, run
from tests.client.servers.web import serving
from tests.patience import LONGEST

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the memory")

ROOT = Path(__file__).parents[2]
SECONDS = {"answered": ENOUGH, "over_limit": ENOUGH, "died": ENOUGH, "timed_out": 3.0}
"""How long a call may take. A flood that never ends has both sides at work for all that time."""
MOST_MEGABYTES = {"answered": 200, "over_limit": 200, "died": 200, "timed_out": 120}
"""What grows in a flood would have grown to more than that in the time."""


async def measured(word: str, ending: str) -> tuple[str, int, int]:
    """The ending of one call, the tools listed after it, and the megabytes that it took."""
    command = ("-m", "tests.client.servers.measured", word, str(SECONDS[ending]))
    process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, stdout=-1)
    output, _ = await asyncio.wait_for(process.communicate(), LONGEST)
    ending, items, megabytes = output.decode().split()
    return ending, int(items), int(megabytes)


@pytest.mark.parametrize(
    ("how", "ending", "items"),
    [
        ("huge-20", "over_limit", 1),
        ("bloated", "over_limit", 1),
        ("bloated-2", "answered", 1),
        ("bloated-odd", "answered", 1),
        ("chatter", "answered", 1),
        ("endless-line", "died", 1),
        ("progress", "timed_out", 1),
        ("many-items", "answered", 10_000),
    ],
)
def test_over_stdio(how: str, ending: str, items: int) -> None:
    *got, megabytes = run(measured(how, ending))
    assert got == [ending, items]
    assert megabytes < MOST_MEGABYTES[ending]


@pytest.mark.parametrize(
    ("how", "ending"),
    [
        ("bomb", "over_limit"),
        ("huge", "over_limit"),
        ("endless-event", "over_limit"),
        ("endless-comments", "timed_out"),
    ],
)
def test_over_http(how: str, ending: str) -> None:
    async def main() -> tuple[str, int, int]:
        async with serving(how) as (url, _):
            return await measured(url, ending)

    got, items, megabytes = run(main())
    assert (got, items) == (ending, 1)
    assert megabytes < MOST_MEGABYTES[ending]
