"""Whom a server over HTTP lets in: pages from elsewhere, foreign names, clients of one type."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from mcp_assay.model.probe import Reply
from mcp_assay.rules.probes.http_asking import (
    EVENT_STREAM,
    JSON,
    host_of,
    in_words,
    media_type,
    post,
    succeeded,
)
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    KEPT,
    Dialogue,
    Verdicts,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.rules.rule import Found
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25

FOREIGN_ORIGIN: Final = "http://mcp-assay.invalid"
FOREIGN_HOST: Final = "mcp-assay.invalid"
"""A name that nobody can have."""
FORBIDDEN: Final = 403
LOCAL_NAMES: Final = ("localhost", ".localhost", ".local")
ANYBODY: Final = "the server does not look at whose page a request comes from"
ANY_ORIGIN: Final = "a server that everybody can reach may let pages from everywhere in"
NOT_LOCAL: Final = "only a server on this machine shows it"
WHERE_IT_LISTENS: Final = "a foreign Host is refused, but not all addresses of the server show"


@probe("HTTP-039", "HTTP-040", over="http")
def foreign_page(server: Known) -> Dialogue:
    """Ask as a page from elsewhere does, and as a page that has rebound its name to the server."""
    usual = yield post(server)
    if not succeeded(usual):
        came = f"an ordinary POST is answered with {in_words(usual)}"
        return [undecided(rule, came) for rule in ("HTTP-039", "HTTP-040")]
    foreign = yield post(server, headers={"Origin": FOREIGN_ORIGIN})
    verdicts = _origin(server, foreign)
    if not is_loopback(host_of(server)):
        return [*verdicts, not_testable("HTTP-040", NOT_LOCAL)]
    renamed = yield post(server, headers={"Host": FOREIGN_HOST})
    return [*verdicts, *_host(renamed)]


def _origin(server: Known, reply: Reply) -> Verdicts:
    if reply.status is None:
        return [undecided("HTTP-039", "a request with a foreign Origin is not answered")]
    if succeeded(reply):
        if not is_local(host_of(server)):
            return [undecided("HTTP-039", ANY_ORIGIN)]
        text = "The server serves requests whose Origin is a page from elsewhere."
        return [fault("HTTP-039", text, key="served", cause=ANYBODY)]
    if reply.status == FORBIDDEN or server.revision < R2025_11_25:
        return KEPT
    text = f"The server refuses a foreign Origin with status {reply.status}, not 403."
    return [fault("HTTP-039", text, key="status", fix="Refuse it with status 403.")]


def _host(reply: Reply) -> Verdicts:
    if reply.status is None:
        return [undecided("HTTP-040", "a request with a foreign Host is not answered")]
    if not succeeded(reply):
        return [undecided("HTTP-040", WHERE_IT_LISTENS)]
    text = "The server serves requests that name a foreign Host."
    return [fault("HTTP-040", text, cause=ANYBODY)]


@probe("HTTP-043", over="streamable http")
def one_type_only(server: Known) -> Dialogue:
    """Ask as a client that takes JSON alone, and as one that takes events alone."""
    if server.revision < R2025_03_26:
        return [not_testable("HTTP-043", "in this revision nobody names the types")]
    json = yield post(server, headers={"Accept": JSON})
    events = yield post(server, headers={"Accept": EVENT_STREAM})
    if json.status is None or events.status is None:
        return [undecided("HTTP-043", "a POST that accepts one type alone is not answered")]
    return [*_unwanted(json, EVENT_STREAM), *_unwanted(events, JSON)]


def _unwanted(reply: Reply, type: str) -> Iterable[Found]:
    if succeeded(reply) and media_type(reply) == type:
        text = f"A POST that does not accept {type} was answered with it."
        yield fault("HTTP-043", text, key=type, fix="Refuse such a request with status 406.")


def is_loopback(host: str) -> bool:
    """Whether the host is this machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == LOCAL_NAMES[0] or host.endswith(LOCAL_NAMES[1])


def is_local(host: str) -> bool:
    """Whether pages from elsewhere can reach the host only through a browser near it."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == LOCAL_NAMES[0] or host.endswith(LOCAL_NAMES[1:])


_LOCAL: Final = Known(is_http=True, url="http://127.0.0.1:8000/mcp")
_SERVED: Final = Reply(status=200)

probe_rule(
    "HTTP-039",
    "foreign-origin-served",
    """A request from a page of another site is served, or not refused with status 403.

    Why: any page that the user opens can then talk to the server through the browser, and call
    its tools.

    Instead: compare the header Origin with those that you expect; refuse others with status 403.
    """,
    of=foreign_page,
    reason="foreign_origin_served",
    good=[replay(_SERVED, Reply(status=403), Reply(status=421), known=_LOCAL)],
    bad=[
        replay(_SERVED, _SERVED, Reply(status=421), known=_LOCAL),
        replay(_SERVED, Reply(status=400), Reply(status=421), known=_LOCAL),
    ],
)

probe_rule(
    "HTTP-040",
    "foreign-host-served",
    """A server on this machine serves requests that were meant for another name.

    Why: a site can point its own name at this machine, and its pages then reach the server as if
    it were theirs.

    Instead: refuse requests whose header Host is not a name of yours, and listen on the loopback
    address only.
    """,
    of=foreign_page,
    reason="foreign_host_served",
    good=[replay(_SERVED, Reply(status=403), Reply(status=421), known=_LOCAL)],
    bad=[replay(_SERVED, Reply(status=403), _SERVED, known=_LOCAL)],
)
