"""A form may narrow what was typed, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.web.live.narrowing import FIELDS, RunOptions, WrongForm, child_words, narrowed
from mcp_assay.web.live.servers import LiveServer, RunLimits

LIMITS = RunLimits(
    calls="likely", allow=("add",), deny=("drop",), max_calls=20, timeout=5.0, max_time=60.0
)
SERVER = LiveServer(name="--help", config="-x.json", shown="", digest="")


def test_without_a_word_a_run_does_what_was_typed() -> None:
    assert narrowed(LIMITS, {"server": "1"}) == RunOptions(
        calls="likely", max_calls=20, max_time=60.0
    )


def test_a_form_can_ask_for_less() -> None:
    form = {"calls": "safe", "max_calls": "3", "max_time": "1.5", "only": " a ", "deny": "b\n\n c",
            "dry_run": "on"}  # fmt: skip
    assert narrowed(LIMITS, form) == RunOptions(
        calls="safe", max_calls=3, max_time=1.5, only="a", deny=("b", "c"), dry_run=True
    )


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"calls": "all"}, "--calls all would call more tools than --calls likely"),
        ({"calls": "every"}, "one of none, safe, likely, all"),
        ({"max_calls": "21"}, "--max-calls 21 is more than the 20"),
        ({"max_time": "61"}, "--max-time 61 is more than the 60"),
        ({"max_time": "inf"}, "a number from 1 to 60"),
        ({"max_time": "nan"}, "a number from 1 to 60"),
        ({"max_calls": "0"}, "a number from 1 to 20"),
        ({"max_calls": "many"}, "a number from 1 to 20"),
        ({"only": "a\nb"}, "Only one tool"),
        ({"only": "a\0"}, "null character"),
        ({"deny": "x" * 301}, "at most 300 characters"),
        ({"deny": "\n".join("x" * 101)}, "at most 100 tools"),
        ({"allow": "drop"}, "nothing else"),
        ({"command": "sh"}, "nothing else"),
        ({"only": b"file"}, "nothing else"),
    ],
)
def test_what_would_widen_is_refused_in_a_sentence(form: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongForm) as refusal:
        narrowed(LIMITS, form)
    assert words in str(refusal.value)
    assert str(refusal.value).endswith(".")


def test_the_words_of_the_process_are_options_whatever_names_look_like() -> None:
    wanted = narrowed(LIMITS, {"only": "--yes", "deny": "--calls=all\n--"})
    words = child_words(SERVER, LIMITS, wanted)
    assert words[0] == "assess"
    assert words[1:3] == ["--config=-x.json", "--server=--help"]
    assert {"--only=--yes", "--deny=--calls=all", "--deny=--", "--deny=drop"} <= set(words)
    assert "--allow=add" in words
    assert all(word.startswith("--") and word != "--" for word in words[1:])


def test_where_no_tools_are_to_be_called_none_is_allowed() -> None:
    words = child_words(SERVER, LIMITS, narrowed(LIMITS, {"calls": "none"}))
    assert "--calls=none" in words
    assert [word for word in words if word.startswith("--allow")] == []
    assert "--deny=add" in words


def test_a_form_has_no_field_by_which_a_command_or_a_history_could_be_named() -> None:
    assert set(FIELDS) == {
        *("server", "calls", "max_calls", "max_time", "only", "deny", "dry_run"),
    }
