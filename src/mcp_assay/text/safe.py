"""Text from outside made safe to show: what a terminal obeys or hides becomes visible."""

from __future__ import annotations

import re
import shlex
from functools import cache, lru_cache

HIDDEN = (
    ("\x00", "\x1f"),  # control characters, the escape character among them
    ("\x7f", "\x9f"),  # delete, and the second set of control characters
    ("\xad", "\xad"),  # soft hyphen
    ("\u034f", "\u034f"),  # combining grapheme joiner
    ("\u0600", "\u0605"),  # Arabic number signs
    ("\u061c", "\u061c"),  # Arabic letter mark
    ("\u06dd", "\u06dd"),  # Arabic end of ayah
    ("\u070f", "\u070f"),  # Syriac abbreviation mark
    ("\u0890", "\u0891"),  # Arabic currency marks
    ("\u08e2", "\u08e2"),  # Arabic disputed end of ayah
    ("\u115f", "\u1160"),  # Hangul fillers
    ("\u17b4", "\u17b5"),  # Khmer inherent vowels
    ("\u180e", "\u180e"),  # Mongolian vowel separator
    ("\u200b", "\u200f"),  # zero-width characters and direction marks
    ("\u2028", "\u202e"),  # line and paragraph separators, direction overrides
    ("\u2060", "\u206f"),  # word joiner, direction isolates and other invisible marks
    ("\u3164", "\u3164"),  # Hangul filler
    ("\ud800", "\udfff"),  # lone surrogates
    ("\ufdd0", "\ufdef"),  # noncharacters
    ("\ufeff", "\ufeff"),  # byte order mark
    ("\uffa0", "\uffa0"),  # halfwidth Hangul filler
    ("\ufff0", "\ufffb"),  # interlinear annotation
    ("\ufffe", "\uffff"),  # noncharacters
    ("\U000110bd", "\U000110cd"),  # Kaithi number signs
    ("\U00013430", "\U0001345f"),  # hieroglyph format controls
    ("\U0001bca0", "\U0001bca3"),  # shorthand format controls
    ("\U0001d173", "\U0001d17a"),  # musical symbol format controls
    ("\U000e0000", "\U000e0fff"),  # tag characters and further variation selectors
)
"""Every character that is shown as its code: first and last of each range."""

LARGE = ("\U00010000", "\U0010ffff")
"""One character of these, and Python keeps all characters of a document in four bytes each."""
_MARKED = bytes(127) + b"\x01" * 129
"""What becomes of each byte, for those to be found that may be part of a hidden character."""
_FIRST_BEYOND_ISPRINTABLE = "\u034f"
"""Below this character, str.isprintable knows all that is hidden."""


def plain(text: str) -> str:
    r"""The text with every hidden character written as its code, such as \x1b or \u202e."""
    if text.isprintable() and (text.isascii() or max(text, default="") < _FIRST_BEYOND_ISPRINTABLE):
        return text
    return _hidden().sub(_code, text)


def plain_json(encoded: bytes) -> str:
    r"""JSON of an encoder as text that ends in a newline, with \u escapes for what is hidden.

    Of the hidden characters an encoder leaves only the last one of ASCII as it is. That, and what
    is beyond ASCII, is marked and then looked at alone: documents are long, and such runs are few.
    """
    if encoded.isascii() and b"\x7f" not in encoded:
        return encoded.decode("ascii") + "\n"
    parts, at, marks = [], 0, encoded.translate(_MARKED)
    while (start := marks.find(1, at)) >= 0:
        end = marks.find(0, start)
        parts += [encoded[at:start].decode("ascii"), _escaped_run(encoded[start:end])]
        at = end
    return "".join((*parts, encoded[at:].decode("ascii"), "\n"))


def plain_json_text(text: str) -> str:
    r"""One line of JSON with \u escapes for what is hidden: it says the same, and can be typed."""
    return _hidden().sub(_json_escape, text)


def as_typed(*words: str) -> str:
    """Words as they are typed in a shell; what is hidden in them is written as its bytes."""
    return " ".join(map(_typed_word, words))


def _typed_word(word: str) -> str:
    if plain(word) == word:
        return shlex.quote(word)
    text = word.replace("\\", r"\\").replace("'", r"\'")
    return f"$'{_hidden().sub(_byte_codes, text)}'"


def without_surrogates(text: str) -> str:
    r"""The text with lone surrogates, which no UTF-8 can carry, written as \ud800."""
    return text if text.isascii() else re.sub("[\ud800-\udfff]", _code, text)


def shorten(text: str, limit: int) -> str:
    """The text in at most `limit` characters: cut after a word, with an ellipsis for the rest."""
    return text if len(text) <= limit else whole_words(text[:limit])


def whole_words(beginning: str) -> str:
    """The beginning of a text without the word that was cut, and an ellipsis.

    Where that would take more than a half away, it is no text of words, and only a character goes.
    """
    last = max(beginning.rfind(" ", 0, -1), beginning.rfind("\n", 0, -1))
    end = last + 1 if 2 * last > len(beginning) else len(beginning) - 1
    return beginning[:end] + "…"


@cache
def _hidden(*others: tuple[str, str]) -> re.Pattern[str]:
    ranges = "".join(f"{first}-{last}" for first, last in (*HIDDEN, *others))
    return re.compile(f"[{ranges}]")


def _code(match: re.Match[str]) -> str:
    point = ord(match[0])
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def _byte_codes(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in match[0].encode(errors="replace"))


@lru_cache(maxsize=1024)
def _escaped_run(run: bytes) -> str:
    return _hidden(LARGE).sub(_json_escape, run.decode())


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
