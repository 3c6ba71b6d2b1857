"""How a rule is written: its id, its words, its examples and, where it has one, its predicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypedDict, Unpack

from msgspec import Struct

from mcp_assay.model.entry import NO_DELIVERY, Delivery, Direction, Kind, Message
from mcp_assay.wire.pointer import Path


class MapKey(str):
    """A step of a path that the sender chose freely: the name of a member of an open map."""

    __slots__ = ()


class Found(Struct, frozen=True):
    """One fault as a predicate or a table sees it, before it becomes a Finding."""

    path: Path
    text: str
    rule: str = ""
    grade: str | None = None
    reason: str | None = None
    details: dict[str, Any] | None = None
    fix: str | None = None
    key: str = ""
    cause: str | None = None
    """What a fix must remove, where that is more than this fault."""
    about: Message | None = None
    """The message of the conversation that it is about, where that is not the present one."""


Predicate: TypeAlias = Callable[[Message], Iterator[Found]]
FastCheck: TypeAlias = Callable[[dict[str, Any]], bool]
"""Whether nothing is to be said about a message that its strict schema has accepted."""
SkipIf: TypeAlias = Callable[[Message], bool]
"""Whether a message is so plain that a group of predicates certainly says nothing about it."""


Breaks: TypeAlias = Literal["profile", "mcp", "both"]
BROKEN: Final[Mapping[Breaks, str]] = {
    "profile": "the profile, not MCP",
    "mcp": "MCP, not the profile",
    "both": "the profile and MCP",
}
"""What a response can break: the profile of the envelope, MCP, or both; and the words for it."""


class Example(Struct, frozen=True, kw_only=True):
    """A value that keeps a rule, or breaks it at `pointer`; the rule's subject says what it is.

    A message, what a server lists, a tool with its calls, a response, or the replies to a probe.
    """

    value: Any
    """A JSON value, or bytes where the text itself is the point."""
    revision: str
    method: str | None = None
    """For a response: the method of the request that it answers."""
    direction: Direction | None = None
    pointer: str = ""
    also: tuple[tuple[str, str], ...] = ()
    """Other findings that the same value cannot avoid: (rule, pointer)."""


class Step(Struct, frozen=True):
    """One line of an example session; without a message it tells only how things stood."""

    direction: Direction
    message: Any = None
    """A JSON value, or bytes where the text itself is the point."""
    delivery: Delivery = NO_DELIVERY


END: Final = -1
"""In place of a step: what is found when the session is over."""


class SessionExample(Struct, frozen=True, kw_only=True):
    """A session that keeps a rule, or breaks it at the step `at`."""

    steps: tuple[Step, ...]
    at: int | None = None
    """The index of the step that breaks the rule, or END; None where all is well."""
    pointer: str = ""
    also: tuple[tuple[int, str, str], ...] = ()
    """Other findings that the same session cannot avoid: (step, rule, pointer)."""
    partial: bool = False


class On(Struct, frozen=True):
    """The messages that a predicate looks at: of these kinds and, where named, of these methods."""

    kinds: tuple[Kind, ...]
    methods: tuple[str, ...] = ()
    request_methods: tuple[str, ...] = ()
    """Of the requests only those of these methods, where named."""
    results_since: str = ""
    """Of the results only those of this revision and later."""


WHY: Final = "Why:"
INSTEAD: Final = "Instead:"

RuleSubject: TypeAlias = Literal[
    "message", "session", "definition", "behaviour", "envelope", "probe"
]
"""What a rule is about; each subject has a folder of rules that is loaded alone."""
Examples: TypeAlias = Callable[[], Sequence[Example | SessionExample]]
"""Makes the examples of a rule, which only pages and tests look at."""


class Rule(Struct, frozen=True, kw_only=True):
    """A registered rule: what the catalogue does not hold."""

    id: str
    name: str
    subject: RuleSubject
    words: str
    """A title line, then "Why:" and "Instead:": few rules of a run are ever asked for them."""
    reason: str
    good: Examples
    bad: Examples
    breaks: Breaks | None = None
    """For a rule about responses: what a response that does not keep it breaks."""
    check: Predicate | None = None
    on: On = On(())
    patch: Mapping[str, Mapping[str, Any]] = {}
    fast_check: FastCheck | None = None
    skip_if: SkipIf | None = None

    @property
    def title(self) -> str:
        """What is wrong, in a sentence."""
        return self.words.strip().partition("\n")[0].strip()

    @property
    def why(self) -> str:
        """Why that matters."""
        return _joined(self.words.partition(WHY)[2].partition(INSTEAD)[0])

    @property
    def instead(self) -> str:
        """What to do instead."""
        return _joined(self.words.partition(INSTEAD)[2])

    @property
    def module(self) -> str:
        """The module in which the rule is written."""
        return self.good.__module__


REGISTRY: dict[str, Rule] = {}
"""Every rule that was loaded by its id, in the order of registration."""


def register(
    id: str,
    name: str,
    words: str,
    *,
    subject: RuleSubject,
    reason: str,
    good: Examples,
    bad: Examples,
    **more: Unpack[_More],
) -> None:
    """Register a rule: its words have a title line, then "Why:" and "Instead:"."""
    if id in REGISTRY:
        raise ValueError(f"{id} is registered twice")
    if not 0 < words.find(WHY) < words.find(INSTEAD):
        raise ValueError(f"{id}: the words need a title line, '{WHY}' and '{INSTEAD}'")
    REGISTRY[id] = Rule(
        id=id,
        name=name,
        subject=subject,
        words=words,
        reason=reason,
        good=good,
        bad=bad,
        **more,
    )


class _More(TypedDict, total=False):
    """What only rules of some subjects have."""

    breaks: Breaks
    check: Predicate
    on: On
    patch: Mapping[str, Mapping[str, Any]]
    fast_check: FastCheck | None
    skip_if: SkipIf | None


table_rule: Final = partial(register, subject="message")
"""Register the words and examples of a rule that reader, tables or engine decide."""
session_rule: Final = partial(register, subject="session")
"""Register the words and example sessions of a rule that watchers decide."""


def rule(
    id: str,
    name: str,
    *,
    reason: str,
    good: Examples,
    bad: Examples,
    on: On,
    patch: Mapping[str, Mapping[str, Any]] | None = None,
    fast_check: FastCheck | None = None,
    skip_if: SkipIf | None = None,
) -> Callable[[Predicate], Predicate]:
    """Register a predicate on a message under its catalogue id; its docstring holds the words.

    The fast check must never accept what the predicate objects to. Say how: `patch` adds JSON
    Schema fragments to the strict form of the named shapes, `fast_check` asks a message that has
    passed them what no schema can ask. `skip_if` spares a message a predicate that would say
    nothing.
    """
    if patch is None and fast_check is None:
        raise ValueError(f"{id}: say how the fast check keeps this rule (patch= or fast_check=)")

    def decorate(check: Predicate) -> Predicate:
        register(
            id,
            name,
            check.__doc__ or "",
            subject="message",
            reason=reason,
            good=good,
            bad=bad,
            check=check,
            on=on,
            patch=patch or {},
            fast_check=fast_check,
            skip_if=skip_if,
        )
        return check

    return decorate


def _joined(text: str) -> str:
    sentence = " ".join(text.split())
    return f"{sentence[:1].upper()}{sentence[1:]}"
