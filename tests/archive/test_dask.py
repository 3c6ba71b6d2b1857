"""`mcp-assay validate --engine dask://…`: the reports of the local run, byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.archive import rotated_archive
from mcp_assay.engine import MOST_RUNS, TaskEngine, opened_engine
from mcp_assay.engine.address import engine_choice
from tests.archive.gateways import rotated, several_gateways
from tests.archive.judged import at_once, in_batches
from tests.engine.cluster import HOST, ROOT, dask_cluster, free_port
from tests.engine.work import die_once_before
from tests.patience import LONGEST
from tests.validate.traces import write

MEGABYTES = 200
MOST_MEMORY = 150
"""Megabytes that a worker may have, of which an idle one has some 50."""


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as place:
        yield place


def validated(*arguments: str) -> tuple[int, dict[str, Any], str]:
    """The exit code, the report without its times, and what was said beside it."""
    command = [sys.executable, "-m", "mcp_assay", "validate", "--format", "json", *arguments]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST, check=False, cwd=ROOT
    )
    document = json.loads(ended.stdout) if ended.stdout else {}
    document.pop("timing", None)
    return ended.returncode, document, ended.stderr


def test_the_corpora_have_the_same_reports(scheduler: str, tmp_path: Path) -> None:
    files = [
        *write(tmp_path, 7, files=4),
        *several_gateways(tmp_path, (0, 1, -2)),
        *map(str, sorted((ROOT / "examples").glob("*.jsonl"))),
        str(ROOT / "examples" / "ping.json"),
        str(tmp_path / "missing.jsonl"),
    ]
    code, whole, said = validated(*files)
    assert (code, said) == (1, "")
    for engine in (f"dask://{scheduler}", "local"):
        code, found, said = validated("--engine", engine, *files)
        assert (code, found) == (1, whole)
        assert engine == "local" or " at most " in said


def test_an_archive_of_200_megabytes_has_the_same_report(scheduler: str, tmp_path: Path) -> None:
    folder = str(rotated_archive(tmp_path / "archive", MEGABYTES * 1_000_000))
    always = ("--fail-on", "never", "--partial")
    code, local, said = validated(*always, "--jobs", "2", folder)
    assert (code, local["summary"]["errors"]) == (0, 0)
    assert local["summary"]["sessions"] > 1_000
    assert said.startswith("mcp-assay: 2 workers, at most ")
    memory = int(said.split()[5].replace(",", ""))
    assert memory < MOST_MEMORY
    assert validated(*always, "--engine", f"dask://{scheduler}", folder)[:2] == (0, local)


def test_batches_on_a_cluster_whose_workers_die_are_judged_all_the_same(
    scheduler: str, tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    files = rotated(tmp_path, files=20, sessions=100, calls=20)
    whole = at_once(files)
    cut_into(10_000)
    with opened_engine(engine_choice(f"dask://{scheduler}")) as engine:
        assert in_batches(files, engine=engine) == whole
        assert in_batches(files, engine=_KillingEngine(engine, tmp_path / "killed")) == whole
    assert (tmp_path / "killed").exists()


class _KillingEngine:
    """Has the worker killed that comes to some task first."""

    def __init__(self, engine: TaskEngine, mark: Path) -> None:
        self.workers = engine.workers
        self.dashboard = engine.dashboard
        self._engine = engine
        self._mark = mark

    def run(self, work: Any, tasks: Any, runs: int = MOST_RUNS, ahead: int = 2) -> Any:
        """Do the work on each task."""
        return self._engine.run(partial(die_once_before, str(self._mark), work), tasks, runs, ahead)

    def close(self) -> None:
        """End nothing: the engine is another's."""


def test_a_cluster_of_our_own_gives_the_same_report(tmp_path: Path) -> None:
    rotated(tmp_path, files=3, sessions=9, calls=3)
    code, local, _ = validated("--jobs", "1", str(tmp_path))
    assert validated("--engine", "dask", "--jobs", "1", str(tmp_path))[:2] == (code, local)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--engine", "spark", "x"), "'spark' is no engine; choose local, dask, dask://HOST:PORT"),
        (("--sample", "5", "x"), "'5' is not a share like 5%"),
        (("--sample", "0%", "x"), "'0%' is not a share like 5%"),
        (("--sample", "5%", "-"), "standard input is read once, and an archive twice"),
        (("--engine", "dask", "ftp://host/x"), "ftp:// is not read; choose one of s3://"),
    ],
)
def test_what_is_typed_wrongly_is_said_and_nothing_ran(
    arguments: tuple[str, ...], words: str
) -> None:
    code, report, said = validated(*arguments)
    assert (code, report) == (2, {})
    assert words in said


def test_where_nothing_is_left_to_judge_that_is_said_in_a_line(tmp_path: Path) -> None:
    (name,) = rotated(tmp_path, files=1, sessions=2, calls=1)
    code, _, said = validated("--quiet", "--sample", "0.001%", name)
    words = "the sample left out all of 2 sessions; take a larger one, or another --seed"
    assert (code, said) == (2, f"mcp-assay: {words}.\n")
    for number in range(12):
        (tmp_path / f"gateway.{number}.jsonl").write_text("\n")
    code, _, said = validated("--quiet", str(tmp_path))
    assert (code, said[-29:]) == (2, "gateway.9.jsonl, and 2 more.\n")


def test_a_scheduler_that_is_not_there_is_one_sentence_and_nothing_ran(tmp_path: Path) -> None:
    (name,) = rotated(tmp_path, 1, 1, 1)
    place = f"{HOST}:{free_port()}"
    code, report, said = validated("--engine", f"dask://{place}", name)
    assert (code, report) == (3, {})
    assert said == (
        f"mcp-assay: no Dask scheduler answers at tcp://{place}; start one with `dask scheduler`, "
        "or omit --engine.\n"
    )


def test_a_remote_scheduler_without_tls_is_refused(tmp_path: Path) -> None:
    (name,) = rotated(tmp_path, 1, 1, 1)
    code, report, said = validated("--engine", "dask://192.0.2.1:8786", name)
    assert (code, report) == (3, {})
    assert said.startswith("mcp-assay: the scheduler 192.0.2.1:8786 has no TLS: whoever reaches")
    assert said.count("\n") == 1
