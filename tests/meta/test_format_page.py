"""The page about the JSON report says of every member what it means."""

from __future__ import annotations

from tools.format_page import WORDS, page
from tools.make_docs import events_schema, report_schema


def test_every_member_has_a_meaning() -> None:
    text = page(report_schema(), events_schema())
    assert [line for line in text.splitlines() if line.endswith("|  |")] == []


def test_nothing_is_said_of_members_that_do_not_exist() -> None:
    records = {**report_schema()["$defs"], **events_schema()["$defs"]}
    known = {f"{name}.{member}" for name, it in records.items() for member in it["properties"]}
    assert set(WORDS) <= known
