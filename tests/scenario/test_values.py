"""Values from names, descriptions, the user, earlier answers and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.folder_contents import Contents
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.named_values import (
    allowed_in,
    directories_in,
    examples_in,
    numbers_in,
)
from mcp_assay.scenario.path_values import KnownPlaces, is_path_name
from mcp_assay.scenario.plan import Planning, plan
from mcp_assay.scenario.usual_values import TEXTS, by_form, by_name, is_harmless
from mcp_assay.schema.checker import Schemas
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


@pytest.mark.parametrize(
    "refusal",
    [
        "Path '/srv/x.txt' resolves to a location outside the project directory '/data/a'.",
        "Access denied: '/srv/x.txt' is outside of the workspace '/data/a'",
    ],
)
def test_the_folder_outside_of_which_a_path_lies_is_learned(refusal: str) -> None:
    known = NOTHING_KNOWN.mine(
        "read", answer(refusal, refused=True), "/path", {"path": "/srv/x.txt"}
    )
    assert known.directories == ("/data/a",)


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
        ("Unknown unit: x. Supported: ['m', 'km']", ["m", "km"]),
        ("Invalid operation: x. Must be 'add', 'drop', or 'show'", ["add", "drop", "show"]),
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
    assert made("unit", known, "other") == "m"
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


@pytest.mark.parametrize(
    ("description", "examples"),
    [
        ("Name der Stadt, z. B. 'Bergen'", ["Bergen"]),
        ("Nom de la ville, par exemple Bergen", ["Bergen"]),
        ("город, например: Берген, Осло", ["Берген"]),
        ("干支\uff0c例如\uff1a戊寅 己未 己卯 辛未", ["戊寅 己未 己卯 辛未"]),
        ("日時。例\uff1a`2026-01-15`。", ["2026-01-15"]),
        ("La ciudad que se busca", []),
    ],
)
def test_examples_are_found_behind_words_of_other_languages(
    description: str, examples: list[str]
) -> None:
    assert examples_in(description) == examples


@pytest.mark.parametrize(
    ("description", "numbers"),
    [
        ("Mode: 0 = off, 1 = on", [0, 1]),
        ("1: low, 2: middle, 3: high", [1, 2, 3]),
        ("传0表示女性\uff0c传1表示男性。", [0, 1]),
        ("From 1-5 items", []),
        ("Ratio 16:9 or 4:3", []),
        ("2 for a pair", []),
    ],
)
def test_numbers_that_a_description_gives_meanings_to(description: str, numbers: list[int]) -> None:
    assert numbers_in(description) == numbers
    chosen = first(closed({"mode": {"type": "number", "description": description}}))["mode"]
    assert not numbers or chosen == numbers[0]


def test_an_index_is_first_that_of_the_first_thing() -> None:
    assert first(closed({"table_index": {"type": "integer"}}))["table_index"] == 0


def test_a_selector_is_one_that_every_page_has() -> None:
    said = "Element reference from the snapshot, or a unique element selector"
    assert made("target", description=said) == "body"
    assert made("selector", description="Label selector, as in app=web") != "body"


def test_a_root_that_is_said_to_be_a_folder_is_one() -> None:
    known = Values(places=KnownPlaces(work="/w", samples="/s", trusted=frozenset({"look"})))
    assert made("root", known, "look", description="Root directory of the project") == "/w"
    assert made("root", known, "look", description="Root of a word") != "/w"


def test_a_path_that_is_said_to_be_relative_is_counted_from_the_work_folder() -> None:
    known = KnownPlaces(
        work="/w", samples="/s", trusted=frozenset({"look"}), own_files=("/w/a.md",)
    )
    said = "File path (relative to root)"
    assert made("file_path", Values(places=known), "look", description=said) == "a.md"


def test_a_short_form_of_a_word_is_the_word() -> None:
    listed = NOTHING_KNOWN.mine("list_repositories", answer("tea"))
    assert made("repo_name", listed, "get_tag") == "tea"
    assert made("expr") == made("expression")


def test_what_one_tool_chooses_from_is_no_choice_of_another() -> None:
    known = NOTHING_KNOWN.mine("get_statistics", answer(structured={"operation": "mean"}))
    said = "The operation: 'determinant' or 'inverse'"
    assert made("operation", known, "matrix", description=said) == "determinant"


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
    ("said", "values"),
    [
        ("The stage (Problem Definition, Research, Analysis)", "Problem Definition"),
        ("Stage, in any case: Outline, Draft, Review", "Outline"),
        ("Output as json|csv|text", "json"),
        ("Order of the rows (asc/desc)", "asc"),
        ("A limit (optional, default 5, max 10)", "example"),
        ("Where to look (absolute or relative)", "example"),
        ("What to say, to whom, and why", "example"),
    ],
)
def test_a_choice_that_is_told_in_a_row_is_made(said: str, values: str) -> None:
    assert made("stage", description=said) == values


def test_what_the_description_of_a_tool_says_of_an_argument_counts_as_its_own() -> None:
    purpose = """Plan a thing.

    Args:
        stage: The stage
            (Outline, Draft, Review)
        day (str): When, as YYYY-MM-DD
        - mode: What to do (fast/slow)

    Returns: A plan (one, two, three)
    """
    schema = closed(dict.fromkeys(("stage", "day", "mode", "other"), TEXT))
    definition = {"name": "try", "description": purpose, "inputSchema": schema}
    found = plan(definition, seed=0, budget=1, values=NOTHING_KNOWN, schemas=Schemas())
    wanted = {"stage": "Outline", "day": "2026-01-15", "mode": "fast", "other": "example"}
    assert found.scenarios[0].arguments == wanted


@pytest.mark.parametrize(
    ("tool", "said", "asks", "name", "value"),
    [
        ("list_languages", answer(structured={"result": ["go"]}), "parse", "language", "go"),
        ("all_table_names", answer("tea, water"), "describe", "table_names", "tea"),
        ("list_tables", answer("- tea\n- water"), "describe", "table", "tea"),
        ("list_tables", answer('["tea", "water"]'), "describe", "table_name", "tea"),
        ("add_project", answer(structured={"name": "tea"}), "scan", "project", "tea"),
        ("open_session", answer(structured={"session": {"id": "s"}}), "step", "session_id", "s"),
        ("list_tables", answer("There are no tables."), "describe", "table", "assay_example"),
        ("run_query", answer(structured={"name": "tea"}), "run", "query", "hello"),
    ],
)  # fmt: skip
def test_things_that_one_tool_names_are_given_to_another(
    tool: str, said: Any, asks: str, name: str, value: str
) -> None:
    assert made(name, Values().mine(tool, said), asks) == value


def test_what_a_sensible_call_was_told_comes_before_what_an_odd_one_was() -> None:
    known = Values().mine("add_tea", answer(structured={"tea": {"id": "~~"}}), is_odd=True)
    known = known.mine("get_teas", answer(structured={"id": "t-1"}))
    assert made("tea_id", known, "drink_tea") in ("t-1", "~~")
    assert made("id", known, "drink_tea") == "t-1"


def test_with_what_a_thing_was_made_it_is_asked_for() -> None:
    known = Values().remember("set_note", {"cell": "B7", "text": "tea", "api_key": "k"})
    assert made("cell", known, "delete_note") == "B7"
    assert not [fact for fact in known.facts if fact.value == "k"]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("file_path", True), ("files_to_read", True), ("input_file_a", True), ("file2", True),
        ("dir_name", True), ("repo", True), ("file_hash", False), ("file_pattern", False),
        ("folder_id", False), ("project_name", False), ("path_depth", False),
    ],
)  # fmt: skip
def test_the_head_of_a_name_says_whether_it_is_a_place(name: str, is_one: bool) -> None:
    assert is_path_name(name) is is_one


@pytest.mark.parametrize(
    ("name", "value"),
    [("refers_to", "example"), ("to", "assay@example.invalid"), ("currency_from", "EUR")],
)
def test_a_preposition_says_something_only_where_it_stands_alone(name: str, value: str) -> None:
    assert made(name) == value


def test_a_command_in_items_begins_with_the_name_of_a_program_alone() -> None:
    schema = closed({"command": {"type": "array", "items": TEXT}})
    assert first(schema) == {"command": ["ls"]}


def test_a_language_is_one_of_programs_where_these_are_spoken_of() -> None:
    assert made("language", description="Whose grammar is used") == "python"
    assert made("language") == "en"


def test_in_another_world_what_tools_make_again_is_forgotten() -> None:
    known = Values().mine("create_tea", answer(structured={"id": "t-1"}))
    known = known.mine("list_teas", answer(structured={"teas": [{"id": "t-1"}, {"id": "t-0"}]}))
    known = known.forget({"create_tea"})
    known = known.mine("create_tea", answer(structured={"id": "t-2"}))
    assert [fact.value for fact in known.facts] == ["t-0", "t-2"]


def test_usual_arguments_are_mostly_the_surest_with_few_options() -> None:
    names = ("city", "email", "url", "title")
    options = {f"option{number}": TEXT for number in range(4)}
    schema = closed({**dict.fromkeys(names, TEXT), **options}, list(names))
    planning = Planning(
        {"name": "try", "inputSchema": schema},
        seed=0,
        budget=16,
        values=NOTHING_KNOWN,
        schemas=Schemas(),
        has_succeeded=lambda: False,
    )
    usual = [one.arguments for one in planning.scenarios if one.name.startswith("usual")]
    surest = sum(by_name(TEXTS, name)[0] == one[name] for one in usual for name in names)
    assert usual
    assert surest > len(usual) * len(names) / 2
    assert sum(len(one) - len(names) for one in usual) < len(usual) * 2


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Use YYYY-MM-DD HH:MM", "2026-01-15 14:30"),
        ("in the form DD/MM/YYYY", "15/01/2026"),
        ("as %d.%m.%Y %H:%M:%S", "15.01.2026 14:30:00"),
        ("YYYY-MM-DDTHH:mm:ssZ", "2026-01-15T14:30:00Z"),
        ("HHMM", "1430"),
        ("in MM or SS", "example"),
    ],
)
def test_a_moment_is_written_as_is_told(said: str, value: str) -> None:
    assert made("moment", description=said) == value


def test_a_stretch_of_time_does_not_end_where_it_begins() -> None:
    schema = closed({"start_date": TEXT, "end_date": TEXT})
    assert first(schema) == {"start_date": "2026-01-15", "end_date": "2026-01-22"}


@pytest.mark.parametrize(
    ("description", "schema", "value"),
    [
        ('Rows such as [{"tea": "green"}]', {"type": "array"}, [{"tea": "green"}]),
        ("A point, {'x': 1.5}", {"type": "object"}, {"x": 1.5}),
        ("A point with 'x' and 'label'", {"type": "object"}, {"x": 0.5, "label": "example"}),
        ('JSON like {"tea": 1}', {"type": "string"}, '{"tea":1}'),
        ("Broken {[(", {"type": "object"}, {}),
    ],
)
def test_what_an_object_consists_of_is_read_in_its_description(
    description: str, schema: dict[str, Any], value: Any
) -> None:
    found = first(closed({"thing": {**schema, "description": description}}))["thing"]
    if description.startswith("A point with"):
        assert found.keys() == value.keys()
    else:
        assert found == value


def test_what_an_object_consists_of_may_be_told_below_its_name() -> None:
    purpose = """Args:
        thing: What to weigh, with
            - price (number): what it costs
            - title: how it is called
        other: More
    """
    schema = closed({"thing": {"type": "object"}})
    definition = {"name": "try", "description": purpose, "inputSchema": schema}
    found = plan(definition, seed=0, budget=1, values=NOTHING_KNOWN, schemas=Schemas())
    assert found.scenarios[0].arguments == {"thing": {"price": 10, "title": "An example"}}


def test_what_a_tool_allows_of_an_argument_is_tried() -> None:
    purpose = "Run a program. Allowed commands: wc, pwd, ls. Supported shells: sh, bash"
    schema = closed({"command": {"type": "array", "items": TEXT}, "other": TEXT})
    definition = {"name": "run", "description": purpose, "inputSchema": schema}
    found = plan(definition, seed=0, budget=1, values=NOTHING_KNOWN, schemas=Schemas())
    assert found.scenarios[0].arguments == {"command": ["wc"], "other": "example"}


@pytest.mark.parametrize(
    ("tool", "name", "value"),
    [
        ("list_tables", "db_path", "/srv/tea.db"),
        ("open_presentation", "file_path", "/srv/assay-example.pptx"),
        ("read_data", "path", "/srv"),
    ],
)
def test_a_file_is_of_the_kind_that_a_name_says(tool: str, name: str, value: str) -> None:
    own = ("/srv/tea.db", "/srv/tea.txt")
    trusted = frozenset({tool})
    places = KnownPlaces(work="/srv", samples="/samples", trusted=trusted, own_files=own)
    assert next(Values(places=places).of_field(tool, f"/{name}", name)) == value


@pytest.mark.parametrize(
    ("tool", "name", "description", "value"),
    [
        ("edit_block", "path", "Path of the file to edit", "/srv/tea.txt"),
        ("list_files", "path", "The directory to list", "/srv"),
        ("search_files", "path", "", "/srv"),
        ("read_file", "path", "", "/srv/tea.txt"),
        ("read_file", "path", "A file in the folder", "/srv/tea.txt"),
        ("copy_file", "source", "Path of the file to copy", "/srv/tea.txt"),
        ("copy_file", "destination", "Where the file goes", "/srv/assay-example-new.txt"),
        ("write_file", "path", "", "/srv/assay-example.txt"),
        ("append_file", "path", "", "/srv/tea.txt"),
        ("edit_document", "filename", "", "/srv/tea.txt"),
    ],
)
def test_a_path_is_of_what_is_said_of_it(
    tool: str, name: str, description: str, value: str
) -> None:
    places = KnownPlaces(work="/srv", trusted=frozenset({tool}), own_files=("/srv/tea.txt",))
    assert next(Values(places=places).of_field(tool, f"/{name}", name, description)) == value


def test_a_file_that_was_made_is_what_is_asked_for_next() -> None:
    trusted = frozenset({"get_document_text", "get_weather"})
    places = KnownPlaces(work="/srv", trusted=trusted, own_files=("/srv/tea.txt",))
    known = Values(places=places).remember("create_document", {"filename": "/srv/new.docx"})
    found = {tool: next(known.of_field(tool, "/filename", "filename")) for tool in trusted}
    assert found == {"get_document_text": "/srv/new.docx", "get_weather": "/srv/tea.txt"}


def test_a_repository_is_copied_from_the_samples_into_a_new_folder() -> None:
    trusted = frozenset({"git_clone"})
    places = KnownPlaces(work="/srv", samples="/samples", trusted=trusted, with_paths=trusted)
    known = Values(places=places)
    url = known.of_field("git_clone", "/url", "url", "The URL of the repository")
    assert next(url) == "file:///samples"
    path = known.of_field("git_clone", "/path", "path", "The folder for the repository")
    assert next(path) == "/srv/assay-example-folder"


def test_a_tool_that_removes_a_folder_is_given_none_in_which_others_lie() -> None:
    trusted = frozenset({"delete_directory"})
    own = Contents(folders=("old", "old/older"))
    places = KnownPlaces(work="/srv", samples="/samples", trusted=trusted, own=own)
    found = Values(places=places).of_field("delete_directory", "/dir_path", "dir_path")
    assert next(found) == "/srv/old"
    found = Values(places=places).of_field("remove_folder", "/folder", "folder")
    assert next(found) == "/samples/garden"


def test_a_tool_that_edits_gets_a_file_that_is_there_where_the_server_names_its_folder() -> None:
    trusted = frozenset({"edit_file", "write_file"})
    places = KnownPlaces(work="/srv", trusted=trusted, own_files=("/srv/tea.txt",))
    known = Values(places=places, directories=("/srv",))
    found = {tool: next(known.of_field(tool, "/path", "path")) for tool in trusted}
    assert found == {"edit_file": "/srv/tea.txt", "write_file": "/srv/assay-example.txt"}


def test_a_tool_that_only_asks_for_a_place_is_given_another_one() -> None:
    trusted = frozenset({"git_show", "show_file"})
    places = KnownPlaces(work="/srv", samples="/samples", trusted=trusted, with_paths=trusted)
    known = Values(places=places)
    assert "/samples" in known.real_ones("git_show", "/repo_path", "repo_path")
    assert "/samples/notes.txt" in known.real_ones("show_file", "/file_path", "file_path")


def test_what_a_call_of_ours_has_made_comes_before_what_was_there() -> None:
    known = Values().mine("list_teas", answer(structured={"teas": [{"id": "old"}]}))
    known = known.mine("create_tea", answer(structured={"id": "new"}))
    assert made("tea_id", known, "delete_tea") == "new"


def test_options_that_name_a_known_thing_are_given_before_all_options() -> None:
    known = Values().mine("create_deck", answer(structured={"deck_id": "d-1"}))
    known = known.mine("list_deck_themes", answer(structured={"themes": [{"id": "dark"}]}))
    schema = closed({"title": TEXT, "deck_id": TEXT, "color": TEXT}, ["title"])
    found = planned(schema, values=known, tool="add_page").scenarios
    assert [one.arguments for one in found[:2]] == [
        {"title": "An example"},
        {"title": "An example", "deck_id": "d-1"},
    ]


def test_the_second_of_a_pair_is_another() -> None:
    names = ("text_a", "text_b", "city1", "city2", "geojson_a", "geojson_b")
    found = first(closed(dict.fromkeys(names, TEXT)))
    assert len(set(found.values())) == len(names)


def test_what_a_text_is_by_its_name_comes_before_any_json() -> None:
    assert made("coordinates", description="JSON array of pairs").startswith("[[")
    assert "FeatureCollection" in made("layer", description="A GeoJSON FeatureCollection")


def test_files_that_results_named_come_before_most_samples() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", own_files=("/srv/tea.txt",))
    known = Values(places=places).mine("list_files", answer(structured={"files": ["/out/a.map"]}))
    found = list(known.of_field("read_map", "/file", "file"))
    assert found.index("/out/a.map") == 1


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


@pytest.mark.parametrize(
    ("name", "tool", "description", "form"),
    [
        ("content", "load_csv_from_content", "", "csv"),
        ("data", "json_to_csv", "", "json"),
        ("text", "validate", "The XML to look at", "xml"),
        ("text", "convert_to_csv", "", None),
        ("name", "load_csv", "", None),
        ("text", "translate", "What is said", None),
    ],
)
def test_a_whole_text_is_written_in_the_form_that_its_tool_names(
    name: str, tool: str, description: str, form: str | None
) -> None:
    assert by_form(name, tool, description) == (TEXTS[form] if form else ())
