"""Two reports are compared with care: what was not looked at is neither fixed nor worse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mcp_assay.assess import untested
from mcp_assay.drift.comparison import Comparison
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import BaselineOutcome, Limit, Report
from mcp_assay.model.surface import ListedDefinitions, SurfaceSize
from tests.drift.small_reports import compared, definition, finding, made, row, surface

CRASH = finding("RESP-004", "find")
ELSEWHERE = replace(finding(key=2), pointer="/a")
LINT = finding("TOOL-013", "find", "warning")
RECEIVED = finding("JSONRPC-005", None)
PROBED = finding("LIFE-008", None)
CUT = [Limit(name="max-findings", value=1, count=1, effect="cut")]


def keys(findings: list[Finding]) -> set[str]:
    return {it.fingerprint for it in findings}


def reported(comparison: Comparison) -> dict[str, list[str]]:
    """The rules of all findings that differ, by how."""
    found = comparison.findings
    lists = {
        "new": [it.finding.rule for it in found.new],
        "fixed": [it.rule for it in found.fixed],
        "changed": [it.new.rule for it in found.changed],
        "not looked at": [it.finding.rule for it in found.not_looked_at],
    }
    return {name: rules for name, rules in lists.items() if rules}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([CRASH], [CRASH], {}),
        ([], [CRASH], {"new": ["RESP-004"]}),
        ([CRASH], [], {"fixed": ["RESP-004"]}),
        ([CRASH], [RECEIVED], {"new": ["JSONRPC-005"], "fixed": ["RESP-004"]}),
        ([CRASH], [replace(CRASH, severity="warning")], {"changed": ["RESP-004"]}),
        ([CRASH], [replace(CRASH, count=2)], {"changed": ["RESP-004"]}),
        ([CRASH], [CRASH, CRASH], {"changed": ["RESP-004"]}),
        ([CRASH], [replace(CRASH, message="Other words.")], {"changed": ["RESP-004"]}),
        ([CRASH], [finding(key=2)], {"changed": ["RESP-004"]}),
        ([CRASH], [ELSEWHERE], {"new": ["RESP-004"], "fixed": ["RESP-004"]}),
    ],
    ids=["equal", "come", "gone", "both", "severity", "count", "repeat", "words", "same place",
         "other place"],
)  # fmt: skip
def test_findings_are_matched(
    old: list[Finding], new: list[Finding], expected: dict[str, list[str]]
) -> None:
    assert reported(compared(made(*old), made(*new))) == expected


def test_what_is_wrong_with_another_method_is_no_change_of_the_same_finding() -> None:
    ping, list_tools = (
        finding("JSONRPC-005", None, key=key, cause=f"JSONRPC-005 {method}")
        for key, method in enumerate(("ping", "tools/list"))
    )
    comparison = compared(made(ping), made(list_tools))
    assert reported(comparison) == {"new": ["JSONRPC-005"], "fixed": ["JSONRPC-005"]}


def test_findings_of_a_place_that_has_several_are_not_taken_for_each_other() -> None:
    comparison = compared(made(CRASH, finding(key=2)), made(finding(key=3)))
    assert reported(comparison) == {"new": ["RESP-004"], "fixed": ["RESP-004", "RESP-004"]}


@pytest.mark.parametrize(
    ("gone", "new", "reason"),
    [
        (CRASH, {"outcomes": {"RESP-004": "skipped"}}, "its rule was excluded"),
        (CRASH, {"outcomes": {"RESP-004": "not_testable"}}, "its rule was not testable"),
        (CRASH, {"checks": []}, "its rule was not checked"),
        (CRASH, {"tools": {"find": "not_called"}}, "its tool was not called"),
        (CRASH, {"tools": {"seek": "broken"}}, "its tool is not listed"),
        (CRASH, {"options": {"seed": 7}}, "other calls were made"),
        (CRASH, {"options": {"max_calls": 5}}, "other calls were made"),
        (CRASH, {"options": {"examples": {"find": {}}}}, "other calls were made"),
        (CRASH, {"limits": CUT}, "not all findings were included"),
        (RECEIVED, {"options": {"seed": 7}}, "other calls were made"),
        (RECEIVED, {"tools": {"find": "not_called"}}, "other calls were made"),
        (LINT, {"tools": {}}, "its tool is not listed"),
    ],
)
def test_what_the_new_run_did_not_look_at_is_not_called_fixed(
    gone: Finding, new: dict[str, Any], reason: str
) -> None:
    findings = compared(made(gone), made(**new)).findings
    assert findings.fixed == []
    assert [it.reason for it in findings.not_looked_at] == [reason]
    back = compared(made(**new), made(gone)).findings.new
    assert [it.not_looked_at for it in back] == [reason]


def test_a_run_that_broke_off_has_fixed_nothing_that_rests_on_calls() -> None:
    whole = made(CRASH, LINT)
    broken_off = replace(made(), summary=replace(whole.summary, outcome="incomplete"))
    assert reported(compared(whole, broken_off)) == {
        "fixed": ["TOOL-013"],
        "not looked at": ["RESP-004"],
    }


@pytest.mark.parametrize(
    ("gone", "new"),
    [
        (LINT, {"tools": {"find": "not_called"}, "options": {"seed": 7}}),
        (PROBED, {"options": {"seed": 7, "calls": "none"}}),
        (CRASH, {"options": {"calls": "all", "timeout": 1.0}}),
        (RECEIVED, {"tools": {"find": "broken", "seek": "broken"}}),
    ],
    ids=["definitions", "probe", "same calls of the tool", "more tools"],
)
def test_what_other_options_do_not_touch_is_fixed(gone: Finding, new: dict[str, Any]) -> None:
    assert compared(made(gone), made(**new)).findings.fixed == [gone]


def test_what_a_baseline_accepts_is_neither_new_nor_fixed() -> None:
    accepted = replace(made(), baseline=BaselineOutcome(accepted=[CRASH]))
    for old, new in ((made(), accepted), (accepted, made()), (made(CRASH), accepted)):
        assert compared(old, new).summary.outcome == "same"


@pytest.mark.parametrize(
    ("severity", "fail_on", "outcome"),
    [
        ("error", "error", "worse"),
        ("warning", "error", "changed"),
        ("warning", "warning", "worse"),
        ("info", "warning", "changed"),
        ("error", "never", "changed"),
    ],
)
def test_a_new_finding_is_as_bad_as_the_user_says(
    severity: Any, fail_on: str, outcome: str
) -> None:
    new = made(finding(severity=severity))
    assert compared(made(), new, fail_on=fail_on).summary.outcome == outcome


def test_a_graver_finding_is_a_regression_and_a_milder_one_is_not() -> None:
    mild, grave = made(replace(CRASH, severity="warning")), made(CRASH)
    assert compared(mild, grave).summary.regressions == ["1 graver finding"]
    assert compared(grave, mild).summary.outcome == "changed"


def test_rules_are_chosen() -> None:
    new = made(CRASH, RECEIVED)
    assert reported(compared(made(), new, select=["RESP"])) == {"new": ["RESP-004"]}
    assert reported(compared(made(), new, ignore=["RESP-004"])) == {"new": ["JSONRPC-005"]}


@pytest.mark.parametrize(
    ("old", "new", "change", "outcome"),
    [
        ("fully_working", "partially_working", "worse", "worse"),
        ("partially_working", "unproven", "worse", "worse"),
        ("unproven", "connectivity_only", "worse", "worse"),
        ("connectivity_only", "broken", "worse", "worse"),
        ("broken", "fully_working", "better", "changed"),
        ("broken", "not_called", "not_called_any_more", "changed"),
        ("not_called", "broken", "called_now", "changed"),
    ],
)
def test_tools_get_better_or_worse(old: str, new: str, change: str, outcome: str) -> None:
    comparison = compared(made(tools={"find": old}), made(tools={"find": new}))
    assert [(it.name, it.change) for it in comparison.tools] == [("find", change)]
    assert comparison.summary.outcome == outcome


def test_a_tool_that_could_not_be_called_because_the_server_died_is_worse() -> None:
    lost = replace(made(), tools=[row("find", "not_called", untested.LOST)])
    assert compared(made(), lost).summary.regressions == ["1 tool worse"]


def test_a_server_that_is_not_reached_any_more_is_worse_and_its_tools_are_not_gone() -> None:
    unreached = replace(made(tools={}), revision=None)
    comparison = compared(made(), unreached)
    assert comparison.summary.regressions == ["1 tool worse", "the server was not reached"]
    assert comparison.drift == []
    assert compared(unreached, made()).summary.outcome == "changed"


def drift(old: Report, new: Report) -> list[tuple[str, str]]:
    return [(it.grade, it.place) for it in compared(old, new).drift]


def test_tools_come_and_go() -> None:
    one, two = made(tools={"a": "broken"}), made(tools={"a": "broken", "b": "fully_working"})
    assert drift(one, two) == [("cosmetic", "/tools/b")]
    assert drift(two, one) == [("breaking", "/tools/b")]
    assert [(it.name, it.change, it.new) for it in compared(one, two).tools] == [
        ("b", "new", "fully_working")
    ]
    assert [(it.name, it.change, it.old) for it in compared(two, one).tools] == [
        ("b", "gone", "fully_working")
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"minProperties": 1}, "breaking"),
        ({"anyOf": [{"required": ["a"]}]}, {"anyOf": [{"required": ["b"]}]}, "breaking"),
        ({"if": {"required": ["a"]}}, {"if": {"required": ["b"]}}, "cosmetic"),
        ({"propertyNames": {"pattern": "^a"}}, {"propertyNames": {"pattern": "^(a|b)"}}, "risky"),
    ],
    ids=["tighter", "decided by the engine", "without effect", "not to be decided"],
)
def test_definitions_drift(old: dict[str, Any], new: dict[str, Any], expected: str) -> None:
    reports = [
        made(surface=surface(definition("find", inputSchema={"type": "object", **schema})))
        for schema in (old, new)
    ]
    assert {grade for grade, _ in drift(*reports)} == {expected}


def test_a_definition_that_a_report_does_not_hold_is_compared_by_its_hash() -> None:
    whole = made(surface=surface(definition("find")))
    other = surface(definition("find", title="Find"))
    other = replace(other, definitions=ListedDefinitions(left_out=1))
    assert drift(whole, made(surface=other)) == [("risky", "/tools/find")]
    other = replace(other, definitions=SurfaceSize().definitions)
    assert drift(made(surface=other), whole) == [("risky", "/tools/find")]
    assert drift(made(surface=other), made(surface=other)) == []
    other = replace(other, tools=[replace(other.tools[0], sha256=None)])
    assert drift(made(surface=other), made(surface=other)) == []


def test_what_was_left_out_of_a_report_is_not_called_gone() -> None:
    prompt = {"name": "greet"}
    whole = made(surface=surface(definition("find"), prompts=[prompt]))
    cut = made(surface=surface(definition("find"), left_out=1))
    assert drift(whole, cut) == []
    assert drift(whole, made(surface=surface(definition("find")))) == [
        ("breaking", "/prompts/greet")
    ]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"options": {"seed": 7}}, "--seed: 0 → 7."),
        ({"options": {"allow": ["a", "b"]}}, "--allow: not set → a, b."),
        ({"options": {"dry_run": True}}, "--dry-run: not set → on."),
        ({"options": {"duplicates": True}}, "Only OLD was made with --fast."),
        ({"options": {"examples": {"find": {}}}}, "The examples differ."),
        ({"revision": "2026-07-28"}, "MCP revision: 2025-11-25 → 2026-07-28."),
        ({"consent": {"allowed": ["rm"]}}, "Tools allowed at the prompt: none → rm."),
        ({"limits": CUT}, "NEW does not include all findings: it stopped at 1."),
    ],
)
def test_what_may_explain_a_difference_is_said(changes: dict[str, Any], word: str) -> None:
    notes = compared(made(), made(**changes)).notes
    assert [note for note in notes if word in note] == notes != []


def test_other_servers_versions_and_commands_are_said() -> None:
    old, new = made(), made()
    other = replace(new.subject, server_info={"name": "books"})
    notes = compared(old, replace(new, subject=other, tool=replace(new.tool, version="9"))).notes
    assert "OLD is about notes, NEW about books: these may be different servers." in notes
    assert any("mcp-assay 0.1.0 and 9" in note for note in notes)
    linted = replace(old, seed=None, tools=[])
    assert "OLD is a report of lint, NEW one of assess" in compared(linted, new).notes[0]
    assert compared(replace(linted, surface=None), new).old.command == "validate"


def test_a_new_version_of_a_server_is_no_other_server() -> None:
    old, new = made(), made()
    later = replace(new.subject, server_info={"name": "notes", "version": "2"})
    assert compared(old, replace(new, subject=later)).notes == []


RULES = st.sampled_from(["RESP-004", "TOOL-013", "JSONRPC-005", "LIFE-008"])
STATUSES = ["broken", "connectivity_only", "unproven", "partially_working", "fully_working"]
FINDINGS = st.builds(
    finding,
    RULES,
    st.sampled_from([None, "a", "b"]),
    st.sampled_from(["error", "warning", "info"]),
    st.integers(0, 2),
    count=st.integers(1, 3),
)
TOOLS = st.dictionaries(
    st.sampled_from(["a", "b", "c"]), st.sampled_from([*STATUSES, "not_called"])
)
OUTCOMES = st.dictionaries(RULES, st.sampled_from(["passed", "failed", "skipped", "undecided"]))
REPORTS = st.builds(
    lambda findings, **more: made(*findings, **more),
    st.lists(FINDINGS, max_size=6),
    tools=TOOLS,
    outcomes=OUTCOMES,
    options=st.fixed_dictionaries({"seed": st.integers(0, 1)}),
)


@given(REPORTS)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_report_does_not_differ_from_itself(report: Report) -> None:
    comparison = compared(report, report)
    assert comparison.summary.outcome == "same"
    assert reported(comparison) == {}
    assert [*comparison.tools, *comparison.drift, *comparison.notes] == []


@given(REPORTS, REPORTS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_what_is_new_one_way_is_gone_the_other_way(one: Report, other: Report) -> None:
    there, back = compared(one, other).findings, compared(other, one).findings
    decided = [it.finding for it in there.new if it.not_looked_at is None]
    unlooked = [it.finding for it in there.new if it.not_looked_at is not None]
    assert keys(decided) == keys(back.fixed)
    assert keys(unlooked) == keys([it.finding for it in back.not_looked_at])
    assert len(there.changed) == len(back.changed)
    moves = {it.name: it.change for it in compared(other, one).tools}
    swapped = {"worse": "better", "new": "gone", "not_called_any_more": "called_now"}
    both_ways = {**swapped, **{value: key for key, value in swapped.items()}}
    for tool in compared(one, other).tools:
        assert moves[tool.name] == both_ways[tool.change]


IN_WORLD = {"sandbox": "auto", "calls": "all"}


@pytest.mark.parametrize(
    ("options", "is_noted"),
    [
        (IN_WORLD, False),
        ({**IN_WORLD, "calls": "safe"}, True),
        ({**IN_WORLD, "sandbox_allow": ["api.example.com"]}, True),
        ({"calls": "safe"}, True),
    ],
)
def test_permissions_are_noted_where_they_decide_what_is_called(
    options: dict[str, Any], is_noted: bool
) -> None:
    notes = compared(made(options=options), made(options={**options, "allow": ["find"]})).notes
    assert any(note.startswith("--allow") for note in notes) == is_noted
