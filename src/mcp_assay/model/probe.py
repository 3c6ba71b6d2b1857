"""What a probe may do to a server, and what comes of it: steps out, replies in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from mcp_assay.model.ending import Ending
from mcp_assay.model.report import CheckOutcome


class Bend(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a request differs from what a good client sends; None leaves a member out."""

    meta: Mapping[str, Any] = {}
    headers: Mapping[str, str | None] = {}


STRAIGHT = Bend()


class Ask(Struct, frozen=True, tag_field="step", tag="ask", omit_defaults=True):
    """Send a request as a client of the revision does, and wait for its answer."""

    method: str
    params: Mapping[str, Any] | None = None
    bend: Bend = STRAIGHT


class Notify(Struct, frozen=True, tag_field="step", tag="tell", omit_defaults=True):
    """Send a notification."""

    method: str
    params: Mapping[str, Any] | None = None


class Raw(Struct, frozen=True, tag_field="step", tag="raw", omit_defaults=True):
    """Send any text: a line over stdio, the body of a POST over HTTP."""

    text: str
    headers: Mapping[str, str] = {}
    provokes: tuple[str, ...] = ()
    """The rules that a server breaks which only repeats what it was sent."""


OUR_SESSION = "(our session)"
"""In a header's value: the session id that the server gave us."""


class Http(Struct, frozen=True, tag_field="step", tag="http", omit_defaults=True):
    """Make an HTTP request with exactly these headers; without a path, to the server's own."""

    verb: str
    headers: Mapping[str, str] = {}
    body: str | None = None
    path: str | None = None


class Anew(Struct, frozen=True, tag_field="step", tag="connect anew", omit_defaults=True):
    """Leave this connection and begin another one, for the rest of the probe."""

    with_handshake: bool = True
    with_credentials: bool = True
    """Whether the user's own headers are sent."""


class Listen(Struct, frozen=True, tag_field="step", tag="listen", omit_defaults=True):
    """Subscribe to notifications of these kinds; on a connection of the probe's own, until it ends.

    The reply has what the server said first; later notifications come with later replies.
    """

    kinds: Mapping[str, Any]


class Linger(Struct, frozen=True, tag_field="step", tag="linger"):
    """Say nothing for a moment, or until a notification comes.

    The reply says whether the subscription is still open: one that is over is closed.
    """


class End(Struct, frozen=True, tag_field="step", tag="end"):
    """Close the connection as a client should, and see how the server ends."""


Step: TypeAlias = Ask | Notify | Raw | Http | Anew | Listen | Linger | End


class ResultOrError:
    """What is asked of anything that has the result and the error of an answer."""

    __slots__ = ()

    result: Any
    error: Any

    @property
    def is_result(self) -> bool:
        """Whether a result came that is an object, and no error with it."""
        return isinstance(self.result, dict) and self.error is None

    @property
    def code(self) -> int | None:
        """The code of a JSON-RPC error."""
        code = self.error.get("code") if isinstance(self.error, dict) else None
        return code if isinstance(code, int) else None


class Reply(Struct, ResultOrError, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one step."""

    ending: Ending = "answered"
    result: Any = None
    error: Any = None
    unread: int = 0
    """The bytes of an answer that was too long to be decoded."""
    is_misnamed: bool = False
    """Whether the answer came in the exchange of the request, but with another id or none."""
    strays: list[Any] = field(default_factory=list)
    """Responses that answer nothing of ours, received since the step before."""
    notifications: list[Any] = field(default_factory=list)
    """Notifications, received since the step before."""
    status: int | None = None
    """The HTTP status, and the headers in small letters."""
    headers: Mapping[str, str] = {}
    messages: list[Any] = field(default_factory=list)
    """The messages in the HTTP response."""
    event_ids: list[str] = field(default_factory=list)
    """The ids of the events in it, where it is a stream."""
    stopped_by: str | None = None
    """What a process needed to end, where we ended it; and how many it left behind."""
    left_behind: int = 0

    @property
    def is_error(self) -> bool:
        """Whether the answer is a JSON-RPC error."""
        return isinstance(self.error, dict)


class OpenStep(Struct, frozen=True):
    """A rule that a probe could not decide, and why."""

    rule: str
    outcome: CheckOutcome
    reason: str
