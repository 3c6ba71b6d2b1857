"""An assessment in a world tells what each call did, the same in every run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

import mcp_assay.report
from mcp_assay.assess.assessment import AssessOptions, assess
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.report.as_json import to_json
from tests.client.sandbox.worlds import furnish, planted

TOOLS = "overwrite honest_overwrite connect numbered leave_temporary late_write run_program"


def assessed(work: Path, **given: Any) -> dict[str, Any]:
    """The report on the planted server as JSON."""
    given = {"calls": "all", "max_time": 300.0, **given}
    try:
        report = assess(planted(work, "caching", ONLY=TOOLS), AssessOptions(**given))
    except NoSandbox as refused:
        pytest.skip(str(refused))
    found: dict[str, Any] = json.loads(to_json(report))
    return found


@pytest.fixture(scope="module")
def reports(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    work = furnish(tmp_path_factory.mktemp("assessed"))
    return work, assessed(work), assessed(work)


def effects_of(report: dict[str, Any], tool: str) -> list[dict[str, Any]]:
    """What each call of a tool did."""
    return [call["effects"] for call in report["calls"] if call["tool"] == tool]


def test_each_call_has_its_own_effects(
    reports: tuple[Path, dict[str, Any], dict[str, Any]],
) -> None:
    work, report, _ = reports
    for effects in effects_of(report, "overwrite"):
        assert [one["path"] for one in effects["files"]] == [f"{work}/notes.txt"]
        assert effects["files"][0]["diff"].endswith("+a line of the tool\n")
    for effects in effects_of(report, "honest_overwrite"):
        assert [one["path"] for one in effects["files"] if not one["late"]] == []
    for effects in effects_of(report, "connect"):
        assert effects["names"] == ["stolen.example.org"]
        assert [one["port"] for one in effects["connections"]] == [8443]
    for effects in effects_of(report, "run_program"):
        assert [one["argv"] for one in effects["programs"]] == [["git", "--version"]]


def test_a_tool_has_the_effects_of_its_calls_without_differences(
    reports: tuple[Path, dict[str, Any], dict[str, Any]],
) -> None:
    work, report, _ = reports
    tools = {tool["name"]: tool["effects"] for tool in report["tools"]}
    (change,) = {json.dumps(one) for one in tools["overwrite"]["files"]}
    assert json.loads(change)["path"] == f"{work}/notes.txt"
    assert json.loads(change)["diff"] is None
    assert all(it is not None for it in tools.values())


def test_the_start_belongs_to_no_tool(
    reports: tuple[Path, dict[str, Any], dict[str, Any]],
) -> None:
    work, report, _ = reports
    sandbox = report["sandbox"]
    assert (sandbox["backend"], sandbox["network"], sandbox["work"]) == (
        "namespaces",
        "none",
        "copied",
    )
    assert f"{work}/started.txt" in [one["path"] for one in sandbox["at_start"]["files"]]
    called = [one["path"] for call in report["calls"] for one in call["effects"]["files"]]
    assert f"{work}/started.txt" not in called


def test_the_report_is_valid(reports: tuple[Path, dict[str, Any], dict[str, Any]]) -> None:
    path = Path(next(iter(mcp_assay.report.__path__))) / "report.schema.json"
    schema = Draft202012Validator(json.loads(path.read_text()))
    assert list(schema.iter_errors(reports[1])) == []


def test_the_same_seed_gives_the_same_report(
    reports: tuple[Path, dict[str, Any], dict[str, Any]],
) -> None:
    _, first, second = reports
    assert [name for name in first if first[name] != second[name]] == ["timing"]


def test_one_call_again_leaves_its_difference(tmp_path: Path) -> None:
    work, kept = furnish(tmp_path / "here"), tmp_path / "kept"
    options = AssessOptions(only="overwrite", args={}, calls="all")
    try:
        assess(planted(work, keep=kept), options)
    except NoSandbox as refused:
        pytest.skip(str(refused))
    (patch,) = kept.glob("*/work.patch")
    assert "+a line of the tool" in patch.read_text()
