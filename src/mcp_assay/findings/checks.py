"""What became of every rule that applies: decided, and how, or not decided, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from mcp_assay.findings.tally import Tally
from mcp_assay.model.probe import OpenStep
from mcp_assay.model.report import Check, CheckOutcome
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.catalogue.row import EvidenceKind, NeededEvidence

DUPLICATE_MEMBERS = "JSONRPC-018"

ABSENT: Final[Mapping[EvidenceKind, str]] = {
    "session": "the messages belong to no session",
    "http": "no HTTP exchange was seen",
    "headers": "the trace does not have the headers",
    "exact bytes": "the trace does not have the exact bytes",
    "definitions": "no list of tools, resources or prompts was seen",
}
"""Why a rule is open where something was missing."""
OF_HEADERS: Final = (NeededEvidence.HEADERS, NeededEvidence.WITH_HEADERS)
NOT_HTTP: Final = "the traffic is not HTTP"
NOT_STDIO: Final = "the traffic is not stdio"
NOTHING: Final = "nothing that this rule applies to was seen"


class Scope(Struct, frozen=True, kw_only=True):
    """How far a run went: what decides whether silence about a rule means anything."""

    revisions: AbstractSet[str]
    decided: Collection[str]
    """The rules that at least one message could have broken."""
    wanted: Collection[str]
    """The rules that the user did not leave out."""
    messages: int
    duplicates: bool
    session_rules: Collection[str]
    """The rules about sessions that at least one session could have broken."""
    left_open: Mapping[str, str]
    """Why such a rule could not be judged."""
    evidence: frozenset[EvidenceKind] | None = None
    """What there was to be judged besides messages; None where others say why a rule is open."""
    outcomes: Mapping[str, OpenStep] = {}
    """What was asked of a server in vain, and why."""


def checks(entries: Iterable[CatalogueEntry], scope: Scope, tally: Tally) -> Iterator[Check]:
    """One check for each rule that belongs to a revision of the run."""
    for entry in entries:
        if scope.revisions and scope.revisions.isdisjoint(entry.revisions):
            continue
        outcome, reason = _outcome(entry, scope, tally)
        yield Check(rule=entry.id, outcome=outcome, reason=reason)


def reported_elsewhere(folded_rules: Mapping[str, str]) -> dict[str, OpenStep]:
    """Rules that lines broke which another rule reports: they were not kept, and not reported."""
    return {
        rule: OpenStep(rule, "undecided", f"{kept_rule} reports the same lines")
        for rule, kept_rule in folded_rules.items()
    }


def _outcome(entry: CatalogueEntry, scope: Scope, tally: Tally) -> tuple[CheckOutcome, str | None]:
    if entry.id not in scope.wanted:
        return "skipped", "excluded by --select or --ignore"
    if found := tally.rules.get(entry.id):
        return ("failed" if "error" in found else "warned"), None
    known = scope.outcomes.get(entry.id)
    if known is not None and entry.id not in scope.session_rules:
        return known.outcome, known.reason
    reason = _open_reason(entry, scope)
    return ("undecided", reason) if reason else ("passed", None)


def _open_reason(entry: CatalogueEntry, scope: Scope) -> str | None:
    """Why nothing can be said although nothing was found."""
    if not scope.messages:
        return "no message was checked"
    is_decided = entry.id in scope.decided
    if entry.id in scope.session_rules or (is_decided and _is_of_session(entry, scope)):
        return None
    reason = scope.left_open.get(entry.id) or _missing(entry, scope)
    if reason:
        return reason
    if entry.id == DUPLICATE_MEMBERS and not scope.duplicates:
        return "--fast skips this check"
    if entry.open_part and not _is_known(entry.open_part, scope):
        return f"one message does not show {entry.open_part}"
    return None if is_decided else "no message that this rule applies to was seen"


def _is_of_session(entry: CatalogueEntry, scope: Scope) -> bool:
    """Whether a rule that messages decide in their sessions could be decided so."""
    was_seen = scope.evidence is None or "session" in scope.evidence
    return was_seen and "session" in entry.observable


def _is_known(open_part: str, scope: Scope) -> bool:
    """Whether the run knows what one message leaves open."""
    return open_part is NeededEvidence.SENDER and "sender" in (scope.evidence or ())


def _missing(entry: CatalogueEntry, scope: Scope) -> str | None:
    """What was missing to decide a rule that needs more than a message; None where it does not."""
    seen = scope.evidence
    if entry.undecided is None or seen is None or not entry.sources:
        return entry.undecided
    for source in entry.sources:
        if source in ("session", "definitions") and source not in seen:
            return ABSENT[source]
        if source == "stdio-bytes" and "exact bytes" not in seen:
            return NOT_STDIO if "http" in seen and "stdio" not in seen else ABSENT["exact bytes"]
        if source == "http" and "http" not in seen:
            return NOT_HTTP if "stdio" in seen else ABSENT["http"]
        if source == "http" and entry.needs in OF_HEADERS and "headers" not in seen:
            return ABSENT["headers"]
    return NOTHING


def commonest_reasons(left_open: Counter[tuple[str, str]]) -> dict[str, str]:
    """The reason that most often left a rule open, by rule."""
    seldom_first = sorted(left_open, key=lambda one: (-left_open[one], one[1]), reverse=True)
    return dict(seldom_first)
