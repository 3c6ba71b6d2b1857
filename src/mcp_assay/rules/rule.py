"""How a rule is written: its id, its words, its examples and, where it has one, its predicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.message import Direction, Kind, Message
from mcp_assay.session.line import NO_LINE, Line
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
Residue: TypeAlias = Callable[[dict[str, Any]], bool]
"""Whether nothing is to be said about a message that its strict schema has accepted."""
Pardon: TypeAlias = Callable[[Message], bool]
"""Whether a message is so plain that a group of predicates certainly says nothing about it."""


Breaks: TypeAlias = Literal["profile", "mcp", "both"]
BROKEN: Final[Mapping[Breaks, str]] = {
    "profile": "the profile, not MCP",
    "mcp": "MCP, not the profile",
    "both": "the profile and MCP",
}
"""What a response can break: the profile of the envelope, MCP, or both; and the words for it."""


class Example(Struct, frozen=True, kw_only=True):
    """A message that keeps a rule, or breaks it at `pointer`."""

    message: Any
    """A JSON value, or bytes where the text itself is the point."""
    revision: str
    method: str | None = None
    """For a response: the method of the request that it answers."""
    direction: Direction | None = None
    pointer: str = ""
    also: tuple[tuple[str, str], ...] = ()
    """Other findings that the same message cannot avoid: (rule, pointer)."""


class Step(Struct, frozen=True):
    """One line of an example conversation; without a message it tells only how things stood."""

    direction: Direction
    message: Any = None
    """A JSON value, or bytes where the text itself is the point."""
    line: Line = NO_LINE


END: Final = -1
"""In place of a step: what is found when the conversation is over."""


class Script(Struct, frozen=True, kw_only=True):
    """A conversation that keeps a rule, or breaks it at the step `at`."""

    steps: tuple[Step, ...]
    at: int | None = None
    """The index of the step that breaks the rule, or END; None where all is well."""
    pointer: str = ""
    also: tuple[tuple[int, str, str], ...] = ()
    """Other findings that the same conversation cannot avoid: (step, rule, pointer)."""
    partial: bool = False


class On(Struct, frozen=True):
    """The messages that a predicate looks at: of these kinds and, where named, of these methods."""

    kinds: tuple[Kind, ...]
    methods: tuple[str, ...] = ()
    request_methods: tuple[str, ...] = ()
    """Of the requests only those of these methods, where named."""
    results_since: str = ""
    """Of the results only those of this revision and later."""


class Rule(Struct, frozen=True, kw_only=True):
    """A registered rule: what the catalogue does not hold."""

    id: str
    name: str
    title: str
    why: str
    instead: str
    reason: str
    good: tuple[Example, ...] = ()
    bad: tuple[Example, ...] = ()
    good_talks: tuple[Script, ...] = ()
    bad_talks: tuple[Script, ...] = ()
    good_responses: tuple[Example, ...] = ()
    bad_responses: tuple[Example, ...] = ()
    good_surfaces: tuple[Example, ...] = ()
    bad_surfaces: tuple[Example, ...] = ()
    """For a rule about definitions: what a server lists, by the names that results have for it."""
    good_trials: tuple[Example, ...] = ()
    bad_trials: tuple[Example, ...] = ()
    """For a rule about calls: a tool and how its calls went."""
    good_replays: tuple[Example, ...] = ()
    bad_replays: tuple[Example, ...] = ()
    """For a rule that a probe decides: a server, what it is sent and what comes of it."""
    breaks: Breaks | None = None
    """For a rule about responses: what a response that does not keep it breaks."""
    check: Predicate | None = None
    on: On = On(())
    patch: Mapping[str, Mapping[str, Any]] = {}
    residue: Residue | None = None
    unless: Pardon | None = None

    @property
    def good_alone(self) -> tuple[Example, ...]:
        """The good examples that are no conversations."""
        listed = (self.good_responses, self.good_surfaces, self.good_trials, self.good_replays)
        return sum(listed, self.good)

    @property
    def bad_alone(self) -> tuple[Example, ...]:
        """The bad examples that are no conversations."""
        listed = (self.bad_responses, self.bad_surfaces, self.bad_trials, self.bad_replays)
        return sum(listed, self.bad)


REGISTRY: dict[str, Rule] = {}
"""Every rule by its id, in the order of registration."""


def rule(
    id: str,
    name: str,
    *,
    reason: str,
    good: list[Example],
    bad: list[Example],
    on: On,
    patch: Mapping[str, Mapping[str, Any]] | None = None,
    residue: Residue | None = None,
    unless: Pardon | None = None,
) -> Callable[[Predicate], Predicate]:
    """Register a predicate under its catalogue id.

    The fast lane must never accept what the predicate objects to. Say how: `patch` adds JSON Schema
    fragments to the strict form of the named shapes, `residue` asks a message that has passed them
    what no schema can ask. `unless` spares the slow lane a predicate that would say nothing.
    """

    def register(check: Predicate) -> Predicate:
        if patch is None and residue is None:
            raise ValueError(f"{id}: say how the fast lane keeps this rule (patch= or residue=)")
        plain = _plain(id, name, check.__doc__ or "", reason, (good, bad))
        _add(replace(plain, check=check, on=on, patch=patch or {}, residue=residue, unless=unless))
        return check

    return register


def table_rule(
    id: str, name: str, words: str, *, reason: str, good: list[Example], bad: list[Example]
) -> None:
    """Register the words and examples of a rule that reader, tables or engine decide."""
    _add(_plain(id, name, words, reason, (good, bad)))


def session_rule(
    id: str, name: str, words: str, *, reason: str, good: list[Script], bad: list[Script]
) -> None:
    """Register the words and example conversations of a rule that watchers decide."""
    worded = _plain(id, name, words, reason, ([], []))
    _add(replace(worded, good_talks=tuple(good), bad_talks=tuple(bad)))


def response_rule(
    id: str,
    name: str,
    words: str,
    *,
    breaks: Breaks,
    reason: str,
    good: list[Example],
    bad: list[Example],
) -> None:
    """Register the words and example responses of a rule of the envelope's profile."""
    worded = _plain(id, name, words, reason, ([], []))
    shown = replace(worded, good_responses=tuple(good), bad_responses=tuple(bad))
    _add(replace(shown, breaks=breaks))


