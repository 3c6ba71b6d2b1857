"""Texts that the caller wrote for the tool to parse, evaluate or run: their errors are theirs.

That a tool does so is told by what it says of itself and of its arguments; that an error is about
such a text, by a place, a name or a line of it that the error shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from mcp_assay.text.names import name_words, word_set

MOST_TEXTS: Final = 20
LONGEST_TEXT: Final = 20_000
LONGEST_MESSAGE: Final = 16_000
LONGEST_DESCRIPTION: Final = 300
MOST_PIECES: Final = 60
SHORTEST_LINE: Final = 4

DEEDS: Final = word_set(
    """
    apply assemble build bundle calc calculate calculates compile compiles compute convert converts
    debug decode eval evaluate evaluates exec execute executes format interpret lint minify parse
    parses query render renders repl run runs solve tokenize transform transpile typeset validate
    console playground sandbox shell terminal notebook
    """
)
"""What tools do to a text that they do not only keep."""
LANGUAGES: Final = word_set(
    """
    algorithm bash code cpp css csv cypher diagram document dot expr expression expressions filter
    formula formulas function gql graph graphql html java javascript jq js json jsonata jsonpath
    julia kotlin latex lisp lua macro markdown markup math mermaid octave pattern perl php plantuml
    predicate program programs promql prolog python query r regex regexp ruby rule rust
    schema script scripts selector shell snippet source sparql spec sql statement stylesheet svg
    template templates test tests tex toml typescript wasm xml xpath xslt yaml patch diff command
    commands
    """
)
"""What such a text is, or is written in."""
RUNS: Final = word_set(
    """
    calc calculate code command compile compute console eval evaluate exec execute interpret
    interpreter job notebook playground program repl run sandbox script shell terminal
    """
)
"""Words in the names of tools that let a program of the caller's do whatever it does."""
PROGRAMS: Final = word_set(
    """
    bash cell chunk code command commands expr expression expressions formula function javascript js
    julia lisp lua macro math octave perl php program programs prolog python r ruby rust script
    scripts shell snippet source test tests typescript wasm
    """
)
"""What such a program is called; a query is none, for the database is not the caller's."""
TYPES: Final = word_set(
    """
    any array bool boolean bytes char class complex dict double float function generator int integer
    list long map method module nil none nonetype null number object range set slice str string
    symbol table tuple type undefined userdata vector void
    """
)
"""Words in quotes that are of the language, and of no text in it."""
_WORD: Final = re.compile(r"[a-z]{1,60}")
MARKS: Final = frozenset("(){}[]=<>*$^\\|;+/&%#")

