"""Which hints are proposed: only what watched calls support, and what is missing for the others."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.proposed_annotations import proposed_annotations
from mcp_assay.model.call import Call, CallResult, Observation, ToolRun
from mcp_assay.model.effect import ConnectionTry, Effects, FileChange, FileState, ProcessLeft
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.tool import HintEvidence
from mcp_assay.model.verdict import ScenarioVerdict

READER = {
    "name": "get_note",
    "description": "Get the text of a note.",
    "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}},
}
ADDER = {**READER, "name": "add_note", "description": "Add a note to the list."}
WRITER = {**READER, "name": "save_note", "description": "Save a note into its file."}
ADDED = Effects(files=[FileChange(path="/w/new.txt", what="created")])
APPENDED = Effects(
    files=[FileChange(path="/w/a.txt", what="changed", diff="@@ -1 +1,2 @@\n old\n+new\n")]
)
REWRITTEN = Effects(
    files=[FileChange(path="/w/a.txt", what="changed", diff="@@ -1 +1 @@\n-old\n+new\n")]
)
SHORTENED = Effects(
    files=[FileChange(path="/w/a.txt", what="changed", diff="@@ -1,2 +1 @@\n old\n-new\n")]
)
DELETED = Effects(files=[FileChange(path="/w/a.txt", what="deleted")])
EMPTIED = Effects(
    files=[
        FileChange(
            path="/w/a.txt",
            what="changed",
            before=FileState(kind="file", mode="0644", size=3),
            after=FileState(kind="file", mode="0644", size=0),
        )
    ]
)
CACHED = Effects(files=[FileChange(path="/w/.cache/a", what="created", bookkeeping=True)])
TEMPORARY = Effects(files=[FileChange(path="/tmp/{random}", what="created", temporary=True)])
LATE = Effects(files=[FileChange(path="/w/tick", what="changed", late=True)], late=True)
ASKED = Effects(names=["api.example.com"])
OWN_HOST = Effects(connections=[ConnectionTry(address="127.0.0.1", port=5432, protocol="tcp")])
LEFT = Effects(processes=[ProcessLeft(argv=["sleep", "9"])])
QUIET = Effects()


def call(
    number: int,
    effects: Effects | None,
    tool: str = "get_note",
    *,
    id: int | None = None,
    valid: bool = True,
    answer: str = "tea",
) -> Call:
    scenario = Scenario(
        tool=tool,
        name="happy path",
        category="happy_path",
        arguments={"id": number if id is None else id},
        valid=valid,
    )
    return Call(
        number=number,
        scenario=scenario,
        answer=CallResult(result={"content": [{"type": "text", "text": answer}]}),
        result=None,
        verdict=ScenarioVerdict("passed", None, valid),
        effects=effects,
    )


def run_of(tool: dict[str, Any], *effects: Effects | None, **annotations: bool) -> ToolRun:
    """A tool that did this, call by call."""
    calls = (call(number, one, tool["name"]) for number, one in enumerate(effects, 1))
    return ToolRun(tool={**tool, "annotations": annotations}, calls=tuple(calls))


def proposed(run: ToolRun, *compared: Call) -> dict[str, bool]:
    found = proposed_annotations(run, compared)
    assert found is not None
    return found.annotations


def evidence(run: ToolRun, hint: str, *compared: Call) -> HintEvidence:
    found = proposed_annotations(run, compared)
    assert found is not None
    seen = found.evidence(hint)
    assert seen is not None
    return seen


READS = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}


@pytest.mark.parametrize("effects", [QUIET, CACHED, OWN_HOST])
def test_a_tool_without_an_effect_in_enough_calls_reads(effects: Effects) -> None:
    assert proposed(run_of(READER, *[effects] * 6)) == READS
    assert evidence(run_of(READER, *[effects] * 6), "readOnlyHint") == HintEvidence(
        hint="readOnlyHint",
        declared=None,
        supported=True,
        calls=6,
        reason="no effect seen in 6 calls",
    )


@pytest.mark.parametrize(
    ("effects", "missing"),
    [
        ([QUIET] * 4, "too few valid calls"),
        ([*[QUIET] * 6, TEMPORARY], "temporary files"),
        ([*[QUIET] * 6, LATE], "after an answer"),
        ([*[QUIET] * 6, LEFT], "processes were left"),
        ([*[QUIET] * 6, ASKED], "hosts were asked for"),
        ([*[QUIET] * 6, Effects(left_out={"files": 3})], "more happened"),
        ([*[QUIET] * 6, REWRITTEN], "1 of 7 calls, though it says that it only reads"),
    ],
    ids=["few", "temporary", "late", "process", "network", "cut", "once"],
)
def test_what_is_missing_is_said_and_nothing_proposed(effects: list[Effects], missing: str) -> None:
    seen = evidence(run_of(READER, *effects), "readOnlyHint")
    assert seen.supported is None
    assert missing in seen.reason


def test_equal_calls_show_nothing_new() -> None:
    run = run_of(READER, *[QUIET] * 9)
    same = tuple(
        replace(one, scenario=replace(one.scenario, arguments={"id": 1})) for one in run.calls
    )
    assert "readOnlyHint" not in proposed(replace(run, calls=same))
    bare = {**READER, "inputSchema": {"type": "object"}}
    assert proposed(replace(run, calls=same, tool=bare))["readOnlyHint"] is True


@pytest.mark.parametrize(
    "tool",
    [
        {**READER, "name": "send_note"},
        {**READER, "description": "Get the next note and mark it as read."},
        {**READER, "description": "Runs the given command."},
        {**READER, "name": "note", "description": ""},
    ],
    ids=["name", "description", "runs", "nothing"],
)
def test_a_tool_that_may_change_something_by_its_words_is_no_reader(tool: dict[str, Any]) -> None:
    assert "readOnlyHint" not in proposed(run_of(tool, *[QUIET] * 20))


def test_a_call_that_failed_and_changed_something_speaks_against_a_reader() -> None:
    run = run_of(READER, *[QUIET] * 6)
    failed = call(7, REWRITTEN, valid=False)
    assert "readOnlyHint" not in proposed(replace(run, calls=(*run.calls, failed)))


def test_a_reader_whose_calls_other_tools_notice_is_none() -> None:
    seen = [
        Observation(reader="list_notes", asking="reads", call=1, before=(a, a), after=(b, b))
        for a, b in (("1", "2"), ("2", "3"))
    ]
    run = run_of(READER, *[QUIET] * 6)
    assert "readOnlyHint" not in proposed(replace(run, observations=tuple(seen[:1])))
    assert proposed(replace(run, observations=tuple(seen)))["readOnlyHint"] is False


def test_a_tool_that_answers_equal_calls_differently_is_no_reader() -> None:
    run = run_of(READER, *[QUIET] * 6)
    counter = (call(7, QUIET, id=1, answer="1"), call(8, QUIET, id=1, answer="2"))
    assert "readOnlyHint" not in proposed(run, *counter)
    clock = tuple(
        call(number, QUIET, id=1, answer=f"2026-11-18T20:56:0{number}Z") for number in (7, 8)
    )
    assert proposed(run, *clock)["readOnlyHint"] is True


def test_a_tool_that_changes_files_does_not_only_read() -> None:
    assert proposed(run_of(WRITER, QUIET, REWRITTEN))["readOnlyHint"] is False
    lying = run_of(READER, QUIET, REWRITTEN, REWRITTEN, readOnlyHint=True)
    assert evidence(lying, "readOnlyHint").supported is False
    assert evidence(lying, "readOnlyHint").declared is True


@pytest.mark.parametrize(
    ("tool", "effects", "supported"),
    [
        (WRITER, [DELETED] * 2, True),
        (WRITER, [EMPTIED] * 2, True),
        (WRITER, [SHORTENED] * 2, True),
        (WRITER, [REWRITTEN] * 9, None),
        (WRITER, [ADDED] * 9, None),
        (ADDER, [ADDED] * 9, False),
        (ADDER, [APPENDED] * 9, False),
        (ADDER, [ADDED] * 4, None),
        (ADDER, [*[QUIET] * 7, *[ADDED] * 2], None),
        ({**ADDER, "description": "Add a note, or replace it."}, [ADDED] * 9, None),
    ],
    ids=[
        "deleted",
        "emptied",
        "shortened",
        "rewritten",
        "may write",
        "added",
        "appended",
        "few",
        "idle",
        "may",
    ],
)
def test_what_destroys(
    tool: dict[str, Any], effects: list[Effects], supported: bool | None
) -> None:
    assert evidence(run_of(tool, *effects), "destructiveHint").supported is supported


def test_what_can_be_repeated() -> None:
    run = run_of(WRITER, ADDED, REWRITTEN, QUIET)

    def again(*effects: Effects) -> bool | None:
        pairs = [call(10 + number, one, "save_note", id=1) for number, one in enumerate(effects)]
        return evidence(run, "idempotentHint", *pairs).supported

    assert again(REWRITTEN, QUIET) is None
    assert again(REWRITTEN, QUIET, QUIET) is None
    assert again(REWRITTEN, REWRITTEN, REWRITTEN) is False
    others = [call(20, REWRITTEN, "save_note", id=2), call(21, QUIET, "save_note", id=2)]
    pairs = [call(10, REWRITTEN, "save_note", id=1), call(11, QUIET, "save_note", id=1), *others]
    assert evidence(run, "idempotentHint", *pairs).supported is True
    assert evidence(run, "idempotentHint", *pairs).calls == 2
    apart = [call(10, REWRITTEN, "save_note", id=1), call(12, QUIET, "save_note", id=1), *others]
    assert evidence(run, "idempotentHint", *apart).supported is None


@pytest.mark.parametrize(
    ("tool", "effects", "supported"),
    [
        (READER, [ASKED], True),
        (READER, [OWN_HOST] * 6, False),
        (READER, [QUIET] * 4, None),
        ({**READER, "description": "Get the text of a web page."}, [QUIET] * 9, None),
        (
            {
                **WRITER,
                "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}},
            },
            [QUIET] * 9,
            None,
        ),
    ],
    ids=["asked", "this machine", "few", "words", "commands"],
)
def test_what_reaches_out(
    tool: dict[str, Any], effects: list[Effects], supported: bool | None
) -> None:
    assert evidence(run_of(tool, *effects), "openWorldHint").supported is supported


def test_where_nobody_watched_or_nothing_succeeded_there_is_no_proposal() -> None:
    assert proposed_annotations(run_of(READER, *[None] * 9)) is None
    failed = tuple(call(number, QUIET, valid=False) for number in range(9))
    assert proposed_annotations(ToolRun(tool=READER, calls=failed)) is None
    assert proposed_annotations(replace(run_of(READER, *[QUIET] * 9), is_duplicate=True)) is None


def test_values_that_few_programs_can_write_are_compared_too() -> None:
    odd = {"id": 10**40, "text": "\ud800", "number": float("inf")}
    calls = tuple(
        replace(one, scenario=replace(one.scenario, arguments={**odd, "n": number}))
        for number, one in enumerate(run_of(READER, *[QUIET] * 6).calls)
    )
    answers = [
        replace(one, number=number, answer=CallResult(result={"content": [odd]}))
        for number, one in ((10, calls[0]), (11, calls[0]))
    ]
    assert proposed(replace(run_of(READER), calls=calls), *answers)["readOnlyHint"] is True
