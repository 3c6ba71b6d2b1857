"""What a server wants of its client, and what the user may write down to give it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.client.client_requests import (
    ANSWERS,
    MOST_UNMET,
    UnmetRequest,
    answer_to,
    unmet_in,
    unmet_of,
    unmet_request,
)
from mcp_assay.schema.checker import Schemas
from tests.assess.running import QUICK, run_of

FORM = {
    "type": "object",
    "properties": {"pages": {"type": "integer", "minimum": 7}},
    "required": ["pages"],
}
NEEDED = {"code": -32021, "data": {"requiredCapabilities": {"roots": {}, "experimental": {}}}}


@pytest.mark.parametrize(
    ("error", "texts", "tables"),
    [
        (NEEDED, [], ["roots"]),
        ({**NEEDED, "code": -32602}, [], []),
        ({"code": -32021, "data": ["roots"]}, [], []),
        (None, ["Error: Client does not support sampling (required)"], ["sampling"]),
        (None, ["The client has no support for elicitation."], ["elicitation"]),
        (None, ["No book on sampling is here. The client must wait."], []),
        (None, ["the client does not like tea. sampling"], []),
        ("odd", [], []),
    ],
)
def test_what_a_client_lacks_is_read_from_a_refusal(
    error: Any, texts: list[str], tables: list[str]
) -> None:
    assert [one.table for one in unmet_of(error, texts)] == tables


def test_what_nobody_could_give_is_no_unmet_request() -> None:
    assert unmet_request("ping", {}, {}) is None
    assert unmet_request(7, {}, {}) is None
    assert unmet_request("roots/list", "odd", {}) == UnmetRequest("roots")


def test_a_result_may_ask_for_several_things_and_not_for_too_many() -> None:
    one = {"method": "roots/list"}
    asked = {"a": one, "b": "odd", "c": {"method": "elicitation/create", "params": {}}}
    assert [it.table for it in unmet_in(asked, {})] == ["roots", "elicitation"]
    assert len(list(unmet_in({str(n): one for n in range(99)}, {}))) == MOST_UNMET
    assert list(unmet_in(["roots/list"], {})) == []


@pytest.mark.parametrize("table", sorted(ANSWERS))
def test_what_was_refused_has_an_answer_and_what_was_given_needs_none(table: str) -> None:
    assert answer_to(UnmetRequest(table), Schemas()) == ANSWERS[table]
    assert answer_to(UnmetRequest(table, None, {}), Schemas()) is None


@pytest.mark.parametrize("given", [None, {"action": "accept", "content": {}}])
def test_a_form_is_filled_in_by_its_schema(given: Any) -> None:
    answer = answer_to(UnmetRequest("elicitation", FORM, given), Schemas())
    assert answer is not None
    assert answer["content"]["pages"] >= 7


def test_a_form_that_is_filled_in_well_stays() -> None:
    given = {"action": "accept", "content": {"pages": 9}}
    assert answer_to(UnmetRequest("elicitation", FORM, given), Schemas()) is None


def test_a_request_during_a_call_is_reported_with_its_tool() -> None:
    (tool,) = run_of("samples-unasked", QUICK).tools
    assert tool.coverage.asked_of_client == {"sampling": ANSWERS["sampling"]}
    gaps = tool.coverage.not_reached
    assert "It asked its client for a model's message (sampling), but got none." in gaps