_SOURCE: Final = re.compile(
    r"<(?:string|stdin|unknown|anonymous|eval|input|module|expression|unicode string|top-level"
    r"|cell|ipython-input[^>\n]{0,40}|byte string|source|script|console|repl|fragment)>"
    r"|\bevalmachine\b|\(eval\b|^-e:\d|\[string \"|\bstdin\b|\bcommand line\b"
    r"|(?:^|[\s(\"'])(?:\./|/tmp/(?:[^\s\"']{0,80}/)?)?(?:prog|main|script|solution|snippet|cell"
    r"|temp|tmp\w{0,20}|submission|playground|program|untitled)\.[a-z]{1,5}\b(?=[:\"' (,]|$)"
    r"|/(?:prog|solution|snippet|cell|submission|playground|untitled)\.[a-z]{1,5}\b",
    re.MULTILINE | re.IGNORECASE,
)
"""How runtimes name a text that stands in no file of the tool's, or in one made for it."""
_EXHAUSTED: Final = re.compile(
    r"\b(?:script|execution|program|code|evaluation|process|command|kernel|cell|job|worker|run|eval)\b"
    r"[^\n:]{0,40}(?:timed out|time ?limit|timeout|took too long|was killed|terminated)"
    r"|\b(?:time|memory|cpu|instruction|recursion|output) limit\b|\bout of memory\b"
    r"|\btimeout \d{1,9} ?ms exceeded|\bmaximum (?:execution time|recursion|call stack)"
    r"|\bkilled by signal\b|\bsignal \d{1,2}\b|\bSIG[A-Z]{3,5}\b|\bsegmentation fault\b"
    r"|\bstack (?:overflow|level too deep)\b|\bcore dumped\b",
    re.IGNORECASE,
)
"""How a program ends that does too much, or what it must not do."""
_PLACE: Final = re.compile(
    r"\b(?:line|row|ln)[ :#]{0,2}(\d{1,6})\b|:(\d{1,6}):\d{1,6}\b|\bl\.(\d{1,6})\b"
    r"|\b(?:column|col|position|pos|char|character|offset|index) (\d{1,6})\b",
    re.IGNORECASE,
)
_PIECE: Final = re.compile(
    r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|`([^`'\n]{1,80})[`']|«([^»\n]{1,80})»"
    r"|\b([A-Za-z_$][\w$.]{0,60})(?:\(\.{3}\))? is (?:not (?:defined|a function|iterable"
    r"|a constructor|an object|callable)|null|undefined|nil)\b"
    r"|\b([A-Za-z_$][\w$.]{0,60})\(\) (?:takes|got|missing|requires|expects)\b"
    r"|(?:^|: )([\w./-]{1,60}): (?:command )?not found"
    r"|\b(?:variable|function|symbol|identifier|name|token|column|table|command|method|near|used"
    r"|module|field|key|found)(?: |: ?)([\w$.]{1,80})|\bsubroutine &?(?:\w{1,40}::)?(\w{1,80})",
    re.MULTILINE,
)
"""What an error picks out of a text, in quotes or by what it is."""
SURE_PIECES: Final = 7
"""So many of its groups are a piece of some text for certain; the rest may be plain words."""
_NAME: Final = re.compile(r"[A-Za-z_$][\w$.]{0,80}")
"""A piece that would be found in a text that it is from; others are what was expected there."""
_ARITHMETIC: Final = re.compile(
    r"\b(?:division|divide[sd]?|modulo|modulus)(?: or modulo)? by zero\b|\bzerodivision\w{0,10}"
    r"|\bmath domain error\b|\bresult too large\b|\bnumerical? (?:result )?out of range\b"
    r"|\binfinite (?:result|loop)\b|\bnot a finite\b|\b(?:arithmetic|numeric|integer) overflow\b",
    re.IGNORECASE,
)
"""What goes wrong when an expression is worked out, and shows nothing of it."""
_TEST_RESULTS: Final = re.compile(
    r"\b\d{1,6} (?:failing|failed|failures?|passing|passed)\b|^FAILED?\b|\bFailures:",
    re.MULTILINE,
)
_OWN_FRAME: Final = re.compile(
    r"\bFile \"/(?!tmp/)|\bat [^\n]{0,200}\((?:file://)?/(?!tmp/)"
    r"|^\s{1,8}at [\w.$]{1,120}\(\w{1,60}\.java:"
    r"|\b(?!(?:prog|main|script|solution|snippet|cell|temp|tmp\w{0,20}|submission|playground"
    r"|program|untitled)\.)[\w-]{1,60}\.[a-z]{1,4}(?:, line \d|:\d)"
    r"|\bgoroutine \d|\bin /(?!tmp/)\S{1,200} on line \d|\.(?:go|rs|rb|php|cs|ex):\d",
    re.MULTILINE,
)
"""A frame in a file of the tool's, where an error has any."""
TESTS: Final = word_set("test tests spec specs suite")


