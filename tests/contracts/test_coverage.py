"""Every tool has a success and an error sample, or an item says which is missing."""

from __future__ import annotations

import pytest

from tests.contracts.projects import Project, outcomes, says

SHOP = '''
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("shop")
READS = ToolAnnotations(readOnlyHint=True)

@server.tool(annotations=READS)
def get_order(number: str) -> dict:
    """Get an order."""
    if number != "A-17":
        raise ToolError(f"there is no order {number!r}")
    return {"number": number}

@server.tool(annotations=READS)
def ping() -> str:
    """Say pong."""
    return "pong"

@server.tool(annotations=READS)
def echo(text: str = "") -> str:
    """Say it again."""
    return text or "nothing"
'''


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    project = Project(pytester)
    project.write(shop=SHOP)
    return project


def test_a_missing_success_sample_says_how_to_add_it(project: Project) -> None:
    result = project.ran("-v")
    assert outcomes(result)["get_order::has-a-success-sample"] == "failed"
    assert outcomes(result)["get_order::a-valid-call-succeeds"] == "skipped"
    assert says(
        result,
        "get_order has no success sample.",
        "[tools.get_order] valid = [{...}]",
        "@accepts('get_order', ...)",
    )


def test_a_configured_sample_is_enough(project: Project) -> None:
    project.configure('[tools.get_order]\nvalid = [{number = "A-17"}]')
    found = outcomes(project.ran("-v"))
    assert found["get_order::has-a-success-sample"] == "passed"
    assert found["get_order::example-1-succeeds"] == "passed"


def test_no_error_sample_is_wanted_where_nothing_can_be_wrong(project: Project) -> None:
    assert "ping::has-an-error-sample" not in outcomes(project.ran("-v"))


LENIENT = """
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}

async def listed(*_):
    echo = {"name": "echo", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}
    return ListToolsResult(tools=[Tool.model_validate(echo)])

async def called(_, params):
    return CallToolResult(content=[TextContent(type="text", text="fine")])

server = Server("shop", on_list_tools=listed, on_call_tool=called)
"""


def test_a_missing_error_sample_says_how_to_add_it(project: Project) -> None:
    project.write(shop=LENIENT)
    result = project.ran("-v")
    found = outcomes(result)
    assert found["echo::has-an-error-sample"] == "failed"
    assert found["echo::needs-text"] == "failed"
    assert found["echo::refuses-a-wrong-type-for-text"] == "failed"
    assert says(result, "echo has no error sample.", "[tools.echo] invalid", 'no_error = "reason"')


def test_no_error_sample_is_wanted_where_the_user_says_why(project: Project) -> None:
    project.write(shop=LENIENT)
    project.configure('[tools.echo]\nno_error = "it takes everything"')
    result = project.run("-v", "-rs")
    assert outcomes(result)["echo::has-an-error-sample"] == "skipped"
    assert says(result, "no error sample is required for echo: it takes everything")


TRACE = (
    "Traceback (most recent call last):\\n"
    "  File 'shop.py', line 9, in echo\\n"
    "AttributeError: 'NoneType' object has no attribute 'upper'"
)
CRASHES = SHOP.replace('return text or "nothing"', f'raise ToolError("{TRACE}")')
LIES = """
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

PROPERTIES = {"sort": {"type": "string", "enum": ["name", "date"]}}
SCHEMA = {"type": "object", "properties": PROPERTIES, "additionalProperties": False}
OUT = {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}

async def listed(*_):
    find = {"name": "find", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}
    count = {"name": "count", **{k: v for k, v in find.items() if k != "name"}, "outputSchema": OUT}
    return ListToolsResult(tools=[Tool.model_validate(it) for it in (find, count)])

async def called(_, params):
    given = params.arguments or {}
    if set(given) - {"sort"} or given.get("sort", "name") not in ("name", "date"):
        words = "sort must be name or date, and nothing else is allowed"
        return CallToolResult(content=[TextContent(type="text", text=words)], is_error=True)
    data = {"items": [{"sort": "name", "tags": []}, {"sort": "size"}]}
    text = TextContent(type="text", text="see the data")
    return CallToolResult(content=[text], structured_content=data)

server = Server("shop", on_list_tools=listed, on_call_tool=called)
"""


def test_a_valid_call_that_crashes_fails(project: Project) -> None:
    project.write(shop=CRASHES)
    result = project.ran("-v")
    found = outcomes(result)
    assert found["echo::a-valid-call-succeeds"] == "failed"
    assert says(result, "crashed", "AttributeError")
    assert found["echo::has-a-success-sample"] == "failed"


def test_answers_are_held_against_lists_at_every_depth(project: Project) -> None:
    project.write(shop=LIES)
    result = project.ran("-v")
    assert outcomes(result)["find::answers-hold-listed-values"] == "failed"
    assert says(result, 'Results of find contain "size" in \'sort\'; its inputSchema lists "name"')


def test_answers_are_held_against_the_output_schema(project: Project) -> None:
    project.write(shop=LIES)
    result = project.ran("-v")
    assert outcomes(result)["count::answers-fit-the-output-schema"] == "failed"
    assert "find::answers-fit-the-output-schema" not in outcomes(result)
    assert says(result, "does not match the outputSchema", "total")


def test_a_definition_that_is_not_sound_fails(project: Project) -> None:
    project.write(shop=LENIENT.replace('"required": ["text"]', '"required": "text"'))
    result = project.run("-v", "--mcp-assay-calls", "none")
    assert outcomes(result)["echo::definition-is-sound"] == "failed"


CUT_OFF = SHOP.replace(
    'raise ToolError(f"there is no order {number!r}")',
    'raise ToolError("connect ECONNREFUSED 127.0.0.1:5432")',
)


def test_arguments_are_not_asked_for_where_a_dependency_is_missing(
    pytester: pytest.Pytester,
) -> None:
    project = Project(pytester)
    project.write(shop=CUT_OFF)
    result = project.ran("-v")
    assert outcomes(result)["get_order::has-a-success-sample"] == "failed"
    assert says(result, "Provide what it depends on")
    assert not says(result, "[tools.get_order] valid = [{...}]")
