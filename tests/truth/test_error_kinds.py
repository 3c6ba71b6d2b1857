"""Whose fault an error is: the caller's, the tool's, or that of what the tool needs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.responses import ResponseValidator, ValidationContext

B, F, E, U = "business", "failure", "environment", "unclear"


def kind(tool: dict[str, Any], sent: dict[str, Any], said: str | dict[str, Any]) -> str:
    response = (
        {"content": [{"type": "text", "text": said}], "isError": True}
        if isinstance(said, str)
        else said
    )
    return ResponseValidator.explain_error(ValidationContext(tool, sent, response)).kind


def takes(name: str, description: str = "", /, **arguments: str) -> dict[str, Any]:
    members = {one: {"type": type} for one, type in arguments.items()}
    schema = {"type": "object", "properties": members}
    return {"name": name, "description": description, "inputSchema": schema}


PYTHON = takes("python_repl", "Run Python and return its output.", stuff="string")
JS = takes("sandbox", "Executes a JavaScript snippet.", input="string")
SQL = takes("ask_db", "Run a SQL query.", text="string")
CALC = takes("calculator", "Evaluates a math expression.", what="string")
NOTES = takes("add_note", "Adds a note.", text="string")
PLAIN = takes("get_stats", "Statistics of some days.", days="integer")


@pytest.mark.parametrize(
    ("tool", "sent", "said", "expected"),
    [
        (PYTHON, {"stuff": "for i in range(3) print(i)"},
         ('  File "<stdin>", line 1\n    for i in range(3) print(i)\n                      ^^^^^\n'
         "SyntaxError: invalid syntax"), B),
        (PYTHON, {"stuff": "d = {}\nd['size']"},
         ('Traceback (most recent call last):\n  File "<string>", line 2, in <module>\n'
         "KeyError: 'size'"), B),
        (JS, {"input": "null.length"},
         ("TypeError: Cannot read properties of null (reading 'length')\n"
         "    at evalmachine.<anonymous>:1:6"), B),
        (JS, {"input": "JSON.parse('{')"}, ("SyntaxError: Expected property name or '}' in JSON "
         "at position 1 (line 1 column 2)\n    at JSON.parse (<anonymous>)"), B),
        (SQL, {"text": "select * from userz"}, 'relation "userz" does not exist', B),
        (SQL, {"text": "selec 1"}, 'syntax error at or near "selec"', B),
        (CALC, {"what": "sqrt(-1)"}, "math domain error", B),
        (CALC, {"what": "1 / 0"}, "ZeroDivisionError: division by zero", B),
        (takes("render", "Renders a Jinja template.", src="string"), {"src": "{% if %}"},
         ("jinja2.exceptions.TemplateSyntaxError: Expected an expression, got 'end of statement "
         "block'\n  File \"<unknown>\", line 1"), B),
        (takes("xpath", "Evaluate an XPath expression.", path="string"), {"path": "//a["},
         "XPathEvalError: Invalid expression near '//a['", B),
        (NOTES, {"text": "hello"}, "SyntaxError: Unexpected token } in JSON at position 12", F),
        (NOTES, {"text": "select * from x"}, "NameError: name 'db' is not defined", F),
        (PYTHON, {"stuff": "1 + 1"}, "AttributeError: 'Worker' object has no attribute 'pipe'", F),
        (JS, {"input": "1 + 1"}, "ReferenceError: vmContext is not defined", F),
        (SQL, {"text": "select 1"}, "connect ECONNREFUSED 127.0.0.1:5432", E),
        (PYTHON, {"stuff": "1 + 1"}, "docker: Cannot connect to the Docker daemon", E),
        (PLAIN, {"days": 3}, 'near "FORM": syntax error', F),
        (CALC, {"what": "1 + 1"}, "TypeError: evaluate is not a function", F),
    ],
)  # fmt: skip
def test_an_error_in_what_was_sent_is_the_callers(
    tool: dict[str, Any], sent: dict[str, Any], said: str, expected: str
) -> None:
    assert kind(tool, sent, said) == expected


CONFIG = takes("write_config", "Writes a configuration.", config="object", key="string")


@pytest.mark.parametrize(
    ("tool", "sent", "said", "expected"),
    [
        (CONFIG, {"config": {}}, "config must not be empty", B),
        (CONFIG, {"key": "x"}, "The key must be set before a value", B),
        (CONFIG, {"config": {}}, {"error": {"code": -32602, "message": "config: Required"}}, B),
        (PLAIN, {"days": 9}, ('{"statusCode": 422, "error": "validation_error", "message": '
         '"settings.days is too large"}'), B),
        (PLAIN, {"days": 9}, "Request failed with status code 403: token lacks the scope", B),
        (PLAIN, {"days": 9}, ('{"error": "invalid_grant", "error_description": "Token has been '
         'expired or revoked."}'), B),
        (PLAIN, {"days": 9}, "No setting called days", B),
        (PLAIN, {"days": 9}, "STATS_API_KEY is not set", E),
        (PLAIN, {"days": 9}, "Server configuration error: no database url", E),
        (PLAIN, {"days": 9}, "Environment variable DATABASE_URL must be set", E),
        (PLAIN, {"days": 9}, "Missing configuration file /etc/stats.toml", E),
        (PLAIN, {"days": 9}, '{"status": 503, "message": "settings service"}', E),
        (PLAIN, {"days": 9}, '{"status": 500, "message": "invalid"}', E),
    ],
)  # fmt: skip
def test_a_code_outweighs_a_word(
    tool: dict[str, Any], sent: dict[str, Any], said: str | dict[str, Any], expected: str
) -> None:
    assert kind(tool, sent, said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Jira API error: Service Unavailable", E),
        ("Payment provider error: internal server error", E),
        ("Embedding service: the server had an error while processing your request", E),
        ("net::ERR_CONNECTION_REFUSED at http://localhost:3000/", E),
        ("page.goto: net::ERR_SSL_PROTOCOL_ERROR", E),
        ("NS_ERROR_NET_TIMEOUT", E),
        ("spawnSync pdftotext ENOENT", E),
        ("spawn docker ENOENT", E),
        ("queryMx ESERVFAIL example.org", E),
        ("getaddrinfo EAI_NONAME db", E),
        ("java.io.EOFException: \\n not found: limit=0 content=… unexpected end of stream", E),
        ("curl: (56) Recv failure: Connection reset by peer", E),
        ("Stats API error: unknown metric", B),
        ("GitHub API error: Not Found", B),
        ("net::ERR_INVALID_URL", B),
        ("Upload failed: Request Entity Too Large", B),
        ("API error: rate limit exceeded", B),
        ("Internal server error", U),
        ("Error", U),
        ("Response could not be parsed: unexpected shape", F),
    ],
)
def test_what_a_tool_needs_may_be_away(said: str, expected: str) -> None:
    assert kind(PLAIN, {"days": 9}, said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("fetchAll is not defined", F),
        ("this.client.get is not a function", F),
        ("Cannot destructure property 'id' of 'undefined' as it is undefined.", F),
        ("Cannot set properties of undefined (setting 'total')", F),
        ("'int' object is not iterable", F),
        ("name 'np' is not defined", F),
        ("too many values to unpack (expected 2)", F),
        ("list index out of range", F),
        ('Cannot read field "name" because "user" is null', F),
        ("Nullable object must have a value.", F),
        ("undefined method `+' for nil", F),
        ("Undefined index: total", F),
        ("Unsupported operand types: string + int", F),
        ("runtime error: slice bounds out of range [:5] with capacity 3", F),
        ("called `Option::unwrap()` on a `None` value", F),
        ("terminate called after throwing an instance of 'std::length_error'", F),
        ("std::bad_function_call", F),
        ("Index was outside the bounds of the array.", F),
        ("days is not defined in this calendar", B),
        ("The metric 'x' is not defined; choose another one", B),
        ("days must be a number", B),
        ("KeyError: 'access denied'", F),
        ("IndexError: string index out of range (invalid input)", F),
        ("AttributeError: 'User' object has no attribute 'unauthorized'", F),
        ("java.lang.ClassCastException: not allowed", F),
        ("ValueError: days must not be negative", B),
        ("System.ArgumentException: Too many days (Parameter 'days')", B),
        ("InvalidArgumentError: 400 is more than the limit of 31 days", B),
    ],
)
def test_what_engines_say_of_their_own_code(said: str, expected: str) -> None:
    assert kind(PLAIN, {"days": 9}, said) == expected


SEAT = takes("book_seat", "", seat="string", row="integer")


@pytest.mark.parametrize(
    ("sent", "said", "expected"),
    [
        ({"seat": "b"}, "Seat b is taken.", B),
        ({"seat": "b"}, "no seat b", B),
        ({"seat": "b", "row": 3}, "Row 3 has only 4 seats.", B),
        ({"seat": "b"}, "seat-already-sold", B),
        ({"seat": "b"}, "BOOKING_WINDOW_CLOSED", B),
        ({"seat": "b"}, "You're too late for this one.", B),
        ({"seat": "zz"}, "I know no seat zz.", B),
        ({"seat": "b"}, "UNKNOWN_ERROR", U),
        ({"seat": "b"}, "internal-error", U),
        ({"seat": "b"}, "Oops", U),
        ({"seat": "b"}, "Something failed", U),
        ({"seat": "b"}, "operation_failed", U),
        ({"seat": "b"}, "seat_service.crashed with SIGSEGV", F),
    ],
)
def test_a_refusal_in_everyday_words(sent: dict[str, Any], said: str, expected: str) -> None:
    assert kind(SEAT, sent, said) == expected


@pytest.mark.parametrize(
    "said",
    [
        "Output validation error: 'not found' is not of type 'object'",
        "Invalid structured content for tool get_stats: data must be object",
        (
            "1 validation error for get_statsOutput\nresult\n  Input should be a valid list "
            "[type=list_type, input_value='Permission denied', input_type=str]"
        ),
        "Tool get_stats returned an invalid result: 'Connection refused'",
        "Unexpected return type: expected dict, got str 'no such day'",
        "Error validating tool output: 'rate limit exceeded' is not valid under the schema",
        "Tool get_stats has an output schema but no structured content was returned",
    ],
)
def test_a_result_that_the_framework_refuses_is_the_tools(said: str) -> None:
    assert kind(PLAIN, {"days": 9}, said) == F


@pytest.mark.parametrize(
    ("sent", "said", "expected"),
    [
        ({"seat": "SIGSEGV"}, "Seat SIGSEGV not found", B),
        ({"seat": "x"}, "seat must be one of: panic, segfault, deadlock", B),
        ({"seat": "x"}, 'Seat "Connection refused" already exists', B),
        ({"seat": "x"}, "Unknown kind 'x'; use 'NullPointerException' or 'StackOverflowError'", B),
        ({"seat": "x"}, "Allowed values: timeout, out of memory, unhandled exception", B),
        ({"seat": "x"}, 'The film "Panic Room" is not shown today', B),
        ({"seat": "x"}, "TypeError: 'NoneType' object is not callable", F),
        ({"seat": "x"}, "RuntimeError: segmentation fault in 'libseat.so'", F),
        ({"seat": "x"}, 'panic: runtime error: "invalid memory address or nil pointer"', F),
        ({"seat": "x"}, "Booking failed: 'connect ETIMEDOUT 10.0.0.1:443'", E),
        ({"seat": "x"}, "Could not reach 'seats.example.com': timed out", E),
        ({"seat": "x"}, "AssertionError: expected one of the seats, got None", F),
    ],
)
def test_what_is_only_mentioned_says_nothing(
    sent: dict[str, Any], said: str, expected: str
) -> None:
    assert kind(SEAT, sent, said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Could not connect to the planner, last error: row must be positive", B),
        ("Gave up after 3 attempts. Last error: 404 Not Found", B),
        ("Booking failed\nCaused by: seat already taken", B),
        (json.dumps({"error": {"message": "Bad gateway", "cause": {"message": "row is required"}}}),
         B),
        ("Service unavailable. Root cause: invalid seat", B),
        ("Invalid request\nCaused by: java.net.ConnectException: Connection refused", E),
        ("Validation failed, last error: getaddrinfo ENOTFOUND seats", E),
        (json.dumps({"message": "invalid", "innerError": {"message": "socket hang up"}}), E),
        ("Seat not available\nCaused by: java.lang.NullPointerException", F),
        ("Bad request; caused by: TypeError: seats.map is not a function", F),
        ("Permission denied, original error: KeyError: 'row'", F),
        ("Timed out; caused by: something went wrong", E),
    ],
)  # fmt: skip
def test_the_innermost_cause_decides(said: str, expected: str) -> None:
    assert kind(SEAT, {"seat": "x", "row": 3}, said) == expected


READ = takes("read_note", "", name="string")


@pytest.mark.parametrize("name", ["a", "7", " ", "  ", "ab", "abc", "x" * 200, "a b", "ü"])
@pytest.mark.parametrize(
    "form",
    [
        "ENOENT: no such file or directory, open '/srv/notes/{}.md'",
        "[Errno 2] No such file or directory: '/srv/notes/{}.md'",
        "[Errno 2] No such file or directory: '/srv/notes/{}/index'",
    ],
)
def test_the_length_of_a_value_changes_nothing(name: str, form: str) -> None:
    assert kind(READ, {"name": name}, form.format(name)) == B


@pytest.mark.parametrize("name", ["a", "7", " ", "ab", "abc", "x" * 200])
def test_a_file_that_nobody_asked_for_is_the_servers(name: str) -> None:
    said = "ENOENT: no such file or directory, open '/srv/data/words.json'"
    assert kind(READ, {"name": name}, said) == E
