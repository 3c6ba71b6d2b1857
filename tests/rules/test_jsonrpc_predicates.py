"""The envelope rules, run straight from the registry on messages of every kind and type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import orjson
import pytest
from hypothesis import example as including
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_assay.model.entry import Kind, Message
from mcp_assay.rules.engine.rule import REGISTRY, Example, Found, Rule
from mcp_assay.rules.engine.samples import error, notification, request, result
from mcp_assay.rules.message import batch, error_codes, json_text, jsonrpc
from mcp_assay.rules.message.error_codes import ERROR_SHAPES
from mcp_assay.spec.revisions import (
    DEFAULT_REVISION,
    R2024_11_05,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
    REVISIONS,
    between,
)
from mcp_assay.spec.shapes.base import SHAPES
from tests.rules.examples import values

MODULES = (jsonrpc, error_codes, json_text, batch)
NUMBERS = (*range(1, 21), *range(27, 31))
IDS = (*(f"JSONRPC-{n:03}" for n in NUMBERS), "BATCH-001", "BATCH-002", "BATCH-003")
RULES = [REGISTRY[id] for id in IDS]
PREDICATES = [rule for rule in RULES if rule.check]

WINDOWS = {
    "JSONRPC-012": between(R2024_11_05, R2025_06_18),
    "JSONRPC-013": between(R2025_11_25, R2026_07_28),
    "JSONRPC-028": (R2026_07_28,),
    "JSONRPC-029": (R2026_07_28,),
    "JSONRPC-030": (R2026_07_28,),
}
"""The revisions of the rules that do not hold in all of them."""

REASONS = {
    "not_map",
    "parse_error",
    "invalid_jsonrpc_version",
    "invalid_message_structure",
    "missing_method",
    "invalid_method_type",
    "invalid_id_type",
    "invalid_params_type",
    "both_result_and_error",
    "missing_result_and_error",
    "invalid_result_type",
    "missing_error_code",
    "missing_error_message",
    "invalid_error_code_type",
    "invalid_error_code",
    "type_mismatch",
    "unknown_member",
    "duplicate_member",
    "not_interoperable",
    "unfit_error_message",
}

Seen = tuple[str, str, str]


def kind_of(value: dict[str, Any]) -> Kind:
    if "method" in value:
        method = value["method"]
        named_so = isinstance(method, str) and method.startswith("notifications/")
        return "notification" if named_so or "id" not in value else "request"
    if "error" in value:
        return "error"
    return "result" if "result" in value else "unknown"


def as_message(value: dict[str, Any], revision: str = DEFAULT_REVISION) -> Message:
    method = value.get("method")
    return Message(
        value=value,
        kind=kind_of(value),
        method=method if isinstance(method, str) else None,
        revision=revision,
    )


def found_by(rule: Rule, message: Message) -> Iterator[Found]:
    applies = message.revision in WINDOWS.get(rule.id, REVISIONS)
    if rule.check and applies and message.kind in rule.on.kinds:
        yield from rule.check(message)


def judge(value: dict[str, Any], revision: str = DEFAULT_REVISION) -> list[tuple[Rule, Found]]:
    message = as_message(value, revision)
    return [(rule, found) for rule in PREDICATES for found in found_by(rule, message)]


def seen(value: dict[str, Any], revision: str = DEFAULT_REVISION) -> list[Seen]:
    return [
        (rule.id, pointer(found), found.reason or rule.reason)
        for rule, found in judge(value, revision)
    ]


def pointer(found: Found) -> str:
    return "".join(f"/{step}" for step in found.path)


PING = request("ping")
PONG = result({})
FAILED = error(-32603, "Internal error")
NO_ERROR_ID = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}


@pytest.mark.parametrize(
    "value",
    [
        PING,
        PONG,
        FAILED,
        request("ping", id="p-1"),
        request("ping", id=""),
        request("ping", id=-(2**53 - 1)),
        request("tools/call", {"name": "search"}),
        notification("notifications/initialized"),
        notification("notifications/progress", {"progressToken": 7, "progress": 1}),
        error(-32042.0, "Sign in first."),
        error(9999, "x" * 5000),
        {**PING, "id": float("inf")},
        {**PING, "id": object()},
        {**PING, "params": object()},
        {**FAILED, "error": {"code": object(), "message": object()}},
    ],
)
def test_nothing_is_said_about_a_sound_envelope_or_about_marked_values(
    value: dict[str, Any],
) -> None:
    assert seen(value) == []


VERSION = ("JSONRPC-002", "/jsonrpc", "invalid_jsonrpc_version")
METHOD = ("JSONRPC-006", "/method", "invalid_method_type")
PARAMS = ("JSONRPC-007", "/params", "invalid_params_type")
RESULT = ("JSONRPC-010", "/result", "invalid_result_type")
NO_METHOD = ("JSONRPC-006", "/method", "missing_method")
NO_SHAPE = ("JSONRPC-006", "", "invalid_message_structure")
NO_ANSWER = ("JSONRPC-009", "", "missing_result_and_error")
TWO_ANSWERS = ("JSONRPC-009", "", "both_result_and_error")
HYBRID = ("JSONRPC-016", "", "invalid_message_structure")
REPEATED_ID = ("JSONRPC-008", "/id", "invalid_message_structure")
BIG_ID = ("JSONRPC-020", "/id", "not_interoperable")
ERROR = ("JSONRPC-014", "/error", "type_mismatch")
NO_CODE = ("JSONRPC-014", "/error/code", "missing_error_code")
CODE = ("JSONRPC-014", "/error/code", "invalid_error_code_type")
NO_TEXT = ("JSONRPC-014", "/error/message", "missing_error_message")
TEXT = ("JSONRPC-014", "/error/message", "type_mismatch")
UNFIT = ("JSONRPC-015", "/error/message", "unfit_error_message")


def id_of(rule: str) -> Seen:
    return (rule, "/id", "invalid_id_type")


def unknown(name: str) -> Seen:
    return ("JSONRPC-017", f"/{name}", "unknown_member")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, [VERSION, NO_SHAPE]),
        ({"jsonrpc": "2.0"}, [NO_SHAPE]),
        ({"jsonrpc": "2.0", "id": 1}, [NO_ANSWER]),
        ({"jsonrpc": "2.0", "id": None}, [NO_ANSWER]),
        ({"jsonrpc": "2.0", "params": {}}, [NO_METHOD]),
        ({"jsonrpc": "2.0", "id": 1, "params": {}}, [NO_METHOD]),
        ({"jsonrpc": "2.0", "id": 1, "params": None}, [NO_METHOD, PARAMS]),
        ({"jsonrpc": "2.0", "id": 1, "methd": "ping"}, [NO_ANSWER, unknown("methd")]),
        ({"jsonrpc": "2.0", "id": 2**53}, [NO_ANSWER, BIG_ID]),
        ({**PONG, **FAILED}, [TWO_ANSWERS]),
        ({**PONG, "error": None}, [TWO_ANSWERS, ERROR]),
        ({**PING, **PONG}, [HYBRID]),
        ({**PING, **FAILED}, [HYBRID]),
        ({**PING, **PONG, **FAILED}, [HYBRID]),
        ({**PONG, "method": None}, [METHOD, HYBRID]),
        ({"jsonrpc": "2.0", "method": "tick", "result": 1}, [HYBRID]),
    ],
)
def test_the_shape_of_a_message_is_reported_once(
    value: dict[str, Any], expected: list[Seen]
) -> None:
    assert seen(value) == expected


@pytest.mark.parametrize("version", [None, True, 2, 2.0, "1.0", "2", "2.0 ", ["2.0"], {"2": 0}])
@pytest.mark.parametrize("base", [PING, PONG, FAILED, notification("notifications/initialized")])
def test_only_the_string_2_0_is_a_version(base: dict[str, Any], version: Any) -> None:
    assert seen({**base, "jsonrpc": version}) == [VERSION]


@pytest.mark.parametrize("method", [None, False, 0, 1.5, [], ["ping"], {}, {"name": "ping"}])
def test_a_method_that_is_no_string_is_reported(method: Any) -> None:
    assert seen({**PING, "method": method}) == [METHOD]
    assert seen({"jsonrpc": "2.0", "method": method}) == [METHOD]


@pytest.mark.parametrize("value", [None, True, 0, 1.5, float("inf"), "x", []])
def test_params_result_and_error_must_be_objects(value: Any) -> None:
    assert seen({**PING, "params": value}) == [PARAMS]
    assert seen({**notification("tick"), "params": value}) == [PARAMS]
    assert seen({**PONG, "result": value}) == [RESULT]
    assert seen({**FAILED, "error": value}) == [ERROR]


@pytest.mark.parametrize(
    ("id", "grade"),
    [
        (True, None),
        ({}, None),
        ([1], None),
        (1.5, None),
        (1.0, "integral float"),
        (1e300, "integral float"),
    ],
)
def test_ids_of_a_wrong_type_are_reported_in_every_kind_that_has_one(
    id: Any, grade: str | None
) -> None:
    wrong = grade or "wrong type"
    table = [
        (PING, R2025_11_25, "JSONRPC-004", grade),
        (PONG, R2025_11_25, "JSONRPC-011", grade),
        (FAILED, R2025_06_18, "JSONRPC-012", grade),
        (FAILED, R2025_11_25, "JSONRPC-013", wrong),
    ]
    for base, revision, rule, expected in table:
        assert seen({**base, "id": id}, revision) == [id_of(rule)]
        assert [found.grade for _, found in judge({**base, "id": id}, revision)] == [expected]


@pytest.mark.parametrize(
    ("value", "revision", "expected"),
    [
        ({**PING, "id": None}, R2025_11_25, [id_of("JSONRPC-005")]),
        ({**PONG, "id": None}, R2025_11_25, [id_of("JSONRPC-011")]),
        ({"jsonrpc": "2.0", "result": {}}, R2025_11_25, [id_of("JSONRPC-011")]),
        ({**FAILED, "id": None}, R2024_11_05, [id_of("JSONRPC-012")]),
        ({**FAILED, "id": None}, R2025_11_25, [id_of("JSONRPC-013")]),
        ({**FAILED, "id": None}, R2026_07_28, [id_of("JSONRPC-013")]),
        (NO_ERROR_ID, R2025_06_18, [id_of("JSONRPC-012")]),
        (NO_ERROR_ID, R2025_11_25, []),
        (NO_ERROR_ID, R2026_07_28, []),
    ],
)
def test_null_and_missing_ids_follow_the_kind_and_the_revision(
    value: dict[str, Any], revision: str, expected: list[Seen]
) -> None:
    assert seen(value, revision) == expected
    assert all(found.grade is None for _, found in judge(value, revision))


@pytest.mark.parametrize("id", [1, "a", None, True, [], 1.5])
def test_a_notification_has_no_id_of_any_type(id: Any) -> None:
    assert seen({**notification("notifications/initialized"), "id": id}) == [REPEATED_ID]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [NO_CODE, NO_TEXT]),
        ({"code": -32603}, [NO_TEXT]),
        ({"message": "Failed"}, [NO_CODE]),
        ({"code": None, "message": None}, [CODE, TEXT]),
        ({"code": True, "message": False}, [CODE, TEXT]),
        ({"code": "-32603", "message": 5}, [CODE, TEXT]),
        ({"code": 1.5, "message": 1.5}, [CODE, TEXT]),
        ({"code": {}, "message": float("inf")}, [CODE, TEXT]),
        ({"code": float("inf"), "message": "Failed"}, []),
        ({"code": [], "message": []}, [CODE, TEXT]),
        ({"code": -32603.0, "message": "Failed"}, []),
        ({"code": 10**6000, "message": "Failed"}, []),
        ({"code": 1, "message": ""}, [UNFIT]),
        ({"code": 1, "message": "   "}, [UNFIT]),
        ({"code": 1, "message": "one\ntwo"}, [UNFIT]),
        ({"code": 1, "message": "one\rtwo"}, [UNFIT]),
        ({"code": 1, "message": "Failed\n"}, [UNFIT]),
        ({"code": 1, "message": "goroutine 12 [running]: main.main()"}, [UNFIT]),
        ({"code": 1, "message": "Traceback (most recent call last):\n  File"}, [UNFIT]),
        ({"code": 1, "message": "half a pair \ud800 is the reader's business"}, []),
    ],
)
def test_error_objects_are_judged_member_by_member(
    body: dict[str, Any], expected: list[Seen]
) -> None:
    assert seen({**FAILED, "error": body}) == expected


def reported_codes(codes: tuple[int, ...], revision: str) -> list[tuple[int, str]]:
    return [
        (code, rule.id)
        for code in codes
        for rule, found in judge(error(code, "Failed"), revision)
        if found.path == ("error", "code") and rule.reason == "invalid_error_code"
    ]


STANDARD_CODES = (-32700, -32600, -32601, -32602, -32603)


@pytest.mark.parametrize("revision", REVISIONS)
def test_codes_that_json_rpc_reserves_are_reported_in_every_revision(revision: str) -> None:
    reserved = (-32768, -32701, -32699, -32604, -32599, -32113, -32100)
    free = (-32769, -31999, -1, 0, 1001, 9999)
    expected = [(code, "JSONRPC-027") for code in reserved]
    assert reported_codes(reserved + free + STANDARD_CODES, revision) == expected


def test_the_codes_of_2026_07_28_are_reported_there_and_only_there() -> None:
    table = (
        (-32099, "JSONRPC-028"),
        (-32043, "JSONRPC-028"),
        (-32023, "JSONRPC-028"),
        (-32042, "JSONRPC-029"),
        (-32002, "JSONRPC-029"),
        (-32019, "JSONRPC-030"),
        (-32001, "JSONRPC-030"),
        (-32000, "JSONRPC-030"),
    )
    codes = tuple(code for code, _ in table)
    assert reported_codes((*codes, -32020, -32021, -32022), R2026_07_28) == list(table)
    for revision in between(R2024_11_05, R2025_11_25):
        assert reported_codes(codes, revision) == []


def test_every_unknown_member_is_named_up_to_a_limit() -> None:
    assert seen({**PING, "meta": 1, "id ": 2}) == [unknown("meta"), unknown("id ")]
    crowd = {f"x{n}": n for n in range(100_000)}
    assert seen({**PING, **crowd}) == [unknown(f"x{n}") for n in range(20)]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Method", "method"),
        ("parameters", "params"),
        ("ID", "id"),
        ("json-rpc", "jsonrpc"),
        ("errors", "error"),
        ("timestamp", None),
        ("", None),
        ("method" * 1_000_000, None),
    ],
)
def test_a_near_miss_of_a_member_gets_a_suggestion(name: str, near: str | None) -> None:
    [(_, found)] = judge({**PING, name: 1})
    assert found.details == ({"did_you_mean": near} if near else None)
    assert len(found.text) < 200


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (request("ping", id=2**53), "/id"),
        (result({}, id=-(2**53)), "/id"),
        (error(-32603, "Failed", id=10**6000), "/id"),
        (request("ping", {"_meta": {"progressToken": 2**53}}), "/params/_meta/progressToken"),
        (notification("notifications/progress", {"progressToken": 2**64}), "/params/progressToken"),
        (notification("notifications/cancelled", {"requestId": -(2**64)}), "/params/requestId"),
    ],
)
def test_integers_beyond_53_bits_are_reported_where_ids_and_tokens_stand(
    value: dict[str, Any], place: str
) -> None:
    assert seen(value) == [("JSONRPC-020", place, "not_interoperable")]


@pytest.mark.parametrize(
    "value",
    [
        request("tools/call", {"name": "add", "arguments": {"requestId": 2**60}}),
        request("tools/call", {"name": "add", "progressToken": 2**60}),
        request("ping", {"_meta": {"progressToken": 2.0**60}}),
        notification("notifications/message", {"level": "info", "data": 2**60}),
    ],
)
def test_large_integers_elsewhere_are_left_alone(value: dict[str, Any]) -> None:
    assert seen(value) == []


GOOD_EXAMPLES = [(rule.id, example) for rule in RULES for example in values(rule.good)]
BAD_VALUES = [
    (rule.id, example)
    for rule in PREDICATES
    for example in values(rule.bad)
    if not isinstance(example.value, bytes)
]
"""The bad examples that a predicate decides; those made of bytes are the reader's."""


