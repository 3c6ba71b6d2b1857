"""Tools without hints that only read, by labels made by hand before any word was listed."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.text.reading_tools import declares_no_hint, only_reads

TABLES = Path(__file__).parent / "reading_tools"
UNSEEN = "342591c9960ed21d6f8c85b9b4df4b392602582a2a0ffae70cb5d8854a1182de"
"""Of the half that nothing was fitted to."""
LEAST_CALLED = 0.85
NOT_TOLD = {"light_bulb", "read_rows", "validate_card"}
"""Changing tools whose words are those of readers: "Get light"."""


def labelled(half: str) -> list[tuple[dict[str, Any], bool]]:
    """The tools of one half, and whether each only reads."""
    lines = (TABLES / f"{half}.tsv").read_text().splitlines()
    return [(tool(*cells[:3]), cells[3] == "reads") for cells in map(_cells, lines)]


def _cells(line: str) -> list[str]:
    return line.split("\t")


def tool(name: str, description: str = "", arguments: str = "-") -> dict[str, Any]:
    """A tool with these arguments, each as "name", "name=type" or "name: description"."""
    members = dict(_argument(one) for one in arguments.split(", ") if one != "-")
    return {
        "name": name,
        "description": description.replace("\\n", "\n"),
        "inputSchema": {"type": "object", "properties": members},
    }


def _argument(text: str) -> tuple[str, dict[str, str]]:
    head, _, said = text.partition(": ")
    name, _, kind = head.partition("=")
    return name, {"type": kind or "string", "description": said}


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_readers_are_known_and_no_changer_is_taken_for_one(half: str) -> None:
    known = labelled(half)
    taken = [one["name"] for one, reads in known if only_reads(one) and not reads]
    missed = [one["name"] for one, reads in known if reads and not only_reads(one)]
    readers = sum(reads for _, reads in known)
    assert taken == []
    assert (readers - len(missed)) / readers >= LEAST_CALLED, missed


def test_nouns_advice_and_other_languages_are_told_from_deeds() -> None:
    known = labelled("tricky")
    taken = {one["name"] for one, reads in known if only_reads(one) and not reads}
    missed = [one["name"] for one, reads in known if reads and not only_reads(one)]
    assert taken == NOT_TOLD
    assert len(missed) / sum(reads for _, reads in known) <= 0.05, missed


def test_the_time_grows_with_the_length_alone() -> None:
    pieces = [
        "werden ",
        "to text, removing ",
        "x ideal for ",
        "get/",
        '"a ',
        "such as (",
        "a-",
        "a.",
        "contain ",
        "\u6267\u884c",
        "add a ",
        "'a ",
    ]
    long = [(piece * 4_000)[:4_000] for piece in pieces]
    started = time.process_time()
    for text in long:
        only_reads(tool("get_x", text))
        only_reads(tool("get_x", f"Get x. {text}" * 250))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        (None, True),
        ({}, True),
        ({"title": "Weather"}, True),
        ({"readOnlyHint": None}, True),
        ({"readOnlyHint": False}, False),
        ({"openWorldHint": True}, False),
        ({"idempotentHint": "yes"}, False),
        ("none", True),
    ],
)
def test_a_title_is_no_hint(annotations: object, expected: bool) -> None:
    assert declares_no_hint({"name": "get_weather", "annotations": annotations}) is expected


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"name": 1},
        {"name": "get_x", "description": 5},
        {"name": "get_x", "description": "Get x. " * 1_000},
        {"name": "get_x", "description": "Gets x und löscht es"},
        {"name": "g\u0435t_x", "description": "Get x"},
        {"name": ""},
    ],
)
def test_what_is_not_understood_is_no_reader(odd: dict[str, Any]) -> None:
    assert not only_reads(odd)


@pytest.mark.parametrize(
    "description",
    [
        "Modifies data.",
        "Deletes.",
        "Note that this deletes the cache.",
        "Calling this tool removes duplicates.",
        "Lists rows -- deletes expired ones",
        "Lists rows; this locks them",
        "Lists rows while removing stale ones",
        "Lists rows after deleting old ones.",
        "Lists rows (invalidates the cache)",
        "View/delete/add rows",
        "Lists rows from the index and delete the rest",
        "Lists rows using fast-path and wipes the others",
        "Lists rows and if there are none creates one",
        "Old rows get dropped.",
        "A receipt is sent.",
        "The old file will be overwritten.",
        "With removal of expired rows.",
        "Has side effects.",
        "Side effect: vacuum.",
        "Not read-only.",
        "Destructive!",
        "Cannot be undone.",
    ],
)
def test_a_deed_anywhere_in_the_description_makes_no_reader(description: str) -> None:
    assert not only_reads(tool("list_rows", f"Lists rows. {description}"))


@pytest.mark.parametrize(
    "description",
    [
        "Shows the latest edits and all installs.",
        "Never deletes a row.",
        "Does not modify anything.",
        "To store a row, use save_row.",
        "Use delete_row to remove one.",
        "Useful before deleting a row.",
        "Finds rows that were removed.",
        "Fetches up-to-date rows, non-destructive and without side effects.",
    ],
)
def test_what_is_not_done_is_no_deed(description: str) -> None:
    assert only_reads(tool("list_rows", f"Lists rows. {description}"))


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("report_user", "Report a user to the moderators"),
        ("return_item", "Return an item to the shop"),
        ("give_permission", "Give permission to a user"),
        ("print_document", "Print a document on the printer"),
        ("get_rid_of", "Get rid of a row"),
        ("rank_up", "Rank up"),
        ("roll_back", "Roll back"),
        ("delete", "Divides a by b"),
        ("contact", "Adds phone numbers to a contact"),
        ("add", "Adds a number to the counter"),
    ],
)
def test_a_verb_that_reads_may_be_a_deed_by_its_place(name: str, description: str) -> None:
    assert not only_reads(tool(name, description))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"table": {}}, True),
        ({"delete_after": {}}, False),
        ({"fix": {"type": "boolean"}}, False),
        ({"action": {}}, False),
        ({"action": {"enum": ["list", "count"]}}, True),
        ({"kind": {"enum": ["list", "remove"]}}, False),
        ({"operation": {"enum": ["add", "subtract"]}}, True),
        ({"operation": {"enum": ["add", "list"]}}, False),
        ({"url": {}, "method": {}}, False),
        ({"url": {}, "method": {"enum": ["GET", "HEAD"]}}, True),
        ({"method": {}}, True),
        ({"query": {"description": "a SELECT statement"}}, True),
        ({"sql": {"description": "SELECT, INSERT and others"}}, False),
        ({"sql": {"description": "any SQL, not read-only"}}, False),
        ({f"a{number}": {} for number in range(101)}, False),
        (["table"], True),
    ],
)
def test_an_argument_may_ask_for_a_deed(members: Any, expected: bool) -> None:
    definition = {**tool("get_rows", "Get rows"), "inputSchema": {"properties": members}}
    assert only_reads(definition) is expected


def test_the_unseen_half_is_as_it_was() -> None:
    assert hashlib.sha256((TABLES / "unseen.tsv").read_bytes()).hexdigest() == UNSEEN


DOCSTRING = """Get the pots of a kitchen.

