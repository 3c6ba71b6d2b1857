"""Whatever a server sends, a whole assessment of it stays small, and says what it did not read."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from mcp_assay.model.report import MAX_CALLS
from tests.assess.weighed import weigh_all
from tests.servers.catalogue import catalogue
from tests.servers.planting import Planted

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the memory")

MOST_MEGABYTES = 200
HEAVY = """
    just-decoded-text pages-without-end five-pages floods-stderr long-text-crash endless-questions
    deep-nesting schema-bomb catastrophic-output one-input-kills-server http-both-eras
    http-headers-unread
    """.split()  # noqa: SIM905  a list of names reads better as prose
"""The heaviest by `python -m bench --memory-of-assess`, besides those that a limit must cut."""


def is_heavy(planted: Planted) -> bool:
    return planted.limits or planted.name in HEAVY


def unusual(limits: list[dict[str, Any]]) -> bool:
    """Whether more was cut than scenarios beyond the budget of calls."""
    return any(limit["name"] != MAX_CALLS for limit in limits)


def test_assessing_a_heavy_server_takes_little_memory() -> None:
    heavy = list(filter(is_heavy, catalogue()))
    weighed = weigh_all(heavy)
    too_heavy = {one.name: one.megabytes for one in weighed if one.megabytes >= MOST_MEGABYTES}
    assert too_heavy == {}
    cut = [one.name for one in weighed if unusual(json.loads(one.out)["limits"])]
    assert set(cut) >= {planted.name for planted in heavy if planted.limits}
    assert len(weighed) >= len(HEAVY) + 5
