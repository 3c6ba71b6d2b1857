"""Words by which tools say that they only read, and those by which they say that they do not."""

from __future__ import annotations

import re
from typing import Final

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, CHANGING_AS_VERBS, LOOKING
from mcp_assay.text.names import word_set

READING: Final = LOOKING | word_set(
    """
    access aggregate analyse answer audit classify combine correlate crawl detect determine display
    echo enumerate examine extract filter give greet grep group guess hash help highlight identify
    include infer interpret lint locate match measure monitor multiply observe obtain parse ping
    predict present print profile provide rank recommend report resolve return review scan scrape
    screen see select solve sort subtract suggest sum tell trace traverse understand
    """
)
"""Verbs for what leaves everything as it is."""
NAMES_OF_READERS: Final = READING - word_set("access answer combine give help include print tell")
"""Those that make a name that of a tool which reads, wherever they stand in it."""
DEEDS_FIRST: Final = word_set(
    "access answer combine give include present print report return review screen select tell"
)
"""Those that are done to something where a name begins with them: report a user, return an item."""
READ_THINGS: Final = word_set(
    """
    about availability definition details diagnostics diff head health help history info
    information len length log logs metadata overview stat statistics stats status summary
    tree usage version
    """
)
"""What names of tools say that is read, where the description has the verb."""
MAKING: Final = word_set(
    "convert decode decrypt divide encode encrypt format generate minify pick render roll tokenize "
    "transform translate"
)
"""Verbs that make one text of another: they leave everything as it is, where no file is meant."""
RUNNING: Final = word_set("conduct do execute issue make perform run use")
"""Verbs that only read where what is run does."""

CHANGING: Final = (
    ALWAYS_CHANGING
    | CHANGING_AS_VERBS
    | word_set(
        """
        accept acknowledge acquire activate adjust allocate authenticate authorize begin
        bind boot bump cache capture claim compact complete compress configure confirm
        consume control decrement define deny dequeue dismiss download draw end enroll
        ensure evict expire export extend finish fix flag freeze generate halt hide hold
        inject interact invalidate label link load manage mint mount open operate optimize
        pack place play pop prepare process produce promote provision pull raise react
        rebuild receive record recover redeem redirect refresh regenerate release renew
        repair request reserve respond rewrite scale seed shuffle snapshot speak stage take
        tidy trash trim tune type unfreeze unmount unpin unzip vacuum warm zip
        """
    )
)
"""Verbs for what may leave something changed."""

OTHERWISE: Final[dict[str, frozenset[str]]] = {
    "check": word_set("in out off"),
    "display": word_set("alert banner dialog message notification popup toast window"),
    "extract": word_set("archive archives tar zip"),
    "get": word_set("hold lock rid"),
    "read": word_set("aloud"),
    "resolve": word_set("alert comment conflict dispute incident issue issues thread ticket"),
    "roll": word_set("deployment deployments release"),
    "show": word_set("alert banner dialog message notification popup toast window"),
}
"""Verbs that read, and words close behind them with which they do something."""
DEALING: Final = re.compile(r"\bfor sale\b|\bon (?:the|a) market", re.IGNORECASE)
"""What is listed so is offered."""

