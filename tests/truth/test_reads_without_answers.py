"""What was not really read shows nothing about what is listed."""

from __future__ import annotations

import pytest

from mcp_assay.assess.reads import ADRIFT
from mcp_assay.model.probe import Reply
from mcp_assay.rules.probe.reads import judge_prompt, judge_read

URI = "library://hours"
READ = Reply(result={"contents": [{"uri": URI, "text": "9 to 17"}]})
REFUSED = Reply(error={"code": -32002, "message": "Not found"})


@pytest.mark.parametrize(
    ("reply", "shows"),
    [
        (READ, "all"),
        (REFUSED, "all"),
        (Reply(result={"contents": []}), "all"),
        (Reply(ending="timed_out"), "all"),
        (Reply(ending="died"), "all"),
        (Reply(result={}), "all"),
        (Reply(unread=9_000_000), "an answer"),
        (Reply(result={"resultType": "input_required"}), "an answer"),
        (Reply(ending="http_status", status=503), "nothing"),
        (Reply(ending="http_status", status=401), "nothing"),
        (Reply(ending="closed"), "all"),
        (Reply(ending="http_status", status=429), "nothing"),
    ],
)
def test_a_read_shows_what_it_brought(reply: Reply, shows: str) -> None:
    assert judge_read(URI, reply, is_listed=True).shows == shows


def test_a_refusal_of_what_was_made_up_shows_only_that_an_answer_came() -> None:
    assert judge_read(URI, REFUSED, is_listed=False).shows == "an answer"
    assert judge_prompt("surprise", REFUSED, is_made_up=True).shows == "an answer"
    assert judge_prompt("surprise", REFUSED, is_made_up=False).shows == "all"
    assert ADRIFT.shows == "an answer"
