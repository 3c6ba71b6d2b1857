"""A host that a world without network keeps away proves nothing, and accuses nobody."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.judge.information import carries_information
from mcp_assay.judge.status import judge_call, judged_call, settled
from mcp_assay.model.call import CallResult
from mcp_assay.model.effect import ConnectionTry, Effects
from mcp_assay.rules.behaviour.rule import called, tool_run_of

TOOL: dict[str, Any] = {"name": "check_for_updates", "inputSchema": {"type": "object"}}


def asked(host: str, address: str = "11.0.0.1", received: int = 0) -> Effects:
    tried = ConnectionTry(host=host, address=address, port=443, protocol="tcp", bytes=received)
    return Effects(names=[host], connections=[tried])


IN_VAIN = asked("registry.vendor.dev")


@pytest.mark.parametrize(
    ("effects", "host"),
    [
        (IN_VAIN, "registry.vendor.dev"),
        (Effects(names=["registry.vendor.dev"]), "registry.vendor.dev"),
        (asked("registry.vendor.dev", received=9), None),
        (asked("localhost", "127.0.0.1"), None),
        (Effects(), None),
    ],
)
def test_a_host_is_unreached_where_nothing_came_of_it(effects: Effects, host: str | None) -> None:
    assert effects.unreached_host == host


@pytest.mark.parametrize(
    ("texts", "effects", "is_proven"),
    [
        (["Version 0.5.5 is the latest."] * 2, IN_VAIN, False),
        (["Version 0.5.5 is the latest."] * 2, Effects(), True),
        (["It is 10:01.", "It is 10:02."], IN_VAIN, True),
    ],
)
def test_the_same_answer_without_the_host_it_asked_proves_nothing(
    texts: list[str], effects: Effects, is_proven: bool
) -> None:
    results = [{"content": [{"type": "text", "text": text}]} for text in texts]
    run = tool_run_of({"tool": TOOL, "calls": [called({}, result=it) for it in results]})
    seen = tuple(replace(call, effects=effects) for call in run.calls)
    assert carries_information(replace(run, calls=seen)) is is_proven


@pytest.mark.parametrize(("is_cut_off", "trouble"), [(True, "environment"), (False, "timed_out")])
def test_who_waits_for_a_host_in_vain_lacks_the_network(is_cut_off: bool, trouble: str) -> None:
    call = judged_call(True, CallResult(ending="timed_out"), None, is_cut_off=is_cut_off)
    (found,) = settled([call], [judge_call(call)])
    assert found.trouble == trouble
