"""Traces of another format are read by JSON Pointers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.model.entry import Entry
from mcp_assay.validate.trace import Mapped, NotUnderstood, require_pointers

POINTERS = {"dir": "/way", "message": "/event/bodies/1", "session": "/ids/a~1b", "t": "/time"}


def read(line: str, pointers: dict[str, str] | None = None) -> Entry:
    return Mapped(pointers or POINTERS).read(line.encode())


def of(**members: Any) -> Entry:
    line = {"way": "s2c", "event": {"bodies": [0, {"id": 1}]}, "ids": {"a/b": 7}, **members}
    return read(json.dumps(line))


def test_members_are_found_where_the_pointers_say() -> None:
    entry = of(time=2.5, conn="c")
    assert (entry.direction, entry.text, entry.session) == ("s2c", b'{"id": 1}', ("session", "7"))
    assert (entry.at, entry.exact) == (2.5, False)


def test_the_text_of_the_message_is_exact() -> None:
    line = ' {"way":"c2s","event":{"bodies":["]",{"a" : 1.0,"a":2}]}}'
    assert read(line).text == b'{"a" : 1.0,"a":2}'


def test_members_without_a_pointer_stand_as_usual() -> None:
    assert of(ids={}, conn=3).session == ("conn", "3")
    assert read('{"dir":"c2s","log":"{}"}', {"raw": "/log"}).text == b"{}"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"way":"up"}', 'dir must be "c2s" or "s2c"'),
        ('{"dir":"c2s"}', "there is nothing at /way, where dir is"),
        ("[1]", "there is nothing at /way, where dir is"),
        ("oops", "it is not JSON"),
    ],
)
def test_a_line_that_does_not_follow_the_map_says_why(line: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as problem:
        read(line)
    assert str(problem.value).startswith(why)


@pytest.mark.parametrize(
    ("pointers", "why"),
    [
        ({"direction": "/d"}, "there is no member 'direction'; choose one of dir, message"),
        ({"dir": "d"}, "'d', for dir, is not a JSON Pointer; start with a slash"),
        ({"dir": ""}, "'', for dir, is not a JSON Pointer"),
    ],
)
def test_a_map_that_leads_nowhere_raises(pointers: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why.replace("(", r"\(")):
        require_pointers(pointers)
