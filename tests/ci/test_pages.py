"""The pages on CI and on several servers are true: what they show parses, runs, and says the same.

MCP_ASSAY_UPDATE_SNAPSHOTS=1 writes the screen of several servers anew.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.ci.action import ACTION, ROOT, write_program
from tests.patience import LONGEST

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")

CI, SEVERAL = (ROOT / "docs" / name for name in ("ci.md", "several-servers.md"))
HOOKS: list[dict[str, Any]] = msgspec.yaml.decode((ROOT / ".pre-commit-hooks.yaml").read_bytes())
PROGRAMS = {
    "mcp-assay": f'exec "{sys.executable}" -m mcp_assay "$@"',
    "python": f'exec "{sys.executable}" "$@"',
    "pip": 'echo "pip $*"',
    "notes-server": f'exec "{sys.executable}" "{ROOT}/tests/servers" empty-text-crash',
    "books-server": f'exec "{sys.executable}" "{ROOT}/tests/servers" both-eras',
}
"""What the pages speak of as if it were installed."""


MY_SERVER = f"""
import runpy, sys
sys.argv[1:] = ["zero-crash"]
runpy.run_path("{ROOT}/tests/servers", run_name="__main__")
"""


def blocks(page: Path, language: str) -> list[str]:
    pattern = rf"^```{language}\n(.*?)^```$"
    return re.findall(pattern, page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


WORKFLOW, IN_WORLD, GITLAB, PRE_COMMIT = (msgspec.yaml.decode(text) for text in blocks(CI, "yaml"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in PROGRAMS.items():
        write_program(programs / name, text)
    (tmp_path / ".git").mkdir()
    (tmp_path / "my_server.py").write_text(MY_SERVER)
    (tmp_path / "mcp.json").write_text(blocks(SEVERAL, "json")[0])
    return tmp_path


def run(project: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a CI system would: nobody answers, and the first that fails ends it."""
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=project,
        env={**os.environ, "PATH": f"{project / 'programs'}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def test_the_workflow_gives_the_action_only_what_it_takes() -> None:
    (job,) = WORKFLOW["jobs"].values()
    (step,) = [one for one in job["steps"] if "mcp-assay/" in one.get("uses", "")]
    assert set(step["with"]) <= set(ACTION["inputs"])
    used = re.findall(rf"steps\.{step['id']}\.outputs\.([\w-]+)", json.dumps(job))
    assert set(used) <= set(ACTION["outputs"])


def test_the_step_in_a_world_gives_the_action_only_what_it_takes() -> None:
    (step,) = IN_WORLD
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert step["with"]["options"].startswith("--sandbox")


@pytest.mark.parametrize("kind", ["inputs", "outputs"])
def test_every_input_and_output_of_the_action_has_its_row(kind: str) -> None:
    text = CI.read_text("utf-8")
    for name, its in ACTION[kind].items():
        default = f" Default: `{its['default']}`." if its.get("default") else ""
        assert f"| `{name}` | {its['description']}{default} |\n" in text


def test_the_job_for_gitlab_finds_what_is_wrong_and_leaves_its_artifacts(project: Path) -> None:
    (project / "mcp-assay.toml").write_text("max-calls = 10\n")
    (job,) = GITLAB.values()
    ended = run(project, "\n".join(job["script"]))
    assert ended.returncode == 1
    assert "pip install mcp-assay ." in ended.stdout
    artifacts = job["artifacts"]
    for name in (*artifacts["paths"], artifacts["reports"]["junit"]):
        assert (project / name).stat().st_size


def test_every_hook_is_known_and_judges_what_it_is_given(project: Path) -> None:
    known = {hook["id"]: hook for hook in HOOKS}
    shutil.copy(ROOT / "examples" / "weather-tools.json", project / "tools.json")
    shutil.copy(ROOT / "examples" / "notes.jsonl", project / "trace.jsonl")
    (repository,) = PRE_COMMIT["repos"]
    assert {hook["id"] for hook in repository["hooks"]} == set(known)
    for used in repository["hooks"]:
        hook = known[used["id"]]
        assert hook["language"] == "python"
        files = ["trace.jsonl"] if hook.get("pass_filenames", True) else []
        ended = run(project, " ".join([hook["entry"], *used.get("args", []), *files]))
        assert ended.returncode == 1
        assert ended.stdout.startswith("FAIL")


def test_several_servers_are_reported_as_the_page_shows_it(project: Path) -> None:
    command = blocks(SEVERAL, "sh")[0]
    ended = run(project, command)
    (shown,) = blocks(SEVERAL, "text")
    if os.environ.get("MCP_ASSAY_UPDATE_SNAPSHOTS"):
        page = SEVERAL.read_text("utf-8")
        SEVERAL.write_text(page.replace(f"```text\n{shown}", f"```text\n{ended.stdout}"), "utf-8")
        shown = ended.stdout
    assert ended.returncode == 3
    assert ended.stdout == shown
