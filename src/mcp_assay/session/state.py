"""One conversation as it goes on: who can do what, what was asked, what each section remembers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from mcp_assay.model.entry import NO_DELIVERY, Delivery, Direction, Message
from mcp_assay.session.correlation import Pending
from mcp_assay.session.handshake import Handshake
from mcp_assay.session.ids import IdBudget, Ids
from mcp_assay.spec.catalogue import blames_sender

if TYPE_CHECKING:
    from mcp_assay.model.report import Limit
    from mcp_assay.schema.checker import Schemas, Worker
    from mcp_assay.spec.catalogue.row import EvidenceKind

Memory = TypeVar("Memory")
CompareTools: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any]], Any]
"""Tells how tools, by their names, differ from those that were listed before."""


class PartReason(str):
    """Why a rule is open in a session of which perhaps only a part was seen."""

    __slots__ = ()


STARTED_BEFORE: Final = PartReason("the session may have started before the recording")
GOES_ON: Final = PartReason("the session may continue beyond the recording")
DOUBTFUL: Final = "which messages belong to the session, or in which order, is not known"
"""The reason in place of these where a line may belong to several sessions."""


class Recall(Protocol):
    """Gives what a section remembers; empty when it is first asked for."""

    def __call__(self, kind: type[Memory], /) -> Memory:
        """The memory of this kind."""


class Memories(dict[type[Any], Any]):
    """What the sections remember, by the kinds of their memories."""

    __slots__ = ()

    def __missing__(self, kind: type[Memory]) -> Memory:
        memory = self[kind] = kind()
        return memory


class RunState:
    """What the conversations of a run have in common: decisions, room for ids, server schemas."""

    __slots__ = (
        "_schemas",
        "compare_tools",
        "left_open",
        "limits",
        "recall",
        "room",
        "seen",
        "session_rules",
        "withheld",
        "worker",
    )

    def __init__(
        self, worker: Worker | None = None, *, compare_tools: CompareTools | None = None
    ) -> None:
        self.session_rules: Final[set[str]] = set()
        """The rules about conversations that were really judged, at least once."""
        self.seen: Final[set[EvidenceKind]] = set()
        """What there was to be judged, besides messages."""
        self.left_open: Final[Counter[tuple[str, str]]] = Counter()
        """How often a rule could not be judged, and why."""
        self.withheld: Final[set[str]] = set()
        """The rules that something may have broken which could not be judged: none is passed."""
        self.room: Final = IdBudget()
        self.limits: Final[dict[str, Limit]] = {}
        """Every limit of a section that cut something, by its name."""
        self.compare_tools: Final = compare_tools
        """Compares two lists of tools; None where others judge what servers list."""
        self.worker = worker
        """Who checks what may take too long; nobody where it is None."""
        self.recall: Final[Recall] = Memories().__getitem__
        """What a section remembers of all conversations."""
        self._schemas: Schemas | None = None

    @property
    def judges_lists(self) -> bool:
        """Whether what a session lists is judged with it."""
        return self.compare_tools is not None

    def see(self, delivery: Delivery) -> None:
        """Note what is known of how a line came."""
        seen = self.seen
        if delivery.is_over_http:
            seen.add("http")
            http = delivery.http
            if http and (http.get("request_headers") or http.get("response_headers")):
                seen.add("headers")
        elif delivery.transport == "stdio":
            seen.add("stdio")
        if delivery.exact:
            seen.add("exact bytes")

    def note_limit(self, limit: Limit) -> None:
        """Note that a limit cut something, once more perhaps."""
        known = self.limits.get(limit.name)
        count = limit.count + (known.count if known else 0)
        self.limits[limit.name] = replace(limit, count=count)

    @property
    def schemas(self) -> Schemas:
        """The schemas that servers gave, prepared for use."""
        if self._schemas is None:
            from mcp_assay.schema.checker import Schemas  # noqa: PLC0415  seldom needed

            self._schemas = Schemas(self.worker)
        return self._schemas


class SessionState:
    """What is known about one conversation; each section of the rules has a memory of its own."""

    __slots__ = (
        "delivery",
        "handshake",
        "is_doubtful",
        "issued",
        "partial",
        "pending",
        "recall",
        "run",
        "sender",
        "size",
    )

    def __init__(self, run: RunState, pending: Pending[Any], *, partial: bool = False) -> None:
        self.run: Final = run
        self.pending: Final = pending
        """The requests that wait for their answers; one that is being judged is not yet in it."""
        self.partial = partial
        """Whether it may have begun before, or may go on after, what is seen of it."""
        self.is_doubtful = False
        """Whether lines of it may be elsewhere, or in another order."""
        self.issued: Final[dict[Direction | None, Ids]] = {
            "c2s": Ids(run.room),
            "s2c": Ids(run.room),
        }
        """The ids of the requests that each side has sent."""
        self.handshake: Final = Handshake()
        self.delivery: Delivery = NO_DELIVERY
        """How the present message came."""
        self.sender: Direction | None = None
        """Who sent the present message, None where it is a line or an end."""
        self.size: int | None = None
        """How long the text of the present message is, None where it came as a value."""
        self.recall: Final[Recall] = Memories().__getitem__
        """What a section remembers of this conversation; rules recall at every message."""

    def doubt(self) -> None:
        """Judge it from now on as a part: a line of it may be elsewhere."""
        self.partial = self.is_doubtful = True

    def decide(self, *rules: str) -> None:
        """Note that rules were judged here, whatever came of it: those that bind the sender."""
        decided = self.run.session_rules
        decided.update(rule for rule in rules if blames_sender(rule, self.sender))

    def decide_of_peer(self, *rules: str) -> None:
        """Note that the present message shows rules to be judged that bind who did not send it."""
        self.run.session_rules.update(rules)

    def leave_open(self, rule: str, reason: str) -> None:
        """Note that a rule could not be judged here, and why."""
        is_other = self.is_doubtful and isinstance(reason, PartReason)
        self.run.left_open[rule, DOUBTFUL if is_other else str(reason)] += 1

    def withhold(self, rule: str, reason: str) -> None:
        """Note that a rule looks broken here, and why it cannot be judged: it is not passed."""
        self.run.withheld.add(rule)
        self.leave_open(rule, reason)

    @property
    def schemas(self) -> Schemas:
        """The schemas that servers gave, prepared for use."""
        return self.run.schemas

    def client_capabilities(self, message: Message) -> dict[str, Any] | None:
        """What the client can do as far as this message is concerned, None where nobody knows."""
        return self.handshake.client_capabilities(message)
