"""Messages of errors that repeat what was sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.protocol import Session
from mcp_assay.rules.engine.samples import error, request


def said_of(message: str, arguments: Any) -> list[str]:
    session = Session(revision="2025-11-25")
    params = {"name": "read", "arguments": arguments}
    session.feed("c2s", json.dumps(request("tools/call", params, id=1)))
    answer = json.dumps({**error(-32603, message), "id": 1})
    found = session.feed("s2c", answer)
    return [one.message for one in found if one.rule == "JSONRPC-015"]


@pytest.mark.parametrize("sent", ["tea\nwater", "tea\nwater\n"])
def test_a_line_break_that_was_sent_is_not_the_messages(sent: str) -> None:
    assert said_of(f"No such file: /srv/{sent}, try another", {"path": sent}) == []


@pytest.mark.parametrize("sent", ["tea", "\n", "other\nlines"])
def test_a_line_break_that_was_not_sent_is_told(sent: str) -> None:
    assert said_of("No such file:\n/srv/tea", {"path": sent}) == [
        "The error message has a line break."
    ]
