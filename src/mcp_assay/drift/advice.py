"""Changes that a finding asked for: whoever does as advised has made nothing worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from mcp_assay.drift.comparison import Change
from mcp_assay.model.finding import Finding
from mcp_assay.wire.pointer import pointer

WHOLE: Final = ""
"""Stands for the whole tool: it has another name now."""
ADVISED: Final[Mapping[str, tuple[str, ...]]] = {
    "TOOL-002": (WHOLE,),
    "TOOL-003": (WHOLE,),
    "TOOL-004": (WHOLE,),
    "TOOL-005": (WHOLE,),
    "LINT-104": (WHOLE,),
    "TOOL-006": ("inputSchema",),
    "TOOL-007": ("inputSchema", "type"),
    "TOOL-010": ("outputSchema", "type"),
    "TOOL-014": ("inputSchema", "properties"),
    "TOOL-019": ("inputSchema", "additionalProperties"),
    "LINT-107": ("inputSchema", "properties"),
    "LINT-101": ("enum",),
    "LINT-102": ("enum",),
    "DRIFT-001": ("enum",),
    "DRIFT-006": ("enum",),
}
"""By rule, the steps of the pointer of a change that its advice leads to, all of them."""


def as_advised(changes: Iterable[Change], findings: Iterable[Finding]) -> Iterator[Change]:
    """The changes, those that a finding of the old report asked for as no break."""
    advised: dict[str, set[str]] = {}
    for finding in findings:
        if finding.rule in ADVISED and finding.where.tool is not None:
            advised.setdefault(finding.where.tool, set()).add(finding.rule)
    for change in changes:
        rule = _rule(change, advised) if change.grade == "breaking" else None
        yield _regraded(change, rule) if rule else change


def _rule(change: Change, advised: Mapping[str, set[str]]) -> str | None:
    """The rule whose advice the change follows."""
    for tool, rules in advised.items():
        start = pointer(("tools", tool))
        if change.place != start and not change.place.startswith(f"{start}/"):
            continue
        steps = set(change.place.removeprefix(start).split("/")[1:] or [WHOLE])
        if found := sorted(rule for rule in rules if steps.issuperset(ADVISED[rule])):
            return found[0]
    return None


def _regraded(change: Change, rule: str) -> Change:
    words = f"{change.message.removesuffix('.')}, as {rule} advises."
    return replace(change, grade="cosmetic", message=words, breaks="")