class AuthoredTexts:
    """The texts of a call that its tool parses or runs."""

    def __init__(self, arguments: object, tool: object) -> None:
        self._words: Final = _tool_words(tool)
        self._is_run: bool = False
        self._texts: Final = list(self._authored(arguments, tool))
        self._is_run = self._is_run and not RUNS.isdisjoint(_name_words(tool))

    def __bool__(self) -> bool:
        return bool(self._texts)

    def is_blamed_by(self, message: str) -> bool:
        """Whether an error is about one of these texts, and not about the tool."""
        if not self._texts:
            return False
        said = message[:LONGEST_MESSAGE]
        if self.has_exhausted_itself(said):
            return True
        if _ARITHMETIC.search(said) and not _PIECE.search(said):
            return True
        if _TEST_RESULTS.search(said) and not TESTS.isdisjoint(self._words):
            return True
        return any(self._is_shown(said, text) for text in self._texts)

    @property
    def is_run(self) -> bool:
        """Whether one of them is a program that the tool runs."""
        return self._is_run

    def has_exhausted_itself(self, message: str) -> bool:
        """Whether a program that was sent did more than it may."""
        return self._is_run and bool(_EXHAUSTED.search(message[:LONGEST_MESSAGE]))

    def _is_shown(self, said: str, text: str) -> bool:
        if _has_line_of(said, text):
            return True
        picked = _picked_from(said, text)
        if picked is not None:
            return picked
        if self._is_run and not _OWN_FRAME.search(said):
            return True
        is_placed = _has_place_in(said, text)
        return bool(_SOURCE.search(said)) and (is_placed or "line" not in said.lower())

    def _authored(self, arguments: object, tool: object) -> Iterator[str]:
        sent = arguments if isinstance(arguments, dict) else {}
        texts = {
            str(name): value
            for name, value in islice(sent.items(), MOST_TEXTS)
            if isinstance(value, str) and value.strip()
        }
        for name, value in texts.items():
            if self._is_program(name, value, tool, is_only=len(texts) == 1):
                self._is_run |= not PROGRAMS.isdisjoint(
                    {*name_words(name), *_name_words(tool)} - {"run"}
                )
                yield value[:LONGEST_TEXT]

    def _is_program(self, name: str, value: str, tool: object, *, is_only: bool) -> bool:
        """Whether a text is more than a name: by its argument, its look, and what the tool does."""
        looks = not MARKS.isdisjoint(value) or "\n" in value
        if not looks and DEEDS.isdisjoint(self._words):
            return False
        words = {*name_words(name), *_argument_words(tool, name)}
        if not LANGUAGES.isdisjoint(words):
            return looks or not DEEDS.isdisjoint(self._words)
        is_used = not DEEDS.isdisjoint(self._words) and not LANGUAGES.isdisjoint(self._words)
        return is_used and (looks or is_only)


def _has_line_of(said: str, text: str) -> bool:
    """Whether an error shows a line of the text, as compilers do."""
    lines = (line.strip() for line in said.splitlines())
    shown = {line for line in lines if len(line) >= SHORTEST_LINE}
    return any(line.strip() in shown for line in text.splitlines() if len(line) >= SHORTEST_LINE)


def _picked_from(said: str, text: str) -> bool | None:
    """Whether what an error names or quotes is in the text; None where it names nothing."""
    groups = [match.groups() for match in islice(_PIECE.finditer(said), MOST_PIECES)]
    if any(_has_word(text, piece) for group in groups for piece in group if piece):
        return True
    certain = (piece for group in groups for piece in group[:SURE_PIECES] if piece)
    named = (piece for piece in certain if piece.lower() not in TYPES)
    return False if any(map(_NAME.fullmatch, named)) else None


def _has_word(text: str, piece: str) -> bool:
    start = text.find(piece)
    if start < 0:
        return False
    before, after = text[start - 1 : start], text[start + len(piece) :][:1]
    return not (before.isalnum() and piece[0].isalnum()) and not (
        after.isalnum() and piece[-1].isalnum()
    )


def _has_place_in(said: str, text: str) -> bool:
    """Whether an error names a line or a position that the text has."""
    lines = text.count("\n") + 1
    for match in islice(_PLACE.finditer(said), MOST_PIECES):
        line = match[1] or match[2] or match[3]
        if (line and 0 < int(line) <= lines + 1) or (match[4] and int(match[4]) <= len(text) + 1):
            return True
    return False


def _tool_words(tool: object) -> frozenset[str]:
    members: dict[str, Any] = tool if type(tool) is dict else {}
    name, title = members.get("name"), members.get("title")
    description = members.get("description")
    return _words(
        name[:LONGEST_DESCRIPTION] if isinstance(name, str) else "",
        description[:LONGEST_DESCRIPTION] if isinstance(description, str) else "",
        title[:LONGEST_DESCRIPTION] if isinstance(title, str) else "",
    )


def _name_words(tool: object) -> frozenset[str]:
    name = tool.get("name") if type(tool) is dict else None
    return _words(name[:LONGEST_DESCRIPTION], "") if isinstance(name, str) else frozenset()


def _argument_words(tool: object, name: str) -> frozenset[str]:
    """What a schema says of an argument, in words."""
    schema = tool.get("inputSchema") if type(tool) is dict else None
    listed = schema.get("properties") if type(schema) is dict else None
    member = listed.get(name) if type(listed) is dict else None
    description = member.get("description") if type(member) is dict else None
    media = member.get("contentMediaType") if type(member) is dict else None
    said = " ".join(one for one in (description, media) if isinstance(one, str))
    return _words("", said[:LONGEST_DESCRIPTION])


@lru_cache(maxsize=512)
def _words(name: str, prose: str, more: str = "") -> frozenset[str]:
    return frozenset([*name_words(name), *_WORD.findall(f"{more} {prose}".lower())])
