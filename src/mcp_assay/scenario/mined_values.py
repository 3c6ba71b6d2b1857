"""Values found in the answers of a server, each with the words that say what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec import DecodeError, Struct, ValidationError, json

from mcp_assay.rules.behaviour.texts import texts_of as block_texts
from mcp_assay.scenario.limits import (
    MAX_DEPTH,
    MAX_MINED,
    MAX_MINED_TEXT,
    MAX_READ_TEXT,
    MAX_REFUSAL,
)
from mcp_assay.scenario.named_values import listing_in
from mcp_assay.scenario.usual_values import MAX_NAME, SECRETS, noun, singular
from mcp_assay.text.names import name_parts, word_set
from mcp_assay.wire.values import is_well_formed

Scalar: TypeAlias = str | int | float
FactKind: TypeAlias = tuple[str, str, frozenset[str]]
"""What facts have in common: the tool, the name, and what it belongs to."""

_PAIR: Final = re.compile(
    r"^\W{0,8}([A-Za-z][\w -]{0,40}?)\W{0,2}[ \t]*[:=]\*{0,2}[ \t]*\*{0,2}[`\"']?"
    r"([^\s`\"',;*]{1,100})",
    re.MULTILINE,
)
_WITHIN: Final = re.compile(
    r"\b((?:[A-Za-z]{1,30}[ _-])?(?:ID|Id|id|UUID|uuid))\b[\s:=#]{1,3}[`\"'*]{0,3}"
    r"([A-Za-z0-9][\w-]{0,63})(?![\w-])"
)
"""An id in the middle of a sentence: "created with ID: 3f2a", "(task id `task-1`)"."""
_DAY: Final = re.compile(r"(?P<year>[0-9]{4})-(?P<month>0[1-9]|1[0-2])-[0-3][0-9](?![0-9])")
_VERBS: Final = word_set(
    "get list read find search fetch show describe query lookup all by of the a an for with"
)
"""Words of a tool's name that do not say what it is about."""


WRAPPERS: Final = word_set(
    "all available content data entry item list name output record response result row supported "
    "value"
)
"""Names of members that hold whatever their tool lists."""
_LISTS: Final = word_set("all available browse catalog discover enumerate index list ls supported")
"""Words of tools whose answers are lists."""
_BULLET: Final = re.compile(r"^\s*(?:[-*\u2022]|[0-9]{1,3}[.)])\s+")
_THING: Final = re.compile(r"^[\w][\w./:@#+-]{0,60}$")


class Fact(Struct, frozen=True):
    """A value that the server gave, what it was called, and what it belongs to."""

    tool: str
    name: str
    """The last word of its name: id, key, path."""
    about: frozenset[str]
    """The other words around it: of its name, of what holds it, of the tool."""
    value: Scalar
    named: frozenset[str] = frozenset()
    """Those of them that stand in its own name."""
    is_odd: bool = False
    """Whether a call told it that no sensible caller would make."""

    @property
    def kind(self) -> FactKind:
        """All of it but the value."""
        return self.tool, self.name, self.about


def facts_of(tool: str, result: Mapping[str, Any], texts: Iterable[str]) -> Iterator[Fact]:
    """What an answer with these texts tells; never more than so many facts."""
    return islice(_all_facts(tool, result, texts), MAX_MINED)


def texts_of(result: Mapping[str, Any]) -> list[str]:
    """The texts of an answer, or of the error that came instead of one."""
    texts = [text[:MAX_READ_TEXT] for text in block_texts(result)]
    error = result.get("error")
    if isinstance(error, dict) and isinstance(message := error.get("message"), str):
        texts.append(message[:MAX_READ_TEXT])
    return texts


def spoken_texts_of(result: Mapping[str, Any]) -> list[str]:
    """The texts of an answer as people would read them: of an object, each member in a line."""
    documents = [(text, _document(text)) for text in texts_of(result)]
    return [
        "\n".join(_spoken("", document, 0)) if isinstance(document, dict | list) else text
        for text, document in documents
    ]


