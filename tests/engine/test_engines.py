"""The engines do the same: each task once, whatever happens to those who work on it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.engine import (
    EngineUnavailable,
    TaskDone,
    TaskEngine,
    TaskLost,
    dask_engine,
    opened_engine,
)
from mcp_assay.engine.address import engine_choice
from tests.engine import work
from tests.engine.cluster import HOST, ROOT, dask_cluster, free_port
from tests.patience import LONGEST


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as place:
        yield place


@pytest.fixture(params=["local", "dask"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[TaskEngine]:
    monkeypatch.setenv("MCP_ASSAY_HISTORY", "postgresql://user:secret@host/runs")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'src'}")
    text = request.param
    if text == "dask":
        text = f"dask://{request.getfixturevalue('scheduler')}"
    with opened_engine(engine_choice(text), 2) as opened:
        yield opened


def by_index(outcomes: Iterator[TaskDone[object] | TaskLost]) -> dict[int, object]:
    """Each result by its task; no task has two."""
    found: dict[int, object] = {}
    for outcome in outcomes:
        assert outcome.index not in found
        found[outcome.index] = outcome.result if isinstance(outcome, TaskDone) else outcome
    return found


def test_each_task_has_one_result(engine: TaskEngine) -> None:
    found = by_index(engine.run(work.doubled, iter(range(50))))
    assert found == {number: 2 * number for number in range(50)}
    assert by_index(engine.run(work.doubled, [])) == {}


def test_what_a_task_prints_is_no_result(engine: TaskEngine) -> None:
    assert by_index(engine.run(work.print_much, [1, 2])) == {0: 1, 1: 2}


def test_a_task_that_raises_is_lost_with_the_reason_and_not_run_again(engine: TaskEngine) -> None:
    lost = by_index(engine.run(work.fail, ["no such thing"]))[0]
    assert isinstance(lost, TaskLost)
    assert (lost.kind, lost.index) == ("failed", 0)
    assert lost.reason.startswith("ValueError: no such thing (fail in work.py, line ")


def test_a_task_whose_worker_dies_is_run_again(engine: TaskEngine, tmp_path: Path) -> None:
    assert by_index(engine.run(work.die_once, [str(tmp_path / "mark")])) == {0: "done"}


def test_a_task_that_nobody_survives_is_lost_and_the_others_are_done(engine: TaskEngine) -> None:
    found = by_index(engine.run(work.die_or_double, range(6)))
    lost = found.pop(0)
    assert isinstance(lost, TaskLost)
    assert lost.kind == "worker_lost"
    assert lost.reason.endswith("3 times on the same task")
    assert found == {number: 2 * number for number in range(1, 6)}


def test_local_workers_do_not_get_the_url_of_the_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_ASSAY_HISTORY", "postgresql://user:secret@host/runs")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'src'}")
    asked = [("PATH", "MCP_ASSAY_HISTORY")] * 2
    with opened_engine(engine_choice("local"), 2) as engine:
        assert by_index(engine.run(work.variables, asked)) == {0: ["PATH"], 1: ["PATH"]}


CLUSTER_HERE = """
import os, sys
from psutil import Process
from mcp_assay.engine import opened_engine
from mcp_assay.engine.address import engine_choice
from tests.engine import work

def main():
    with opened_engine(engine_choice("dask"), 2) as engine:
        print(sorted(one.result for one in engine.run(work.doubled, range(9))))
        names = "PATH", "MCP_ASSAY_HISTORY", "MALLOC_TRIM_THRESHOLD_"
        print([one.result for one in engine.run(work.variables, [names])])
        own = [Process(), *Process().children(recursive=True)]
        open = [at.laddr.ip for one in own for at in one.net_connections() if at.status == "LISTEN"]
        print(len(open) > 3, {*open})
        print([one.kind for one in engine.run(work.die, [None])])
    print("MCP_ASSAY_HISTORY" in os.environ)

if __name__ == "__main__":
    main()
"""


def test_a_cluster_of_our_own_works_alike_and_says_nothing(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(CLUSTER_HERE)
    ended = subprocess.run(
        [sys.executable, str(program)],
        env={"PATH": "", "MCP_ASSAY_HISTORY": "x", "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert ended.stdout.splitlines() == [
        str([2 * number for number in range(9)]),
        "[['PATH']]",
        "True {'127.0.0.1'}",
        "['worker_lost']",
        "True",
    ]
    assert ended.stderr == ""


def refusal(text: str, *, insecure: bool = False) -> str:
    """Why an engine cannot be used, as one sentence."""
    with (
        pytest.raises(EngineUnavailable) as refused,
        opened_engine(engine_choice(text), 1, insecure=insecure),
    ):
        pass
    return str(refused.value)


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 1)
    place = f"{HOST}:{free_port()}"
    assert refusal(f"dask://{place}") == (
        f"no Dask scheduler answers at tcp://{place}; start one with `dask scheduler`, or omit "
        "--engine"
    )


def test_a_scheduler_without_workers_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 2)
    with dask_cluster(tmp_path, workers=0) as place:
        assert "has no worker; start one with `dask worker tcp://" in refusal(f"dask://{place}")


def test_a_worker_of_another_version_is_refused(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_engine, "__version__", "9.9.9")
    words = refusal(f"dask://{scheduler}")
    assert words.startswith("the worker tcp://127.0.0.1:")
    assert words.endswith("the client 9.9.9; install the same version on both")


def test_a_remote_scheduler_without_tls_is_refused() -> None:
    assert refusal("dask://192.0.2.1:8786").startswith(
        "the scheduler 192.0.2.1:8786 has no TLS: whoever reaches its scheduler can run code there;"
    )
    assert refusal("dask+tls://192.0.2.1:8786").startswith(
        "dask+tls needs distributed.comm.tls in Dask's configuration"
    )


def test_a_remote_scheduler_without_tls_is_tried_where_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 0.2)
    words = refusal("dask://192.0.2.1:8786", insecure=True)
    assert words.startswith("no Dask scheduler answers at tcp://192.0.2.1:8786;")
