"""Both verdicts on every message of both halves, and where they differ."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.slow import Setting, asked_by, judge, kind_of
from mcp_assay.wire.reader import Reading
from tests.oracle.official import Official, Unit, official
from tests.oracle.tables import Tables
from tests.oracle.walk import Case, cases

SEED: Final = 20_260_728


class Halves(NamedTuple):
    """The messages made from the official schema, and others made from our tables."""

    official: tuple[Case, ...]
    tables: tuple[Case, ...]


@dataclass(frozen=True)
class Disagreement:
    """A message on which the verdicts differ; `unit` is what it says it is, where that exists."""

    revision: str
    case: Case
    unit: Unit | None
    accepted: bool
    """The official verdict; ours is the opposite."""
    findings: tuple[Finding, ...]


@cache
def halves(revision: str) -> Halves:
    """The messages of a revision; no message is in both halves."""
    walked = tuple(cases(official(revision), random.Random(SEED)))
    others = cases(Tables(revision), random.Random(SEED), apart_from=walked)
    return Halves(walked, tuple(others))


@cache
def disagreements(revision: str) -> tuple[Disagreement, ...]:
    """All of them, in both halves."""
    made = halves(revision)
    return tuple(compare(official(revision), (*made.official, *made.tables)))


def compare(oracle: Official, made: Iterable[Case]) -> Iterator[Disagreement]:
    """Ask both sides about each message.

    Both judge it as what it says it is: a mutant may have become another message of the revision.
    One that says it is nothing that the revision knows is put to the oracle as what it was.
    """
    for case in made:
        unit = _said(oracle, case)
        accepted = oracle.verdict(unit or case.unit, case.message)
        findings = our_findings(oracle.revision, case)
        if accepted == any(finding.severity == "error" for finding in findings):
            yield Disagreement(oracle.revision, case, unit, accepted, tuple(findings))


def our_findings(revision: str, case: Case) -> list[Finding]:
    """What we have to say about a message, knowing which method it answers."""
    setting = Setting(revision=revision, request_of=asked_by(case.unit.method, revision))
    return judge(Reading(case.message), setting)


def _said(oracle: Official, case: Case) -> Unit | None:
    kind = kind_of(case.message)
    if kind == case.unit.kind and case.message.get("method") in (None, case.unit.method):
        return case.unit
    return next(
        (unit for unit in oracle.units() if unit.key == (kind, case.message.get("method"))), None
    )
