"""The status of a tool, over all its calls: what is proven, what is broken, what is only away."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.tool_runs import as_judged
from mcp_assay.judge.information import carries_information
from mcp_assay.judge.status import judge_call, judge_tool
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.effect import Effects, FileChange
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import Evidence, JudgedCall, ValidationContext
from mcp_assay.responses import ResponseValidator

TOOL: dict[str, Any] = {
    "name": "get_weather",
    "description": "The weather of a place.",
    "inputSchema": {"type": "object", "properties": {"place": {"type": "string"}}},
}
GOOD = {"content": [{"type": "text", "text": "Oslo: 3 degrees, rain"}]}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def refused(words: str) -> dict[str, Any]:
    return text(words, isError=True)


def internal(message: str = "Internal error") -> dict[str, Any]:
    return {"error": {"code": -32603, "message": message}}


REFUSED = refused("Unknown place")
CRASHED = refused("TypeError: Cannot read properties of undefined (reading 'x')")
AWAY = refused("connect ECONNREFUSED 127.0.0.1:5432")
UNFLAGGED = text("Error: unknown place")
UNFLAGGED_AWAY = text("Error: connect ECONNREFUSED 127.0.0.1:5432")


def call(response: dict[str, Any], *, valid: bool = True, sensible: bool = True) -> JudgedCall:
    context = ValidationContext(TOOL, {"place": "Oslo"}, response)
    return JudgedCall(
        valid_arguments=valid,
        result=ResponseValidator.validate_response(context),
        error_code=response.get("error", {}).get("code"),
        is_sensible=sensible,
    )


TIMEOUT = JudgedCall(valid_arguments=True, ending="timed_out")
ODD_TIMEOUT = replace(TIMEOUT, is_sensible=False)


@pytest.mark.parametrize(
    ("calls", "status"),
    [
        ([call(GOOD)], "fully_working"),
        ([call(GOOD), call(REFUSED, valid=False)], "fully_working"),
        ([call(GOOD), call(REFUSED)], "fully_working"),
        ([call(GOOD), replace(call(AWAY), leads_nowhere=True)], "fully_working"),
        ([replace(call(AWAY), leads_nowhere=True), call(REFUSED)], "unproven"),
        ([call(GOOD), call(AWAY)], "partially_working"),
        ([call(GOOD), replace(call(CRASHED), leads_nowhere=True)], "partially_working"),
        ([call(GOOD), call(UNFLAGGED, valid=False)], "partially_working"),
        ([call(GOOD), call(UNFLAGGED)], "partially_working"),
        ([call(GOOD), call(GOOD, valid=False)], "partially_working"),
        ([call(GOOD), call(CRASHED, sensible=False)], "partially_working"),
        ([call(UNFLAGGED), call(UNFLAGGED, valid=False)], "unproven"),
        ([call(text("Not implemented"))], "unproven"),
        ([call(text("undefined")), call(REFUSED, valid=False)], "unproven"),
        ([call(REFUSED), call(CRASHED, valid=False)], "unproven"),
        ([call(REFUSED), call(CRASHED, sensible=False)], "unproven"),
        ([call(REFUSED), ODD_TIMEOUT], "unproven"),
        ([call(internal())], "unproven"),
        ([call(internal()), call(internal(), valid=False)], "unproven"),
        ([call(UNFLAGGED_AWAY)], "connectivity_only"),
        ([call(AWAY), call(REFUSED, valid=False)], "connectivity_only"),
        ([call(AWAY), call(REFUSED), TIMEOUT], "connectivity_only"),
        ([call(AWAY), call(CRASHED, valid=False)], "connectivity_only"),
        ([call(CRASHED), call(REFUSED, valid=False)], "broken"),
        ([call(AWAY), call(CRASHED)], "broken"),
        ([TIMEOUT, call(REFUSED)], "broken"),
        ([call({}), call(REFUSED, valid=False)], "broken"),
        ([call(internal()), call(REFUSED, valid=False)], "broken"),
        ([call(internal()), call(internal("Place must be a text"), valid=False)], "unproven"),
        ([call(internal()), call(GOOD), call(REFUSED, valid=False)], "partially_working"),
        ([call(internal("Place 'Oslo' not found")), call(REFUSED, valid=False)], "unproven"),
        ([call(text("Are you sure? Call again with confirm=true"))], "unproven"),
    ],
)
def test_the_first_status_that_holds(calls: list[JudgedCall], status: str) -> None:
    assert judge_tool(calls).status == status


def test_what_did_not_break_in_a_fresh_process_is_not_broken() -> None:
    calls = [call(CRASHED), call(REFUSED, valid=False)]
    assert judge_tool(calls, evidence=Evidence(is_refuted=True)).status == "unproven"


def test_a_success_that_says_nothing_proves_nothing() -> None:
    found = judge_tool([call(GOOD)], evidence=Evidence(has_information=False))
    assert (found.status, found.confidence) == ("unproven", None)


def test_an_error_without_the_flag_is_not_counted_as_rejected() -> None:
    found = judge_tool([call(GOOD), call(UNFLAGGED, valid=False), call(REFUSED, valid=False)])
    assert (found.rejected, found.failed) == (1, 1)


def run_of(tool: dict[str, Any], *made: tuple[dict[str, Any], dict[str, Any]]) -> ToolRun:
    calls = []
    for number, (arguments, response) in enumerate(made, 1):
        result = ResponseValidator.validate_response(ValidationContext(tool, arguments, response))
        judged = JudgedCall(valid_arguments=True, result=result)
        scenario = Scenario(
            tool=tool["name"], name="x", category="happy_path", arguments=arguments, valid=True
        )
        calls.append(
            Call(
                number=number,
                scenario=scenario,
                answer=CallResult(result=response),
                result=result,
                verdict=judge_call(judged),
            )
        )
    return ToolRun(tool=tool, calls=tuple(calls))


OSLO, ROME = {"place": "Oslo"}, {"place": "Rome"}
SAVE = {**TOOL, "name": "save_place", "description": "Saves a place."}
ALONE = {"name": "ping", "inputSchema": {"type": "object"}}
PROMISED = {**TOOL, "outputSchema": {"type": "object", "required": ["ok"]}}
WRAPPED = {**TOOL, "outputSchema": {"type": "object", "required": ["result"]}}


@pytest.mark.parametrize(
    ("tool", "answers", "informs"),
    [
        (TOOL, [GOOD, text("Rome: 20 degrees")], True),
        (TOOL, [GOOD, GOOD], True),
        (TOOL, [text("true"), text("false")], True),
        (TOOL, [text("3"), text("3")], True),
        (SAVE, [text("Saved."), text("Saved.")], True),
        (ALONE, [text("ok")], True),
        (TOOL, [{"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}], True),
        (PROMISED, [text('{"ok": true}', structuredContent={"ok": True})], True),
        (WRAPPED, [{"content": [], "structuredContent": {"result": ["Oslo fjord"]}}], True),
        (WRAPPED, [{"content": [], "structuredContent": {"result": []}}], False),
        (TOOL, [text("ok"), text("ok")], False),
        (TOOL, [text("Done."), text("Done.")], False),
        (TOOL, [text("[]"), text("[]")], False),
        (TOOL, [text("{}"), text("{}")], False),
        (TOOL, [text('{"success": true}'), text('{"success": true}')], False),
        (TOOL, [text('{"results": [], "total": 0}'), text('{"results": [], "total": 0}')], False),
        (TOOL, [text("No results found"), text("No results found")], False),
        (TOOL, [text("Request processed successfully")], False),
    ],
)
def test_a_success_carries_information_or_not(
    tool: dict[str, Any], answers: list[dict[str, Any]], informs: bool
) -> None:
    made = list(zip((OSLO, ROME), answers, strict=False))
    assert carries_information(run_of(tool, *made)) is informs


BARE: dict[str, Any] = {"type": "object"}


def bare(name: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": BARE}


@pytest.mark.parametrize(
    ("name", "said", "informs"),
    [
        ("step_over", "Debugger is not paused at a breakpoint", False),
        ("export_slide", "No presentation is open.", False),
        ("play_next", "The player has not been started yet", False),
        ("read_shape", "No active scene loaded", False),
        ("reconnect", "Attempting to connect to the bridge on port 9229...", False),
        ("reindex", "Starting a new scan of 12 folders…", False),
        ("get_debugger", "Debugger is not paused at a breakpoint", True),
        ("get_status", "The engine is not running", True),
        ("is_player_open", "No player is open", True),
        ("step_over", "Stepped to line 12", True),
        ("reindex", "Indexing is done: 12 folders", True),
        ("get_hint", "Walking on ice...\nis no fun", True),
    ],
)
def test_that_something_must_be_so_first_proves_nothing(
    name: str, said: str, informs: bool
) -> None:
    assert carries_information(run_of(bare(name), ({}, text(said)))) is informs


def test_a_state_that_names_what_was_sent_is_an_answer() -> None:
    answers = [(one, text(f"{one['place']} harbour is not open")) for one in (OSLO, ROME)]
    assert carries_information(run_of(TOOL, *answers))


def test_an_echo_around_nothing_found_is_no_answer() -> None:
    def found(place: str, number: int) -> dict[str, Any]:
        return text(json.dumps({"topic": place, "by_place": {}, "images": [], "total": number}))

    nothing = [(one, found(one["place"], 0)) for one in (OSLO, ROME)]
    assert not carries_information(run_of(TOOL, *nothing))
    assert carries_information(run_of(TOOL, nothing[0], (ROME, found("Rome", 3))))


def test_an_error_in_an_object_of_nothing_is_no_answer() -> None:
    finder = {**TOOL, "name": "lookup_place", "description": "Looks a place up."}
    wrong = {"code": "EMPTY_INPUT", "message_it": "Il CAP è vuoto.", "message_en": "It is empty."}

    def looked_up(place: str, **more: Any) -> dict[str, Any]:
        nothing = {"valid": False, "name": None, "uf": None, "raw": place}
        return text(json.dumps({**nothing, "error": wrong, **more}))

    refused = run_of(finder, *[(one, looked_up(one["place"])) for one in (OSLO, ROME)])
    assert all(one.verdict.succeeded for one in refused.calls), "nothing calls it a failure"
    assert not carries_information(refused)
    found = looked_up("Rome", valid=True, name="Roma", error=None)
    assert carries_information(run_of(finder, (OSLO, looked_up("Oslo")), (ROME, found)))


def test_a_tool_that_turns_others_down_depends_on_what_it_is_asked() -> None:
    schema = {"type": "object", "properties": {"place": {}}, "required": ["place"]}
    tool, long = {**TOOL, "inputSchema": schema}, text("Oslo: 12 degrees, wind from the south")
    alike = [({"place": one}, long) for one in ("Oslo", "oslo", "Oslo, NO")]
    assert not carries_information(run_of(tool, *alike))
    assert carries_information(run_of(tool, *alike, ({"place": "Atlantis"}, REFUSED)))
    assert not carries_information(run_of(tool, *alike, ({"place": " "}, REFUSED)))


ALIGN = {**TOOL, "name": "align_shapes", "description": "Aligns shapes on a page."}


def watched(run: ToolRun, **seen: Any) -> ToolRun:
    calls = (replace(one, effects=Effects(**seen)) for one in run.calls)
    return replace(run, calls=tuple(calls))


def echoed(*places: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [({"place": it}, text(f'{{"aligned": true, "place": "{it}"}}')) for it in places]


def test_what_is_only_asserted_is_no_proof_where_nothing_shows_it() -> None:
    run = watched(run_of(ALIGN, *echoed("left", "right", "a b")))
    assert not carries_information(run)
    assert carries_information(replace(run, evidence=Evidence(is_confirmed=True)))
    assert not carries_information(watched(run_of(SAVE, (OSLO, text("Saved Oslo.")))))


def test_what_is_asserted_is_a_proof_where_something_shows_it() -> None:
    made = echoed("left", "right")
    assert carries_information(run_of(ALIGN, *made)), "nobody watched"
    changed = FileChange(path="/w/a", what="changed")
    assert carries_information(watched(run_of(ALIGN, *made), files=[changed]))
    assert carries_information(watched(run_of(ALIGN, *made, ({"place": "up"}, REFUSED))))
    assert carries_information(watched(run_of(ALIGN, (OSLO, text('{"id": "shape-7"}')))))


LISTED = text('{"files": ["a.md"]}')


@pytest.mark.parametrize(
    ("name", "said", "informs"),
    [
        ("random_string", "", True),
        ("text", "Dummy parameter for no-parameter tools", True),
        ("reason", "Unused. This tool takes no arguments.", True),
        ("text", "What to look for", False),
    ],
)
def test_what_means_nothing_need_not_change_the_answer(name: str, said: str, informs: bool) -> None:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "description": said}},
        "required": [name],
    }
    made = [({name: value}, LISTED) for value in ("a", "b", "c")]
    assert carries_information(run_of({**TOOL, "inputSchema": schema}, *made)) is informs


def test_a_longer_list_of_the_same_asks_nothing_else() -> None:
    schema = {"type": "object", "properties": {"files": {}}, "required": ["files"]}
    tool = {**TOOL, "inputSchema": schema}
    again: list[dict[str, Any]] = [{"files": ["a.md"] * number} for number in (1, 2, 50)]
    others: list[dict[str, Any]] = [{"files": [name]} for name in ("a.md", "b.md", "c.md")]
    assert carries_information(run_of(tool, *((one, LISTED) for one in again)))
    assert not carries_information(run_of(tool, *((one, LISTED) for one in others)))


@pytest.mark.parametrize(
    ("name", "status"),
    [("happy path", "broken"), ("usual 2: valid", "unproven"), ("random 3: valid", "unproven")],
)
def test_what_was_only_put_together_breaks_no_tool(name: str, status: str) -> None:
    made = run_of(TOOL, (OSLO, REFUSED), (ROME, CRASHED)).calls
    calls = [made[0], replace(made[1], scenario=replace(made[1].scenario, name=name))]
    assert judge_tool(list(map(as_judged, calls))).status == status