@pytest.mark.parametrize(("id", "example"), GOOD_EXAMPLES)
def test_good_examples_break_no_envelope_rule(id: str, example: Example) -> None:
    values = example.value if isinstance(example.value, list) else [example.value]
    for value in values:
        decoded = orjson.loads(value) if isinstance(value, bytes) else value
        assert seen(decoded, example.revision) == [], id


@pytest.mark.parametrize(("id", "example"), BAD_VALUES)
def test_bad_examples_of_predicates_break_their_rule_alone(id: str, example: Example) -> None:
    [(broken, where, _)] = seen(example.value, example.revision)
    assert (broken, where) == (id, example.pointer)


@pytest.mark.parametrize("id", ["JSONRPC-001", "JSONRPC-019"])
def test_bad_examples_of_broken_text_are_refused_by_a_strict_parser(id: str) -> None:
    for example in values(REGISTRY[id].bad):
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(example.value)


def test_bad_examples_of_duplicate_members_have_them() -> None:
    def twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names.append(len(pairs) > len(dict(pairs)))
        return dict(pairs)

    for example in values(REGISTRY["JSONRPC-018"].bad):
        names: list[bool] = []
        json.loads(example.value, object_pairs_hook=twice)
        assert names.count(True) == 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_plain_words_and_a_known_reason(rule: Rule) -> None:
    assert rule.reason in REASONS
    assert rule.name == rule.name.lower().replace("_", "-")
    for sentence in (rule.title, rule.why, rule.instead):
        assert sentence.endswith(".")


