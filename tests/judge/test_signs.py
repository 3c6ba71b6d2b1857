"""An error inside a success is recognised by its form or first words, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.judge.members import MOST_LEAVES
from mcp_assay.judge.signs import LONGEST_BESIDES
from mcp_assay.responses import ResponseValidator, ValidationContext

TOOL = {"name": "get_weather", "description": "The weather of a place."}


def hides_error(result: Any, arguments: dict[str, Any], tool: dict[str, Any]) -> bool:
    found = ResponseValidator.validate_response(ValidationContext(tool, arguments, result))
    return found.sign_kind == "unflagged_error"


def saying(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text} for text in texts], **more}


@pytest.mark.parametrize(
    "text",
    [
        "Error: no such note",
        "Database error: no such table",
        "Error fetching library context. Please try again later. TypeError: fetch failed",
        "Error searching libraries: TypeError: fetch failed",
        "An error occurred while retrieving the forecast.",
        "An unexpected error occurred",
        "Error while getting the page",
        "Error scanning keys with pattern '*': Error 111 connecting to 127.0.0.1:9.",
        "Error setting the key: Connection refused",
        "Error inspecting variables: Not connected",
        "Error tuning the lute: no strings",
        "Failed to fetch data from the service: timeout",
        "Failed to connect",
        "Traceback (most recent call last):\n  File …",
        json.dumps({"error": "Not found"}),
        json.dumps({"error": {"type": "not_found", "message": "no"}, "success": False}),
        json.dumps({"status": "error", "error": "no route", "code": 5}),
        json.dumps({"error": "no route", "exists": False, "links": [], "page": 0}),
        json.dumps({"results": [{"url": "", "title": "Error searching: no route", "rank": 1}]}),
        json.dumps({"results": [], "status": "error", "message": "Empty query"}),
        json.dumps({"total": 1, "results": [{"at": 0, "found": {"error": "no route"}}]}),
        json.dumps({"results": [{"error": "no route"}, {"error": "no route", "at": 1}]}),
    ],
)
def test_an_error_is_reported(text: str) -> None:
    assert hides_error(saying(text), {}, TOOL)
    assert not hides_error(saying(text, isError=True), {}, TOOL)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Error handling in Rust is explicit.",
        json.dumps({"results": [{"error": "no route"}, {"place": "Oslo"}]}),
        json.dumps({"results": [{"place": "Oslo", "error": "no route"}]}),
        json.dumps({"place": "Oslo", "tries": [{"error": "no route"}]}),
        "Error logging: on",
        "Error checking: on",
        "Error correcting codes: an introduction",
        "Error tracking for small teams: a guide",
        "Errors: 0",
        "No errors occurred",
        "No results were found",
        "Failed login attempts: 3",
        "The query failed to match anything: try another",
        "Could not find a better match than this",
        json.dumps({"error": None, "items": []}),
        json.dumps({"error": "margin", "mean": 4.5, "samples": 12}),
        json.dumps([{"error": "x"}]),
        json.dumps({"results": ["Error searching: no route", "another page"]}),
        json.dumps({"title": "Error searching: no route", "url": "https://example.invalid/q/7"}),
        json.dumps({"places": ["ok"], "status": "error", "message": "one place is missing"}),
        json.dumps({"results": ["Error: x", *map(str, range(MOST_LEAVES))]}),
        '{"error": ',
        "Error: " + "long report " * LONGEST_BESIDES,
    ],
)
def test_other_answers_are_left_alone(text: str) -> None:
    assert not hides_error(saying(text), {}, TOOL)


@pytest.mark.parametrize("result", [None, [], "Error: x", {}, {"content": "Error: x"}])
def test_what_is_no_result_reports_nothing(result: Any) -> None:
    assert not hides_error(result, {}, TOOL)


def test_structured_content_reports_it_too() -> None:
    failed = {"success": False, "error": "The index is not available"}
    assert hides_error(saying("done", structuredContent=failed), {}, TOOL)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (json.dumps({"success": False, "error": "Max retries exceeded", "host": "a"}), True),
        (json.dumps({"success": True, "pages": []}), False),
        ("Error: no route", True),
        ("[]", False),
    ],
)
def test_a_text_that_a_framework_has_wrapped_is_read(text: str, hidden: bool) -> None:
    assert hides_error(saying(text, structuredContent={"result": text}), {}, TOOL) is hidden


def test_what_was_sent_is_only_given_back() -> None:
    assert not hides_error(saying("Error: mine"), {"message": "Error: mine"}, TOOL)
    assert hides_error(saying("Error: mine"), {"message": "Error: yours"}, TOOL)
    assert hides_error(saying("Internal error has occurred."), {"worldview": "in"}, TOOL)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("shelf of assay-not-listed", {"genre": "assay-not-listed"}),
        ("Books about access denied: 3", {"query": "access denied"}),
        ("Hello, could not connect!", {"names": ["could not connect"]}),
    ],
)
def test_words_of_what_was_sent_deny_nothing(text: str, sent: dict[str, Any]) -> None:
    assert not hides_error(saying(text), sent, {"name": "shelf"})


@pytest.mark.parametrize("text", ["Genre assay-not-listed not found", "Unknown genre: not-listed"])
def test_what_a_sentence_denies_of_what_was_sent_is_an_error(text: str) -> None:
    sent = {"genre": text.split()[1] if text.startswith("Genre") else "not-listed"}
    assert hides_error(saying(text), sent, {"name": "shelf"})


def test_what_a_tool_is_about_is_no_error() -> None:
    tool = {
        "name": "git_diff_unstaged",
        "description": "Shows changes in the working directory that are not yet staged",
    }
    assert not hides_error(saying("Unstaged changes:\n"), {"repo_path": "."}, tool)
    refused = "Cannot switch: you have unstaged changes."
    assert hides_error(saying(refused), {"repo_path": "."}, tool)


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "read_logs"},
        {"name": "lastError"},
        {"name": "explain", "description": "Explains an exception."},
    ],
)
def test_a_tool_about_errors_may_report_them(tool: dict[str, Any]) -> None:
    assert not hides_error(saying("Error: disk full"), {}, tool)


def test_an_answer_may_give_back_what_was_sent_beside_the_error() -> None:
    answer = saying(
        json.dumps({"title": "Tea", "summary": "Error generating the summary: no route"})
    )
    assert hides_error(answer, {"title": "Tea"}, TOOL)
    assert not hides_error(answer, {"title": "Coffee"}, TOOL)


def test_a_long_text_that_only_repeats_what_was_sent_is_an_error_still() -> None:
    sent = {"query": "assay " * LONGEST_BESIDES}
    answer = saying(f'Error: near "assay": syntax error\n[SQL: {sent["query"]}]')
    assert hides_error(answer, sent, TOOL)
    assert not hides_error(answer, {"query": "assay"}, TOOL)
    failed = {"success": False, "error": "no route to /find?text=" + "assay%20" * 400}
    assert hides_error(saying(json.dumps(failed)), {"text": "assay " * 400}, TOOL)


@pytest.mark.parametrize("name", ["test_connectivity", "get_job_status", "ping"])
def test_a_tool_that_is_asked_how_something_went_may_say_that_it_failed(name: str) -> None:
    state = {"status": "failed", "url": "https://a.invalid/", "error": "Connection error", "ms": 7}
    assert hides_error(saying(json.dumps(state)), {}, TOOL)
    assert not hides_error(saying(json.dumps(state)), {}, {"name": name})
    failed = {"success": False, "error": "no such job", "hint": "list them"}
    assert hides_error(saying(json.dumps(failed)), {}, {"name": name})


def test_a_tool_about_jobs_may_report_how_one_went() -> None:
    answer = saying(json.dumps({"id": 7, "status": "error", "message": "exit 1"}))
    assert hides_error(answer, {"id": 7}, TOOL)
    assert not hides_error(answer, {"id": 7}, {"name": "get_job"})


@pytest.mark.parametrize(
    "text", ["Splitting failed: no items", "Failed to split the tasks", '"[x" is not valid JSON']
)
def test_a_tool_that_does_something_to_tasks_tells_of_itself(text: str) -> None:
    assert hides_error(saying(text), {"raw": "[x"}, {"name": "split_tasks"})


def sign_of(text: str, name: str, about: str, sent: dict[str, Any]) -> str | None:
    arguments = {"type": "object", "properties": {one: {} for one in sent}}
    tool = {"name": name, "description": about, "inputSchema": arguments}
    context = ValidationContext(tool, sent, saying(text))
    return ResponseValidator.validate_response(context).sign_kind


@pytest.mark.parametrize(
    ("text", "name", "about", "sent"),
    [
        ("Aspirin is not recommended for children.", "drug_info", "", {"drug": "aspirin"}),
        ("aspirin must not be taken with warfarin.", "interactions", "", {"drug": "aspirin"}),
        ("Dogs are not permitted in Yosemite.", "park_rules", "", {"park": "Yosemite"}),
        ("A visa is required for India.", "travel_advice", "", {"country": "India"}),
        ("bob has no repositories.", "repos", "Those of a user.", {"user": "bob"}),
        ("There are no events in Rome.", "events", "Those of a city.", {"city": "Rome"}),
        ("Flight LH400 is not available on Sundays.", "get_flight", "", {"number": "LH400"}),
        ("Chelsea failed to win against Arsenal.", "last_game", "", {"team": "Chelsea"}),
        ("Error: 0.05 (mean squared)", "fit_model", "", {"data": [1]}),
        ("error: 0.3\nmean: 4", "fit", "", {"data": [1]}),
        ("Timeout set to 30 s.", "set_timeout", "", {"seconds": 30}),
        ("Access for bob denied.", "deny_access", "", {"user": "bob"}),
        ("2024-01-01 ERROR could not connect", "read_file", "", {"path": "a.log"}),
        ("Dry run: would delete 3 files", "delete_files", "", {"dry_run": True}),
        ("Saved. The name was too long and was cut.", "save_item", "", {"title": "x"}),
        ("Please sign in", "get_page_text", "", {"url": "https://x.org"}),
        ("todo".upper(), "read_cell", "", {"cell": "A1"}),
        ("undefined", "eval_js", "", {"code": "void 0"}),
        ('{"status": "rejected", "id": 5, "title": "Loan"}', "get_application", "", {"id": 5}),
        ('{"state": "failed", "description": "The door"}', "get_work_item", "", {"id": 5}),
        ('{"status": "closed", "reason": "won\'t fix"}', "close_issue", "", {"id": 5}),
        ('{"returncode": 1, "stdout": "", "stderr": ""}', "grep", "", {"pattern": "x"}),
        ('{"exit_code": 1, "stdout": "<a", "stderr": ""}', "diff_files", "", {"a": "1"}),
    ],
)
def test_what_is_not_so_may_be_the_answer(
    text: str, name: str, about: str, sent: dict[str, Any]
) -> None:
    assert sign_of(text, name, about, sent) is None


@pytest.mark.parametrize(
    ("text", "name", "sent"),
    [
        ("5 is not a valid id", "get_user", {"id": 5}),
        ("User 5 not found", "get_user", {"id": 5}),
        ("You do not have permission to view 5", "get_user", {"id": 5}),
        ("Access to 5 is denied", "get_user", {"id": 5}),
        ("limit cannot exceed 100", "departures", {"limit": 500}),
        ("City 'Romee' could not be found", "weather", {"city": "Romee"}),
        ("https://x.org failed to load", "open_page", {"url": "https://x.org"}),
        ("The room r7 is not available on that day.", "book_room", {"room": "r7"}),
        ("bob has no phone number", "call_contact", {"name": "bob"}),
        ("Message could not be sent.", "send_message", {"to": "bob"}),
        ("Failed to retrieve alerts.", "get_alerts", {"state": "XX"}),
        ("Error 3: bad", "fetch", {"url": "u"}),
        ("2024-01-01 ERROR could not connect", "create_ticket", {"title": "u"}),
        ('{"status": "rejected", "message": "no"}', "create_ticket", {"title": "u"}),
        ('{"status": "failed", "message": "boom"}', "get_user", {"id": 5}),
        ('{"status": 403, "title": "Forbidden", "detail": "no"}', "get_user", {"id": 5}),
        ('{"error_code": 5, "error_msg": "bad id"}', "get_user", {"id": 5}),
        ('{"errorMessage": "bad id"}', "get_user", {"id": 5}),
        ('{"returncode": 2, "stdout": "", "stderr": "grep: x"}', "grep", {"pattern": "x"}),
        ('{"returncode": 1, "stdout": "", "stderr": ""}', "run_command", {"command": "x"}),
    ],
)
def test_what_could_not_be_done_is_an_error(text: str, name: str, sent: dict[str, Any]) -> None:
    assert sign_of(text, name, "", sent) == "unflagged_error"


def test_a_dry_run_that_nobody_asked_for_is_another_step() -> None:
    said = "Dry run: would delete 3 files"
    assert sign_of(said, "delete_files", "", {"path": "a"}) == "another_step"
    assert sign_of(said, "delete_files", "", {"dry_run": False}) == "another_step"


def test_objects_of_many_members_are_read_in_time_that_grows_with_them() -> None:
    wide = {str(number): number for number in range(30_000)}
    assert not hides_error(saying("x", structuredContent=wide), wide, TOOL)
    assert not hides_error(saying("x", structuredContent={"all": wide}), {"all": wide}, TOOL)


@pytest.mark.parametrize(
    ("value", "hidden"),
    [
        ({"city": "x1", "cached": True, "matches": {"error": "no connection"}}, True),
        ({"city": "x1", "cached": False, "matches": {"error": "no connection"}}, True),
        ({"city": "x1", "valid": True, "checks": {"error": "none of them"}}, False),
        ({"city": "x1", "cached": True, "matches": {"error": "none", "rain": 4}}, False),
    ],
)
def test_a_flag_beside_an_error_is_no_result(value: dict[str, Any], hidden: bool) -> None:
    assert hides_error(saying(json.dumps(value)), {"city": "x1"}, TOOL) is hidden


def taking(*names: str) -> dict[str, Any]:
    members = {name: {"type": "string"} for name in names}
    return {**TOOL, "inputSchema": {"type": "object", "properties": members}}


@pytest.mark.parametrize(
    ("text", "sent", "hidden"),
    [
        ("Please provide either a city or a country.", {}, True),
        ("Specify the city (e.g. Paris).", {"city": ""}, True),
        ("You must supply a country code", {"city": "Paris"}, True),
        ("Please provide your guests with tea at five.", {"city": "Paris"}, False),
        ("Enter the city by the western gate.", {"city": "Paris", "country": "FR"}, False),
        ("Rain, so include an umbrella.", {}, False),
    ],
)
def test_to_be_asked_for_what_was_not_sent_is_an_error(
    text: str, sent: dict[str, Any], hidden: bool
) -> None:
    assert hides_error(saying(text), sent, taking("city", "country")) is hidden


@pytest.mark.parametrize("sent", ["a b", "a\nb", "100% {x}\n${y}\n"])
def test_a_text_of_several_lines_that_was_sent_breaks_no_sentence(sent: str) -> None:
    assert hides_error(saying(f"City '{sent}' not found."), {"city": sent}, taking("city"))
    assert not hides_error(saying(f"Rain in '{sent}'."), {"city": sent}, taking("city"))
    told = json.dumps({"status": "error", "message": "City not found", "city": sent})
    assert hides_error(saying(told), {"city": sent}, taking("city"))


@pytest.mark.parametrize(
    ("state", "is_step"),
    [
        *((state, True) for state in ("login_required", "install-required", "needs setup")),
        *((state, True) for state in ("awaiting_payment", "PENDING_APPROVAL", "Upgrade Needed")),
        *((state, False) for state in ("required", "pending", "needs", "acquired", "not_started")),
    ],
)
def test_a_state_may_ask_for_another_step(state: str, is_step: bool) -> None:
    result = saying(json.dumps({"status": state, "note": "Tea is green"}))
    found = ResponseValidator.validate_response(ValidationContext(TOOL, {}, result))
    assert (found.sign_kind == "another_step") is is_step


DELETE = {"name": "delete_items", "description": "Deletes files."}
GONE = {"path": "/a.txt", "success": False, "error": "Absolute paths are not allowed"}
DONE = {"path": "b.txt", "success": True}


@pytest.mark.parametrize(
    ("answer", "is_error"),
    [
        ([GONE], True),
        ([GONE, {**GONE, "path": "b.txt"}], True),
        ([{**GONE, "resolved": "/project/a.txt"}], True),
        ([{"path": "/a.txt", "error": "no route", "size": 7}], False),
        ([GONE, DONE], False),
        ([{**GONE, "path": "/etc/other"}], False),
        ([{"id": 7, "status": "failed", "error": "no route", "retries": 3}], False),
        ([], False),
    ],
)
def test_a_call_has_failed_if_all_that_was_asked_for_has(answer: Any, is_error: bool) -> None:
    sent = {"paths": ["/a.txt", "b.txt"]}
    assert hides_error(saying(json.dumps(answer)), sent, DELETE) is is_error


@pytest.mark.parametrize(
    ("name", "text", "hides"),
    [
        ("list_requests", "## Requests\nNo requests found.", False),
        ("list_messages", "## Console\n<no console messages found>", False),
        ("start_recording", "No devices found.", True),
        ("update_board", "✅ Updated BOARD.md\n\nAdded content to Blocked section", False),
        ("update_board", "✅ Started\nBlocked by the firewall: the board was not saved", True),
        ("update_board", "✅ Connected\nConnection refused by the server", True),
    ],
)
def test_nothing_to_list_and_a_success_that_nothing_denies_hide_no_error(
    name: str, text: str, hides: bool
) -> None:
    assert hides_error(saying(text), {}, {"name": name, "description": ""}) is hides


DELETES = {"name": "delete_keys", "description": "Deletes keys."}
SKIPPED = {"success": False, "key": "tea", "left": [], "skipReason": "There is no such key"}


@pytest.mark.parametrize(
    ("tool", "results", "hides"),
    [
        (DELETES, [SKIPPED], True),
        (DELETES, [SKIPPED, SKIPPED], True),
        (DELETES, [SKIPPED, {**SKIPPED, "success": True}], False),
        (DELETES, [], False),
        ({"name": "list_launches", "description": "Lists launches."}, [SKIPPED], False),
    ],
)
def test_a_list_of_failures_beside_numbers_is_a_failure(
    tool: dict[str, Any], results: list[dict[str, Any]], hides: bool
) -> None:
    summary = {"success": True, "total": len(results), "speed": {"batches": 1}}
    told = json.dumps({"summary": summary, "results": results, "dryRun": False})
    assert hides_error(saying(told), {"key": "tea"}, tool) is hides


RUNS = {"name": "drive_program", "description": "Drives a program one line on."}


@pytest.mark.parametrize(
    ("last", "hides"),
    [
        ('^error,msg="The program is not being run."', True),
        ('level=error msg="no such file"', True),
        ('^done,value="12"', False),
        ("error, or what looked like one", False),
    ],
)
def test_a_program_may_say_in_its_last_line_that_it_failed(last: str, hides: bool) -> None:
    told = f'Went one line on\n\nOutput:\n&"step\\n"\n{last}\n'
    assert hides_error(saying(told), {"session": "17"}, RUNS) is hides


READS_LAW = {"name": "gesetz_lesen", "description": "Liest ein Gesetz."}
LISTS_GRANTS = {"name": "grant_checklist", "description": "The checklist of a grant."}
CHOICES = [{"id": 9001, "name": "Small firms"}, {"id": 9002, "name": "Machines"}]


@pytest.mark.parametrize(
    ("tool", "told", "hides"),
    [
        (READS_LAW, {"fehler": True, "meldung": "Die Quelle ist nicht erreichbar."}, True),
        (READS_LAW, {"fehler": False, "gesetz": "BGB", "meldung": "aus dem Bestand"}, False),
        (READS_LAW, {"错误": "没有连接"}, True),
        (LISTS_GRANTS, {"error": "no data on 1", "available_grants": CHOICES}, True),
        (LISTS_GRANTS, {"error": "no data on 1", "grants": CHOICES}, False),
        (LISTS_GRANTS, {"available_grants": CHOICES}, False),
    ],
)
def test_members_in_other_languages_and_choices_beside_an_error(
    tool: dict[str, Any], told: dict[str, Any], hides: bool
) -> None:
    assert hides_error(saying(json.dumps(told, ensure_ascii=False)), {"id": "1"}, tool) is hides
