"""Values that were missing when a text was put together: undefined, NaN, [object Object]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import orjson
from msgspec import Struct

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.rules.behaviour.leaks import is_to_show_traces
from mcp_assay.rules.behaviour.rule import (
    at,
    behaviour_rule,
    called,
    example,
    of_calls,
    sentence,
    shown,
)
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.words import quote

JOINED: Final = {"[object Object]": "[object-Object]", "Invalid Date": "Invalid-Date"}
"""What is written in two words, and how it is compared as one."""
OF_NO_LANGUAGE: Final = frozenset({"undefined", "NaN", *JOINED.values()})
"""What only programs write where a value is missing."""
OF_PROSE: Final = frozenset({"None", "null"})
"""What people write as well, but not before a unit: in None days."""
PUNCTUATION: Final = ".,;:!?()'\"`*"
LONGEST_TEXT: Final = 2_000
"""A longer text is a document, which somebody else may have written."""
Surroundings: TypeAlias = tuple[str, str]
"""The word before a value and the one behind it; "" where the line begins or ends."""


class _Slot(Struct, frozen=True):
    """One word of a line, and what stands around it."""

    word: str
    around: Surroundings


def _birthday(name: str, days: str) -> dict[str, Any]:
    text = f"{name} has birthday in {days} days."
    return called({"name": name}, result={"content": [{"type": "text", "text": text}]})


def _allergies(name: str, what: str) -> dict[str, Any]:
    text = f"Allergies: {what}"
    return called({"name": name}, result={"content": [{"type": "text", "text": text}]})


def _is_prose(call: Call) -> bool:
    """A success that says something in words."""
    return call.verdict.succeeded and any(map(_lines, texts_of(call.answer.result)))


@behaviour_rule(
    "RESP-016",
    "missing-value-in-text",
    reason="missing_value_in_text",
    shown_by=_is_prose,
    least=2,
    good=lambda: [
        example(_birthday("Ada", "22"), _birthday("Alan", "217")),
        example(_birthday("Ada", "NaN")),
        example(_allergies("Ada", "nuts"), _allergies("Alan", "None")),
        example(_birthday("Ada", "22"), _birthday("NaN", "NaN")),
        example(
            _birthday("Ada", "22"), _birthday("Alan", "NaN"), tool={"name": "show_source_file"}
        ),
    ],
    bad=lambda: [
        example(_birthday("Ada", "22"), _birthday("Alan", "NaN"), pointer="/calls/1"),
        example(_birthday("Ada", "22"), _birthday("Alan", "None"), pointer="/calls/1"),
        example(
            _allergies("Ada", "nuts"), _allergies("Alan", "[object Object]"), pointer="/calls/1"
        ),
    ],
)
def missing_value_in_text(tried: ToolRun) -> Iterator[Found]:
    """A text contains undefined, NaN, None or [object Object] where other results have a value.

    Why: a model repeats it to the user, or takes it for a value.
    Instead: say that the value is not known, or return an error.
    """
    if is_to_show_traces(tried.tool):
        return
    said = [(call, list(_slots(call))) for call in tried.calls if _is_prose(call)]
    filled = {slot.around for _, slots in said for slot in slots if not _is_missing(slot)}
    found = [
        (call, slot)
        for call, slots in said
        for slot in slots
        if _is_missing(slot) and slot.around in filled and not _is_sent(slot, call)
    ]
    if found:
        first, slot = found[0]
        calls = list({call.number: call for call, _ in found}.values())
        words = f"returned text with {quote(_shown(slot.word))} in place of a value"
        yield at(tried, first, sentence(shown(tried), words, of_calls(calls, tried)))


def _slots(call: Call) -> Iterator[_Slot]:
    for text in texts_of(call.answer.result):
        for line in _lines(text):
            yield from _slots_in(line)


def _slots_in(line: str) -> Iterator[_Slot]:
    for written, joined in JOINED.items():
        line = line.replace(written, joined)
    words = ["", *line.split(), ""]
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        if any(map(str.isalpha, before + after)):
            yield _Slot(word.strip(PUNCTUATION), (before, after))


def _lines(text: str) -> Iterable[str]:
    """The lines of a text, none where it is a document or JSON."""
    if len(text) > LONGEST_TEXT or _is_json(text):
        return ()
    return text.splitlines()


def _is_json(text: str) -> bool:
    try:
        return isinstance(orjson.loads(text), dict | list)
    except orjson.JSONDecodeError:
        return False


def _is_missing(slot: _Slot) -> bool:
    unit = slot.around[1].strip(PUNCTUATION)
    return slot.word in OF_NO_LANGUAGE or (slot.word in OF_PROSE and unit.islower())


def _is_sent(slot: _Slot, call: Call) -> bool:
    return _shown(slot.word) in repr(call.scenario.arguments)


def _shown(word: str) -> str:
    """What stands in the text, as it is written there."""
    return next((written for written, joined in JOINED.items() if joined == word), word)
