"""More forms of errors, class by class: each with what looks like it and is another kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.truth.test_error_kinds import PLAIN, PYTHON, SEAT, B, E, F, U, kind, takes

EVAL = takes("run_script", "Run a shell script.", script="string")
YAML = takes("parse_yaml", "Parses YAML.", document="string")
REGEX = takes("grep", "Search with a regular expression.", pattern="string", text="string")
TESTS = takes("run_tests", "Runs the tests of a project.", project="string")
GQL = takes("graphql", "Runs a GraphQL query.", query="string")

OF_WHAT_WAS_SENT = [
    (REGEX, {"pattern": "(a"}, "re.error: missing ), unterminated subpattern at position 0", B),
    (REGEX, {"pattern": "["}, "Invalid regular expression: /[/: Unterminated character class", B),
    (
        YAML,
        {"document": "a: b: c"},
        (
            "yaml.scanner.ScannerError: mapping values are not allowed here\n  in "
            '"<unicode string>", line 1, column 5'
        ),
        B,
    ),
    (EVAL, {"script": "frobnicate"}, "/bin/sh: 1: frobnicate: not found", B),
    (EVAL, {"script": "exit 3"}, "Command failed with exit code 3", B),
    (TESTS, {"project": "shop"}, "2 failed, 14 passed in 0.31s", B),
    (GQL, {"query": "{ nope }"}, 'Cannot query field "nope" on type "Query".', B),
    (PYTHON, {"stuff": "import nope"}, "ModuleNotFoundError: No module named 'nope'", B),
    (EVAL, {"script": "ls"}, "ModuleNotFoundError: No module named 'runner'", F),
    (YAML, {"document": "a: 1"}, "AttributeError: module 'yaml' has no attribute 'loads'", F),
    (REGEX, {"pattern": "a"}, "TypeError: expected string or bytes-like object, got 'NoneType'", F),
    (GQL, {"query": "{ a }"}, "fetch failed: getaddrinfo ENOTFOUND api.example.com", E),
]
UNDEFINED = [
    (PLAIN, {"days": 9}, "response is not defined", F),
    (PLAIN, {"days": 9}, "ReferenceError: Cannot access 'total' before initialization", F),
    (PLAIN, {"days": 9}, "Cannot access 'total' before initialization", F),
    (PLAIN, {"days": 9}, "undefined is not an object (evaluating 'a.b')", F),
    (PLAIN, {"days": 9}, "Can't find variable: total", F),
    (PLAIN, {"days": 9}, "name 'total' is not defined. Did you mean: 'totals'?", F),
    (PLAIN, {"days": 9}, "local variable 'x' referenced before assignment", F),
    (PLAIN, {"days": 9}, "The holiday is not defined for this year", B),
    (PLAIN, {"days": 9}, "days is not allowed", B),
    (PLAIN, {"days": 9}, "9 is not a valid number of days", B),
    (PLAIN, {"days": 9}, "Parameter 'days' is not defined by this report", B),
    (PLAIN, {"days": 9}, "This range is not supported", B),
    (PLAIN, {"days": 9}, "days is not between 1 and 7", B),
]
CLASSES = [
    (PLAIN, {"days": 9}, "KeyError: 'not found'", F),
    (PLAIN, {"days": 9}, "KeyError: 'permission_denied'", F),
    (PLAIN, {"days": 9}, "AttributeError: 'NoneType' object has no attribute 'invalid'", F),
    (
        PLAIN,
        {"days": 9},
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  "
            "what():  invalid argument"
        ),
        F,
    ),
    (PLAIN, {"days": 9}, "std::logic_error: basic_string: construction from null is not valid", F),
    (
        PLAIN,
        {"days": 9},
        "panicked at 'index out of bounds: the len is 3 but the index is 9, access denied'",
        F,
    ),
    (PLAIN, {"days": 9}, "ValueError: days not found in calendar", B),
    (PLAIN, {"days": 9}, "PermissionError: you may not read the statistics of others", B),
    (PLAIN, {"days": 9}, "NotFoundError: no such day", B),
    (PLAIN, {"days": 9}, "std::invalid_argument: days must be positive", B),
    (PLAIN, {"days": 9}, "IllegalArgumentException: days must be positive", B),
    (PLAIN, {"days": 9}, "LookupError: unknown metric 'x'", B),
    (
        PLAIN,
        {"days": 9},
        (
            "libc++abi: terminating with uncaught exception of type "
            "std::invalid_argument: days not allowed"
        ),
        F,
    ),
]
EVERYDAY = [
    (SEAT, {"seat": "b"}, "Seat b is gone.", B),
    (SEAT, {"seat": "b"}, "We are closed on Mondays.", B),
    (SEAT, {"seat": "b"}, "row-out-of-range", B),
    (SEAT, {"seat": "b"}, "ALREADY_BOOKED", B),
    (SEAT, {"seat": "q"}, "There is no q here.", B),
    (SEAT, {"seat": "b"}, "Please pick another seat.", B),
    (SEAT, {"seat": "b"}, "It did not work.", U),
    (SEAT, {"seat": "b"}, "ERR_UNKNOWN", U),
    (SEAT, {"seat": "b"}, "500", U),
    (SEAT, {"seat": "b"}, "The booking server is gone.", E),
]
RESULTS = [
    (
        PLAIN,
        {"days": 9},
        (
            "Tool 'get_stats' returned invalid structured content: data/total must be "
            "number, was 'not found'"
        ),
        F,
    ),
    (
        PLAIN,
        {"days": 9},
        (
            "MCP error -32602: Structured content does not match the tool's output "
            "schema: data must have required property 'total'"
        ),
        F,
    ),
    (
        PLAIN,
        {"days": 9},
        (
            "MCP error -32600: Tool get_stats has an output schema but did not return "
            "structured content"
        ),
        F,
    ),
    (
        PLAIN,
        {"days": 9},
        "Unable to serialize unknown type: <class 'datetime.datetime'> 'access denied'",
        F,
    ),
    (PLAIN, {"days": 9}, "Object of type Decimal is not JSON serializable", F),
    (
        PLAIN,
        {"days": 9},
        (
            "Invalid tools/call result: "
            '[{"code":"invalid_type","expected":"array","received":"undefined","path":["'
            'content"]}]'
        ),
        F,
    ),
    (PLAIN, {"days": "x"}, "Input validation error: 'x' is not of type 'integer'", B),
    (
        PLAIN,
        {"days": "x"},
        (
            "1 validation error for get_statsArguments\ndays\n  Input should be a valid "
            "integer [type=int_parsing, input_value='x', input_type=str]"
        ),
        B,
    ),
    (
        PLAIN,
        {"days": "x"},
        (
            "MCP error -32602: Invalid arguments for tool get_stats: days: Expected "
            "number, received string"
        ),
        B,
    ),
    (PLAIN, {"days": 9}, "Invalid input: days must be at most 7", B),
    (PLAIN, {"days": 9}, "Output format 'pdf' is not supported", B),
    (PLAIN, {"days": 9}, "The schema of the report is unknown", B),
]
MENTIONED = [
    (SEAT, {"seat": "KeyError"}, "No seat named KeyError", B),
    (SEAT, {"seat": "TypeError: x"}, "Unknown seat 'TypeError: x'", B),
    (SEAT, {"seat": "x"}, "kind must be one of ['ValueError', 'TypeError', 'KeyError']", B),
    (SEAT, {"seat": "x"}, "The song “Segmentation Fault” is not in the library", B),
]
CAUSES = [
    (
        SEAT,
        {"seat": "x", "row": 3},
        "Request failed after 3 retries: 422 Unprocessable Entity: row is too large",
        B,
    ),
    (SEAT, {"seat": "x", "row": 3}, "Bad Gateway (cause: seat is already taken)", B),
    (
        SEAT,
        {"seat": "x", "row": 3},
        (
            "RuntimeError: booking failed\n\nThe above exception was the direct cause of "
            "the following exception:\nConnectionError: [Errno 111] Connection refused"
        ),
        E,
    ),
    (
        SEAT,
        {"seat": "x", "row": 3},
        "Error: Failed to book: Error: connect ETIMEDOUT 10.0.0.1:443",
        E,
    ),
    (
        SEAT,
        {"seat": "x", "row": 3},
        "Could not book: caused by: TypeError: Cannot read properties of undefined (reading 'id')",
        F,
    ),
]


@pytest.mark.parametrize(
    ("tool", "sent", "said", "expected"),
    [
        *OF_WHAT_WAS_SENT,
        *UNDEFINED,
        *CLASSES,
        *EVERYDAY,
        *RESULTS,
        *MENTIONED,
        *CAUSES,
    ],
)
def test_other_forms_of_the_same_are_the_same(
    tool: dict[str, Any], sent: dict[str, Any], said: str, expected: str
) -> None:
    assert kind(tool, sent, said) == expected
