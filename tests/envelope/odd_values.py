"""Values for property tests: any JSON, and Python objects that tools may really return."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=20)
NAMES = st.text(max_size=8) | st.sampled_from(
    ["success", "content", "data", "error", "isError", "timestamp", "type", "text", "_meta"]
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)

ITEMS = st.sampled_from(
    [
        {"type": "text", "text": "Saved"},
        {"type": "text"},
        {"type": "image", "url": "https://example.com/a.png", "altText": "A"},
        {"type": "image", "url": "a.png", "altText": "A"},
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        {"type": "image", "data": "?", "mimeType": "image/png"},
        {"type": "resource", "resourceType": "file", "identifier": "a b", "name": "A"},
        {"type": "resource", "resourceType": "url", "identifier": "https://a.example", "name": "A"},
        {"type": "resource", "resource": {"uri": "note://7", "text": "tea"}},
        {"type": "table", "rows": []},
        {"text": "no type"},
        "words",
        7,
    ]
)
MOMENTS = st.sampled_from(["2026-03-01T09:30:00Z", "2026-03-01T09:30:00+02:00", "today", 0, None])
RESPONSES = st.fixed_dictionaries(
    {},
    optional={
        "success": st.booleans() | LEAVES,
        "timestamp": MOMENTS,
        "content": st.lists(ITEMS, max_size=4) | JSON,
        "data": JSON,
        "error": JSON
        | st.fixed_dictionaries({}, optional={"code": LEAVES, "message": LEAVES, "details": JSON}),
        "isError": st.booleans() | LEAVES,
        "structuredContent": JSON,
        "message": JSON,
        "_meta": JSON,
        "extra": JSON,
    },
)
"""Objects that are nearly responses."""


class Colour(Enum):
    RED = "red"


class Stubborn:
    """An object whose every attempt to be words fails."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


ODD_LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [
        b"bytes",
        bytearray(b"x"),
        float("nan"),
        float("inf"),
        10**400,
        "\ud800",
        date(2026, 3, 1),
        datetime(2026, 3, 1, 9, 30),  # noqa: DTZ001  tools return naive ones too
        timedelta(hours=2),
        Decimal("1.50"),
        UUID(int=7),
        Path("a/b"),
        Colour.RED,
        {1, 2},
        frozenset({"a"}),
        object(),
        Stubborn(),
        print,
        int,
        ...,
    ]
)
ODD = st.recursive(
    LEAVES | ODD_LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(NAMES | st.integers(0, 3) | st.booleans(), inner, max_size=3)
    ),
    max_leaves=10,
)
"""What a careless tool may return."""
