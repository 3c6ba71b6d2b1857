"""Where the hints of a tool are not what other tools show after its calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.call import Asking, Call, Observation, Trial
from mcp_assay.model.scenario import COMPARED
from mcp_assay.rules.behaviour.trial import (
    DONE,
    at,
    behaviour_rule,
    called,
    example,
    sentence,
    shown,
)
from mcp_assay.rules.rule import Example, Found
from mcp_assay.rules.words import quote

LEAST_ROUNDS: Final = 2
"""So often must a witness have changed, and each time only then."""
ONE: Final = ("1 note", "1 note")
TWO: Final = ("2 notes", "2 notes")
THREE: Final = ("3 notes", "3 notes")


def _seen(asking: Asking, *rounds: tuple[tuple[str, str], tuple[str, str]]) -> list[dict[str, Any]]:
    """What the witness of an example saw, round by round."""
    return [
        {"witness": "list_notes", "asking": asking, "call": 1, "before": before, "after": after}
        for before, after in rounds
    ]


def _witnessed(*observations: dict[str, Any]) -> Example:
    """An example in which another tool was asked around a call."""
    call = called({"id": 1}, result=DONE)
    return example(call, pointer="/calls/0", observations=list(observations))


@behaviour_rule(
    "DRIFT-008",
    "read-only-hint-contradicted",
    reason="read_only_hint_contradicted",
    tries=(COMPARED,),
    good=[
        _witnessed(*_seen("reads", (ONE, ONE), (ONE, ONE))),
        _witnessed(*_seen("reads", (ONE, TWO))),
        _witnessed(*_seen("reads", (ONE, TWO), (TWO, TWO))),
        _witnessed(*_seen("reads", (ONE, TWO), (TWO, ("3 notes", "4 notes")))),
        _witnessed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("refused", (TWO, THREE))),
        _witnessed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("waits", (TWO, THREE))),
    ],
    bad=[_witnessed(*_seen("reads", (ONE, TWO), (TWO, THREE)), *_seen("refused", (ONE, ONE)))],
)
def read_only_hint_contradicted(tried: Trial) -> Iterator[Found]:
    """A tool that claims to read only, after whose calls another tool answers differently.

    Why: clients call it without asking their users, as often as they like.
    Instead: drop readOnlyHint, or change nothing that others can see.
    """
    yield from _contradicted(
        tried, "reads", "says that it only reads, yet {witness} answers differently after each call"
    )


@behaviour_rule(
    "DRIFT-009",
    "idempotent-hint-contradicted",
    reason="idempotent_hint_contradicted",
    tries=(COMPARED,),
    good=[
        _witnessed(*_seen("repeats", (TWO, TWO), (TWO, TWO))),
        _witnessed(*_seen("repeats", (ONE, TWO), (TWO, TWO))),
    ],
    bad=[_witnessed(*_seen("repeats", (ONE, TWO), (TWO, THREE)))],
)
def idempotent_hint_contradicted(tried: Trial) -> Iterator[Found]:
    """A tool that claims to be idempotent, and changes more with every equal call.

    Why: clients repeat such a call when its answer is lost, and then it has been done twice.
    Instead: drop idempotentHint, or make an equal call change nothing more.
    """
    yield from _contradicted(
        tried, "repeats", "says that an equal call changes nothing more, yet {witness} shows more "
        "after each one"
    )  # fmt: skip


def _contradicted(tried: Trial, asking: Asking, words: str) -> Iterator[Found]:
    for witness in dict.fromkeys(one.witness for one in tried.observations):
        seen = [one for one in tried.observations if one.witness == witness]
        rounds = [one for one in seen if one.asking == asking]
        if _is_shown(rounds) and not _changes_anyway(seen):
            text = sentence(shown(tried), words.format(witness=quote(witness)))
            yield at(tried, _call(tried, rounds[0].call), text)
            return


def _is_shown(rounds: list[Observation]) -> bool:
    return len(rounds) >= LEAST_ROUNDS and all(one.is_steady and one.is_changed for one in rounds)


def _changes_anyway(seen: list[Observation]) -> bool:
    """Whether a witness also changes where nothing was done: it tells the time, or counts calls."""
    return any(one.asking in ("refused", "waits") and one.is_changed for one in seen)


def _call(tried: Trial, number: int) -> Call:
    return next(call for call in tried.calls if call.number == number)
