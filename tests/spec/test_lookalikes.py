"""What a name says to the eye, whatever its letters are."""

from __future__ import annotations

import pytest

from mcp_assay.text.lookalikes import LOOKALIKES, as_it_looks, mixes_alphabets


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("drop_table", "drop_table"),
        ("dr\u043ep", "drop"),
        ("\u0455\u0435nd", "send"),
        ("\uff44\uff52\uff4f\uff50", "drop"),
        ("\U0001d41d\U0001d42b\U0001d428\U0001d429", "drop"),
        ("DR\u039fP", "DROP"),
        ("dr\u00f2p", "drop"),
        ("dr\u00ad\u200dop", "drop"),
    ],
)
def test_a_name_is_read_as_it_looks(name: str, looks: str) -> None:
    assert as_it_looks(name) == looks


@pytest.mark.parametrize(
    "name", ["dr\u043ep", "get_n\u043ete", "not\u03b5", "DR\u13a2P", "\u0436ar", "\u0430PI"]
)
def test_a_word_of_two_alphabets_is_known(name: str) -> None:
    assert mixes_alphabets(name)


@pytest.mark.parametrize(
    "name",
    [
        "get_note",
        "caf\u00e9",
        "\u0437\u0430\u043c\u0435\u0442\u043a\u0430",
        "get_\u0437\u0430\u043c\u0435\u0442\u043a\u0430",
        "\u5929\u6c17get",
        "\u0394t",
        "get_\u00b5m",
        "\uff47\uff45\uff54",
        "stra\u00dfe",
        "",
    ],
)
def test_words_in_any_one_alphabet_are_fine(name: str) -> None:
    assert not mixes_alphabets(name)


def test_each_letter_is_taken_for_one_other() -> None:
    others = "".join(LOOKALIKES.values())
    assert len(set(others)) == len(others)
    assert not any(letter.isascii() for letter in others)
