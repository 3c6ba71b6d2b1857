"""Values checked in this process: right, in plain words, and without ever raising."""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from math import inf, nan
from time import process_time
from timeit import timeit
from typing import Any, Final

import jsonschema_rs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.schema.checker import Schemas, SchemaVerdict
from mcp_assay.schema.engine import FEW, TYPES, LateEngine, fits, is_plain
from mcp_assay.schema.isolated import answers
from mcp_assay.schema.keywords import ANCHORS, IN_PLACE, NAMED, ONE_OR_LIST, REFERENCES
from mcp_assay.schema.limits import MAX_PREPARED_BYTES, MAX_PROBLEMS
from mcp_assay.schema.messages import INVALID, VALID
from mcp_assay.schema.preflight import Survey, survey
from tests.schema.bombs import doubling, nested

NOTE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 3},
        "count": {"type": "integer", "minimum": 0},
        "kind": {"enum": ["list", "text", None]},
    },
    "required": ["title"],
    "additionalProperties": False,
}
NOT_PLAIN: Final = (nan, inf, -inf, "\ud800", {"\udfff": 1}, {1}, b"a", {1: 2}, object(), 10**1_000)
SECRET: Final = "ghp_" + "a1B2" * 9


def check(schema: Any, value: object) -> SchemaVerdict:
    return Schemas().prepare(schema).check(value)


def texts(schema: Any, value: object) -> list[tuple[tuple[str | int, ...], str]]:
    return [(problem.path, problem.text) for problem in check(schema, value).problems]


def test_a_value_that_fits_is_valid() -> None:
    assert check(NOTE, {"title": "tea", "count": 3, "kind": None}) == VALID


def test_every_fault_is_reported_with_its_place() -> None:
    assert texts(NOTE, {"title": "t", "count": "3", "colour": "red"}) == [
        (("title",), "is shorter than the 3 characters the schema asks for"),
        (("count",), "is a string, the schema says integer"),
        ((), 'has members that the schema does not allow: "colour"'),
    ]


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "integer"}, "3", "is a string, the schema says integer"),
        ({"type": ["array", "null"]}, 3, "is an integer, the schema says array or null"),
        ({"type": "integer"}, 3.5, "is a number, the schema says integer"),
        ({"type": "integer"}, True, "is a boolean, the schema says integer"),
        ({"required": ["a"]}, {}, 'lacks the member "a"'),
        ({"const": 3}, 4, "is not 3"),
        ({"const": {"a": 1}}, 4, "is not an object"),
        ({"enum": ["a", None]}, 4, 'is not one of "a", null'),
        (
            {"enum": [*range(7)]},
            8,
            "is not one of 0, 1, 2, 3, 4, and 2 more",
        ),
        ({"minimum": 3}, 2, "is below 3, the schema's minimum"),
        ({"maximum": 3}, 4, "is above 3, the schema's maximum"),
        ({"exclusiveMinimum": 3}, 3, "is not above 3, as the schema says"),
        ({"exclusiveMaximum": 3.5}, 4, "is not below 3.5, as the schema says"),
        ({"multipleOf": 2}, 3, "is not a multiple of 2"),
        ({"maximum": 10**50}, 10**51, "is above a very long number, the schema's maximum"),
        ({"minLength": 2}, "é", "is shorter than the 2 characters the schema asks for"),
        ({"maxLength": 2}, "abc", "is longer than the 2 characters the schema allows"),
        ({"pattern": "^a"}, "b", 'does not match the schema\'s pattern "^a"'),
        ({"minItems": 2}, [], "has fewer items than 2, the least the schema allows"),
        ({"maxItems": 1}, [1, 2], "has more items than 1, the most the schema allows"),
        ({"minProperties": 1}, {}, "has fewer members than 1, the least it may have"),
        ({"maxProperties": 0}, {"a": 1}, "has more members than 0, the most it may have"),
        (
            {"uniqueItems": True},
            [1, 1.0],
            "has duplicate items, and the schema requires unique ones",
        ),
        ({"contains": {"const": 1}}, [2], "does not have the items that the schema requires"),
        ({"not": {}}, 1, "is excluded by the schema"),
        (False, 1, "is not allowed by the schema"),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            "has a member whose name the schema does not allow",
        ),
        (
            {"unevaluatedProperties": False},
            {"a": 1},
            'has members that the schema does not allow: "a"',
        ),
        ({"unevaluatedItems": False}, [1], "has items that the schema does not allow"),
        (
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "items": [True],
                "additionalItems": False,
            },
            [1, 2],
            "has more than 1 items",
        ),
        (
            {"oneOf": [{"minimum": 1}, {"minimum": 2}]},
            3,
            "matches more than one alternative of oneOf",
        ),
        (
            {"anyOf": [{"minimum": 5}, {"maximum": 1}]},
            3,
            "matches none of the 2 alternatives of the schema",
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            3,
            "is an integer, the schema says string or null",
        ),
        (
            {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]},
            3,
            "is below 5, the schema's minimum",
        ),
    ],
)
def test_a_fault_is_reported_in_plain_words(schema: Any, value: object, text: str) -> None:
    verdict = check(schema, value)
    assert (verdict.outcome, texts(schema, value)) == ("invalid", [((), text)])


