"""What sentences name: examples in a description, allowed values and directories in a refusal."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Any, Final

from msgspec import DecodeError, json

from mcp_assay.scenario.limits import MAX_LISTED, MAX_MINED_TEXT, MAX_READ_TEXT, MAX_REFUSAL
from mcp_assay.scenario.sketches import sketched
from mcp_assay.scenario.usual_values import singular
from mcp_assay.text.names import name_parts, word_set

_QUOTED: Final = re.compile(
    r"""(?<!\w)(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,300})`)(?!\w)"""
)
_PLAIN_EXAMPLE: Final = re.compile(r"^[,:]?\s*([\w/.+:@#-]{1,60})(?=[\s,;)]|$)")
_MARKS: Final = r"\s,;:()\u3001\u3002\uff08\uff09\uff0c\uff1a\uff1b"
_WIDE_EXAMPLE: Final = re.compile(
    rf"^[,:\uff0c\uff1a]?\s*([^{_MARKS}][^,;()\u3001\u3002\uff08\uff09\uff0c\uff1b]{{0,59}})"
)
"""An example behind words that are not English may have gaps in it, up to the next mark."""
_WIDE: Final = re.compile(r"[^\x00-\u024f]")
_ALLOWED: Final = re.compile(
    r"\b(?:one of|(?:must be|use)(?=:? ?['\"`\[(])"
    r"|(?:must|has to|have to|can only|may only) be either|options(?: are)?(?=:)"
    r"|allowed(?: \w+)?(?=:)|expected|should be|allowed values(?: are)?|valid values(?: are)?"
    r"|valid options(?: are)?|supported values(?: are)?|(?:supported|valid|choices|possible)(?=:)"
    r"|(?<!not )available(?:(?! for ['\"`]) \w+){0,2}"
    r"(?: are| for ['\"`][^'\"`\n]{1,60}['\"`](?=\W))?"
    r"|valid \w+(?: are)?|supported \w+(?: are)?|choose from|permitted values(?: are)?)(?!\w)"
    r"[\s:=\[({]{0,3}",
    re.IGNORECASE,
)
_LISTED_FOR: Final = re.compile(
    r"\b(?:allowed|available|known|permitted|possible|supported|valid) (\w{1,40})(?: are)?: ?",
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
_PARAMETER: Final = re.compile(
    r"([ \t]{0,40})(?:[-*+\u2022][ \t]{1,4}|:param[ \t](?:\w{1,40}[ \t])?|@param[ \t])?[`*'\"]{0,3}"
    r"(\w{1,80})[`*'\"]{0,3}[ \t]{0,4}(?:[(\[][^()\[\]\n]{0,120}[)\]])?[`*'\"]{0,3}[ \t]{0,4}"
    r"(?::|[-=\u2013\u2014](?=[ \t]))[*]{0,2}(.{0,1000})"
)
"""A line by which the description of a tool says what an argument is, as in "Args:" of Python."""
_UNTOLD: Final[tuple[str, tuple[str, ...]]] = ("", ())
_WITH: Final = re.compile(
    r"\b(?:with|keys?|fields?|members?|properties|containing|contains?|has|have|having|includ\w{1,4})\b"
    r"[^.\n]{0,300}",
    re.IGNORECASE,
)
"""How a description begins to say what an object consists of."""
_MEMBER: Final = re.compile(r"^[A-Za-z_]\w{0,40}$")
MOST_LITERALS: Final = 8
_GAPS: Final = ("...", "\u2026")
_GROUP: Final = re.compile(r"\(([^()\n]{3,300})\)")
_BEHIND_COLON: Final = re.compile(r":[ \t]([^:.;()\n]{3,300})\.?[ \t]*$", re.MULTILINE)
_BARS: Final = re.compile(r"(?<![\w|])\w[\w-]{0,30}(?:[ ]?\|[ ]?\w[\w-]{0,30}){1,20}")
_ITEM: Final = re.compile(r"^[^\W_][\w+./#-]{0,30}(?: [\w+./&-]{1,30}){0,2}$")
_CHOICE: Final = re.compile(r"\||/|\bor\b")
_ASIDES: Final = _NOUNS | word_set(
    "optional required default defaults int integer str string float bool boolean list min max "
    "inclusive exclusive maximum minimum etc including like e.g i.e see recommended deprecated "
    "if when only not no and with without for must may can should absolute relative positive "
    "negative case sensitive insensitive id ids name names path paths url urls file files"
)
"""Words in a parenthesis that speak of an argument, and are none of its values."""
_MEANT: Final = re.compile(
    r"(?<![A-Za-z0-9_.:/-])(-?[0-9]{1,3})\s?(?:=|:|-|\u2013|\u2014|\u2192|->|=>|\(|\uff1a|\uff1d|means\b|for\b|is\b|\u8868\u793a|\u4ee3\u8868"
    r"|\u4e3a|\u662f)\s?(?=[^\W\d_])"
)
"""A number, and a word that says what it stands for: "0 = off", "1: on"."""
_LEAST_ITEMS: Final = 3
"""So many things in a row, without a word that says so, are a choice."""

_PLACES: Final = re.compile(
    r"\b(?:not in|must be (?:within|inside|under|in)|(?:is|are|lies) outside(?: of)?"
    r"|allowed (?:director(?:y|ies)|paths?|folders?|roots?)(?: are| is)?"
    r"|(?:root|base|working) director(?:y|ies)(?: are| is)?)\b",
    re.IGNORECASE,
)
_OUTSIDE: Final = re.compile(
    r"\boutside\b(?: (?:of|the|its|your|project|allowed|root|working|workspace|repository|sandbox"
    r"|base|director(?:y|ies)|folders?|paths?)\b){0,5}",
    re.IGNORECASE,
)
"""How a refusal goes on to say where a path has to lie."""
_ABSOLUTE: Final = re.compile(
    r"""(?:(?<=[\s"'`\[(,:])|^)(?:/[^\s"'`,;:)\]]+|[A-Za-z]:\\[^\s"'`,;)\]]+)"""
)
_LISTED_FILE: Final = re.compile(
    r"^\s*(?:[-*]\s*)?\[(FILE|DIR)\]\s+(\S.{0,200}?)(?:\s{2,}\S.{0,40})?$", re.MULTILINE
)


@cache
def _example_cues() -> re.Pattern[str]:
    """What stands before an example, in the languages of descriptions."""
    text = files("mcp_assay.scenario").joinpath("example_cues.txt").read_text("utf-8")
    cues = (line for line in text.splitlines() if line and not line.startswith("#"))
    return re.compile("|".join(cues), re.IGNORECASE)


def examples_in(description: str) -> list[str]:
    """The example values that a description names in quotes, or plainly after "e.g."."""
    start = _example_cues().search(description[:MAX_REFUSAL])
    if start is None:
        return []
    rest = description[start.end() : MAX_REFUSAL].partition("\n")[0]
    before = description[: start.start()]
    if before.count("(") > before.count(")"):
        rest = _inside(rest)
    if found := _quoted(rest):
        return found
    is_wide = _WIDE.search(start[0]) is not None
    plain = (_WIDE_EXAMPLE if is_wide else _PLAIN_EXAMPLE).match(rest)
    return [plain[1].strip().rstrip(".,:;")] if plain else []


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


def listed_for(name: str, text: str) -> list[str]:
    """The values that a text lists as those of an argument: "Allowed commands: ls, pwd"."""
    words = {singular(word) for word in name_parts(name)}
    for cue in _LISTED_FOR.finditer(text[:MAX_REFUSAL]):
        if singular(cue[1].lower()) in words:
            return _listed(text[cue.end() : cue.end() + _LONGEST_LIST])
    return []


def alternatives_in(description: str) -> list[str]:
    """The values between which a description gives the choice: 'asc' or 'desc'."""
    found = [one for one in _quoted(description[:MAX_REFUSAL]) if _PLAIN_VALUE.match(one)]
    if len(found) > 1:
        return found
    return list(allowed_in(description)) or _enumerated_in(description[:MAX_REFUSAL])


def _enumerated_in(description: str) -> list[str]:
    """The values that stand in a row: in parentheses, behind a colon, or with bars between."""
    if bars := _BARS.search(description):
        return _items(bars[0])
    rows = (one for form in (_GROUP, _BEHIND_COLON) for one in form.findall(description))
    return next(filter(None, map(_items, rows)), [])


def _items(row: str) -> list[str]:
    """The things in a row, where all of them may be values."""
    items = [one.strip(" \t'\"`*") for one in re.split(r",|\||/|\bor\b", row)]
    items = [one for one in items if one]
    least = 2 if _CHOICE.search(row) else _LEAST_ITEMS
    if len(items) < least or not all(map(_ITEM.match, items)):
        return []
    words = (word for one in items for word in one.lower().split())
    return [] if not _ASIDES.isdisjoint(words) else items[:MAX_LISTED]


def numbers_in(description: str) -> list[int]:
    """The numbers of which a description says, one after another, what each of them means."""
    found = [int(number) for number in _MEANT.findall(description[:MAX_REFUSAL])]
    listed = list(dict.fromkeys(found))
    return listed if len(listed) > 1 else []


def told_of(name: str, purpose: str) -> str:
    """What the description of a tool says of an argument, in a line or paragraph of its own."""
    return _told(purpose[:MAX_READ_TEXT]).get(name, _UNTOLD)[0] if name in purpose else ""


def members_of(name: str, description: str, purpose: str) -> list[str]:
    """The members that an object has, as its description or that of its tool says."""
    told = _told(purpose[:MAX_READ_TEXT]).get(name, _UNTOLD)[1] if name in purpose else ()
    quoted = _quoted(found[0]) if (found := _WITH.search(description[:MAX_REFUSAL])) else []
    return list(told) or [one for one in quoted if _MEMBER.match(one)]


def literals_in(description: str) -> list[Any]:
    """The objects and lists that a description writes out."""
    text = description[:MAX_REFUSAL]
    starts = islice((place for place, mark in enumerate(text) if mark in "{["), MOST_LITERALS)
    for start in starts:
        if (found := _literal(text[start : start + _LONGEST_LIST])) is not None:
            return [found]
    return []


def _literal(text: str) -> Any:
    """The object or list that a text begins with; None where it is none, or empty."""
    depth = 0
    for place, mark in enumerate(text):
        depth += (mark in "{[") - (mark in "}]")
        if depth == 0:
            if any(gap in text[:place] for gap in _GAPS):
                return sketched(text[: place + 1])
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                found = literal_eval(text[: place + 1])
                return found if isinstance(found, dict | list) and found else None
            with suppress(DecodeError):
                return json.decode(text[: place + 1]) or None
            return sketched(text[: place + 1])
    return None


@lru_cache(maxsize=MOST_REMEMBERED)
def _told(purpose: str) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """What a description says of each argument, and of what members of it.

    That is the line that begins with its name, and those that are indented below it.
    """
    told: dict[str, tuple[str, tuple[str, ...]]] = {}
    above: list[tuple[int, str]] = []
    for line in purpose.splitlines():
        indent = len(line) - len(line.lstrip())
        above = [one for one in above if one[0] < indent] if line.strip() else []
        if found := _PARAMETER.match(line):
            name = found[2]
            told.setdefault(name, (found[3].strip(), ()))
            if above and above[-1][1] != name:
                said, members = told[above[-1][1]]
                told[above[-1][1]] = said, (*members, name)[:MAX_LISTED]
            above.append((indent, name))
        elif above:
            said, members = told[above[-1][1]]
            told[above[-1][1]] = f"{said} {line.strip()}"[:MAX_REFUSAL], members
    return told


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


def directories_in(text: str, *, is_refusal: bool = False) -> list[str]:
    """The directories that a text says are allowed, in its last words about that."""
    text = text[:MAX_REFUSAL]
    if "/" not in text and "\\" not in text:
        return []
    outside = _OUTSIDE.finditer(text) if is_refusal else ()
    cues = sorted((*_PLACES.finditer(text), *outside), key=lambda cue: cue.end())
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
