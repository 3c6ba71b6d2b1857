"""What the shape of an error says: the forms of engines, browsers, resolvers and frameworks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from mcp_assay.judge.errors.error_shape import (
    LONGEST_READ,
    LONGEST_SHOWN,
    MOST_MATCHES,
    ErrorShape,
    ShapeTable,
)
from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.ownership import NAME_HINTS, named_factors
from mcp_assay.judge.errors.patterns import CERTAIN, DECISIVE, FAIR, SILENT, STRONG
from mcp_assay.judge.errors.surroundings import (
    FILE_HINTS,
    LOUDER,
    SURROUNDINGS,
    own_file_factors,
    setting_factors,
    shell_factors,
)
from mcp_assay.model.verdict import ErrorKind, Factor
from mcp_assay.text.names import name_words, word_set

LONGEST_CODE: Final = 60
LONGEST_SENTENCE: Final = 200
FEWEST_WORDS: Final = 3


_PHRASES_OF_5XX: Final = (
    r"(?:an? )?(?:unexpected )?(?:internal )?(?:server error|service error)|bad gateway"
    r"|gateway time-?out|service (?:is )?(?:temporarily )?unavailable|service_unavailable"
    r"|the server had an error|server is overloaded|overloaded_error|internal_(?:server_)?error"
    r"|upstream (?:request )?(?:error|timeout|failure)|backend (?:error|failure)"
)

SHAPES: Final[Sequence[ErrorShape]] = (
    ErrorShape(
        "engine message",
        "failure",
        CERTAIN,
        re.compile(
            r"^(?:[A-Z]\w{0,60}Error: |Uncaught )?"
            r"([A-Za-z_$][\w$.]{0,80}(?:\(\.{3}\)[\w$.]{0,60})?)"
            r" is not (?:defined|a function|a constructor|iterable)\.?$"
            r"|^(?:Uncaught )?[A-Z]\w{0,60}Error: ([A-Za-z_$][^\n]{0,80}?)"
            r" is not an object(?=[.,;:(\n]| \(|$)"
            r"|^(?:[A-Z]\w{0,60}Error: )?([A-Za-z_$][\w$]{0,60}(?:\.[\w$]{1,60}){1,6})"
            r" is (?:undefined|null|nil|None)\.?$",
            re.MULTILINE,
        ),
        callers_if="sent",
        hints=(" is not ", " is undefined", " is null", " is nil", " is none"),
    ),
    ErrorShape(
        "method called wrongly",
        "failure",
        CERTAIN,
        re.compile(
            r"()\b[A-Z]\w{1,40}(?:\.prototype)?\.\w{1,60} (?:called (?:on|with)|requires that)"
            r"|\b[Cc]annot (?:use '\w{1,20}' operator|convert (?:a |an )?(?:\w{1,20} )?"
            r"(?:object|value|symbol|undefined|null|function)\b)"
            r"|\b[Nn]o overload (?:for|of|matches)|\b[Ii]mplicit (?:cast|conversion)\b",
            re.ASCII,
        ),
        hints=("called", "requires that", "cannot ", "overload", "implicit"),
    ),
    ErrorShape(
        "answer that it cannot use",
        "failure",
        CERTAIN,
        re.compile(
            r"()\b(?:GET|POST|PUT|PATCH|DELETE) \S{1,200} 2\d\d: [^\n]{0,80}\b(?:must|expected)",
            re.ASCII,
        ),
        hints=(" 2",),
    ),
    ErrorShape(
        "template of its own",
        "failure",
        CERTAIN,
        re.compile(r"()\btemplate: [^\s:]{1,80}:\d{1,6}:", re.ASCII),
        hints=("template: ",),
    ),
    ErrorShape(
        "another tool first",
        "business",
        LOUDER,
        re.compile(
            r"()\b(?:use|call|run|invoke)(?: the)? ['\"`]?[A-Za-z]{1,30}(?:_[A-Za-z0-9]{1,30}){1,6}"
            r"(?:\(\))?['\"`]?(?: tool)? (?:first|to|before)\b",
            re.ASCII | re.IGNORECASE,
        ),
        hints=(" first", " to ", " before"),
    ),
    ErrorShape(
        "thing that is not to be had",
        "business",
        STRONG,
        re.compile(
            r"()\b[Tt]his (?!service|server|system|site|api|host|database|platform|feature)\w{1,30}"
            r" (?:is|was|isn't) (?:un|not |no longer )?(?:available|public|accessible)\b",
            re.ASCII,
        ),
        hints=("this ",),
    ),
    ErrorShape(
        "browser error",
        "environment",
        CERTAIN,
        re.compile(
            r"()net::ERR_(?!INVALID_URL|UNKNOWN_URL|FILE_|ABORTED|BLOCKED|INVALID_ARG)[A-Z_]{3,40}"
            r"|NS_ERROR_(?:UNKNOWN_HOST|NET_\w{1,30}|CONNECTION_\w{1,30}|OFFLINE|PROXY_\w{1,30})",
            re.ASCII,
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
            r" because [^\n]{1,160} is null",
            re.ASCII,
        ),
        hints=("is null",),
    ),
    ErrorShape(
        "DNS error",
        "environment",
        CERTAIN,
        re.compile(
            r"()\bquery[A-Z]\w{0,10} E[A-Z]{3,12}\b|\bEAI_[A-Z]{3,12}\b|\bgetaddrinfo E[A-Z]{3,12}",
            re.ASCII,
        ),
        hints=("query", "eai ", "getaddrinfo"),
    ),
    ErrorShape(
        "failed assertion",
        "failure",
        CERTAIN,
        re.compile(
            r"()\b[Aa]ssertion [`'\"][^\n]{1,160}['\"`] failed"
            r"|\bassert(?:ion)?\([^\n]{1,160}\) failed",
            re.ASCII,
        ),
        hints=("assert",),
    ),
    ErrorShape(
        "too slow",
        "environment",
        CERTAIN,
        re.compile(
            r"()\btimeout (?:of|after) \d|\btook (?:more|longer) than [\d.,]{1,12} ?"
            r"(?:ms|milli\w{1,10}|s|sec\w{0,6}|min\w{0,6})\b",
            re.ASCII,
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
            re.ASCII,
        ),
        hints=(
            "server error",
            "service error",
            "bad gateway",
            "gateway time",
            "unavailable",
            "server had an error",
            "overloaded",
            "internal error",
            "upstream",
            "backend",
        ),
        is_small=True,
    ),
    ErrorShape(
        "own return value",
        "failure",
        DECISIVE,
        re.compile(
            r"()validation errors? for \w{0,80}(?:output|result|response|return)\b"
            r"|\b(?:returned|produced|returns) an? (?:invalid|unexpected|unsupported) "
            r"(?:result|output|value|type|return)"
            r"|\breturn (?:value|type)\b[^\n]{0,80}\b(?:is not|expected|invalid|does not)"
            r"|\bunexpected return (?:type|value)"
            r"|\b(?:validat|serializ|serialis)(?:e|ing) (?:the )?(?:tool(?:'s)? )?"
            r"(?:result|output|return|response)"
            r"|\bdid not return structured|\bpydanticserializationerror\b"
            r"|\b(?:result|output) does not conform to (?:this|the|its) tool|\bthe tool's output\b"
            r"|\binvalid tools?/call (?:result|response)\b"
            r"|\binvalid tool (?:result|response|output)"
            r"|\bstructured ?content\b[^\n]{0,60}\b(?:not|n't|must|should|invalid|missing|mismatch)"
            r"|\boutput ?schema\b[^\n]{0,80}\b(?:mismatch|violat|not|n't|but)"
            r"|\b(?:not|n't) (?:match|conform to|satisfy|meet)[^\n]{0,40} output ?schema\b",
            re.ASCII,
        ),
        hints=(
            "validation error",
            "return value",
            "return type",
            "returned a",
            "returns a",
            "produced a",
            "validat",
            "seriali",
            "structured",
            "output schema",
            "outputschema",
            "output does not",
            "result does not",
            "tool's output",
            "invalid tool",
        ),
        is_small=True,
    ),
)
TABLE: Final = ShapeTable(
    [*SHAPES, *SURROUNDINGS],
    {
        "files": FILE_HINTS,
        "names": NAME_HINTS,
        "shell": ("spawn ",),
        "parameter": ("(parameter '",),
        "body": ("body.",),
        "model": ("validation error",),
    },
)

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


def shape_factors(text: str, fold: str, found: Sequence[Factor], given: Given) -> list[Factor]:
    """What the form of an error says, whatever its words are."""
    said = text[:LONGEST_READ]
    factors: list[Factor] = []
    if hinted := TABLE.hinted(fold):
        factors += TABLE.factors(said, hinted, given)
        for name, forms in OTHER_FORMS.items():
            if name in hinted:
                factors += forms(said, given)
    if "_" in said:
        factors += setting_factors(said, fold, given)
    if not any(factor.weight > SILENT for factor in found):
        factors += _plain_refusal(said.strip(), given)
    return factors


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
    codes = (line for line in text.splitlines()[:MOST_LINES] if _CODE.fullmatch(line.strip()))
    for code in islice(codes, 1):
        if len(code) <= LONGEST_CODE and SILENT_CODES.isdisjoint(name_words(code)):
            yield Factor("code of a refusal", "business", FAIR, code, "shape")
        return
    said = _HEAD.sub("", text)
    if len(said) > LONGEST_SENTENCE or COMPLAINTS.search(said):
        return
    if said and given.authored and given.authored.is_run:
        yield Factor("answer of a program that was sent", "business", FAIR, said, "shape")
    elif len(said.split()) < FEWEST_WORDS:
        return
    elif named := given.named_in_prose(said) or given.named_first(said):
        yield Factor("sentence about what was sent", "business", FAIR, named, "shape")
    elif asked := _ASKED.search(said):
        yield Factor("asks for something else", "business", FAIR, asked[0], "shape")


OTHER_FORMS: Final[Mapping[str, Callable[[str, Given], Iterator[Factor]]]] = {
    "files": own_file_factors,
    "names": named_factors,
    "shell": shell_factors,
    "parameter": _argument_named,
    "body": _refused_body,
    "model": _own_model,
}
"""What is looked for, besides the forms of the table, in texts with the hints of that name."""
MOST_LINES: Final = 20
_HEAD: Final = re.compile(
    r"^(?:\W{0,4}(?:error|fehler|failed|failure|refused|exception)"
    r"(?: (?:executing|calling|running|in)(?: tool)? ['\"`]?[\w.-]{1,80}['\"`]?)?: ?){1,2}",
    re.IGNORECASE,
)
"""What stands before the sentence that says what is wrong."""
_ASKED: Final = re.compile(
    r"^(?:please )?(?:give|provide|specify|pass|supply|enter|choose|pick|select|include|narrow"
    r"|shorten|use|wait)\b"
    r"|\b(?:call|use|invoke|pass|give|provide|specify) [`'\"]?[\w.=-]{1,60}(?:\(\))?[`'\"]?"
    r"(?: tool| argument)? (?:first|before|instead|to|and)\b|^usage: |\bfor example:? |\be\.g\. "
    r"|[,;] expected \w",
    re.IGNORECASE,
)
"""How a tool asks for another call, or other arguments."""
