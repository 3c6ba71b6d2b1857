"""`mcp-assay ui`: serve the pages until interrupted, or print another link to those served."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from mcp_assay.cli.history import has_nothing, opened_history
from mcp_assay.cli.history_keeper import opened_store
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.live_servers import confirmed_servers
from mcp_assay.cli.options import CommandLine, HistoryView, UiArguments
from mcp_assay.cli.output import CommandError, UsageError, complain, write
from mcp_assay.cli.own_browser import opened_in_browser
from mcp_assay.client.private_folder import NotPrivate
from mcp_assay.model.outcome import CLEAN
from mcp_assay.validate.lines import Unreadable
from mcp_assay.validate.sources import opened
from mcp_assay.web.control import another_link, served_ports
from mcp_assay.web.live.servers import LiveSettings
from mcp_assay.web.serving import Certificate, NotServed, WebOptions, serve
from mcp_assay.web.site import ANY_PORT, Site, WrongListen, wanted_site

ABOUT_LINK = "this link works once; mcp-assay ui --link prints another, Ctrl-C ends"


def serve_pages(line: CommandLine, arguments: UiArguments) -> int:
    """Serve the pages, or print another link."""
    certificate = _certificate(arguments)
    site = _site(arguments.listen or ANY_PORT, is_secure=certificate is not None)
    try:
        if arguments.link:
            return _print_link(site.port)
        for trace in arguments.traces:
            _require_trace(trace)
        live = confirmed_servers(line, arguments.live, arguments.history)
        return _serve(arguments, site, certificate, live)
    except (NotServed, NotPrivate) as refusal:
        raise CommandError(f"{refusal}.") from None


def _serve(
    arguments: UiArguments, site: Site, certificate: Certificate | None, live: LiveSettings
) -> int:
    if live.servers or has_nothing(arguments.history):
        opened_store(arguments.history).close()  # runs go there; an empty one says how to record
    view = HistoryView(history=arguments.history, format="", no_color=False)
    with opened_history(view, to_write=False) as store:
        options = WebOptions(
            site=site,
            store=store,
            tell=_tell,
            live=live,
            traces=arguments.traces,
            certificate=certificate,
        )
        with ExitStack() as until_end:
            Interruption().run(serve(options, partial(_ready, arguments.open, until_end)))
    return CLEAN


def _ready(opens: bool, until_end: ExitStack, link: str) -> None:
    """Give the link to the user, and open it where that is wanted."""
    write(f"{link}\n")
    _tell(ABOUT_LINK)
    if opens:
        until_end.enter_context(opened_in_browser(link, _tell))


def _tell(words: str) -> None:
    complain(f"mcp-assay: {words}.")


def _print_link(port: int) -> int:
    """Print another link to the pages at this port, or to the only ones."""
    ports = [one for one in served_ports() if port in (0, one)]
    if len(ports) > 1:
        words = f"pages are served at the ports {', '.join(map(str, ports))}"
        raise UsageError(f"{words}; name one with --listen HOST:PORT.")
    link = another_link(ports[0]) if ports else None
    if link is None:
        at = f" at port {port}" if port else ""
        raise CommandError(f"you serve no pages{at}; mcp-assay ui does that.")
    write(f"{link}\n")
    return CLEAN


def _certificate(arguments: UiArguments) -> Certificate | None:
    certificate, key = arguments.tls_cert, arguments.tls_key
    if bool(certificate) != bool(key):
        raise UsageError("--tls-cert and --tls-key need each other.")
    return Certificate(certificate, key) if certificate and key else None


def _site(listen: str, *, is_secure: bool) -> Site:
    try:
        return wanted_site(listen, is_secure=is_secure)
    except WrongListen as refusal:
        raise UsageError(f"--listen: {refusal}.") from None


def _require_trace(path: str) -> None:
    try:
        with opened(path):
            pass
    except Unreadable as refusal:
        raise UsageError(f"--trace: {refusal}.") from None
