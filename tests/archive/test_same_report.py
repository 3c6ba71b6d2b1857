"""However an archive is cut into batches and shares, its report is that of one run over all."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import zstandard

from mcp_assay.archive import plan
from mcp_assay.validate import Options
from tests.archive.gateways import SHARED, rotated, session, several_gateways, written
from tests.archive.judged import BackwardsEngine, PlanOf, at_once, in_batches
from tests.validate.traces import call, write

WHOLE = 10**9
CutInto = Callable[[int], None]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [1, 2_000, WHOLE])
@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(max_findings=7, duplicates=False),
        Options(partial=True, select=("JSONRPC", "LIFE")),
        Options(map={"session": "/conn"}),
        Options(profile="envelope"),
    ],
    ids=["default", "few", "partial", "mapped", "envelope"],
)
def test_any_batches_give_the_report_of_one_run(
    tmp_path: Path, cut_into: CutInto, options: Options, size: int, seed: int
) -> None:
    files = [*write(tmp_path, seed, files=7), "missing.jsonl"]
    whole = at_once(files, options)
    assert whole["summary"]["sessions"] > 5
    cut_into(size)
    assert in_batches(files, options) == whole
    assert in_batches(files, options, BackwardsEngine(3)) == whole


@pytest.mark.parametrize("size", [1, 20_000, WHOLE])
def test_sessions_over_many_rotated_files_are_judged_as_one(
    tmp_path: Path, cut_into: CutInto, size: int
) -> None:
    files = rotated(tmp_path, files=20, sessions=60, calls=12)
    cut_into(size)
    found = in_batches(files)
    assert found == at_once(files)
    assert found["findings"] == []
    assert found["summary"]["sessions"] == 60
    assert not any(one["partial"] for one in found["sessions"])


def test_a_session_that_goes_very_far_is_judged_apart(
    tmp_path: Path, cut_into: CutInto, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = rotated(tmp_path, files=20, sessions=60, calls=12)
    whole = at_once(files)
    cut_into(1)
    monkeypatch.setattr(plan, "MOST_BATCHES_READ", 0)
    assert in_batches(files, engine=BackwardsEngine(2)) == whole


@pytest.mark.parametrize("clocks", [(0, 0, 0), (0, 0.25, -0.25), (0, 2, -3), (5, 5, 0)])
def test_a_session_over_three_clocks_and_five_files_each_is_judged_as_one(
    tmp_path: Path, cut_into: CutInto, clocks: tuple[float, ...]
) -> None:
    files = several_gateways(tmp_path, clocks)
    cut_into(1)
    found = in_batches(files)
    assert found["summary"]["messages"] == 403
    assert found["summary"]["errors"] == found["summary"]["warnings"] == 0
    assert [(one["key"], one["messages"]) for one in found["sessions"]] == [(SHARED, 403)]
    assert found == at_once(files)


@pytest.mark.parametrize("clocks", [(0, 30, -30), (0, 3_600, -7_200), (9, 0, -100)])
def test_clocks_that_are_wrong_by_more_than_a_file_covers_are_corrected(
    tmp_path: Path, cut_into: CutInto, clocks: tuple[float, ...]
) -> None:
    files = several_gateways(tmp_path, clocks)
    cut_into(1)
    found = in_batches(files)
    assert found["findings"] == []
    assert [(one["key"], one["messages"]) for one in found["sessions"]] == [(SHARED, 403)]
    assert in_batches(files[::-1]) == found


def test_an_id_that_is_used_again_says_nothing_of_clocks(tmp_path: Path) -> None:
    """Without its request, an answer in the first file could be taken for that of the last."""
    lines = [{"session": "s", **line} for line in session(9)]
    again = [{"session": "s", **call(1, "ping")}]
    parts = [lines[:4], lines[4:], again, again]
    files = [
        written(tmp_path / f"{n}.jsonl", [{"t": 1e6 * n + m, **one} for m, one in enumerate(part)])
        for n, part in enumerate(parts)
    ]
    assert [group.files for group in PlanOf(files).groups] == [(name,) for name in files]


@pytest.mark.parametrize("seed", range(3))
def test_another_order_of_files_gives_the_same_report(
    tmp_path: Path, cut_into: CutInto, seed: int
) -> None:
    files = [
        *rotated(tmp_path, files=6, sessions=20, calls=6),
        *several_gateways(tmp_path, (0, 2, -3)),
    ]
    cut_into(10_000)
    whole = in_batches(files)
    Random(seed).shuffle(files)
    assert in_batches(files) == whole
    assert in_batches([str(tmp_path / "gateway*.jsonl")]) == whole
    assert in_batches([str(tmp_path)]) == whole


def test_gateways_that_share_no_session_are_not_merged(tmp_path: Path) -> None:
    for name in ("east", "west"):
        (tmp_path / name).mkdir()
    files = [*rotated(tmp_path / "east", 1, 9, 5), *rotated(tmp_path / "west", 1, 9, 5, seed=1)]
    text = Path(files[1]).read_text().replace('"session": "s', '"session": "w')
    Path(files[1]).write_text(text)
    archive = PlanOf(files)
    assert [group.files for group in archive.groups] == [(files[0],), (files[1],)]
    Path(files[1]).write_text(text.replace('"session": "w8"', '"session": "s8"'))
    assert [group.files for group in PlanOf(files).groups] == [tuple(files)]


def test_packed_files_are_judged_as_plain_ones(tmp_path: Path, cut_into: CutInto) -> None:
    files = rotated(tmp_path, files=4, sessions=20, calls=6)
    plain = in_batches(files)
    for name in files[:2]:
        Path(name).write_bytes(gzip.compress(Path(name).read_bytes()))
    Path(files[2]).write_bytes(zstandard.compress(Path(files[2]).read_bytes()))
    cut_into(1)
    assert in_batches(files) == plain


def test_a_cut_file_makes_parts_only_of_sessions_that_may_have_been_in_it(
    tmp_path: Path, cut_into: CutInto
) -> None:
    files = rotated(tmp_path, files=6, sessions=60, calls=12)
    whole = in_batches(files)
    packed = gzip.compress(Path(files[2]).read_bytes())
    Path(files[2]).write_bytes(packed[: len(packed) * 2 // 3])
    found = []
    for size in (1, 20_000, WHOLE):
        cut_into(size)
        found.append(in_batches(files, engine=BackwardsEngine(size % 3 + 1)))
    assert found[0] == found[1] == found[2]
    (broken,) = [one for one in found[0]["findings"] if one["rule"] == "ENV-002"]
    assert "is incomplete: its compressed data is truncated" in broken["message"]
    partial = [one["key"] for one in found[0]["sessions"] if one["partial"]]
    assert 0 < len(partial) < len(whole["sessions"])


def test_a_file_counts_once_under_all_its_names(tmp_path: Path) -> None:
    files = rotated(tmp_path, files=2, sessions=5, calls=3)
    once = in_batches(files)
    (tmp_path / "a-link.jsonl").symlink_to(files[1])
    (tmp_path / "b-link.jsonl").hardlink_to(files[0])
    again = in_batches([str(tmp_path), f"{tmp_path}/./gateway.0.jsonl", f"file://{files[1]}"])
    assert again["summary"] == once["summary"]
    assert len(again["options"]["files"]) == 2


def test_pipes_of_a_folder_are_no_files_of_the_archive(tmp_path: Path) -> None:
    files = rotated(tmp_path, files=2, sessions=5, calls=3)
    once = in_batches(files)
    os.mkfifo(tmp_path / "gateway.pipe")
    assert in_batches([str(tmp_path)]) == in_batches([str(tmp_path / "gateway*")]) == once
    with pytest.raises(ValueError, match="is a pipe or device, read once, and an archive twice"):
        in_batches([str(tmp_path / "gateway.pipe")])


def test_files_that_cannot_be_read_are_findings_among_others(
    tmp_path: Path, cut_into: CutInto
) -> None:
    files = rotated(tmp_path, files=3, sessions=5, calls=3)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tmp_path / "empty.jsonl").touch()
    cut_into(1)
    found = in_batches([str(tmp_path), str(tmp_path / "missing.jsonl")])
    assert [one["message"].rpartition("/")[2] for one in found["findings"]] == [
        "picture.png is not text; name a file of JSON messages or trace lines.",
        "missing.jsonl does not exist; check the path.",
    ]
    assert found["summary"]["messages"] == at_once(files)["summary"]["messages"]
