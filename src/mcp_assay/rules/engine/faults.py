"""The faults of one message: all counted, a bounded number kept, errors before the rest."""

from __future__ import annotations

from functools import cache
from typing import Final

from mcp_assay.rules.engine.rule import Found
from mcp_assay.spec.catalogue import CATALOGUE, applies
from mcp_assay.wire.pointer import Path

MOST_KEPT: Final = 100
"""So many errors, and so many other faults, are kept of one message."""

MOST_CHARACTERS: Final = 1_000_000
"""Once the places of the kept faults have so many characters together, no more are kept."""


class Faults(list[Found]):
    """The different faults by the rules of one revision, in a list that stops growing.

    A hostile message has millions of faults, or places with names of millions of characters.
    """

    __slots__ = ("characters", "has_errors", "known", "parsed", "revision", "room", "unlisted")

    def __init__(self, revision: str, *, parsed: bool = False) -> None:
        super().__init__()
        self.revision: Final = revision
        self.parsed: Final = parsed
        """Whether the message is exactly what orjson made of its text: then shortcuts are safe."""
        self.known: Final[set[tuple[str, Path, str]]] = set()
        self.has_errors = False
        self.unlisted = 0
        self.room = [MOST_KEPT, MOST_KEPT]
        self.characters = MOST_CHARACTERS

    def count_if_full(self, rule: str, grade: str | None) -> bool:
        """Count one more fault of this rule where it is not to be kept; tell whether that is so.

        Ask before a fault is put into words, which costs more than finding it.
        """
        error = _is_error(rule, grade, self.revision)
        return error is None or not self._try_admit(error)

    def append(self, found: Found) -> None:
        """Count the fault, and keep it while there is room."""
        rule, path = found.rule, found.path
        key, error = (rule, path, found.key), _is_error(rule, found.grade, self.revision)
        if key in self.known or error is None or not self._try_admit(error):
            return
        self.has_errors |= error
        self.room[error] -= 1
        self.characters -= len(found.text) + len("".join(map(str, path)))
        self.known.add(key)
        list.append(self, found)

    def branch(self) -> Faults:
        """An empty list with as much room: for an alternative that may not be the one meant."""
        branch = Faults(self.revision, parsed=self.parsed)
        branch.room = self.room.copy()
        branch.characters = self.characters
        return branch

    def take(self, found: Faults) -> None:
        """Add the faults of another list, those that were only counted too."""
        for fault in found:
            self.append(fault)
        self.has_errors |= found.has_errors
        self.unlisted += found.unlisted

    def _try_admit(self, error: bool) -> bool:
        if self.room[error] > 0 and self.characters > 0:
            return True
        self.has_errors |= error
        self.unlisted += 1
        return False


@cache
def _is_error(rule: str, grade: str | None, revision: str) -> bool | None:
    """Whether a fault is an error, None where the revision does not have the rule."""
    return CATALOGUE[rule].severity_of(grade) == "error" if applies(rule, revision) else None
