"""Updates of resources: only of those that the client subscribed to."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import normpath
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    kept,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.state import STARTED_BEFORE, SessionState
from mcp_assay.spec.capabilities import declares
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.text.words import glimpse

MOST_KEPT: Final = 1000
"""Subscriptions of one session that are remembered."""
LONGEST_KEPT: Final = 2048
"""A URI with more characters than this is not remembered."""
PATH_SCHEMES: Final = frozenset({"file", "http", "https"})
"""Schemes in which the path alone tells what is part of what."""
DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
PERHAPS_A_PART: Final = "an update that may be of a part of a subscribed resource"

UNDECLARED: Final = "the server declares no subscriptions; see CAP-006"
FORGOTTEN: Final = "too many subscriptions to keep them all"
ON_ITS_WAY: Final = "it may have been on its way when the client unsubscribed"

RESOURCES: Final[dict[str, Any]] = {"resources": {"subscribe": True}}
NOTE: Final = "file:///notes/1.md"


def alike(uri: str) -> str:
    """A URI as all spellings of it look that somebody may take for the same resource."""
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415  few servers have subscriptions

    try:
        parts = urlsplit(unquote(uri).casefold())
    except ValueError:
        return uri
    host = parts.netloc.removesuffix(DEFAULT_PORTS.get(parts.scheme, "/"))
    path = normpath("/" + parts.path.lstrip("/")).rstrip("/")
    query, fragment = (parts.query and f"?{parts.query}", parts.fragment and f"#{parts.fragment}")
    return f"{parts.scheme}://{host}{path}{query}{fragment}"


class Subscribed:
    """The URIs that the client has ever subscribed to, and whether it still is."""

    __slots__ = ("forgetful", "leaving", "uris")

    def __init__(self) -> None:
        self.uris: Final[dict[str, bool]] = {}
        self.leaving: Final[set[str]] = set()
        """The URIs that the client has asked to unsubscribe from, and not to subscribe to since."""
        self.forgetful = False
        """Whether a subscription could not be remembered."""

    def add(self, uri: str) -> None:
        """Remember a subscription."""
        known = alike(uri[: LONGEST_KEPT + 1])
        self.leaving.discard(known)
        if known in self.uris or (len(self.uris) < MOST_KEPT and len(uri) <= LONGEST_KEPT):
            self.uris[known] = True
        else:
            self.forgetful = True

    def leave(self, uri: str) -> None:
        """Remember that the client wants to hear no more of it."""
        if (known := alike(uri)) in self.uris:
            self.leaving.add(known)

    def left(self, uri: str) -> None:
        """Note that the server agrees, unless the client has changed its mind meanwhile."""
        if (known := alike(uri)) in self.leaving:
            self.uris[known] = False

    def covers(self, uri: str) -> bool | None:
        """Whether the client is subscribed to it or to what it is part of; None if not any more."""
        part = alike(uri)
        live = [live for whole, live in self.uris.items() if _is_part(part, whole)]
        return any(live) or (None if live else False)


def _about(method: str, uri: str, id: int = 1) -> dict[str, Any]:
    return request(f"resources/{method}", {"uri": uri}, id=id)


def _updated(uri: str) -> dict[str, Any]:
    return notification("notifications/resources/updated", {"uri": uri})


session_rule(
    "RES-009",
    "update-not-subscribed",
    """notifications/resources/updated is sent for a resource that the client did not subscribe to.

    Why: the client did not ask for it and cannot handle it.
    Instead: keep each session's subscriptions, and send updates only for those URIs and their
    parts.
    """,
    reason="not_subscribed",
    good=lambda: [
        kept(
            opening(server=RESOURCES),
            c2s(_about("subscribe", "file:///notes")),
            s2c(answer({})),
            s2c(_updated("file:///notes")),
            s2c(_updated(NOTE)),
        ),
        kept(s2c(_updated(NOTE)), partial=True),
    ],
    bad=lambda: [
        broken(opening(server=RESOURCES), s2c(_updated(NOTE)), pointer="/params/uri"),
        broken(
            opening(server=RESOURCES),
            c2s(_about("subscribe", NOTE, id=1)),
            s2c(answer({}, id=1)),
            c2s(_about("unsubscribe", NOTE, id=2)),
            s2c(_updated(NOTE)),
            s2c(answer({}, id=2)),
            s2c(_updated(NOTE)),
            pointer="/params/uri",
        ),
    ],
)


@watch("request", methods=["resources/subscribe"], until=R2025_11_25)
def remember_subscription(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember what the client wants to be notified of; the server may tell it at once."""
    uri = message.params.get("uri")
    if isinstance(uri, str):
        session.recall(Subscribed).add(uri)
    return ()


@watch("request", methods=["resources/unsubscribe"], until=R2025_11_25)
def remember_unsubscription(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember what the client does not want to be notified of any more."""
    uri = message.params.get("uri")
    if isinstance(uri, str):
        session.recall(Subscribed).leave(uri)
    return ()


@watch("result", methods=["resources/unsubscribe"], until=R2025_11_25)
def confirm_unsubscription(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember what the server need not tell any more."""
    uri = message.answers.params.get("uri") if message.answers else None
    if isinstance(uri, str):
        session.recall(Subscribed).left(uri)
    return ()


@watch("notification", methods=["notifications/resources/updated"], until=R2025_11_25)
def update_not_subscribed(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide RES-009."""
    uri, subscribed = message.params.get("uri"), session.recall(Subscribed)
    if not isinstance(uri, str):
        return ()
    covered = subscribed.covers(uri)
    declared = session.handshake.server_capabilities
    if declared is not None and not declares(declared, "resources.subscribe"):
        session.leave_open("RES-009", UNDECLARED)
        return ()
    if not covered and (reason := _excuse(session, subscribed, covered)) is not None:
        session.leave_open("RES-009", reason)
        return ()
    session.decide("RES-009")
    return () if covered else (_fault(uri, subscribed),)


def _excuse(session: SessionState, subscribed: Subscribed, covered: bool | None) -> str | None:
    """Why the update may be in order all the same."""
    if session.partial:
        return STARTED_BEFORE
    if subscribed.forgetful or session.pending.forgetful:
        return FORGOTTEN
    was_subscribed = covered is None
    return ON_ITS_WAY if was_subscribed and session.delivery.is_over_http else None


def _fault(uri: str, subscribed: Subscribed) -> Found:
    scheme = _scheme(uri)
    near = any(live and _scheme(other) == scheme for other, live in subscribed.uris.items())
    grade = PERHAPS_A_PART if near and scheme not in PATH_SCHEMES else None
    text = f"The client is not subscribed to {glimpse(uri)}."
    return Found(("params", "uri"), text, "RES-009", grade=grade)


def _is_part(uri: str, whole: str) -> bool:
    """Whether the URI is the whole one, or goes on where that ends."""
    return uri.startswith(whole) and uri[len(whole) :][:1] in ("", *"/?#")


def _scheme(uri: str) -> str:
    return uri.partition(":")[0].lower()
