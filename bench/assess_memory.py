"""The peak memory of `mcp-assay assess` against every server of the catalogue in tests/servers."""

from __future__ import annotations

from typing import Any, Final

from bench.bars import ASSESS_MEMORY
from bench.tables import table
from tests.assess.weighed import Weighed, weigh_all
from tests.servers.catalogue import catalogue

SHOWN: Final = 15


def assess_memory() -> tuple[str, dict[str, Any]]:
    """The table of the heaviest servers, and the megabytes that each of them took."""
    weighed = sorted(weigh_all(catalogue()), key=lambda one: (-one.megabytes, one.name))
    rows = [_row(one) for one in weighed[:SHOWN]]
    heading = [f"the heaviest of {len(weighed)} servers", "MB", ASSESS_MEMORY.words()]
    return table(heading, rows), {one.name: one.megabytes for one in weighed}


def _row(one: Weighed) -> list[str]:
    return [one.name, f"{one.megabytes:.0f}", ASSESS_MEMORY.verdict(one.megabytes)]
