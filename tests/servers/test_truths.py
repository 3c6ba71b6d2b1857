"""Every server of the catalogue does what it says; the correct ones do nothing wrong."""

from __future__ import annotations

import pytest

from tests.servers.base import A_HANDSHAKE, STATELESS, Server
from tests.servers.catalogue import catalogue, named
from tests.servers.planting import Planted
from tests.servers.proof import proofs
from tests.servers.raw_client import RawClient, converse

PROOFS = proofs()
PROTOCOL = ("protocol", "stateless", "probed", "features")
OVER_PIPES = [planted for planted in catalogue() if not planted.over_http]
CORRECT = [planted.name for planted in OVER_PIPES if planted.correct]
RECEIVED = [planted for planted in OVER_PIPES if not planted.correct and planted.name not in PROOFS]
"""Servers whose fault shows in the usual session: the rules of messages name it."""

PROBED = [one.name for one in OVER_PIPES if one.family in PROTOCOL and one.name in PROOFS]
"""Servers whose fault is in how they answer something that every server can be asked."""
FAILURES = (AssertionError, KeyError, TimeoutError, TypeError, ValueError)
SHORT = 0.5
"""Seconds; whoever waits in vain for a fault waits no longer."""


def eras(name: str) -> list[bool]:
    """Whether the server speaks with a handshake, without, or both."""
    server = named(name).make()
    assert isinstance(server, Server)
    revisions = server.revisions
    return [
        *([False] if min(revisions) <= A_HANDSHAKE else []),
        *([True] if STATELESS in revisions else []),
    ]


@pytest.mark.parametrize("name", sorted(PROOFS))
def test_a_truth_shows(name: str) -> None:
    with RawClient(name) as client:
        PROOFS[name](client)


@pytest.mark.parametrize("name", PROBED)
def test_a_correct_server_does_not_show_it(name: str) -> None:
    modern = eras(name)[-1]
    with (
        RawClient("resources-and-prompts", modern, patience=SHORT) as client,
        pytest.raises(FAILURES),
    ):
        PROOFS[name](client)


@pytest.mark.parametrize("planted", RECEIVED, ids=[planted.name for planted in RECEIVED])
def test_a_fault_is_received(planted: Planted) -> None:
    with RawClient(planted.name) as client:
        converse(client)
        found = {finding.rule for finding in client.judged()}
    assert planted.rules
    assert set(planted.rules) <= found


@pytest.mark.parametrize(
    ("name", "modern"), [(name, modern) for name in CORRECT for modern in eras(name)]
)
def test_a_correct_server_says_nothing_wrong(name: str, modern: bool) -> None:
    with RawClient(name, modern) as client:
        converse(client)
        assert [finding.message for finding in client.judged() if finding.severity == "error"] == []
