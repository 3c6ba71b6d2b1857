"""What fields hold that are called a code, a script or a source: a program, or what stands for it.

A code is mostly a short name for something, and the word before it says of what; it is a program
only where a language is meant, by the words around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from mcp_assay.scenario.usual_values import singular
from mcp_assay.text.names import name_parts, word_set

Texts: TypeAlias = tuple[str, ...]

_PROGRAMS: Final[tuple[tuple[str, Texts], ...]] = (
    ("python py jupyter ipython pandas numpy", ("print(1)", "x = 1")),
    (
        "javascript js node nodejs typescript ts jsx tsx ecmascript",
        ("console.log(1);", "let x = 1;"),
    ),
    ("sql sqlite postgresql mysql", ("SELECT 1", "SELECT 2")),
    ("bash shell zsh sh", ("echo hello", "true")),
    ("powershell pwsh", ("Write-Output 1",)),
    ("html", ("<p>hello</p>",)),
    ("css", ("p { color: red; }",)),
    ("xml svg", ("<a/>",)),
    ("yaml yml", ("a: 1",)),
    ("markdown", ("# Hello",)),
    ("latex tex", ("$x^2$",)),
    ("mermaid", ("graph TD; A-->B",)),
    ("graphviz", ("digraph { a -> b }",)),
    ("java kotlin scala csharp", ("class A {}",)),
    ("ruby", ("puts 1",)),
    ("php", ("<?php echo 1;",)),
    ("golang", ("package main",)),
    ("rust", ("fn main() {}",)),
    ("cpp clang", ("int main() { return 0; }",)),
    ("lua swift julia", ("print(1)",)),
    ("perl", ("print 1;",)),
    ("haskell", ("main = print 1",)),
    ("solidity", ("contract A {}",)),
    ("wasm assembly", ("nop",)),
)
"""Words for languages, and programs in them that do next to nothing."""
PROGRAMS: Final = {word: texts for words, texts in _PROGRAMS for word in words.split()}
ANY_PROGRAM: Final = PROGRAMS["python"]
"""What is tried where a program is meant, and nobody says in which language."""

_CODES: Final[tuple[tuple[str, Texts], ...]] = (
    ("postal post zip plz pin pincode", ("10115", "90210")),
    ("country nation", ("NO", "FR")),
    ("state province region subdivision", ("CA", "NY")),
    ("currency", ("EUR", "USD")),
    ("language lang locale", ("en", "fr")),
    ("color colour hex rgb", ("#336699",)),
    ("airport iata", ("OSL", "LHR")),
    ("area dialing dial calling phone", ("47", "212")),
    ("error status http response exit return result reason", ("404", "200")),
    ("verification confirmation security pass access auth otp totp mfa", ("123456",)),
    ("qr bar", ("https://example.invalid/", "4006381333931")),
    ("time timezone", ("UTC",)),
)
"""What a code is short for, and such codes."""
CODES: Final = {word: texts for words, texts in _CODES for word in words.split()}
ANY_CODE: Final = ("A1", "EX-100")

PROGRAM_FIELDS: Final = word_set("code snippet script source program")
"""Words of fields that may hold a program."""
OF_PROGRAMS: Final = word_set("source program")
"""Words before "code" that say that it is a program."""
HANDLED: Final = (
    *("run", "execut", "eval", "interpret", "compil", "lint", "format", "pars", "refactor"),
    *("review", "highlight", "analy", "debug", "explain", "test"),
)
"""How words begin for what is done to programs."""
FILLERS: Final = word_set(
    "the a an this that your its valid unique specific given any some of with for to optional "
    "short full new or and get arbitrary untrusted user users custom generated provided input "
    "following sample example submitted small each all"
)
"""Words beside "code" that do not say of what."""
_CODE_AFTER: Final = re.compile(r"\b([A-Za-z0-9]{1,40})[ -]codes?\b", re.IGNORECASE)
_CODE_BEFORE: Final = re.compile(
    r"\bcodes? (?:of|for) (?:an? |the )?([A-Za-z0-9]{1,40})\b", re.IGNORECASE
)
_FIELD: Final = rf"(?:{'|'.join(sorted(PROGRAM_FIELDS))})s?"
_HANDLED: Final = re.compile(
    rf"\b(?:{'|'.join(HANDLED)})\w{{0,12}}\b[^.\n]{{0,40}}\b{_FIELD}\b"
    rf"|\b{_FIELD} (?:to|that is|which is|will be) (?:be )?(?:{'|'.join(HANDLED)})",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[A-Za-z]+")


def by_code(name: str, description: str, tool: str, purpose: str) -> Texts:
    """What a field holds that is called so; () where its name says nothing of codes or programs.

    `description` is that of the field; `tool` and `purpose` are the name and description of its
    tool.
    """
    words = [singular(word) for word in _parts(name)]
    if not words or words[-1] not in PROGRAM_FIELDS:
        return ()
    *around, last = words
    own = _language([*around, *_spoken(description)])
    called = f"{' '.join(name_parts(tool))} {last}"
    is_handled = any(map(_HANDLED.search, (called, description, purpose)))
    if last == "code" and (known := _code_of(around, description, called, purpose)):
        return (own or known) if known is ANY_PROGRAM else known
    if own or (is_handled and last != "source"):
        return own or _language(_spoken(f"{called} {purpose}")) or ANY_PROGRAM
    return ANY_CODE if last == "code" else ()


def _code_of(around: list[str], description: str, called: str, purpose: str) -> Texts:
    """What it is the code of, by the word before it or by what is said of it; () if nothing is."""
    said = [*_codes_of(description), *_codes_of(purpose)]
    known = {**CODES, **PROGRAMS, **dict.fromkeys(OF_PROGRAMS, ANY_PROGRAM)}
    for word in around[-1:] or [*said, *_codes_of(called)]:
        if word in known:
            return known[word]
    others = around[-1:] or said
    return ANY_CODE if any(not word.startswith(HANDLED) for word in others) else ()


def _parts(name: str) -> list[str]:
    """The words of a name; "zipcode" are two."""
    words = name_parts(name)
    if words and (last := singular(words[-1])).endswith("code") and last != "code":
        return [*words[:-1], last.removesuffix("code"), "code"]
    return words


def _codes_of(text: str) -> Iterator[str]:
    """Of what a text says that something is the code."""
    for form in (_CODE_AFTER, _CODE_BEFORE):
        found = (match[1].lower() for match in form.finditer(text))
        yield from (word for word in found if word not in FILLERS)


def _spoken(text: str) -> list[str]:
    return [word.lower() for part in _WORD.findall(text) for word in (part, *name_parts(part))]


def _language(words: list[str]) -> Texts:
    return next((PROGRAMS[word] for word in words if word in PROGRAMS), ())
