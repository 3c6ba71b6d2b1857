"""What is said about a message names its fault: the member, the number, which of several."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.engine.samples import error, modern_result, notification, request, result
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from tests.rules.message.judged import findings

LIST = request("tools/list")
TEXT = {"type": "text", "text": "tea"}
USE = {"type": "tool_use", "id": "call-1", "name": "weather", "input": {}}
GIVEN = {"type": "tool_result", "toolUseId": "call-1", "content": [TEXT]}
OTHER = {**GIVEN, "toolUseId": "call-2"}
SAFE = 2**53


def sentences(message: Any, revision: str = R2025_11_25, method: str | None = None) -> list[str]:
    return [one.message for one in findings(message, revision, method)]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"id": 1, "method": "ping"}, "The jsonrpc member is missing."),
        ({**LIST, "jsonrpc": "1.0"}, 'The jsonrpc member is not the string "2.0".'),
        ({**LIST, "jsonrpc": 2.0}, 'The jsonrpc member is not the string "2.0".'),
        ({**LIST, "id": None}, "The request's id is null."),
        ({**LIST, "id": True}, "The request's id is a boolean, not a string or an integer."),
        (
            {**LIST, "id": 1.0},
            "The request's id is an integer written like a fraction, such as 1.0.",
        ),
        ({"jsonrpc": "2.0", "result": {}}, "The result response's id is missing."),
        ({**LIST, "method": 7}, "The method member is an integer, not a string."),
        ({**LIST, "params": []}, "The params member is an array, not an object."),
        ({**result({}), "result": None}, "The result member is null, not an object."),
        ({**LIST, "result": {}}, "The message has a method and also result."),
        (
            {**LIST, "error": {}, "result": {}},
            "The message has a method and also result and error.",
        ),
        (
            {**LIST, "x" * 33: 1},
            f"The message has a member '{'x' * 32}' that JSON-RPC does not define.",
        ),
        ({"jsonrpc": "2.0", "id": 1, "error": []}, "The error member is an array, not an object."),
        (error("x", "Failed"), "The error's code is a string, not an integer."),
        (error(1, None), "The error's message is null, not a string."),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}, "The error has no message."),
        (error(1, " "), "The error message is empty."),
        (error(1, "a\nb"), "The error message has a line break."),
        (error(1, "panicked at a\n"), "The error message contains a stack trace."),
        (
            error(-32604, "Failed"),
            "The error code -32604 is reserved by JSON-RPC without a defined meaning.",
        ),
        ({**LIST, "id": SAFE}, "The id has more than 53 bits, so many parsers round it."),
        (
            notification("notifications/cancelled", {"requestId": -SAFE}),
            "The requestId has more than 53 bits, so many parsers round it.",
        ),
    ],
)
def test_what_is_wrong_with_an_envelope_is_said(message: Any, sentence: str) -> None:
    assert sentences(message, method="ping") == [sentence]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (-32050, "The error code -32050 is reserved for MCP, which does not define it."),
        (-32002, "The error code -32002 was retired and must no longer be sent."),
        (
            -32000,
            "The error code -32000 is a leftover from older software without a defined meaning.",
        ),
    ],
)
def test_each_kind_of_error_code_has_its_own_sentence(code: int, sentence: str) -> None:
    assert sentences(error(code, "Failed"), R2026_07_28) == [sentence]


@pytest.mark.parametrize(
    ("completion", "sentence"),
    [
        ({"total": 1}, "The total is smaller than the number of values, which is 2."),
        (
            {"total": 3, "hasMore": False},
            "hasMore is false although only 2 of the total are sent.",
        ),
        ({"total": 2, "hasMore": True}, "hasMore is true although all 2 of the total are sent."),
    ],
)
def test_a_contradiction_is_said_with_the_number_of_values(
    completion: dict[str, Any], sentence: str
) -> None:
    message = result({"completion": {"values": ["a", "b"], **completion}})
    assert sentences(message, method="completion/complete") == [sentence]


@pytest.mark.parametrize(
    ("turns", "end"),
    [
        ([("assistant", USE)], "is not followed by a user message."),
        ([("assistant", USE), ("assistant", GIVEN)], "is not followed by a user message."),
        ([("assistant", USE), ("user", TEXT)], "lacks a tool_result for one of their ids."),
        ([("assistant", USE), ("user", OTHER)], "lacks a tool_result for one of their ids."),
        (
            [("assistant", USE), ("user", [GIVEN, OTHER])],
            "has a tool_result for an id that they do not have.",
        ),
    ],
)
def test_a_tool_use_without_its_result_is_said_to_lack_what_it_lacks(
    turns: list[tuple[str, Any]], end: str
) -> None:
    messages = [{"role": role, "content": content} for role, content in turns]
    params = {"messages": messages, "maxTokens": 9}
    (sentence,) = sentences(request("sampling/createMessage", params))
    assert sentence.endswith(end)


def test_an_input_request_is_said_to_have_the_members_of_messages_that_it_has() -> None:
    form = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
    entry = {"method": "elicitation/create", "params": form}
    for extra, words in (({"id": 1}, '"id"'), ({"id": 1, "jsonrpc": "2.0"}, '"jsonrpc" and "id"')):
        message = modern_result(
            {"inputRequests": {"owner": {**entry, **extra}}}, result_type="input_required"
        )
        assert sentences(message, R2026_07_28, "tools/call") == [
            f"The input request has {words}, which only messages have."
        ]


@pytest.mark.parametrize("method", ["roots/list", "sampling/createMessage"])
def test_a_deprecated_question_is_named(method: str) -> None:
    params = {"messages": [{"role": "user", "content": TEXT}], "maxTokens": 9}
    entry = {"method": method, **({} if method == "roots/list" else {"params": params})}
    message = modern_result({"inputRequests": {"model": entry}}, result_type="input_required")
    assert sentences(message, R2026_07_28, "tools/call") == [
        f"The result asks for {method}, which is deprecated."
    ]


@pytest.mark.parametrize("member", ["ttlMs", "cacheScope"])
def test_a_cache_hint_that_does_not_belong_is_named(member: str) -> None:
    value = {"ttlMs": 0, "cacheScope": "private"}[member]
    asks = modern_result({"requestState": "s", member: value}, result_type="input_required")
    assert sentences(asks, R2026_07_28, "resources/read") == [
        f"The result asks for input but has {member}."
    ]


def test_the_method_that_needs_an_extension_is_named() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": R2026_07_28,
        "io.modelcontextprotocol/clientInfo": {"name": "inspector", "version": "1.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = request("tasks/get", {"_meta": meta, "taskId": "t-7"})
    (sentence,) = sentences(message, R2026_07_28)
    assert sentence.startswith("tasks/get needs the extension io.modelcontextprotocol/tasks, ")


def test_the_kind_of_a_secret_is_said_and_not_the_secret() -> None:
    message = notification(
        "notifications/message", {"level": "info", "data": {"password": "hunter2"}}
    )
    (one,) = findings(message)
    assert one.details is not None
    assert one.message == f"The log data seems to contain {one.details['kind']}."
    form = {"type": "object", "properties": {"password": {"type": "string"}}}
    asks = request("elicitation/create", {"message": "Who?", "requestedSchema": form})
    (one,) = findings(asks, R2025_06_18)
    assert one.message == "This input of the form asks for a secret (password)."
