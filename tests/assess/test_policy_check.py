"""The least policy is checked: the same assessment again, with no more than it grants."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.assessment import Assessment, assess
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.policy_check import (
    NOT_COMPARED,
    checking,
    compared,
    needs_of,
    under_policy,
    why_not_checked,
)
from mcp_assay.client.sandbox.options import LeastWrites, SandboxOptions
from mcp_assay.client.target import Command, Endpoint
from mcp_assay.model.effect import ChangedVerdict, Effects, FileChange, PolicyCheck
from mcp_assay.model.policy import NeededHost, Needs
from mcp_assay.model.report import Limit, Report
from mcp_assay.report.as_policy import FILL_IN, policy_of
from mcp_assay.text.words import REDACTED
from tests.report.reports import report
from tests.worlds import why_no_world

ENVIRONMENT = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.path.expanduser("~")}
SERVER = Path(__file__).parents[2] / "examples" / "effects" / "server.py"
OPTIONS = AssessOptions(calls="all", max_calls=4, max_time=300.0, ignore=("EFF",))


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Command:
    if why := why_no_world():
        pytest.skip(why)
    work = tmp_path_factory.mktemp("policy")
    command = (sys.executable, str(SERVER), str(work))
    return Command(command=command, environment=ENVIRONMENT, sandbox=SandboxOptions(work=str(work)))


@pytest.fixture(scope="module")
def free(target: Command) -> Report:
    return assess(target, OPTIONS)


def statuses(found: Report) -> dict[str, str]:
    return {tool.name: tool.status for tool in found.tools}


def test_what_a_server_needs_is_enough_for_the_same_verdicts(target: Command, free: Report) -> None:
    needs = policy_of(free).needs
    assert needs is not None
    under = assess(under_policy(target, needs), checking(OPTIONS, None))
    assert statuses(under) == statuses(free)
    assert compared(free, [under]) == PolicyCheck(tools=2)
    assert compared(free, [under]).is_enough


def test_a_tool_that_may_write_nowhere_comes_to_another_verdict(
    target: Command, free: Report
) -> None:
    under = assess(under_policy(target, Needs()), checking(OPTIONS, None))
    found = compared(free, [under, under])
    assert found.changed == [ChangedVerdict(tool="find_note", free="fully_working", under="broken")]
    assert not found.is_enough


def test_a_folder_that_the_report_hides_is_granted_in_the_check(target: Command) -> None:
    assert target.sandbox is not None
    work = target.sandbox.work
    assert work is not None
    run = Assessment(target, replace(OPTIONS, secrets=(work,)))
    asyncio.run(run.run())
    shown, (needs,) = policy_of(run.report()), needs_of(run)
    assert shown.needs is not None
    assert (shown.needs.write, needs.write) == ([REDACTED], [work])
    assert FILL_IN in shown.limits
    assert replace(needs, write=[]) == replace(shown.needs, write=[])


SCRATCH = Path(__file__).parent / "scratch_server.py"


def test_what_is_refused_anyway_needs_no_grant(tmp_path: Path) -> None:
    if why := why_no_world():
        pytest.skip(why)
    world = SandboxOptions(work=str(tmp_path))
    command = (sys.executable, str(SCRATCH), str(tmp_path))
    target = Command(command=command, environment=ENVIRONMENT, sandbox=world)
    options = replace(OPTIONS, max_calls=12)
    run = Assessment(target, options)
    asyncio.run(run.run())
    free, needs = run.report(), policy_of(run.report()).needs
    assert needs is not None
    assert statuses(free) == {"save_note": "fully_working"}
    assert needs.write == [str(tmp_path)]
    held = under_policy(target, needs)
    alone = assess(held, checking(options, None))
    assert statuses(alone) == {"save_note": "partially_working"}
    again = Assessment(held, checking(options, None), free_runs=run.state.all_runs())
    asyncio.run(again.run())
    assert compared(free, [again.report()]) == PolicyCheck(tools=1)
    strict = Assessment(
        under_policy(target, Needs()), checking(options, None), free_runs=run.state.all_runs()
    )
    asyncio.run(strict.run())
    assert not compared(free, [strict.report(), strict.report()]).is_enough


def test_a_difference_that_comes_once_is_chance(target: Command, free: Report) -> None:
    under = assess(under_policy(target, Needs()), checking(OPTIONS, None))
    assert compared(free, [under, free]).is_enough


def test_a_world_under_a_policy_grants_what_is_needed_and_no_more() -> None:
    needs = Needs(
        write=["/w/a", "/w/b"],
        new_folders=["/w/b"],
        temporary=["/tmp"],
        hosts=[NeededHost(host="one.example")],
    )
    world = SandboxOptions(allow=("one.example:443", "two.example"), keep="/kept", work="/w")
    held = under_policy(Command(command=("x",), sandbox=world), needs)
    assert isinstance(held, Command)
    assert held.sandbox == SandboxOptions(
        allow=("one.example:443",),
        least=LeastWrites(open=("/w/a", "/w/b"), temporary=("/tmp",), new_folders=("/w/b",)),
        work="/w",
    )
    elsewhere = Endpoint(url="http://localhost/mcp")
    assert under_policy(elsewhere, needs) == elsewhere


def test_what_was_cut_is_not_compared() -> None:
    cut = Limit(name="max-time", value=1, count=1, effect="cut")
    bare = replace(report("words", []), revision="2025-11-25", limits=[])
    assert why_not_checked(bare) is None
    assert why_not_checked(replace(bare, limits=[cut])) == NOT_COMPARED
    assert why_not_checked(replace(bare, revision=None)) == NOT_COMPARED
    assert compared(bare, [replace(bare, limits=[cut])]).undecided is not None


def test_the_command_checks_the_policy_that_it_writes(target: Command, tmp_path: Path) -> None:
    policy, json_report = tmp_path / "policy.json", tmp_path / "report.json"
    assert target.sandbox is not None
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "mcp_assay", "assess", "--sandbox", "--max-calls", "4"),
            *("--select", "EFF-004", "--report", f"policy={policy}"),
            *("--report", f"json={json_report}", "--", *target.command),
        ],
        cwd=target.sandbox.work,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    checked = {"tools": 2, "changed": [], "undecided": None, "is_widened": False}
    assert json.loads(policy.read_text())["checked"] == checked
    assert json.loads(json_report.read_text())["sandbox"]["policy"] == checked
    assert "Assessed again with nothing but this: the same verdicts on 2 tools." in " ".join(
        ended.stdout.split()
    )


def test_what_leaves_no_trace_beside_a_file_is_granted_with_its_folder(tmp_path: Path) -> None:
    if why := why_no_world():
        pytest.skip(why)
    notes = tmp_path / "work" / "store" / "notes"
    notes.mkdir(parents=True)
    policy = tmp_path / "policy.json"
    subprocess.run(
        [
            *(sys.executable, "-m", "mcp_assay", "assess", "--sandbox", "--max-calls", "6"),
            *("--ignore", "EFF", "--fail-on", "never", "--report", f"policy={policy}", "--"),
            *(sys.executable, str(SCRATCH), str(notes), str(notes.parent)),
        ],
        cwd=tmp_path / "work",
        capture_output=True,
        timeout=300,
        check=True,
    )
    found = json.loads(policy.read_text())
    assert found["checked"]["is_widened"]
    assert found["checked"]["changed"] == []
    assert found["needs"]["write"] == [str(notes.parent)]


@pytest.fixture
def bwrap() -> None:
    """Skip the test where bubblewrap is missing, or may make no namespaces."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], check=False).returncode:
        pytest.skip("bubblewrap may make no namespaces here")


@pytest.mark.usefixtures("bwrap")
def test_the_bubblewrap_line_starts_the_server(free: Report) -> None:
    found = policy_of(free).bwrap
    assert found is not None
    request: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    ended = subprocess.run(
        found.line,
        shell=True,
        input=f"{json.dumps(request)}\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(ended.stdout)["result"]["serverInfo"]["name"] == "notes"


@pytest.mark.usefixtures("bwrap")
def test_under_the_bubblewrap_line_only_what_is_granted_is_written(
    free: Report, tmp_path: Path
) -> None:
    (tmp_path / "open").mkdir()
    assert free.sandbox is not None
    change = FileChange(path=f"{tmp_path}/open/a", what="changed")
    world = replace(free.sandbox, folders=[str(tmp_path)], at_start=Effects(files=[change]))
    words = f"touch {tmp_path}/open/a && ! touch {tmp_path}/b"
    subject = replace(free.subject, command=["sh", "-c", words])
    found = policy_of(replace(free, calls=[], sandbox=world, subject=subject)).bwrap
    assert found is not None
    subprocess.run(found.line, shell=True, check=True, timeout=60, stderr=subprocess.DEVNULL)
