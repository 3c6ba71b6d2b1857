"""How the truths about processes show."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from tests.patience import LONGEST
from tests.servers.proof import shows
from tests.servers.raw_client import RawClient, converse

QUIET = 0.3
"""Seconds for which a process that should stay is watched."""


def dies_at_start(client: RawClient, words: str) -> None:
    """See the process end before it says anything, and why."""
    assert client.hear() is None
    assert client.process.wait(LONGEST) == 1
    assert words in client.stderr()


@shows("missing-variable")
def it_dies_naming_the_variable(client: RawClient) -> None:
    dies_at_start(client, "KeyError: 'LIBRARY_CATALOGUE_URL'")


@shows("missing-module")
def it_dies_naming_the_module(client: RawClient) -> None:
    dies_at_start(client, "No module named 'no_such_library_module'")


@shows("exits-at-once")
def it_ends_well_and_says_nothing(client: RawClient) -> None:
    assert client.hear() is None
    assert client.process.wait(LONGEST) == 0


@shows("killed-by-signal")
def it_is_killed_at_its_first_line(client: RawClient) -> None:
    client.ask("ping")
    assert client.hear() is None
    assert client.process.wait(LONGEST) == -signal.SIGKILL


@shows("closes-stdout")
def its_output_ends_before_it_does(client: RawClient) -> None:
    assert client.hear() is None
    stays(client)
    client.hang_up()
    assert client.process.wait(LONGEST) == 0


def stays(client: RawClient) -> None:
    """See that the process lives on."""
    with pytest.raises(subprocess.TimeoutExpired):
        client.process.wait(QUIET)


@shows("ignores-sigterm")
def it_serves_after_sigterm(client: RawClient) -> None:
    client.open()
    client.process.terminate()
    assert client.answer_to("ping")["result"] == {}
    client.hang_up()
    stays(client)


@shows("stays-after-eof")
def it_stays_when_its_input_ends(client: RawClient) -> None:
    converse(client)
    client.hang_up()
    stays(client)


def grandchild(client: RawClient) -> int:
    """The process that the server started."""
    client.open()
    return int(client.stderr().split()[-1])


@shows("leaves-grandchild")
def its_child_outlives_it(client: RawClient) -> None:
    child = grandchild(client)
    assert client.end() == 0
    assert os.getpgid(child) == client.process.pid


@shows("grandchild-in-own-session")
def its_child_outlives_it_elsewhere(client: RawClient) -> None:
    child = grandchild(client)
    assert client.end() == 0
    assert os.getsid(child) == child


@shows("grandchild-holds-pipes")
def its_output_outlives_it(client: RawClient) -> None:
    client.open()
    client.hang_up()
    assert client.process.wait(LONGEST) == 0
    with pytest.raises(TimeoutError):
        client.hear(QUIET)


@shows("floods-stderr")
def a_call_writes_8_mib(client: RawClient) -> None:
    client.open()
    client.call("find_book", {"title": "Emma"})
    assert len(client.stderr()) > 8_000_000


@shows("exits-nonzero-at-eof")
def it_ends_with_9(client: RawClient) -> None:
    converse(client)
    assert client.end() == 9


@shows("slow-start")
def it_answers_after_a_second(client: RawClient) -> None:
    with pytest.raises(TimeoutError):
        client.hear(QUIET)
    client.open()


@shows("talkative-stderr")
def it_logs_where_it_should(client: RawClient) -> None:
    converse(client)
    assert client.stderr().startswith("INFO a line of")
