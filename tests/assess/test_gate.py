"""Which tools may be called."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import DESTRUCTIVE, MIXED, CallGate, Closed, permit, permit_anew
from mcp_assay.assess.state import Listed
from mcp_assay.model.tool import Consent
from mcp_assay.rules.definition.surface import Surface

READ_ONLY = {"readOnlyHint": True}


@pytest.mark.parametrize(
    ("name", "hints", "gate", "allowed"),
    [
        ("get_note", READ_ONLY, CallGate(), True),
        ("get_note", {}, CallGate(), False),
        ("get_note", None, CallGate(), False),
        ("get_note", {"readOnlyHint": "true"}, CallGate(), False),
        ("get_note", {"readOnlyHint": 1}, CallGate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": True}, CallGate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": "true"}, CallGate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": 1}, CallGate(), False),
        ("get_note", {**READ_ONLY, "destructiveHint": False}, CallGate(), True),
        ("delete_note", READ_ONLY, CallGate(), False),
        ("get_note", None, CallGate(calls="likely"), True),
        ("get_note", {"title": "A note"}, CallGate(calls="likely"), True),
        ("get_note", READ_ONLY, CallGate(calls="likely"), True),
        ("get_note", {"readOnlyHint": False}, CallGate(calls="likely"), False),
        ("get_note", {"destructiveHint": False}, CallGate(calls="likely"), False),
        ("get_note", None, CallGate(calls="likely", deny=["get_note"]), False),
        ("get_or_create_note", None, CallGate(calls="likely"), False),
        ("save_note", None, CallGate(calls="likely"), False),
        ("alterTable", READ_ONLY, CallGate(), False),
        ("eval", READ_ONLY, CallGate(), False),
        ("git_rebase", READ_ONLY, CallGate(), False),
        ("flush_cache", READ_ONLY, CallGate(), False),
        ("sendMail", READ_ONLY, CallGate(), False),
        ("DROPTABLE", READ_ONLY, CallGate(), False),
        ("deleteALL", READ_ONLY, CallGate(), False),
        ("d\u0435lete_note", READ_ONLY, CallGate(), False),
        ("note_d\u0435tails", READ_ONLY, CallGate(), False),
        ("\uff44\uff45\uff4c\uff45\uff54\uff45", READ_ONLY, CallGate(), False),
        ("dropdown", READ_ONLY, CallGate(), True),
        ("DROPDOWN", READ_ONLY, CallGate(), True),
        ("get_note", READ_ONLY, CallGate(calls="none"), False),
        ("delete_note", None, CallGate(calls="all"), True),
        ("delete_note", None, CallGate(is_disposable=True), False),
        ("delete_note", None, CallGate(calls="none", is_disposable=True), False),
        ("delete_note", None, CallGate(calls="all", is_disposable=True), True),
        ("x", None, CallGate(calls="all", deny=["x"], is_disposable=True), False),
        ("delete_note", None, CallGate(allow=["delete_note"]), True),
        ("delete_note", None, CallGate(calls="none", allow=["delete_note"]), True),
        ("get_note", READ_ONLY, CallGate(deny=["get_note"]), False),
        ("get_note", READ_ONLY, CallGate(allow=["get_note"], deny=["get_note"]), False),
    ],
)
def test_a_tool_is_called_only_with_permission(
    name: str, hints: Any, gate: CallGate, allowed: bool
) -> None:
    found = gate.permission({"name": name, "annotations": hints})
    assert found.allowed is allowed
    assert found.text


def test_letters_that_look_like_others_are_the_reason() -> None:
    found = CallGate().permission({"name": "note_d\u0435tails", "annotations": READ_ONLY})
    assert found == MIXED


@pytest.mark.parametrize(
    "hints", [{"destructiveHint": True}, {**READ_ONLY, "destructiveHint": True}]
)
def test_a_destructive_tool_is_known_as_one(hints: dict[str, bool]) -> None:
    assert CallGate().permission({"name": "x", "annotations": hints}) == DESTRUCTIVE


def test_in_a_disposable_world_that_is_the_reason() -> None:
    gate = CallGate(calls="all", is_disposable=True)
    assert gate.permission({"name": "wipe"}).kind == "disposable_world"
    assert CallGate(calls="all").permission({"name": "wipe"}).kind == "calls_all"


def _answer(consent: Consent, _: Closed) -> Consent:
    return consent


def test_an_answer_about_a_world_stays_good_for_what_becomes_destructive() -> None:
    tool, listed = {"name": "wipe"}, Listed(surface=Surface(tools=[{"name": "wipe"}]))
    worse = Listed(surface=Surface(tools=[{**tool, "annotations": {"destructiveHint": True}}]))
    for in_world in (True, False):
        consent = Consent(answer="yes", allowed=["wipe"], in_world=in_world)
        before = permit(listed, AssessOptions(), partial(_answer, consent))
        now = permit_anew(worse, AssessOptions(), before)
        assert now.permissions["wipe"].allowed is in_world


def _permitted(options: AssessOptions, *tools: dict[str, Any]) -> dict[str, bool]:
    permitted = permit(Listed(surface=Surface(tools=list(tools))), options, None)
    return {name: found.allowed for name, found in permitted.permissions.items()}


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
