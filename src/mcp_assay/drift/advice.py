"""Changes that a finding asked for: whoever does as advised has made nothing worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

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
    "CALL-003": ("outputSchema",),
    "RESP-004": ("outputSchema",),
}
"""By rule, the keywords that follow on each other in the pointer of what its advice changes."""
ONLY_FOR: Final[Mapping[str, str]] = {"RESP-004": "invalid_result"}
"""By rule, the reason that a finding must have to be about what changed."""
PROPERTIES: Final = "properties"


class _Advice(NamedTuple):
    """A rule whose advice may be followed, and the argument that it is about, if it is one."""

    rule: str
    argument: str | None


def as_advised(changes: Iterable[Change], findings: Iterable[Finding]) -> Iterator[Change]:
    """The changes, those that a finding of the old report asked for as no break."""
    advised: dict[str, set[_Advice]] = {}
    for finding in findings:
        is_meant = ONLY_FOR.get(finding.rule) in (None, finding.reason)
        if finding.rule in ADVISED and is_meant and finding.where.tool is not None:
            argument = next(iter(_arguments(finding.pointer.split("/"))), None)
            advised.setdefault(finding.where.tool, set()).add(_Advice(finding.rule, argument))
    for change in changes:
        rule = _rule(change, advised) if change.grade == "breaking" else None
        yield _regraded(change, rule) if rule else change


def _rule(change: Change, advised: Mapping[str, set[_Advice]]) -> str | None:
    """The rule whose advice the change follows."""
    for tool, advices in advised.items():
        start = pointer(("tools", tool))
        if change.place != start and not change.place.startswith(f"{start}/"):
            continue
        steps = change.place.removeprefix(start).split("/")[1:] or [WHOLE]
        if found := sorted(one.rule for one in advices if _leads_to(one, steps)):
            return found[0]
    return None


def _leads_to(advice: _Advice, steps: list[str]) -> bool:
    """Whether an advice leads to a change there: of its own argument, where it has one."""
    if advice.argument is not None and advice.argument not in _arguments(steps)[:1]:
        return False
    path = list(ADVISED[advice.rule])
    words = [step for before, step in pairwise(["", *steps]) if before != PROPERTIES]
    return any(words[at : at + len(path)] == path for at in range(len(words)))


def _arguments(steps: list[str]) -> list[str]:
    """The names in a pointer into a schema, the outermost first."""
    return [step for before, step in pairwise(steps) if before == PROPERTIES]


def _regraded(change: Change, rule: str) -> Change:
    words = f"{change.message.removesuffix('.')}, as {rule} advises."
    return replace(change, grade="cosmetic", message=words, breaks="")