def test_what_is_wrong_inside_the_only_likely_alternative_is_reported() -> None:
    optional = {"properties": {"note": {"oneOf": [NOTE, {"type": "null"}]}}}
    assert texts(optional, {"note": {"title": 3}}) == [
        (("note", "title"), "is an integer, the schema says string")
    ]


@pytest.mark.parametrize(
    "schema", [{"type": "integer"}, {"const": SECRET}, {"enum": [SECRET]}, {"pattern": SECRET}]
)
def test_no_text_of_the_value_and_no_secret_of_the_schema_is_repeated(schema: Any) -> None:
    [(_, text)] = texts(schema, "my token " + SECRET[:-1])
    assert SECRET[:12] not in text


def test_long_texts_of_the_schema_are_cut() -> None:
    [(_, text)] = texts({"enum": ["long" * 1_000]}, 1)
    assert len(text) < 200


def test_of_many_faults_the_first_are_reported() -> None:
    assert len(check({"items": {"type": "string"}}, [*range(500)]).problems) == MAX_PROBLEMS


@pytest.mark.parametrize("value", NOT_PLAIN, ids=range(len(NOT_PLAIN)))
@pytest.mark.parametrize("schema", [True, NOTE, {"type": "number"}, {"$ref": "#"}], ids=str)
def test_what_is_not_plain_json_is_undecided(schema: Any, value: object) -> None:
    for odd in (value, [value], {"title": value}):
        verdict = check(schema, odd)
        assert verdict.outcome == "undecided"
        assert str(verdict.reason).startswith("The ")
        assert str(verdict.reason).endswith(".")


class Colour(IntEnum):
    RED = 1


@pytest.mark.parametrize(
    ("schema", "value", "outcome"),
    [
        ({"type": "array"}, (1, 2), "valid"),
        ({"type": "object"}, OrderedDict(a=1), "valid"),
        ({"type": "integer"}, Colour.RED, "valid"),
        ({"type": "string"}, Colour.RED, "invalid"),
        ({"maximum": 2**64}, 2**64, "valid"),
        ({"maximum": 2**64}, 2**64 + 1, "invalid"),
        ({"minimum": 10**30}, 10**30 - 1, "invalid"),
        ({"type": "integer"}, 1.0, "valid"),
        ({"type": "integer"}, -0.0, "valid"),
    ],
)
def test_python_values_count_as_the_json_they_stand_for(
    schema: Any, value: object, outcome: str
) -> None:
    assert check(schema, value).outcome == outcome


def test_a_deep_value_is_undecided() -> None:
    deep = {"items": {"$ref": "#"}}
    assert check(deep, nested(lambda inner: [inner], 200)) == VALID
    for levels in (201, 1_000, 50_000):
        verdict = check(deep, nested(lambda inner: [inner], levels))
        assert verdict.outcome == "undecided"
        assert "200 levels" in str(verdict.reason)


def test_a_value_that_contains_itself_is_undecided() -> None:
    circle: list[Any] = []
    circle += [circle] * 1_000
    assert check(True, circle).outcome == "undecided"


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
def test_earlier_drafts_are_understood(draft: str) -> None:
    dialect = {"$schema": f"http://json-schema.org/{draft}/schema#"}
    schema = {**dialect, "items": [{"type": "string"}], "definitions": {"a": {}}}
    assert check(schema, ["a", 1]) == VALID
    assert check(schema, [1]).outcome == "invalid"
    assert check({**dialect, "prefixItems": [{"type": "string"}]}, [1]) == VALID


class Here:
    """A worker that checks at once, and could not be stopped."""

    def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
        return [*answers(schema, value)][-1].verdict


