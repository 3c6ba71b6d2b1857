"""The wordings that mcp-assay knows: the texts in judge/wording, read strictly, on first use.

A table names a family in `= german =`, what phrases speak for and how loudly in
`== failure certain ==`, and lists the phrases below in lines, or between bars. A line that begins
with `#` is a comment. How a phrase is written is said in `patterns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Final

from msgspec.structs import replace

from mcp_assay.judge.errors.patterns import DECISIVE, SILENT, STRENGTHS, Pattern
from mcp_assay.model.verdict import TRACED, UNREADABLE

INDEX: Final = "tables"
"""The text that lists all tables in their order."""
FAMILY: Final = "="
GROUP: Final = "=="
LOUDNESS: Final = {"decisive": DECISIVE, **STRENGTHS}
KINDS: Final[Mapping[str, Pattern]] = {
    # A tool that works and refuses.
    "business": Pattern("", "business", SILENT, "business pattern"),
    # A tool that is itself at fault.
    "failure": Pattern("", "failure", SILENT, "crash signature"),
    # A tool that cannot read something: a refusal if the caller wrote that.
    "conversion": Pattern("", "failure", SILENT, UNREADABLE[0], owed_to_input=True),
    # A single value that cannot be read: mostly one that the caller wrote.
    "misreading": Pattern(
        "", "failure", SILENT, UNREADABLE[1], owed_to_input=True, owed_to_error_case=True
    ),
    # The marks of a stack trace.
    "frames": Pattern("", "failure", SILENT, TRACED, is_frame=True),
    # What the tool depends on fails.
    "environment": Pattern("", "environment", SILENT, "environment pattern"),
    # Words that do not tell what happened.
    "unclear": Pattern("", "unclear", SILENT, "says nothing"),
}
WRAPPER: Final = "wrapper"
"""Words that libraries put around any message: a kind that is never loud."""
GROUPS: Final[Mapping[str, Pattern]] = {
    WRAPPER: Pattern("", "unclear", SILENT, WRAPPER),
    **{
        f"{kind} {strength}": replace(model, weight=weight)
        for kind, model in KINDS.items()
        for strength, weight in LOUDNESS.items()
    },
}


class WrongWording(ValueError):
    """A table of wordings that cannot be used; the text says where and why."""


@cache
def known_patterns() -> tuple[Pattern, ...]:
    """All wordings of all tables, in their order."""
    tables = (read_table(name, table_text(name)) for name in table_names())
    return tuple(pattern for table in tables for pattern in table)


def table_names() -> list[str]:
    """The tables that the index lists."""
    lines = map(str.strip, table_text(INDEX).splitlines())
    return [line for line in lines if _says_something(line)]


def table_text(name: str) -> str:
    """A table as people write it: it comes with this package, as its modules do."""
    # The import of importlib.resources would double the time of a load.
    data = get_data("mcp_assay.judge", f"wording/{name}.txt")
    if data is None:
        raise WrongWording(f"wording/{name}.txt: the package was loaded without its files")
    return data.decode("utf-8")


def read_table(name: str, text: str) -> list[Pattern]:
    """The patterns of a table; raises WrongWording."""
    table = _Table()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            table.read(line.strip())
        except WrongWording as refusal:
            raise WrongWording(f"wording/{name}.txt, line {number}: {refusal}") from None
    return list(table.patterns.values())


class _Table:
    """What was read of a table, and the headings that hold for the next line."""

    def __init__(self) -> None:
        self.patterns: Final[dict[str, Pattern]] = {}
        self._family = ""
        self._group: Pattern | None = None

    def read(self, line: str) -> None:
        if line.startswith("="):
            self._open(line)
        elif _says_something(line):
            self._add(_phrases(line))

    def _open(self, line: str) -> None:
        mark, *words = line.split()
        if mark not in (FAMILY, GROUP) or len(words) < 2 or words.pop() != mark:
            raise WrongWording(f"{line!r} is no heading; write = FAMILY = or == KIND STRENGTH ==")
        name = " ".join(words)
        if mark == FAMILY:
            self._family, self._group = name, None
        else:
            self._group = replace(_group(name), source=self._family)

    def _add(self, phrases: list[str]) -> None:
        if self._group is None or not self._family:
            raise WrongWording("a phrase needs = FAMILY = and == KIND STRENGTH == above it")
        for phrase in phrases:
            if phrase in self.patterns:
                raise WrongWording(f"{phrase!r} stands in this table twice")
            self.patterns[phrase] = replace(self._group, phrase=phrase)


def _says_something(line: str) -> bool:
    return line != "" and not line.startswith("#")


def _group(name: str) -> Pattern:
    """What all phrases under a heading have in common."""
    if name in GROUPS:
        return GROUPS[name]
    kinds, strengths = ", ".join(KINDS), ", ".join(LOUDNESS)
    raise WrongWording(
        f"{name!r} is unknown; use one of {kinds} with one of {strengths}, or {WRAPPER} alone"
    )


def _phrases(line: str) -> list[str]:
    found = [phrase.strip() for phrase in line.split(" | ")]
    if not all(found) or "| |" in line or "|" in (line[0], line[-1]):
        raise WrongWording("a phrase is empty: there is nothing beside a bar")
    return found
