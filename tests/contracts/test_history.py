"""A run of contract tests is remembered like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_assay.history.location import located
from mcp_assay.history.questions import all_servers, server_history
from mcp_assay.history.store import Store
from tests.contracts.projects import NOTES, Project, says


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.delenv("MCP_ASSAY_HISTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(pytester.path / "data"))
    project = Project(pytester)
    project.write(shop=NOTES)
    return project


def test_the_checks_of_a_server_are_a_run(project: Project, pytester: pytest.Pytester) -> None:
    url = f"sqlite:///{pytester.path / 'h.db'}"
    first = project.run("--mcp-assay-history", url)
    assert says(first, "mcp-assay: history", "recorded as run 1")
    assert project.run("--mcp-assay-history", url).ret == 0
    store = Store(located(url))
    with store.reading() as connection:
        (server,) = all_servers(connection).servers
        shown = server_history(connection, server.id)
    store.close()
    assert server.last is not None
    assert (server.runs, server.last.command, server.last.outcome) == (2, "pytest", "pass")
    assert {tool.name: tool.statuses[-1] for tool in shown.tools}["delete_note"] == "not_called"
    assert "fully_working" in server.last.tools
    assert shown.runs[0].median_ms is not None


def test_a_word_that_is_no_store_is_left_to_pytest(
    project: Project, pytester: pytest.Pytester
) -> None:
    Path("test_own.py").write_text("def test_own() -> None:\n    pass\n", "utf-8")
    result = project.run("--mcp-assay-history", "test_own.py")
    assert says(result, "recorded as run 1")
    assert (pytester.path / "data" / "mcp-assay" / "history.db").exists()


def test_a_store_that_cannot_be_used_ends_the_run_before_it_begins(
    project: Project, pytester: pytest.Pytester
) -> None:
    (pytester.path / "h.db").write_bytes(b"something else, and rather long" * 50)
    result = project.run("--mcp-assay-history", f"sqlite:///{pytester.path / 'h.db'}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "is not a history; name another file" in result.stderr.str()
