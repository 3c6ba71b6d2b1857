"""What a server says of its tools, against what the run showed: held, broken or unproven."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.report import Report
from mcp_assay.model.tool import CallRow
from mcp_assay.schema.checker import Schemas

Proof: TypeAlias = Literal["held", "broken", "unproven"]

PROMISES: Final[Mapping[str, bool]] = {
    "readOnlyHint": True,
    "idempotentHint": True,
    "destructiveHint": False,
    "openWorldHint": False,
}
"""The hints that promise something, with the value that does."""
SAID_BY_READING: Final = ("idempotentHint", "destructiveHint")
"""The hints that mean nothing where a tool claims to read only."""
OUTPUT: Final = "outputSchema"
KINDS: Final = (*PROMISES, OUTPUT)
BROKEN_OUTPUT: Final = frozenset({"CALL-002", "CALL-003"})
"""The rules that a tool breaks which does not answer as its outputSchema says."""
HINTS_BROKEN: Final[Mapping[str, str]] = {
    "EFF-001": "readOnlyHint",
    "EFF-002": "destructiveHint",
    "EFF-003": "idempotentHint",
    "EFF-004": "openWorldHint",
}
"""The hint that each rule about effects is about."""
PROOF_WORDS: Final[Mapping[Proof, str]] = {
    "held": "confirmed",
    "broken": "violated",
    "unproven": "unproven",
}
PROOFS: Final[Mapping[str, Proof]] = {"held": "held", "contradicted": "broken"}


class Claim(Struct, frozen=True):
    """One promise of one tool, and what is known of it."""

    tool: str
    kind: str
    """The hint, or outputSchema."""
    proof: Proof


def claims(report: Report) -> list[Claim]:
    """Every promise that the listed tools make, in the order of the list."""
    counts = _HintCounts(report)
    return [
        Claim(name, kind, counts.proof(name, kind, definition))
        for name, definition in definitions(report).items()
        for kind in _promised(definition)
    ]


def definitions(report: Report) -> dict[str, dict[str, Any]]:
    """The tools as they are listed, each name once."""
    listed = report.surface.definitions.tools if report.surface else []
    return {
        tool["name"]: tool
        for tool in listed
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    }


def _promised(definition: Mapping[str, Any]) -> Iterator[str]:
    hints = definition.get("annotations")
    given = hints if isinstance(hints, dict) else {}
    idle = SAID_BY_READING if given.get("readOnlyHint") is True else ()
    for hint, promise in PROMISES.items():
        if given.get(hint) is promise and hint not in idle:
            yield hint
    if isinstance(definition.get(OUTPUT), dict):
        yield OUTPUT


def _supported(report: Report) -> Iterator[tuple[str, str]]:
    """The promises that calls in a disposable world support, each with its tool."""
    for tool in report.tools:
        for one in tool.proposed_annotations.hints if tool.proposed_annotations else ():
            if one.supported is not None and one.supported is PROMISES.get(one.hint):
                yield tool.name, one.hint


def _refuted(report: Report) -> Iterator[tuple[str, str]]:
    """The promises that effects were proven to break, each with its tool."""
    for finding in report.findings:
        hint = HINTS_BROKEN.get(finding.rule)
        for place in (finding.where, *finding.examples) if hint else ():
            if place.tool and hint:
                yield place.tool, hint


class _HintCounts:
    """What the report shows of each tool, put in order once."""

    def __init__(self, report: Report) -> None:
        self._hints: Final = {tool.name: tool.hints for tool in report.tools}
        self._supported: Final = set(_supported(report))
        self._refuted: Final = set(_refuted(report))
        self._broken: Final[set[str]] = set()
        self._calls: Final[dict[str, list[CallRow]]] = defaultdict(list)
        self._schemas: Final = Schemas()
        self._is_judged: Final = any(
            check.rule == "CALL-003" and check.outcome in ("passed", "failed")
            for check in report.checks
        )
        for finding in report.findings:
            if finding.rule in BROKEN_OUTPUT:
                self._broken.update(
                    place.tool for place in (finding.where, *finding.examples) if place.tool
                )
        for call in report.calls:
            self._calls[call.tool].append(call)

    def proof(self, tool: str, kind: str, definition: Mapping[str, Any]) -> Proof:
        """What is known of one promise."""
        if kind == OUTPUT:
            return self._output(tool, definition[OUTPUT])
        if (tool, kind) in self._refuted:
            return "broken"
        known = PROOFS.get(self._hints.get(tool, {}).get(kind, ""))
        return known or ("held" if (tool, kind) in self._supported else "unproven")

    def _output(self, tool: str, schema: object) -> Proof:
        """A schema is kept where a valid call passed and none had a faulty answer.

        A schema that is not tame may have been left undecided, so it stays unproven.
        """
        calls = self._calls[tool]
        if tool in self._broken:
            return "broken"
        is_kept = any(call.valid and call.outcome == "passed" for call in calls)
        is_doubtful = any(call.trouble == "faulty_answer" for call in calls)
        if not self._is_judged or not is_kept or is_doubtful:
            return "unproven"
        return "held" if self._schemas.prepare(schema).sort == "tame" else "unproven"
