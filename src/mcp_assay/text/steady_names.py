"""Names and texts without what differs from run to run: times, numbers of processes, chance.

Equal runs shall give equal reports, so what nobody chose is replaced by what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, TypeAlias

Forms: TypeAlias = tuple[tuple[str, str], ...]

TEMPORARY: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run")
"""Folders for temporary files, wherever TMPDIR is not another one."""
DATE: Final = r"(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])"
CLOCK: Final = r"(?:[01]\d|2[0-3])[:h.-]?[0-5]\d(?:[:m.-]?[0-5]\d(?:[.,]\d{1,9})?)?"
ZONE: Final = r"(?:Z|[+-]\d\d:?\d\d)?"
DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? "
MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
HEX: Final = "[0-9a-fA-F]"
BY_TEMPFILE: Final = ("random", r"(?<=/)tmp[a-z0-9_]{8}(?=[./\s]|$)")
"""What Python's tempfile makes."""
FORMS: Final[Forms] = (
    ("uuid", rf"(?<![\da-zA-Z]){HEX}{{8}}-(?:{HEX}{{4}}-){{3}}{HEX}{{12}}(?![\da-zA-Z])"),
    ("time", rf"(?<!\d){DATE}(?:[T _.-]{{0,2}}{CLOCK}{ZONE})?(?![\d])"),
    (
        "time",
        rf"(?:{DAY})?(?:\d\d? {MONTH}|{MONTH} +\d\d?),?(?: \d{{4}})?(?: {CLOCK})?(?: \d{{4}})?",
    ),
    ("time", r"(?<!\d)(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?!\d)"),
    ("number", r"(?<=\bpid)[\W_]{0,3}\d+(?!\d)"),
    ("hex", rf"(?<![\da-zA-Z])(?=[a-fA-F]*\d)(?=\d*[a-fA-F]){HEX}{{12,}}(?![\da-zA-Z])"),
    ("hex", r"(?<![\da-zA-Z])(?=(?:[a-f]*\d){2})(?=(?:\d*[a-f]){2})[0-9a-f]{7,11}(?![\da-zA-Z])"),
    ("number", r"(?<![\d.])\d{9,}(?:\.\d+)?(?!\d)"),
    BY_TEMPFILE,
)
"""What differs in any text, by what it is, the longest forms first."""
IN_TEMPORARY: Final[Forms] = (
    BY_TEMPFILE,
    ("number", r"(?<=[-._/])\d{2,}(?=[-./]|$)"),
    (
        "random",
        r"(?<=[-._])(?=[A-Za-z]*\d|[a-z]+[A-Z]|[A-Z]+[a-z])[A-Za-z0-9]{6,12}(?=[./]|$)",
    ),
    ("random", r"(?<=/)(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{8,}(?=[./]|$)"),
)
"""What differs in the names of temporary files besides."""
LONGEST: Final = 100_000


@cache
def _pattern(forms: Forms) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """The forms as one pattern, with the kind of each; made on first use, for it takes its time."""
    return re.compile("|".join(f"({form})" for _, form in forms)), tuple(kind for kind, _ in forms)


def is_temporary(path: str, but: Iterable[str] = ()) -> bool:
    """Whether a path lies in a folder for temporary files, but in none of some others."""
    if any(path == folder or path.startswith(f"{folder}/") for folder in but):
        return False
    return any(path.startswith(f"{folder}/") for folder in TEMPORARY)


def steady(text: str, known: str = "") -> str:
    """The text with {time}, {number}, {hex} or {uuid} for what differs from run to run.

    What stands in `known`, such as the arguments of a call, does not.
    """
    if not text or len(text) > LONGEST:
        return text
    return _replaced(text, known, *_pattern(FORMS))


def steady_path(path: str, known: str = "", but: Iterable[str] = ()) -> str:
    """A path likewise; names of temporary files are mostly chosen by chance."""
    return steady_name(path, is_temporary(path, but), known)


def steady_name(name: str, is_in_temporary: bool, known: str = "") -> str:
    """A name, or the end of a path, likewise."""
    if is_in_temporary:
        name = _replaced(name, known, *_pattern(IN_TEMPORARY))
    return steady(name, known)


def _replaced(text: str, known: str, pattern: re.Pattern[str], kinds: tuple[str, ...]) -> str:
    return pattern.sub(_replacer(known, kinds), text)


def _replacer(known: str, kinds: tuple[str, ...]) -> Callable[[re.Match[str]], str]:
    def replaced(match: re.Match[str]) -> str:
        found = match[0]
        if found.strip(" :=-_") in known:
            return found
        kind = kinds[(match.lastindex or 1) - 1]
        kept = found[: len(found) - len(found.lstrip(" :=-_(["))] if kind == "number" else ""
        return f"{kept}{{{kind}}}"

    return replaced
