"""One row of the rule catalogue, the words that rows are written with, and their pages."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.finding import Severity
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
    REVISIONS,
    between,
)

SITE: Final = "https://modelcontextprotocol.io/specification"
SCHEMAS: Final = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema"
SCHEMA_FILE: Final = "schema.ts"
"""The page that stands for a revision's schema as a whole."""
SCHEMA_PAGE_SINCE: Final = R2025_06_18
"""The first revision whose schema has a page of its own on the site."""

STREAMABLE: Final = "basic/transports/streamable-http"

MOVED: Final = {
    "basic/authorization/authorization-server-discovery": (R2026_07_28, "basic/authorization"),
    "basic/authorization/security-considerations": (R2026_07_28, "basic/authorization"),
    "basic/index#error-responses": (R2025_11_25, "basic/index"),
    "basic/index#messages": (R2025_03_26, "basic/index"),
    "basic/index#meta": (R2025_06_18, "basic/index"),
    "basic/index#notifications": (R2025_03_26, "basic/messages#notifications"),
    "basic/index#ref-resolution": (R2026_07_28, "basic/index"),
    "basic/index#requests": (R2025_03_26, "basic/messages#requests"),
    "basic/index#responses": (R2025_03_26, "basic/messages#responses"),
    "basic/index#result-responses": (R2025_11_25, "basic/index"),
    "basic/index#schema-validation": (R2025_11_25, "basic/index"),
    "basic/patterns/cancellation": (R2026_07_28, "basic/utilities/cancellation"),
    "basic/patterns/progress": (R2026_07_28, "basic/utilities/progress"),
    "basic/transports#messages": (R2026_07_28, "basic/transports"),
    "basic/transports/stdio": (R2026_07_28, "basic/transports#stdio"),
    f"{STREAMABLE}#receiving-messages": (
        R2026_07_28,
        "basic/transports#sending-messages-to-the-server",
    ),
    f"{STREAMABLE}#security-&-endpoint": (R2026_07_28, "basic/transports#security-warning"),
    f"{STREAMABLE}#sending-messages": (
        R2026_07_28,
        "basic/transports#sending-messages-to-the-server",
    ),
    f"{STREAMABLE}#standard-request-headers": (R2026_07_28, "basic/transports#streamable-http"),
    "client/elicitation#form-mode-security": (R2025_11_25, "client/elicitation"),
    "client/elicitation#requested-schema": (R2025_11_25, "client/elicitation"),
    "deprecated": (R2026_07_28, f"{SITE}/{R2026_07_28}/deprecated"),
    "server/resources#annotations": (R2025_06_18, "server/resources"),
    "server/tools#tool-names": (R2025_11_25, "server/tools"),
}
"""Page -> the first revision that has it, and what to read in the revisions before.

A page without an anchor stands for its anchors too, but for those that have a line of their own.
"""


def address(page: str, revision: str) -> str:
    """The full address of `page`, or of what stood for it in `revision`."""
    page = _in(page, revision)
    if page.startswith("https://"):
        return page
    if page == SCHEMA_FILE or (page.startswith("schema#") and revision < SCHEMA_PAGE_SINCE):
        return f"{SCHEMAS}/{revision}/{SCHEMA_FILE}"
    return f"{SITE}/{revision}/{page}"


def _in(page: str, revision: str) -> str:
    path, mark, anchor = page.partition("#")
    for known, rest in ((page, ""), (path, mark + anchor)):
        since, earlier = MOVED.get(known, ("", ""))
        if revision < since:
            return earlier + rest
    return page


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

EvidenceKind: TypeAlias = Literal[
    "session", "sender", "http", "headers", "stdio", "exact bytes", "definitions"
]
"""What a run may have seen besides messages: a rule that nothing of it can break stays open."""


class NeededEvidence(StrEnum):
    """What several rules need, in words, where more than words goes by it."""

    HEADERS = "the HTTP headers"
    WITH_HEADERS = "the HTTP exchange with its headers"
    SENDER = "who sent the message"


NEEDS: Final[Mapping[Observable, str]] = {
    "session": "the rest of the session",
    "http": "the HTTP exchange",
    "stdio-bytes": "the bytes on stdio",
    "probe": "a request that assess sends",
    "definitions": "the listed definitions",
}
"""What a rule needs besides one message, where its row says nothing more exact."""

FIRST_VERSION: Final = "0.1.0"
"""The version of mcp-assay that had the first rules; a row that is newer names its own."""

OUR_FAMILIES: Final = frozenset(
    {"RESP", "SCEN", "DRIFT", "LINT", "LEAK", "EFF", "ENV", "TVAL", "LIMIT"}
)
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


class CatalogueEntry(Struct, frozen=True):
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
    also: Observables = ()
    """From what else mcp-assay decides it."""
    open_part: str | None = None
    """What one message leaves open of a rule that it otherwise decides."""
    grades: Mapping[str, Severity] = {}
    """The conditions under which the severity is another one."""
    since: str = FIRST_VERSION
    """The version of mcp-assay that first had the rule."""
    aliases: tuple[str, ...] = ()
    """The names that the rule had in earlier versions; each stays known."""

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

    @property
    def sources(self) -> Observables:
        """From what the rule is decided where nobody asks the server."""
        return tuple(one for one in (*self.observable, *self.also) if one != "probe")

    def url(self, revision: str) -> str:
        """The address to read in `revision` or, where the rule is not in it, in its newest one."""
        return address(self.page, revision if revision in self.revisions else self.revisions[-1])

    def severity_of(self, grade: str | None) -> Severity:
        """The severity under the condition `grade`; None is the ordinary case."""
        return self.severity if grade is None else self.grades[grade]
