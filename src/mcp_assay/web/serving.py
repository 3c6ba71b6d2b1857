"""Serves the pages: opens the port, tells the first link, and goes on until it is cancelled."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.history.store import Store
from mcp_assay.web.application import make_application
from mcp_assay.web.control import giving_links
from mcp_assay.web.links import AccessLinks
from mcp_assay.web.live.servers import LiveSettings
from mcp_assay.web.security import OPEN
from mcp_assay.web.settings import WebSettings
from mcp_assay.web.site import Site

SECONDS_TO_END: Final = 2.0
"""So long a page that is being sent may take when all ends."""


class NotServed(Exception):
    """The pages cannot be served; the text is a sentence without its full stop."""


class Certificate(Struct, frozen=True):
    """The files of a certificate and of its key."""

    certificate: str
    key: str


class WebOptions(Struct, frozen=True, kw_only=True):
    """What is served, and where."""

    site: Site
    """Its port may be 0: any that is free."""
    store: Store
    tell: Callable[[str], None]
    live: LiveSettings = LiveSettings()
    traces: Sequence[str] = ()
    certificate: Certificate | None = None


async def serve(options: WebOptions, ready: Callable[[str], None]) -> None:
    """Serve the pages until cancelled; `ready` gets the first link. Raises NotServed."""
    context = _tls(options.certificate) if options.certificate else None
    with _open_port(options.site) as port:
        settings = WebSettings(
            site=replace(options.site, port=port.getsockname()[1]),
            store=options.store,
            links=AccessLinks(),
            tell=options.tell,
            live=options.live,
            traces=options.traces,
        )
        async with _answering(settings, port, context):
            link = _links_of(settings)
            async with giving_links(settings.site.port, link, options.tell):
                ready(link())
                await asyncio.Event().wait()


def _links_of(settings: WebSettings) -> Callable[[], str]:
    """What makes another link each time."""
    return lambda: f"{settings.site.origin}{OPEN}?token={settings.links.new_link()}"


@asynccontextmanager
async def _answering(
    settings: WebSettings, port: socket.socket, context: ssl.SSLContext | None
) -> AsyncIterator[None]:
    """Answer requests while inside."""
    application = make_application(settings)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=SECONDS_TO_END)
    try:
        await runner.setup()
        await web.SockSite(runner, port, ssl_context=context).start()
        yield
    finally:
        await runner.cleanup()


def _open_port(site: Site) -> socket.socket:
    family = socket.AF_INET6 if ":" in site.host else socket.AF_INET
    try:
        return socket.create_server((site.host, site.port), family=family)
    except OSError as fault:
        reason = fault.strerror or fault
        raise NotServed(f"{site.host}:{site.port} cannot be listened on: {reason}") from None


def _tls(files: Certificate) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(files.certificate, files.key, password=_no_password)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else fault
        words = f"{files.certificate} and {files.key} are no certificate and key"
        raise NotServed(f"{words}: {reason}") from None
    return context


def _no_password() -> str:
    """Nobody is asked for a password on the terminal."""
    raise ValueError("the key has a password")
