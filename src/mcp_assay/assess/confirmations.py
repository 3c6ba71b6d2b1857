"""Whether another tool shows what a tool says that it did: "saved", and it is in the list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.text.call_order import Deed, deed_of
from mcp_assay.text.secrets import texts_in

SHORTEST_TELLING: Final = 4
"""Shorter texts are in answers by chance."""
MOST_CALLS: Final = 3
"""So many calls of a tool are looked for in the answers of others."""


def is_shown_by_others(run: ToolRun, runs: Iterable[ToolRun]) -> bool:
    """Whether a reader shows a text that a call of this tool was given, and showed none before."""
    readers = [one for one in runs if one.name != run.name and deed_of(one.tool) is Deed.READS]
    answers = [call for one in readers for call in one.calls if call.verdict.succeeded]
    made = [call for call in run.calls if call.verdict.succeeded][:MOST_CALLS]
    return any(_is_shown(text, call.number, answers) for call in made for text in _texts(call))


def _texts(call: Call) -> set[str]:
    texts = {text for _, text in texts_in(call.scenario.arguments)}
    return {one for one in texts if len(one) >= SHORTEST_TELLING and one.isascii()}


def _is_shown(text: str, number: int, answers: Iterable[Call]) -> bool:
    """Whether answers after this call have the text and none before, which was not asked for."""
    holding = [one for one in answers if text.encode() in one.answer.text]
    telling = [one for one in holding if text not in _texts(one)]
    return bool(telling) and all(one.number > number for one in holding)
