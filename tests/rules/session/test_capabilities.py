"""Capabilities: what needs one, who must have declared it, and when nobody can tell."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    declaring,
    error,
    initialize,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.spec.capabilities import AS_TASKS, SENT, SERVED, declares, takes_mode
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.methods import METHODS, methods_in
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from tests.rules.session.playing import JUNK, decided, left_open, reported

CACHED = {"ttlMs": 0, "cacheScope": "private"}
FORM = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {}}}
LINK = {"mode": "url", "message": "Sign in.", "url": "https://example.com", "elicitationId": "e"}


def nested(capability: str) -> dict[str, Any]:
    """Capabilities that hold just this one."""
    value: Any = True if capability.endswith(("subscribe", "listChanged")) else {}
    for name in reversed(capability.split(".")):
        value = {name: value}
    return dict(value)


def exchanged(method: str, id: int = 1) -> list[Step]:
    """The client asks, and the server answers, whatever it may be."""
    return [c2s(request(method, {}, id=id)), s2c(result({}, id=id))]


def sent(method: str) -> list[Step]:
    """The message from whoever sends it."""
    known = methods_in(R2025_11_25)[method]
    make = request if known.kind == "request" else notification
    return [Step(known.senders[0], make(method, {}))]


def wanting(client: dict[str, Any], asked: Any) -> list[Step]:
    """An answer of 2026-07-28 that asks for input."""
    return [
        c2s(request("tools/call", declaring(client, name="note", arguments={}))),
        s2c(modern_result({"inputRequests": asked}, result_type="input_required")),
    ]


def test_the_tables_name_methods_and_rules_that_exist() -> None:
    needs = [*SERVED.values(), *SENT.values(), *AS_TASKS.values()]
    assert {need.rule for need in needs} - {""} <= set(CATALOGUE)
    assert {*SERVED, *SENT, *AS_TASKS} <= {method.name for method in METHODS}


@pytest.mark.parametrize("method", SERVED)
def test_whoever_serves_and_uses_a_method_needs_its_capability(method: str) -> None:
    need = SERVED[method]
    served = [(4, need.rule)] if need.rule else []
    asked = [(3, "LIFE-013")]
    assert reported(opening(), exchanged(method), rules="CAP- LIFE-") == asked + served
    declared = opening(server=nested(need.capability))
    assert reported(declared, exchanged(method), rules="CAP- LIFE-") == []


@pytest.mark.parametrize("method", SERVED)
def test_a_server_whose_capabilities_were_not_seen_is_left_alone(method: str) -> None:
    assert reported(exchanged(method), rules="CAP- LIFE-", partial=True) == []
    assert "LIFE-013" in left_open(exchanged(method), partial=True)
    assert SERVED[method].rule in {"", *left_open(exchanged(method), partial=True)}


def test_an_undeclared_capability_is_reported_each_time() -> None:
    calls = [exchanged("tools/call", id) for id in (1, 2)]
    assert reported(opening(), *calls, rules="CAP-") == [(4, "CAP-001"), (6, "CAP-001")]


def test_a_refusal_is_no_service() -> None:
    asked = [c2s(request("tools/list", id=1)), s2c(error(-32601, "Method not found", id=1))]
    assert reported(opening(), asked, rules="CAP-") == []


def test_completions_need_no_capability_in_the_first_revision() -> None:
    begun = opening(revision=R2024_11_05)
    assert reported(begun, exchanged("completion/complete"), rules="CAP- LIFE-") == []


def test_capabilities_are_judged_anew_when_the_server_reports_them() -> None:
    found = {"supportedVersions": [R2026_07_28], "capabilities": {}, **CACHED}
    asked = [c2s(modern_request("tools/list")), s2c(modern_result({"tools": [], **CACHED}))]
    learned = [c2s(modern_request("server/discover")), s2c(modern_result(found))]
    assert reported(asked, learned, asked, rules="CAP-") == [(5, "CAP-001")]


@pytest.mark.parametrize("junk", JUNK)
def test_a_declaration_of_any_type_is_survived_and_counts_unless_it_is_empty(junk: Any) -> None:
    said = reported(opening(server={"tools": junk}), exchanged("tools/list"), rules="CAP-")
    assert said == ([(4, "CAP-001")] if junk is None or junk is False else [])


@pytest.mark.parametrize("method", SENT)
def test_whoever_sends_a_message_needs_its_capability(method: str) -> None:
    need = SENT[method]
    assert reported(opening(), sent(method), rules="CAP-") == [(3, need.rule)]
    declared = nested(need.capability)
    assert reported(opening(server=declared, client=declared), sent(method), rules="CAP-") == []


@pytest.mark.parametrize("method", SENT)
def test_a_message_is_left_open_where_no_capabilities_were_seen(method: str) -> None:
    assert reported(sent(method), rules="CAP-", partial=True) == []
    assert SENT[method].rule in left_open(sent(method), partial=True)


def test_what_comes_from_the_wrong_side_breaks_another_rule() -> None:
    wrong = [c2s(notification("notifications/tools/list_changed")), s2c(request("tools/list"))]
    assert reported(opening(), wrong, rules="CAP- LIFE-") == []


@pytest.mark.parametrize(
    ("flag", "findings"), [(True, 0), (False, 1), (None, 1), ("yes", 0), ([], 0)]
)
def test_a_flag_must_be_set_but_nonsense_is_not_held_against_it(flag: Any, findings: int) -> None:
    changed = s2c(notification("notifications/prompts/list_changed"))
    begun = opening(server={"prompts": {"listChanged": flag}})
    assert len(reported(begun, changed, rules="CAP-007")) == findings


@pytest.mark.parametrize("method", AS_TASKS)
def test_a_request_that_asks_for_a_task_needs_the_receivers_leave(method: str) -> None:
    need, sender = AS_TASKS[method], methods_in(R2025_11_25)[method].senders[0]
    asked = Step(sender, request(method, {"task": {"ttl": 1}}))
    simple: dict[str, Any] = {"tools": {}, "sampling": {}, "elicitation": {}, "tasks": {}}
    both = {**simple, **nested(need.capability)}
    assert reported(opening(server=simple, client=simple), asked, rules="CAP-014") == [
        (3, "CAP-014")
    ]
    assert reported(opening(server=both, client=both), asked, rules="CAP-014") == []


def test_a_server_asks_the_client_for_tasks_by_the_clients_capabilities() -> None:
    asked = s2c(request("tasks/list", id=1))
    assert reported(opening(server={"tasks": {"list": {}}}), asked, rules="CAP-014") == [
        (3, "CAP-014")
    ]
    assert reported(opening(client={"tasks": {"list": {}}}), asked, rules="CAP-014") == []


@pytest.mark.parametrize(
    ("declared", "form", "url"),
    [
        ({}, True, False),
        ({"form": {}}, True, False),
        ({"url": {}}, False, True),
        ({"form": {}, "url": {}}, True, True),
        ({"other": {}}, True, False),
        ("nonsense", True, True),
    ],
)
def test_a_client_takes_forms_unless_it_names_only_other_modes(
    declared: Any, form: bool, url: bool
) -> None:
    capabilities = {"elicitation": declared}
    assert (takes_mode(capabilities, "form"), takes_mode(capabilities, "url")) == (form, url)


@pytest.mark.parametrize("mode", [*JUNK, "voice"])
def test_a_mode_that_does_not_exist_is_not_judged_by_capabilities(mode: Any) -> None:
    asked = [
        s2c(request("elicitation/create", {**FORM, "mode": mode}, id=1)),
        c2s(result({"action": "decline"}, id=1)),
    ]
    assert reported(opening(client={"elicitation": {}}), asked, rules="CAP- ELIC-011") == []


def test_a_client_without_elicitation_may_refuse_as_it_likes() -> None:
    asked = [s2c(request("elicitation/create", LINK, id=1)), c2s(error(-32601, "No", id=1))]
    assert reported(opening(), asked, rules="CAP-012 ELIC-011") == []


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({"method": "roots/list"}, "CAP-008"),
        ({"method": "sampling/createMessage", "params": {"tools": []}}, "CAP-009"),
        ({"method": "elicitation/create", "params": FORM}, "CAP-010"),
    ],
)
def test_input_is_asked_for_only_as_far_as_the_request_allows(asked: Any, rule: str) -> None:
    assert reported(wanting({}, {"q": asked}), rules="CAP-") == [(1, rule)]


@pytest.mark.parametrize(
    ("member", "value", "rules"),
    [
        ("tools", [], ["CAP-011"]),
        ("toolChoice", {}, ["CAP-011"]),
        ("includeContext", "allServers", ["CAP-013"]),
        ("includeContext", "none", []),
        ("includeContext", ["thisServer"], []),
        ("tools", None, []),
    ],
)
def test_sampling_with_extras_needs_more_in_both_eras(
    member: str, value: Any, rules: list[str]
) -> None:
    params = {"messages": [], "maxTokens": 1, member: value}
    asked = {"method": "sampling/createMessage", "params": params}
    modern = reported(wanting({"sampling": {}}, {"q": asked}), rules="CAP-")
    legacy = reported(
        opening(client={"sampling": {}}),
        s2c(request("sampling/createMessage", params, id=1)),
        rules="CAP-",
    )
    assert [rule for _, rule in modern] == [rule for _, rule in legacy] == rules


@pytest.mark.parametrize("junk", JUNK)
def test_input_requests_of_any_type_are_survived(junk: Any) -> None:
    assert reported(wanting({}, junk), rules="CAP-") == []
    assert reported(wanting({}, {"q": junk}), rules="CAP-") == []
    strange = {"method": "sampling/createMessage", "params": junk}
    assert reported(wanting({"sampling": {}}, {"q": strange}), rules="CAP-") == []
    unsaid = {"method": junk, "params": {}}
    assert reported(wanting({"sampling": {}}, {"q": unsaid}), rules="CAP-") == []


@pytest.mark.parametrize("junk", [None, True, 1, "text", []])
def test_input_is_left_open_where_the_request_does_not_say_what_the_client_can_do(
    junk: Any,
) -> None:
    steps = wanting(junk, {"q": {"method": "elicitation/create", "params": FORM}})
    assert reported(steps, rules="CAP-") == []
    assert "CAP-010" in left_open(steps)


def test_a_method_of_another_revision_is_not_agreed_on() -> None:
    asked = s2c(request("elicitation/create", FORM, id=1))
    assert reported(opening(revision=R2025_03_26), asked, rules="LIFE-") == [(3, "LIFE-012")]
    early = c2s(request("tasks/list", id=1))
    assert reported(opening(revision=R2025_06_18), early, rules="LIFE-") == [(3, "LIFE-013")]


def test_a_method_that_no_revision_has_is_the_peers_own_affair() -> None:
    asked = [c2s(request("example/hello", id=1)), s2c(result({}, id=1))]
    assert reported(opening(), asked, rules="LIFE- CAP-") == []


def test_experimental_terms_may_allow_methods_of_other_revisions() -> None:
    asked = c2s(request("tasks/list", id=1))
    begun = opening(server={"experimental": {"tasks": {}}}, revision=R2025_06_18)
    assert reported(begun, asked, rules="LIFE-") == []
    assert "LIFE-013" in left_open(begun, asked)


def test_nothing_is_agreed_on_before_initialize_is_answered() -> None:
    steps = [c2s(initialize(revision=R2025_03_26)), s2c(request("elicitation/create", FORM, id=1))]
    assert reported(steps, rules="LIFE-012") == []


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ([{"type": "text", "text": "a"}, {"type": "resource", "resource": {}}], True),
        ([{"type": "resource_link", "uri": "notes://1", "name": "a"}], False),
        ([{"type": "text", "text": "a"}], False),
        *[(junk, False) for junk in JUNK],
    ],
)
def test_only_embedded_resources_need_the_capability(content: Any, found: bool) -> None:
    call = [
        c2s(request("tools/call", {"name": "a"}, id=1)),
        s2c(result({"content": content}, id=1)),
    ]
    assert reported(opening(server={"tools": {}}), call, rules="CALL-008") == (
        [(4, "CALL-008")] if found else []
    )
    assert reported(call, rules="CALL-008", partial=True) == []


def test_a_client_with_roots_may_fail_as_it_likes() -> None:
    asked = [s2c(request("roots/list", id=1)), c2s(error(-32603, "Disk is gone", id=1))]
    assert reported(opening(client={"roots": {}}), asked, rules="ROOT-002") == []
    assert "ROOT-002" in decided(opening(client={"roots": {}}), asked)
    assert reported(asked, rules="ROOT-002 CAP-", partial=True) == []


@pytest.mark.parametrize("junk", JUNK)
def test_declaring_reads_any_value(junk: Any) -> None:
    assert declares({"a": junk}, "a.b") is not (
        junk is None or junk is False or isinstance(junk, dict)
    )
