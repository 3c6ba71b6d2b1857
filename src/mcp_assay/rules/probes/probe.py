"""How a probe is written: a generator that yields steps, is sent replies, and returns verdicts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import Open, Reply, Step
from mcp_assay.model.report import CheckOutcome
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.rule import Example, Found, replay_rule
from mcp_assay.rules.telling import tell
from mcp_assay.spec.catalogue import CATALOGUE

Verdicts: TypeAlias = list[Found | Open]
"""What is wrong, and what is open; a rule that is not among them is kept."""
Dialogue: TypeAlias = Generator[Step, Reply, Verdicts]
Talk: TypeAlias = Callable[[Known], Dialogue]
Over: TypeAlias = Literal["stdio", "http", "streamable http"]
Need: TypeAlias = Callable[[Known], str | None]
"""Says what a server would have to declare, None where it does."""

KEPT: Final[Verdicts] = []
NOT_LET_IN: Final = "the server did not let us in"
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
OWN_FAULTS: Final = (0, -32603)
"""Codes of errors with which libraries answer whatever went wrong inside."""
LONGEST_SHOWN: Final = 1000
"""Characters of a text that an example repeats."""


class Probe(Struct, frozen=True):
    """A conversation that decides rules."""

    decides: tuple[str, ...]
    talk: Talk
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
            return "not_testable", f"only a server that is reached over {self.over} shows it"
        missing = self.need(known) if self.need else None
        return ("not_declared", missing) if missing else None


PROBES: Final[list[Probe]] = []
"""Every probe, in the order in which they are made."""
TALKS: Final[dict[str, Talk]] = {}
"""For each rule that only probes decide: the dialogue of its examples."""


def probe(
    *decides: str,
    over: Over | None = None,
    need: Need | None = None,
    is_outside: bool = False,
    begins_anew: bool = False,
) -> Callable[[Talk], Talk]:
    """Register a dialogue that decides these rules; its docstring says what it asks."""

    def register(talk: Talk) -> Talk:
        PROBES.append(Probe(decides, talk, over, need, is_outside, begins_anew))
        return talk

    return register


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
) -> Found:
    """A rule that the server broke; the cause, where one fix removes more than this."""
    return Found((), text, rule=rule, grade=grade, key=key, fix=fix, cause=cause)


def undecided(rule: str, reason: str) -> Open:
    """A rule about which the replies say nothing."""
    return Open(rule, "undecided", reason)


def not_testable(rule: str, reason: str) -> Open:
    """A rule that this server gives no chance to test."""
    return Open(rule, "not_testable", reason)


def cause_in(reply: Reply) -> str | None:
    """What one fix removes: a server that tells every fault of its callers as its own."""
    if reply.code not in OWN_FAULTS:
        return None
    return f"what is wrong with a request is answered with error {reply.code}"


def how_it_ended(reply: Reply) -> str:
    """What came of a request, as the end of a sentence that begins with the server."""
    if reply.ending == "timed_out":
        return "does not answer"
    if reply.ending == "died":
        return "dies of it"
    if reply.ending == "unanswered":
        return f"answers with HTTP status {reply.status} and no message"
    if reply.is_error:
        return "answers with an error" if reply.code is None else f"answers with error {reply.code}"
    return "answers with a result"


def probe_rule(
    id: str,
    name: str,
    words: str,
    *,
    of: Talk,
    reason: str,
    good: Iterable[Example],
    bad: Iterable[Example],
) -> None:
    """Register the words of a rule that a probe decides, with replies that keep and break it."""
    TALKS[id] = of
    shown = [[_shown(example, of) for example in examples] for examples in (good, bad)]
    replay_rule(id, name, words, reason=reason, good=shown[0], bad=shown[1])


def replay(*replies: Reply, known: Known = Known()) -> Example:  # noqa: B008  it is frozen
    """An example: what is known of a server, and what it replies to each step of a probe."""
    return Example(message=(known, replies), revision=known.revision)


def _shown(example: Example, talk: Talk) -> Example:
    """The example as people read it: each step with its reply."""
    known, replies = example.message
    steps, _ = replayed(talk, known, replies)
    talked = [
        {"sent": _legible(msgspec.to_builtins(step)), "came": msgspec.to_builtins(reply)}
        for step, reply in zip(steps, replies, strict=True)
    ]
    return replace(example, message={"server": msgspec.to_builtins(known), "talk": talked})


def _legible(value: Any) -> Any:
    """What is sent, without texts that no page should have: very long ones, and bare bytes."""
    if isinstance(value, dict):
        return {name: _legible(it) for name, it in value.items()}
    if not isinstance(value, str):
        return value
    text = value.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST_SHOWN else f"{text[:20]}… ({len(text)} characters)"


def replayed(talk: Talk, known: Known, replies: Iterable[Reply]) -> tuple[list[Step], Verdicts]:
    """The steps of a dialogue with these replies, and what it says in the end."""
    steps: list[Step] = []
    dialogue = talk(known)
    try:
        step = next(dialogue)
        for reply in replies:
            steps.append(step)
            step = dialogue.send(reply)
    except StopIteration as end:
        return steps, end.value
    raise ValueError(f"{talk.__name__} wants a reply to {step}")


def example_of(message: dict[str, Any]) -> tuple[Known, list[Reply]]:
    """What an example was made of."""
    replies = [msgspec.convert(turn["came"], Reply) for turn in message["talk"]]
    return msgspec.convert(message["server"], Known), replies


def findings(verdicts: Verdicts, revision: str) -> list[Finding]:
    """What the verdicts say against the server, as far as the rules are of the revision."""
    return [
        tell(found, revision, direction="s2c")
        for found in verdicts
        if isinstance(found, Found) and revision in CATALOGUE[found.rule].revisions
    ]
