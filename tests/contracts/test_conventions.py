"""How errors are reported: each convention is known by its form, and deviating tools are named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.contracts.conventions import CONVENTIONS, ReportedError, majority, reported_error
from mcp_assay.model.call import CallResult
from mcp_assay.schema.checker import Schemas
from tests.contracts.projects import Project, failed, outcomes, says

OBJECT = {"error": {"type": "not_found", "message": "no note"}}
ENVELOPE = {"success": False, "error": {"code": "NOT_FOUND", "message": "no note"}}


def text(value: Any, **more: Any) -> CallResult:
    words = value if isinstance(value, str) else json.dumps(value)
    return CallResult(result={"content": [{"type": "text", "text": words}], **more})


@pytest.mark.parametrize(
    ("answer", "convention", "type"),
    [
        (text("no note", isError=True), "isError", None),
        (text(OBJECT, isError=True), "object", "not_found"),
        (text(OBJECT), "object without isError", "not_found"),
        (text("x", structuredContent=OBJECT), "object without isError", "not_found"),
        (text(ENVELOPE, isError=True), "envelope", "NOT_FOUND"),
        (text(ENVELOPE), "envelope without isError", "NOT_FOUND"),
        (text("Error: no note"), "words without isError", None),
        (CallResult(error={"code": -32602, "message": "no note"}), "json-rpc", None),
    ],
)
def test_a_convention_is_known_by_its_form(
    answer: CallResult, convention: str, type: str | None
) -> None:
    reported = reported_error(answer)
    assert reported == ReportedError(convention=convention, type=type)
    assert convention in CONVENTIONS


@pytest.mark.parametrize(
    "answer",
    [
        text({"notes": []}),
        text({"error": None, "notes": []}),
        text({"error": "", "ok": True}),
        text({"errors": 3}),
        text("Errors found: none"),
        text("done", isError=False),
        text({"error": {"count": 3}}),
        CallResult(result="nonsense"),
        CallResult(result={"content": "nonsense"}),
        CallResult(ending="died"),
    ],
)
def test_what_reports_no_error_is_none(answer: CallResult) -> None:
    assert reported_error(answer) is None


@pytest.mark.parametrize(
    "words", ["Input validation error: 'x' is not one of", "1 validation error for call[get]"]
)
def test_what_an_sdk_says_is_not_the_convention_of_a_tool(words: str) -> None:
    reported = reported_error(text(words, isError=True))
    assert reported is not None
    assert reported.is_framework
    assert majority({"get": [reported]}) is None


def test_the_convention_of_most_tools_is_learned() -> None:
    words, other = ReportedError(convention="isError"), ReportedError(convention="object")
    assert majority({"a": [words], "b": [words, words], "c": [other]}) == ("isError", 2)
    assert majority({}) is None


def test_the_users_schema_knows_errors() -> None:
    own = Schemas().prepare({"type": "object", "required": ["fault"]})
    reported = reported_error(text({"fault": "no note"}), own)
    assert reported == ReportedError(convention="schema")
    assert reported_error(text({"notes": []}), own) is None


SHOP = """
import json
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

OBJECT = {"error": {"type": "not_found", "message": "there is no such note"}}
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
ERRORS = {
    "get_note": [OBJECT],
    "get_tag": [OBJECT],
    "get_page": [OBJECT],
    "get_odd": ["there is no such thing"],
    "get_mixed": [OBJECT, "there is no such thing"],
}
LAST = {"get_mixed": 0}

async def listed(*_):
    hints = {"readOnlyHint": True}
    tools = [{"name": name, "inputSchema": SCHEMA, "annotations": hints} for name in ERRORS]
    return ListToolsResult(tools=[Tool.model_validate(tool) for tool in tools])

async def called(_, params):
    id = (params.arguments or {}).get("id")
    if id == "n1":
        return CallToolResult(content=[TextContent(type="text", text='{"id": "n1"}')])
    told = ERRORS[params.name][-1 if isinstance(id, str) else 0]
    words = told if isinstance(told, str) else json.dumps(told)
    is_error = isinstance(told, str)
    return CallToolResult(content=[TextContent(type="text", text=words)], is_error=is_error)

server = Server("shop", on_list_tools=listed, on_call_tool=called)
"""
EXAMPLES = "\n".join(
    f'[tools.{name}]\nvalid = [{{id = "n1"}}]\ninvalid = [{{id = "n9"}}]'
    for name in ("get_note", "get_tag", "get_page", "get_odd", "get_mixed")
)
KEPT = "errors-keep-the-convention"


def kept(project: Project, contract: str = "") -> tuple[dict[str, str], pytest.RunResult]:
    project.write(shop=SHOP)
    project.configure(f"{EXAMPLES}\n{contract}")
    result = project.ran("-v", "-k", KEPT)
    return {id.partition("::")[0]: what for id, what in outcomes(result).items()}, result


def test_tools_that_deviate_or_mix_are_named(pytester: pytest.Pytester) -> None:
    found, result = kept(Project(pytester))
    assert {tool for tool, what in found.items() if what == "failed"} == {"get_odd", "get_mixed"}
    assert says(result, "get_odd reports errors as isError with words; most tools of the server")
    assert says(result, "get_mixed reports errors as isError with words and as {error: {type")


def test_the_convention_can_be_set(pytester: pytest.Pytester) -> None:
    found, result = kept(Project(pytester), '[contract]\nerrors = "isError"')
    assert found["get_odd"] == "passed"
    assert found["get_note"] == "failed"
    assert says(result, "contract.errors says isError with words")


def test_types_of_errors_can_be_set(pytester: pytest.Pytester) -> None:
    contract = '[contract]\nerrors = "object without isError"\nerror-types = ["validation_error"]'
    found, result = kept(Project(pytester), contract)
    assert found["get_note"] == "failed"
    assert says(result, "of type 'not_found'; allowed are \"validation_error\"")


def test_a_schema_of_errors_can_be_set(pytester: pytest.Pytester) -> None:
    contract = '[contract.errors]\ntype = "object"\nrequired = ["error"]'
    found, _ = kept(Project(pytester), contract)
    assert found["get_note"] == "passed"
    assert found["get_odd"] == "failed"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('errors = "nonsense"', "contract.errors cannot be 'nonsense'"),
        ('risky = "no"', "contract.risky cannot be 'no'"),
        ("nonsense = 1", "contract.nonsense is not known"),
        ('enums = {kind = "nowhere:KINDS"}', "'nowhere:KINDS' cannot be imported"),
    ],
)
def test_a_wrong_setting_is_a_usage_error(pytester: pytest.Pytester, line: str, words: str) -> None:
    project = Project(pytester)
    project.write(shop=SHOP)
    project.configure(f"[contract]\n{line}")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str()


def test_calls_of_errors_count_as_refused(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    project.write(shop=SHOP)
    project.configure(EXAMPLES)
    result = project.run("-v", "-k", "example or sample or needs")
    assert failed(result) == set()
    assert outcomes(result)["get_note::has-an-error-sample"] == "passed"