def _spoken(name: str, value: Any, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    lead = f"{name}: " if name else ""
    if isinstance(value, dict):
        for inner, one in islice(value.items(), MAX_MINED):
            yield from _spoken(str(inner), one, depth + 1)
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield lead + ", ".join(f"'{one}'" for one in value[:MAX_MINED])
    elif isinstance(value, list):
        for one in value[:MAX_MINED]:
            yield from _spoken(name, one, depth + 1)
    elif isinstance(value, str):
        yield lead + value


@lru_cache(maxsize=MAX_MINED)
def nouns(name: str) -> frozenset[str]:
    """What a name is about: its words without verbs, each in the singular."""
    return frozenset(noun(word) for word in name_parts(name) if word not in _VERBS)


@lru_cache(maxsize=MAX_MINED)
def _minable(name: str) -> tuple[str, ...]:
    """The words of a name, each in the singular; none where it may name a secret."""
    words = tuple(map(noun, name_parts(name)))
    return () if is_secret(words) else words


def is_secret(words: Iterable[str]) -> bool:
    """Whether a name of these words may hold something that opens a door."""
    listed = list(words)
    joined = "".join(listed)
    return any(word in SECRETS or singular(word) in SECRETS for word in listed) or any(
        secret in joined for secret in ("apikey", "accesskey", "privatekey")
    )


def _all_facts(tool: str, result: Mapping[str, Any], texts: Iterable[str]) -> Iterator[Fact]:
    about = nouns(tool)
    if "structuredContent" in result:
        yield from _in_value(tool, result["structuredContent"], about, 0)
    for text in texts:
        document = _document(text)
        if isinstance(document, dict | list):
            yield from _in_value(tool, document, about, 0)
        else:
            yield from _in_listing(tool, text, about)
            yield from _in_text(tool, text, about)


def facts_sent(tool: str, arguments: Mapping[str, Any]) -> Iterator[Fact]:
    """What a tool was given that has made something: others may ask for it by the same names."""
    about = nouns(tool)
    for name, value in islice(arguments.items(), MAX_MINED):
        words = _minable(name[:MAX_NAME])
        if words and _is_usable(value):
            yield Fact(tool, words[-1], about | frozenset(words[:-1]), value)


def _listed_by(tool: str, values: Iterable[Any], about: frozenset[str]) -> Iterator[Fact]:
    """Plain values in a list are what the name of the tool says that it lists."""
    words = [noun(word) for word in name_parts(tool) if word not in _VERBS | _LISTS]
    for value in islice(values, MAX_MINED):
        if words and isinstance(value, str) and _is_usable(value) and not is_secret(words):
            yield Fact(tool, words[-1], about | frozenset(words[:-1]), value)


def _in_listing(tool: str, text: str, about: frozenset[str]) -> Iterator[Fact]:
    """The things in a text of the tool that lists them: one in each line, or commas between."""
    if _LISTS.isdisjoint(name_parts(tool)) or len(text) > MAX_REFUSAL:
        return
    lines = [_BULLET.sub("", line).strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = [one.strip() for one in lines[0].split(",")]
    things = [line.strip("`'\"") for line in lines]
    if things and all(map(_THING.match, things)):
        yield from _listed_by(tool, things, about)


def _document(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.decode(text)
    except (DecodeError, ValidationError, RecursionError, UnicodeError):
        return None


def _in_value(tool: str, value: Any, about: frozenset[str], depth: int) -> Iterator[Fact]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        yield from _listed_by(tool, value, about)
        for one in value[:MAX_MINED]:
            yield from _in_value(tool, one, about, depth + 1)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _in_member(tool, name, inner, about, depth)


def _in_member(
    tool: str, name: object, inner: Any, about: frozenset[str], depth: int
) -> Iterator[Fact]:
    words = _minable(name[:MAX_NAME]) if isinstance(name, str) else ()
    if not words:
        return
    if isinstance(inner, list) and words[-1] in WRAPPERS:
        yield from _listed_by(tool, inner, about | frozenset(words[:-1]))
    for one in inner[:MAX_MINED] if isinstance(inner, list) else [inner]:
        if isinstance(one, dict | list):
            yield from _in_value(tool, one, about | frozenset(words), depth + 1)
        elif _is_usable(one):
            belongs = about | frozenset(words[:-1])
            yield Fact(tool, words[-1], belongs, one, frozenset(words[:-1]))
            yield from _parts_of_date(tool, belongs, one)


def _parts_of_date(tool: str, about: frozenset[str], value: Scalar) -> Iterator[Fact]:
    """The year and the month in which a record lies: who asks by them finds something."""
    found = _DAY.match(value) if isinstance(value, str) else None
    if found:
        yield Fact(tool, "year", about, int(found["year"]))
        yield Fact(tool, "month", about, int(found["month"]))


def _in_text(tool: str, text: str, about: frozenset[str]) -> Iterator[Fact]:
    if "[" in text:
        files, folders = listing_in(text)
        yield from (Fact(tool, "file", about, name) for name in files)
        yield from (Fact(tool, "directory", about, name) for name in folders)
    for name, value in _WITHIN.findall(text[:MAX_READ_TEXT])[:MAX_MINED]:
        words = _minable(name)
        if any(map(str.isdigit, value)):
            yield Fact(tool, words[-1], about | frozenset(words[:-1]), value)
    if ":" not in text and "=" not in text:
        return
    for name, value in _PAIR.findall(text[:MAX_READ_TEXT])[:MAX_MINED]:
        words = _minable(name)
        if words and _is_usable(value) and any(map(str.isalnum, value)):
            own = frozenset(words[:-1])
            yield Fact(tool, words[-1], about | own, value, own)


def _is_usable(value: Any) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= MAX_MINED_TEXT and is_well_formed(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_missing = isinstance(value, int) and value < 0  # -1 stands for what is not there
    return is_number and not is_missing and abs(value) < 2**53
