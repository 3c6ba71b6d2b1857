"""Our tables and the official schemas agree, but for what `differences` names."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import orjson
import pytest
from msgspec.structs import replace

from mcp_assay.rules.engine import payload, slow, walk
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.spec.shape import Field
from mcp_assay.spec.shapes import SHAPES
from tests.oracle import (
    ERRATA,
    Erratum,
    Official,
    coverage,
    needs_spec,
    official,
    paths,
    systematic,
)
from tests.oracle.comparison import SEED, Disagreement, compare, disagreements, halves
from tests.oracle.differences import (
    ADDITIONS,
    BEYOND,
    LENIENT,
    Addition,
    expected_forms,
    expected_paths,
    explanations,
)
from tests.oracle.reachable_rules import forms
from tests.oracle.tables import Tables, reachable_shapes, table_paths
from tests.oracle.walk import text_of

pytestmark = needs_spec
every_revision = pytest.mark.parametrize("revision", REVISIONS)

AT_LEAST: Final = 10_000
"""So many messages of each half; none occurs twice."""

DELETIONS: Final = 50
DELETIONS_TOLD_BY_A_MESSAGE: Final = 40
"""No verdict depends on the rest: they take anything, or something else tells the same."""


@every_revision
def test_verdicts_agree_but_for_the_named_differences(revision: str) -> None:
    walked, ours = halves(revision)
    distinct = {text_of(case) for case in (*walked, *ours)}
    found = disagreements(revision)
    names = Counter(name for one in found for name in explanations(one))
    print(f"{revision}: {len(walked)} messages from the schema, {len(ours)} from the tables")
    print(f"{revision}: named differences {dict(sorted(names.items()))}")
    assert min(len(walked), len(ours)) >= AT_LEAST
    assert len(distinct) >= 2 * AT_LEAST
    assert [reported(one) for one in found if not explanations(one)] == []


def reported(found: Disagreement) -> str:
    verdict = "accepted by the schema" if found.accepted else "rejected by the schema"
    said = [f"{finding.rule} {finding.pointer}" for finding in found.findings]
    return f"{found.case.unit}, {verdict}, {said}: {orjson.dumps(found.case.message).decode()}"


def test_every_named_difference_occurs() -> None:
    found = [one for revision in REVISIONS for one in disagreements(revision)]
    occurring = {name for one in found for name in explanations(one)}
    assert occurring == {beyond.rule for beyond in BEYOND} | {one.name for one in LENIENT}


def test_no_named_difference_is_one_of_shape() -> None:
    shape = {"JSONRPC-014", "SCHEMA-001", "SCHEMA-002"}
    assert {beyond.rule for beyond in BEYOND} <= CATALOGUE.keys() - shape


@pytest.mark.parametrize(
    ("erratum", "revision"),
    [(erratum, revision) for erratum in ERRATA for revision in erratum.revisions],
    ids=lambda value: value.name if isinstance(value, Erratum) else value,
)
def test_verdicts_differ_where_an_erratum_is_left_in(erratum: Erratum, revision: str) -> None:
    faulty = Official(revision, [other for other in ERRATA if other is not erratum])
    found = (one for half in halves(revision) for one in compare(faulty, half))
    unexplained = next(one for one in found if not explanations(one))
    assert not unexplained.accepted
    assert official(revision).verdict(unexplained.case.unit, unexplained.case.message)


@every_revision
def test_messages_cover_every_property_of_the_schema_and_every_field_of_the_tables(
    revision: str,
) -> None:
    oracle, tables = official(revision), Tables(revision)
    of_schema = coverage(halves(revision).official, oracle)
    of_tables = coverage(systematic(tables), tables)
    print(f"{revision}: of the schema {of_schema}")
    print(f"{revision}: of the tables {of_tables}")
    assert min(len(of_schema.required), len(of_tables.required)) > 500
    assert of_schema.missing == []
    assert of_tables.missing == []


@every_revision
def test_the_tables_have_the_structure_of_the_schema_with_the_named_additions(
    revision: str,
) -> None:
    assert len(expected_paths(revision)) > 300
    assert len(expected_forms(revision)) > 100
    assert table_paths(revision) ^ expected_paths(revision) == set()
    assert forms(Tables(revision)) ^ expected_forms(revision) == set()


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.name)
def test_a_named_addition_is_none_of_the_schema(addition: Addition) -> None:
    for revision in addition.revisions:
        added = addition.to(expected_paths(revision))
        assert added
        assert added & paths(revision) == set()


@dataclass(frozen=True)
class Row:
    """A field of a shape as one revision has it."""

    revision: str
    shape: str
    field: Field

    def __str__(self) -> str:
        return f"{self.revision} {self.shape}.{self.field.name}"


def test_deleting_any_field_from_the_tables_makes_the_comparison_fail() -> None:
    rows = random.Random(SEED).sample(all_rows(), DELETIONS)
    noticed = {str(row): what_notices(row) for row in rows}
    for row, what in noticed.items():
        print(f"without {row}: noticed by {what}")
    assert len(noticed) == DELETIONS
    assert [row for row, what in noticed.items() if what == "nothing"] == []
    assert Counter(noticed.values())["a message"] >= DELETIONS_TOLD_BY_A_MESSAGE


def all_rows() -> list[Row]:
    """Every field that a message can reach, in every revision that has it."""
    return [
        Row(revision, shape, field)
        for revision in REVISIONS
        for shape in sorted(reachable_shapes(revision))
        for field in SHAPES[shape].fields_in(revision)
    ]


def what_notices(row: Row) -> str:
    """What shows that the field is gone: a verdict, else the structure, else nothing."""
    units = reachable_shapes(row.revision)[row.shape]
    verbose = [
        case
        for case in halves(row.revision).official
        if case.unit.key in units and any(key == row.field.name for _, key, _ in case.tags)
    ]
    with deleted(row):
        found = compare(official(row.revision), verbose)
        if any(not explanations(one) for one in found):
            return "a message"
        return "the structure" if has_another_structure(row.revision) else "nothing"


def has_another_structure(revision: str) -> bool:
    return table_paths(revision) != expected_paths(revision) or forms(
        Tables(revision)
    ) != expected_forms(revision)


@contextmanager
def deleted(row: Row) -> Iterator[None]:
    whole = SHAPES[row.shape]
    rest = tuple(field for field in whole.fields if field is not row.field)
    SHAPES[row.shape] = replace(whole, fields=rest)
    forget_what_was_compiled()
    try:
        yield
    finally:
        SHAPES[row.shape] = whole
        forget_what_was_compiled()


def forget_what_was_compiled() -> None:
    for module in (walk, payload, slow):
        for name in vars(module).values():
            if hasattr(name, "cache_clear"):
                name.cache_clear()
