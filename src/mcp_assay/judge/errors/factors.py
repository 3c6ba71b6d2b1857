"""What speaks for a kind of error besides its wording: the shape of a message, codes, the call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import FAIR, SILENT, STRONG
from mcp_assay.judge.errors.texts import Statement
from mcp_assay.model.verdict import ErrorKind, Factor, ValidationContext
from mcp_assay.text.names import name_words, word_set

QUOTES: Final = ("'", '"')
LONGEST_KEY: Final = 60


def bare_factors(text: str, found: Sequence[Factor], given: Given) -> Iterator[Factor]:
    """Python says no more of a key that a dictionary lacks; its words are no evidence."""
    is_silent = all(factor.weight <= SILENT for factor in found)
    wrappers = [factor for factor in found if factor.weight <= SILENT]
    rest = _unwrapped(text.strip(), wrappers)
    if _is_quoted_key(rest) and (is_silent or not given.has_value(rest)):
        yield Factor("bare key", "failure", FAIR if is_silent else STATUS, rest, "python")


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

HTTP_STATUS: Final = "HTTP status"
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
    r"|indicate success"
    r"|(?:responded|failed|answered|replied|rejected) with(?: an?)?(?: http)?(?: status)?(?: code)?"
    r"|returned(?: an?)?(?: http)?(?: status)?(?: code)?|error|code)[ :=(#\"']{1,3})"
    r"([45][0-9][0-9])(?![0-9%]|[.,][0-9]| ?m?s\b| (?:bytes|rows|items|results|records|usd|eur)\b)"
    r"|\(([45][0-9][0-9])\)(?::|[.]?$)"
    r"|\b(?:fail\w{0,5}|error|unable|could not|couldn't|rejected)\b[^\n:]{0,60}: "
    r"([45][0-9][0-9])(?=$|[\n:;{]| [{\-\n]| [a-z]{2,12}(?: [a-z]{2,12})?(?:$|[.:\n]))"
    r"|(?:^|: )([45][0-9][0-9])(?:: | [{\n])",
    re.ASCII,
)
"""Every part of it is bounded, so that it takes time in proportion to the text."""


def rpc_and_http(codes: Iterable[int], said: Sequence[Factor] = ()) -> Iterator[Factor]:
    """What the numbers say that stand in members for codes.

    A status in the words of a message is that of its cause: then the member's is the wrapper's.
    """
    told = {factor.speaks_for for factor in said if factor.name == HTTP_STATUS}
    for code in codes:
        if code in RPC_CODES:
            yield Factor("MCP error code", RPC_CODES[code], STRONG, str(code), "code")
        elif kind := http_kind(code):
            weight = STATUS if not told or kind in told else FAIR
            yield Factor(HTTP_STATUS, kind, weight, str(code), "code")


def http_statuses(fold: str) -> list[Factor]:
    """What the HTTP statuses in a folded text say; numbers that stand elsewhere are none."""
    if ("4" not in fold and "5" not in fold) or not _LOOKS_LIKE_STATUS.search(fold):
        return []
    matches = _STANDS_AS_STATUS.finditer(fold)
    numbers = dict.fromkeys(next(filter(None, match.groups())) for match in matches)
    kinds = ((number, http_kind(int(number))) for number in numbers)
    return [Factor(HTTP_STATUS, kind, STRONG, number, "text") for number, kind in kinds if kind]


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
SCENARIOS: Final[Mapping[str, ErrorKind]] = {
    "error_case": "business",
    "happy_path": "failure",
}
"""What it says by itself that something was tried, and went wrong."""


def context_factors(
    context: ValidationContext, said: Statement, given: Given, fold: str
) -> list[Factor]:
    """The lesser factors: the tool's name, the form, the data, and what was tried."""
    found: list[Factor] = []
    if verb := _refusing_verb(_tool_name(context.tool)):
        found.append(Factor("tool that validates", "business", WHISPER, verb, "tool name"))
    if said.is_structured:
        found.append(Factor("structured error", "business", WHISPER, "an error object", "response"))
    if together := given.named_with_value(fold):
        found.append(Factor("names what was sent", "business", FAIR, together, "input"))
    elif fold and (named := given.named(fold)):
        found.append(Factor("names what was sent", "business", NAMED, named, "input"))
    tried = context.scenario_category or ""
    if tried in SCENARIOS:
        found.append(Factor("scenario", SCENARIOS[tried], WHISPER, tried, "scenario"))
    return found


def _tool_name(tool: object) -> str:
    name = tool.get("name") if type(tool) is dict else None
    return name[:LONGEST_TOOL_READ] if type(name) is str else ""


@lru_cache(maxsize=1024)
def _refusing_verb(name: str) -> str | None:
    return next((word for word in name_words(name) if word in REFUSING_VERBS), None)
