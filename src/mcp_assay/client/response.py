"""What becomes of a request and of a whole list, and how much of all answers is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from mcp_assay.client.client_requests import UnmetRequest
from mcp_assay.client.links import LinkEnding
from mcp_assay.model.call import Call, CallResult
from mcp_assay.model.ending import Ending, is_overloaded
from mcp_assay.model.finding import NOWHERE, Where
from mcp_assay.model.probe import ResultOrError
from mcp_assay.model.report import Limit
from mcp_assay.text.endings import what_it_did

MOST: Final = 32 * 1024 * 1024
"""About so many bytes of memory may be taken by the answers that are kept."""
OF_A_MEMBER: Final = 64
"""What a member of an array or object costs at least, beside its text."""
LONGEST_STDERR: Final = 4 * 1024
"""So much of what a server wrote to standard error is kept with a call, once that is judged."""
LONGEST_MESSAGE_SHOWN: Final = 2 * 1024
"""So much of a message is shown to people, however long it is."""
EFFECT: Final = (
    "these results were checked, but neither compared with others nor searched for leaks"
)


class KeptAnswers:
    """Decides for each answer whether it can be kept until all calls of its tool are judged."""

    def __init__(self) -> None:
        self._held = 0
        self._let_go = 0

    def kept(self, answer: CallResult, text: bytes | None) -> CallResult:
        """The answer with as much of it as can be kept; `text` is what it was read from."""
        if len(answer.stderr) > LONGEST_STDERR:
            answer = replace(answer, stderr=answer.stderr[-LONGEST_STDERR:])
        cost = _cost(text or b"")
        if self._held + cost <= MOST:
            self._held += cost
            return answer
        self._let_go += 1
        return replace(answer, result=None, error=None)

    @property
    def is_getting_short(self) -> bool:
        """Whether so much is held that no tool should be left unjudged."""
        return self._held > MOST // 4

    def release(self, judged: Iterable[list[Call]]) -> None:
        """Let go of the results of calls that are judged, where room is getting short."""
        if self._held > MOST // 2:
            for calls in judged:
                calls[:] = map(_without_result, calls)
            self._held = 0

    def limits(self) -> list[Limit]:
        """The limit, where it cut something."""
        if not self._let_go:
            return []
        return [Limit(name="kept-answers", value=MOST, count=self._let_go, effect=EFFECT)]


def _cost(text: bytes) -> int:
    """About how much memory a JSON text takes once it is decoded."""
    members = text.count(b",") + text.count(b"[") + text.count(b"{")
    return len(text) + OF_A_MEMBER * members


def _without_result(call: Call) -> Call:
    return replace(call, answer=replace(call.answer, result=None))


Kind: TypeAlias = Literal["tools", "resources", "templates", "prompts"]


class CallRequest(Struct, frozen=True):
    """One call of a tool."""

    tool: str
    arguments: Mapping[str, Any]
    about: Where = NOWHERE
    """Where what is found in its messages is said to be found."""
    seconds: float | None = None
    """How long it may take, where that is not what every call may take."""


class Response(Struct, ResultOrError, frozen=True, kw_only=True):
    """What came back on a request, and how."""

    ending: Ending
    result: Any = None
    error: Any = None
    """The result and the error as on the wire; both None where no answer came, or it was not
    decoded."""
    seconds: float
    stderr: str = ""
    """What the server wrote to standard error meanwhile."""
    request: bytes
    response: bytes | None = None
    """The exact messages; with rounds of input_required, the last ones."""
    unread: int = 0
    """The bytes of an answer that was too long to be decoded."""
    is_queued: bool = False
    """Whether it may only have waited behind a call of another tool that was given up."""
    status: int | None = None
    """The HTTP status of the answer."""
    challenge: str = ""
    """What its header WWW-Authenticate asks for."""
    exchange: int | None = None
    """The number of its HTTP exchange."""
    detail: str = ""
    """More about an ending without an answer, in our own words, as a clause."""
    rounds: int = 0
    """How often the server asked for more input first."""
    unmet: tuple[UnmetRequest, ...] = ()
    """What the server asked its client for meanwhile."""
    exit: LinkEnding | None = None
    """How the server ended, where it died."""

    @property
    def is_overloaded(self) -> bool:
        """Whether the server, or what stands before it, had no room for the request."""
        return is_overloaded(self.ending, self.status)

    @property
    def what_it_did(self) -> str:
        """What the server did to the request, as a clause."""
        return what_it_did(self.ending, self.status, self.detail)


class ServerList(Struct, frozen=True, kw_only=True):
    """All pages of one list."""

    kind: Kind
    items: list[Any] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)
    cut: str | None = None
    """Why there is no more of it, where there may be."""

    @property
    def is_missing(self) -> bool:
        """Whether nothing of it came: no answer or, for tools, which were declared, a refusal.

        Many servers with resources know no list of templates; that is no gap.
        """
        if self.items or self.cut is None:
            return False
        return self.kind == "tools" or self.answers[-1].ending != "answered"
