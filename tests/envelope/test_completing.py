"""Responses that authors returned themselves: completed, and nothing of them lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastmcp.utilities import types as fastmcp_types
from mcp.server.mcpserver import Image
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel

from mcp_assay.envelope import (
    create_error_response,
    to_call_tool_result,
    validate_mcp_response,
    wrap_tool_response,
)
from mcp_assay.envelope.build import LONGEST_MESSAGE
from mcp_assay.envelope.members import ORIGINAL_KEY

TEXT = {"type": "text", "text": "a"}


def returning(value: Any) -> dict[str, Any]:
    response: dict[str, Any] = wrap_tool_response(lambda: value)()
    assert [one.message for one in validate_mcp_response(response)] == []
    return response


def texts(response: dict[str, Any]) -> list[str]:
    return [item["text"] for item in response["content"]]


@pytest.mark.parametrize(
    ("returned", "data"),
    [
        ({"content": "file text", "path": "/a"}, {"content": "file text", "path": "/a"}),
        ({"content": {"title": "T"}}, {"content": {"title": "T"}}),
        ({"data": None, "count": 3}, {"count": 3}),
        ({"content": [TEXT], "path": "/a"}, {"path": "/a"}),
        ({"content": [TEXT], "message": "b"}, {"message": "b"}),
        ({"id": 4, "message": {"words": "Saved"}}, {"id": 4, "message": {"words": "Saved"}}),
    ],
)
def test_the_own_members_of_a_success_are_its_data(returned: Any, data: Any) -> None:
    response = returning({"success": True, **returned})
    assert response["data"] == data
    assert response["structuredContent"] == data


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ({"id": 4, "message": "Saved"}, ["Saved", '{\n  "id": 4\n}']),
        ({"data": {"a": 1}, "message": "Saved"}, ["Saved", '{\n  "a": 1\n}']),
        ({"data": [1], "content": "hello"}, ["hello", "[\n  1\n]"]),
        ({"data": "Saved", "message": "Saved"}, ["Saved"]),
        ({"data": {"textContent": "1 note"}}, ["1 note"]),
    ],
)
def test_what_a_success_says_is_shown_before_its_data(returned: Any, said: list[str]) -> None:
    assert texts(returning({"success": True, **returned})) == said


def test_own_members_beside_data_stay_where_they_are() -> None:
    response = returning({"success": True, "data": [1], "region": "eu-1"})
    assert (response["data"], response["region"]) == ([1], "eu-1")


@pytest.mark.parametrize(
    ("returned", "error"),
    [
        (
            {"errors": ["a is required"]},
            {
                "code": "UNKNOWN_ERROR",
                "message": 'Unknown error: {"errors": ["a is required"]}',
                "details": {"errors": ["a is required"]},
            },
        ),
        ({"code": "E42", "message": "quota"}, {"code": "E42", "message": "quota"}),
        (
            {"error": {"code": "", "message": ""}},
            {"code": "UNKNOWN_ERROR", "message": "Unknown error"},
        ),
        (
            {"message": "quota", "details": {"left": 0}},
            {"code": "UNKNOWN_ERROR", "message": "quota", "details": {"left": 0}},
        ),
        (
            {"error": {"code": "X", "message": "a", "details": {"n": 1}}, "message": "b"},
            {"code": "X", "message": "a", "details": {"n": 1, "message": "b"}},
        ),
        (
            {"error": {"code": {"n": 1}, "message": "a", "details": 5}, "data": [2]},
            {
                "code": "UNKNOWN_ERROR",
                "message": "a",
                "details": {"data": [2], "error": {"code": {"n": 1}, "details": 5}},
            },
        ),
        (
            {"error": "gone", "content": "file text"},
            {"code": "UNKNOWN_ERROR", "message": "gone", "details": {"content": "file text"}},
        ),
        (
            {"structuredContent": {"error": {"code": "X", "message": "a"}}},
            {"code": "X", "message": "a"},
        ),
    ],
)
def test_the_own_members_of_a_failure_are_in_its_error(returned: Any, error: Any) -> None:
    assert returning({"success": False, **returned})["error"] == error


def test_a_member_in_a_form_that_nobody_knows_is_kept_in_meta() -> None:
    response = returning({"success": True, "timestamp": "today", "isError": "no", "_meta": 3})
    strays = {"timestamp": "today", "isError": "no", "_meta": 3}
    assert response["_meta"] == {ORIGINAL_KEY: strays}
    structured = {"error": "other"}
    failure = returning({"success": False, "error": "gone", "structuredContent": structured})
    assert failure["_meta"] == {ORIGINAL_KEY: {"structuredContent": structured}}
    assert failure["structuredContent"] == {"error": failure["error"]}


def test_what_mcp_refuses_is_in_the_details_of_the_failure() -> None:
    broken = {"success": True, "content": [{"type": "image", "data": "?", "mimeType": "image/png"}]}
    assert returning(broken)["error"]["details"] == broken


@pytest.mark.parametrize(
    "data",
    [
        {"content": [], "totalElements": 0},
        {"content": []},
        {"type": "doc", "content": [{"type": "paragraph", "content": []}]},
        {"content": [{"type": "paragraph"}]},
        {"id": "msg_1", "role": "assistant", "content": [TEXT], "usage": {"tokens": 3}},
        {"success": "true", "content": [TEXT]},
    ],
)
def test_data_with_content_of_its_own_is_no_response(data: Any) -> None:
    assert returning(data)["data"] == data


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ({"isError": True, "content": [{"type": "text", "text": "a"}]}, ["Error: a"]),
        ({"success": False, "message": "Error: x"}, ["Error: x"]),
        ({"success": False, "message": "Error: Error: x"}, ["Error: x"]),
        (
            {"success": False, "error": "a", "content": [{"type": "text", "text": "Error: a. b"}]},
            ["Error: a. b"],
        ),
    ],
)
def test_a_failure_is_reported_once(returned: Any, said: list[str]) -> None:
    assert texts(returning(returned)) == said


def test_the_item_that_reports_a_failure_keeps_its_other_members() -> None:
    item = {**TEXT, "annotations": {"audience": ["user"]}}
    response = returning({"success": False, "content": [item]})
    assert response["content"] == [{**item, "text": "Error: a"}]


def test_a_built_failure_starts_with_error_once() -> None:
    assert texts(create_error_response("Error: x")) == ["Error: x"]


def test_a_long_message_is_cut_wherever_it_comes_from() -> None:
    response = returning({"success": False, "error": {"message": "x" * 9_000}})
    assert len(response["error"]["message"]) == LONGEST_MESSAGE


def test_shared_parts_do_not_grow_without_end() -> None:
    value: list[Any] = [1]
    for _ in range(60):
        value = [value, value]
    error = returning(value)["error"]
    assert error["code"] == "RESULT_NOT_SERIALIZABLE"
    assert "250,000 parts" in error["message"]


PICTURE = b"\x89PNG"


@pytest.mark.parametrize(
    ("helper", "kind"),
    [
        (Image(data=PICTURE, format="png"), "image"),
        (fastmcp_types.Image(data=PICTURE, format="png"), "image"),
        (fastmcp_types.Audio(data=PICTURE, format="wav"), "audio"),
        (fastmcp_types.File(data=PICTURE, format="pdf", name="a"), "resource"),
    ],
)
def test_the_helpers_of_both_libraries_become_content(helper: Any, kind: str) -> None:
    assert [item["type"] for item in returning(helper)["content"]] == [kind]
    mixed = returning(["hi", helper, TextContent(type="text", text="there")])
    assert [item["type"] for item in mixed["content"]] == ["text", kind, "text"]
    inside = returning({"success": True, "content": [helper]})
    assert [item["type"] for item in inside["content"]] == [kind]


def test_blocks_inside_a_dict_leave_out_what_they_do_not_have() -> None:
    block = TextContent(type="text", text="a")
    assert returning({"success": True, "content": [block]})["content"] == [TEXT]


def test_a_model_of_somebodys_own_is_data_whatever_its_type() -> None:
    class Note(BaseModel):
        type: str = "text"
        due: str | None = None

    assert returning(Note())["data"] == {"type": "text", "due": None}


def test_a_result_object_without_content_is_no_data() -> None:
    assert "data" not in returning(CallToolResult(content=[]))


def test_a_result_object_can_be_converted() -> None:
    result = to_call_tool_result(CallToolResult(content=[TextContent(type="text", text="a")]))
    assert (result["content"], result.get("isError")) == ([TEXT], None)


def test_a_completed_response_is_plain_json() -> None:
    response = returning(Image(data=PICTURE, format="png"))
    assert json.loads(json.dumps(response)) == response
