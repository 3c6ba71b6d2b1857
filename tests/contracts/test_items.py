"""Checks are items of pytest: everything that works on tests works on them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.contracts.projects import NOTES, Project, failed, outcomes, says

LENIENT = NOTES.replace('kind: Literal["todo", "idea"] | None = None', "kind: Annotated[str, Field("
    'json_schema_extra={"enum": ["todo", "idea"]})] = "todo"')  # fmt: skip


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    project = Project(pytester)
    project.write(shop=NOTES)
    return project


def test_a_server_that_keeps_its_promises_passes(project: Project) -> None:
    result = project.ran("-v")
    assert result.ret == 0
    found = outcomes(result)
    assert failed(result) == set()
    assert found["get_note::needs-id"] == "passed"
    assert found["get_note::refuses-a-wrong-type-for-id"] == "passed"
    assert found["list_notes::takes-kind-todo"] == "passed"
    assert found["list_notes::takes-kind-idea"] == "passed"
    assert found["list_notes::answers-hold-listed-values"] == "passed"
    assert found["get_note::definition-is-sound"] == "passed"


def test_a_tool_that_may_not_be_called_is_skipped_and_counted(project: Project) -> None:
    result = project.ran("-v")
    assert says(result, "mcp-assay: 24 checks of 3 tools")
    assert outcomes(result)["delete_note::has-a-success-sample"] == "skipped"
    assert says(result, "mcp-assay: not called: 1", "delete_note is not called: no readOnlyHint")


def test_warnings_about_what_the_server_said_are_listed(project: Project) -> None:
    result = project.ran("-v")
    speaks = "the-server::speaks-mcp-as-the-specification-says"
    assert outcomes(result)[speaks] == "passed"
    assert says(result, "mcp-assay: warnings about the server's messages", "LIFE-016: ")


def test_an_allowed_tool_is_called(project: Project) -> None:
    result = project.run("-v", "--mcp-assay-allow", "delete_note")
    assert outcomes(result)["delete_note::a-valid-call-succeeds"] == "passed"


def test_calls_can_be_switched_off(project: Project) -> None:
    result = project.run("-v", "--mcp-assay-calls", "none")
    assert {what for id, what in outcomes(result).items() if "sample" in id} == {"skipped"}
    assert outcomes(result)["get_note::definition-is-sound"] == "passed"


def test_items_are_chosen_with_k(project: Project) -> None:
    result = project.run("-v", "-k", "takes-kind")
    assert set(outcomes(result)) == {"list_notes::takes-kind-todo", "list_notes::takes-kind-idea"}


def test_an_id_on_the_command_line_runs_that_item(project: Project) -> None:
    project.write(test_other="def test_other(): assert False")
    result = project.run_plain("-v", "mcp-assay::get_note::needs-id", "mcp-assay::list_notes")
    assert result.ret == 0
    assert "get_note::needs-id" in outcomes(result)
    assert {id.split("::")[0] for id in outcomes(result)} == {"get_note", "list_notes"}


def test_an_id_that_does_not_exist_is_a_usage_error(project: Project) -> None:
    result = project.run_plain("mcp-assay::get_note::nonsense")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*not found: mcp-assay::get_note::nonsense*"])


def test_the_run_stops_at_the_first_failure_and_goes_on_with_it(project: Project) -> None:
    project.write(shop=LENIENT)
    every, until = outcomes(project.run("-v")), outcomes(project.run("-v", "-x"))
    assert list(until) == list(every)[: len(until)]
    assert list(until.values()).index("failed") == len(until) - 1 < len(every) - 1
    again = outcomes(project.run("-v", "--lf", "--junit-xml=out.xml"))
    assert set(again) == {id for id, what in every.items() if what == "failed"}
    tool, _, name = next(iter(again)).partition("::")
    assert f'classname="mcp-assay.{tool}" name="{name}"' in project.read("out.xml")


SOON = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if item.name == "takes-kind-todo":
            item.add_marker(pytest.mark.xfail(reason="soon"))
"""


def test_a_known_failure_is_marked_in_the_configuration_or_in_a_conftest(project: Project) -> None:
    project.write(shop=LENIENT, conftest=SOON)
    project.configure('[contract]\nxfail = {"list_notes::refuses-other-values-for-kind" = "soon"}')
    result = outcomes(project.run("-v", "-k", "refuses-other or takes-kind"))
    assert result["list_notes::refuses-other-values-for-kind"] == "xfail"
    assert result["list_notes::takes-kind-todo"] == "xpass"


@pytest.mark.parametrize("name", ["update", "mutate"])
def test_what_needs_all_calls_refuses_several_processes(project: Project, name: str) -> None:
    result = project.run(f"--mcp-assay-{name}", "-n", "2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_without_a_server_the_message_says_what_to_type(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--mcp-assay")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*name the server: --mcp-assay-server*"])


@pytest.mark.parametrize("named", ["python -c pass", "nothing.here:server", "shop:NOTES"])
def test_a_server_that_is_none_is_a_usage_error(project: Project, named: str) -> None:
    result = project.run("--mcp-assay-server", named)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*mcp-assay: *"])


STATEFUL = """
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

TAKEN = []
KIND = {"type": "string", "enum": ["one", "two"]}
SCHEMA = {"type": "object", "properties": {"kind": KIND}, "required": ["kind"]}

async def listed(*_):
    tool = {"name": "start", "inputSchema": SCHEMA}
    return ListToolsResult(tools=[Tool.model_validate(tool)])

async def called(_, params):
    words = "Conflict: something is under way already" if TAKEN else "started"
    TAKEN.append(1)
    text = TextContent(type="text", text=words)
    return CallToolResult(content=[text], is_error=words != "started")

server = Server("shop", on_list_tools=listed, on_call_tool=called)
"""


def test_a_value_is_not_blamed_for_what_an_earlier_call_left(project: Project) -> None:
    project.write(shop=STATEFUL)
    found = outcomes(project.run("-v", "--mcp-assay-calls", "all"))
    assert {found["start::takes-kind-one"], found["start::takes-kind-two"]} == {"passed", "skipped"}


def test_a_conftest_gives_the_server(project: Project) -> None:
    conftest = "import shop\ndef pytest_mcp_assay_server(config):\n    return shop.server"
    project.write(conftest=conftest)
    result = project.run("-v", "-o", "mcp_assay_server=", "-k", "get_note")
    assert outcomes(result)["get_note::a-valid-call-succeeds"] == "passed"


def test_the_ini_key_switches_it_on_except_for_chosen_files(project: Project) -> None:
    project.write(test_other="def test_other(): pass")
    ini = ("-o", "mcp_assay=true")
    assert len(outcomes(project.run_plain("-v", *ini))) > 1
    assert set(outcomes(project.run_plain("-v", *ini, "test_other.py"))) == {
        "test_other.py::test_other"
    }


def test_a_project_that_does_not_ask_for_it_is_left_alone(project: Project) -> None:
    project.write(shop="raise RuntimeError", test_other="def test_other(): pass")
    result = project.run_plain("-v")
    assert set(outcomes(result)) == {"test_other.py::test_other"}


def test_importing_the_plugin_loads_nothing_heavy() -> None:
    heavy = "msgspec jsonschema_rs orjson aiohttp asyncio mcp fastmcp mcp_assay.contracts"
    script = (
        "import pytest, sys; before = set(sys.modules); import mcp_assay.pytest_plugin;"
        f" print(sorted((set(sys.modules) - before) & set({heavy.split()})),"
        " sorted(it for it in sys.modules if it.startswith('mcp_assay')))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[] ['mcp_assay', 'mcp_assay.pytest_plugin']"
