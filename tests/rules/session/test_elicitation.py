"""Elicitation: answers against their forms, and pages against their notices."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    declaring,
    error,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.elicitation import URL_REQUIRED
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25
from tests.rules.session.playing import JUNK, decided, left_open, reported

ABLE: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}}
OPENED = opening(client=ABLE, server={"tools": {}})
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}
FORM: dict[str, Any] = {"message": "Who are you?", "requestedSchema": SCHEMA}


def asked(given: Any, params: dict[str, Any] = FORM) -> list[Step]:
    return [s2c(request("elicitation/create", params, id=1)), c2s(answer(given, id=1))]


def accepted(content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


def completed(id: Any) -> Step:
    return s2c(notification("notifications/elicitation/complete", {"elicitationId": id}))


def rounds(given: Any, *, key: str = "who", question: Any = None) -> list[Step]:
    """A client of 2026-07-28 that is asked under the key "who", and answers under `key`."""
    questions = {"who": question or {"method": "elicitation/create", "params": FORM}}
    params = declaring(ABLE, name="search")
    again = {**params, "inputResponses": {key: given}}
    return [
        c2s(modern_request("tools/call", params, id=1)),
        s2c(modern_result({"inputRequests": questions}, id=1, result_type="input_required")),
        c2s(modern_request("tools/call", again, id=2)),
        s2c(modern_result({"content": []}, id=2)),
    ]


@pytest.mark.parametrize("revision", [R2025_06_18, R2025_11_25])
def test_content_is_checked_wherever_there_are_forms(revision: str) -> None:
    opened = opening(client={"elicitation": {}}, revision=revision)
    assert reported(opened, asked(accepted({"name": "Ann"})), rules="ELIC-006") == []
    assert reported(opened, asked(accepted({"name": 7})), rules="ELIC-006") == [(4, "ELIC-006")]


def test_each_fault_of_the_content_is_reported() -> None:
    found = reported(OPENED, asked(accepted({"age": "old"})), rules="ELIC-006")
    assert found == [(4, "ELIC-006")] * 2


def test_content_may_be_left_out_where_nothing_is_required() -> None:
    form = {"message": "Anything?", "requestedSchema": {"type": "object", "properties": {}}}
    assert reported(OPENED, asked({"action": "accept"}, form), rules="ELIC-006") == []


def test_null_content_is_no_matter_of_this_rule() -> None:
    given = {"action": "decline", "content": None}
    assert reported(OPENED, asked(given), rules="ELIC-006") == []


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_empty_content_says_nothing(action: str) -> None:
    assert reported(OPENED, asked({"action": action, "content": {}}), rules="ELIC-006") == []
    full = {"action": action, "content": {"name": "Ann"}}
    assert reported(OPENED, asked(full), rules="ELIC-006") == [(4, "ELIC-006")]


def test_a_form_that_cannot_be_used_leaves_the_rule_open() -> None:
    form = {"message": "?", "requestedSchema": {"$ref": "https://forms.example/form.json"}}
    steps = (OPENED, asked(accepted({"name": "Ann"}), form))
    assert reported(*steps, rules="ELIC-006") == []
    assert "ELIC-006" in left_open(*steps)


def test_a_form_too_large_to_remember_leaves_the_rule_open() -> None:
    form = {**FORM, "message": "?" * 20_000}
    steps = (OPENED, asked(accepted({"name": 7}), form))
    assert reported(*steps, rules="ELIC-006") == []
    assert "ELIC-006" in left_open(*steps)


def test_an_answer_of_the_stateless_era_goes_by_its_key() -> None:
    assert reported(rounds(accepted({"name": "Ann"})), rules="ELIC-006") == []
    assert reported(rounds(accepted({"name": 7})), rules="ELIC-006") == [(2, "ELIC-006")]
    assert reported(rounds(accepted({"name": 7}), key="other"), rules="ELIC-006") == []
    assert "ELIC-006" in left_open(rounds(accepted({"name": 7}), key="other"))


def test_two_open_questions_under_one_key_leave_the_rule_open() -> None:
    other = {"method": "elicitation/create", "params": {**FORM, "message": "Really?"}}
    first, second = rounds(accepted({"name": 7})), rounds(accepted({"name": 7}), question=other)
    steps = (first[:2], second)
    assert reported(*steps, rules="ELIC-006") == []
    assert "ELIC-006" in left_open(*steps)


def test_pages_are_known_from_requests_and_from_errors() -> None:
    page = {"mode": "url", "message": "m", "url": "https://a.example", "elicitationId": "e"}
    from_request = asked({"action": "accept"}, page)
    from_error = (
        c2s(request("tools/call", {"name": "pay"}, id=2)),
        s2c(error(URL_REQUIRED, "Pay", {"elicitations": [page]}, id=2)),
    )
    for steps in (from_request, from_error):
        assert reported(OPENED, steps, completed("e"), completed("e"), rules="ELIC-009") == []
        assert reported(OPENED, steps, completed("f"), rules="ELIC-009") == [(5, "ELIC-009")]


def test_a_page_with_an_illegible_id_may_be_any() -> None:
    page = {"mode": "url", "message": "m", "url": "https://a.example", "elicitationId": 7}
    steps = (OPENED, asked({"action": "accept"}, page), completed("e"))
    assert reported(*steps, rules="ELIC-009") == []
    assert "ELIC-009" in left_open(*steps)


def test_a_cut_session_decides_nothing_about_pages_from_before() -> None:
    assert reported(completed("e"), rules="ELIC-009", partial=True) == []
    assert "ELIC-009" not in decided(completed("e"), partial=True)


@pytest.mark.parametrize("junk", JUNK)
def test_members_of_any_type_are_borne(junk: Any) -> None:
    strange = (
        asked(junk),
        asked(accepted(junk)),
        asked({"action": junk, "content": junk}),
        asked(accepted({}), {"requestedSchema": junk}),
        asked(accepted({}), {**FORM, "mode": junk}),
        completed(junk),
        c2s(request("tools/call", {"name": "pay"}, id=9)),
        s2c(error(URL_REQUIRED, "Pay", {"elicitations": junk}, id=9)),
        s2c(error(URL_REQUIRED, "Pay", junk, id=10)),
    )
    assert {rule for _, rule in reported(OPENED, *strange, rules="ELIC-006 ELIC-009")} <= {
        "ELIC-006",
        "ELIC-009",
    }
    assert {rule for _, rule in reported(rounds(junk, question=junk), rules="ELIC-006")} == set()
