"""How the truths about processes show."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from tests.patience import LONGEST
from tests.servers.proof import shows
from tests.servers.talking import Talk, converse

QUIET = 0.3
"""Seconds for which a process that should stay is watched."""


def dies_at_start(talk: Talk, words: str) -> None:
    """See the process end before it says anything, and why."""
    assert talk.hear() is None
    assert talk.process.wait(LONGEST) == 1
    assert words in talk.stderr()


@shows("missing-variable")
def it_dies_naming_the_variable(talk: Talk) -> None:
    dies_at_start(talk, "KeyError: 'LIBRARY_CATALOGUE_URL'")


@shows("missing-module")
def it_dies_naming_the_module(talk: Talk) -> None:
    dies_at_start(talk, "No module named 'no_such_library_module'")


@shows("exits-at-once")
def it_ends_well_and_says_nothing(talk: Talk) -> None:
    assert talk.hear() is None
    assert talk.process.wait(LONGEST) == 0


@shows("killed-by-signal")
def it_is_killed_at_its_first_line(talk: Talk) -> None:
    talk.ask("ping")
    assert talk.hear() is None
    assert talk.process.wait(LONGEST) == -signal.SIGKILL


@shows("closes-stdout")
def its_output_ends_before_it_does(talk: Talk) -> None:
    assert talk.hear() is None
    stays(talk)
    talk.hang_up()
    assert talk.process.wait(LONGEST) == 0


def stays(talk: Talk) -> None:
    """See that the process lives on."""
    with pytest.raises(subprocess.TimeoutExpired):
        talk.process.wait(QUIET)


@shows("ignores-sigterm")
def it_serves_after_sigterm(talk: Talk) -> None:
    talk.open()
    talk.process.terminate()
    assert talk.answer_to("ping")["result"] == {}
    talk.hang_up()
    stays(talk)


@shows("stays-after-eof")
def it_stays_when_its_input_ends(talk: Talk) -> None:
    converse(talk)
    talk.hang_up()
    stays(talk)


def grandchild(talk: Talk) -> int:
    """The process that the server started."""
    talk.open()
    return int(talk.stderr().split()[-1])


@shows("leaves-grandchild")
def its_child_outlives_it(talk: Talk) -> None:
    child = grandchild(talk)
    assert talk.end() == 0
    assert os.getpgid(child) == talk.process.pid


@shows("grandchild-in-own-session")
def its_child_outlives_it_elsewhere(talk: Talk) -> None:
    child = grandchild(talk)
    assert talk.end() == 0
    assert os.getsid(child) == child


@shows("grandchild-holds-pipes")
def its_output_outlives_it(talk: Talk) -> None:
    talk.open()
    talk.hang_up()
    assert talk.process.wait(LONGEST) == 0
    with pytest.raises(TimeoutError):
        talk.hear(QUIET)


@shows("floods-stderr")
def a_call_writes_8_mib(talk: Talk) -> None:
    talk.open()
    talk.call("find_book", {"title": "Emma"})
    assert len(talk.stderr()) > 8_000_000


@shows("exits-nonzero-at-eof")
def it_ends_with_9(talk: Talk) -> None:
    converse(talk)
    assert talk.end() == 9


@shows("slow-start")
def it_answers_after_a_second(talk: Talk) -> None:
    with pytest.raises(TimeoutError):
        talk.hear(QUIET)
    talk.open()


@shows("talkative-stderr")
def it_logs_where_it_should(talk: Talk) -> None:
    converse(talk)
    assert talk.stderr().startswith("INFO a line of")
