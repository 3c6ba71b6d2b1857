"""Our tables, written as a schema, lose nothing and give the messages that they should."""

from __future__ import annotations

import pytest

from mcp_assay.spec.methods import methods_in
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS
from mcp_assay.spec.shapes import SHAPES
from tests.oracle import needs_spec, official, systematic
from tests.oracle.comparison import halves
from tests.oracle.tables import Tables, reachable_shapes, table_paths
from tests.oracle.walk import text_of

pytestmark = needs_spec
every_revision = pytest.mark.parametrize("revision", REVISIONS)


@every_revision
def test_messages_that_keep_our_tables_are_valid_by_the_official_schema(revision: str) -> None:
    oracle = official(revision)
    cases = systematic(Tables(revision))
    valid = [case for case in cases if case.valid]
    assert len(valid) > 1_000
    assert len(cases) - len(valid) > 3_000
    assert [case for case in valid if not oracle.verdict(case.unit, case.message)] == []


@every_revision
def test_the_methods_of_the_tables_are_those_of_the_official_schema(revision: str) -> None:
    calls = [
        unit for unit in official(revision).units() if unit.kind in ("request", "notification")
    ]
    methods = methods_in(revision).values()
    assert {(unit.kind, unit.method, unit.directions) for unit in calls} == {
        (method.kind, method.name, frozenset(method.senders)) for method in methods
    }


def test_every_shape_is_reached_by_a_message_or_is_for_what_no_revision_knows() -> None:
    reached = {name for revision in REVISIONS for name in reachable_shapes(revision)}
    assert SHAPES.keys() - reached == {
        "UnknownNotificationParams",
        "UnknownRequestParams",
        "UnknownResult",
    }


def test_paths_follow_the_fields_of_each_revision() -> None:
    call, answer = ("request", "tools/call"), ("result", "tools/call")
    found = {revision: table_paths(revision) for revision in REVISIONS}
    assert (call, ("params", "task", "ttl")) in found[R2025_11_25] - found[R2026_07_28]
    assert (call, ("params", "inputResponses", "{}", "action")) in found[R2026_07_28]
    assert (answer, ("result", "content", "[]", "resource", "blob")) in found[R2025_06_18]


@pytest.mark.parametrize(
    ("unit", "names"),
    [
        ("notification notifications/progress", {"id", "method"}),
        ("result tools/list", {"result", "error"}),
        ("request tools/list", {"method", "result"}),
    ],
)
def test_the_tables_give_messages_with_members_of_another_kind(unit: str, names: set[str]) -> None:
    messages = [case.message for case in halves(R2025_06_18).tables if str(case.unit) == unit]
    assert any(message.keys() >= names for message in messages)


def test_the_halves_have_no_message_in_common() -> None:
    walked, ours = halves(R2025_06_18)
    assert walked
    assert ours
    assert not {text_of(case) for case in walked}.intersection(map(text_of, ours))
