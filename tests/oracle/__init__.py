"""The differential test: oracle, generated messages, what they cover, and where verdicts differ.

`official` asks the official schema of a revision; `walk` makes messages from it and, through
`tables`, from our own tables; `comparison` asks both sides; `differences` names what is meant.

Use:

    oracle = official(revision)
    for case in cases(oracle, random.Random(seed)):
        oracle.verdict(case.unit, case.message)

The official files are read from `SPEC`, beside the project; tests skip where that is absent.
"""

from __future__ import annotations

from tests.oracle.mutate import mutants
from tests.oracle.official import ERRATA, SPEC, Erratum, Official, Unit, needs_spec, official
from tests.oracle.reachable_rules import Coverage, coverage, paths, required_tags, unit_paths
from tests.oracle.walk import Case, Mode, Tag, cases, rambling, systematic

__all__ = [
    "ERRATA",
    "SPEC",
    "Case",
    "Coverage",
    "Erratum",
    "Mode",
    "Official",
    "Tag",
    "Unit",
    "cases",
    "coverage",
    "mutants",
    "needs_spec",
    "official",
    "paths",
    "rambling",
    "required_tags",
    "systematic",
    "unit_paths",
]
