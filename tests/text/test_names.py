"""Names that come from outside, split into their words: once, for all who ask."""

from __future__ import annotations

import pytest

from mcp_assay.text.names import LONGEST_NAME, name_parts, name_words, split_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("user_id", ["user", "id"]),
        ("userId", ["user", "id"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("", []),
        ("漢字", []),
        ("userID2", ["user", "id", "2"]),
        ("über_uns", ["uber", "uns"]),
        ("d\u0435lete", ["delete"]),
        ("HTTPServer2Client", ["http", "server", "2", "client"]),
    ],
)
def test_the_parts_of_a_name(name: str, parts: list[str]) -> None:
    assert name_parts(name) == parts


def test_the_words_of_a_name_leave_numbers_out() -> None:
    assert name_words("userID2") == ["user", "id"]
    assert name_words("2024") == []


def test_words_keep_their_case_where_that_matters() -> None:
    assert split_name("DROPTableNow") == ("DROP", "Table", "Now")


def test_only_so_much_of_a_name_is_read() -> None:
    assert sum(map(len, split_name("x_" * LONGEST_NAME))) == LONGEST_NAME // 2