OBJECTS: Final = word_set(
    "a all an another any both each every it its new one several some the their them these this "
    "those two your you"
)
"""Behind a verb one of these is, or begins, what it does something to."""
NO_VERBS: Final = word_set(
    """
    about across after against all along also among and are around as at based be because before
    besides between both but by currently despite during each either else etc every except for
    from given has have how if in including inside into is it its latest like may might more most
    must near never not of off on once only onto optionally or other out over per plus regarding
    same should since so such than that the then these they this those through to under unless
    until up upon using via was were what when where whether which while who whose will with
    within without would
    """
)
"""Words that are no verbs, though one of those may follow them."""
SUBJECT: Final = re.compile(
    r"^(?:please |always |first |then |also |optionally )*"
    r"(?:(?:this|the|a|an|it|you) )?(?:simple |safe |handy )?"
    r"(?:(?:tool|function|method|command|endpoint|api) )?"
    r"(?:that |which |to |for |will |can |lets you |allows you to |is used to |used to "
    r"|should be used to |may be used to |use (?:this|it)(?: tool| function)? (?:to|for) )*",
    re.IGNORECASE,
)
"""How a sentence begins before it comes to the deed."""
DEED_BEHIND: Final = re.compile(
    r"(?:\b(?:and|or|then|to|will|can|also|automatically|else|by|but|this|that|it|while|after"
    r"|thereby|thus)\s+|[,;]\s+|[(/]\s*|(?:--|\s-|[\u2013\u2014])\s*)"
    r"(?:(?:then|also|optionally|automatically|to|will|it|immediately|this|thereby|thus)\s+)*"
    r"([A-Za-z]+)\b",
)
"""A place in a sentence where another deed may stand."""
THING_BEHIND: Final = word_set(
    "all any available each every its last latest many more most new no number of other our past "
    "pending previous recent several some the their these those your"
)
"""Behind one of these stands a thing, even if it sounds like a deed: the latest edits."""
OUTRIGHT: Final = re.compile(
    r"\bnot read[ -]?only\b|(?<!non-)(?<!not )\bdestructive\b|\birreversibl[ey]\b|\bundone\b"
    r"|\b(?:cleanup|deletion|removal) of\b"
    r"|^side[ -]effects?\b|\b(?:a|as|causes?|has|have|with) (?:\w+ )?side[ -]effects?\b",
    re.IGNORECASE,
)
"""What a description says of a tool that changes something, whatever that may be."""
ASIDE: Final = re.compile(
    r"\b(?:when(?:ever)?|if|unless|once|instead of|rather than|before|prior to)\b[^,;:.()]*",
    re.IGNORECASE,
)
"""A clause on something else than what the tool does."""
DENIED: Final = re.compile(
    r"\b(?:(?:does|do|did|is|are|will|can|must) )?(?:without|never|not|cannot|\w+n't)"
    r"(?: (?:be|actually|ever))? \w+(?: (?:or|and|nor) \w+)?"
    r"|\b(?:no|nothing)(?: \w+)? (?:is|are|will be) \w+",
    re.IGNORECASE,
)
_TOOL_NAME: Final = r"(?:the )?[`'\"]?(?:\w+[_-]\w+|(?-i:[a-z]+[A-Z]\w*))"
OTHER_TOOL: Final = re.compile(
    rf"(?:\bto [^.,;]{{1,40}},? )?\b(?:use|call|see|try|run) {_TOOL_NAME}[^.,;]*"
    rf"|\b(?:with|by|calling|using|from|after|via) {_TOOL_NAME}",
    re.IGNORECASE,
)
"""Words about another tool, which is named in them."""
BECOMING: Final = re.compile(
    r"(?<!that )(?<!which )\b(?:is|are|be|gets?|being) (?:then |also |automatically )?(\w+)\b",
    re.IGNORECASE,
)
"""What is done to things; what is told of things that are in a state is not meant."""
PARTICIPLES: Final = word_set(
    "bought forgotten overwritten paid rewritten sent sold spent taken withdrawn written"
)
"""Those of changing verbs that end neither in -ed nor as the verbs do."""
SUM: Final = re.compile(
    r"\b(?:add|divide)s? (?:(?:a|all|any|given|list|more|of|or|some|the|these|three|together|two"
    r"|up) ){0,6}(?:(?:numbers|integers|floats)\b|a (?:and|by) b\b)(?! to\b)",
    re.IGNORECASE,
)
"""Arithmetic, by which nothing is added to anything."""
READ_ONLY: Final = re.compile(
    r"\bread[ -]?only\b|\bonly SELECT\b|\bSELECT(?:s\b|[- ]only\b| (?:\w+ ){0,2}(?:quer|statement))"
)
"""What says of a query that it changes nothing."""
RUN_READING: Final = re.compile(
    r"\b(?:search(?:es)?|look-?ups?|analys[ie]s|calculations?|comparisons?|checks?|inspections?)\b",
    re.IGNORECASE,
)
"""What is run by tools that read."""

FILES: Final = word_set("dir directory document file filename filepath folder path")
"""Words of arguments that name a file or a folder."""
FILE_MADE: Final = re.compile(
    r"\b(?:audio|charts?|disks?|documents?|drawings?|drives?|files?|images?|in place|pdf|pictures?"
    r"|videos?)\b",
    re.IGNORECASE,
)
WRITTEN_TO: Final = word_set(
    "append confirm dry dump export out outfile output overwrite save write"
)
"""Words of arguments that name a place to write to, or that ask whether it is meant."""
TARGETS: Final = word_set("dest destination target")
"""Those that do so beside words for files only: a journey has a destination, too."""
WRITTEN_BY: Final = re.compile(
    r"\b(?:sav|writ|stor|export|download|dump|persist)\w*\b", re.IGNORECASE
)
"""What the description of an argument says where that is a place to write to."""
ANY_QUERY: Final = word_set(
    "cmd code command cypher javascript mutation pipeline script sql statement"
)
"""Words of arguments in which anything can be asked for."""
ANY_LANGUAGE: Final = re.compile(
    r"\b(?:Cypher|GraphQL|JavaScript|PowerShell|SPARQL|SQL|shell)\b"
    r"|\b(?i:quer(?:y|ies) (?:(?:a|an|the|this|your|\w+) ){0,2}database)\b"
)
"""Languages in which anything can be asked for, and what is asked in one of them."""
QUERY: Final = word_set("body expression function query")
"""Words of arguments that may be in one of them."""
DEEDS_ASKED: Final = word_set("action op operation")
"""Arguments that say what shall be done; which deeds there are, an enum may tell."""
REQUEST_METHODS: Final = word_set("method verb")
ADDRESSES: Final = word_set("endpoint path uri url")
"""Beside one of these a method is that of a request over HTTP."""
ARITHMETIC: Final = word_set("divide multiply subtract")
"""Operations beside which an addition is one, too."""
SWITCHES: Final = word_set("apply fix force")
"""Arguments that make a deed of a look at what would be done."""
PARTICLES: Final = word_set("away back down off out up")
"""Behind a word these say that it is a verb, and another one than without them."""
SAME_WITH_PARTICLE: Final = word_set("echo find list look lookup parse print read return sum")
"""Verbs that still read before them: look up, read back."""
