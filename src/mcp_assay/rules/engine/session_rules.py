"""How a rule about a whole session is written: watchers of its messages, lines and end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec import Struct

from mcp_assay.model.entry import Delivery, Direction, Kind, Message
from mcp_assay.model.finding import Finding
from mcp_assay.rules import MODULES, load_modules
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.index import WATCHED_LINES, WATCHED_MESSAGES, Watched, WatchedLines
from mcp_assay.session.state import SessionState
from mcp_assay.spec.catalogue import applies, blames_sender
from mcp_assay.spec.revisions import REVISIONS

Watcher: TypeAlias = (
    "Callable[[SessionState, Message], Iterable[Found] | Iterable[Finding] | Done | None]"
)
"""Looks at a message in its session, remembers what it must, says what is wrong.

A fault becomes a finding about the message; findings of other rules are passed on as they are.
"""


class Done(Enum):
    """What a watcher gives in place of findings that has seen enough messages of this method."""

    IN_SESSION = "in this session"
    IN_RUN = "in all sessions of a run that go by the same terms"
    """The same terms: one revision, and a server that declares the same."""


Stage: TypeAlias = Literal["opening", "cancelling"]
"""A time in which there is more to watch: before the handshake is over, after a cancellation."""


class SessionLine(Struct, frozen=True):
    """One line of a session as its rules see it: who sent it, how it came, what it holds."""

    direction: Direction
    delivery: Delivery
    place: int = 0
    text: bytes | None = None
    """The text of the message, None where the line has none."""
    value: object = None
    """What the text holds, UNREAD where nothing can be read from it."""
    revision: str = REVISIONS[-1]

    @property
    def is_plain(self) -> bool:
        """Whether it is a message, as on a pipe, and in no exchange over HTTP; no end either."""
        return self.text is not None and not self.delivery.end and not self.delivery.is_over_http


LineWatcher: TypeAlias = Callable[[SessionState, SessionLine], Iterable[Found]]
EndWatcher: TypeAlias = Callable[[SessionState, str], Iterable[Found]]
"""Looks back at a session when it ends; the second argument is its revision."""


AnyWatcher = TypeVar("AnyWatcher", Watcher, EndWatcher)


class Watchers(Struct, frozen=True):
    """Who watches some messages, and who besides, where the request's params have a member."""

    always: tuple[Watcher, ...]
    members: frozenset[str]
    everybody: tuple[Watcher, ...]
    """All of them, in their order, for messages that have one of the members."""

    def without(self, watcher: Watcher) -> Watchers:
        """The others."""
        always = tuple(one for one in self.always if one is not watcher)
        everybody = tuple(one for one in self.everybody if one is not watcher)
        return Watchers(always, self.members, everybody)


class _Watch(Struct, frozen=True):
    watcher: Watcher
    what: Watched
    during: Stage | None
    having: str | None
    stray: bool
    decides: tuple[str, ...]

    def sees(self, method: str | None, stage: frozenset[Stage]) -> bool:
        return not (self.stray and method) and (self.during is None or self.during in stage)


MESSAGE_WATCHERS: Final[list[_Watch]] = []
SEE_BARE_MESSAGES: Final[set[Watcher | EndWatcher]] = set()
"""Watchers that need no session: a request and its answer are enough for them."""
LINE_WATCHERS: Final[list[tuple[LineWatcher, WatchedLines]]] = []
END_WATCHERS: Final[list[EndWatcher]] = []


def watch(
    *kinds: Kind,
    methods: Iterable[str | None] = (),
    since: str = REVISIONS[0],
    until: str = REVISIONS[-1],
    during: Stage | None = None,
    having: str | None = None,
    stray: bool = False,
    decides: Iterable[str] = (),
) -> Callable[[Watcher], Watcher]:
    """Register a watcher of messages of these kinds and, where named, of these methods.

    A response goes by the method of the request that it answers; None stands for methods that the
    revision does not have, and for responses to nothing that was seen. Where these alone can be
    wrong, a `stray` watcher sees no others. One that watches `during` a stage sees what comes then;
    one that wants messages `having` a member sees requests whose params have it, and their answers.
    `decides` names the rules that are judged on every such message, seen or not; a rule that
    depends on what was seen before is noted with `SessionState.decide` instead.
    """

    def register(watcher: Watcher) -> Watcher:
        what = Watched(kinds, tuple(methods), since, until)
        MESSAGE_WATCHERS.append(_Watch(watcher, what, during, having, stray, tuple(decides)))
        return watcher

    return register


