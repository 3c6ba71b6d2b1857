"""Why a list was not followed to its end, in words for people."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.drive.answer import Answer
from mcp_assay.drive.listing import Walk
from mcp_assay.drive.target import Bounds
from mcp_assay.transport.links import Ending


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            {"ending": "answered", "error": {"code": -32603, "message": "fetch failed\n"}},
            'the server answered with error -32603, "fetch failed"',
        ),
        (
            {"ending": "answered", "error": {"code": -32603, "message": 7}},
            "the server answered with error -32603",
        ),
        ({"ending": "answered", "result": []}, "the answer holds no list"),
        (
            {"ending": "timed_out"},
            "the server did not answer in time; --timeout gives it more",
        ),
        ({"ending": "died"}, "the server died"),
        (
            {"ending": "died", "exit": Ending(how="died", code=4, stderr="Traceback:\n  boom\n")},
            "the server ended with exit code 4; its last words: Traceback: boom",
        ),
        ({"ending": "answered", "error": "no"}, "the answer holds no list"),
        ({"ending": "unanswered", "why": "the connection was closed"}, "the connection was closed"),
    ],
)
def test_why_a_page_did_not_come_is_told(answer: dict[str, Any], why: str) -> None:
    walk = Walk("tools", Bounds())
    assert walk.take(Answer(seconds=0.1, request=b"", **answer)) is None
    cut = walk.cut(None)
    assert cut is not None
    assert cut.why == f"page 1 did not come: {why}"
