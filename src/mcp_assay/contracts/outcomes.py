"""What a call came to, as contract tests see it: by the verdict, and by how errors are told."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.contracts.conventions import Told, told_error
from mcp_assay.contracts.reading import words_of
from mcp_assay.model.call import Call
from mcp_assay.model.verdict import Trouble
from mcp_assay.schema.checking import Prepared

What: TypeAlias = Literal["succeeded", "refused", "broke", "cut off"]
"""It answered; it would not; it failed by itself; it could not reach what it needs."""

BREAKS: Final[dict[Trouble, str]] = {
    "crashed": "failed by itself",
    "died": "ended the server",
    "timed_out": "was not answered in time",
    "no_content": "was answered with nothing usable",
}


class Outcome(Struct, frozen=True, kw_only=True):
    """What one call came to."""

    what: What
    how: str
    """What it did, as the end of a sentence about the call."""
    told: Told | None = None
    """The error that it told."""


def outcome(call: Call, own: Prepared | None = None) -> Outcome:
    """What a call came to; `own` is the user's JSON Schema of errors."""
    trouble, said = call.verdict.trouble, words_of(call.answer)
    if trouble in BREAKS:
        return Outcome(what="broke", how=f"{BREAKS[trouble]}: {said}")
    if trouble == "environment":
        return Outcome(what="cut off", how=f"could not reach what it needs: {said}")
    told = told_error(call.answer, own)
    if told is not None:
        return Outcome(what="refused", how=f"was refused: {said}", told=told)
    return Outcome(what="succeeded", how="succeeded")
