"""What sentences name: examples in a description, allowed values and directories in a refusal."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mcp_assay.scenario.limits import MAX_LISTED, MAX_MINED_TEXT, MAX_REFUSAL
from mcp_assay.text.names import word_set

_QUOTED: Final = re.compile(
    r"""(?<!\w)(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,80})`)(?!\w)"""
)
_EXAMPLES: Final = re.compile(r"\be\.?g\.|\bfor example\b|\bsuch as\b|\bexamples?:", re.IGNORECASE)
_PLAIN_EXAMPLE: Final = re.compile(r"^[,:]?\s*([\w/.+:@#-]{1,60})(?=[\s,;)]|$)")
_ALLOWED: Final = re.compile(
    r"\b(?:one of|(?:must|has to|have to|can only|may only) be either|options(?: are)?(?=:)"
    r"|allowed(?=:)|expected|should be|allowed values(?: are)?|valid values(?: are)?"
    r"|valid options(?: are)?|supported values(?: are)?"
    r"|(?<!not )available(?:(?! for ['\"`]) \w+){0,2}"
    r"(?: are| for ['\"`][^'\"`\n]{1,60}['\"`](?=\W))?"
    r"|valid \w+(?: are)?|supported \w+(?: are)?|choose from|permitted values(?: are)?)(?!\w)"
    r"[\s:=\[({]{0,3}",
    re.IGNORECASE,
)
_TOOLS: Final = re.compile(r"(?:the |these )?(?:following |available )?tools?\b", re.IGNORECASE)
"""How a list begins that names no values, but what may be called instead."""
_END: Final = re.compile(r"\n|[.;](?:\s|$)|\breceived\b|\bgot\b|\bbut\b|[\])}]", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*(?:,\s*or\s|,\s*and\s|,|\||(?<=\s)or(?=\s)|(?<=\s)and(?=\s))\s*")
_PLAIN_VALUE: Final = re.compile(r"^[\w./:+-]{1,60}$")
_LONGEST_LIST: Final = 1_000
MOST_REMEMBERED: Final = 64
"""Refusals that are not read again: a tool refuses many calls in the same words."""
_NOUNS: Final = word_set(
    "string number integer boolean object array list dict null none undefined value"
)
"""Words that name a type where a value might stand."""

_PLACES: Final = re.compile(
    r"\b(?:not in|must be (?:within|inside|under|in)|(?:is|are|lies) outside(?: of)?"
    r"|allowed (?:director(?:y|ies)|paths?|folders?|roots?)(?: are| is)?"
    r"|(?:root|base|working) director(?:y|ies)(?: are| is)?)\b",
    re.IGNORECASE,
)
_ABSOLUTE: Final = re.compile(
    r"""(?:(?<=[\s"'`\[(,:])|^)(?:/[^\s"'`,;:)\]]+|[A-Za-z]:\\[^\s"'`,;)\]]+)"""
)
_LISTED_FILE: Final = re.compile(
    r"^\s*(?:[-*]\s*)?\[(FILE|DIR)\]\s+(\S.{0,200}?)(?:\s{2,}\S.{0,40})?$", re.MULTILINE
)


def examples_in(description: str) -> list[str]:
    """The example values that a description names in quotes, or plainly after "e.g."."""
    start = _EXAMPLES.search(description[:MAX_REFUSAL])
    if start is None:
        return []
    rest = description[start.end() : MAX_REFUSAL].partition("\n")[0]
    before = description[: start.start()]
    if before.count("(") > before.count(")"):
        rest = _inside(rest)
    if found := _quoted(rest):
        return found
    plain = _PLAIN_EXAMPLE.match(rest)
    return [plain[1].rstrip(".,:;")] if plain else []


def examples_for(name: str, text: str) -> list[str]:
    """The example values that a text gives for an argument: behind its name, or set for it."""
    if name not in text:
        return []
    found: list[str] = []
    for match in _said_of(name).finditer(text[:MAX_REFUSAL]):
        behind = match[2].partition("\n")[0]
        is_set = match[1] in ("=", '":') and _QUOTED.match(behind)
        found += _quoted(is_set[0]) if is_set else examples_in(behind)
    return list(dict.fromkeys(found))[:MAX_LISTED]


@lru_cache(maxsize=256)
def _said_of(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w.]){re.escape(name[:100])}(?:['`]|(?=\")|)(?:\s*\([^()\n]{{0,60}}\))?\s*"
        r"""(=|":|:|-|\u2013|\bis\b|,)\s*([^\n]{1,300})"""
    )


def alternatives_in(description: str) -> list[str]:
    """The values between which a description gives the choice: 'asc' or 'desc'."""
    found = [one for one in _quoted(description[:MAX_REFUSAL]) if _PLAIN_VALUE.match(one)]
    return found if len(found) > 1 else list(allowed_in(description))


def _inside(text: str) -> str:
    """The text up to the parenthesis that closes what was opened before it."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return text[:place]
    return text


def allowed_in(refusal: str) -> tuple[str, ...]:
    """The allowed values that a refusal lists."""
    return _allowed_in(refusal[:MAX_REFUSAL])


@lru_cache(maxsize=MOST_REMEMBERED)
def _allowed_in(text: str) -> tuple[str, ...]:
    for cue in _ALLOWED.finditer(text):
        is_quoted = text.startswith('"', max(cue.start() - 1, 0))
        is_member = is_quoted and text.startswith('":', cue.end())
        if is_member or "tool" in cue[0].lower() or _TOOLS.match(text, cue.end()):
            continue
        if found := _listed(text[cue.end() : cue.end() + _LONGEST_LIST]):
            return tuple(found)
    return ()


def directories_in(text: str) -> list[str]:
    """The directories that a text says are allowed, in its last words about that."""
    text = text[:MAX_REFUSAL]
    if "/" not in text and "\\" not in text:
        return []
    cues = list(_PLACES.finditer(text))
    for cue in reversed(cues):
        if found := _ABSOLUTE.findall(text, cue.end()):
            return list(dict.fromkeys(_trimmed(path) for path in found))[:MAX_LISTED]
    return []


def listing_in(text: str) -> tuple[list[str], list[str]]:
    """The files and the directories of a listing with [FILE] and [DIR] before each name."""
    found = _LISTED_FILE.findall(text)[:MAX_LISTED]
    files = [name.strip() for kind, name in found if kind == "FILE"]
    return files, [name.strip() for kind, name in found if kind == "DIR"]


def _listed(text: str) -> list[str]:
    # Quotes may hold what ends a list elsewhere, so they are looked for first.
    line = text.partition("\n")[0]
    ended = _END.search(re.sub(_QUOTED, lambda quote: "x" * len(quote[0]), line))
    part = line[: ended.start()] if ended else line
    if found := _quoted(part):
        return found[:MAX_LISTED]
    values = [value.strip(" '\"`") for value in _BETWEEN.split(part)]
    plain = [value for value in values if _PLAIN_VALUE.match(value)]
    is_list = len(plain) > 1 and len(plain) == len([value for value in values if value])
    return [value for value in plain if value.lower() not in _NOUNS][:MAX_LISTED] if is_list else []


def _quoted(text: str) -> list[str]:
    found = ("".join(groups).strip() for groups in _QUOTED.findall(text))
    return list(dict.fromkeys(value for value in found if value))


def _trimmed(path: str) -> str:
    return path.rstrip(".,")[:MAX_MINED_TEXT]
