"""Under a policy, a call that was in vain without one keeps its verdict and teaches nothing new."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from mcp_assay.assess.known_outcomes import FreeCalls, is_refused_otherwise
from mcp_assay.assess.tool_runner import ToolRunner
from mcp_assay.client.connection import Connection, SentCall
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ScenarioVerdict
from mcp_assay.responses import ResponseValidator
from mcp_assay.schema.checker import Schemas

TOOL: dict[str, Any] = {
    "name": "save_file",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
}
FOLDER = "EISDIR: illegal operation on a directory, rename '/w.1.tmp' -> '/w'"
LOCKED = "EROFS: read-only file system, open '/w.1.tmp'"
TEACHING = "EROFS: only other file systems can be written to, open '/w.1.tmp'"
WRONG = "Invalid path: only names that end in '.json' are allowed"
FINE = None


def scenario(path: str) -> Scenario:
    return Scenario(
        tool="save_file",
        name="happy path",
        category="happy_path",
        arguments={"path": path},
        valid=True,
    )


class Answering:
    """A connection that answers with these texts in turn; None stands for a success."""

    def __init__(self, *texts: str | None) -> None:
        self._texts = list(texts)

    async def send(self, request: CallRequest) -> SentCall:
        return SentCall(request)

    async def receive(self, sent: SentCall) -> Response:
        said = self._texts.pop(0)
        text = {"type": "text", "text": said or f"saved {sent.request.arguments['path']}"}
        result = {"content": [text], "isError": said is not None}
        return Response(ending="answered", result=result, seconds=0.1, request=b"")


def runner(*texts: str | None, free: tuple[ToolRun, ...] = ()) -> ToolRunner:
    caller = cast(Connection, Answering(*texts))
    made = ToolRunner(caller, ResponseValidator.validate_response, Schemas())
    made.free_calls = FreeCalls(free)
    return made


def calls(made: ToolRunner, paths: tuple[str, ...]) -> list[Call]:
    async def each() -> list[Call]:
        return [await made.call(TOOL, scenario(path)) for path in paths]

    return asyncio.run(each())


def outcomes(
    free: tuple[str | None, ...], under: tuple[str | None, ...], paths: tuple[str, ...]
) -> list[tuple[str, str | None]]:
    """What the calls come to under a policy, after others with the same arguments."""
    before = ToolRun(tool=TOOL, calls=tuple(calls(runner(*free), paths)))
    found = calls(runner(*under, free=(before,)), paths)
    return [(one.verdict.outcome, one.verdict.trouble) for one in found]


def test_a_call_that_was_in_vain_keeps_its_verdict() -> None:
    assert outcomes((FOLDER,), (LOCKED,), ("",)) == [("unproven", None)]


def test_one_that_succeeded_loses_it_where_the_policy_refuses_it() -> None:
    assert outcomes((FINE,), (LOCKED,), ("a",)) == [("failed", "environment")]


def test_one_that_succeeds_only_now_has_succeeded() -> None:
    assert outcomes((FOLDER,), (FINE,), ("a",)) == [("passed", None)]


def test_one_that_nobody_has_made_before_is_judged_by_itself() -> None:
    before = ToolRun(tool=TOOL, calls=tuple(calls(runner(FOLDER), ("",))))
    (found,) = calls(runner(LOCKED, free=(before,)), ("b",))
    assert found.verdict.trouble == "environment"


def test_equal_calls_are_compared_in_their_order() -> None:
    free, under = (FOLDER, FINE, FOLDER), (LOCKED, LOCKED, LOCKED)
    found = outcomes(free, under, ("a", "a", "a"))
    assert found == [("unproven", None), ("failed", "environment"), ("unproven", None)]


@pytest.mark.parametrize(("said", "is_taught"), [(WRONG, True), (TEACHING, False)])
def test_what_a_policy_refuses_teaches_nothing(said: str, is_taught: bool) -> None:
    before = ToolRun(tool=TOOL, calls=tuple(calls(runner(FOLDER), ("",))))
    under, alone = runner(said, free=(before,)), runner(said)
    calls(under, ("",))
    calls(alone, ("",))
    assert alone.values.endings
    assert bool(under.values.endings) is is_taught


def test_only_another_kind_of_error_is_owed_to_the_policy() -> None:
    (free,) = calls(runner(FOLDER), ("",))
    for text, expected in ((FOLDER, False), (WRONG, False), (LOCKED, True)):
        (found,) = calls(runner(text), ("",))
        assert is_refused_otherwise(free, found.result) is expected
    died = Call(
        number=1,
        scenario=scenario(""),
        answer=CallResult(ending="died"),
        result=None,
        verdict=ScenarioVerdict("failed", "died"),
    )
    assert is_refused_otherwise(free, died.result)
    assert not is_refused_otherwise(None, died.result)
