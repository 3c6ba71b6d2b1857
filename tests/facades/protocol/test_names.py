"""Names of methods and notifications: whether a revision has them, and what was meant."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.protocol import (
    Outcome,
    validate_jsonrpc,
    validate_method_name,
    validate_notification,
    validate_notification_name,
    validate_request,
)
from mcp_assay.spec.dialects import ERLMCP_METHODS, ERLMCP_NOTIFICATIONS, SPELLINGS
from mcp_assay.spec.methods import Method, methods_in
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS

ALL: Final = [
    (revision, method) for revision in REVISIONS for method in methods_in(revision).values()
]


def by_kind(method: Method, revision: str) -> tuple[Outcome, Outcome]:
    """The answers for the name as what it is, and as what it is not."""
    answers = (
        validate_method_name(method.name, revision=revision),
        validate_notification_name(method.name, revision=revision),
    )
    return answers if method.kind == "request" else (answers[1], answers[0])


def test_every_official_name_is_valid_as_what_it_is_and_as_nothing_else() -> None:
    for revision, method in ALL:
        right, wrong = by_kind(method, revision)
        assert right == Outcome(), (revision, method)
        assert not wrong.ok, (revision, method)
        assert wrong.reason in ("unknown_method", "unknown_notification")


@pytest.mark.parametrize("name", ["unknown/method", "", "tools", "Tools/list", "tools/list "])
def test_an_unknown_method_is_an_error_by_name_and_a_warning_in_a_message(name: str) -> None:
    assert validate_method_name(name).reason == "unknown_method"
    assert validate_request(name).reason == "unknown_method"
    assert not validate_request(name, {}).ok
    message = validate_jsonrpc({"jsonrpc": "2.0", "id": 1, "method": name})
    assert message.ok
    assert [one.rule for one in message.findings] == ["SCHEMA-003"]


@pytest.mark.parametrize("name", ["notifications/unheard-of", "initialized", ""])
def test_an_unknown_notification_is_an_error_by_name_and_a_warning_in_a_message(name: str) -> None:
    assert validate_notification_name(name).reason == "unknown_notification"
    assert validate_notification(name).reason == "unknown_notification"
    message = validate_jsonrpc({"jsonrpc": "2.0", "method": name})
    assert message.ok
    assert message.reason == "unknown_notification"


@pytest.mark.parametrize("name", sorted(SPELLINGS))
def test_the_other_spellings_are_unknown_and_the_details_say_what_was_meant(name: str) -> None:
    check = validate_method_name if name in ERLMCP_METHODS else validate_notification_name
    outcome = check(name)
    assert not outcome.ok
    assert outcome.details == {"method": name, "did_you_mean": SPELLINGS[name].official}


def test_set_level_has_another_name() -> None:
    outcome = validate_method_name("logging/set_level")
    assert outcome.reason == "unknown_method"
    assert outcome.details["did_you_mean"] == "logging/setLevel"
    assert "did you mean logging/setLevel?" in outcome.findings[0].message


@pytest.mark.parametrize("name", sorted(ERLMCP_METHODS))
def test_the_dialect_has_its_own_methods(name: str) -> None:
    assert validate_method_name(name, dialect="erlmcp").ok
    assert not validate_notification_name(name, dialect="erlmcp").ok


@pytest.mark.parametrize("name", sorted(ERLMCP_NOTIFICATIONS))
def test_the_dialect_has_its_own_notifications(name: str) -> None:
    assert validate_notification_name(name, dialect="erlmcp").ok
    assert not validate_method_name(name, dialect="erlmcp").ok


@pytest.mark.parametrize(
    ("name", "revision"),
    [
        ("elicitation/create", R2024_11_05),
        ("tasks/list", R2025_06_18),
        ("server/discover", R2025_11_25),
        ("initialize", R2026_07_28),
        ("ping", R2026_07_28),
        ("tasks/result", R2026_07_28),
    ],
)
def test_a_method_of_other_revisions_is_unknown_and_the_details_say_whose_it_is(
    name: str, revision: str
) -> None:
    outcome = validate_method_name(name, revision=revision)
    assert outcome.reason == "unknown_method"
    assert revision not in outcome.details["defined_in"]
    assert outcome.details["defined_in"]


@pytest.mark.parametrize("name", [None, 7, True, 1.5, [], {}, ("a",)])
def test_a_name_that_is_no_string_has_the_wrong_type(name: Any) -> None:
    assert validate_method_name(name).reason == "invalid_method_type"
    assert validate_notification_name(name).reason == "invalid_method_type"


def test_a_request_is_judged_by_its_params_too() -> None:
    assert validate_request("tools/call", {"name": "search"}).ok
    assert validate_request("tools/call", {"tool": "search"}).reason == "invalid_params"
    assert validate_request("tools/call").reason == "invalid_params"
    assert validate_request("tools/list").ok
    assert validate_request("tools/list", ["cursor"]).reason == "invalid_params_type"


def test_a_notification_is_judged_by_its_params_too() -> None:
    params = {"progressToken": 7, "progress": 1}
    assert validate_notification("notifications/progress", params).ok
    assert validate_notification("notifications/progress", {}).reason == "invalid_params"
    assert validate_notification("notifications/progress", 7).reason == "invalid_params_type"
    assert validate_notification("notifications/initialized").ok


def test_names_alone_say_nothing_about_params() -> None:
    assert validate_method_name("tools/call").ok
    assert validate_notification_name("notifications/progress").ok


def test_the_dialect_takes_parameters_by_position() -> None:
    assert validate_request("tools/list", ["cursor"], dialect="erlmcp").ok
    assert (
        validate_request("tools/list", "cursor", dialect="erlmcp").reason == "invalid_params_type"
    )


@pytest.mark.parametrize("name", ["com.example/thing", "org.example.tools/call"])
def test_a_vendors_method_is_not_one_of_the_revision(name: str) -> None:
    outcome = validate_method_name(name)
    assert (outcome.ok, outcome.reason) == (False, "unknown_method")
    assert validate_jsonrpc({"jsonrpc": "2.0", "id": 1, "method": name}).ok


def test_a_secret_in_a_name_is_not_repeated() -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
    outcome = validate_method_name(secret)
    assert outcome.reason == "unknown_method"
    assert secret not in str(outcome.findings)
