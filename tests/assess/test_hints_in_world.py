"""Which annotations are proposed for a server that declares none, after a run in a world."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.assess.assessment import assess
from mcp_assay.assess.options import AssessOptions
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command
from mcp_assay.report.as_json import to_json
from mcp_assay.report.as_policy import policy_of
from tests.worlds import why_no_world

ENVIRONMENT = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.path.expanduser("~")}
SERVER = (sys.executable, str(Path(__file__).with_name("hints_server.py")))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    if why := why_no_world():
        pytest.skip(why)
    work = tmp_path_factory.mktemp("hints")
    (work / "shelf.txt").write_text("tea 99\n", "utf-8")
    target = Command(
        command=SERVER, environment=ENVIRONMENT, sandbox=SandboxOptions(work=str(work))
    )
    return work, assess(target, AssessOptions(calls="all", max_calls=20, max_time=300.0))


@pytest.fixture(scope="module")
def proposed(found: tuple[Path, Any]) -> dict[str, dict[str, Any]]:
    tools = json.loads(to_json(found[1]))["tools"]
    return {tool["name"]: tool["proposed_annotations"] for tool in tools}


@pytest.mark.parametrize(
    ("tool", "hint", "supported"),
    [
        ("get_tea", "readOnlyHint", True),
        ("get_tea", "destructiveHint", False),
        ("get_tea", "openWorldHint", False),
        ("list_leaves", "readOnlyHint", True),
        ("get_leaf", "readOnlyHint", False),
        ("get_visits", "readOnlyHint", None),
        ("boil_water", "readOnlyHint", None),
        ("add_tea", "readOnlyHint", False),
        ("add_tea", "destructiveHint", False),
        ("add_tea", "openWorldHint", False),
        ("delete_shelf", "readOnlyHint", False),
        ("delete_shelf", "destructiveHint", True),
    ],
)
def test_only_what_calls_showed_is_proposed(
    proposed: dict[str, dict[str, Any]], tool: str, hint: str, supported: bool | None
) -> None:
    rows = {row["hint"]: row for row in proposed[tool]["hints"]}
    assert rows[hint]["supported"] is supported, rows[hint]
    assert proposed[tool]["annotations"].get(hint) is supported


def test_only_honest_readers_are_told_to_declare_more(found: tuple[Path, Any]) -> None:
    told = {
        place.tool
        for finding in found[1].findings
        if finding.rule == "EFF-014"
        for place in (finding.where, *finding.examples)
    }
    assert told == {"get_tea", "list_leaves"}
    texts = [one.message for one in found[1].findings if one.rule == "EFF-014"]
    assert all("no effect seen in" in text for text in texts)


def test_no_tool_is_accused_of_a_hint_that_it_does_not_declare(found: tuple[Path, Any]) -> None:
    assert not any(one.rule.startswith("DRIFT-00") for one in found[1].findings)
    assert all(tool.hints == {} for tool in found[1].tools)


def test_the_policy_grants_the_working_folder_alone(found: tuple[Path, Any]) -> None:
    work, report = found
    policy = policy_of(report)
    assert policy.needs is not None
    assert policy.needs.write == [str(work)]
    assert policy.needs.hosts == []
    assert report.sandbox.folders[0] == str(work)
