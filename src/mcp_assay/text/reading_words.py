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
        accept acknowledge acquire activate adjust allocate authenticate authorize begin bind boot
        bump cache capture claim compact complete compress configure confirm consume control
        decrement define deny dequeue dismiss download draw end enroll ensure expire export extend
        finish fix flag freeze generate halt hide hold inject interact label link load manage mint
        mount open operate optimize pack place play pop prepare process produce promote provision
        pull raise react rebuild receive record recover redeem redirect refresh regenerate release
        renew repair request reserve respond rewrite scale seed shuffle snapshot speak stage
        take tidy trash trim tune type unfreeze unmount unpin unzip vacuum warm zip
        """
    )
)
"""Verbs for what may leave something changed."""

OTHERWISE: Final[dict[str, frozenset[str]]] = {
    "check": word_set("in out off"),
    "count": word_set("down"),
    "display": word_set("alert banner dialog message notification popup toast window"),
    "extract": word_set("archive archives tar zip"),
    "resolve": word_set("alert comment conflict incident issue issues thread ticket"),
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
    r"(?:\b(?:and|or|then|to|will|can|also|automatically|else|by|but)|,|;|\()\s+"
    r"(?:(?:then|also|optionally|automatically|to|will|it|immediately)\s+)*([A-Za-z]+)\b(?=\W+(\w+)|)",
)
"""A place in a sentence where another deed may stand."""
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
OTHER_TOOL: Final = re.compile(
    r"(?:\bto [^.,;]{1,40},? )?\b(?:use|call|see|try|run|with|by|calling|using|from|after|via)"
    r" (?:the )?[`'\"]?(?:\w+[_-]\w+|[a-z]+[A-Z]\w*)[^.;]*",
    re.IGNORECASE,
)
"""Words about another tool, which is named in them."""
BECOMING: Final = re.compile(
    r"(?<!that )(?<!which )\b(?:is|are|be|gets|being) (?:then |also |automatically )?"
    r"(\w+(?:ed|en))\b",
    re.IGNORECASE,
)
"""What is done to things; what is told of things that are in a state is not meant."""
SUM: Final = re.compile(
    r"\b(?:add|divide)s?\b[^.]{0,30}\b(?:numbers?|integers?|floats?|a (?:and|by) b)\b",
    re.IGNORECASE,
)
"""Arithmetic, by which nothing is added to anything."""
READ_ONLY: Final = re.compile(r"\bread[ -]?only\b|\bSELECTs?\b")
"""What says of a query that it changes nothing."""
RUN_READING: Final = re.compile(
    r"\b(?:search(?:es)?|look-?ups?|analys[ie]s|calculations?|comparisons?|checks?|inspections?)\b",
    re.IGNORECASE,
)
"""What is run by tools that read."""

FILES: Final = word_set("dir directory document file filename filepath folder path")
"""Words of arguments that name a file or a folder."""
FILE_MADE: Final = re.compile(
    r"\b(?:audio|charts?|disk|documents?|drawings?|files?|images?|in place|pdf|pictures?"
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
ANY_LANGUAGE: Final = re.compile(r"\b(?:Cypher|GraphQL|JavaScript|PowerShell|SPARQL|SQL|shell)\b")
"""Languages in which anything can be asked for."""
QUERY: Final = word_set("body expression function query")
"""Words of arguments that may be in one of them."""
PARTICLES: Final = word_set("away back down off out up")
"""Behind a word these say that it is a verb."""
