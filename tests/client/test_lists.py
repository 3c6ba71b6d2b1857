"""Why a list was not followed to its end, in words for people."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.client.links import LinkEnding
from mcp_assay.client.lists import Walk
from mcp_assay.client.response import Response
from mcp_assay.client.target import Bounds


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            {"ending": "answered", "error": {"code": -32603, "message": "fetch failed\n"}},
            'the server returned error -32603, "fetch failed"',
        ),
        (
            {"ending": "answered", "error": {"code": -32603, "message": 7}},
            "the server returned error -32603",
        ),
        ({"ending": "answered", "result": []}, "the result contains no list"),
        (
            {"ending": "timed_out"},
            "the request timed out; raise --timeout",
        ),
        ({"ending": "died"}, "the server crashed"),
        (
            {
                "ending": "died",
                "exit": LinkEnding(how="died", code=4, stderr="Traceback:\n  boom\n"),
            },
            "the server exited with code 4; last stderr output: Traceback: boom",
        ),
        ({"ending": "answered", "error": "no"}, "the result contains no list"),
        ({"ending": "closed"}, "the server closed the connection without a response"),
        (
            {"ending": "http_status", "status": 500},
            "the server returned HTTP status 500 without a JSON-RPC message",
        ),
    ],
)
def test_why_a_page_did_not_come_is_reported(answer: dict[str, Any], why: str) -> None:
    walk = Walk("tools", Bounds())
    assert walk.take(Response(seconds=0.1, request=b"", **answer)) is None
    cut = walk.cut(None)
    assert cut is not None
    assert cut.why == f"page 1 could not be fetched: {why}"
