"""In which order tools are called."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.text.call_order import Deed, deed_of, in_call_order

READ_ONLY = {"readOnlyHint": True}


@pytest.mark.parametrize(
    ("name", "hints", "deed"),
    [
        ("get_note", {}, Deed.READS),
        ("list_notes", None, Deed.READS),
        ("echo", READ_ONLY, Deed.READS),
        ("echo", {}, Deed.ADDS),
        ("create_entities", {}, Deed.ADDS),
        ("add_observations", {"readOnlyHint": False}, Deed.ADDS),
        ("git_create_branch", {}, Deed.ADDS),
        ("create_order", {}, Deed.ADDS),
        ("send_mail", {}, Deed.ADDS),
        ("create_or_update_file", {}, Deed.CHANGES),
        ("add_or_replace", {}, Deed.CHANGES),
        ("write_file", {}, Deed.CHANGES),
        ("edit_file", {"destructiveHint": False}, Deed.CHANGES),
        ("delete_entities", {}, Deed.CHANGES),
        ("DROPTABLE", {}, Deed.CHANGES),
        ("git_checkout", {"destructiveHint": False}, Deed.CHANGES),
        ("create_note", {"destructiveHint": True}, Deed.ADDS),
        ("create_or_replace", {"destructiveHint": True}, Deed.CHANGES),
        ("echo", {"destructiveHint": True}, Deed.CHANGES),
        ("get_note", {"destructiveHint": "yes"}, Deed.CHANGES),
        ("delete_note", READ_ONLY, Deed.CHANGES),
        (7, [], Deed.ADDS),
    ],
)
def test_words_and_hints_say_what_a_tool_does(name: Any, hints: Any, deed: Deed) -> None:
    assert deed_of({"name": name, "annotations": hints}) is deed


def test_those_that_read_come_first_and_each_kind_keeps_its_order() -> None:
    names = ["delete_b", "create_b", "get_b", "delete_a", "get_a", "create_a"]
    ordered = sorted(({"name": name} for name in names), key=deed_of)
    assert [tool["name"] for tool in ordered] == [
        *("get_b", "get_a"),
        *("create_b", "create_a"),
        *("delete_b", "delete_a"),
    ]


def needing(name: str, *required: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "required": list(required)}}


def test_lists_come_first_and_what_reads_a_thing_comes_after_what_creates_it() -> None:
    tools = [
        needing("delete_note", "note_id"),
        needing("get_note", "note_id"),
        needing("get_time"),
        needing("create_note", "title"),
        needing("search_notes", "query"),
        needing("list_notes"),
    ]
    assert [tool["name"] for tool in in_call_order(tools)] == [
        "list_notes",
        "search_notes",
        "get_time",
        "create_note",
        "get_note",
        "delete_note",
    ]


def test_what_is_created_in_another_thing_comes_after_that() -> None:
    tools = [needing("add_page", "book_id", "text"), needing("create_book", "title")]
    assert [tool["name"] for tool in in_call_order(tools)] == ["create_book", "add_page"]
