"""The memory server of 21 tools: its matrix, the bug of its lists, and tests that never fail."""

from __future__ import annotations

import pytest

from tests.contracts.matrix import CODE, READ, TOOLS
from tests.contracts.projects import Project, failed, missing, outcomes, says

CONFTEST = """
from tests.contracts.matrix import CODE, DRIFTED, TOOLS, memory_server

SERVER = memory_server({lists}, {only})

def pytest_mcp_assay_server(config):
    return SERVER

def pytest_mcp_assay_enums(config):
    return {enums}
"""
SAMPLES = """
[tools.get_cluster_members]
valid = [{cluster_id = "full_0"}]
"""
RELAPSE = """
from tests.contracts.matrix import CODE

def domains(mcp_assay):
    return mcp_assay.tools["start_ghap"]["inputSchema"]["properties"]["domain"]["enum"]

def test_domains_are_those_of_the_code(mcp_assay):
    assert domains(mcp_assay) == list(CODE["domain"])

def test_domains_are_the_domains(mcp_assay):
    mcp_assay.call("list_ghap_entries")
    assert CODE["domain"] == CODE["domain"]

def test_axes_are_the_axes(mcp_assay):
    assert CODE["axis"] == CODE["axis"]
"""
TWO = '("start_ghap", "list_ghap_entries")'
HIDDEN = "In the /inputSchema/properties/domain of start_ghap, {} is no longer listed."


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    project = Project(pytester)
    project.configure(SAMPLES)
    return project


def serve(project: Project, lists: str = "CODE", enums: str = "{}", only: str = "TOOLS") -> None:
    project.write(conftest=CONFTEST.format(lists=lists, enums=enums, only=only))


MATRIX = {
    "store_memory": "category",
    "retrieve_memories": "category",
    "list_memories": "",
    "delete_memory": "",
    "start_ghap": "domain strategy",
    "update_ghap": "strategy",
    "resolve_ghap": "outcome root_cause",
    "get_active_ghap": None,
    "list_ghap_entries": "domain outcome",
    "get_clusters": "axis",
    "get_cluster_members": "",
    "validate_value": "",
    "store_value": "axis",
    "list_values": "axis",
    "search_experiences": "axis domain outcome",
    "start_session": None,
    "get_orphaned_ghap": None,
    "should_check_in": "",
    "increment_tool_count": None,
    "reset_tool_count": None,
    "assemble_context": "",
}
"""Each tool with the arguments whose values are listed; None where no call can be wrong."""


def test_every_cell_of_the_matrix_is_a_check_that_passes(project: Project) -> None:
    serve(project)
    result = project.ran("-v", "--mcp-assay-calls", "all")
    found = outcomes(result)
    assert failed(result) == set()
    assert MATRIX.keys() == TOOLS.keys()
    assert {found[f"{tool}::has-a-success-sample"] for tool in MATRIX} == {"passed"}
    refusing = {tool for tool, fields in MATRIX.items() if fields is not None}
    assert {id.split("::")[0] for id in found if id.endswith("has-an-error-sample")} == refusing
    assert {found[f"{tool}::has-an-error-sample"] for tool in refusing} == {"passed"}


@pytest.mark.parametrize("tool", MATRIX)
def test_every_value_of_every_list_in_the_matrix_is_tried(project: Project, tool: str) -> None:
    serve(project)
    found = outcomes(project.ran("-v", "--mcp-assay-calls", "all"))
    fields = (MATRIX[tool] or "").split()
    wanted = {f"takes-{field}-{value}" for field in fields for value in CODE[field]}
    assert {id.split("::")[1] for id in found if id.startswith(f"{tool}::takes-")} == wanted
    assert {found[f"{tool}::{name}"] for name in wanted} <= {"passed"}
    outside = {found[f"{tool}::refuses-other-values-for-{field}"] for field in fields}
    assert outside <= {"passed"}


def test_only_reading_tools_are_called_unless_allowed(project: Project) -> None:
    serve(project)
    result = project.run("-v")
    assert says(result, f"mcp-assay: not called: {len(TOOLS) - len(READ)}")
    assert outcomes(result)["start_ghap::has-a-success-sample"] == "skipped"


def test_the_bug_of_the_lists_is_reported_at_the_wire_in_both_directions(project: Project) -> None:
    serve(project, "DRIFTED")
    result = project.run("-v", "--mcp-assay-calls", "all")
    broken = failed(result)
    assert broken >= {
        "list_ghap_entries::takes-domain-optimization",
        "list_ghap_entries::takes-domain-other",
        "list_ghap_entries::lists-what-domain-takes",
        "start_ghap::takes-domain-other",
        "resolve_ghap::takes-root_cause-knowledge_gap",
        "resolve_ghap::lists-what-root_cause-takes",
    }
    assert "list_ghap_entries::takes-domain-debugging" not in broken
    reported = [
        'The tool takes "configuration", "performance", "security", which the schema does not',
        'The schema lists "optimization", "other", which the tool does not take.',
    ]
    assert missing(result, reported) == []


def test_the_bug_is_reported_against_the_code_without_any_call(project: Project) -> None:
    serve(project, "DRIFTED", '{"domain": CODE["domain"], "root_cause": list(CODE["root_cause"])}')
    result = project.run("-v", "--mcp-assay-calls", "none")
    assert failed(result) == {
        *(f"{it}::domain-agrees-with-the-code" for it in ("list_ghap_entries", "start_ghap")),
        "search_experiences::domain-agrees-with-the-code",
        "resolve_ghap::root_cause-agrees-with-the-code",
    }
    reported = [
        'The schema lists "optimization", "other", which the code does not have.',
        'The code has "configuration", "performance", "security", which the schema does not list.',
    ]
    assert missing(result, reported) == []


def test_lists_that_agree_with_the_code_pass(project: Project) -> None:
    serve(project, enums='{"domain": CODE["domain"], "start_ghap.strategy": CODE["strategy"]}')
    found = outcomes(project.run("-v", "-k", "agrees"))
    assert found["start_ghap::strategy-agrees-with-the-code"] == "passed"
    assert "update_ghap::strategy-agrees-with-the-code" not in found
    assert set(found.values()) == {"passed"}


def test_tests_that_compare_a_list_with_itself_are_exposed(project: Project) -> None:
    serve(project)
    project.write(test_lists=RELAPSE)
    result = project.run("--mcp-assay-mutate")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    reported = "These tests passed with every mutation of what they use:"
    exposed = " ".join(" ".join(result.outlines).split()).partition(reported)[2]
    assert "test_lists.py::test_domains_are_the_domains" in exposed
    assert "test_lists.py::test_axes_are_the_axes" in exposed
    assert "test_lists.py::test_domains_are_those_of_the_code" not in exposed


@pytest.mark.parametrize(
    ("test", "is_noticed"), [("test_domains_are_those_of_the_code", True), ("test_axes", False)]
)
def test_a_change_that_no_test_sees_is_listed(
    project: Project, test: str, is_noticed: bool
) -> None:
    serve(project, only=TWO)
    project.write(test_lists=RELAPSE)
    result = project.run("--mcp-assay-mutate", "-k", f"{test} or definition-is-sound")
    assert says(result, "No test noticed these changes:")
    assert says(result, HIDDEN.format('"security"')) != is_noticed


def test_naming_the_list_of_the_code_makes_the_change_seen(project: Project) -> None:
    serve(project, enums='{"domain": CODE["domain"]}', only=TWO)
    result = project.run("--mcp-assay-mutate")
    assert says(result, "No test noticed these changes:")
    assert not says(result, HIDDEN.format('"security"'))
