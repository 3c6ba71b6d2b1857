"""What refusals demand of arguments: by the structure of their sentences, not by whole sentences.

A sentence that demands something names the argument, or holds the value that was sent for it, or
says of what kind of argument it is true; and it says what that has to be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.scenario.limits import MAX_REFUSAL
from mcp_assay.scenario.named_values import allowed_in, examples_in
from mcp_assay.scenario.path_values import is_path_name
from mcp_assay.scenario.statements import STATEMENT_FIELDS, statements_for
from mcp_assay.scenario.usual_values import FORMATS, by_description
from mcp_assay.text.names import name_parts

DemandKind: TypeAlias = Literal["absolute", "relative", "ending", "values", "needed", "apart"]

_SENTENCES: Final = re.compile(r"\n+|(?<=[a-z0-9)'\"`])(?<!\be\.g)(?<!\bi\.e)[.;!]\s+")
_DEMAND: Final = re.compile(
    r"\b(?:must|should|needs?|required?|requires|expected|expects|only|invalid|valid|format|please"
    r"|not (?:an?|in|supported|allowed)|provide|specify|supports?|supported|allowed|accepts?"
    r"|use|instead)\b",
    re.IGNORECASE,
)
_ABSOLUTE: Final = re.compile(r"\babsolute\b(?!\s+ur[il])|\brelative paths?\b", re.IGNORECASE)
_RELATIVE: Final = re.compile(
    r"\brelative to\b|\babsolute (?:\w+ )?paths?\b.{0,200}\bnot (?:allowed|supported|permitted)",
    re.IGNORECASE,
)
HIDDEN: Final = frozenset({".git", ".env", ".venv", ".github", ".vscode"})
"""Names of files and folders that look like endings."""
_ENDING: Final = re.compile(r"(?<![\w.])['\"`(]?\*?(\.[A-Za-z][A-Za-z0-9]{1,7})\b(?!\.\w)")
_EXAMPLE_ENDING: Final = re.compile(r"[\w/\\](\.[A-Za-z][A-Za-z0-9]{1,4})['\"`]")
_START: Final = re.compile(
    r"\b(?:start|begin|starting|beginning|prefixed) with:? (?:an? |the )?(?:prefix )?"
    r"(?:['\"`]([^'\"`\n]{1,40})['\"`]|([\w+.-]{2,20}://))",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(
    r"\babsolute ur[il]s?\b|\bhttps?\b.{0,20}\b(?:ur[il]s?|scheme)\b|\bvalid ur[il]\b|https?://",
    re.IGNORECASE,
)
_NEEDED: Final = re.compile(
    r"\b(?:missing|required|requires?|provided?|specif(?:y|ied)|supplied|supply|given|need(?:s|ed)?"
    r"|pass(?:ed)?|without|set)\b",
    re.IGNORECASE,
)
_ONE_OF: Final = re.compile(r"\b(?:either|one of|at least one|exactly one|or)\b", re.IGNORECASE)
_APART: Final = re.compile(
    r"\b(?:mutually exclusive|not both|(?:cannot|can't|can not|do not|don't|not)\b.{0,40}\bboth\b"
    r"|(?:only|exactly) one of|cannot be (?:combined|used together|used with))",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(
    r"\b(?:first|before|beforehand|use|call|run|invoke|execute)\b", re.IGNORECASE
)
_LONGEST_SENTENCE: Final = 600


class Demand(Struct, frozen=True):
    """What a refusal demands of one or several arguments."""

    kind: DemandKind
    arguments: tuple[str, ...]
    values: tuple[Any, ...] = ()
    """What is allowed there: values, or the endings of names."""


def demands_in(
    refusal: str, sent: Mapping[str, Any], names: Collection[str], pointer: str = ""
) -> list[Demand]:
    """What a refusal demands of the arguments of these names, where some of them were sent."""
    found: list[Demand] = []
    about: tuple[str, ...] = ()
    for sentence in _SENTENCES.split(refusal[:MAX_REFUSAL]):
        if sentence.strip() and len(sentence) <= _LONGEST_SENTENCE:
            # a sentence that names no argument goes on about the one before
            about = _arguments_of(sentence, sent, names) or about
            found += _of_sentence(sentence, about, sent, names)
    if listed := allowed_in(refusal):
        about = _arguments_of(refusal[:MAX_REFUSAL], sent, names)
        varied = pointer.removeprefix("/")
        meant = about if len(about) == 1 else (varied,) if varied in names else ()
        found += [Demand("values", meant, tuple(listed))] if meant else []
    return list(dict.fromkeys(found))


def without_sent(text: str, sent: Mapping[str, Any]) -> str:
    """A refusal without what was sent, which it only repeats."""
    texts = (value for value in sent.values() if isinstance(value, str) and len(value) > 1)
    return reduce(lambda rest, value: rest.replace(value, ""), texts, text)


def tools_wanted_in(refusal: str, tools: Iterable[str]) -> set[str]:
    """The other tools that a refusal says to call first."""
    text = refusal[:MAX_REFUSAL]
    if not _FIRST.search(text):
        return set()
    return {name for name in tools if len(name_parts(name)) > 1 and _word(name).search(text)}


def _of_sentence(
    sentence: str, about: tuple[str, ...], sent: Mapping[str, Any], names: Collection[str]
) -> Iterator[Demand]:
    yield from _presence(sentence, about, sent)
    if not _DEMAND.search(sentence):
        return
    paths = tuple(name for name in about or names if is_path_name(name))
    if _RELATIVE.search(sentence) and paths:
        yield Demand("relative", paths)
    elif _ABSOLUTE.search(sentence) and paths:
        yield Demand("absolute", paths)
    texts = tuple(name for name in about if not isinstance(sent.get(name), int | float))
    if (endings := _endings(without_sent(sentence, sent))) and (paths or texts):
        yield Demand("ending", paths or texts[:1], endings)
    elif values := _forms(sentence):
        yield from [Demand("values", (name,), values) for name in texts[:1]]
    queries = tuple(name for name in about or names if _is_statement(name))
    if (statements := statements_for(sentence)) and queries:
        yield Demand("values", queries[:1], statements)


def _presence(sentence: str, about: tuple[str, ...], sent: Mapping[str, Any]) -> Iterator[Demand]:
    """Which arguments must be there, and which not together."""
    if len(about) > 1 and _APART.search(sentence):
        yield Demand("apart", about)
    missing = tuple(name for name in about if name not in sent)
    if not missing or not _NEEDED.search(sentence):
        return
    is_choice = len(about) > 1 and _ONE_OF.search(sentence)
    if not is_choice:
        yield Demand("needed", missing)
    elif len(missing) == len(about):
        yield Demand("needed", missing[:1])


def _endings(sentence: str) -> tuple[str, ...]:
    found = [*_ENDING.findall(sentence), *_EXAMPLE_ENDING.findall(sentence)]
    return tuple(dict.fromkeys(one.lower() for one in found if one not in HIDDEN))


def _forms(sentence: str) -> tuple[str, ...]:
    """Values of the form that a sentence names."""
    if examples := examples_in(sentence):
        return tuple(examples)
    if start := _START.search(sentence):
        prefix = start[1] or start[2]
        return FORMATS["uri"] if prefix.startswith("http") else (f"{prefix}example",)
    if _ADDRESS.search(sentence):
        return FORMATS["uri"]
    return by_description(sentence)


def _is_statement(name: str) -> bool:
    return not STATEMENT_FIELDS.isdisjoint(name_parts(name))


def _arguments_of(text: str, sent: Mapping[str, Any], names: Collection[str]) -> tuple[str, ...]:
    """The arguments that a text names; else those whose values it holds."""
    named = tuple(name for name in names if _word(name).search(text))
    if named:
        return named
    return tuple(name for name, value in sent.items() if _has(text, value))


def _has(text: str, value: object) -> bool:
    return isinstance(value, str) and len(value) > 1 and value in text


@lru_cache(maxsize=1024)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name[:100])}(?![\w-])")
