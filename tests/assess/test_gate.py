"""Which tools may be called."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.permitting import permit
from mcp_assay.drive.gate import DESTRUCTIVE, MIXED, Gate
from mcp_assay.drive.target import Command
from mcp_assay.rules.definitions.surface import Surface

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
        ("get_note", {**READ_ONLY, "destructiveHint": "true"}, Gate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": 1}, Gate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": False}, Gate(), True),
        ("delete_note", READ_ONLY, Gate(), False),
        ("alterTable", READ_ONLY, Gate(), False),
        ("eval", READ_ONLY, Gate(), False),
        ("git_rebase", READ_ONLY, Gate(), False),
        ("flush_cache", READ_ONLY, Gate(), False),
        ("sendMail", READ_ONLY, Gate(), False),
        ("DROPTABLE", READ_ONLY, Gate(), False),
        ("deleteALL", READ_ONLY, Gate(), False),
        ("d\u0435lete_note", READ_ONLY, Gate(), False),
        ("note_d\u0435tails", READ_ONLY, Gate(), False),
        ("\uff44\uff45\uff4c\uff45\uff54\uff45", READ_ONLY, Gate(), False),
        ("dropdown", READ_ONLY, Gate(), True),
        ("DROPDOWN", READ_ONLY, Gate(), True),
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


def test_letters_that_look_like_others_are_the_reason() -> None:
    found = Gate().permission({"name": "note_d\u0435tails", "annotations": READ_ONLY})
    assert found.reason == MIXED


@pytest.mark.parametrize(
    "hints", [{"destructiveHint": True}, {**READ_ONLY, "destructiveHint": True}]
)
def test_a_destructive_tool_is_known_as_one(hints: dict[str, bool]) -> None:
    assert Gate().permission({"name": "x", "annotations": hints}).reason == DESTRUCTIVE


def _permitted(options: AssessOptions, *tools: dict[str, Any]) -> dict[str, bool]:
    dossier = Dossier(Command(command=("unused",), environment={}), options)
    dossier.surface = Surface(tools=list(tools))
    permit(dossier, None)
    return {name: found.allowed for name, found in dossier.permissions.items()}


@pytest.mark.parametrize("turned", [False, True])
def test_a_name_that_is_listed_twice_is_called_only_where_both_are_safe(turned: bool) -> None:
    safe, unsafe = {"name": "note", "annotations": READ_ONLY}, {"name": "note"}
    both = (unsafe, safe) if turned else (safe, unsafe)
    assert _permitted(AssessOptions(), *both) == {"note": False}
    assert _permitted(AssessOptions(), safe, safe) == {"note": True}
    assert _permitted(AssessOptions(allow=("note",)), *both) == {"note": True}


def test_what_is_denied_is_not_called_even_where_its_arguments_are_typed() -> None:
    typed = AssessOptions(only="note", args={})
    assert _permitted(typed, {"name": "note"}) == {"note": True}
    assert _permitted(replace(typed, deny=("note",)), {"name": "note"}) == {"note": False}
