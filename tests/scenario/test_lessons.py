"""What refusals demand of arguments, in several wordings of each kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.scenario.known_values import SentArguments, Values
from mcp_assay.scenario.lessons import demands_in, tools_wanted_in
from mcp_assay.scenario.path_values import KnownPlaces
from mcp_assay.scenario.plan import Planning
from mcp_assay.scenario.statements import READING
from mcp_assay.schema.checker import Schemas


def kinds(text: str, sent: dict[str, Any], *more: str) -> set[tuple[str, tuple[str, ...]]]:
    return {(one.kind, one.arguments) for one in demands_in(text, sent, (*sent, *more))}


@pytest.mark.parametrize(
    "text",
    [
        "filepath must be absolute, e.g. '/home/me/q1.xlsx'",
        "Invalid filename: book.xlsx, must be an absolute path",
        "Please provide an absolute path",
        "Relative paths are not allowed: book.xlsx",
        "Error: Only absolute paths are supported for the workbook",
    ],
)
def test_absolute_paths_are_asked_for(text: str) -> None:
    assert ("absolute", ("filepath",)) in kinds(text, {"filepath": "book.xlsx"})


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("File must be a .pptx file", ".pptx"),
        ("Unsupported extension for deck. Only .pptx is supported", ".pptx"),
        ("path must end with '.pptx'", ".pptx"),
        ("Invalid file: expected *.pptx", ".pptx"),
        ("path should be like '/tmp/deck.pptx'", ".pptx"),
        ("Macros are off. Create a .pptx file instead.", ".pptx"),
    ],
)
def test_the_ending_of_a_file_is_asked_for(text: str, ending: str) -> None:
    found = demands_in(text, {"path": "deck"}, ("path", "slide"))
    assert [one.values for one in found if one.kind == "ending"] == [(ending,)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("start must be an ISO 8601 date", "2026-01-15"),
        ("Invalid start: expected format YYYY-MM-DD", "2026-01-15"),
        ("'example' is not a valid UUID", "6f1d2c3a-8b4e-4f5a-9c6d-0e1f2a3b4c5d"),
        ("start must start with 'proj-'", "proj-example"),
        ("Only absolute URLs are supported, got 'example'", "https://example.invalid/"),
        ("start should begin with https://", "https://example.invalid/"),
    ],
)
def test_forms_are_asked_for(text: str, value: str) -> None:
    found = demands_in(text, {"start": "example"}, ("start", "limit"))
    assert value in [one for demand in found for one in demand.values]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Only CREATE TABLE statements are allowed", "CREATE TABLE"),
        ("Error: only SELECT queries are permitted", "SELECT"),
        ("SELECT queries are not allowed for write_query", "CREATE TABLE"),
        ("Query must start with SELECT or WITH", "SELECT"),
        ("query: DELETE statements are not allowed", "SELECT"),
        ("query supports SELECT; INSERT, UPDATE and DELETE are not supported", "SELECT"),
        ("query must be SELECT, not INSERT", "SELECT"),
        ("query must be an INSERT and cannot be empty", "INSERT"),
    ],
)
def test_statements_are_asked_for(text: str, begins: str) -> None:
    [demand] = demands_in(text, {"query": "hello"}, ("query",))
    assert demand.arguments == ("query",)
    assert demand.values[0].startswith(begins)
    assert begins != "SELECT" or all(map(_only_reads, demand.values))


def _only_reads(statement: str) -> bool:
    return statement.startswith(READING)


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("Missing required argument: owner", "needed", ("owner",)),
        ("'owner' is required when repo is given", "needed", ("owner",)),
        ("You must specify owner", "needed", ("owner",)),
        ("Provide either owner or team", "needed", ("owner",)),
        ("At least one of owner, team must be provided", "needed", ("owner",)),
    ],
)
def test_what_is_missing_is_named(text: str, kind: str, names: tuple[str, ...]) -> None:
    assert (kind, names) in kinds(text, {"repo": "x"}, "owner", "team")


@pytest.mark.parametrize(
    "text",
    [
        "owner and team are mutually exclusive",
        "Cannot specify both owner and team",
        "Only one of owner or team may be given",
        "Use owner or team, not both",
    ],
)
def test_what_does_not_go_together_is_named(text: str) -> None:
    assert ("apart", ("owner", "team")) in kinds(text, {"owner": "a", "team": "b"})


@pytest.mark.parametrize(
    "text",
    [
        "Note 7 does not exist",
        "Could not connect to the database",
        "The file was not found",
        "",
        "x" * 100_000,
        "must " * 5_000,
    ],
)
def test_other_refusals_demand_nothing(text: str) -> None:
    assert demands_in(text, {"path": "a.txt", "id": 7}, ("path", "id")) == []


def refused(known: Values, tool: dict[str, Any], sent: dict[str, Any], text: str) -> Values:
    names = tuple(tool["inputSchema"]["properties"])
    answer = {"isError": True, "content": [{"type": "text", "text": text}]}
    arguments = SentArguments(tool=tool["name"], values=sent, names=names)
    return known.learn(answer, arguments)


def tool(name: str, *required: str, **options: dict[str, Any]) -> dict[str, Any]:
    members = {**{one: {"type": "string"} for one in required}, **options}
    schema = {"type": "object", "properties": members, "required": list(required)}
    return {"name": name, "inputSchema": schema}


def valid(of: dict[str, Any], known: Values, budget: int = 30) -> list[dict[str, Any]]:
    planning = Planning(of, seed=0, budget=budget, values=known, schemas=Schemas())
    return [one.arguments for one in planning.scenarios if one.valid]


def test_a_folder_that_is_named_once_is_in_most_valid_calls_of_later_tools() -> None:
    text = "Repository path 'x' is outside the allowed repository: must be within '/srv/notes'"
    known = refused(Values(), tool("git_status", "repo_path"), {"repo_path": "x"}, text)
    later = valid(tool("git_show", "repo_path", "revision"), known, 40)
    named = [one for one in later if one["repo_path"] == "/srv/notes"]
    assert len(named) / len(later) > 0.8


def test_what_one_tool_refuses_narrows_what_all_are_given() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", trusted=frozenset())
    read, create = tool("read_book", "path"), tool("create_book", "path")
    known = refused(Values(places=places), read, {"path": "x"}, "path must be .xlsm or .xlsx")
    known = refused(known, create, {"path": "x"}, "No macros. Create an .xlsx file instead.")
    assert valid(create, known, 1)[0] == {"path": "/samples/assay-example.xlsx"}
    known = refused(known, read, {"path": "x"}, "path must be .xlsm or .xlsx")
    assert valid(tool("sort_book", "path"), known, 1)[0] == {"path": "/samples/assay-example.xlsx"}


def test_a_file_that_a_result_named_comes_before_new_ones_but_where_one_is_created() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", trusted=frozenset())
    read, create = tool("read_book", "path"), tool("create_book", "path")
    known = refused(Values(places=places), read, {"path": "x"}, "path must be an .xlsx file")
    known = known.mine("create_book", {"structuredContent": {"path": "/srv/tea.xlsx"}})
    assert valid(read, known, 1)[0] == {"path": "/srv/tea.xlsx"}
    assert valid(create, known, 1)[0] == {"path": "/samples/assay-example.xlsx"}


@pytest.mark.parametrize(
    ("text", "sent", "values"),
    [
        (
            "Invalid range 'example'. Use A1 notation such as 'B2' or 'A1:C10'.",
            {"range": "example"},
            ("B2", "A1:C10"),
        ),
        (
            "cron 'x' is invalid; expected five fields, e.g. '0 5 * * *'",
            {"cron": "x"},
            ("0 5 * * *",),
        ),
        ("Bad unit. Please use a symbol (for example `kg`)", {"unit": "Bad unit"}, ("kg",)),
    ],
)
def test_an_example_in_a_refusal_is_tried(
    text: str, sent: dict[str, str], values: tuple[str, ...]
) -> None:
    (name,) = sent
    found = [one for one in demands_in(text, sent, (name, "other")) if one.kind == "values"]
    assert [(one.arguments, one.values) for one in found] == [((name,), values)]


@pytest.mark.parametrize(
    "text",
    ["The shop is closed. It has things such as 'tea'.", "No tea left, e.g. 'green' is sold out"],
)
def test_an_example_that_nothing_demands_is_left_alone(text: str) -> None:
    assert not [one for one in demands_in(text, {"kind": "x1"}, ("kind",)) if one.kind == "values"]


def test_an_ending_is_used_by_every_tool_with_such_an_argument() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", trusted=frozenset())
    known = Values(places=places)
    book = tool("read_sheet", "filepath")
    known = refused(known, book, {"filepath": "x"}, "filepath must be an absolute .xlsx file")
    assert valid(tool("create_workbook", "filepath"), known, 3)[0] == {
        "filepath": "/samples/assay-example.xlsx"
    }


def test_what_is_needed_and_what_does_not_go_together_is_heeded() -> None:
    search = tool("find", "text", owner={"type": "string"}, team={"type": "string"})
    known = refused(Values(), search, {"text": "a"}, "Provide either owner or team")
    known = refused(
        known, search, {"text": "a", "owner": "b", "team": "c"}, "owner and team: not both"
    )
    calls = valid(search, known, 20)
    made = [one for one in calls if one["text"] != ""]
    assert all("owner" in one and "team" not in one for one in made)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("No project is set. Please use set_project first.", {"set_project"}),
        ("Run `build-index` before calling find.", {"build-index"}),
        ("Not connected: call openSession, then set_project.", {"openSession", "set_project"}),
        ("Project not found.", set()),
        ("Please set_up the project first.", set()),
        ("find first needs a query", set()),
    ],
)
def test_a_refusal_may_name_the_tool_to_call_first(text: str, wanted: set[str]) -> None:
    tools = ("set_project", "build-index", "openSession", "find", "list")
    assert tools_wanted_in(text, tools) == wanted


def test_what_was_sent_teaches_no_place_and_no_ending() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", trusted=frozenset({"log"}))
    known = Values(places=places)
    show = tool("log", "path")
    said = "Working directory is not a directory: /srv/tea.txt. It must be one."
    taught = refused(known, show, {"path": "/srv/tea.txt"}, said)
    assert (taught.directories, taught.endings) == ((), {})
    assert valid(show, taught, 1)[0] == valid(show, known, 1)[0]


def test_what_is_to_be_written_to_is_a_file_that_is_not_there_yet() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", trusted=frozenset({"move_file"}))
    known = Values(places=places)
    assert next(known.of_field("move_file", "/destination_path", "destination_path")).endswith(
        "assay-example-new.txt"
    )
    assert not next(known.of_field("move_file", "/source_path", "source_path")).endswith("new.txt")


@pytest.mark.parametrize("name", [".git", ".env"])
def test_a_hidden_name_is_no_ending(name: str) -> None:
    found = demands_in(f"path must have a {name} in it", {"path": "x1"}, ("path",))
    assert [one for one in found if one.kind == "ending"] == []


def test_a_file_that_a_read_only_file_system_refuses_asks_for_no_ending() -> None:
    said = "EROFS: read-only file system, open '/srv/tea.1190.tmp'"
    assert demands_in(said, {"path": ""}, ("path",)) == []


def test_files_below_the_work_folder_are_named_as_a_tool_wants_them() -> None:
    own = ("/srv/tea.py", "/srv/tea.txt")
    places = KnownPlaces(
        work="/srv", samples="/samples", trusted=frozenset({"lint_file"}), own_files=own
    )
    known, lint = Values(places=places), tool("lint_file", "file_path")
    assert valid(lint, known, 1)[0] == {"file_path": "/srv/tea.py"}
    assert "/srv/tea.py" not in known.of_field("drop_file", "/file_path", "file_path")
    said = "Absolute file paths like '/srv/tea.py' are not allowed. Use paths relative to the root."
    known = refused(known, lint, {"file_path": "/srv/tea.py"}, said)
    assert valid(lint, known, 1)[0] == {"file_path": "tea.py"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Invalid GeoJSON: Expecting value: line 1 column 1 (char 0)", '{"type": "Polygon"'),
        ("Expecting value: line 1 column 1 (char 0)", '{"type": "Polygon"'),
        ("Unexpected token 'e', \"example\" is not valid JSON", '{"type": "Polygon"'),
    ],
)
def test_what_could_not_be_read_is_sent_as_json(text: str, value: str) -> None:
    area = tool("area", "geojson")
    known = refused(Values(), area, {"geojson": "example"}, text)
    assert valid(area, known, 1)[0]["geojson"].startswith(value)


@pytest.mark.parametrize(
    ("text", "sent", "value"),
    [
        ("A sheet named 'Tea' already exists.", {"path": "a.xlsx", "sheet": "Tea"}, "Tea2"),
        ("File a.xlsx already exists", {"sheet": "Tea", "path": "a.xlsx"}, "a2.xlsx"),
        ("Tea9 is already in use", {"name": "Tea9"}, "Tea10"),
    ],
)
def test_what_is_there_already_gets_another_name(
    text: str, sent: dict[str, str], value: str
) -> None:
    add = tool("add_sheet", *sent)
    assert value in valid(add, refused(Values(), add, sent, text), 1)[0].values()


def test_a_part_of_a_text_is_exchanged_for_what_there_is() -> None:
    draw = tool("draw", "source")
    said = "Sheet 'Data' not found. Available sheets: 'Tea', 'Water'."
    known = refused(Values(), draw, {"source": "Data!B2:F9"}, said)
    assert valid(draw, known, 1)[0] == {"source": "Tea!B2:F9"}


def test_a_demand_of_a_field_inside_an_argument_is_heeded() -> None:
    item = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
    sort = tool("plan_trip", stops={"type": "array", "items": item, "minItems": 1})
    sort["inputSchema"]["required"] = ["stops"]
    known = refused(Values(), sort, {"stops": [{"day": "x1"}]}, "day must be YYYY-MM-DD, got x1")
    assert valid(sort, known, 1)[0] == {"stops": [{"day": "2026-01-15"}]}


def test_the_words_of_an_argument_name_it_in_a_sentence() -> None:
    assert ("needed", ("sheet_name",)) in kinds("Sheet name is required.", {}, "sheet_name")
    assert ("needed", ("range",)) in kinds("Give `range` to make a table.", {"a": "b"}, "range")


def test_of_fields_with_the_same_value_the_last_is_blamed() -> None:
    sent = {"sheet": "example", "at": "example"}
    found = demands_in("Invalid place 'example', use A1 notation such as 'B2'", sent, tuple(sent))
    assert [one.arguments for one in found] == [("at",)]


def test_a_tool_that_opens_what_is_there_gets_a_folder_that_is_there() -> None:
    places = KnownPlaces(work="/srv", samples="/samples", trusted=frozenset({"register_project"}))
    known = Values(places=places)
    assert next(known.of_field("register_project", "/path", "path")) == "/srv"


PYDANTIC = """2 validation errors for Objective
sense
  Field required [type=missing, input_value={}, input_type=dict]
    For further information visit the page about it
