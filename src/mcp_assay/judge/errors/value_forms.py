"""Complaints about the form of a value: whether the caller sent one of another form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from mcp_assay.text.names import name_words, word_set

LONGEST: Final = 2_000
LONGEST_JSON: Final = 100_000
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]{0,30}://\S.{0,2000}", re.IGNORECASE | re.DOTALL)
_UUID: Final = re.compile(
    r"\{?(?:urn:uuid:)?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?", re.IGNORECASE
)
_BASE64: Final = re.compile(
    r"(?:[A-Za-z0-9+/_-]{4}){0,500}(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?"
)
_JSON_PLACE: Final = re.compile(r"\(char (\d{1,6})\)|\bjson at position (\d{1,6})", re.IGNORECASE)
_NONE: Final = re.compile(r"(?!)")
"""No value has the form: whatever was sent, the complaint is about it."""
_ABOVE_ZERO: Final = re.compile(r"(?!-\d|0(?:\.0{0,20})?$).{0,2000}", re.DOTALL)
_SMALL: Final = re.compile(r"(?!-?\d{3}|-?\d(?:\.\d{1,20})?e\+).{0,2000}", re.DOTALL)
"""All but numbers below or at zero, and all but large ones: functions are not defined for these,
or their results are too large."""


class ValueForm(Struct, frozen=True):
    """A form that values have in arguments of certain names."""

    phrases: tuple[str, ...]
    """Parts of complaints that are about it, in small letters."""
    names: frozenset[str]
    """Words in the names of the arguments; none where it may be any argument."""
    form: re.Pattern[str]
    but: frozenset[str] = frozenset()
    """Words in the names of arguments that it is never about."""


COUNTS: Final = word_set("count depth limit max min offset page pages size skip top")
"""Words of arguments that say how many or where to begin: a function of a number takes none."""
NEGATIVE: Final = (
    "math domain error", "out of domain", "nonnegative input", "positive input", "negative values",
    "negative power", "negative shift",
)  # fmt: skip
LARGE: Final = ("range error", "result out of range")

FORMS: Final = (
    ValueForm(NEGATIVE, frozenset(), _ABOVE_ZERO, but=COUNTS),
    ValueForm(LARGE, frozenset(), _SMALL, but=COUNTS),
    ValueForm(("absolute url",), word_set("url uri urls link href endpoint website page"), _URL),
    ValueForm(("uuid",), word_set("id ids uuid guid identifier key"), _UUID),
    ValueForm(("incorrect padding",), word_set("data base64 content image file payload"), _BASE64),
    ValueForm(
        ("not a zip", "not a gzip", "not a bzip2", "bad magic number"),
        word_set("archive document file filename filepath path workbook"),
        _NONE,
    ),
    ValueForm(("no such process",), word_set("pid pids process id"), _NONE),
    ValueForm(
        ("error validating data",),
        word_set("manifest manifests yaml resource spec definition content config body"),
        _NONE,
    ),
)


def stops_where_told(complaint: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts is JSON up to the very place that a complaint names.

    Most texts are no JSON from their beginning: who names that place may speak of any of them.
    """
    told = {int(number) for pair in _JSON_PLACE.findall(complaint) for number in pair if number}
    short = (text for text in texts if len(text) <= LONGEST_JSON)
    return bool(told) and any(_json_end(text) in told for text in short)


def _json_end(text: str) -> int | None:
    """Where a text stops being JSON; None where it is JSON to its end."""
    try:
        json.loads(text)
    except json.JSONDecodeError as fault:
        return fault.pos
    except (ValueError, RecursionError):
        return None
    return None


def is_owed_to_form(phrase: str, sent: Iterable[tuple[str, object]]) -> bool:
    """Whether a complaint is about the form of a value that was sent in another one."""
    small = phrase.lower()
    found = [one for one in FORMS if any(part in small for part in one.phrases)]
    return any(
        not one.form.fullmatch(str(value)[:LONGEST])
        for one in found
        for name, value in sent
        if _may_be_about(one, frozenset(name_words(name)))
    )


def _may_be_about(one: ValueForm, words: frozenset[str]) -> bool:
    is_named = not one.names or not one.names.isdisjoint(words)
    return is_named and one.but.isdisjoint(words)
