"""What speaks for a kind of error besides its wording: the shape of a message, codes, the call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, SILENT, STRONG
from mcp_assay.judge.errors.texts import Statement
from mcp_assay.model.verdict import ErrorKind, Factor, ValidationContext
from mcp_assay.text.names import name_words, word_set

MISSING_FILE: Final = "no such file or directory"
NAMED_FILE: Final = re.compile(rf"{MISSING_FILE}(?:: |, [a-z]{{1,12}} )'([^'\n]{{1,300}})'")
"""As Python and Node word it, in a folded text."""
SETTING: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,60}(?![A-Za-z0-9_])")
"""A name as variables of the environment have it."""
SETTING_ENDS: Final = frozenset(
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "URL", "URI", "DSN", "HOST", "PORT", "ENDPOINT"]
)
"""The last words of such names."""
CODE_STARTS: Final = frozenset(
    ["BAD", "E", "ERR", "ERROR", "EXPIRED", "INVALID", "MISSING", "NO", "UNKNOWN", "WRONG"]
)
"""The first words of names that are codes of errors instead."""
WANTING: Final = re.compile(
    r"\b(?:is|be|are|not|isn't|must) set\b|\bset the\b|\bplease set\b|\brequire[sd]?\b"
    r"|\bmissing\b|\bprovide\b|\bdefined?\b|\bconfigured?\b|\bneed(?:s|ed)?\b"
)
"""What is said of a variable that is wanted."""
NEAR: Final = 60
MOST_SETTINGS: Final = 20
QUOTES: Final = ("'", '"')
LONGEST_KEY: Final = 60


def bare_factors(text: str, fold: str, found: Sequence[Factor], given: Given) -> Iterator[Factor]:
    """What the shape of a message says where its words do not."""
    if MISSING_FILE in fold:
        yield from _missing_own_file(fold, given)
    yield from _wanted_settings(text, fold, given)
    if any(factor.weight > SILENT for factor in found):
        return
    rest = _unwrapped(text.strip(), found)
    if _is_quoted_key(rest):
        # Python says no more of a key that a dictionary lacks.
        yield Factor("bare key", "failure", FAIR, rest, "python")


def _missing_own_file(fold: str, given: Given) -> Iterator[Factor]:
    """A file that is not there, and that nobody asked for: a program, or a file of the server's."""
    for match in NAMED_FILE.finditer(fold):
        if not given.has_part_of(match[1]):
            yield Factor("file of its own", "environment", CERTAIN, match[1], "response")


def _wanted_settings(text: str, fold: str, given: Given) -> Iterator[Factor]:
    """A variable of the server's environment that it wants, and that is no argument."""
    for match in islice(SETTING.finditer(text), MOST_SETTINGS):
        if not _is_setting(match[0]) or given.takes(match[0]):
            continue
        if WANTING.search(fold, max(match.start() - NEAR, 0), match.end() + NEAR):
            yield Factor("setting of its own", "environment", CERTAIN, match[0], "response")
            return


def _is_setting(name: str) -> bool:
    first, *_, last = name.split("_")
    return last in SETTING_ENDS and first not in CODE_STARTS


def _unwrapped(text: str, found: Sequence[Factor]) -> str:
    """What a wrapper has put its words, and the name of the tool, before."""
    for factor in found:
        before, wrapper, after = text.partition(factor.text)
        if wrapper and not before:
            text = after.partition(": ")[2]
    return text.strip()


def _is_quoted_key(text: str) -> bool:
    inside = text[1:-1]
    return (
        2 < len(text) <= LONGEST_KEY
        and text[0] == text[-1]
        and text[0] in QUOTES
        and not any(character.isspace() or character in QUOTES for character in inside)
    )


RPC_CODES: Final[Mapping[int, ErrorKind]] = {
    -32700: "business",
    -32600: "business",
    -32601: "business",
    -32602: "business",
}
"""What a JSON-RPC code says by itself; -32603 wraps anything, so it says nothing."""

