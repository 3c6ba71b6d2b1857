"""Where the hints of a tool are not what other tools show after its calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mcp_assay.model.call import Asking, Call, Observation, ToolRun
from mcp_assay.model.scenario import COMPARED
from mcp_assay.rules.behaviour.rule import (
    DONE,
    at,
    behaviour_rule,
    called,
    example,
    sentence,
    shown,
)
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.text.words import quote

LEAST_CALLS: Final = 5
"""So many valid calls must have succeeded before what none of them did is proposed as a hint."""
LEAST_ROUNDS: Final = 2
"""So often must a reader have changed, and each time only then."""
CONTROLS: Final[tuple[Asking, ...]] = ("refused", "unrelated", "waits")
"""What is done to see whether a reader changes although the tool does nothing."""
HINTED: Final = {"readOnlyHint": True, "idempotentHint": True}
NO_EFFECT: Final = "no effect seen in 12 calls"
ONE: Final = ("1 note", "1 note")
TWO: Final = ("2 notes", "2 notes")
THREE: Final = ("3 notes", "3 notes")


def _seen(asking: Asking, *rounds: tuple[tuple[str, str], tuple[str, str]]) -> list[dict[str, Any]]:
    """What the reader of an example saw, round by round."""
    return [
        {"reader": "list_notes", "asking": asking, "call": 1, "before": before, "after": after}
        for before, after in rounds
    ]


def _observed(*observations: dict[str, Any]) -> Example:
    """An example in which another tool was asked around a call."""
    call = called({"id": 1}, result=DONE)
    tool = {"name": "find_note", "annotations": HINTED}
    return example(call, pointer="/calls/0", tool=tool, observations=list(observations))


def _proposed(supported: bool | None, reason: str, **hints: bool) -> Example:
    """An example of a tool with these hints, in whose calls nobody has seen an effect."""
    tool = {"name": "find_note", "annotations": hints}
    seen = {
        "hint": "readOnlyHint",
        "declared": hints.get("readOnlyHint"),
        "supported": supported,
        "calls": 12,
        "reason": reason,
    }
    annotations = {} if supported is None else {"readOnlyHint": supported}
    proposed = {"annotations": annotations, "hints": [seen]}
    return example(called({"id": 1}, result=DONE), pointer="/calls/0", tool=tool, proposed=proposed)


def _is_watched_success(call: Call) -> bool:
    return call.effects is not None and call.verdict.succeeded


@behaviour_rule(
    "DRIFT-008",
    "read-only-hint-contradicted",
    reason="read_only_hint_contradicted",
    tries=(COMPARED,),
    good=lambda: [
        _observed(*_seen("reads", (ONE, ONE), (ONE, ONE))),
        _observed(*_seen("reads", (ONE, TWO))),
        _observed(*_seen("reads", (ONE, TWO), (TWO, TWO))),
        _observed(*_seen("reads", (ONE, TWO), (TWO, ("3 notes", "4 notes")))),
        _observed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("refused", (TWO, THREE))),
        _observed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("unrelated", (TWO, THREE))),
        _observed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("waits", (TWO, THREE))),
    ],
    bad=lambda: [
        _observed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("refused", (ONE, ONE)))
    ],
)
def read_only_hint_contradicted(tried: ToolRun) -> Iterator[Found]:
    """A tool with readOnlyHint changes what another tool returns.

    Why: clients call read-only tools without asking the user, as often as they like.
    Instead: remove readOnlyHint, or make the tool change nothing.
    """
    yield from _contradicted(
        tried,
        "reads",
        "has readOnlyHint: true, but {reader} returns something different after each call",
        "readOnlyHint",
    )


@behaviour_rule(
    "DRIFT-009",
    "idempotent-hint-contradicted",
    reason="idempotent_hint_contradicted",
    tries=(COMPARED,),
    good=lambda: [
        _observed(*_seen("repeats", (TWO, TWO), (TWO, TWO))),
        _observed(*_seen("repeats", (ONE, TWO), (TWO, TWO))),
    ],
    bad=lambda: [_observed(*_seen("repeats", (ONE, TWO), (TWO, THREE)))],
)
def idempotent_hint_contradicted(tried: ToolRun) -> Iterator[Found]:
    """A tool with idempotentHint changes more each time the same call is repeated.

    Why: clients retry such a call when the response is lost, and then it takes effect twice.
    Instead: remove idempotentHint, or make repeated calls change nothing more.
    """
    yield from _contradicted(
        tried,
        "repeats",
        "has idempotentHint: true, but {reader} shows another change after each repeated call",
        "idempotentHint",
    )


@behaviour_rule(
    "EFF-014",
    "hints-say-more-than-it-does",
    reason="hints_say_more_than_it_does",
    shown_by=_is_watched_success,
    least=LEAST_CALLS,
    good=lambda: [
        _proposed(True, NO_EFFECT, readOnlyHint=True),
        _proposed(None, "its name, description or arguments do not say that it only reads"),
        _proposed(False, "files changed in 3 of 12 calls", readOnlyHint=False),
    ],
    bad=lambda: [
        _proposed(True, NO_EFFECT),
        _proposed(True, NO_EFFECT, readOnlyHint=False, destructiveHint=True),
    ],
)
def hints_say_more_than_it_does(tried: ToolRun) -> Iterator[Found]:
    """A tool without readOnlyHint: true that was never seen to change anything.

    Why: clients ask the user before each call, and directories refuse hints that are wrong.
    Instead: declare the proposed annotations, unless other arguments make it change something.
    """
    seen = tried.proposed.evidence("readOnlyHint") if tried.proposed else None
    if tried.proposed is None or seen is None or not seen.supported or seen.declared:
        return
    said = "false" if seen.declared is False else "not set"
    text = sentence(shown(tried), f"has readOnlyHint {said}, but {seen.reason}")
    hints = ", ".join(
        f'"{hint}": {str(value).lower()}' for hint, value in tried.proposed.annotations.items()
    )
    call = next((one for one in tried.calls if one.verdict.succeeded), tried.calls[0])
    yield at(tried, call, text, fix=f"Declare {{{hints}}}, if no other arguments change anything.")


def _contradicted(tried: ToolRun, asking: Asking, words: str, hint: str) -> Iterator[Found]:
    """What contradicts a hint that the tool declares; others only leave it without a proposal."""
    declared = tried.tool.get("annotations")
    if not isinstance(declared, dict) or declared.get(hint) is not True:
        return
    if rounds := _contradicting(tried.observations, asking):
        text = sentence(shown(tried), words.format(reader=quote(rounds[0].reader)))
        yield at(tried, _call(tried, rounds[0].call), text)


def is_contradicted(observations: Sequence[Observation], asking: Asking) -> bool:
    """Whether another tool changed with the calls of one, each time, and only with them."""
    return bool(_contradicting(observations, asking))


def _contradicting(observations: Sequence[Observation], asking: Asking) -> list[Observation]:
    """The rounds of the first reader that shows it."""
    for reader in dict.fromkeys(one.reader for one in observations):
        seen = [one for one in observations if one.reader == reader]
        rounds = [one for one in seen if one.asking == asking]
        if _is_shown(rounds) and not _changes_anyway(seen):
            return rounds
    return []


def _is_shown(rounds: list[Observation]) -> bool:
    return len(rounds) >= LEAST_ROUNDS and all(one.is_steady and one.is_changed for one in rounds)


def _changes_anyway(seen: list[Observation]) -> bool:
    """Whether a reader also changes where nothing was done: it tells the time, or counts calls."""
    return any(one.asking in CONTROLS and one.is_changed for one in seen)


def _call(tried: ToolRun, number: int) -> Call:
    return next(call for call in tried.calls if call.number == number)
