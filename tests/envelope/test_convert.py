"""Responses as MCP results of each revision, and back."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp.tools import ToolResult
from mcp.types import CallToolResult

from mcp_assay.envelope import (
    create_error_response,
    create_success_response,
    from_call_tool_result,
    to_call_tool_result,
    validate_mcp_response,
)
from mcp_assay.envelope.members import ORIGINAL_KEY
from mcp_assay.rules.envelope.results import ENVELOPE_KEY
from mcp_assay.rules.envelope.rule import IMAGE, MCP_IMAGE, MCP_RESOURCE, RESOURCE, success
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)

OLD, NEW = (R2024_11_05, R2025_03_26), (R2025_06_18, R2025_11_25, R2026_07_28)


def kept(result: dict[str, Any]) -> set[str]:
    return set(result["_meta"][ENVELOPE_KEY])


@pytest.mark.parametrize("revision", NEW)
def test_data_that_is_an_object_is_structured_content(revision: str) -> None:
    result = to_call_tool_result(create_success_response({"n": 1}), revision)
    assert result["structuredContent"] == {"n": 1}
    assert kept(result) == {"success", "timestamp"}


@pytest.mark.parametrize("revision", OLD)
def test_older_revisions_have_no_structured_content(revision: str) -> None:
    result = to_call_tool_result(create_success_response({"n": 1}), revision)
    assert "structuredContent" not in result
    assert kept(result) == {"success", "timestamp", "data"}


def test_any_data_is_structured_content_since_2026_07_28() -> None:
    response = create_success_response([1])
    assert to_call_tool_result(response, R2026_07_28)["structuredContent"] == [1]
    assert to_call_tool_result(response, R2026_07_28)["resultType"] == "complete"
    assert "structuredContent" not in to_call_tool_result(response)
    assert "resultType" not in to_call_tool_result(response)


def test_only_members_of_mcp_are_left() -> None:
    for response in (create_success_response([1]), create_error_response("no", "NO")):
        members = set(to_call_tool_result(response))
        assert members <= {"content", "structuredContent", "isError", "_meta"}


def test_members_of_the_authors_own_are_kept_in_meta_and_come_back() -> None:
    response = success(data=1, region="eu-1")
    result = to_call_tool_result(response)
    assert "region" not in result
    assert from_call_tool_result(result) == response


def test_what_is_folded_away_cannot_stand_in_for_members_of_mcp() -> None:
    kept = {"success": True, "timestamp": "2026-03-01T09:30:00Z", "content": ["other"]}
    result = {"content": [{"type": "text", "text": "a"}], "_meta": {ENVELOPE_KEY: kept}}
    assert from_call_tool_result(result)["content"] == result["content"]


@pytest.mark.parametrize("revision", [*OLD, *NEW])
def test_the_code_of_a_failure_comes_back(revision: str) -> None:
    response = create_error_response("gone", "NOTE_NOT_FOUND", {"id": 7})
    result = to_call_tool_result(response, revision)
    assert result["isError"] is True
    assert from_call_tool_result(result)["error"] == response["error"]


def test_an_unknown_revision_is_refused() -> None:
    with pytest.raises(ValueError, match="2025-11-25"):
        to_call_tool_result(create_success_response(1), "2025-11-26")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (IMAGE, {"type": "resource_link", "uri": IMAGE["url"], "name": "CPU usage"}),
        (
            {**IMAGE, "caption": "last hour"},
            {
                "type": "resource_link",
                "uri": IMAGE["url"],
                "name": "CPU usage",
                "description": "last hour",
            },
        ),
        ({**IMAGE, "url": "cpu.png"}, {"type": "text", "text": "CPU usage: cpu.png"}),
        (RESOURCE, {"type": "resource_link", "uri": RESOURCE["identifier"], "name": "Note 7"}),
        (
            {**RESOURCE, "resourceType": "instance", "identifier": "i 7"},
            {"type": "text", "text": "Note 7 (instance): i 7"},
        ),
        (
            {**RESOURCE, "resourceType": "file", "identifier": "C:/a.txt"},
            {"type": "text", "text": "Note 7 (file): C:/a.txt"},
        ),
        (
            {"type": "table", "rows": 2},
            {"type": "text", "text": '{\n  "type": "table",\n  "rows": 2\n}'},
        ),
    ],
)
def test_an_item_of_another_form_becomes_mcps_and_keeps_its_own_in_meta(
    item: dict[str, Any], expected: dict[str, Any]
) -> None:
    [converted] = to_call_tool_result(success(item))["content"]
    assert converted == {**expected, "_meta": {ORIGINAL_KEY: item}}


@pytest.mark.parametrize("item", [MCP_IMAGE, MCP_RESOURCE])
def test_an_item_of_mcps_form_stays(item: dict[str, Any]) -> None:
    assert to_call_tool_result(success(item))["content"] == [item]


def test_what_an_older_revision_does_not_know_is_reported_in_words() -> None:
    sound = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
    response = success(IMAGE, sound)
    texts = [item.get("text") for item in to_call_tool_result(response, R2024_11_05)["content"]]
    assert texts == [
        "CPU usage: https://example.com/cpu.png",
        "A recording of type audio/wav cannot be shown.",
    ]
    assert to_call_tool_result(response, R2025_03_26)["content"][1] == sound


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, {"data": 1}])
def test_what_is_no_response_and_no_result_is_a_failure(value: Any) -> None:
    result = to_call_tool_result(value)
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "INVALID_RESULT"


NO_RESULTS: list[Any] = [
    *(None, 3, "text", [], {}),
    {"toolResult": 5},
    {"content": "x"},
    {"code": -32602, "message": "Unknown tool"},
    {"jsonrpc": "2.0", "id": 1, "result": {"content": []}},
    {"resultType": "input_required", "requestState": "s"},
    {"task": {"taskId": "1"}},
]


@pytest.mark.parametrize("value", NO_RESULTS)
def test_what_is_no_result_gives_a_response_that_says_so(value: Any) -> None:
    assert from_call_tool_result(value)["error"]["code"] == "INVALID_RESULT"


def test_a_foreign_result_becomes_a_response() -> None:
    result = {"content": [], "structuredContent": {"n": 1}, "_meta": {"a.example/trace": 1}}
    response = from_call_tool_result(result)
    assert validate_mcp_response(response) == []
    assert response["data"] == {"n": 1}
    assert response["_meta"] == {"a.example/trace": 1}


@pytest.mark.parametrize(
    "result",
    [
        CallToolResult(content=[], structured_content={"n": 1}),
        ToolResult(content=[], structured_content={"n": 1}),
    ],
)
def test_objects_of_mcp_and_fastmcp_become_responses(result: object) -> None:
    response = from_call_tool_result(result)
    assert (response["success"], response["data"]) == (True, {"n": 1})


def test_the_original_is_not_changed() -> None:
    response = success(IMAGE)
    to_call_tool_result(response)
    assert response == success(IMAGE)