REFUSALS: Final = frozenset(
    {*range(400, 407), *range(409, 419), 421, 422, 423, 424, 425, 426, 428, 429, 431, 451}
)
OUT_OF_ORDER: Final = frozenset({407, 408, 444, 499, *range(500, 512), *range(520, 531), 598, 599})
"""Statuses of something between, or behind, that does not work."""

STATUS: Final = 6.0
"""A status in a member of its own says more than a phrase, and less than a cause that is told."""
_LOOKS_LIKE_STATUS: Final = re.compile(r"[45][0-9][0-9]")
_STANDS_AS_STATUS: Final = re.compile(
    r"(?:\b(?:https?(?:/[0-9.]{1,3})?|status(?: ?code)?|statuscode|(?:http|api|server) error"
    r"|(?:responded|failed|answered|replied|rejected) with(?: an?)?(?: http)?(?: status)?(?: code)?"
    r"|returned(?: an?)?(?: http)?(?: status)?(?: code)?|error|code)[ :=(#\"']{1,3})"
    r"([45][0-9][0-9])(?![0-9%]|[.,][0-9]| ?m?s\b| (?:bytes|rows|items|results|records|usd|eur)\b)"
    r"|\(([45][0-9][0-9])\)(?::|[.]?$)"
)
"""Every part of it is bounded, so that it takes time in proportion to the text."""


def rpc_and_http(codes: Iterable[int]) -> Iterator[Factor]:
    """What the numbers say that stand in members for codes."""
    for code in codes:
        if code in RPC_CODES:
            yield Factor("MCP error code", RPC_CODES[code], STRONG, str(code), "code")
        elif kind := http_kind(code):
            yield Factor("HTTP status", kind, STATUS, str(code), "code")


def http_statuses(fold: str) -> Iterator[Factor]:
    """What the HTTP statuses in a folded text say; numbers that stand elsewhere are none."""
    if not _LOOKS_LIKE_STATUS.search(fold):
        return
    matches = _STANDS_AS_STATUS.finditer(fold)
    for found in dict.fromkeys(match[1] or match[2] for match in matches):
        if kind := http_kind(int(found)):
            yield Factor("HTTP status", kind, STRONG, found, "text")


def http_kind(status: int) -> ErrorKind | None:
    """What an HTTP status says by itself."""
    if status in REFUSALS:
        return "business"
    return "environment" if status in OUT_OF_ORDER else None


WHISPER: Final = 0.25
NAMED: Final = 1.0
"""An argument together with its value is said louder."""

REFUSING_VERBS: Final = word_set(
    """
    create add insert update modify set delete remove get fetch read write query search find list
    entity entities relation observation node edge record move copy duplicate archive link
    associate connect attach scrape crawl map extract parse analyze process load open save close
    play stop pause upload download import export run execute invoke call send receive post put
    """
)
"""Words of a tool's name that suggest arguments which can be refused."""

LONGEST_TOOL_READ: Final = 200


def context_factors(
    context: ValidationContext, said: Statement, given: Given, fold: str
) -> Iterator[Factor]:
    """The lesser factors: the tool's name, the form, the data, and what was tried."""
    verb = _refusing_verb(_tool_name(context.tool))
    if verb:
        yield Factor("tool that validates", "business", WHISPER, verb, "tool name")
    if said.is_structured:
        yield Factor("structured error", "business", WHISPER, "an error object", "response")
    together = given.named_with_value(fold) if said.text else None
    named = together or (given.named(fold) if said.text else None)
    if named:
        weight = FAIR if together else NAMED
        yield Factor("names what was sent", "business", weight, named, "input")
    if context.scenario_category == "error_case":
        yield Factor("scenario", "business", WHISPER, "error_case", "scenario")
    elif context.scenario_category == "happy_path":
        yield Factor("scenario", "failure", WHISPER, "happy_path", "scenario")


def _tool_name(tool: object) -> str:
    name = tool.get("name") if type(tool) is dict else None
    return name[:LONGEST_TOOL_READ] if type(name) is str else ""


@lru_cache(maxsize=1024)
def _refusing_verb(name: str) -> str | None:
    return next((word for word in name_words(name) if word in REFUSING_VERBS), None)
