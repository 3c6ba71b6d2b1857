"""Random JSON texts with everything that the grammar allows and people rarely write."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

SPACES: Final = ("", "", "", " ", "\n", "\t", "\r\n  ")
PIECES: Final = (
    *("a", "b", "i", "d", ":", ",", "[", "}", "é", "😀", " "),
    *(r"\u003a", r"\u003A", r"\u0061", r"\u00e9", r"\ud83d\ude00"),
    *(r"\\", r"\"", r"\/", r"\n", r"\\u003a", '\\\\\\"'),
)
NUMBERS: Final = ("0", "-0", "1", "12", "-3.25", "1e3", "2E-2", "0.5e+1", "18446744073709551616")
WORDS: Final = ("true", "false", "null")
BROKEN: Final = (
    *(
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "0",
        ".",
        "e",
        "-",
        "+",
        "x",
        "'",
        "/",
        "\n",
        "\x00",
    ),
    *("NaN", "tru", r"\u12", "//", "é", "\u2028"),
)


def texts(seed: int, count: int) -> Iterator[str]:
    """So many texts, each one JSON value; members repeat now and then."""
    random = Random(seed)
    for _ in range(count):
        yield _spaced(random, _value(random, 3))


def broken_texts(seed: int, count: int) -> Iterator[str]:
    """So many texts, each changed in one or two places, so that most are no longer JSON."""
    random = Random(seed)
    for text in texts(seed, count):
        changed = _changed(random, text)
        yield _changed(random, changed) if random.random() < 0.5 else changed


def _changed(random: Random, text: str) -> str:
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice((0, 0, 1, 1, 2, len(text))))
    return text[:start] + random.choice(("", *BROKEN)) + text[end:]


def _value(random: Random, depth: int) -> str:
    kind = random.randrange(6 if depth else 3)
    if kind == 0:
        return _string(random)
    if kind in (1, 2):
        return random.choice((*NUMBERS, *WORDS))
    if kind == 3:
        items = (_spaced(random, _value(random, depth - 1)) for _ in range(random.randrange(4)))
        return f"[{','.join(items) or random.choice(SPACES)}]"
    members = (_member(random, depth - 1) for _ in range(random.randrange(4)))
    return f"{{{','.join(members) or random.choice(SPACES)}}}"


def _member(random: Random, depth: int) -> str:
    return f"{_spaced(random, _string(random))}:{_spaced(random, _value(random, depth))}"


def _string(random: Random) -> str:
    return f'"{"".join(random.choice(PIECES) for _ in range(random.choice((0, 1, 1, 1, 2, 4))))}"'


def _spaced(random: Random, text: str) -> str:
    return f"{random.choice(SPACES)}{text}{random.choice(SPACES)}"
