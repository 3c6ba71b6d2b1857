"""The catalogue agrees with the published list of rules, and its words are fit to be read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.spec.catalogue import CATALOGUE, RULES, applies, entry, suggest
from mcp_assay.spec.catalogue.own import BEHAVIOUR_RULES
from mcp_assay.spec.catalogue.row import MOVED
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25, R2026_07_28, REVISIONS

SHARED = Path(__file__).parents[3] / "shared" / "spec"

OURS_FOR_CALLERS = {"LINT-002", "LINT-003", "LINT-004"}
OURS_OF_RESPONSES = {f"ENV-{number}" for number in range(101, 124)}
OURS_FOR_OURSELVES = {"ENV-117", "ENV-118", "ENV-119"}
OURS = [rule.id for rule in RULES if rule.ours]
OUR_FAMILIES = {"RESP", "SCEN", "DRIFT", "LINT", "LEAK", "EFF", "ENV", "TVAL", "LIMIT"}

LEFTOVERS = {
    "a revision's letter": r"\b[B-E]\b(?!-Z)|\b[A-E](?:-|, ?)[B-E]\b|(?<=[a-z,;(] )A(?![-\w])",
    "the verbs of a standard": r"\b(?:MUST|SHOULD|MAY|NOT)\b",
    "a telegraphic sign": r"->|>=|<=|\+-|\.\.\d|`|\bW\)|\(lint|\(heuristic",
    "somebody's software": r"(?i)\bsdks?\b|fastmcp|\bmcp \d|schema\.json",
}

QUESTIONS_LEFT_OPEN = {
    "JSONRPC-013",
    "META-013",
    "PING-001",
    "PROG-006",
    "SCHEMA-003",
    "SCHEMA-004",
    "TASK-007",
    "TASK-010",
    "VER-005",
}

GRADES = [
    ("STDIO-002", "a carriage return alone", "warning"),
    ("RESP-001", "empty content", "warning"),
    ("RESP-001", "no information", "warning"),
    ("RESP-001", "not implemented", "warning"),
    ("RESP-001", "another step", "info"),
    ("RESP-001", "nothing to say sometimes", "info"),
    ("RESP-004", "arguments that nobody would send", "warning"),
    ("RESP-004", "no evidence of its own fault", "info"),
    ("RESP-007", "only some calls", "info"),
    ("RESP-009", "a program of the caller", "info"),
    ("RESP-009", "arguments that nobody would send", "warning"),
    ("RESP-009", "dependency unavailable", "warning"),
    ("RESP-009", "no network", "info"),
    ("RESP-007", "no network", "info"),
    ("DRIFT-010", "only words", "info"),
    ("TVAL-005", "a call that was declared valid is rejected", "info"),
    ("JSONRPC-003", "array in 2024-11-05", "warning"),
    ("JSONRPC-004", "integral float", "warning"),
    ("JSONRPC-011", "integral float", "warning"),
    ("JSONRPC-012", "integral float", "warning"),
    ("JSONRPC-013", "wrong type", "error"),
    ("JSONRPC-013", "integral float", "warning"),
    ("META-009", "malformed", "error"),
    ("META-010", "malformed", "error"),
    ("TOOL-008", "before 2025-11-25", "warning"),
    ("TOOL-027", "http", "warning"),
    ("SAMP-006", "deprecated feature", "info"),
    ("ELIC-003", "not https", "warning"),
    ("CALL-007", "limit, length or pattern not enforced", "warning"),
    ("CALL-007", "additionalProperties: false not enforced", "warning"),
    ("CALL-007", "coerced type", "warning"),
    ("TOOL-018", "idempotentHint true", "info"),
    ("TASK-008", "task forbidden", "warning"),
    ("TASK-008", "refused as a result", "warning"),
    ("MRTR-003", "extra members", "warning"),
    ("LIFE-015", "a harmless list", "info"),
    ("PAGE-002", "every list has one page", "info"),
    ("RES-009", "an update that may be of a part of a subscribed resource", "warning"),
    ("HTTP-027", "another version", "warning"),
    ("HTTP-034", "the server also supports older revisions", "warning"),
    ("LINT-104", "the name may mean something else", "info"),
    ("LINT-104", "destructiveHint false", "info"),
]


@pytest.fixture(scope="module")
def published() -> dict[str, dict[str, Any]]:
    """The rules of the specification as ../shared/spec lists them, by id."""
    path = SHARED / "rules.json"
    if not path.exists():
        pytest.skip("../shared/spec is absent: no list of rules to compare with")
    return {rule["id"]: rule for rule in json.loads(path.read_text("utf-8"))}


def test_the_rules_of_the_specification_are_all_there_in_order_and_then_ours(
    published: dict[str, Any],
) -> None:
    assert [id for id in CATALOGUE if id not in OURS] == list(published)
    assert list(CATALOGUE)[len(published) :] == OURS


def test_every_fact_equals_the_published_one(published: dict[str, Any]) -> None:
    ours = {
        rule.id: (rule.severity, rule.subject, [*rule.observable], [*rule.revisions])
        for rule in RULES
        if not rule.ours
    }
    theirs = {
        id: (rule["severity"], rule["subject"], rule["observable"], rule["versions"])
        for id, rule in published.items()
    }
    assert ours == theirs


def test_every_link_equals_the_published_one(published: dict[str, Any]) -> None:
    ours = {
        rule.id: {revision: rule.url(revision) for revision in rule.revisions}
        for rule in RULES
        if not rule.ours
    }
    assert ours == {id: rule["urls"] for id, rule in published.items()}


def test_no_rule_is_listed_twice() -> None:
    assert len(CATALOGUE) == len(RULES)


def test_only_our_own_families_are_ours() -> None:
    assert {id.partition("-")[0] for id in OURS} == OUR_FAMILIES


def test_our_own_rules_are_warnings_about_messages_of_every_revision() -> None:
    ours = [rule for rule in RULES if rule.ours and rule.observable == ("message",)]
    assert {"LINT-001", "LIMIT-001"} <= {rule.id for rule in ours}
    assert {(rule.severity, rule.revisions) for rule in ours} == {("warning", REVISIONS)}


def test_what_only_callers_ask_is_an_error_that_no_message_shows() -> None:
    ours = [rule for rule in RULES if rule.id in OURS_FOR_CALLERS]
    assert all(rule.severity == "error" and rule.undecided for rule in ours)


def test_every_statement_about_the_envelope_is_a_rule_or_a_promise_of_our_own() -> None:
    rules = [rule for rule in RULES if rule.id in OURS_OF_RESPONSES]
    assert {rule.id for rule in rules if rule.undecided} == OURS_FOR_OURSELVES
    assert {rule.observable for rule in rules} == {("response",), ("probe",)}


def test_our_own_rules_about_definitions_are_no_errors_and_need_the_lists() -> None:
    rules = [rule for rule in RULES if rule.ours and rule.observable == ("definitions",)]
    assert "LINT-101" in {rule.id for rule in rules}
    assert {rule.severity for rule in rules} == {"warning", "info"}


def test_our_rules_about_behaviour_need_calls_and_belong_to_five_families() -> None:
    families = {rule.id.partition("-")[0] for rule in BEHAVIOUR_RULES}
    assert families == {"RESP", "SCEN", "DRIFT", "LEAK", "EFF"}
    assert all(rule.observable == ("probe",) for rule in BEHAVIOUR_RULES)


def test_a_statement_is_one_or_two_whole_sentences() -> None:
    sentence = r"[A-Z](?:[^.\n]|\.(?! ))*\."
    whole = re.compile(rf"{sentence}(?: {sentence})?")
    assert [rule.statement for rule in RULES if not whole.fullmatch(rule.statement)] == []


@pytest.mark.parametrize("pattern", LEFTOVERS.values(), ids=LEFTOVERS)
def test_no_statement_is_written_in_shorthand(pattern: str) -> None:
    assert [rule.statement for rule in RULES if re.search(pattern, rule.statement)] == []


@pytest.mark.parametrize(
    "shorthand",
    [
        "Required in A-C only.",
        "Legal as a batch in B.",
        "Since A it is so.",
        "A key (A, B: none).",
        "Tolerated (SDKs emit it).",
        "An array (report W).",
        "The id MUST be given.",
    ],
)
def test_shorthand_would_be_noticed(shorthand: str) -> None:
    assert any(re.search(pattern, shorthand) for pattern in LEFTOVERS.values())


def test_no_two_rules_have_the_same_statement() -> None:
    assert len({rule.statement for rule in RULES}) == len(RULES)


def test_a_rule_is_undecided_exactly_where_neither_message_nor_response_can_show_it() -> None:
    undecided = {rule.id for rule in RULES if rule.undecided}
    alone = {"message", "response"}
    assert undecided == {rule.id for rule in RULES if alone.isdisjoint(rule.observable)}


def test_an_undecided_rule_says_what_it_needs() -> None:
    reasons = {rule.undecided for rule in RULES if rule.undecided}
    assert all(re.fullmatch(r"needs \w[^.]*[a-z]", reason) for reason in reasons)


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("JSONRPC-023", "needs the request that it answers"),
        ("HTTP-002", "needs the HTTP headers"),
        ("JSONRPC-033", "needs a request that assess sends"),
        ("CALL-003", "needs the tools as listed"),
        ("TOOL-001", "needs the listed definitions"),
        ("STDIO-001", "needs the bytes on stdio"),
        ("HTTP-015", "needs the HTTP exchange with its headers"),
    ],
)
def test_the_reason_for_undecided_is_as_exact_as_it_can_be(id: str, reason: str) -> None:
    assert entry(id).undecided == reason


def test_what_a_row_needs_is_said_only_where_one_message_does_not_do() -> None:
    assert [rule.id for rule in RULES if rule.needs and "message" in rule.observable] == []


def test_the_rules_that_one_message_decides_in_part_say_what_stays_open() -> None:
    left_open = {rule.id: rule for rule in RULES if rule.open_part}
    assert left_open.keys() == QUESTIONS_LEFT_OPEN
    assert all(rule.undecided is None for rule in left_open.values())


@pytest.mark.parametrize(("id", "grade", "severity"), GRADES)
def test_a_condition_has_a_severity_of_its_own(id: str, grade: str, severity: str) -> None:
    rule = entry(id)
    assert rule.severity_of(grade) == severity
    assert rule.severity_of(None) == rule.severity


def test_no_other_rule_is_graded() -> None:
    assert {(rule.id, grade) for rule in RULES for grade in rule.grades} == {
        (id, grade) for id, grade, _ in GRADES
    }


def test_a_grade_that_the_rule_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError, match="on Sundays"):
        entry("JSONRPC-004").severity_of("on Sundays")


def test_a_rule_links_to_its_newest_revision_where_the_one_asked_for_lacks_it() -> None:
    batch = entry("BATCH-003")
    assert batch.url(R2025_11_25) == batch.url(R2025_03_26)
    assert f"/{R2025_03_26}/" in batch.url(R2025_11_25)


def test_every_page_that_moved_is_that_of_a_rule_from_before_the_move() -> None:
    for page, (since, _) in MOVED.items():
        linked = [r for r in RULES if page in {r.page, r.page.partition("#")[0]}]
        assert any(rule.revisions[0] < since for rule in linked), page


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("JSONRPC-05", "JSONRPC-005"),
        ("jsonrpc-005", "JSONRPC-005"),
        ("jsonrpc5", "JSONRPC-005"),
        ("HTTP_040", "HTTP-040"),
        ("JSONRCP-005", "JSONRPC-005"),
        ("TOOLS-007", "TOOL-007"),
        ("LIMITS-001", "LIMIT-001"),
    ],
)
def test_a_mistyped_id_is_recognised(typed: str, first: str) -> None:
    assert suggest(typed)[0] == first


@pytest.mark.parametrize("typed", ["", "-", "nothing alike", "x" * 1_000_000, "\ud800", "9" * 9000])
def test_an_id_like_no_other_has_no_suggestion(typed: str) -> None:
    assert suggest(typed) == []


def test_an_unknown_rule_is_refused_with_near_ids() -> None:
    with pytest.raises(ValueError, match=r"unknown rule 'JSONRPC-05'; did you mean JSONRPC-005\?"):
        entry("JSONRPC-05")
    with pytest.raises(ValueError, match=r"unknown rule 'nothing alike'$"):
        entry("nothing alike")


@pytest.mark.parametrize(
    ("id", "revision", "expected"),
    [
        ("BATCH-003", R2025_03_26, True),
        ("BATCH-003", R2025_11_25, False),
        ("META-007", R2025_11_25, False),
        ("META-007", R2026_07_28, True),
        ("LINT-001", R2025_03_26, True),
    ],
)
def test_a_rule_applies_in_its_own_revisions(id: str, revision: str, expected: bool) -> None:
    assert applies(id, revision) is expected
