"""How values and places are named in sentences for people, and a small redacted glimpse of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from json.encoder import encode_basestring
from math import isfinite
from types import NoneType
from typing import Any, Final
from unicodedata import normalize

from mcp_assay.text.secrets import holds_secret, names_secret
from mcp_assay.wire.pointer import Path, Step, pointer, resolve

JSON_TYPES: Final[Mapping[type, str]] = {
    NoneType: "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
WRITTEN_TYPES: Final[tuple[tuple[type, str], ...]] = (
    *((kind, name) for kind, name in JSON_TYPES.items()),
    (tuple, "array"),
    (Mapping, "object"),
)
PHRASES: Final = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number with a fraction",
    "string": "a string",
    "array": "an array",
    "object": "an object",
    "token": "a string or an integer",
}
UNREADABLE: Final = "unreadable"
REDACTED: Final = "[redacted]"
LONGEST_QUOTE: Final = 40
LONGEST_SEARCHED: Final = 256
SHORTEST_HIDDEN: Final = 8
LONGEST_NAME_COMPARED: Final = 64
MOST_NAMES_COMPARED: Final = 50
MOST_STEPS_NAMED: Final = 20
LONGEST_SPOT: Final = 100
"""A place with more characters is named by its first and last steps."""
LONGEST_BEGINNING: Final = 30
LONGEST_STEP: Final = 60
"""Longer than every name in MCP; one of the sender's may be longer."""
MOST_NAMED: Final = 5
"""So many names stand in a sentence, as many as people take in at a glance; more are counted."""


def json_type(value: Any, *, whole_floats: bool = False, written: bool = False) -> str:
    """The JSON type of a value, or "unreadable" for what the reader could only mark.

    With `whole_floats` 1.0 is an integer, as in JSON Schema. So is infinity: the reader gives it
    for integers that are too long to keep, and has said so. With `written` a value counts as what
    it is written as: a tuple as an array, any mapping as an object, a subclass as its base.
    """
    if whole_floats and isinstance(value, float) and (value.is_integer() or not isfinite(value)):
        return "integer"
    known = JSON_TYPES.get(type(value))
    if known is None and written:
        known = next((name for kind, name in WRITTEN_TYPES if isinstance(value, kind)), None)
    return known or UNREADABLE


def quote(text: str, most: int = LONGEST_QUOTE) -> str:
    """The text as a JSON string, cut where it is long, hidden where it holds a secret."""
    if len(text) >= SHORTEST_HIDDEN and holds_secret(text[:LONGEST_SEARCHED]):
        return REDACTED
    return encode_basestring(_cut(text, most))


def listing(values: Iterable[str], last: str = "or") -> str:
    """The values as people list them: "a", "a or b", "a, b or c"."""
    *head, tail = [quote(value) for value in values]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def spot(path: Path) -> str:
    """The path as a sentence names it: a JSON Pointer; of a long one the first and last steps.

    What matters most stands at the end. A step is left out whole; one that is far longer than any
    name in MCP loses its middle.
    """
    text = pointer(path)
    if len(text) <= LONGEST_SPOT:
        return text
    steps = [pointer((_shortened(step),)) for step in path[-MOST_STEPS_NAMED:]]
    last = _fitting(reversed(steps), LONGEST_SPOT - LONGEST_BEGINNING)
    if last == len(path):
        return "".join(steps)
    head = [pointer((_shortened(step),)) for step in path[: len(path) - last][:MOST_STEPS_NAMED]]
    first = _fitting(head, LONGEST_BEGINNING)
    left_out = "" if first + last == len(path) else "/…"
    return "".join((*head[:first], left_out, *steps[len(steps) - last :]))


def _fitting(steps: Iterable[str], room: int) -> int:
    """How many steps fit into so many characters; the first always does."""
    count = 0
    for step in steps:
        room -= len(step)
        if room < 0 and count:
            break
        count += 1
    return count


def _shortened(step: Step) -> Step:
    if not isinstance(step, str) or len(step) <= LONGEST_STEP:
        return step
    return f"{step[: LONGEST_STEP // 2]}…{step[-LONGEST_STEP // 2 :]}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def folded(name: str) -> str:
    """The name without what people mistype: case, separators, look-alike letters."""
    if len(name) > LONGEST_NAME_COMPARED:
        return name
    return normalize("NFKC", name).casefold().replace("_", "").replace("-", "")


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that somebody who wrote `name` most likely meant."""
    first = islice(names, MOST_NAMES_COMPARED)
    short = tuple(known for known in first if len(known) <= LONGEST_NAME_COMPARED)
    return _nearest(folded(name), short) if len(name) <= LONGEST_NAME_COMPARED else None


@lru_cache(maxsize=1024)
def _nearest(name: str, names: tuple[str, ...]) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415  slow to import, seldom needed

    known = {folded(known): known for known in names}
    near = get_close_matches(name, known, n=1, cutoff=0.75)
    return known[near[0]] if near else None


WORDS: Final = {None: "null", True: "true", False: "false"}
_NOTHING: Final = object()
_LARGEST_SHOWN: Final = 10**20
_SECRET_TYPES: Final = (str, int, float)


def with_article(library: str) -> str:
    """What a library is called in a sentence: an SDK has an article, a name has none."""
    return f"the {library}" if "SDK" in library.split() else library


def evidence(value: object, path: Path) -> str | None:
    """What stands at the path, None where nothing does."""
    seen = resolve(value, path, _NOTHING) if path else _NOTHING
    if seen is _NOTHING:
        return None
    if type(seen) in _SECRET_TYPES:
        for step in path:
            if isinstance(step, str) and names_secret(step):
                return REDACTED
    return glimpse(seen)


def glimpse(seen: Any) -> str:
    """The value itself where it is small, what kind of value it is where not."""
    if isinstance(seen, str):
        return quote(seen)
    if isinstance(seen, dict):
        return f"an object of {_number(len(seen), 'member')}"
    if isinstance(seen, list):
        return f"an array of {_number(len(seen), 'item')}"
    if isinstance(seen, int | float) and abs(seen) > _LARGEST_SHOWN:
        return "a very large number"
    if json_type(seen) == "unreadable":
        return "not read"
    return WORDS[seen] if seen is None or isinstance(seen, bool) else str(seen)


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
