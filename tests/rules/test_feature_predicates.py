"""The rules of single features: what they find and what not, and that both checks agree."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example as including
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft7Validator, RegexOptions

from mcp_assay.model.entry import Message
from mcp_assay.rules import load
from mcp_assay.rules.engine.fast import FastChecks, fast_checks
from mcp_assay.rules.engine.payload import concerns
from mcp_assay.rules.engine.rule import Example, MapKey, Rule
from mcp_assay.rules.engine.samples import (
    PREFIX,
    SERVER_META,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.rules.engine.slow import kind_of
from mcp_assay.rules.message.patterns import asking
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS
from mcp_assay.text.secrets import (
    ASKED_TEXTS,
    DEEPEST,
    LOGGED_NAMES,
    MARKS,
    MOST_CHARACTERS,
    MOST_NODES,
    SECRET_TEXT,
    asked_secret,
    holds_secret,
    innocent,
    names_secret,
    near_names,
    secrets_in,
)
from mcp_assay.text.token_shapes import LONG_RUN
from mcp_assay.wire.notes import DEEP, NOT_JSON
from mcp_assay.wire.pointer import pointer
from tests.rules.examples import values

IDS = (
    *("PING-001", "CALL-004", "COMP-004", "LOG-006", "PROG-005", "CACHE-004", "SAMP-003"),
    *("SAMP-004", "SAMP-006", "ELIC-007", "ELIC-010", "MRTR-001", "MRTR-003", "SUB-007"),
)
"""The rules of features that have a predicate."""
RULES = [load()[id] for id in IDS]
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{index}")
    for rule in RULES
    for index, example in enumerate((*values(rule.good), *values(rule.bad)))
]

Seen = list[tuple[str, str]]


def as_message(value: dict[str, Any], revision: str, method: str | None) -> Message:
    own = value.get("method")
    return Message(
        value=value,
        kind=kind_of(value),
        method=own if isinstance(own, str) else method,
        revision=revision,
    )


def seen(
    value: dict[str, Any], revision: str = R2025_11_25, method: str | None = None
) -> list[tuple[str, str]]:
    message = as_message(value, revision, method)
    return [
        (rule.id, pointer(found.path))
        for rule in RULES
        if rule.check and concerns(rule, revision, message.kind, message.method)
        for found in rule.check(message)
    ]


def accepted(value: dict[str, Any], revision: str, method: str | None) -> bool:
    message = as_message(value, revision, method)
    return bool(_check(fast_checks(revision), message)(value))


def _check(compiled: FastChecks, message: Message) -> Callable[[dict[str, Any]], bool]:
    if message.kind == "request":
        return compiled.requests[None].compile(message.method)
    if message.kind == "notification":
        return compiled.notifications[None].compile(message.method)
    return compiled.results.compile(message.method)


def sample(*turns: Any, **members: Any) -> dict[str, Any]:
    return request("sampling/createMessage", {"messages": list(turns), "maxTokens": 9, **members})


def form(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return request("elicitation/create", {"message": "Which?", "requestedSchema": schema})


def log(data: Any) -> dict[str, Any]:
    return notification("notifications/message", {"level": "info", "data": data})


def complete(values: Any, **members: Any) -> dict[str, Any]:
    return result({"completion": {"values": values, **members}})


def progress(progress: Any, total: Any) -> dict[str, Any]:
    params = {"progressToken": 1, "progress": progress, "total": total}
    return notification("notifications/progress", params)


def ended(subscription: Any, id: Any) -> dict[str, Any]:
    meta = {**SERVER_META, f"{PREFIX}subscriptionId": subscription}
    return modern_result({"_meta": meta}, id=id)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_fast_check_never_accepts_a_bad_example(rule: Rule, example: Example) -> None:
    fast = accepted(example.value, example.revision, example.method)
    assert not (fast and example in rule.bad())
    assert not (fast and seen(example.value, example.revision, example.method))


TEXT = {"type": "text", "text": "hello"}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"content": [TEXT], "structuredContent": {}}, False),
        ({"content": [], "structuredContent": {}}, True),
        ({"content": [{"type": "image"}, None, DEEP], "structuredContent": {}}, True),
        ({"content": [], "structuredContent": {}, "isError": False}, True),
        ({"content": [], "structuredContent": {}, "isError": True}, False),
        ({"content": []}, False),
        ({"content": "none", "structuredContent": {}}, False),
        ({"structuredContent": {}}, False),
    ],
)
def test_structured_content_wants_a_text_block(members: dict[str, Any], expected: bool) -> None:
    found: Seen = [("CALL-004", "/result/content")] if expected else []
    assert seen(result(members), method="tools/call") == found
    assert seen(result(members), method="tools/list") == []


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"total": 2}, None),
        ({"total": 3}, None),
        ({"total": 1}, "total"),
        ({"total": 1, "hasMore": True}, "total"),
        ({"total": 2.0, "hasMore": True}, "hasMore"),
        ({"total": 3, "hasMore": False}, "hasMore"),
        ({"total": float("inf"), "hasMore": False}, "hasMore"),
        ({"total": 2, "hasMore": False}, None),
        ({"total": 3, "hasMore": True}, None),
        ({"hasMore": True}, None),
        ({"total": "1"}, None),
        ({"total": True, "hasMore": True}, None),
        ({"total": 3, "hasMore": None}, None),
        ({"total": NOT_JSON}, None),
    ],
)
def test_total_and_has_more_agree_with_the_values(
    members: dict[str, Any], place: str | None
) -> None:
    expected = [("COMP-004", f"/result/completion/{place}")] if place else []
    message = complete(["a", "b"], **members)
    assert seen(message, method="completion/complete") == expected


@pytest.mark.parametrize(
    ("done", "total", "expected"),
    [
        (1, 1, False),
        (1.5, 1, True),
        (2, 1.5, True),
        (-1, -2, True),
        (10**400, 1, True),
        (10**400, 1.5, True),
        (float("nan"), 1, False),
        (2, True, False),
        ("2", 1, False),
        (2, None, False),
    ],
)
def test_progress_does_not_exceed_its_total(done: Any, total: Any, expected: bool) -> None:
    assert seen(progress(done, total)) == ([("PROG-005", "/params/progress")] * expected)


def test_a_ping_result_may_have_meta_and_nothing_else() -> None:
    assert seen(result({"_meta": {}}), method="ping") == []
    assert seen(result({"_meta": {}, "a": 1, "b": 2}), method="ping") == [("PING-001", "/result")]
    assert seen(result({"a": 1}), method="resources/subscribe") == []
    assert seen(result({"a": 1})) == []


@pytest.mark.parametrize(
    ("subscription", "id", "expected"),
    [
        (7, 7, False),
        (7.0, 7, False),
        ("7", "7", False),
        ("7", 7, True),
        (7, "7", True),
        (8, 7, True),
        (True, 1, False),
        (None, 7, False),
        (7, None, False),
        (DEEP, 7, False),
    ],
)
def test_a_subscription_ends_under_its_own_id(subscription: Any, id: Any, expected: bool) -> None:
    found = seen(ended(subscription, id), R2026_07_28, "subscriptions/listen")
    place = "/result/_meta/io.modelcontextprotocol~1subscriptionId"
    assert found == [("SUB-007", place)] * expected


def waiting(**members: Any) -> dict[str, Any]:
    return modern_result(members, result_type="input_required")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (waiting(), [("MRTR-001", "/result")]),
        (waiting(inputRequests={}), []),
        (waiting(requestState=""), []),
        (waiting(inputRequests=None), []),
        (modern_result({}), []),
        (modern_result({}, result_type="queued"), []),
        (waiting(requestState="s", ttlMs=1), [("CACHE-004", "/result/ttlMs")]),
        (asking(a={"id": 1}), [("MRTR-003", "/result/inputRequests/a")]),
        (asking(a={"jsonrpc": "2.0", "id": 1}), [("MRTR-003", "/result/inputRequests/a")]),
        (asking(a=7, b=[], c=DEEP), []),
        (
            asking(**{"a/b": {"method": "roots/list"}}),
            [("SAMP-006", "/result/inputRequests/a~1b/method")],
        ),
        (asking(a={"method": "roots/list", "params": 1}, b={"method": ["roots/list"]}), None),
    ],
)
def test_results_that_ask_for_input_are_judged_in_2026_07_28_alone(
    value: dict[str, Any], expected: Seen | None
) -> None:
    roots: Seen = [("SAMP-006", "/result/inputRequests/a/method")]
    assert seen(value, R2026_07_28) == (roots if expected is None else expected)
    assert seen(value, R2025_11_25) == []


@pytest.mark.parametrize("value", [waiting(), waiting(ttlMs=1), asking(a={"method": "roots/list"})])
def test_a_result_that_asks_for_input_is_judged_without_its_request(value: dict[str, Any]) -> None:
    assert seen(value, R2026_07_28, None)
    assert not accepted(value, R2026_07_28, None)
    assert accepted(modern_result({"note": 1}), R2026_07_28, None)


QUESTION = {"role": "user", "content": TEXT}
USE = {"type": "tool_use", "id": "u-1", "name": "search", "input": {}}
ANSWER = {"type": "tool_result", "toolUseId": "u-1", "content": []}
OTHER = {**ANSWER, "toolUseId": "u-2"}


def turn(role: Any, *blocks: Any) -> dict[str, Any]:
    return {"role": role, "content": list(blocks)}


USED = turn("assistant", TEXT, USE)
UNBALANCED: Seen = [("SAMP-004", "/params/messages/0")]
MIXED: Seen = [("SAMP-003", "/params/messages/1/content")]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([USED, turn("user", ANSWER)], []),
        ([{**USED, "content": USE}, {"role": "user", "content": ANSWER}, QUESTION], []),
        ([turn("assistant", USE, {**USE, "id": "u-2"}), turn("user", OTHER, ANSWER)], []),
        ([USED], UNBALANCED),
        ([USED, QUESTION], UNBALANCED),
        ([USED, QUESTION, turn("user", ANSWER)], UNBALANCED),
        ([USED, turn("assistant", ANSWER)], UNBALANCED),
        ([USED, turn("user", OTHER)], UNBALANCED),
        ([USED, turn("user", ANSWER, OTHER)], UNBALANCED),
        ([USED, turn("user", ANSWER, TEXT)], MIXED),
        ([USED, turn("user", TEXT, OTHER)], MIXED + UNBALANCED),
        ([turn("assistant", USE, {**USE, "id": "u-2"}), turn("user", ANSWER)], UNBALANCED),
        ([turn("user", USE), turn("user", TEXT)], []),
        ([turn("assistant", {**USE, "id": {}}), QUESTION], []),
        ([QUESTION, turn("user", ANSWER)], []),
        ([turn("assistant", None, 7), DEEP, "turn", []], []),
        ([USED, DEEP], UNBALANCED),
    ],
)
def test_tool_uses_and_tool_results_balance(turns: list[Any], expected: Seen) -> None:
    assert seen(sample(*turns)) == expected
    assert seen(sample(*turns), R2025_06_18) == []


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("none", []),
        ("thisServer", [("SAMP-006", "/params/includeContext")]),
        ("allServers", [("SAMP-006", "/params/includeContext")]),
        (["allServers"], []),
        (None, []),
    ],
)
def test_other_context_is_deprecated(context: Any, expected: Seen) -> None:
    assert seen(sample(QUESTION, includeContext=context)) == expected


@pytest.mark.parametrize(
    ("label", "secret"),
    [
        ("password", "password"),
        ("userPassword", "password"),
        ("PASSWORD_2", "password"),
        ("confirm-password", "password"),
        ("New password again", "password"),
        ("Password for the archive", "password"),
        ("apiKey", "api key"),
        ("api.key", "api key"),
        ("APIKEY", "api key"),
        ("APIKey", "api key"),
        ("GitHub token", "token"),
        ("credit_card_number", "credit card"),
        ("Card PIN", "pin"),
        ("ssn", "ssn"),
        ("CVV code", "cvv"),
        ("shipping", None),
        ("spin", None),
        ("tokens", None),
        ("token_limit", None),
        ("password length", None),
        ("Secretary", None),
        ("pin_colour", None),
        ("api", None),
        ("", None),
        ("\ud800", None),
    ],
)
def test_a_label_asks_for_a_secret_by_whole_words(label: str, secret: str | None) -> None:
    assert asked_secret(label, ASKED_TEXTS) == secret
    place = pointer(("params", "requestedSchema", "properties", label))
    expected: Seen = [("ELIC-007", place)] if secret else []
    assert seen(form(**{label: {"type": "string"}})) == expected
    assert [one[0] for one in seen(form(a={"type": "string", "title": label}))] == [
        one[0] for one in expected
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "boolean"},
        {"type": "string", "enum": ["a"]},
        {"type": "string", "oneOf": []},
        {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        {"type": "integer"},
        {"type": ["string"]},
        {"type": None, "title": 7},
        {},
        "string",
    ],
)
def test_switches_choices_and_numbers_are_no_passwords(schema: Any) -> None:
    assert seen(form(password=schema)) == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_enum_names_are_legacy_since_2025_11_25(revision: str) -> None:
    message = form(unit={"type": "string", "enum": ["C"], "enumNames": ["Celsius"]})
    place = "/params/requestedSchema/properties/unit/enumNames"
    assert seen(message, revision) == [("ELIC-010", place)] * (revision >= R2025_11_25)


JWT = f"{'eyJ' + 'hbGciOiJIUzI1NiJ9'}.{'eyJ' + 'zdWIiOiI3In0'}.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    "text",
    [
        "key sk-" + "a1" * 10,
        "sk-proj-" + "a_b-" * 8,
        "sk_live_" + "a1" * 10,
        "ghp_" + "a1B2" * 9,
        "github_pat_" + "a1_B2" * 5,
        "xoxb-" + "12-ab-" * 4,
        "AKIA" + "ABCD1234" * 2,
        "AIza" + "aB_1-" * 7,
        f"cookie={JWT};",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIB",
        "-----BEGIN PRIVATE KEY-----",
        "Authorization: Bearer " + "ab.cd" * 4,
        "authorization: Basic dXNlcjpwYXNz",
        "password=hunter2",
        "PGPASSWORD=hunter2 DB_PASSWORD=hunter2",
        "login?user=ada&password=hunter2&next=1",
        "dbPassword = 'hunter2'",
        '{"password": "hunter2"}',
        r"{\"apiKey\": \"4f9a7c21\"}",
        ':client_secret=>"hunter2"',
        "password: hunter2019",
        "X-API-Key: 4f9a7c21e8",
    ],
)
def test_secrets_in_log_texts_are_seen(text: str) -> None:
    assert holds_secret(text)
    assert seen(log({"step": [1, text]})) == [("LOG-006", "/params/data/step/1")]


@given(st.from_regex(re.compile(SECRET_TEXT, re.ASCII)))
def test_every_text_that_may_hold_a_secret_has_a_mark(text: str) -> None:
    assert any(mark in text.lower() for mark in MARKS) or re.search(LONG_RUN, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Connected to the database in 12 ms",
        "task-550e8400-e29b-41d4-a716-446655440000",
        "disk-0123456789abcdef0123",
        "sk-learn-1.5",
        "ghp_short",
        "eyJhbGciOiJIUzI1NiJ9",
        "-----BEGIN PUBLIC KEY-----",
        'WWW-Authenticate: Bearer resource_metadata="https://example.com"',
        "Bearer authentication",
        "Invalid password: too short",
        "authorization: Basic authentication failed",
        "password: required",
        "password=",
        "password=***",
        "password=ab****",
        "password=<hidden>",
        "password=[redacted], user=ada",
        "password=$PASSWORD",
        "password={password}",
        "password=null",
        "password=None",
        "has_password=true",
        "nopassword=hunter2",
        "passwords=hunter2",
        "if password == hunter2",
        '{"password": "must have 8 characters"}',
        "secret: see https://vault.example.com/v1/notes",
    ],
)
def test_words_about_secrets_are_left_alone(text: str) -> None:
    assert not holds_secret(text)
    assert seen(log([text, {"text": text}])) == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("password", "hunter2", True),
        ("DB_PASSWORD", "hunter2", True),
        ("x-api-key", "4f9a7c21", True),
        ("clientSecret", "hunter2", True),
        ("Authorization", "Basic dXNlcjpwYXNz", True),
        ("authorization", "required", False),
        ("authorization", "oauth2", False),
        ("password", "", False),
        ("password", "   ", False),
        ("password", "***", False),
        ("password", "[Redacted]", False),
        ("password", "NULL", False),
        ("password", "This field is required.", False),
        ("password", 12345678, False),
        ("password", ["hunter2"], False),
        ("password", None, False),
        ("password", NOT_JSON, False),
        ("password_length", "hunter2", False),
        ("secretary", "hunter2", False),
        ("user", "hunter2", False),
    ],
)
def test_log_members_with_secret_names_are_seen(name: str, value: Any, expected: bool) -> None:
    found = [("LOG-006", f"/params/data/a/{name}")] if expected else []
    assert seen(log({"a": {name: value}})) == found
    assert names_secret(name) or not expected


def test_the_steps_into_log_data_are_the_senders_own() -> None:
    check = load()["LOG-006"].check
    assert check is not None
    [found] = check(as_message(log({"a": [{"password": "hunter2"}]}), R2025_11_25, None))
    assert [isinstance(step, MapKey) for step in found.path] == [False, False, True, False, True]
    assert "hunter2" not in f"{found.text}{found.details}"


def nested(levels: int, leaf: Any) -> Any:
    for _ in range(levels):
        leaf = {"a": leaf}
    return leaf


def test_the_search_for_secrets_is_bounded() -> None:
    secret = "password=hunter2"
    assert [path for path, _ in secrets_in(nested(DEEPEST, secret))] == [("a",) * DEEPEST]
    assert list(secrets_in(nested(DEEPEST + 1, secret))) == []
    assert list(secrets_in(nested(100_000, secret))) == []
    assert list(secrets_in([0] * (MOST_NODES - 2) + [secret])) != []
    assert list(secrets_in([0] * MOST_NODES + [secret])) == []
    assert list(secrets_in([" " * MOST_CHARACTERS, secret])) == []


@pytest.mark.parametrize(
    "text",
    [
        "sk-" * 300_000,
        " eyJ" + "a" * 900_000,
        ".eyJaaaa" * 100_000,
        "password " * 100_000,
        'password="*** ' * 70_000,
        "api_" * 250_000,
        "-----BEGIN A " * 70_000,
    ],
)
def test_hostile_log_texts_are_searched_to_their_end(text: str) -> None:
    assert not holds_secret(text)
    assert holds_secret(f"{text} password=hunter2")


LOOKALIKES = ("\u0131", "\u017f", "\u212a", "\u0130")
"""Letters that some readers take for i, s and k where case does not matter."""
PIECES = (
    *("password", "Password", "PASSWD", "api", "key", "_", "-", "secret", "authorization", "token"),
    *("=", ": ", "=>", '": "', "\\", "'", " ", "\n", "hunter2", "a1b2c3d4e5", "***", "<", "null"),
    *("sk-", "ghp_", "xoxb-", "AKIA", "AIza", "eyJ", ".", "Bearer ", "basic ", "A1B2C3D4E5F6G7H8"),
    *("-----BEGIN ", "PRIVATE KEY-----", "credit", "card", "pin", "cvv", *LOOKALIKES),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=12)
LOG_DATA = st.recursive(
    TEXTS | st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
INNOCENT = Draft7Validator(innocent(4), pattern_options=RegexOptions())
NEAR = Draft7Validator({"pattern": near_names(ASKED_TEXTS)}, pattern_options=RegexOptions())


@settings(max_examples=250, deadline=None, derandomize=True)
@given(LOG_DATA)
@including("pa\u017f\u017fword=hunter2")
@including({"pr\u0131vate_key": "hunter2"})
@including({"api key": "hunter2"})
@including("AKIAABCD1234ABCD1234\n")
@including(nested(5, "password=hunter2"))
def test_log_data_that_the_fast_check_accepts_holds_no_secret_for_the_slow_check(data: Any) -> None:
    assert not (INNOCENT.is_valid(data) and list(secrets_in(data)))


@pytest.mark.parametrize("levels", range(5))
def test_the_fast_check_accepts_plain_log_data(levels: int) -> None:
    assert INNOCENT.is_valid(nested(levels, "Index rebuilt in 12 ms"))
    assert not INNOCENT.is_valid(nested(levels, "password=hunter2"))
    assert not INNOCENT.is_valid(nested(levels - 1, {"password": "hunter2"}))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXTS)
@including("pass_word")
@including("APIkey")
def test_every_label_that_asks_for_a_secret_is_refused_by_the_fast_check(label: str) -> None:
    asked = asked_secret(label, ASKED_TEXTS) is not None
    assert NEAR.is_valid(label) or not (asked or names_secret(label))


def test_every_secret_name_is_known_in_every_spelling() -> None:
    for name in LOGGED_NAMES:
        words = name.split()
        spellings = ("_".join(words), "-".join(words), "".join(words), "".join(words).upper())
        camel = words[0] + "".join(word.title() for word in words[1:])
        assert all(names_secret(spelling) for spelling in (*spellings, camel, f"my_{camel}"))


BLOCKS = st.sampled_from([TEXT, USE, ANSWER, OTHER, {**USE, "id": "u-2"}])
TURNS = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant"]),
    BLOCKS | st.lists(BLOCKS, max_size=3),
)
LABELS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join)
INPUTS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "title": "Your API key"},
        {"type": "integer", "title": "PIN"},
        {"type": "boolean", "title": "password"},
        {"type": "string", "enum": ["a"], "title": "token"},
        {"type": "string", "enum": ["a"], "enumNames": ["b"]},
        {"type": "string", "oneOf": [{"const": "a", "title": "b"}]},
    ]
)
NUMBERS = st.integers(-1, 4) | st.sampled_from([1.0, 1.5])
MESSAGES = st.one_of(
    st.builds(sample, TURNS, TURNS, TURNS),
    st.builds(sample, TURNS, includeContext=st.sampled_from(["none", "thisServer"])),
    st.dictionaries(LABELS, INPUTS, max_size=2).map(lambda inputs: form(**inputs)),
    st.builds(progress, NUMBERS, NUMBERS),
    st.builds(log, LOG_DATA),
).map(lambda value: (value, R2025_11_25, None)) | st.one_of(
    st.tuples(
        st.builds(
            complete, st.lists(st.just("a"), max_size=3), total=NUMBERS, hasMore=st.booleans()
        ),
        st.just(R2025_11_25),
        st.just("completion/complete"),
    ),
    st.tuples(
        st.builds(ended, st.sampled_from([1, "1", 2]), st.sampled_from([1, "1"])),
        st.just(R2026_07_28),
        st.just("subscriptions/listen"),
    ),
    st.tuples(
        st.dictionaries(LABELS, INPUTS, max_size=2).map(
            lambda inputs: asking(
                a={"method": "elicitation/create", "params": form(**inputs)["params"]}
            )
        ),
        st.just(R2026_07_28),
        st.just("tools/call"),
    ),
)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(MESSAGES)
def test_what_the_fast_check_accepts_breaks_no_feature_rule(
    case: tuple[dict[str, Any], str, str | None],
) -> None:
    assert not (accepted(*case) and seen(*case))


@pytest.mark.parametrize(
    ("value", "revision", "method"),
    [
        (sample(QUESTION), R2025_11_25, None),
        (sample(turn("user", TEXT, TEXT)), R2025_11_25, None),
        (form(city={"type": "string", "title": "City"}), R2025_11_25, None),
        (progress(1, 2), R2025_11_25, None),
        (log({"event": "saved", "notes": [1, 2]}), R2025_11_25, None),
        (complete(["a"], total=9, hasMore=True), R2025_11_25, "completion/complete"),
        (ended(7, 7), R2026_07_28, "subscriptions/listen"),
        (result({"content": [TEXT], "structuredContent": {}}), R2025_11_25, "tools/call"),
        (result({"content": []}), R2025_11_25, "tools/call"),
        (waiting(requestState="s"), R2026_07_28, "tools/call"),
    ],
)
def test_the_fast_check_accepts_ordinary_messages(
    value: dict[str, Any], revision: str, method: str | None
) -> None:
    assert accepted(value, revision, method)


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 7, 1.5, float("inf"), "x", "\ud800", [], {}, [{}], {"a": []}, DEEP, NOT_JSON]
)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Example, dict[str, Any]]:
    """An example in which one value, at any depth, is replaced by something else."""
    rule = draw(st.sampled_from(RULES))
    example = draw(st.sampled_from((*values(rule.good), *values(rule.bad))))
    message = deepcopy(example.value)
    node: Any = message
    while True:
        key = draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or draw(st.booleans()):
            node[key] = draw(JUNK)
            return example, message
        node = node[key]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(damaged())
def test_no_damage_makes_a_predicate_raise(case: tuple[Example, dict[str, Any]]) -> None:
    example, message = case
    for revision in REVISIONS:
        findings = seen(message, revision, example.method)
        assert all(applies(rule, revision) for rule, _ in findings)