def test_every_rule_of_these_modules_is_in_the_list() -> None:
    modules = {module.__name__ for module in MODULES}
    registered = {r.id for r in REGISTRY.values() if r.check and r.check.__module__ in modules}
    assert registered == {rule.id for rule in PREDICATES}


NAMES = st.sampled_from(
    [*jsonrpc.MEMBERS, "code", "message", "_meta", "progressToken", "requestId", "Method"]
) | st.text(max_size=6)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-32800, -31990)
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(
        ["2.0", "ping", "notifications/cancelled", "notifications/progress", "\ud800"]
    )
    | st.builds(object),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
MESSAGES = st.dictionaries(NAMES, JSON_VALUES, max_size=8)
PATCHES = {
    rule.id: jsonschema_rs.Draft7Validator(dict(rule.patch["Error"])).is_valid
    for rule in PREDICATES
    if "Error" in rule.patch
}
SHAPE_RULES = ("JSONRPC-006", "JSONRPC-009")


@settings(derandomize=True)
@given(value=MESSAGES, revision=st.sampled_from(REVISIONS))
@including(value={"jsonrpc": "2.0", "id": 10**6000, "error": {"code": 1e308}}, revision=R2026_07_28)
def test_no_predicate_raises_or_speaks_in_riddles(value: dict[str, Any], revision: str) -> None:
    for rule, found in judge(value, revision):
        assert found.text.endswith(".")
        assert found.text.isprintable()
        assert (found.reason or rule.reason) in REASONS
        found.text.encode()


