"""One row of the rule table, and the words that rows are written with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.finding import Severity
from mcp_assay.spec.revisions import REVISIONS, between
from mcp_assay.spec.rule_table.pages import address

Party: TypeAlias = Literal["client", "server", "both"]
Observable: TypeAlias = Literal[
    "message", "response", "session", "http", "stdio-bytes", "probe", "definitions"
]
Observables: TypeAlias = tuple[Observable, ...]

ERROR: Final = "error"
WARNING: Final = "warning"
INFO: Final = "info"

CLIENT: Final = "client"
SERVER: Final = "server"
BOTH: Final = "both"

MESSAGE: Final[Observables] = ("message",)
RESPONSE: Final[Observables] = ("response",)
SESSION: Final[Observables] = ("session",)
HTTP: Final[Observables] = ("http",)
STDIO_BYTES: Final[Observables] = ("stdio-bytes",)
PROBE: Final[Observables] = ("probe",)
DEFINITIONS: Final[Observables] = ("definitions",)

ALL: Final = REVISIONS

DECIDE_ALONE: Final = frozenset({"message", "response"})
"""What decides a rule without anything else: one message, or one response of a tool."""

NEEDS: Final[Mapping[Observable, str]] = {
    "session": "the messages around it",
    "http": "the HTTP exchange",
    "stdio-bytes": "the bytes on the pipe",
    "probe": "the server to be asked",
    "definitions": "the definitions as listed",
}
"""What a rule needs besides one message, where its row says nothing more exact."""

OUR_FAMILIES: Final = frozenset({"RESP", "SCEN", "DRIFT", "LINT", "LEAK", "ENV", "TVAL", "LIMIT"})
"""The families of rules that are ours, not the specification's."""


def since(revision: str) -> tuple[str, ...]:
    """The revisions from this one on."""
    return between(revision, REVISIONS[-1])


def until(revision: str) -> tuple[str, ...]:
    """The revisions up to this one, which is included."""
    return between(REVISIONS[0], revision)


def only(revision: str) -> tuple[str, ...]:
    """This revision and no other."""
    return between(revision, revision)


class Entry(Struct, frozen=True):
    """What the catalogue knows about one rule."""

    id: str
    severity: Severity
    subject: Party
    """Who is at fault where the rule is broken."""
    observable: Observables
    """What the rule can be decided from."""
    revisions: tuple[str, ...]
    statement: str
    """The rule in our words."""
    page: str
    """Page and anchor in the newest of the revisions, or a full address."""
    needs: str = ""
    """What is needed besides one message, where that is more exact than the table NEEDS."""
    open_part: str | None = None
    """What one message leaves open of a rule that it otherwise decides."""
    grades: Mapping[str, Severity] = {}
    """The conditions under which the severity is another one."""

    @property
    def family(self) -> str:
        """The part of the id before its number."""
        return self.id.rpartition("-")[0]

    @property
    def ours(self) -> bool:
        """Whether the rule is our own, not the specification's."""
        return self.family in OUR_FAMILIES

    @property
    def undecided(self) -> str | None:
        """Why neither one message nor one response can decide the rule, or None where it can."""
        if not DECIDE_ALONE.isdisjoint(self.observable):
            return None
        return f"needs {self.needs or NEEDS[self.observable[0]]}"

    def url(self, revision: str) -> str:
        """The address to read in `revision` or, where the rule is not in it, in its newest one."""
        return address(self.page, revision if revision in self.revisions else self.revisions[-1])

    def severity_of(self, grade: str | None) -> Severity:
        """The severity under the condition `grade`; None is the ordinary case."""
        return self.severity if grade is None else self.grades[grade]