def watch_lines(*, plain: bool, since: str = REVISIONS[0]) -> Callable[[LineWatcher], LineWatcher]:
    """Register a watcher of lines that tell how they came: by HTTP, as exact bytes, as an end.

    Most lines are `plain` (`SessionLine.is_plain`); a watcher need not see those.
    """

    def register(watcher: LineWatcher) -> LineWatcher:
        LINE_WATCHERS.append((watcher, WatchedLines(plain, since)))
        return watcher

    return register


def watch_end(watcher: EndWatcher) -> EndWatcher:
    """Register a watcher of the end of a session, who looks back at what its section has watched.

    A section that had nothing to watch has nothing to say either, and is not loaded to say it.
    """
    END_WATCHERS.append(watcher)
    END_WATCHERS.sort(key=place_of)
    return watcher


def sees_bare_messages(watcher: AnyWatcher) -> AnyWatcher:
    """Let a watcher see messages too that belong to no session."""
    SEE_BARE_MESSAGES.add(watcher)
    return watcher


@cache
def watchers(
    revision: str,
    kind: Kind,
    method: str | None,
    stage: frozenset[Stage],
    *,
    bare: bool = False,
) -> Watchers:
    """Whoever watches messages of this kind and (known) method, in the order of the sections.

    Of `bare` messages nobody knows which session they belong to.
    """
    watches = [w for w in _concerned(revision, kind, method, bare) if w.sees(method, stage)]
    return Watchers(
        tuple(watch.watcher for watch in watches if watch.having is None),
        frozenset(watch.having for watch in watches if watch.having is not None),
        tuple(watch.watcher for watch in watches),
    )


@cache
def decided_by(
    revision: str,
    kind: Kind,
    method: str | None,
    sender: Direction | None,
    *,
    bare: bool = False,
) -> frozenset[str]:
    """The rules about sessions that every such message of this sender decides."""
    watches = _concerned(revision, kind, method, bare)
    named = {rule for watch in watches for rule in watch.decides}
    bound = (rule for rule in named if blames_sender(rule, sender))
    return frozenset(rule for rule in bound if applies(rule, revision))


@cache
def _concerned(revision: str, kind: Kind, method: str | None, bare: bool) -> Sequence[_Watch]:
    """Those that are registered for such messages, once the sections that watch them are loaded."""
    about = revision, kind, method
    load_modules(
        section
        for section, watched in WATCHED_MESSAGES.items()
        if any(what.concerns(*about) for what in watched)
    )
    concerned = [watch for watch in MESSAGE_WATCHERS if watch.what.concerns(*about)]
    if bare:
        concerned = [watch for watch in concerned if watch.watcher in SEE_BARE_MESSAGES]
    return sorted(concerned, key=lambda watch: place_of(watch.watcher))


@cache
def line_watchers(revision: str, *, plain: bool) -> tuple[LineWatcher, ...]:
    """Whoever watches lines of a revision that are plain, or such as are not."""
    load_modules(
        section for section, what in WATCHED_LINES.items() if what.concerns(revision, plain=plain)
    )
    seeing = (watcher for watcher, what in LINE_WATCHERS if what.concerns(revision, plain=plain))
    return tuple(sorted(seeing, key=place_of))


def end_watchers(*, bare: bool) -> tuple[EndWatcher, ...]:
    """Whoever has watched a session, or bare messages, and looks back when they end."""
    return tuple(one for one in END_WATCHERS if not bare or one in SEE_BARE_MESSAGES)


_PLACES: Final = {f"mcp_assay.rules.session.{name}": n for n, name in enumerate(MODULES["session"])}


def place_of(watcher: Callable[..., object]) -> int:
    """The place of the section of a watcher: what was loaded first does not matter."""
    return _PLACES[watcher.__module__]