@settings(derandomize=True)
@given(value=MESSAGES)
def test_a_message_of_no_kind_has_exactly_one_finding_about_its_shape(
    value: dict[str, Any],
) -> None:
    shapeless = {name: v for name, v in value.items() if name not in ("method", "result", "error")}
    assert sum(id in SHAPE_RULES for id, _, _ in seen(shapeless)) == 1


@settings(derandomize=True)
@given(
    code=st.integers(-32800, -31990)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False),
    text=st.text(max_size=12)
    | st.sampled_from(
        ["", " ", "a\n", "\r", "\x1c", "\u2028", "panicked at 'x'", "Stack trace: a"]
    ),
    revision=st.sampled_from(REVISIONS),
)
def test_what_the_patches_accept_the_predicates_accept_too(
    code: float, text: str, revision: str
) -> None:
    message = as_message(error(code, text), revision)
    for id, accepts in PATCHES.items():
        if accepts({"code": code, "message": text}):
            assert list(found_by(REGISTRY[id], message)) == []


def test_the_patches_cover_the_rules_about_codes_and_messages_and_accept_a_sound_error() -> None:
    assert {shape.name for shape in SHAPES if shape.name.endswith("Error")} == set(ERROR_SHAPES)
    assert set(PATCHES) == {"JSONRPC-015", *(f"JSONRPC-{n:03}" for n in range(27, 31))}
    for accepts in PATCHES.values():
        assert accepts({"code": -32602, "message": "Unknown tool: forecast"})
