"""Servers side by side: so many at a time, one budget, and none suffers for another."""

from __future__ import annotations

import asyncio

import pytest

from mcp_assay.assess import AssessOptions, NotReached
from mcp_assay.assess.permissions import DESTRUCTIVE, NO_HINT, Ask, remembered
from mcp_assay.assess.several import NO_TURN, AssessedServer, SeveralServers, usual_jobs
from mcp_assay.model.tool import Consent
from tests.clocks import Clock

OPTIONS = AssessOptions()


class Scripted(AssessedServer):
    """A server that takes so many seconds of a clock that nobody waits for."""

    def __init__(self, name: str, seconds: float, fault: Exception | None = None) -> None:
        super().__init__(name, None, OPTIONS)
        self.takes = seconds
        self.raises = fault
        self.began = 0.0
        self.assessment.run = self._take_time  # type: ignore[method-assign]

    async def _take_time(self, ask: Ask | None = None, reported: object = None) -> None:
        self.began = asyncio.get_running_loop().time()
        await asyncio.sleep(self.takes)
        if self.raises is not None:
            raise self.raises


def run_all(runs: list[Scripted], jobs: int, seconds: float) -> None:
    with asyncio.Runner(loop_factory=Clock) as runner:
        runner.run(SeveralServers(runs, jobs=jobs, seconds=seconds).run())


def test_at_most_so_many_run_at_a_time_and_in_order() -> None:
    runs = [Scripted(name, 10) for name in "abcde"]
    run_all(runs, 2, 100)
    assert [round(run.began) for run in runs] == [0, 0, 10, 10, 20]
    assert all(run.is_over for run in runs)


@pytest.mark.parametrize(
    ("seconds", "jobs", "cut"),
    [
        ((1, 1, 50, 1), 2, []),  # what quick ones leave goes to the slow one
        ((50, 1, 1, 1), 2, []),  # also where they come after it
        ((99, 99), 1, [45, 15]),  # the first may not take what the second is sure of
        ((99, 1), 1, [45]),
        ((1, 99), 1, [59]),
        ((99, 99, 99, 99), 2, [45, 45, 15, 15]),
        ((99, 99, 1, 1), 2, [45, 45]),
        ((99, 99, 99), 3, [60, 60, 60]),
    ],
)
def test_each_server_is_sure_of_its_part_and_may_take_what_others_leave(
    seconds: tuple[int, ...], jobs: int, cut: list[int]
) -> None:
    runs = [Scripted(str(number), one) for number, one in enumerate(seconds)]
    run_all(runs, jobs, 60)
    ends = [run.assessment.state.ending.cut_after for run in runs]
    assert [round(end) for end in ends if end is not None] == cut
    assert all(run.has_begun for run in runs)


def test_a_server_that_takes_too_long_is_cut_and_the_next_has_its_turn() -> None:
    slow, next_one = Scripted("slow", 1000), Scripted("next", 5)
    run_all([slow, next_one], 1, 60)
    report = slow.report()
    assert report.summary.outcome == "incomplete"
    assert report.summary.reason == "Time ran out after 45 s; results so far are shown."
    assert [limit.name for limit in report.limits] == ["max-time"]
    assert next_one.assessment.state.ending.cut_after is None


def test_a_server_for_which_no_time_is_left_is_said_to_have_had_no_turn() -> None:
    late = Scripted("late", 1)
    run_all([late], 1, 0)
    assert not late.has_begun
    assert NO_TURN in str(late.report().summary.reason)


def test_neither_a_refusal_nor_a_fault_of_ours_ends_the_others() -> None:
    gone = Scripted("gone", 1, NotReached("it does not exist"))
    faulty = Scripted("faulty", 1, KeyError("ours"))
    good = Scripted("good", 5)
    run_all([gone, faulty, good], 3, 60)
    assert str(gone.refusal) == "it does not exist"
    assert "Internal error in mcp-assay" in str(faulty.report().summary.reason)
    assert faulty.report().summary.outcome == "incomplete"
    assert good.is_over
    assert good.fault is None


def test_an_interruption_spares_what_is_over() -> None:
    runs = [Scripted("done", 1), Scripted("running", 50), Scripted("waiting", 50)]

    async def interrupted() -> None:
        work = asyncio.ensure_future(SeveralServers(runs, jobs=1, seconds=300).run())
        await asyncio.sleep(10)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    with asyncio.Runner(loop_factory=Clock) as runner:
        runner.run(interrupted())
    for run in runs:
        run.interrupt()
    assert [run.has_begun for run in runs] == [True, True, False]
    assert [run.is_interrupted for run in runs] == [False, True, True]


def test_a_server_with_a_problem_is_never_started() -> None:
    run = AssessedServer("odd", None, OPTIONS, problem="mcp.json: 'odd' has placeholders.")
    asyncio.run(SeveralServers([run], jobs=1, seconds=5).run())
    assert not run.has_begun
    assert run.report().summary.reason == (
        "Could not reach the server: mcp.json: 'odd' has placeholders"
    )


def test_what_was_agreed_to_holds_only_for_tools_that_are_listed_as_before() -> None:
    closed, worse = NO_HINT, DESTRUCTIVE
    asked = [("write", closed), ("send", closed), ("other", closed)]
    ask = remembered(Consent(answer="choose", allowed=["write", "send"]), asked)
    consent = ask([("write", closed), ("send", worse), ("new", closed)])
    assert consent == Consent(answer="choose", allowed=["write"])


def test_the_usual_number_of_servers_at_a_time_is_small() -> None:
    assert 2 <= usual_jobs() <= 8
