"""A page of the world's web site proves who tells of it, and accuses nobody who cannot use it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.judge.information import carries_information
from mcp_assay.judge.our_hosts import is_owed_to_our_host, was_fed
from mcp_assay.judge.status import judge_call, judged_call, settled
from mcp_assay.model.call import CallResult
from mcp_assay.model.effect import Effects, RequestSent
from mcp_assay.model.verdict import Category, ScenarioVerdict, ValidationContext
from mcp_assay.responses import ResponseValidator
from mcp_assay.rules.behaviour.rule import called, tool_run_of

STAMP = "dopafaso1943"
READ = Effects(requests=[RequestSent(method="GET", url="https://a.invalid/", stamp=STAMP)])
TOOL = {
    "name": "visit",
    "description": "Works.",
    "inputSchema": {"type": "object", "properties": {"url": {}}, "required": ["url"]},
}
PAGES = tuple(f"https://a.invalid/{page}" for page in range(4))
CRASH = "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'items'"


def saying(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


@pytest.mark.parametrize(
    ("text", "effects", "is_proven"),
    [
        (f"# The harbour of {STAMP}", READ, True),
        (f"ok {STAMP}", READ, True),
        ("The page has been stored for a later time, so be patient.", READ, False),
        (f"The page has been stored as {STAMP} for a later time.", None, False),
        (f"The page has been stored as {STAMP} for a later time.", Effects(), False),
    ],
)
def test_who_tells_of_the_page_has_read_it(
    text: str, effects: Effects | None, is_proven: bool
) -> None:
    calls = [called({"url": url}, result=saying(text)) for url in PAGES]
    run = tool_run_of({"tool": TOOL, "calls": calls})
    seen = tuple(replace(call, effects=effects) for call in run.calls)
    assert carries_information(replace(run, calls=seen)) is is_proven


def verdict_on(
    text: str,
    effects: Effects | None,
    *,
    category: Category = "happy_path",
    is_error: bool = True,
    ending: Any = "answered",
) -> ScenarioVerdict:
    """What is made of one call, whatever others there are."""
    sent = {"url": "https://docs.vendor.dev/guide"}
    response = saying(text, is_error=is_error)
    result = ResponseValidator.validate_response(ValidationContext(TOOL, sent, response, category))
    is_fed = was_fed(effects)
    call = judged_call(
        True,
        CallResult(ending=ending, result=response if ending == "answered" else None),
        result if ending == "answered" else None,
        category,
        leads_nowhere=is_owed_to_our_host(sent, response, result, is_fed=is_fed),
        is_fed=is_fed,
    )
    (found,) = settled([call], [judge_call(call)])
    return found


def test_a_crash_over_a_page_of_ours_is_unproven_and_a_crash_without_one_is_a_crash() -> None:
    assert verdict_on(CRASH, READ).outcome == "unproven"
    assert verdict_on(CRASH, Effects()).trouble == "crashed"
    assert verdict_on(CRASH, None).trouble == "crashed"


def test_the_death_of_a_server_is_its_own_whatever_it_has_read() -> None:
    assert verdict_on("", READ, ending="died").trouble == "died"


def test_nothing_is_left_of_a_page_beyond_its_end() -> None:
    assert verdict_on("", READ, category="edge_case", is_error=False).outcome == "unproven"
    assert verdict_on("", READ, is_error=False).trouble == "faulty_answer"