Args:
    state: Pot state (opened, closed, merged, all)
    ref: Branch/tag reference (default: main)

Returns:
    The pots, with those that send steam marked.

Example:
    create_pot then list them
"""
READERS = [
    ("get_pots", DOCSTRING, "state, ref"),
    ("health", "", "-"),
    ("area", "Geodesic area of a polygon on the ellipsoid.", "polygon"),
    ("links", "All absolute URLs on the current page.", "-"),
    ("simplify_line", "Simplify a line by a tolerance.", "line, tolerance=number"),
    ("wait_for_text", "Waits for a text to appear.", "text"),
    ("shop_orders_list", "List all orders of a shop.", "shop"),
    ("get_pots", "Get pots. Returns name, purchase amounts and commit dates.", "-"),
    ("get_pots", "Get pots. limit truncates the answer.", "limit=number"),
    ("get_pots", "Get pots until they are closed.", "-"),
    ("get_pots", "Check whether the kettle is configured.", "-"),
    ("get_pots", "Get pots. Cheap to call repeatedly.", "-"),
    ("get_pots", "Get pots.\n\nReturns\n-------\nUpdated pots, with their sizes.", "-"),
    ("get_pots", "Get pots.\n\nSide Effects: none.", "-"),
    ("get_pots", "Get pots. This tool is read-only. Purges old ones elsewhere.", "-"),
    ("get_pots", "Get pots and build a summary of the lids.", "-"),
    ("get_pots", "Get pots", "output_format, disable_cache=boolean, pipeline_id"),
    ("get_pots", "检查等待部署的服务", "-"),
    ("test_kettle", "Test the connection to the kettle and return its state.", "-"),
    ("add", "Adds two integer numbers together.", "a=number, b=number"),
]


@pytest.mark.parametrize(("name", "description", "arguments"), READERS)
def test_parts_of_a_description_are_read_for_what_they_are(
    name: str, description: str, arguments: str
) -> None:
    assert only_reads(tool(name, description, arguments))


@pytest.mark.parametrize(
    ("name", "description", "arguments"),
    [
        ("volume", "Volume of the speaker", "level=number"),
        ("light_status", "Dim the light", "-"),
        ("format_cell", "Format a cell.", "cell_index=number"),
        ("evaluate", "Evaluate a program", "code"),
        ("check_pots", "Navigates to the kitchen and checks the pots.", "-"),
        ("list_mail", "List mail", "mark_as_read=boolean"),
        ("select_option", "Select an option in a menu", "option"),
        ("compute_brew", "Compute a brew. Returns a brew_id to ask for later.", "-"),
        ("get_pots", "Get pots.\n\nArgs:\n    place: Where to save the list", "place"),
        ("get_pots", "Get pots.\n\nReturns:\n    The pots, after deleting the lids", "-"),
        ("get_pots", "Get pots. Downloads lids.", "-"),
        ("get_pots", "Check if pots are there and delete them", "-"),
        ("get_pots", "Get pots, filled on demand", "-"),
        ("peek_pots", "Peek at pots", "ackmode"),
        ("get_pots", "获取配置并写入数据库", "-"),
        ("text_to_speech", "Convert text to speech", "text"),
    ],
)
def test_a_deed_in_any_part_makes_no_reader(name: str, description: str, arguments: str) -> None:
    assert not only_reads(tool(name, description, arguments))


def test_an_output_that_may_be_a_file_is_a_place() -> None:
    output = {"type": "string", "enum": ["png", "file"]}
    members = {"properties": {"output_type": output}}
    assert not only_reads({**tool("get_pots", "Get pots"), "inputSchema": members})
    output["enum"] = ["png", "svg"]
    assert only_reads({**tool("get_pots", "Get pots"), "inputSchema": members})
