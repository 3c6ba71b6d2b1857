"""Contract tests of a server in a disposable world: all tools may be called, and nothing lasts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.projects import Project
from tests.patience import LONGEST
from tests.worlds import world

__all__ = ["world"]

SERVER = Path(__file__).parents[1] / "assess" / "folder_server.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tea.txt").write_text("black\n", "utf-8")
    return tmp_path


def run(folder: Path, *options: str) -> tuple[int, str]:
    command = ("--mcp-assay", "--mcp-assay-server", f"{sys.executable} {SERVER}", "-v")
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *command, *options),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("by_ini", [False, True])
def test_all_tools_are_called_and_the_folder_is_as_it_was(project: Path, by_ini: bool) -> None:
    if by_ini:
        (project / "pytest.ini").write_text("[pytest]\nmcp_assay_sandbox = true\n")
    code, said = run(project, *(() if by_ini else ("--mcp-assay-sandbox",)))
    assert code in (0, 1), said
    assert "not called" not in said
    assert (project / "tea.txt").read_text("utf-8") == "black\n"
    assert not (project / "new.txt").exists()


@pytest.mark.usefixtures("world")
def test_an_explicit_choice_of_calls_still_counts(project: Path) -> None:
    _, said = run(project, "--mcp-assay-sandbox", "--mcp-assay-calls", "safe")
    assert "not called: 3" in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--mcp-assay-server", "http://127.0.0.1:9/mcp"), "the server at a URL runs already"),
        (("--mcp-assay-server", "docker run -i x"), "docker would run the server in a container"),
    ],
)
def test_what_cannot_be_inside_is_wrong_usage(
    pytester: pytest.Pytester, options: tuple[str, ...], words: str
) -> None:
    result = Project(pytester).run("--mcp-assay-sandbox", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in str(result.stderr)


def test_another_value_is_wrong_usage(pytester: pytest.Pytester) -> None:
    project = Project(pytester)
    pytester.makeini("[pytest]\nmcp_assay_server = shop:server\nmcp_assay_sandbox = docker\n")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    words = "mcp_assay_sandbox cannot be 'docker'; use true, false or sudo"
    assert words in str(result.stderr)
