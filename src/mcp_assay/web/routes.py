"""What a part of the application serves: each part has a table of these."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

from aiohttp import web
from msgspec import Struct

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebRoute(Struct, frozen=True):
    """What answers requests of one method for the addresses of one form."""

    method: Literal["GET", "POST"]
    """GET changes nothing; whatever changes something is a POST."""
    path: str
    """As aiohttp writes it; what varies in it is a number: `/runs/{run:\\d+}`."""
    handler: Handler
    menu: str = ""
    """How the navigation calls the page; one without a name is not in it."""
