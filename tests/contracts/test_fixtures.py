"""Fixtures: a server to call, and results that can be asked about."""

from __future__ import annotations

import pytest

from tests.contracts.projects import NOTES, Project, failed, outcomes, says

FASTMCP = {
    "from mcp.server.mcpserver import MCPServer": "from fastmcp import FastMCP as MCPServer",
    "from mcp.server.mcpserver.exceptions": "from fastmcp.exceptions",
}


def with_fastmcp(server: str) -> str:
    """The same server, made with FastMCP."""
    for old, new in FASTMCP.items():
        assert old in server
        server = server.replace(old, new)
    return server


KINDS = {"mcp": NOTES, "fastmcp": with_fastmcp(NOTES)}
TESTS = """
import asyncio
import pytest

def test_succeeds(mcp_assay):
    result = mcp_assay.call("get_note", id="n1").ok()
    assert result.data["text"] == "tea"

def test_takes_a_mapping(mcp_assay):
    assert mcp_assay.call("get_note", {"id": "n2"}).ok().data["kind"] == "idea"

def test_refuses(mcp_assay):
    mcp_assay.call("get_note", id="nothing").rejected(match="no note").rejected()
    mcp_assay.call("get_note").rejected()

def test_lists(mcp_assay):
    assert set(mcp_assay.tools) == {"list_notes", "get_note", "delete_note"}

def test_output_schema(mcp_assay):
    mcp_assay.call("delete_note", id="nothing").ok().matches_output_schema()

def test_awaits(mcp_assay_async):
    async def call():
        return await mcp_assay_async.call("get_note", id="n1")
    assert asyncio.run(call()).ok().data["id"] == "n1"

def test_ok_complains(mcp_assay):
    with pytest.raises(AssertionError, match="It should have succeeded"):
        mcp_assay.call("get_note", id="nothing").ok()

def test_rejected_complains(mcp_assay):
    with pytest.raises(AssertionError, match="It should have been rejected"):
        mcp_assay.call("get_note", id="n1").rejected()

def test_match_complains(mcp_assay):
    with pytest.raises(AssertionError, match="Nothing in it matches 'tomato'"):
        mcp_assay.call("get_note", id="nothing").rejected(match="tomato")

def test_an_unknown_tool_is_refused(mcp_assay):
    mcp_assay.call("nonsense").rejected()
"""


@pytest.mark.parametrize("kind", KINDS)
def test_results_are_asked_about(pytester: pytest.Pytester, kind: str) -> None:
    project = Project(pytester)
    project.write(shop=KINDS[kind], test_notes=TESTS)
    project.run_plain("-v").assert_outcomes(passed=10)


@pytest.mark.parametrize("kind", KINDS)
def test_checks_pass_on_both_kinds_of_server(pytester: pytest.Pytester, kind: str) -> None:
    project = Project(pytester)
    project.write(shop=KINDS[kind])
    found = outcomes(project.ran("-v"))
    assert set(found.values()) == {"passed", "skipped"}
    assert {id for id, what in found.items() if what == "skipped"} == {
        "delete_note::has-a-success-sample",
        "delete_note::has-an-error-sample",
    }


def test_no_output_schema_is_said(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    text = (
        "def test_it(mcp_assay):\n    mcp_assay.call('get_note', id='n1').matches_output_schema()"
    )
    project.write(shop=NOTES, test_it=text)
    result = project.run_plain()
    result.assert_outcomes(failed=1)
    assert says(result, "The tool declares no outputSchema.")


SAMPLES = """
from mcp_assay.pytest_plugin import accepts, refuses

@accepts("delete_note", id="n9")
@refuses("delete_note", {})
@refuses("get_note", id="nothing")
def test_answers(mcp_assay_answer):
    assert mcp_assay_answer.text
"""


def test_samples_of_a_test_are_called_and_count(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    project.write(shop=NOTES, test_samples=SAMPLES)
    found = outcomes(project.run("-v"))
    assert found["test_samples.py::test_answers[accepts-delete_note]"] == "passed"
    assert found["delete_note::has-a-success-sample"] == "passed"
    assert found["delete_note::has-an-error-sample"] == "passed"
    assert found["get_note::refused-example-1-is-refused"] == "passed"


def test_a_sample_that_is_not_as_it_says_fails(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    project.write(shop=NOTES, test_samples=SAMPLES.replace("nothing", "n1"))
    found = outcomes(project.run("-v"))
    assert found["test_samples.py::test_answers[refuses-get_note]"] == "error"
    assert found["get_note::refused-example-1-is-refused"] == "failed"


RESET = """
def pytest_mcp_assay_reset(config, tool):
    import shop
    if tool == "take":
        shop.TAKEN.clear()
"""
STATEFUL = '''
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop")
TAKEN = []

@server.tool()
def take(flag: bool) -> str:
    """Take what is there, once."""
    if TAKEN:
        raise ValueError("it is taken already, conflict")
    TAKEN.append(1)
    return "taken"

@server.tool()
def put_back() -> str:
    """Put it back."""
    TAKEN.clear()
    return "done"
'''
OPEN = ("--mcp-assay-calls", "all", "-v", "-k", "take and sample or example")


@pytest.mark.parametrize(
    ("reset", "conftest", "outcome"),
    [("", "", "failed"), ('reset = "put_back"', "", "passed"), ("", RESET, "passed")],
)
def test_a_reset_runs_before_each_sample(
    pytester: pytest.Pytester, reset: str, conftest: str, outcome: str
) -> None:
    project = Project(pytester)
    project.write(shop=STATEFUL, conftest=conftest)
    project.configure(f"[tools.take]\nvalid = [{{flag = true}}, {{flag = false}}]\n{reset}")
    found = outcomes(project.run(*OPEN))
    assert found["take::example-1-succeeds"] == "passed"
    assert found["take::example-2-succeeds"] == outcome


def test_samples_in_files_that_were_not_collected_are_spoken_of(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    project.write(shop=NOTES, test_samples=SAMPLES, test_other="def test_other(): assert False")
    some = project.run("-rs", "test_other.py")
    reported = "Only test_other.py was collected: samples in other tests are not known in this run."
    assert says(some, "delete_note is not called: no readOnlyHint", reported)
    every = project.run("-v", "-rs", ".")
    assert not says(every, "was collected")
    assert outcomes(every)["delete_note::has-a-success-sample"] == "passed"


def test_repeating_failures_knows_the_samples_of_files_without(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    server = NOTES.replace('return f"deleted {id}"', 'raise ToolError("there is no such note")')
    samples = f"{SAMPLES.partition('def')[0]}def test_samples(): pass"
    project.write(shop=server, test_samples=samples, test_other="def test_other(): assert False")
    first = project.run("-v")
    assert "delete_note::example-1-succeeds" in failed(first)
    assert set(outcomes(project.run("-v", "--lf"))) == failed(first)


ON_TRIO = """
import anyio
import pytest

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_awaits(mcp_assay_async, anyio_backend):
    (await mcp_assay_async.call("get_note", id="n1")).ok()
    with pytest.raises(AssertionError, match="It should have succeeded"):
        (await mcp_assay_async.call("get_note", id="nothing")).ok()
    with anyio.move_on_after(0) as scope:
        await mcp_assay_async.call("get_note", id="n1")
    assert scope.cancelled_caught
"""


def test_fixtures_are_awaited_on_asyncio_and_on_trio(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    project.write(shop=NOTES, test_notes=ON_TRIO)
    project.run_plain("-v").assert_outcomes(passed=2)
