"""Which servers a list shows -> its address, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from msgspec.structs import replace

from mcp_assay.history.recorder import NO_RUN
from mcp_assay.history.server_list import ORDERS, ServerFilter

LONGEST_TEXT: Final = 200
HIGHEST_PAGE: Final = 1_000_000
NAMES: Final = {"text": "q", "outcome": "verdict", "order": "sort", "page": "page"}
"""How an address calls each field."""
OUTCOMES: Final = ("fail", "incomplete", "pass", NO_RUN)
"""What servers are told apart by, the worst first."""
BY_DEFAULT: Final = ServerFilter()


def wanted_servers(query: Mapping[str, str]) -> ServerFilter:
    """What the query of an address asks for; what it says wrong is as if it said nothing."""
    outcome, page = query.get("verdict", ""), query.get("page", "1")
    order = next((one for one in ORDERS if one == query.get("sort")), BY_DEFAULT.order)
    return ServerFilter(
        text=query.get("q", "").strip()[:LONGEST_TEXT],
        outcome=outcome if outcome in OUTCOMES else "",
        order=order,
        page=min(int(page), HIGHEST_PAGE) if page.isascii() and page.isdigit() else 1,
    )


def address_of(wanted: ServerFilter, **changes: Any) -> str:
    """The address of a list like this one but for some changes, which leads to its first page."""
    its = replace(wanted, **{"page": 1, **changes})
    given = {
        name: value
        for field, name in NAMES.items()
        if (value := getattr(its, field)) != getattr(BY_DEFAULT, field)
    }
    return f"/?{urlencode(given)}" if given else "/"
