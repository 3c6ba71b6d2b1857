"""What a conversation shares with others of its run, and what it keeps to itself."""

from __future__ import annotations

from mcp_assay.model.entry import NO_DELIVERY, Message
from mcp_assay.rules.engine.samples import request
from mcp_assay.schema.checker import Schemas
from mcp_assay.session.correlation import Pending
from mcp_assay.session.state import RunState, SessionState
from mcp_assay.spec.revisions import R2025_11_25


class Notes(list[str]):
    """What a section might remember."""


def conversation(commons: RunState) -> SessionState:
    return SessionState(commons, Pending())


def test_a_memory_is_empty_at_first_and_the_same_ever_after() -> None:
    one, other = conversation(RunState()), conversation(RunState())
    assert one.recall(Notes) == []
    one.recall(Notes).append("seen")
    assert one.recall(Notes) == ["seen"]
    assert other.recall(Notes) == []


def test_decisions_are_shared_by_the_conversations_of_a_run() -> None:
    commons = RunState()
    one, other = conversation(commons), conversation(commons)
    one.decide("PROG-001", "PROG-002")
    one.leave_open("PROG-003", "the token was not seen")
    other.leave_open("PROG-003", "the token was not seen")
    assert commons.session_rules == {"PROG-001", "PROG-002"}
    assert commons.left_open == {("PROG-003", "the token was not seen"): 2}
    commons.recall(Notes).append("shared")
    assert commons.recall(Notes) == ["shared"]
    assert one.recall(Notes) == []


def test_schemas_are_made_once_for_a_run() -> None:
    commons = RunState()
    one, other = conversation(commons), conversation(commons)
    assert isinstance(one.schemas, Schemas)
    assert one.schemas is other.schemas
    assert one.schemas is commons.schemas


def test_each_side_has_ids_of_its_own_in_a_common_room() -> None:
    commons = RunState()
    one = conversation(commons)
    one.issued["c2s"].add("x")
    assert not one.issued["s2c"].add("x")
    assert one.issued["c2s"].add("x")
    assert commons.room.left == 499_998


def test_a_conversation_begins_whole_and_with_nothing_known() -> None:
    one = conversation(RunState())
    assert not SessionState(RunState(), Pending()).partial
    assert SessionState(RunState(), Pending(), partial=True).partial
    assert one.delivery is NO_DELIVERY
    assert one.size is None
    line = (
        NO_DELIVERY.end,
        NO_DELIVERY.gap,
        NO_DELIVERY.exact,
        NO_DELIVERY.at,
        NO_DELIVERY.exchange,
    )
    assert line == (False, False, False, None, None)


def test_the_capabilities_of_the_client_are_those_of_the_handshake() -> None:
    one = conversation(RunState())
    asked = Message(
        request("initialize", {"capabilities": {"roots": {}}}), "request", "initialize", R2025_11_25
    )
    assert one.client_capabilities(asked) is None
    one.handshake.take(asked)
    assert one.client_capabilities(asked) == {"roots": {}}