def test_draft_4_has_its_own_identifiers() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "https://example.invalid/a",
        "definitions": {"b": {"id": "b", "type": "string"}},
        "properties": {"b": {"$ref": "https://example.invalid/b"}},
    }
    prepared = Schemas(Here()).prepare(schema)
    assert prepared.check({"b": "x"}) == VALID
    assert prepared.check({"b": 1}).outcome == "invalid"


@pytest.mark.parametrize(
    "schema",
    [
        {"format": "email"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "format": "date"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "contentEncoding": "base64"},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "contentMediaType": "application/json",
        },
    ],
)
def test_formats_and_contents_are_annotations(schema: Any) -> None:
    assert check(schema, "neither [a date") == VALID


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "text"}, "The schema is not valid in its dialect, see /type."),
        ({"properties": {"a": {"minimum": "1"}}}, "see /properties/a/minimum."),
        ({"$ref": "https://example.invalid/"}, "which is remote and not fetched."),
        ({"enum": {1, 2}}, "The schema is not plain JSON: JSON has no form for set."),
        ({"const": "\ud800"}, "The schema is not plain JSON"),
        (nested(lambda inner: [inner], 2_000), "The schema is not plain JSON"),
        (doubling(28), "no worker is available"),
        ({"pattern": "^(?!a)"}, "The schema has a pattern at /pattern that may take very long"),
        ({"pattern": r"(a)\1"}, "no worker is available"),
        ({"pattern": "((a{100}){100}){100}"}, "no worker is available"),
    ],
)
def test_a_schema_that_is_not_tame_leaves_values_undecided(schema: Any, words: str) -> None:
    prepared = Schemas().prepare(schema)
    assert prepared.accepts is None
    assert prepared.most_bytes == 0
    assert words in str(prepared.reason)
    assert prepared.check("a") == SchemaVerdict("undecided", reason=prepared.reason)


def test_a_tame_schema_has_a_quick_check() -> None:
    accepts = Schemas().prepare(NOTE).accepts
    assert accepts is not None
    assert accepts({"title": "tea"})
    assert not accepts({"title": 3})
    assert timeit(lambda: accepts({"title": "tea"}), number=10_000, timer=process_time) < 0.5


def test_long_texts_meet_no_pattern_in_this_process() -> None:
    plain, matching = Schemas().prepare({"type": "string"}), Schemas().prepare({"pattern": "^a"})
    assert plain.check("a" * 1_000_000) == VALID
    assert plain.most_bytes > 1_000_000
    assert matching.check("a" * 1_000_000).outcome == "undecided"
    assert matching.most_bytes < 100_000


