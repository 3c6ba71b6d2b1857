"""Which names say that a tool changes something."""

from __future__ import annotations

import pytest

from mcp_assay.text.changing_verbs import (
    ALWAYS_CHANGING,
    CHANGING_AS_VERBS,
    DESTROYING,
    HARMLESS_ALONE,
    LOOKING,
    changing_verb_in,
    is_looking_name,
)


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("delete_note", "delete"),
        ("deleteNote", "delete"),
        ("DELETENote", "delete"),
        ("notes.remove", "remove"),
        ("drop-table", "drop"),
        ("write_file", "write"),
        ("send", "send"),
        ("pay2", "pay"),
        ("del_user", "del"),
        ("abort_build", "abort"),
        ("sql_execute", "execute"),
        ("getOrCreateNote", "create"),
        ("git_commit", "commit"),
        ("mark_read", "mark"),
        ("update_view", "update"),
        ("read_and_reset_counter", "reset"),
        ("get_delete_log", "delete"),
        ("add_note", "add"),
        ("DROPTABLE", "drop"),
        ("DB_DELETEALL", "delete"),
        ("UPDATEUSER", "update"),
        ("deleteALL", "delete"),
        ("d\u0435lete_note", "delete"),
        ("d\u00e9lete", "delete"),
        ("del\u200bete", "delete"),
        ("\uff44\uff45\uff4c\uff45\uff54\uff45_note", "delete"),
    ],
)
def test_a_verb_that_changes_something_is_found_in_a_name(name: str, verb: str) -> None:
    assert changing_verb_in(name) == verb


@pytest.mark.parametrize(
    "name",
    [
        "get_commit",
        "notes_get_order",
        "list_posts",
        "search_updates",
        "open_nodes",
        "issue_read",
        "pull_request_read",
        "resolve-library-id",
        "convert_time",
        "git_log",
        "add",
        "dropdown_values",
        "DROPDOWN_VALUES",
        "undeleted_items",
        "sendai_weather",
        "SENDAI_WEATHER",
        "ADDRESS",
        "DEPLOYMENTS",
        "ALTERNATIVES",
        "CREATEDBY",
        "settings",
        "",
        "123",
        "löschen",
    ],
)
def test_a_name_of_a_tool_that_only_looks_says_so(name: str) -> None:
    assert changing_verb_in(name) is None


def test_a_name_is_looking_if_its_first_word_is() -> None:
    assert is_looking_name("getDeleteLog")
    assert not is_looking_name("delete_list")
    assert not is_looking_name("")


def test_a_name_of_any_length_is_read() -> None:
    assert changing_verb_in("a" * 1_000_000 + "_delete") is None
    assert changing_verb_in("delete_" + "a" * 1_000_000) == "delete"


def test_no_word_is_in_two_tables() -> None:
    assert ALWAYS_CHANGING.isdisjoint(CHANGING_AS_VERBS)
    assert LOOKING.isdisjoint(ALWAYS_CHANGING | CHANGING_AS_VERBS)
    assert DESTROYING | HARMLESS_ALONE <= ALWAYS_CHANGING
