"""Values from names, descriptions, the user, earlier answers and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.named_values import allowed_in, directories_in, examples_in
from mcp_assay.scenario.usual_values import TEXTS, by_name, is_harmless
from tests.scenario.helping import NOTHING_KNOWN, closed, first, named, planned

TEXT = {"type": "string"}
RECORDS = [{"id": f"c{number}"} for number in range(1, 8)]
USERS = {"users": [{"id": "u-17", "name": "Ann"}, {"id": "u-18", "name": "Bob"}]}


def answer(text: str = "", structured: Any = None, *, refused: bool = False) -> dict[str, Any]:
    blocks = [{"type": "text", "text": text}] if text else []
    more = {} if structured is None else {"structuredContent": structured}
    return {"content": blocks, "isError": refused, **more}


def made(name: str, values: Values = NOTHING_KNOWN, tool: str = "try", **schema: Any) -> Any:
    return first(closed({name: {**TEXT, **schema}}), values=values, tool=tool)[name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("email", "assay@example.invalid"),
        ("userEmail", "assay@example.invalid"),
        ("website_url", "https://example.invalid/"),
        ("hostName", "host.example.invalid"),
        ("sourceIP", "192.0.2.1"),
        ("timezone", "UTC"),
        ("startDate", "2026-01-15"),
        ("file_path", "assay-example.txt"),
        ("search_query", "hello"),
        ("apiToken", "not-a-real-secret"),
        ("width", "example"),
        ("monkey", "example"),
        ("filename", "assay-example.txt"),
    ],
)
def test_a_text_is_what_its_name_says(name: str, value: str) -> None:
    assert made(name) == value


@pytest.mark.parametrize(
    ("description", "value"),
    [
        ("IANA timezone name (e.g., 'America/New_York', 'Europe/London').", "America/New_York"),
        ("Time to convert in 24-hour format (HH:MM)", "14:30"),
        ("SELECT SQL query to execute", "SELECT 1"),
        ("A date as YYYY-MM-DD", "2026-01-15"),
        ("The city, e.g. Bergen", "Bergen"),
        ("A page such as `intro` or `faq`", "intro"),
        ("For example 'https://somewhere.net/'", "example"),
        ("For example /etc/hosts", "example"),
    ],
)
def test_a_text_is_what_its_description_says(description: str, value: str) -> None:
    assert made("thing", description=description) == value


def test_examples_and_defaults_of_the_schema_are_used() -> None:
    assert made("thing", examples=["one", "two"]) == "one"
    assert made("thing", default="usual") == "usual"
    assert made("url", examples=["https://somewhere.net/"]) == "https://example.invalid/"


def test_the_values_of_the_user_come_before_all_others() -> None:
    given = Values.given({"try": {"values": {"thing": ["mine"], "/deep/thing": ["deep"]}}})
    assert made("thing", given, default="usual", examples=["one"]) == "mine"
    deep = closed({"deep": closed({"thing": TEXT})})
    assert first(deep, values=given) == {"deep": {"thing": "deep"}}


@pytest.mark.parametrize("entry", [None, [], {"valid": 3, "values": []}, {"values": {"x": 1}}])
def test_odd_examples_of_the_user_say_nothing(entry: Any) -> None:
    assert made("thing", Values.given({"try": entry})) == "example"


@pytest.mark.parametrize(
    ("tool", "name"), [("get_user", "user_id"), ("get_user", "id"), ("fetchUser", "userId")]
)
def test_an_id_that_was_listed_is_used_to_get_the_thing(tool: str, name: str) -> None:
    known = Values().mine("list_users", answer(structured=USERS))
    assert made(name, known, tool) == "u-17"


def test_what_belongs_to_the_thing_is_preferred() -> None:
    known = Values().mine("list_orders", answer('[{"id": "o-5"}]'))
    known = known.mine("list_users", answer(structured=USERS))
    assert made("id", known, "get_user") == "u-17"
    assert made("id", known, "get_order") == "o-5"
    assert made("order_id", known, "track") == "o-5"


def test_numbers_are_mined_as_numbers() -> None:
    known = Values().mine("list_orders", answer("Order id: 42\nstatus: open"))
    schema = closed({"order_id": {"type": "integer"}})
    assert first(schema, values=known, tool="get_order") == {"order_id": 42}


def test_secrets_are_not_mined() -> None:
    secret = {"api_key": "k-1", "accessToken": "t-1", "password": "p-1", "sessionCookie": "c-1"}
    assert Values().mine("login", answer(structured=secret)).facts == ()


@pytest.mark.parametrize("result", [None, 5, [], {}, {"content": 5}, {"content": [1, {"text": 2}]}])
def test_odd_answers_teach_nothing(result: Any) -> None:
    assert Values().mine("try", result) == Values()


def test_a_deep_or_large_answer_is_read_within_limits() -> None:
    deep: Any = {"id": "x"}
    for _ in range(500):
        deep = {"a": deep}
    assert Values().mine("try", answer(structured=deep)).facts == ()
    many = {"rows": [{"id": f"r-{number}"} for number in range(5_000)]}
    assert 0 < len(Values().mine("try", answer(structured=many)).facts) <= 8


def test_what_is_learned_leaves_the_values_before_alone() -> None:
    before = Values()
    assert before.mine("list_users", answer(structured=USERS)) != before
    assert before == Values()


OUTSIDE = (
    "Access denied: /srv/assay-example.txt is outside allowed directories: not in /data/a, /data/b"
)


def test_an_allowed_directory_is_learned_from_a_refusal() -> None:
    known = Values().mine("read_file", answer(OUTSIDE, refused=True), "/path")
    assert known.directories == ("/data/a", "/data/b")
    assert made("path", known, "list_directory") == "/data/a"


def test_a_listed_file_is_read_where_it_lies() -> None:
    known = Values().mine("list_allowed_directories", answer("Allowed directories:\n/data/a"))
    known = known.mine("list_directory", answer("[DIR] sub\n[FILE] notes.txt      12 B"))
    assert made("path", known, "read_text_file") == "/data/a/notes.txt"
    assert made("path", known, "list_directory") == "/data/a"


def test_without_a_directory_that_was_named_paths_are_relative() -> None:
    for name in ("path", "file", "directory", "repo_path", "root"):
        assert not made(name).startswith(("/", "~"))


@pytest.mark.parametrize(
    ("refusal", "allowed"),
    [
        ("Input should be 'a', 'b' or 'c'", ["a", "b", "c"]),
        ("Invalid enum value. Expected 'asc' | 'desc', received 'x'", ["asc", "desc"]),
        ('Invalid option: expected one of "x"|"y"', ["x", "y"]),
        ("unit must be one of: metric, imperial", ["metric", "imperial"]),
        ("unit must be one of [metric, imperial]", ["metric", "imperial"]),
        ("Available cities: london, oslo. Try again.", ["london", "oslo"]),
        ("Unknown unit. Supported units are C, F and K.", ["C", "F", "K"]),
        ("Version 'x' is not available. Available versions for 'a-b': v2, v1.", ["v2", "v1"]),
        ('Use one of the following tools: "connect" to connect to an instance', []),
        ("Unknown tool. Available tools: find, count", []),
        ("Unknown command. Valid commands: start, stop", ["start", "stop"]),
        ("expected string, received number", []),
        ('[{"code": "invalid_type", "expected": "string", "path": ["id"]}]', []),
        ("Input should be a valid string", []),
        ("The server is not available, please try again", []),
        ("", []),
    ],
)
def test_the_allowed_values_in_a_refusal(refusal: str, allowed: list[str]) -> None:
    assert list(allowed_in(refusal)) == allowed


def test_allowed_values_are_used_for_the_argument_that_was_refused() -> None:
    refusal = answer("unit must be one of: metric, imperial", refused=True)
    known = Values().mine("weather", refusal, "/unit")
    assert made("unit", known, "weather") == "metric"
    assert made("unit", known, "other") == "example"
    error = {"error": {"code": -32602, "message": "must be one of: 3, 4"}}
    schema = closed({"level": {"type": "integer"}})
    known = Values().mine("weather", error, "/level")
    assert first(schema, values=known, tool="weather") == {"level": 3}


def test_the_marks_of_markdown_are_no_values() -> None:
    text = "**SAVE THIS CONVERSATION ID:** 88c7-01\n**Revision:** **4**\nRule: --"
    known = Values().mine("learn", answer(text))
    assert {fact.name: fact.value for fact in known.facts} == {"id": "88c7-01", "revision": "4"}


def test_of_an_example_that_begins_at_a_root_the_ending_is_kept() -> None:
    def taken(example: str) -> Any:
        described = {"type": "string", "description": f"A page, e.g. '{example}'"}
        return first(closed({"path": described}))["path"]

    assert taken("/guides/start.md") == "assay-example.md"
    assert taken("guides/start.md") == "guides/start.md"
    assert taken("/guides/start") == "assay-example.txt"


@pytest.mark.parametrize(
    ("description", "examples"),
    [
        ("An id (e.g., 'a/b', 'c/d') as 'find_id' gives it", ["a/b", "c/d"]),
        ("A name (such as 'x' (the first) or 'y'), not 'z'", ["x", "y"]),
        ("A name, e.g. 'x', 'y') or 'z'", ["x", "y", "z"]),
    ],
)
def test_examples_in_parentheses_end_with_them(description: str, examples: list[str]) -> None:
    assert examples_in(description) == examples


@pytest.mark.parametrize("text", ["'" * 5_000, "one of " * 1_000, "/a" * 5_000, "e.g. " * 1_000])
def test_long_texts_are_read_quickly_and_without_harm(text: str) -> None:
    assert len(allowed_in(text)) <= 64
    assert len(directories_in(f"not in {text}")) <= 64
    assert len(examples_in(text)) <= 64


@pytest.mark.parametrize(
    ("value", "harmless"),
    [
        ("/etc/passwd", False),
        ("~/.ssh/id", False),
        ("C:\\Windows", False),
        ("https://somewhere.net/x", False),
        ("https://example.invalid/x", True),
        ("http://[bad", False),
        ("10.0.0.1", False),
        ("192.0.2.7", True),
        ("someone@somewhere.net", False),
        ("someone@example.invalid", True),
        ("plain words", True),
        ("/", True),
        (5, True),
    ],
)
def test_what_is_harmless(value: object, harmless: bool) -> None:
    assert is_harmless(value) == harmless


def test_all_values_of_the_tables_are_harmless() -> None:
    assert [value for values in TEXTS.values() for value in values if not is_harmless(value)] == []


def test_no_made_text_leads_anywhere() -> None:
    schema = closed(dict.fromkeys(sorted(TEXTS)[:60], TEXT))
    for one in planned(schema, budget=120).scenarios:
        assert [text for text in one.arguments.values() if not is_harmless(text)] == []


def test_names_in_the_plural_are_known() -> None:
    assert by_name(TEXTS, "user_emails") == by_name(TEXTS, "email")


def test_of_each_kind_of_fact_enough_is_learned_and_of_others_still_more() -> None:
    known = Values()
    for number in range(20):
        known = known.mine("list_users", answer(f"id: u-{number}"))
    assert [fact.value for fact in known.facts] == [f"u-{number}" for number in range(8)]
    assert known.mine("list_users", answer("id: u-30")) is known
    assert [fact.value for fact in known.mine("list_users", answer("key: k")).facts][8:] == ["k"]
    assert [fact.value for fact in known.mine("list_notes", answer("id: n")).facts][8:] == ["n"]


def test_further_records_that_results_named_are_tried_before_rare_values() -> None:
    known = Values().mine("list_contacts", answer(structured={"contacts": RECORDS}))
    tried = planned(closed({"id": {"type": "string"}}), values=known, tool="get_contact")
    ids = [one.arguments["id"] for one in named(tried, "real value")]
    assert ids == ["c2", "c3", "c4", "c5"]
    assert [one.name for one in tried.scenarios].index("real value 1") < 5


def test_values_of_another_name_or_type_are_not_taken_for_real_ones() -> None:
    known = Values().mine("list_contacts", answer(structured={"contacts": RECORDS}))
    other = planned(closed({"colour": {"type": "string"}}), values=known, tool="get_contact")
    numbers = planned(closed({"id": {"type": "integer"}}), values=known, tool="get_contact")
    listed = planned(closed({"id": {"enum": ["c1", "c2"]}}), values=known, tool="get_contact")
    assert not any(named(one, "real value") for one in (other, numbers, listed))


def test_every_value_that_the_user_typed_is_tried() -> None:
    known = Values.given({"get_invoice": {"values": {"customer": ["c-17", "c-18"]}}})
    tried = planned(closed({"customer": {"type": "string"}}), values=known, tool="get_invoice")
    assert {"c-17", "c-18"} <= {one.arguments.get("customer") for one in tried.scenarios[:6]}


def test_a_tool_that_adds_something_gets_no_further_records() -> None:
    known = Values().mine("list_contacts", answer(structured={"contacts": RECORDS}))
    tried = planned(closed({"id": {"type": "string"}}), values=known, tool="add_contact")
    assert not named(tried, "real value")


@pytest.mark.parametrize(
    ("day", "wanted"),
    [
        ("2019-03-02", {"year": 2019, "month": 3}),
        ("2019-03-02T10:00:00Z", {"year": 2019, "month": 3}),
        ("2019-13-02", None),
        ("2019-03-021", None),
    ],
)
def test_who_asks_by_month_asks_for_one_in_which_there_is_something(
    day: str, wanted: dict[str, int] | None
) -> None:
    known = Values().mine("list_entries", answer(structured={"entries": [{"day": day}]}))
    asked = closed({"year": {"type": "integer"}, "month": {"type": "integer"}})
    found = first(asked, values=known, tool="month_report")
    assert found == (wanted or first(asked, tool="month_report"))


@pytest.mark.parametrize(
    "said",
    [
        "Created the task (ID: task-7).",
        "Task created with task id `task-7` in the list",
        "1. Buy milk [task_id=task-7] open",
        "Noted.\nThe ID is given below.\nID: task-7",
    ],
)
def test_an_id_is_found_in_the_middle_of_a_sentence(said: str) -> None:
    known = Values().mine("add_task", answer(said))
    assert made("task_id", known, "get_task") == "task-7"


def test_words_behind_the_word_id_and_numbers_below_zero_are_no_ids() -> None:
    known = Values().mine("add_task", answer("The task id must be unique"))
    known = known.mine("get_task", answer('{"index": -1, "task_id": -1}'))
    assert known.facts == ()
