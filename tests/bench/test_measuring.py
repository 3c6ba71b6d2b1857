from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import cycle

import pytest

from bench import child
from bench.agreement import tally
from bench.bars import Bar
from bench.corpus import build
from bench.sdk import SdkPath, SdkRuntimePath
from bench.tables import table
from bench.timing import BASELINE, Figure, Run, in_turns


def _taking(*seconds: float) -> Run:
    return cycle(seconds).__next__


def test_a_ratio_is_taken_against_the_baseline_before_and_after() -> None:
    measured = in_turns(_taking(9.0, 1.0, 3.0), {"ours": _taking(8.0, 6.0)}, rounds=1)
    assert measured["ours"].ratio.median == 6.0 / 2.0


def test_the_first_pass_only_warms_up() -> None:
    measured = in_turns(_taking(1.0), {"ours": _taking(100.0, 2.0, 2.0, 2.0)}, rounds=3)
    assert measured["ours"].seconds == Figure(2.0, 2.0, 2.0)
    assert measured[BASELINE].ratio == Figure(1, 1, 1)


def test_a_figure_has_the_middle_and_both_ends() -> None:
    assert Figure.of([3.0, 1.0, 2.0, 9.0, 2.5]) == Figure(2.5, 1.0, 9.0)


@pytest.mark.parametrize(
    ("bar", "value", "verdict"),
    [
        (Bar(1.6, goal=1.3), 1.3, "goal reached"),
        (Bar(1.6, goal=1.3), 1.6, "kept"),
        (Bar(1.6, goal=1.3), 1.61, "missed"),
        (Bar(4.0), 3.9, "kept"),
        (Bar(2.0, at_least=True), 2.5, "kept"),
        (Bar(2.0, at_least=True), 1.9, "missed"),
    ],
)
def test_a_bar_says_how_a_figure_compares(bar: Bar, value: float, verdict: str) -> None:
    assert bar.verdict(value) == verdict


def test_a_bar_is_put_in_words() -> None:
    assert Bar(1.6, goal=1.3).words() == "at most 1.6, goal 1.3"
    assert Bar(2.0, at_least=True).words() == "at least 2"


def test_a_table_aligns_names_left_and_figures_right() -> None:
    assert table(["what", "n"], [["a", "1"], ["parsing", "10"]]).splitlines() == [
        "what      n",
        "-------  --",
        "a         1",
        "parsing  10",
    ]


def test_a_child_process_reports_its_exit_code_and_what_it_used() -> None:
    used = child.run([sys.executable, "-c", "raise SystemExit(3)"])
    assert used.code == 3
    assert used.seconds > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a child")
def test_the_peak_of_a_child_process_grows_with_what_it_keeps() -> None:
    dropped = _peak_after("for _ in range(500): stdin.read(100_000)")
    kept = _peak_after("kept = stdin.read(50_000_000)")
    assert kept - dropped > 40_000_000


def _peak_after(step: str) -> int:
    """The peak of a child that was sent 50 MB, did its step and waits for the end of its input."""
    program = f"import sys; stdin = sys.stdin.buffer\n{step}\nprint(flush=True); stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(bytes(50_000_000))
        process.stdin.flush()
        process.stdout.readline()
        return child.peak_so_far(process) or 0


def test_a_judge_who_refuses_everything_finds_every_fault_and_blames_every_whole_message() -> None:
    lines = build(400)
    counted = tally(lines, lambda _raw, _direction: False)
    assert counted.found == Counter(line.fault for line in lines if line.fault is not None)
    assert counted.false_alarms == 380


@pytest.mark.parametrize("path", [SdkPath, SdkRuntimePath])
def test_the_sdk_takes_every_whole_message_and_refuses_a_good_part_of_the_broken_ones(
    path: type[SdkPath],
) -> None:
    counted = tally(build(1_000), path().accepts)
    assert counted.false_alarms == 0
    assert counted.found.total() > 25
