"""What tells apart, and what does not: streams over HTTP, and two spellings of one URI."""

from __future__ import annotations

from posixpath import normpath
from typing import Final
from urllib.parse import unquote, urlsplit

from mcp_assay.model.entry import Delivery

DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


def is_over_http(delivery: Delivery) -> bool:
    """Whether a message came over HTTP, where streams may overtake each other."""
    has_parts = (
        delivery.exchange is not None or delivery.http is not None or delivery.sse is not None
    )
    return has_parts or delivery.transport == "http"


def alike(uri: str) -> str:
    """A URI as all spellings of it look that somebody may take for the same resource."""
    try:
        parts = urlsplit(unquote(uri).casefold())
    except ValueError:
        return uri
    host = parts.netloc.removesuffix(DEFAULT_PORTS.get(parts.scheme, "/"))
    path = normpath("/" + parts.path.lstrip("/")).rstrip("/")
    query, fragment = (parts.query and f"?{parts.query}", parts.fragment and f"#{parts.fragment}")
    return f"{parts.scheme}://{host}{path}{query}{fragment}"
