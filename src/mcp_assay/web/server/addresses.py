"""What part of a history a page shows, as its address says, and the ways to the other parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import asdict, replace

from mcp_assay.history.names import LARGEST_ID, NotKnown
from mcp_assay.history.run_ranges import RunRange
from mcp_assay.history.timelines import TimelineView

RANGES: Final = (20, 40, 100)
"""So many runs may be shown at once."""
A_PAGE: Final = 50
"""So many tools, findings or calls are shown at once."""
LAST_PAGE: Final = 1_000_000


class ShownPart(Struct, frozen=True, kw_only=True):
    """A part of a history: what stands behind the ? of an address."""

    runs: int = RANGES[1]
    until: int = 0
    """The last run; 0 for the latest."""
    tools: int = 1
    """The page of tools, from 1."""
    findings: int = 1
    calls: int = 1

    @property
    def view(self) -> TimelineView:
        """The same as questions take it."""
        return TimelineView(
            runs=self.runs,
            until=self.until or None,
            tools=A_PAGE,
            tools_skipped=A_PAGE * (self.tools - 1),
            findings=A_PAGE,
            findings_skipped=A_PAGE * (self.findings - 1),
        )


class Way(Struct, frozen=True):
    """A way to another part; without an address there is none, because it is this one."""

    name: str
    address: str | None


MOST: Final[Mapping[str, int]] = {
    "until": LARGEST_ID,
    "tools": LAST_PAGE,
    "findings": LAST_PAGE,
    "calls": LAST_PAGE,
}
_DEFAULT: Final = ShownPart()


def part_of(query: Mapping[str, str]) -> ShownPart:
    """What an address asks for; raises NotKnown where that cannot be."""
    given = {name: number_of(query, name) for name in ShownPart.__struct_fields__ if name in query}
    if given.get("runs", RANGES[0]) not in RANGES:
        raise NotKnown(f"runs must be one of {', '.join(map(str, RANGES))}")
    return ShownPart(**given)


def number_of(query: Mapping[str, str], name: str) -> int:
    """The number that an address gives under a name; raises NotKnown where it gives none."""
    text = query.get(name, "")
    most = MOST.get(name, LARGEST_ID)
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST_ID))
    if not is_number or not 1 <= int(text) <= most:
        raise NotKnown(f"the address must have a number as {name}=…")
    return int(text)


def address(path: str, part: ShownPart, **changes: int) -> str:
    """The address of a part; what is as usual is left out."""
    usual = asdict(_DEFAULT)
    wanted = asdict(replace(part, **changes))
    query = {name: value for name, value in wanted.items() if value != usual[name]}
    return f"{path}?{urlencode(query)}" if query else path


def range_links(path: str, part: ShownPart, shown: RunRange) -> list[Way]:
    """The ways to earlier and later runs."""
    older, newer = shown.older, shown.newer
    links = [
        Way("← older", address(path, part, until=older) if older else None),
        Way("newer →", address(path, part, until=newer) if newer else None),
        Way("latest", address(path, part, until=0) if part.until else None),
    ]
    return links if any(link.address for link in links) else []


def size_links(path: str, part: ShownPart) -> list[Way]:
    """The ways to more or fewer runs."""
    return [
        Way(str(size), None if size == part.runs else address(path, part, runs=size))
        for size in RANGES
    ]


def page_links(path: str, part: ShownPart, name: str, known: int) -> list[Way]:
    """The ways to the pages before and after this one of so many things."""
    page: int = getattr(part, name)
    last = max((known + A_PAGE - 1) // A_PAGE, 1)
    if last == 1 and page == 1:
        return []
    return [
        Way("← before", address(path, part, **{name: min(page - 1, last)}) if page > 1 else None),
        Way(f"{min(page, last):,} of {last:,}", None),
        Way("after →", address(path, part, **{name: page + 1}) if page < last else None),
    ]
