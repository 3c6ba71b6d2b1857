"""A client asks the server where that is announced, and falls back where it must, saying so."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from mcp_assay.capability import ToolCheck, ToolValidator
from tests.capability.servers import ByHand
from tests.patience import LONGEST

SUPPORTED = {"supported": True}
GOOD = {"path": "/x"}


def verdict(valid: bool = True, **more: Any) -> dict[str, Any]:
    errors = [] if valid else ["no"]
    return {"structuredContent": {"valid": valid, "errors": errors, **more}}


def validate(
    client: ByHand, arguments: Any = GOOD, timeout: float = LONGEST, **options: Any
) -> ToolCheck:
    validator = ToolValidator(client, timeout=timeout)
    return asyncio.run(validator.validate("write_file", arguments, **options))


def test_a_server_that_announces_nothing_is_not_asked(caplog: pytest.LogCaptureFixture) -> None:
    client = ByHand({"supported": "true"})
    with caplog.at_level(logging.INFO, logger="mcp_assay.capability"):
        found = validate(client, {})
    assert (found.valid, found.method, found.problem) == (False, "schema-only", None)
    assert client.asked == []
    assert "by its schema alone" in caplog.text


def test_the_announced_method_is_asked_with_tool_and_arguments() -> None:
    client = ByHand(SUPPORTED | {"method": "check"}, verdict(), tools=["write_file", "check"])
    assert validate(client) == ToolCheck(valid=True, method="native")
    assert client.asked == [("check", {"tool": "write_file", "arguments": GOOD})]


def test_a_verdict_in_text_is_read_too() -> None:
    text = json.dumps({"valid": False, "errors": ["no"], "suggestions": ["try /y"]})
    found = validate(ByHand(SUPPORTED, {"content": [{"type": "text", "text": text}]}))
    assert found == ToolCheck(valid=False, errors=["no"], suggestions=["try /y"])


def test_a_validation_that_is_announced_and_not_listed_is_reported() -> None:
    client = ByHand(SUPPORTED, tools=["write_file"])
    found = validate(client, {})
    assert (found.valid, found.method) == (False, "schema-only")
    assert found.problem == "announced-but-missing"
    assert client.asked == []


async def never() -> Any:
    await asyncio.Event().wait()


BROKEN = [
    {"structuredContent": {"valid": "no", "errors": []}},
    {"structuredContent": {"valid": 1, "errors": []}},
    {"structuredContent": {"valid": True, "errors": ["but"]}},
    {"structuredContent": {"valid": False, "errors": []}},
    {"structuredContent": {"valid": False, "errors": "no"}},
    {"structuredContent": {"valid": True, "errors": [], "warnings": [5]}},
    {"structuredContent": []},
    {"content": [{"type": "text", "text": "all good"}]},
    {"content": []},
    {"isError": True, "content": [{"type": "text", "text": '{"valid": true}'}]},
    None,
    RuntimeError("gone"),
    never,
]


@pytest.mark.parametrize("answer", BROKEN)
def test_an_answer_that_is_no_verdict_is_a_problem_and_never_a_pass(answer: Any) -> None:
    found = validate(ByHand(SUPPORTED, answer), {}, timeout=0.2 if answer is never else LONGEST)
    assert (found.valid, found.method) == (False, "schema-only")
    assert found.problem == "announced-but-broken"


def test_a_verdict_that_the_schema_contradicts_says_so() -> None:
    found = validate(ByHand(SUPPORTED, verdict()), {})
    assert found.valid
    assert "disagrees" in found.warnings[0]


def test_levels_and_context_are_sent_only_where_they_are_announced() -> None:
    plain = ByHand(SUPPORTED, verdict())
    found = validate(plain, levels=["runtime"], context={"user": "me"})
    assert plain.asked == [("validate", {"tool": "write_file", "arguments": GOOD})]
    assert found.warnings == ["The server does not offer checks of the level 'runtime'."]
    deep = ByHand(SUPPORTED | {"contextAware": True, "levels": {"runtime": True}}, verdict())
    assert validate(deep, levels=["runtime"], context={"user": "me"}).warnings == []
    sent = {"tool": "write_file", "arguments": GOOD, "levels": ["runtime"]}
    assert deep.asked == [("validate", sent | {"context": {"user": "me"}})]


def test_an_unknown_tool_is_refused_without_asking_and_another_one_suggested() -> None:
    client = ByHand(SUPPORTED)
    found = asyncio.run(ToolValidator(client).validate("wirte_file", GOOD))
    assert not found.valid
    assert found.suggestions == ["Did you mean 'write_file'?"]
    assert client.asked == []


def test_a_batch_goes_in_parts_of_the_announced_size_and_keeps_its_order() -> None:
    one = {"valid": True, "errors": []}
    two = {"valid": False, "errors": ["no"]}
    client = ByHand(
        SUPPORTED | {"batchValidation": True, "maxBatchSize": 2},
        {"structuredContent": {"results": [one, two]}},
        {"structuredContent": {"results": [two]}},
    )
    calls = [("write_file", {"path": str(n)}) for n in range(3)]
    found = asyncio.run(ToolValidator(client).validate_batch(calls))
    assert [check.valid for check in found] == [True, False, False]
    assert [len(asked["calls"]) for _, asked in client.asked] == [2, 1]


def test_a_batch_without_the_right_number_of_results_is_broken() -> None:
    client = ByHand(SUPPORTED | {"batchValidation": True}, {"structuredContent": {"results": []}})
    (found,) = asyncio.run(ToolValidator(client).validate_batch([("write_file", GOOD)]))
    assert (found.valid, found.problem) == (True, "announced-but-broken")


def test_without_batches_calls_are_checked_one_by_one() -> None:
    client = ByHand(SUPPORTED, verdict(), verdict(valid=False))
    calls = [("write_file", {"path": str(n)}) for n in range(2)]
    found = asyncio.run(ToolValidator(client).validate_batch(calls))
    assert [check.valid for check in found] == [True, False]


CACHING = {"caching": {"enabled": True, "ttl": 60, "invalidateOn": ["tool_update"]}}


def test_a_verdict_is_kept_until_what_it_rests_on_changes() -> None:
    client = ByHand(SUPPORTED | CACHING, verdict(), verdict(valid=False))
    validator = ToolValidator(client)

    async def converse() -> list[ToolCheck]:
        first = await validator.validate("write_file", GOOD)
        second = await validator.validate("write_file", dict(GOOD))
        validator.heard("notifications/resources/updated")
        third = await validator.validate("write_file", GOOD)
        validator.heard("notifications/tools/list_changed")
        return [first, second, third, await validator.validate("write_file", GOOD)]

    found = asyncio.run(converse())
    assert [check.cached for check in found] == [False, True, True, False]
    assert [check.valid for check in found] == [True, True, True, False]


@pytest.mark.parametrize("caching", [{}, {"caching": {"enabled": False, "ttl": 60}}])
def test_nothing_is_kept_that_may_not_be(caching: dict[str, Any]) -> None:
    client = ByHand(SUPPORTED | caching, verdict(), verdict())
    validator = ToolValidator(client)
    for _ in range(2):
        assert not asyncio.run(validator.validate("write_file", GOOD)).cached


class Silent(ByHand):
    """A client of a server that never lists its tools."""

    async def list_tools(self) -> list[dict[str, Any]]:
        await asyncio.Event().wait()
        return []


def test_a_list_that_does_not_come_is_not_waited_for() -> None:
    with pytest.raises(TimeoutError, match=r"did not list its tools within 0\.2 seconds"):
        validate(Silent(SUPPORTED), timeout=0.2)


def test_a_tool_that_is_not_there_does_not_undo_a_batch() -> None:
    answer = {"structuredContent": {"results": [{"valid": True}, {"valid": True}]}}
    client = ByHand(SUPPORTED | {"batchValidation": True}, answer)
    calls: list[tuple[str, Any]] = [("write_file", GOOD), ("nothing", {}), ("write_file", GOOD)]
    found = asyncio.run(ToolValidator(client).validate_batch(calls))
    assert [check.valid for check in found] == [True, False, True]
    assert len(client.asked) == 1


def test_a_timeout_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="above zero"):
        ToolValidator(ByHand(SUPPORTED), timeout=0)