def surface_rule(
    id: str, name: str, words: str, *, reason: str, good: list[Example], bad: list[Example]
) -> None:
    """Register the words and example definitions of a rule that the linter decides."""
    worded = _plain(id, name, words, reason, ([], []))
    _add(replace(worded, good_surfaces=tuple(good), bad_surfaces=tuple(bad)))


def trial_rule(
    id: str, name: str, words: str, *, reason: str, good: list[Example], bad: list[Example]
) -> None:
    """Register the words and example trials of a rule about how a tool behaves."""
    worded = _plain(id, name, words, reason, ([], []))
    _add(replace(worded, good_trials=tuple(good), bad_trials=tuple(bad)))


def replay_rule(
    id: str, name: str, words: str, *, reason: str, good: list[Example], bad: list[Example]
) -> None:
    """Register the words and example talks of a rule that a probe decides."""
    worded = _plain(id, name, words, reason, ([], []))
    _add(replace(worded, good_replays=tuple(good), bad_replays=tuple(bad)))


def _plain(
    id: str, name: str, words: str, reason: str, examples: tuple[list[Example], list[Example]]
) -> Rule:
    title, why, instead = _sections(id, words)
    good, bad = map(tuple, examples)
    return Rule(
        id=id,
        name=name,
        title=title,
        why=why,
        instead=instead,
        reason=reason,
        good=good,
        bad=bad,
    )


def _add(rule: Rule) -> None:
    if rule.id in REGISTRY:
        raise ValueError(f"{rule.id} is registered twice")
    pairs = (rule.good_alone, rule.bad_alone), (rule.good_talks, rule.bad_talks)
    if not any(good and bad for good, bad in pairs):
        raise ValueError(f"{rule.id} needs a good and a bad example")
    REGISTRY[rule.id] = rule


def _sections(id: str, words: str) -> tuple[str, str, str]:
    title, _, rest = words.strip().partition("\n")
    why, found, instead = rest.partition("Instead:")
    if not found or "Why:" not in why:
        raise ValueError(f"{id}: the words need a title line, 'Why:' and 'Instead:'")
    return title.strip(), _joined(why.partition("Why:")[2]), _joined(instead)


def _joined(text: str) -> str:
    sentence = " ".join(text.split())
    return f"{sentence[:1].upper()}{sentence[1:]}"
