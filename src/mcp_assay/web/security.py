"""Who is let in: every request passes here first, and every response leaves with our headers."""

from __future__ import annotations

from html import escape
from typing import Final

from aiohttp import web

from mcp_assay.web.routes import Handler
from mcp_assay.web.settings import SETTINGS

OPEN: Final = "/open"
"""The address of a link; its token stands behind it as a query."""
CONTENT_POLICY: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)
"""Nothing but our own files is loaded, nothing in a page runs, and no text becomes markup."""
HEADERS: Final = {
    "Content-Security-Policy": "; ".join(CONTENT_POLICY),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every response has, unless it says otherwise itself."""
ELSEWHERE: Final = ("cross-site", "same-site")
"""How a browser calls it that another site is behind a request."""
ASK_AGAIN: Final = "mcp-assay ui --link prints a new one."
BARE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>mcp-assay</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
)
"""How a page without any file of ours begins: nobody is let in yet."""
REFUSED: Final = BARE + "<p>{words}"
ONWARD: Final = (
    f'{BARE}<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Go on to the pages</a>'
)


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let a request through that comes from a browser that was let in, and from our own pages."""
    words = _objection(request)
    if words is not None:
        return _refusal(words)
    if request.path == OPEN:
        return _opened(request)
    if not request.app[SETTINGS].links.is_session(request.cookies.get(cookie_name(request), "")):
        return _refusal(f"This page opens by a link that works once; {ASK_AGAIN}")
    return await handler(request)


async def add_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Give a response, whatever it is, the headers that it lacks."""
    response.headers["Server"] = "mcp-assay"
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def cookie_name(request: web.Request) -> str:
    """The cookie of this site: cookies know no ports, so it names its own."""
    return f"mcp-assay-{request.app[SETTINGS].site.port}"


def _objection(request: web.Request) -> str | None:
    """Why a request is not let in whoever sends it, in a sentence; None where it may be."""
    site, hosts = request.app[SETTINGS].site, request.headers.getall("Host", [])
    if len(hosts) != 1 or not site.is_own_host(hosts[0]):
        return f"The Host header must name this site, {site.origin}."
    origins = request.headers.getall("Origin", [])
    if any(not site.is_own_origin(one, hosts[0]) for one in origins):
        return "Requests of other sites are refused (see the Origin header)."
    if _is_part_of_another(request):
        return "Pages of other sites may lead here, and show or read nothing of it."
    if request.method == "POST" and not origins:
        return "A change must come from a page of this site (it has no Origin header)."
    return None


def _is_part_of_another(request: web.Request) -> bool:
    """Whether another site would make the answer a part of its own page, as browsers tell it.

    Pages at other ports of this machine count as the same site, so cookies do not keep them out.
    """
    if request.headers.get("Sec-Fetch-Site") not in ELSEWHERE:
        return False
    return request.headers.get("Sec-Fetch-Dest") != "document"


def _opened(request: web.Request) -> web.Response:
    """Make a session of a link, and lead on to an address without its token."""
    if request.method != "GET":
        return _refusal("A link is opened by GET.")
    session = request.app[SETTINGS].links.begin_session(request.query.get("token", ""))
    if session is None:
        return _refusal(f"This link was used, is too old or never was one; {ASK_AGAIN}")
    response = _onward(request)
    response.set_cookie(
        cookie_name(request),
        session,
        httponly=True,
        samesite="Strict",
        secure=request.app[SETTINGS].site.is_secure,
        path="/",
    )
    return response


def _onward(request: web.Request) -> web.Response:
    """To the first page: a strict cookie is not sent along where another site had the link."""
    if request.headers.get("Sec-Fetch-Site") in ELSEWHERE:
        return web.Response(text=ONWARD, content_type="text/html")
    return web.Response(status=303, headers={"Location": "/"})


def _refusal(words: str) -> web.Response:
    return web.Response(
        status=403, text=REFUSED.format(words=escape(words)), content_type="text/html"
    )
