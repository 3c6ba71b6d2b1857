"""Whom a server over HTTP lets in: pages from elsewhere, foreign names, clients of one type."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from mcp_assay.model.probe import Http, Reply
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.confirmation import Part, fails_alone, failure_in_words, has_failed
from mcp_assay.rules.probe.http_requests import (
    EVENT_STREAM,
    JSON,
    host_of,
    in_words,
    is_about_something_else,
    media_type,
    post,
    succeeded,
)
from mcp_assay.rules.probe.rule import (
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25

FOREIGN_ORIGIN: Final = "http://mcp-assay.invalid"
FOREIGN_HOST: Final = "mcp-assay.invalid"
"""A name that nobody can have."""
FORBIDDEN: Final = 403
LOCAL_NAMES: Final = ("localhost", ".localhost", ".local")
ANYBODY: Final = "the server does not check the Origin header"
ANY_ORIGIN: Final = "a public server may accept any Origin"
NOT_LOCAL: Final = "this applies only to servers on this machine"
WHERE_IT_LISTENS: Final = "a foreign Host is rejected, but not every address of the server was seen"


@probe("HTTP-039", "HTTP-040", over="http")
def foreign_page(server: Known) -> Dialogue:
    """Ask as a page from elsewhere does, and as a page that has rebound its name to the server."""
    usual = yield post(server)
    if not succeeded(usual):
        came = f"an ordinary POST gets {in_words(usual)}"
        return [undecided(rule, came) for rule in ("HTTP-039", "HTTP-040")]
    verdicts = yield from _origin(server, usual)
    if not is_loopback(host_of(server)):
        return [*verdicts, not_testable("HTTP-040", NOT_LOCAL)]
    renamed = yield post(server, headers={"Host": FOREIGN_HOST})
    return [*verdicts, *_host(renamed)]


def _origin(server: Known, usual: Reply) -> Part[Verdicts]:
    """Decide HTTP-039."""
    step = post(server, headers={"Origin": FOREIGN_ORIGIN})
    reply = yield step
    if has_failed(reply):
        return (yield from _failing_origin(server, usual, step, reply))
    if succeeded(reply):
        if not is_local(host_of(server)):
            return [undecided("HTTP-039", ANY_ORIGIN)]
        text = "The server accepts requests with a foreign Origin."
        return [fault("HTTP-039", text, key="served", cause=ANYBODY)]
    if reply.status == FORBIDDEN or server.revision < R2025_11_25:
        return KEPT
    text = f"The server rejects a foreign Origin with status {reply.status}, not 403."
    return [fault("HTTP-039", text, key="status", fix="Reject it with status 403.")]


def _failing_origin(server: Known, usual: Reply, step: Http, reply: Reply) -> Part[Verdicts]:
    """Judge a failure: since 2025-11-25 one that a foreign Origin alone brings about is wrong."""
    is_sure = yield from fails_alone(post(server), usual, step, reply)
    if not is_sure or server.revision < R2025_11_25:
        return [undecided("HTTP-039", f"a request with a foreign Origin gets {in_words(reply)}")]
    text = f"The server {failure_in_words(reply)} to a request with a foreign Origin."
    return [fault("HTTP-039", text, key="status", fix="Reject it with status 403.")]


def _host(reply: Reply) -> Verdicts:
    if reply.status is None:
        return [undecided("HTTP-040", "a request with a foreign Host gets no response")]
    if not succeeded(reply):
        return [undecided("HTTP-040", WHERE_IT_LISTENS)]
    text = "The server accepts requests with a foreign Host."
    return [fault("HTTP-040", text, cause=ANYBODY)]


@probe("HTTP-043", over="streamable http")
def one_type_only(server: Known) -> Dialogue:
    """Ask as a client that takes JSON alone, and as one that takes events alone."""
    if server.revision < R2025_03_26:
        return [not_testable("HTTP-043", "this revision does not require an Accept header")]
    json = yield post(server, headers={"Accept": JSON})
    events = yield post(server, headers={"Accept": EVENT_STREAM})
    wrong = [*_unwanted(json, EVENT_STREAM), *_unwanted(events, JSON)]
    untold = next(filter(_tells_no_type, (json, events)), None)
    if wrong or untold is None:
        return [*wrong]
    reason = f"a POST that accepts only one type gets {in_words(untold)}"
    return [undecided("HTTP-043", f"{reason} and no media type")]


def _tells_no_type(reply: Reply) -> bool:
    """Whether a response shows neither that the request was refused nor what it was served."""
    is_refused = not succeeded(reply) and not is_about_something_else(reply)
    return not is_refused and not (succeeded(reply) and media_type(reply))


def _unwanted(reply: Reply, type: str) -> Iterable[Found]:
    if succeeded(reply) and media_type(reply) == type:
        text = f"The server returned {type} to a POST that does not accept it."
        yield fault("HTTP-043", text, key=type, fix="Reject such a request with status 406.")


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
    """The server accepts requests from other websites, or rejects them without status 403.

    Why: any web page that the user opens can then reach the server through the browser and call its
    tools (DNS rebinding).
    Instead: check the Origin header against an allow-list and reject everything else with status
    403.
    """,
    of=foreign_page,
    reason="foreign_origin_served",
    good=lambda: [replay(_SERVED, Reply(status=403), Reply(status=421), known=_LOCAL)],
    bad=lambda: [
        replay(_SERVED, _SERVED, Reply(status=421), known=_LOCAL),
        replay(_SERVED, Reply(status=400), Reply(status=421), known=_LOCAL),
    ],
)

probe_rule(
    "HTTP-040",
    "foreign-host-served",
    """A local server accepts requests for another host name.

    Why: a website can point its own host name at this machine, and its pages can then reach the
    server (DNS rebinding).
    Instead: reject requests whose Host header is not one of yours, and listen on the loopback
    address only.
    """,
    of=foreign_page,
    reason="foreign_host_served",
    good=lambda: [replay(_SERVED, Reply(status=403), Reply(status=421), known=_LOCAL)],
    bad=lambda: [replay(_SERVED, Reply(status=403), _SERVED, known=_LOCAL)],
)
