"""What is known about a server before it is probed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import wraps
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import OpenStep, Reply, Step
from mcp_assay.model.report import CheckOutcome
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.rules.engine.rule import Example, Examples, Found, register
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import DEFAULT_REVISION, R2026_07_28
from mcp_assay.text.endings import what_it_does


class ArgumentSample(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Arguments of a tool that its inputSchema admits, and such that it does not."""

    valid: dict[str, Any] | None = None
    invalid: dict[str, Any] | None = None


class Known(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a server declared and listed, and how it is reached."""

    revision: str = DEFAULT_REVISION
    is_http: bool = False
    is_old_http: bool = False
    """Whether it speaks the transport of 2024-11-05 over HTTP, with its one stream."""
    session: str = ""
    """The id of a session with it that stays open meanwhile, over HTTP."""
    has_session: bool = False
    """Whether it gave a session id, over HTTP."""
    has_credentials: bool = False
    """Whether the user gave headers that let us in."""
    is_closed: bool = False
    """Whether it refused to talk to us with status 401 or 403."""
    forbidden: str = ""
    """The challenge with which it refused our own token with status 403."""
    url: str | None = None
    is_revision_known: bool = True
    """Whether the revision was agreed on or given, and not only guessed."""
    has_declared: bool = True
    """Whether it had a chance to say what its capabilities are."""
    capabilities: dict[str, Any] = field(default_factory=dict)
    offered: list[str] = field(default_factory=list)
    """The revisions that it names as its own."""
    tools: list[dict[str, Any]] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    templates: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[dict[str, Any]] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)
    """The lists that it declares, and that did not come, by their names in results."""
    callable: list[str] = field(default_factory=list)
    """The names of tools that may be called."""

    samples: dict[str, ArgumentSample] = field(default_factory=dict)
    """For tools that may be called: arguments that were made for them, where anybody needs them."""

    def arguments_for(self, tool: dict[str, Any]) -> dict[str, Any] | None:
        """Arguments with which a tool may be called; None where it may not, or none were made."""
        name, schema = tool.get("name"), tool.get("inputSchema")
        if name not in self.callable or not isinstance(schema, dict):
            return None
        if not schema.get("required"):
            return {}
        return self.samples[name].valid if name in self.samples else None

    @property
    def is_modern(self) -> bool:
        """Whether it is spoken to without a handshake."""
        return self.revision >= R2026_07_28

    @property
    def has_both_eras(self) -> bool:
        """Whether it names revisions with a handshake and without."""
        return len({revision >= R2026_07_28 for revision in self.offered}) > 1

    def declares(self, *path: str) -> bool:
        """Whether this member of its capabilities is there, and not false."""
        value: Any = self.capabilities
        for name in path:
            if not isinstance(value, dict) or name not in value:
                return False
            value = value[name]
        return value is not None and value is not False


Verdicts: TypeAlias = list[Found | OpenStep]
"""What is wrong, and what is open; a rule that is not among them is kept."""
Dialogue: TypeAlias = Generator[Step, Reply, Verdicts]
StartDialogue: TypeAlias = Callable[[Known], Dialogue]
"""Begins the dialogue with a server of which this much is known."""
Over: TypeAlias = Literal["stdio", "http", "streamable http"]
Need: TypeAlias = Callable[[Known], str | None]
"""Says what a server would have to declare, None where it does."""

ReplayExample: TypeAlias = tuple[Known, tuple[Reply, ...]]
"""What is known of a server, and what it replies to each step of a probe."""
DialogueExamples: TypeAlias = Callable[[], Iterable[ReplayExample]]

KEPT: Final[Verdicts] = []
NOT_LET_IN: Final = "the server refused the connection"
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
OWN_FAULTS: Final = (0, -32603)
"""Codes of errors with which libraries answer whatever went wrong inside."""
LONGEST_EXAMPLE_TEXT: Final = 1000
"""Characters of a text that an example repeats."""


class Probe(Struct, frozen=True):
    """A conversation that decides rules."""

    decides: tuple[str, ...]
    start: StartDialogue
    over: Over | None
    need: Need | None
    is_outside: bool = False
    """Whether it needs no conversation: a server that lets nobody in can be probed so too."""
    begins_anew: bool = False
    """Whether it begins with a connection on which nothing was said yet."""

    def reason_against(self, known: Known) -> tuple[CheckOutcome, str] | None:
        """Why this server cannot be probed so, None where it can."""
        if known.is_closed and not self.is_outside:
            return "not_testable", NOT_LET_IN
        if self.over is not None and self.over not in _ways(known):
            return "not_testable", f"this applies only to servers reached over {self.over}"
        missing = self.need(known) if self.need else None
        return ("not_declared", missing) if missing else None


PROBES: Final[list[Probe]] = []
"""Every probe, in the order in which they are made."""
DIALOGUES: Final[dict[str, StartDialogue]] = {}
"""For each rule that only probes decide: the dialogue of its examples."""


def probe(
    *decides: str,
    over: Over | None = None,
    need: Need | None = None,
    is_outside: bool = False,
    begins_anew: bool = False,
) -> Callable[[StartDialogue], StartDialogue]:
    """Register a dialogue that decides these rules; its docstring says what it asks."""

    def decorate(start: StartDialogue) -> StartDialogue:
        PROBES.append(Probe(decides, start, over, need, is_outside, begins_anew))
        return start

    return decorate


def _ways(known: Known) -> tuple[Over, ...]:
    if not known.is_http:
        return ("stdio",)
    return ("http",) if known.is_old_http else ("http", "streamable http")


def declares(*path: str) -> Need:
    """The need of a capability."""

    def need(known: Known) -> str | None:
        return None if known.declares(*path) else f"the server does not declare {'.'.join(path)}"

    return need


def fault(
    rule: str,
    text: str,
    *,
    grade: str | None = None,
    key: str = "",
    fix: str | None = None,
    cause: str | None = None,
    text_sent: str = "",
) -> Found:
    """A rule that the server broke; the cause, where one fix removes more than this.

    `text_sent`: the text to which it is the answer, where several were sent.
    """
    details = {"text": text_sent} if text_sent else None
    return Found((), text, rule=rule, grade=grade, key=key, fix=fix, cause=cause, details=details)


def undecided(rule: str, reason: str) -> OpenStep:
    """A rule about which the replies say nothing."""
    return OpenStep(rule, "undecided", reason)


def not_testable(rule: str, reason: str) -> OpenStep:
    """A rule that this server gives no chance to test."""
    return OpenStep(rule, "not_testable", reason)


def cause_in(reply: Reply) -> str | None:
    """What one fix removes: a server that tells every fault of its callers as its own."""
    if reply.code not in OWN_FAULTS:
        return None
    return f"what is wrong with a request is answered with error {reply.code}"


def how_it_ended(reply: Reply) -> str:
    """What came of a request, as the end of a sentence that begins with the server."""
    if reply.ending != "answered":
        return what_it_does(reply.ending, reply.status)
    if reply.is_error:
        return "returns an error" if reply.code is None else f"returns error {reply.code}"
    return "returns a result"


def probe_rule(
    id: str,
    name: str,
    words: str,
    *,
    of: StartDialogue,
    reason: str,
    good: DialogueExamples,
    bad: DialogueExamples,
) -> None:
    """Register the words of a rule that a probe decides, with replies that keep and break it."""
    DIALOGUES[id] = of
    register(
        id,
        name,
        words,
        subject="probe",
        reason=reason,
        good=_shown(good, of),
        bad=_shown(bad, of),
    )


def replay(*replies: Reply, known: Known = Known()) -> ReplayExample:  # noqa: B008  it is frozen
    """An example: what is known of a server, and what it replies to each step of a probe."""
    return known, replies


def _shown(examples: DialogueExamples, start: StartDialogue) -> Examples:
    """The examples as people read them: each step with its reply."""

    @wraps(examples)
    def shown() -> list[Example]:
        return [_as_shown(*example, start) for example in examples()]

    return shown


def _as_shown(known: Known, replies: tuple[Reply, ...], start: StartDialogue) -> Example:
    steps, _ = replayed(start, known, replies)
    exchanged = [
        {"sent": _legible(msgspec.to_builtins(step)), "came": msgspec.to_builtins(reply)}
        for step, reply in zip(steps, replies, strict=True)
    ]
    value = {"server": msgspec.to_builtins(known), "dialogue": exchanged}
    return Example(value=value, revision=known.revision)


def _legible(value: Any) -> Any:
    """What is sent, without texts that no page should have: very long ones, and bare bytes."""
    if isinstance(value, dict):
        return {name: _legible(it) for name, it in value.items()}
    if not isinstance(value, str):
        return value
    text = value.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST_EXAMPLE_TEXT else f"{text[:20]}… ({len(text)} characters)"


def replayed(
    start: StartDialogue, known: Known, replies: Iterable[Reply]
) -> tuple[list[Step], Verdicts]:
    """The steps of a dialogue with these replies, and what it says in the end."""
    steps: list[Step] = []
    dialogue = start(known)
    try:
        step = next(dialogue)
        for reply in replies:
            steps.append(step)
            step = dialogue.send(reply)
    except StopIteration as end:
        return steps, end.value
    raise ValueError(f"{start.__name__} wants a reply to {step}")


def example_of(message: dict[str, Any]) -> tuple[Known, list[Reply]]:
    """What an example was made of."""
    replies = [msgspec.convert(turn["came"], Reply) for turn in message["dialogue"]]
    return msgspec.convert(message["server"], Known), replies


def findings(verdicts: Verdicts, revision: str) -> list[Finding]:
    """What the verdicts say against the server, as far as the rules are of the revision."""
    return [
        to_finding(found, revision, direction="s2c")
        for found in verdicts
        if isinstance(found, Found) and revision in CATALOGUE[found.rule].revisions
    ]
