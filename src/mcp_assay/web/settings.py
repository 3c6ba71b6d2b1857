"""What all pages are made with: the history, the site, who is let in, and who is told of faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from aiohttp import web
from msgspec import Struct

from mcp_assay.history.store import Store
from mcp_assay.web.links import AccessLinks
from mcp_assay.web.live.servers import LiveSettings
from mcp_assay.web.site import Site


class WebSettings(Struct, frozen=True, kw_only=True):
    """What the pages are about, and what they may do."""

    site: Site
    store: Store
    links: AccessLinks
    tell: Callable[[str], None]
    """Says something to whoever started the pages."""
    live: LiveSettings = LiveSettings()
    """What may be assessed from the pages."""
    traces: Sequence[str] = ()
    """The trace files that are shown."""


SETTINGS: Final = web.AppKey("settings", WebSettings)
"""Under this key an application has them: `request.app[SETTINGS]`."""
