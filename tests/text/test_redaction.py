"""What is left of secrets in texts for people."""

from __future__ import annotations

import msgspec
import pytest

from mcp_assay.model.tool import Coverage, Reached, ToolRow
from mcp_assay.text.redaction import Redactor
from mcp_assay.text.words import REDACTED
from tests.report.reports import finding

SECRET = "canary-s3cret-Value"
QUOTED = 'a"b\\c-ü'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"the key {SECRET} is known", "the key [redacted] is known"),
        ('the text "noise canary-s3cre…" stands', 'the text "noise [redacted]…" stands'),
        ("cana…", "[redacted]…"),
        ("can…", "can…"),
        ("head…cret-Value and more", "head…[redacted] and more"),
        ("canary-s3…ret-Value", "[redacted]…[redacted]"),
        ("canary in a mine… sings", "canary in a mine… sings"),
        ("a canary-s3cre without a cut", "a canary-s3cre without a cut"),
    ],
)
def test_a_cut_saves_no_piece_of_a_secret(text: str, shown: str) -> None:
    assert Redactor([SECRET]).line(text) == shown


@pytest.mark.parametrize("text", ['a"b\\c-ü', 'a\\"b\\\\c-ü', 'a\\"b\\\\c-\\u00fc', 'a\\"b\\\\c…'])
def test_a_secret_is_known_within_a_quoted_value(text: str) -> None:
    assert Redactor([QUOTED]).line(f"seen {text}") in ("seen [redacted]", "seen [redacted]…")


@pytest.mark.parametrize("text", ["a%22b%5Cc-%C3%BC", "YSJiXGMtw7w="])
def test_a_secret_is_known_in_an_address_and_in_base64(text: str) -> None:
    assert Redactor([QUOTED]).line(f"seen {text}") == "seen [redacted]"


def test_a_secret_stands_nowhere_in_a_finding() -> None:
    reported = Redactor([SECRET]).finding(finding(SECRET, tool=f"get {SECRET}"))
    assert SECRET not in msgspec.json.encode(reported).decode()
    assert reported.where.tool == "get [redacted]"
    assert reported.examples[0].tool == "[redacted]"


def test_a_secret_that_names_a_member_is_not_kept_in_a_message() -> None:
    kept = Redactor([SECRET]).message(b'{"params":{"%s":1}}' % SECRET.encode())
    assert kept == ({"params": {"[redacted]": 1}}, [])


def test_reported_secrets_are_taken_out_of_records_as_well() -> None:
    clean = Redactor(["open sesame"]).lines
    reached = {"/open sesame": Reached(reached=1, of=2, missed=["open sesame", 3])}
    row = ToolRow(name="open sesame", status="broken", coverage=Coverage(listed_values=reached))
    cleaned = clean([row])[0]
    assert (cleaned.name, cleaned.status) == (REDACTED, "broken")
    assert cleaned.coverage.listed_values == {
        f"/{REDACTED}": Reached(reached=1, of=2, missed=[REDACTED, 3])
    }
