"""What an assessment says of rules that it did not decide."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assess import AssessOptions
from mcp_assay.assess.state import AssessmentState, Connected, context_of
from mcp_assay.assess.untested import unseen
from mcp_assay.client.target import Command, Endpoint, Target
from mcp_assay.model.probe import OpenStep
from mcp_assay.model.report import Report
from mcp_assay.spec.catalogue import CATALOGUE
from tests.assess.running import run_of

COMMAND = Command(command=("unused",), environment={})
ENDPOINT = Endpoint(url="http://127.0.0.1:9/mcp")


def _open(
    target: Target, revision: str | None = "2025-11-25", capabilities: dict[str, Any] | None = None
) -> dict[str, OpenStep]:
    declared = {"tools": {}} if capabilities is None else capabilities
    connected = Connected(revision=revision, capabilities=declared) if revision else None
    state = AssessmentState(context=context_of(target, AssessOptions()), connected=connected)
    return {rule.rule: rule for rule in unseen(state)}


@pytest.mark.parametrize(
    ("target", "rule", "outcome", "words"),
    [
        (COMMAND, "HTTP-018", "not_testable", "reached over http"),
        (ENDPOINT, "HTTP-018", "undecided", "nothing that this rule applies to was seen"),
        (ENDPOINT, "STDIO-001", "not_testable", "reached over stdio"),
        (COMMAND, "RES-001", "not_declared", "does not declare resources"),
        (COMMAND, "TASK-001", "not_declared", "does not declare tasks"),
        (COMMAND, "TOOL-001", "undecided", "nothing that this rule applies to was seen"),
        (COMMAND, "DRIFT-001", "undecided", "no tool was called"),
        (COMMAND, "SAMP-001", "undecided", "did not ask for a model's message (sampling)"),
        (COMMAND, "CALL-010", "not_testable", "about clients"),
    ],
)
def test_the_reason_is_what_would_have_shown_it(
    target: Target, rule: str, outcome: str, words: str
) -> None:
    found = _open(target)[rule]
    assert found.outcome == outcome
    assert words in found.reason


def test_nothing_is_said_to_be_undeclared_where_nobody_said_what_is() -> None:
    assert _open(COMMAND, None)["RES-001"].reason == "there was no session"
    modern = _open(COMMAND, "2026-07-28")
    assert modern["TASK-001"].outcome == "undecided"


@pytest.fixture(scope="module")
def report() -> Report:
    return run_of("both-eras", AssessOptions(revision="2025-11-25", max_calls=3))


def test_no_tick_is_given_for_what_the_client_does(report: Report) -> None:
    passed = {check.rule for check in report.checks if check.outcome == "passed"}
    assert {"JSONRPC-001", "TOOL-001", "LIFE-003"} <= passed
    assert not {rule for rule in passed if CATALOGUE[rule].subject == "client"}
    assert not {rule for rule in passed if rule.startswith("TASK-")}


def test_rules_that_no_server_can_show_are_not_listed(report: Report) -> None:
    listed = {check.rule for check in report.checks}
    assert not {rule for rule in listed if rule.startswith("ENV-")}
    assert "LINT-002" not in listed
