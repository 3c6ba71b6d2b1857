"""What a description says, sentence by sentence, and what each of them is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from mcp_assay.text.reading_words import ABBREVIATED, CONTENTS, DEEDS_LISTED, FENCED, NO_EFFECTS

_SENTENCE_END: Final = re.compile(r"(?<=[.!?:;])\s+|(?<=[\u3002\uff01\uff1f\uff1b])\s*|\n+")
_MARKS: Final = " -*#>\t\u2022"
_ITEM: Final = re.compile(r"\s*(?:[-*\u2022]|\d+[.)])\s")
_LABEL: Final = re.compile(r"\w+\s*(?:\([^()]*\))?:")
_HEADING: Final = re.compile(
    r"\s*[#*_]{0,4}\s*(?P<words>[A-Za-z]+(?: [A-Za-z]+){0,2})[*_]{0,3}"
    r"(?:\s*:[*_]{0,3}(?P<rest>.*)|\s*$)"
)
_UNDERLINE: Final = re.compile(r"\s*-{3,}\s*$")
"""Below a heading that has one, lines stand as far out as the heading."""
_ENTRY: Final = re.compile(
    r"\s*(?:[-*\u2022=+]|\d+[.)]|[`'\"*]*\w+[`'\"*]*\s*(?:\([^()]*\))?\s*:|[\[{\]}])"
)
"""A line as those of a section are, though it stands as far out as its heading."""
_WRAPPED: Final = 60
"""A line of so many characters may go on in the next one."""


class About(Enum):
    """What a sentence is about."""

    TOOL = "tool"
    CONTENT = "content"
    """What an answer contains."""
    ARGUMENT = "argument"
    EXAMPLE = "example"
    FAULT = "fault"
    """What a caller does wrong, and what comes of that."""


SECTIONS: Final = (
    (
        re.compile(
            r"(?:(?:keyword|optional|required|tool|input) )?"
            r"(?:args|arguments|param(?:eter)?s|inputs?)",
            re.IGNORECASE,
        ),
        About.ARGUMENT,
    ),
    (
        re.compile(
            r"(?:returns?|return values?|yields?|outputs?|output format|responses?"
            r"|response format|results?)",
            re.IGNORECASE,
        ),
        About.CONTENT,
    ),
    (
        re.compile(r"(?:usage )?examples?(?: \w+){0,2}|usage|sample \w+", re.IGNORECASE),
        About.EXAMPLE,
    ),
    (re.compile(r"(?:raises|exceptions|errors?)", re.IGNORECASE), About.FAULT),
)
"""The headings of docstrings, and what is below each of them."""


class ToolSentence(NamedTuple):
    """A sentence, or an item of a list."""

    text: str
    about: About = About.TOOL
    is_first: bool = False


def tool_sentences(description: str) -> list[ToolSentence]:
    """The sentences of a description; examples in blocks of their own are left out."""
    text = FENCED.sub("\n", NO_EFFECTS.sub("", description).replace("\u2019", "'"))
    found, in_contents = list[ToolSentence](), False
    for about, part in _sections(ABBREVIATED.sub(r"\1\2\3\4", text)):
        for line in _lines(part):
            is_item = about is About.TOOL and in_contents and _ITEM.match(line) is not None
            sentences = [one.strip(_MARKS) for one in _SENTENCE_END.split(line)]
            meant = About.CONTENT if is_item else about
            for one in filter(None, sentences):
                found.append(ToolSentence(one, meant, is_first=not found))
            last = next((one for one in reversed(sentences) if one), "")
            is_intro = CONTENTS.search(last) and not DEEDS_LISTED.search(last)
            in_contents = bool(is_intro) or is_item
    return found


def _sections(text: str) -> Iterator[tuple[About, str]]:
    """The parts of a docstring: what is below a heading, up to a line that stands as far out."""
    about, margin, lines = About.TOOL, -1, list[str]()
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        meant = _meant_by(heading["words"]) if heading else None
        inset = len(line) - len(line.lstrip())
        is_out = bool(line.strip()) and inset <= margin and not _ENTRY.match(line)
        if heading is not None and meant is not None:
            yield about, "\n".join(lines)
            about, margin, lines = meant, inset, [heading["rest"] or ""]
        elif _UNDERLINE.match(line) and lines == [""]:
            margin -= 1
        elif is_out:
            yield about, "\n".join(lines)
            about, margin, lines = About.TOOL, -1, [line]
        else:
            lines.append(line)
    yield about, "\n".join(lines)


def _meant_by(heading: str) -> About | None:
    """What stands below a heading of a docstring; None where it is no such heading."""
    return next((about for words, about in SECTIONS if words.fullmatch(heading)), None)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, those in one that were wrapped; blank ones are left out."""
    pending: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        goes_on = bare[:1].islower() or bare[:1] == "("
        if pending and goes_on and len(pending[-1]) >= _WRAPPED and not _LABEL.match(bare):
            pending.append(bare)
            continue
        if pending:
            yield " ".join(pending)
        pending = [line.rstrip()] if bare else []
    if pending:
        yield " ".join(pending)
