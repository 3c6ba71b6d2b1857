"""What the shape of an error says: the forms of engines, browsers, resolvers and frameworks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import CERTAIN, DECISIVE, FAIR, SILENT
from mcp_assay.model.verdict import ErrorKind, Factor
from mcp_assay.text.names import name_words, word_set

LONGEST_READ: Final = 16_000
MOST_MATCHES: Final = 20
LONGEST_SHOWN: Final = 80
LONGEST_CODE: Final = 60
LONGEST_SENTENCE: Final = 200
FEWEST_WORDS: Final = 3


class ErrorShape(Struct, frozen=True):
    """A form of errors, and what it says about the one that has it."""

    name: str
    speaks_for: ErrorKind
    weight: float
    form: re.Pattern[str]
    hints: tuple[str, ...]
    """One of these stands in every folded text that has the form: what is looked for first."""
    is_of_what_was_sent: bool = False
    """Whether it is a refusal, or says nothing, where its first group was sent by the caller."""


_PHRASES_OF_5XX: Final = (
    r"(?:an? )?(?:unexpected )?(?:internal )?(?:server error|service error)|bad gateway"
    r"|gateway time-?out|service (?:is )?(?:temporarily )?unavailable|service_unavailable"
    r"|the server had an error|server is overloaded|overloaded_error|internal_(?:server_)?error"
    r"|upstream (?:request )?(?:error|timeout|failure)|backend (?:error|failure)"
)
_PROGRAM: Final = r"['\"]?([\w./+-]{1,80})['\"]?"

SHAPES: Final[Sequence[ErrorShape]] = (
    ErrorShape(
        "engine message",
        "failure",
        CERTAIN,
        re.compile(
            r"^(?:[A-Z]\w{0,60}Error: |Uncaught )?"
            r"([A-Za-z_$][\w$.]{0,80}(?:\(\.{3}\)[\w$.]{0,60})?)"
            r" is not (?:defined|a function|a constructor|iterable)\.?$",
            re.MULTILINE,
        ),
        is_of_what_was_sent=True,
        hints=(" is not ",),
    ),
    ErrorShape(
        "browser error",
        "environment",
        CERTAIN,
        re.compile(
            r"()net::ERR_(?!INVALID_URL|UNKNOWN_URL|FILE_|ABORTED|BLOCKED|INVALID_ARG)[A-Z_]{3,40}"
            r"|NS_ERROR_(?:UNKNOWN_HOST|NET_\w{1,30}|CONNECTION_\w{1,30}|OFFLINE|PROXY_\w{1,30})"
        ),
        hints=("net::err", "ns error"),
    ),
    ErrorShape(
        "address refused",
        "business",
        DECISIVE,
        re.compile(r"()net::ERR_(?:INVALID_URL|UNKNOWN_URL_SCHEME)\b"),
        hints=("net::err",),
    ),
    ErrorShape(
        "null dereferenced",
        "failure",
        CERTAIN,
        re.compile(
            r"()\bCannot (?:invoke|read|assign|load|store|throw|enter)\b[^\n]{1,160}"
            r" because [^\n]{1,160} is null"
        ),
        hints=("is null",),
    ),
    ErrorShape(
        "DNS error",
        "environment",
        CERTAIN,
        re.compile(
            r"()\bquery[A-Z]\w{0,10} E[A-Z]{3,12}\b|\bEAI_[A-Z]{3,12}\b|\bgetaddrinfo E[A-Z]{3,12}"
        ),
        hints=("query", "eai ", "getaddrinfo"),
    ),
    ErrorShape(
        "program of its own",
        "environment",
        CERTAIN,
        re.compile(
            rf"\b(?:spawn|spawnSync|execFile|posix_spawnp?|execv[pe]{{0,2}}|fork/exec|CreateProcess)"
            rf"(?: |: |\(){_PROGRAM}\)?:?,? (?:E[A-Z]{{3,12}}|[Nn]o such file|[Nn]ot found|failed)"
            rf"|[Ss]tart(?:ing)? process {_PROGRAM}|run program {_PROGRAM}"
            rf"|exec: {_PROGRAM}: executable"
        ),
        is_of_what_was_sent=True,
        hints=("spawn", "exec", "process", "program"),
    ),
    ErrorShape(
        "failed assertion",
        "failure",
        CERTAIN,
        re.compile(
            r"()\b[Aa]ssertion [`'\"][^\n]{1,160}['\"`] failed"
            r"|\bassert(?:ion)?\([^\n]{1,160}\) failed"
        ),
        hints=("assert",),
    ),
    ErrorShape(
        "too slow",
        "environment",
        CERTAIN,
        re.compile(
            r"()\btimeout (?:of|after) \d|\btook (?:more|longer) than [\d.,]{1,12} ?"
            r"(?:ms|milli\w{1,10}|s|sec\w{0,6}|min\w{0,6})\b"
        ),
        hints=("timeout ", " than "),
    ),
    ErrorShape(
        "upstream failure",
        "environment",
        CERTAIN,
        re.compile(
            r"()\b(?:api|service|upstream|gateway|provider|backend|server|endpoint|cloud)\b"
            rf"[^\n:]{{0,40}}: ?(?:\w{{1,30}}: )?(?:{_PHRASES_OF_5XX})(?![\w-])",
            re.IGNORECASE,
        ),
        hints=("error", "unavailable", "bad gateway", "time", "overloaded", "failure"),
    ),
    ErrorShape(
        "own return value",
        "failure",
        DECISIVE,
        re.compile(
            r"()validation errors? for \w{0,80}(?:Output|Result|Response|Return)\b"
            r"|\b(?:returned|produced|returns) an? (?:invalid|unexpected|unsupported) "
            r"(?:result|output|value|type|return)"
            r"|\breturn (?:value|type)\b[^\n]{0,80}\b(?:is not|expected|invalid|does not)"
            r"|\bunexpected return (?:type|value)"
            r"|\b(?:validat|serializ|serialis)(?:e|ing) (?:the )?(?:tool(?:'s)? )?"
            r"(?:result|output|return|response)"
            r"|\bdid not return structured|\bPydanticSerializationError\b"
            r"|\b(?:result|output) does not conform to (?:this|the|its) tool|\bthe tool's output\b",
            re.IGNORECASE,
        ),
        hints=("validation error", "return", "valid", "seriali", "structured", "output"),
    ),
)
"""Every form is bounded, so that it takes time in proportion to the text."""

SILENT_CODES: Final = word_set(
    """
    abort aborted bad cancelled canceled err error errors exception fail failed failure fatal
    generic internal issue operation problem request runtime server service system tool unexpected
    unhandled unknown unspecified
    """
)
"""Words of codes that do not say what happened."""
COMPLAINTS: Final = re.compile(
    r"\b(?:error|exception|fail\w{0,6}|wrong|crash\w{0,6}|abort\w{0,6}|cancel\w{0,6}|interrupt\w{0,6}|unexpected\w{0,4}"
    r"|problem|problems|issue|issues|broken|bug|oops|unable|could(?: not|n't)|unsuccessful|internal"
    r"|unknown|try again|contact|support|log|logs|bad|stopped|ended|exit\w{0,4})\b",
    re.IGNORECASE,
)
"""Words that leave open who is at fault."""
_CODE: Final = re.compile(r"[A-Za-z]{2,30}(?:[-_.][A-Za-z]{2,30}){1,6}")


def shape_factors(text: str, fold: str, found: Sequence[Factor], given: Given) -> Iterator[Factor]:
    """What the form of an error says, whatever its words are."""
    said = text[:LONGEST_READ]
    for shape in SHAPES:
        if not any(hint in fold for hint in shape.hints):
            continue
        for match in islice(shape.form.finditer(said), MOST_MATCHES):
            named = next(filter(None, match.groups()), "")
            if not (shape.is_of_what_was_sent and named and given.has_sent(named)):
                yield _factor(shape, match)
                break
    if "(parameter '" in fold:
        yield from _argument_named(said, given)
    if "body." in fold:
        yield from _refused_body(said, given)
    if "validation error" in fold:
        yield from _own_model(said, given)
    if not any(factor.weight > SILENT for factor in found):
        yield from _plain_refusal(said.strip(), given)


def _factor(shape: ErrorShape, match: re.Match[str]) -> Factor:
    return Factor(shape.name, shape.speaks_for, shape.weight, match[0][:LONGEST_SHOWN], "shape")


def _argument_named(text: str, given: Given) -> Iterator[Factor]:
    """An argument of the tool, as .NET names the one that it refuses."""
    for match in islice(_PARAMETER.finditer(text), MOST_MATCHES):
        if given.takes(match[1]):
            yield Factor("argument refused", "business", CERTAIN, match[0], "shape")
            return


def _refused_body(text: str, given: Given) -> Iterator[Factor]:
    """A request that another service refuses: its parts are the caller's, or the tool's own."""
    if found := _BODY.search(text):
        kind: ErrorKind = "business" if given.takes(found[1]) else "failure"
        yield Factor("body refused", kind, DECISIVE, found[0][:LONGEST_SHOWN], "shape")


def _own_model(text: str, given: Given) -> Iterator[Factor]:
    """Data that pydantic refuses and that nobody sent: neither the field nor the value."""
    found = _MODEL.search(text)
    if found is None or _INPUT_MODEL.search(found[1]):
        return
    fields = [step for match in _FIELD.finditer(text, found.end()) for step in match[1].split(".")]
    values = _INPUT_VALUE.findall(text)
    is_sent = any(map(given.knows_field, fields)) or any(map(given.has_value, values))
    if fields and values and not is_sent:
        yield Factor("data of its own", "failure", DECISIVE, found[0], "shape")


_PARAMETER: Final = re.compile(r"\(Parameter '(\w{1,60})'\)")
_BODY: Final = re.compile(r"\bbody\.(\w{1,60})[\w.\[\]]{0,200} should (?:not )?be\b")
_MODEL: Final = re.compile(r"\bvalidation errors? for (\w{1,80})\n")
_INPUT_MODEL: Final = re.compile(r"Arg|Param|Input|Request|Query|Body|Payload|Call|Settings|Config")
_FIELD: Final = re.compile(r"^(\S{1,120})$", re.MULTILINE)
_INPUT_VALUE: Final = re.compile(r"input_value=('[^'\n]{0,200}'|[^,\n]{1,200})")


def _plain_refusal(text: str, given: Given) -> Iterator[Factor]:
    """A code, or a sentence about what was sent, in which nothing complains of anything else."""
    if len(text) <= LONGEST_CODE and _CODE.fullmatch(text):
        if SILENT_CODES.isdisjoint(name_words(text)):
            yield Factor("code of a refusal", "business", FAIR, text, "shape")
        return
    if len(text) > LONGEST_SENTENCE or len(text.split()) < FEWEST_WORDS or COMPLAINTS.search(text):
        return
    if named := given.named_in_prose(text):
        yield Factor("sentence about what was sent", "business", FAIR, named, "shape")
