"""The GitHub action: its file keeps GitHub's rules, and its scripts do what they say, no more."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.ci.action import ACTION, STEPS, Ran, install, run_step, write_program

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")

EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
KEYS: dict[str, set[str]] = {
    "action": {"name", "description", "author", "branding", "inputs", "outputs", "runs"},
    "input": {"description", "required", "default", "deprecationMessage"},
    "output": {"description", "value"},
    "runs": {"using", "steps"},
    "run": {"name", "id", "if", "shell", "env", "run", "working-directory", "continue-on-error"},
    "uses": {"name", "id", "if", "uses", "with", "env", "continue-on-error"},
}
"""What GitHub knows in each part of a composite action."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
HOSTILE = (
    "x; touch hacked",
    "$(touch hacked)",
    "`touch hacked`",
    "'; touch hacked; '",
    "a\ntouch hacked\n",
)
DEMO = f"{sys.executable} -m mcp_assay.demo_server"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    install(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.fixture(scope="module")
def of_demo(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """What the action says of the demo server."""
    folder = tmp_path_factory.mktemp("demo")
    install(folder)
    (folder / ".git").mkdir()
    return assess(folder, server=DEMO)


def assess(folder: Path, **inputs: str) -> Ran:
    return run_step("Assess", folder, options="--max-calls 2", **inputs)


def test_every_part_has_what_github_asks_for_and_nothing_that_it_does_not_know() -> None:
    assert {"name", "description", "runs"} <= set(ACTION) <= KEYS["action"]
    assert ACTION["runs"]["using"] == "composite"
    assert set(ACTION["runs"]) == KEYS["runs"]
    for name, its in ACTION["inputs"].items():
        assert NAME.fullmatch(name)
        assert its["description"]
        assert set(its) <= KEYS["input"]
        assert isinstance(its["default"], str)
    for name, its in ACTION["outputs"].items():
        assert NAME.fullmatch(name)
        assert set(its) == KEYS["output"]
    for step in STEPS.values():
        kind = "run" if "run" in step else "uses"
        assert ("shell" in step) == (kind == "run")
        assert set(step) <= KEYS[kind]
        assert all(isinstance(value, str) for value in step.get("env", {}).values())


def test_a_step_of_others_is_pinned_to_a_version() -> None:
    used = [step["uses"] for step in STEPS.values() if "uses" in step]
    assert used == ["github/codeql-action/upload-sarif@v4", "actions/upload-artifact@v4"]


def test_no_script_holds_an_expression() -> None:
    assert [name for name, step in STEPS.items() if "${{" in step.get("run", "")] == []


def test_every_expression_names_an_input_or_an_output_that_exists(of_demo: Ran) -> None:
    reported = set(of_demo.outputs)
    text = json.dumps(ACTION)
    named = set(re.findall(r"inputs\.([\w-]+)", text))
    assert named == set(ACTION["inputs"])
    assert set(re.findall(r"steps\.assess\.outputs\.([\w-]+)", text)) == reported
    assert {EXPRESSION.sub(r"\1", its["value"]) for its in ACTION["outputs"].values()} == {
        f"steps.assess.outputs.{name}" for name in reported
    }


def test_outputs_summary_and_reports_report_what_was_found(of_demo: Ran) -> None:
    ran = of_demo
    assert ran.code == 0
    report = json.loads(Path(ran.outputs["report"]).read_text("utf-8"))
    assert ran.outputs["outcome"] == report["summary"]["outcome"] == "fail"
    assert ran.outputs["errors"] == str(report["summary"]["errors"])
    assert ran.outputs["warnings"] == str(report["summary"]["warnings"])
    assert ran.outputs["exit-code"] == "1"
    assert ran.summary.startswith("## FAIL mcp-assay-demo")
    assert json.loads(Path(ran.outputs["sarif"]).read_text("utf-8"))["version"] == "2.1.0"
    assert Path(ran.outputs["junit"]).read_text("utf-8").startswith("<?xml")
    page = Path(ran.outputs["html"]).read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "mcp-assay-demo" in page


def test_nothing_that_a_report_says_is_a_command_to_the_runner(of_demo: Ran) -> None:
    lines = [line.strip() for line in of_demo.log.splitlines()]
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert lines[-1] == f"::{token}::"
    assert token not in "".join(lines[1:-1])


def test_without_a_name_all_servers_of_a_configuration_are_assessed(folder: Path) -> None:
    servers = {"notes": {"command": "no-such-notes"}, "gone": {"command": "no-such"}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    every = assess(folder, config="mcp.json")
    assert every.outputs["exit-code"] == "3"
    assert every.outputs["outcome"] == "incomplete"
    assert "2 servers" in every.summary
    page = Path(every.outputs["html"]).read_text("utf-8")
    assert all(name in page for name in servers)
    one = assess(folder, config="mcp.json", server_name="gone", min_tools="1")
    assert "2 servers" not in one.summary
    assert one.outputs["exit-code"] == "3"


def test_the_other_inputs_reach_the_command(folder: Path) -> None:
    inputs = {"calls": "none", "fail_on": "never", "min_tools": "80%", "baseline": "b.json"}
    program = folder / "temp" / "mcp-assay" / "bin" / "mcp-assay"
    write_program(program, 'printf "[%s]" "$@"; exit 3')
    ran = assess(folder, server="my 'own server' x", **inputs)
    words = re.findall(r"\[(.*?)\]", ran.log)
    assert {"--calls=none", "--fail-on=never", "--min-tools=80%", "--baseline=b.json"} < set(words)
    assert words[-4:] == ["--", "my", "own server", "x"]
    assert words.index("--max-calls") < words.index("--")
    assert ran.outputs == {"exit-code": "3"}
    assert assess(folder, server="https://x.invalid/mcp").log.count("[https://x.invalid/mcp]") == 1


def test_which_tools_are_called_is_left_to_the_command_unless_said(folder: Path) -> None:
    program = folder / "temp" / "mcp-assay" / "bin" / "mcp-assay"
    write_program(program, 'printf "[%s]" "$@"; exit 3')
    assert "--calls" not in assess(folder, server="x").log


@pytest.mark.parametrize("text", HOSTILE)
def test_no_input_is_ever_run(folder: Path, text: str) -> None:
    write_program(folder / "temp" / "mcp-assay" / "bin" / "mcp-assay", "exit 3")
    names = set(ACTION["inputs"]) - {"version", "upload-sarif", "category"}
    run_step("Assess", folder, **{name.replace("-", "_"): text for name in names})
    run_step("Install mcp-assay", folder, path=_recorder(folder), version=text)
    assert not (folder / "hacked").exists()


@pytest.mark.parametrize(
    ("version", "wanted"), [("", str(Path(__file__).parents[2])), ("1.2.3", "mcp-assay==1.2.3")]
)
def test_the_version_that_is_wanted_is_installed(folder: Path, version: str, wanted: str) -> None:
    shutil.rmtree(folder / "temp")
    ran = run_step("Install mcp-assay", folder, path=_recorder(folder), version=version)
    assert ran.code == 0
    assert ran.log.splitlines()[-1].endswith(f"pip install --quiet {_QUIET} -- {wanted}")


def test_what_is_no_version_is_refused(folder: Path) -> None:
    ran = run_step("Install mcp-assay", folder, version="1.2.3; touch hacked")
    assert ran.code == 2
    assert "no version such as 1.2.3" in ran.log


@pytest.mark.parametrize("code", ["0", "1", "3"])
def test_the_verdict_is_the_exit_code(folder: Path, code: str) -> None:
    assert run_step("Verdict", folder, exit_code=code).code == int(code)


_QUIET = "--disable-pip-version-check"


def _recorder(folder: Path) -> str:
    """A path on which python3 makes no environment, but one that says how it is called."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    made = '[ "$2" = venv ] && mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; echo "$@"'
    write_program(programs / "python3", made)
    return f"{programs}:"