def test_too_many_possible_faults_are_summarised() -> None:
    schema = {"items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    assert check(schema, [*range(100_000)]) == INVALID


class Recorder:
    """A worker that notes what it is asked."""

    def __init__(self, verdict: SchemaVerdict) -> None:
        self.asked: list[tuple[Any, Any]] = []
        self.verdict = verdict

    def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
        self.asked.append((orjson.loads(schema), orjson.loads(value)))
        return self.verdict


def test_a_worker_checks_what_is_wild_and_nothing_else() -> None:
    worker = Recorder(VALID)
    schemas = Schemas(worker)
    assert schemas.prepare(NOTE).check({"title": "tea"}) == VALID
    assert schemas.prepare({"$ref": "https://example.invalid/"}).check(1).outcome == "undecided"
    assert schemas.prepare(doubling(28)).check({"a": [1]}) == VALID
    assert worker.asked == [(doubling(28), {"a": [1]})]


def test_what_is_known_to_be_invalid_stays_so_whatever_the_worker_says() -> None:
    worker = Recorder(SchemaVerdict("undecided", reason="The check was stopped."))
    assert Schemas(worker).prepare({"items": {"type": "null"}}).check([1] * 50_000) == INVALID
    assert len(worker.asked) == 1


def test_equal_schemas_are_prepared_once() -> None:
    schemas = Schemas()
    assert schemas.prepare(NOTE) is schemas.prepare(orjson.loads(orjson.dumps(NOTE)))


def test_the_schema_that_was_not_used_for_longest_makes_room() -> None:
    schemas = Schemas(most=2)
    first, second = schemas.prepare({"minimum": 1}), schemas.prepare({"minimum": 2})
    assert schemas.prepare({"minimum": 1}) is first
    schemas.prepare({"minimum": 3})
    assert schemas.prepare({"minimum": 1}) is first
    assert schemas.prepare({"minimum": 2}) is not second


def test_long_schemas_make_room_sooner() -> None:
    schemas = Schemas()
    first = schemas.prepare({"minimum": 1})
    for number in range(9):
        schemas.prepare({"description": "a" * (MAX_PREPARED_BYTES // 9), "minimum": number})
    assert schemas.prepare({"minimum": 1}) is not first


HEAVY: Final[dict[str, tuple[Any, Any]]] = {
    "many parts": ({"items": {"allOf": [{"minimum": -n} for n in range(250)]}}, 1),
    "many alternatives": ({"items": {"oneOf": [{"const": n} for n in range(250)]}}, 249),
    "many values": ({"items": {"enum": [{"a": n} for n in range(900)]}}, {"a": 899}),
    "many patterns": (
        {"items": {"allOf": [{"pattern": "(?:[ab]{0,400}a)*c"}] * 10}},
        "".join("ab"[n * n % 7 % 2] for n in range(9_000)),
    ),
    "different items": ({"items": {"uniqueItems": True}}, [*range(1_000)]),
}


@pytest.mark.parametrize("what", HEAVY)
def test_the_longest_value_for_the_quick_check_takes_bounded_time(what: str) -> None:
    schema, item = HEAVY[what]
    prepared = Schemas().prepare(schema)
    accepts = prepared.accepts
    assert accepts is not None
    value = [item] * (prepared.most_bytes // (len(orjson.dumps(item)) + 1))
    assert value
    assert timeit(lambda: accepts(value), number=1, timer=process_time) < 5


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
holding = sorted(IN_PLACE | ONE_OR_LIST | NAMED)
others = ("$id", "$schema", "type", "enum", "const", "required", "pattern", "minimum")
keywords = st.sampled_from([*holding, *REFERENCES, *ANCHORS, *others])
near_schemas = st.recursive(
    scalars | st.sampled_from(["#", "#/$defs/a", "string", "object", "(?=a)", "a+"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keywords, inner, max_size=4),
    max_leaves=20,
)


@given(near_schemas, json_values)
def test_no_schema_and_no_value_raises(schema: Any, value: Any) -> None:
    prepared = Schemas().prepare(schema)
    verdict = prepared.check(value)
    assert (verdict.outcome == "invalid") == bool(verdict.problems)
    assert (verdict.outcome == "undecided") == bool(verdict.reason)
    if prepared.accepts is not None and verdict.outcome != "undecided":
        assert prepared.accepts(value) == (verdict.outcome == "valid")


@given(st.binary())
def test_no_text_of_a_schema_raises(text: bytes) -> None:
    assert survey(text).sort in ("tame", "wild", "refused")


NAMES = st.sampled_from(["a", "b", "c", "ä"])
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(sorted(TYPES)),
        "title": st.text(max_size=3),
        "enum": st.lists(NAMES, min_size=1, max_size=3, unique=True),
    },
)
PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["array", "object"]),
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "required": st.lists(NAMES, min_size=1, max_size=3, unique=True),
            "additionalProperties": st.booleans(),
            "items": inner,
        },
    ),
    max_leaves=8,
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), NAMES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
ENGINES = (
    *(jsonschema_rs.Draft4Validator, jsonschema_rs.Draft6Validator, jsonschema_rs.Draft7Validator),
    *(jsonschema_rs.Draft201909Validator, jsonschema_rs.Draft202012Validator),
)


@given(PLAIN, VALUES)
def test_what_fits_a_plain_schema_at_first_sight_is_valid_in_every_dialect(
    schema: dict[str, Any], value: Any
) -> None:
    assert is_plain(schema)
    valid = [engine(schema, offline=True).is_valid(value) for engine in ENGINES]
    assert all(valid) or not fits(schema, value)
    assert LateEngine(Survey("tame", document=schema)).is_valid(value) == valid[-1]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "text"},
        {"type": ["string"]},
        {"enum": []},
        {"enum": ["a", "a"]},
        {"enum": [1]},
        {"required": []},
        {"required": "a"},
        {"properties": {"a": True}},
        {"properties": {"a": {"minimum": 1}}},
        {"items": [{}]},
        {"additionalProperties": {}},
        {"$ref": "#"},
        {"title": 1},
        True,
    ],
)
def test_all_else_is_left_to_the_engine(schema: Any) -> None:
    assert not is_plain(schema)


def test_a_plain_schema_is_compiled_when_many_values_have_come() -> None:
    engine = LateEngine(Survey("tame", document={"type": "string"}))
    assert all(engine.is_valid("a") for _ in range(FEW + 1))
    assert not engine.is_valid(1)
    assert [error.kind.name for error in engine.iter_errors(1)] == ["type"]
