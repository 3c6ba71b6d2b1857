"""Which tools may be called."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.drive.gate import DESTRUCTIVE, Gate

READ_ONLY = {"readOnlyHint": True}


@pytest.mark.parametrize(
    ("name", "hints", "gate", "allowed"),
    [
        ("get_note", READ_ONLY, Gate(), True),
        ("get_note", {}, Gate(), False),
        ("get_note", None, Gate(), False),
        ("get_note", {"readOnlyHint": "true"}, Gate(), False),
        ("get_note", {"readOnlyHint": 1}, Gate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": True}, Gate(), False),
        ("delete_note", READ_ONLY, Gate(), False),
        ("sendMail", READ_ONLY, Gate(), False),
        ("get_note", READ_ONLY, Gate(calls="none"), False),
        ("delete_note", None, Gate(calls="all"), True),
        ("delete_note", None, Gate(allow=["delete_note"]), True),
        ("delete_note", None, Gate(calls="none", allow=["delete_note"]), True),
        ("get_note", READ_ONLY, Gate(deny=["get_note"]), False),
        ("get_note", READ_ONLY, Gate(allow=["get_note"], deny=["get_note"]), False),
    ],
)
def test_a_tool_is_called_only_with_permission(
    name: str, hints: Any, gate: Gate, allowed: bool
) -> None:
    found = gate.permission({"name": name, "annotations": hints})
    assert found.allowed is allowed
    assert found.reason


@pytest.mark.parametrize(
    "hints", [{"destructiveHint": True}, {**READ_ONLY, "destructiveHint": True}]
)
def test_a_destructive_tool_is_known_as_one(hints: dict[str, bool]) -> None:
    assert Gate().permission({"name": "x", "annotations": hints}).reason == DESTRUCTIVE
