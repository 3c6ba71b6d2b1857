"""What becomes of a request, of a whole list, and of the endings between them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.drive.wishing import Wish
from mcp_assay.transport.links import Ending

AnswerEnding: TypeAlias = Literal["answered", "timed_out", "died", "unanswered"]
"""An answer came, the time was up, the server died, or its HTTP exchange ended without one."""
Kind: TypeAlias = Literal["tools", "resources", "templates", "prompts"]


class Answer(Struct, frozen=True, kw_only=True):
    """What came back on a request, and how."""

    ending: AnswerEnding
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
    status: int | None = None
    """The HTTP status of the answer."""
    challenge: str = ""
    """What its header WWW-Authenticate asks for."""
    exchange: int | None = None
    """The number of its HTTP exchange."""
    why: str = ""
    """What went wrong on the way, where nothing usable came."""
    rounds: int = 0
    """How often the server asked for more input first."""
    wishes: tuple[Wish, ...] = ()
    """What the server asked its client for meanwhile."""
    exit: Ending | None = None
    """How the server ended, where it died."""

    @property
    def is_result(self) -> bool:
        """Whether a result came that is an object, and no error with it."""
        return isinstance(self.result, dict) and self.error is None

    @property
    def code(self) -> int | None:
        """The code of a JSON-RPC error."""
        code = self.error.get("code") if isinstance(self.error, dict) else None
        return code if isinstance(code, int) else None


class Listing(Struct, frozen=True, kw_only=True):
    """All pages of one list."""

    kind: Kind
    items: list[Any] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
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
