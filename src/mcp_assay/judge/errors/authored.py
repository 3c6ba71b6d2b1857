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
_WORD: Final = re.compile(r"[a-z]{1,60}")
MARKS: Final = frozenset("(){}[]=<>*$^\\|;+/&%#")

_SOURCE: Final = re.compile(
    r"<(?:string|stdin|unknown|anonymous|eval|input|module|expression|unicode string|top-level"
    r"|cell|ipython-input[^>\n]{0,40}|byte string|source|script|console|repl|fragment)>"
    r"|\bevalmachine\b|\(eval\b|^-e:\d|\[string \"|\bstdin\b|\bcommand line\b"
    r"|(?:^|[\s(\"'])(?:\./|/tmp/[^\s\"']{0,80}/)?(?:prog|main|script|solution|snippet|cell|temp"
    r"|tmp\w{0,20}|submission|playground|program|untitled)\.[a-z]{1,5}\b(?=[:\"' (,]|$)",
    re.MULTILINE | re.IGNORECASE,
)
"""How runtimes name a text that stands in no file of the tool's, or in one made for it."""
_PLACE: Final = re.compile(
    r"\b(?:line|row|ln)[ :#]{0,2}(\d{1,6})\b|:(\d{1,6}):\d{1,6}\b|\bl\.(\d{1,6})\b"
    r"|\b(?:column|col|position|pos|char|character|offset|index) (\d{1,6})\b",
    re.IGNORECASE,
)
_PIECE: Final = re.compile(
    r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|`([^`'\n]{1,80})[`']|«([^»\n]{1,80})»"
    r"|\b(?:variable|function|symbol|identifier|name|token|column|table|command|method|near|used"
    r"|module|field|key|found)(?: |: ?)([\w$.]{1,80})|\b([A-Za-z_$][\w$]{0,60}) is not defined"
    r"|(?:^|: )([\w./-]{1,60}): (?:command )?not found",
    re.MULTILINE,
)
"""What an error picks out of a text, in quotes or by what it is."""
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
TESTS: Final = word_set("test tests spec specs suite")


class AuthoredTexts:
    """The texts of a call that its tool parses or runs."""

    def __init__(self, arguments: object, tool: object) -> None:
        self._words: Final = _tool_words(tool)
        self._texts: Final = list(self._authored(arguments, tool))

    def __bool__(self) -> bool:
        return bool(self._texts)

    def is_blamed_by(self, message: str) -> bool:
        """Whether an error is about one of these texts, and not about the tool."""
        if not self._texts:
            return False
        said = message[:LONGEST_MESSAGE]
        if _ARITHMETIC.search(said) and not _PIECE.search(said):
            return True
        if _TEST_RESULTS.search(said) and not TESTS.isdisjoint(self._words):
            return True
        return any(self._is_shown(said, text) for text in self._texts)

    def _is_shown(self, said: str, text: str) -> bool:
        if _has_line_of(said, text):
            return True
        picked = _picked_from(said, text)
        if picked is not None:
            return picked
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
                yield value[:LONGEST_TEXT]

    def _is_program(self, name: str, value: str, tool: object, *, is_only: bool) -> bool:
        """Whether a text is more than a name: by its argument, its look, and what the tool does."""
        looks = not MARKS.isdisjoint(value) or "\n" in value
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
    certain = (piece for *quoted, _, bare, _ in groups for piece in (*quoted, bare) if piece)
    return False if any(map(_NAME.fullmatch, certain)) else None


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
    parts = (members.get(name) for name in ("name", "title", "description"))
    name, title, description = (part if isinstance(part, str) else "" for part in parts)
    return _words(name[:LONGEST_DESCRIPTION], f"{title} {description}"[:LONGEST_DESCRIPTION])


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
def _words(name: str, prose: str) -> frozenset[str]:
    return frozenset([*name_words(name), *_WORD.findall(prose.lower())])
