"""Types that many shapes share, and the builders of params and results."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.spec.shape import (
    Anything,
    Boolean,
    Field,
    Integer,
    MapOf,
    Meta,
    Number,
    Shape,
    Text,
    Token,
    may,
    must,
    should,
)

TEXT: Final = Text()
URI: Final = Text("uri")
BASE64: Final = Text("base64")
MEDIA_TYPE: Final = Text("media-type")
NAME: Final = Text("filled")
ROLE: Final = Text(values=("user", "assistant"), rule="SCHEMA-010")
LOG_LEVEL: Final = Text(
    values=(
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ),
    rule="LOG-001",
)
INTEGER: Final = Integer()
NUMBER: Final = Number()
PORTION: Final = Number(minimum=0, maximum=1)
BOOLEAN: Final = Boolean()
TOKEN: Final = Token()
ANYTHING: Final = Anything()
OBJECT: Final = MapOf(Anything())

CACHE_HINTS: Final = (
    must("ttlMs", Integer(minimum=0), R2026_07_28, absent="CACHE-001", rule="CACHE-002"),
    must(
        "cacheScope",
        Text(values=("public", "private")),
        R2026_07_28,
        absent="CACHE-001",
        rule="CACHE-002",
    ),
)
PAGE: Final = (may("nextCursor", TEXT, rule="PAGE-001"),)


def request_params(name: str, *fields: Field, rule: str | None = None, open: bool = False) -> Shape:
    """The params of a client's request: up to 2025-11-25 with an optional `_meta`."""
    return Shape(
        name,
        (
            may("_meta", Meta("RequestMetaObject"), until=R2025_11_25, rule="META-001"),
            must("_meta", Meta("RequestMetaObject"), R2026_07_28, rule="META-001", implied=True),
            *fields,
        ),
        rule,
        open=open,
    )


def server_request_params(name: str, *fields: Field, rule: str | None = None) -> Shape:
    """The params of a server's request, which in 2026-07-28 is a part of a result."""
    return Shape(
        name,
        (may("_meta", Meta("RequestMetaObject"), until=R2025_11_25, rule="META-001"), *fields),
        rule,
    )


def notification_params(name: str, *fields: Field, open: bool = False) -> Shape:
    """The params of a notification."""
    meta = may("_meta", Meta("NotificationMetaObject"), rule="META-001")
    return Shape(name, (meta, *fields), open=open)


def server_result(
    name: str,
    *fields: Field,
    rule: str | None = None,
    meta: str = "ResultMetaObject",
    open: bool = False,
) -> Shape:
    """A result that a server gives; 2026-07-28 adds resultType and the server's name."""
    return Shape(
        name,
        (
            may("_meta", Meta("MetaObject"), until=R2025_11_25, rule="META-001"),
            should(
                "_meta", Meta(meta), R2026_07_28, absent="META-010", rule="META-001", implied=True
            ),
            must("resultType", TEXT, R2026_07_28, absent="META-012", rule="META-013"),
            *fields,
        ),
        rule,
        open=open,
    )
