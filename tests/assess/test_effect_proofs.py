"""All lies about effects are named, proven in fresh worlds, and no honest twin is accused."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from mcp_assay.assess import effect_proofs
from mcp_assay.assess.assessment import AssessOptions, assess
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from tests.assess.lying_server import HARMLESS, LIARS
from tests.client.sandbox.worlds import furnish

SERVER = Path(__file__).parent / "lying_server.py"
TOKEN = "qL7vX2mZ9tR4wK8s"
SOME_TWINS = [f"honest_{name}" for name in ("peek", "mark", "get", "count_text")]
TWINS = [f"honest_{name}" for name in LIARS]


def furnished(folder: Path) -> Path:
    """The working folder with a database, a repository and a module, too."""
    work = furnish(folder)
    with closing(sqlite3.connect(work / "data.db")) as database, database:
        database.execute("create table notes (text)")
        database.execute("insert into notes values ('first')")
    (work / "lazy_module.py").write_text("ANSWER = 42\n")
    repository = work / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / "file.txt").write_text("text\n")
    subprocess.run(["git", "-C", str(repository), "add", "."], check=True)
    return work


def assessed(work: Path, *words: str, only: list[str] | None = None) -> Report:
    """The report on the server in a world."""
    variables = {
        "SERVICE_TOKEN": TOKEN,
        "SERVICE_FOLDER": "/srv/notes",
        "ONLY": " ".join(only or []),
    }
    target = Command(
        command=(sys.executable, "-B", str(SERVER), str(work), *words),
        environment={**allowed(os.environ, variables), "HOME": str(work.parent / "home")},
        sandbox=SandboxOptions(work=str(work)),
    )
    options = AssessOptions(calls="all", max_calls=4, max_time=600.0)
    try:
        with pytest.MonkeyPatch.context() as patch:
            limits = cast("dict[str, int]", effect_proofs.LIMITS)
            patch.setitem(limits, "suspects", 100)
            patch.setitem(limits, "seconds", 400)  # others may be at work on this machine
            patch.setitem(limits, "late", 2)
            patch.setattr(effect_proofs, "WATCH_SECONDS", 0.7)
            return assess(target, options)
    except NoSandbox as refused:
        pytest.skip(str(refused))


@pytest.fixture(scope="module")
def lies(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return assessed(furnished(tmp_path_factory.mktemp("lies")), "telling", "spilling")


@pytest.fixture(scope="module")
def truths(tmp_path_factory: pytest.TempPathFactory) -> Report:
    work = furnished(tmp_path_factory.mktemp("truths"))
    return assessed(work, "ticking", only=[*SOME_TWINS, *HARMLESS])


def of_effects(report: Report) -> Iterator[Finding]:
    return (one for one in report.findings if one.rule.startswith("EFF-"))


@pytest.mark.parametrize("tool", LIARS)
def test_a_lie_is_named(lies: Report, tool: str) -> None:
    rule, *_ = LIARS[tool]
    assert rule in {one.rule for one in of_effects(lies) if one.where.tool == tool}


def test_the_start_is_told_of_the_server(lies: Report) -> None:
    found = {one.rule: one for one in of_effects(lies) if one.where.tool is None}
    assert {rule: one.message for rule, one in found.items()} == {
        "EFF-006": "The server wrote the secret of $SERVICE_TOKEN into its log.",
        "EFF-010": "The server tried to reach telemetry.example.com before any call.",
    }
    assert all(
        one.details == {"proof": "2 of 2 fresh worlds, before any call"} for one in found.values()
    )


def test_no_honest_twin_is_accused(lies: Report) -> None:
    innocent = {*TWINS, *HARMLESS}
    assert [(one.rule, one.message) for one in of_effects(lies) if one.where.tool in innocent] == []


def test_who_only_looks_as_if_is_not_accused_beside_a_logger_that_ticks(truths: Report) -> None:
    assert [(one.rule, one.message) for one in of_effects(truths)] == []


def test_a_finding_has_the_call_the_proof_and_a_command(lies: Report) -> None:
    (finding,) = [one for one in of_effects(lies) if one.where.tool == "peek"]
    assert finding.details is not None
    assert finding.details["proof"] == "2 of 2 fresh worlds; nothing changes without the call"
    assert finding.details["smallest"] == {}
    assert "--sandbox --only peek --args '{}'" in finding.details["repeat"]
    assert finding.fix == "Remove readOnlyHint, or make the tool change nothing."


def test_no_secret_stands_in_the_report(lies: Report) -> None:
    told = [one.message for one in of_effects(lies) if one.rule == "EFF-006"]
    assert len(told) == 5
    assert not any(TOKEN in text for text in told)


def test_a_rule_is_passed_only_where_it_could_have_been_broken(truths: Report) -> None:
    outcomes = {one.rule: one for one in truths.checks if one.rule.startswith("EFF-")}
    assert outcomes["EFF-011"].outcome == "passed"
    assert outcomes["EFF-012"].outcome in {"passed", "not_testable"}  # as far as paths were tried
    assert outcomes["EFF-010"].outcome == "passed"