weight
  Field required [type=missing, input_value={}, input_type=dict]"""


@pytest.mark.parametrize(
    ("text", "sent", "made"),
    [
        (
            PYDANTIC,
            {"limits": {}, "objective": {}},
            {"limits": {}, "objective": {"sense": "example", "weight": 5}},
        ),
        (
            "Item 0 missing required field: price",
            {"items": [{}], "limits": {}},
            {"items": [{"price": 10}], "limits": {}},
        ),
        (
            "Missing required keys: 'title' and 'city'",
            {"stop": {}},
            {"stop": {"title": "An example", "city": "London"}},
        ),
        ("Invalid map: missing places array", {"map": {}}, {"map": {"places": []}}),
    ],
)
def test_members_that_no_schema_names_are_added_as_they_are_missed(
    text: str, sent: dict[str, Any], made: dict[str, Any]
) -> None:
    types = {name: "array" if isinstance(value, list) else "object" for name, value in sent.items()}
    schemas = {
        name: {"type": kind, **({"items": {"type": "object"}} if kind == "array" else {})}
        for name, kind in types.items()
    }
    solve = tool("solve", **schemas)
    solve["inputSchema"]["required"] = list(schemas)
    assert valid(solve, Values(), 1) == [sent]
    assert valid(solve, refused(Values(), solve, sent, text), 1) == [made]


def test_a_member_has_the_type_that_is_asked_for() -> None:
    asset = tool("weigh", asset={"type": "object"})
    asset["inputSchema"]["required"] = ["asset"]
    said = "1 validation error for Asset\nasset.{}\n  {} [type=x]"
    known = refused(Values(), asset, {"asset": {}}, said.format("rate", "Field required"))
    sent = valid(asset, known, 1)[0]
    text = said.format("rate", "Input should be a valid number, unable to parse")
    assert valid(asset, refused(known, asset, sent, text), 1) == [{"asset": {"rate": 5}}]


def test_a_refusal_inside_an_object_is_read() -> None:
    asset = tool("weigh", asset={"type": "object"}, unit={"type": "string"})
    asset["inputSchema"]["required"] = ["asset", "unit"]
    said = json.dumps({"status": "error", "error": "1 validation error\nname\n  Field required"})
    known = refused(Values(), asset, {"asset": {}, "unit": "x"}, said)
    assert valid(asset, known, 1)[0]["asset"] == {"name": "example"}
    listed = json.dumps({"error": "Unknown unit 'm'", "available": ["stone", "pound"]})
    known = refused(known, asset, {"asset": {}, "unit": "m"}, listed)
    assert valid(asset, known, 1)[0]["unit"] == "stone"


def test_texts_in_objects_become_numbers_where_these_are_wanted() -> None:
    asset = tool("weigh", asset={"type": "object"})
    asset["inputSchema"]["required"] = ["asset"]
    sent = {"asset": {"name": "x", "gain": "example"}}
    known = refused(Values(), asset, {"asset": {}}, "Missing keys: name, gain")
    said = "'<' not supported between instances of 'str' and 'int'"
    known = refused(known, asset, sent, said)
    assert valid(asset, known, 1) == [{"asset": {"name": "example", "gain": 5}}]


def test_a_guess_at_an_object_is_marked() -> None:
    told = {"type": "object", "properties": {"a": {"type": "string"}}}
    for schema, is_guessed in (({"type": "object"}, True), (told, False)):
        asset = tool("weigh", asset=schema)
        asset["inputSchema"]["required"] = ["asset"]
        planning = Planning(asset, seed=0, budget=1, values=Values(), schemas=Schemas())
        assert [one.is_guessed for one in planning.scenarios] == [is_guessed]
    known = Values(learned={"text": ("[1, 2]",)})
    planning = Planning(tool("read", "text"), seed=0, budget=1, values=known, schemas=Schemas())
    assert next(planning.scenarios).is_guessed


def test_a_choice_that_means_something_else_elsewhere_is_learned_for_one_tool() -> None:
    ink, page = tool("ink", "operation"), tool("page", "operation")
    said = "Unsupported operation: x1. Use 'draw', 'wipe', or 'list'"
    known = refused(Values(), ink, {"operation": "x1"}, said)
    assert valid(ink, known, 1) == [{"operation": "draw"}]
    assert valid(page, known, 1) == [{"operation": "example"}]


@pytest.mark.parametrize(
    "text",
    [
        "Unknown project. For further information visit https://example.org/errors",
        "Project x1: expected grammar, failed to fetch it from https://example.org/list",
    ],
)
def test_an_address_that_is_only_mentioned_is_not_asked_for(text: str) -> None:
    found = demands_in(text, {"project": "x1"}, ("project",))
    assert not [one for one in found if any("://" in str(value) for value in one.values)]


def test_the_names_of_tools_and_arguments_are_no_values() -> None:
    known = Values(listed_tools=("show", "set_working_dir"))
    refusal = {"content": [{"type": "text", "text": NO_FOLDER}], "isError": True}
    sent = SentArguments(tool="show", values={"object": "a"}, names=("object", "path"))
    learned = known.learn(refusal, sent)
    assert not learned.learned
    assert not learned.allowed
    assert learned.preparing == {"set_working_dir"}
    assert learned.needed == {"show": ("path",)}


NO_FOLDER = "No folder is set. Please specify a 'path' or use 'set_working_dir' first."


def test_a_refusal_in_another_script_that_names_what_was_not_sent_wants_it() -> None:
    text = "solarDatetime和lunarDatetime必须传且只传其中一个。"
    found = kinds(text, {"gender": 1}, "solarDatetime", "lunarDatetime")
    assert found == {("needed", ("solarDatetime",))}


def test_an_input_of_which_no_argument_has_the_name_is_what_looks_like_json() -> None:
    sent = {"points": "[1]", "mode": "fast"}
    found = demands_in("Input must be a GeoJSON FeatureCollection", sent, tuple(sent))
    assert [(one.kind, one.arguments) for one in found] == [("values", ("points",))]
    assert "FeatureCollection" in str(found[0].values)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("EISDIR: illegal operation on a directory, read", "file"),
        ("Error: /work is not a file", "file"),
        ("[Errno 21] Is a directory: '/work'", "file"),
        ("NotADirectoryError: /srv/a.txt", "folder"),
        ("The path is not a directory", "folder"),
    ],
)
def test_a_file_or_a_folder_is_asked_for(text: str, kind: str) -> None:
    assert (kind, ("path",)) in kinds(text, {"path": "/srv", "mode": "fast"})


def test_a_path_that_was_put_behind_a_folder_is_to_be_relative() -> None:
    sent = {"root": "/srv", "file_path": "/srv/a.txt"}
    found = kinds("ENOENT: no such file, open '/srv/srv/a.txt'", sent)
    assert ("relative", ("file_path",)) in found
    assert not kinds("ENOENT: no such file, open '/srv/a.txt'", sent)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Schema 'teas' not found. Did you mean: Tea?", ("Tea",)),
        ("Unknown schema: teas. Did you mean 'Tea'?", ("Tea",)),
        ("Nothing was found. Did you mean to escape it?", None),
    ],
)
def test_what_a_refusal_guesses_is_tried(text: str, values: tuple[str, ...] | None) -> None:
    found = demands_in(text, {"name": "teas"}, ("name",))
    assert next((one.values for one in found if one.kind == "own_values"), None) == values


def test_what_a_plus_joins_is_one_of_the_choices() -> None:
    text = 'Provide either "method" + "path" or "operationId", not both.'
    assert kinds(text, {}, "method", "path", "operationId") == {
        ("needed", ("method", "path")),
        ("apart", ("method", "operationId")),
        ("apart", ("path", "operationId")),
    }
    both = 'Both "method" and "path" are required for endpoint mode.'
    assert kinds(both, {"method": "get"}, "path", "operationId") == {("needed", ("path",))}


def test_a_list_may_be_what_is_asked_for() -> None:
    trip = tool("plan", trip={"type": "object"})
    trip["inputSchema"]["required"] = ["trip"]
    said = "1 validation error for Trip\ntrip.{}\n  {} [type=x]"
    known = refused(Values(), trip, {"trip": {}}, said.format("stops", "Field required"))
    sent = valid(trip, known, 1)[0]
    text = said.format("stops", "Input should be a valid list")
    assert valid(trip, refused(known, trip, sent, text), 1) == [{"trip": {"stops": [1, 2]}}]
