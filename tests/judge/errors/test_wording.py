"""Tables of wordings read: what each heading means, and that nothing wrong is read at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcp_assay.judge.errors import wording
from mcp_assay.judge.errors.patterns import CERTAIN, DECISIVE, FAINT, FAIR, SILENT, STRONG, Pattern
from mcp_assay.judge.errors.wording import (
    WrongWording,
    known_patterns,
    read_table,
    table_names,
    table_text,
)
from mcp_assay.judge.sentences import DENIALS

FOLDER = Path(__file__).resolve().parents[3] / "src" / "mcp_assay" / "judge" / "wording"
OPENED = "= x =\n== failure fair ==\n"
LAZY = """
import mcp_assay.responses
from mcp_assay.judge.errors.wording import known_patterns
print(known_patterns.cache_info().currsize)
"""


def test_phrases_stand_in_lines_or_between_bars_and_keep_their_order() -> None:
    text = """# What printers say.

= printers =

== business certain ==
b | a
  no paper
# Between two groups.
== failure faint ==
\tc … d   |  e*\r
= more printers =
== wrapper ==
beep # beep | [errno 9] | x=1 || y | \\n
"""
    assert [(one.phrase, one.source, one.weight) for one in read_table("printers", text)] == [
        ("b", "printers", CERTAIN),
        ("a", "printers", CERTAIN),
        ("no paper", "printers", CERTAIN),
        ("c … d", "printers", FAINT),
        ("e*", "printers", FAINT),
        ("beep # beep", "more printers", SILENT),
        ("[errno 9]", "more printers", SILENT),
        ("x=1 || y", "more printers", SILENT),
        ("\\n", "more printers", SILENT),
    ]


@pytest.mark.parametrize(
    ("heading", "pattern"),
    [
        ("business certain", Pattern("it", "business", CERTAIN, "business pattern", "x")),
        ("failure decisive", Pattern("it", "failure", DECISIVE, "crash signature", "x")),
        (
            "conversion strong",
            Pattern("it", "failure", STRONG, "unreadable text", "x", owed_to_input=True),
        ),
        (
            "misreading fair",
            Pattern(
                *("it", "failure", FAIR, "unreadable value", "x"),
                owed_to_input=True,
                owed_to_error_case=True,
            ),
        ),
        ("frames fair", Pattern("it", "failure", FAIR, "stack trace", "x", is_frame=True)),
        ("environment faint", Pattern("it", "environment", FAINT, "environment pattern", "x")),
        ("unclear fair", Pattern("it", "unclear", FAIR, "says nothing", "x")),
        ("wrapper", Pattern("it", "unclear", SILENT, "wrapper", "x")),
    ],
)
def test_a_heading_says_what_its_phrases_speak_for_and_how_loudly(
    heading: str, pattern: Pattern
) -> None:
    assert read_table("x", f"= x =\n== {heading} ==\nit") == [pattern]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("# x\n\nlost", 3, "a phrase needs = FAMILY ="),
        ("= x =\nlost", 2, "a phrase needs = FAMILY ="),
        ("== failure fair ==\nlost", 2, "a phrase needs = FAMILY ="),
        (f"{OPENED}it\n= y =\nlost", 5, "a phrase needs = FAMILY ="),
        ("= x =\n== failur fair ==", 2, "'failur fair' is unknown; use one of business, failure"),
        ("= x =\n== failure loud ==", 2, "'failure loud' is unknown"),
        ("= x =\n== failure ==", 2, "'failure' is unknown"),
        ("= x =\n== wrapper fair ==", 2, "with one of decisive, certain, strong, fair, faint, or"),
        ("= x", 1, "'= x' is no heading"),
        ("= x ==", 1, "'= x ==' is no heading"),
        ("==failure fair==", 1, "is no heading"),
        ("=== x ===", 1, "is no heading"),
        ("==", 1, "is no heading"),
        (f"{OPENED}it | | that", 3, "a phrase is empty"),
        (f"{OPENED}it |  | that", 3, "a phrase is empty"),
        (f"{OPENED}it |", 3, "a phrase is empty"),
        (f"{OPENED}|", 3, "a phrase is empty"),
        (f"{OPENED}it\n\nthat | it", 5, "'it' stands in this table twice"),
        (f"{OPENED}it | it", 3, "'it' stands in this table twice"),
        (f"{OPENED}it\n= y =\n== wrapper ==\nit", 6, "'it' stands in this table twice"),
    ],
)
def test_what_is_wrong_is_reported_with_its_file_and_line(
    text: str, line: int, reason: str
) -> None:
    with pytest.raises(WrongWording) as refusal:
        read_table("speech/elvish", text)
    assert str(refusal.value).startswith(f"wording/speech/elvish.txt, line {line}: ")
    assert reason in str(refusal.value)


def test_a_package_without_its_files_is_not_taken_for_one_without_wordings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wording, "get_data", lambda *_: None)
    with pytest.raises(WrongWording, match=r"wording/http\.txt: the package was loaded without"):
        table_text("http")


def test_the_index_lists_every_table_once() -> None:
    texts = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.txt")}
    assert sorted(table_names()) == sorted(texts - {wording.INDEX, DENIALS})


def test_the_tables_are_read_once_and_not_before_they_are_needed() -> None:
    run = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, check=True, text=True)
    assert run.stdout.strip() == "0"
    assert known_patterns() is known_patterns()
