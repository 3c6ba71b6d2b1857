"""Older servers that server/discover harms: started again, spoken to in the older way, reported."""

from __future__ import annotations

import sys

import pytest

from mcp_assay.assess.lint_server import lint_server
from mcp_assay.client.connection import HARM_OF, HARMED, connect
from mcp_assay.client.links import PATIENCE, NotReached
from mcp_assay.client.negotiation import Discovery
from mcp_assay.client.response import CallRequest
from mcp_assay.client.target import Command
from tests.client.connected import options, own_faults, plain, run

HARMS: dict[str, Discovery] = {
    "dies-of-discovery": "died",
    "hangs-at-discovery": "silent",
    "closes-at-discovery": "died",
    "floods-at-discovery": "died",
    "nonsense-at-discovery": "died",
    "confused-by-discovery": "confused",
}
SHORT = {"hangs-at-discovery": {"connect_seconds": 12.0}}
"""Seconds for those that are given up: the second start answers long before half of that."""


def slow_to_start(seconds: float) -> Command:
    """A server that reads nothing for a while."""
    how = plain("").command
    script = f"import runpy, sys, time; time.sleep({seconds}); sys.argv = sys.argv[1:]; "
    words = (sys.executable, "-c", script + "runpy.run_path(sys.argv[0], run_name='__main__')")
    return Command(command=(*words, *how[1:]), environment=plain().environment)


@pytest.mark.parametrize(("how", "harm"), HARMS.items())
def test_a_server_that_discovery_harms_is_started_again(how: str, harm: Discovery) -> None:
    async def main() -> None:
        given = options(SHORT.get(how, {}), patience=PATIENCE)
        async with await connect(plain(how), given) as connection:
            assert (connection.revision, connection.starts) == ("2025-11-25", 2)
            assert (await connection.call(CallRequest("echo", {}))).is_result
            await connection.restart()  # which begins with initialize from now on
            assert connection.starts == 3
        found = [one for one in connection.findings() if one.rule == HARMED]
        assert [(one.severity, one.message) for one in found] == [("warning", HARM_OF[harm])]
        assert HARMED in connection.observations.decided_rules.session_rules
        assert own_faults(connection) == []

    run(main())


@pytest.mark.parametrize("how", ["", "shrugs-at-discovery", "deaf"])
def test_a_server_that_takes_initialize_afterwards_is_not_blamed(how: str) -> None:
    async def main() -> None:
        short = {"connect_seconds": 15.0} if how == "deaf" else {}
        async with await connect(plain(how), options(short)) as connection:
            assert (connection.revision, connection.starts) == ("2025-11-25", 1)
        assert HARMED not in {one.rule for one in connection.findings()}
        assert HARMED in connection.observations.decided_rules.session_rules

    run(main())


@pytest.mark.parametrize("seconds", [6.0, 11.0])
def test_a_server_that_is_slow_to_start_is_waited_for_and_not_blamed(seconds: float) -> None:
    async def main() -> None:
        async with await connect(
            slow_to_start(seconds), options({"connect_seconds": 15.0})
        ) as connection:
            assert connection.revision == "2025-11-25"
            assert (await connection.call(CallRequest("echo", {}))).is_result
        assert HARMED not in {one.rule for one in connection.findings()}

    run(main())


def test_a_pinned_revision_is_not_preceded_by_discovery() -> None:
    async def main() -> None:
        pinned = options(revision="2025-06-18")
        async with await connect(plain("dies-of-discovery"), pinned) as connection:
            assert (connection.starts, connection.opened.discovery) == (1, None)

    run(main())


def test_a_server_that_refuses_initialize_too_is_not_reached() -> None:
    script = "import sys; sys.stdin.readline(); sys.exit('no such thing')"

    async def main() -> None:
        with pytest.raises(NotReached, match=r"exited with code 1.*no such thing"):
            await connect(Command(command=(sys.executable, "-c", script)), options())

    run(main())


def test_lint_reaches_such_a_server_and_says_so() -> None:
    report = lint_server(plain("dies-of-discovery"))
    assert report.revision == "2025-11-25"
    assert HARMED in {one.rule for one in report.findings}
