"""Servers whose tool gives a faulty answer."""

from __future__ import annotations

import json
from typing import Any

from tests.servers.base import Fault, Server
from tests.servers.planting import Family
from tests.servers.things import (
    Behaviour,
    Object,
    Tool,
    accepts,
    answers,
    found,
    lookup,
    refusal,
    structured,
    text,
)

SERVERS = Family("responses")
COPIES: Object = {
    "type": "object",
    "properties": {"copies": {"type": "integer"}},
    "required": ["copies"],
}
UNCHECKED: Object = {"unchecked": ("required", "properties", "additionalProperties")}
"""What makes a tool fail before it looks at its arguments."""
BROKEN, PARTLY = {"find_book": "broken"}, {"find_book": "partially_working"}
UNPROVEN = {"find_book": "unproven"}
INTERNAL_ERROR = -32603


def failing_inside(given: Object) -> Object:
    """A tool that is called with what it takes, and breaks without a word."""
    raise Fault(INTERNAL_ERROR, "Internal error")


def answering(
    name: str, truth: str, run: Behaviour, *rules: str, tool: Object | None = None, **expected: Any
) -> None:
    """Plant a server whose one tool answers like this."""
    SERVERS.add(name, truth, lambda: Server(lookup(run, **(tool or {}))), *rules, **expected)


def always(result: Object) -> Behaviour:
    """A tool that always gives the same result."""
    return lambda given: result


def with_schema(schema: Object) -> Object:
    """What gives a tool an outputSchema."""
    return {"more": {"outputSchema": schema}}


def raising(exception: str, message: str) -> Object:
    """What frameworks make of an exception in a tool."""
    return refusal(f"Error executing tool find_book: {exception}: {message}")


# fmt: off
answering("empty-content", "Answers with no content at all.",
          always({"content": []}), "RESP-001", tools=BROKEN)
answering("content-missing", "Answers without content.",
          always({}), "CALL-001")
answering("content-not-an-array", "Its content is an object.",
          always({"content": {"type": "text", "text": "3 books"}}), "CALL-001")
answering("block-of-unknown-type", "Its content is of a type that does not exist.",
          always({"content": [{"type": "table", "rows": []}]}), "SCHEMA-008",
          tools=PARTLY, exit_code=1)
answering("image-without-data", "Its image has no data.",
          always({"content": [{"type": "image", "mimeType": "image/png"}]}),
          "SCHEMA-002", tools=PARTLY, exit_code=1)
answering("image-not-base64", "Its image is not base64.",
          always({"content": [{"type": "image", "mimeType": "image/png", "data": "%%%"}]}),
          "SCHEMA-007", tools=PARTLY, exit_code=1)
answering("is-error-as-string", "isError is the string \"false\".",
          always({**text("3 books"), "isError": "false"}), "SCHEMA-002", exit_code=1)
answering("output-schema-broken", "Its number comes as a string.",
          always(structured({"copies": "3"})), "CALL-003",
          tool=with_schema(COPIES), tools=PARTLY, exit_code=1)
answering("structured-content-missing", "Has an outputSchema and answers text alone.",
          answers("three copies"), "CALL-002", tool=with_schema(COPIES), exit_code=1)
answering("structured-without-text", "Answers structured content and no text.",
          always({"content": [], "structuredContent": {"copies": 3}}), "CALL-004",
          tool=with_schema(COPIES))
answering("text-differs-from-structured", "Its text says 3 and its structured content 4.",
          always({**text(json.dumps({"copies": 3})), "structuredContent": {"copies": 4}}),
          "RESP-006", tool=with_schema(COPIES))
answering("error-inside-success", "Says in a success that it failed.",
          answers(json.dumps({"success": False, "error": "The index is not available"})),
          "RESP-003")
answering("refusal-inside-success", "Refuses every title in a success.",
          answers(json.dumps({"success": False, "message": "There is no such book"})),
          "RESP-003", tools=UNPROVEN, exit_code=3)
answering("blank-answer", "Answers with blanks.",
          answers("  "), "RESP-001", tools=UNPROVEN, exit_code=3)
answering("accident-of-serialization", "Answers with what an object is called.",
          answers("[object Object]"), "RESP-001", tools=UNPROVEN, exit_code=3)
answering("not-implemented", "Answers that there is nothing behind it.",
          answers("\x54ODO: implement"), "RESP-001", tools=UNPROVEN, exit_code=3)
answering("says-ok-to-everything", "Answers the same word whatever it is asked.",
          answers("ok"), tools=UNPROVEN)
answering("success-flagged-as-error", "Sets isError in its successes.",
          always({**text(json.dumps({"success": True, "book": "Emma"})), "isError": True}),
          "RESP-013", tools=UNPROVEN, exit_code=3, spared=("RESP-011",))
answering("internal-error-on-valid-arguments", "Refuses wrong arguments, and breaks on right ones.",
          failing_inside, "RESP-004", "CALL-009", tools=BROKEN, exit_code=3,
          spared=("RESP-011",))
answering("http-error-inside-success", "Passes a status of 500 on as a success.",
          answers("Error: request failed with status code 500 Internal Server Error"), "RESP-003")
answering("failure-inside-success", "Tells in a success that it could not fetch anything.",
          answers("Error fetching the catalogue. Try again later. TypeError: fetch failed"),
          "RESP-003")
answering("error-says-nothing", "Refuses with the word Error.",
          lambda given: found(given) if given.get("limit", 10) > 4 else refusal("Error"),
          "RESP-011")
answering("error-without-words", "Refuses without any content.",
          lambda given: found(given) if given.get("limit", 10) > 4
          else {"content": [], "isError": True}, "RESP-011")
answering("dependency-unavailable", "Its database refuses the connection.",
          always(refusal("connect ECONNREFUSED 192.0.2.1:5432")), "RESP-007", tool=UNCHECKED,
          tools={"find_book": "connectivity_only"}, exit_code=3)
answering("no-credentials", "Its service wants a key that it does not have.",
          always(refusal("The environment variable LIBRARY_API_KEY is not set")), "RESP-007",
          tool=UNCHECKED, tools={"find_book": "connectivity_only"}, exit_code=3)
answering("always-crashes", "Raises whatever it is given.",
          always(raising("AttributeError", "'NoneType' object has no attribute 'shelf'")),
          "RESP-004", tools=BROKEN, exit_code=3)
answering("refuses-everything", "Knows no title that anybody could guess.",
          always(refusal("No book with this title exists.")), "SCEN-001",
          tools={"find_book": "unproven"}, exit_code=3)
answering("unicode-crash", "Raises on text beyond ASCII.",
          lambda given: found(given) if given["title"].isascii() else
          raising("UnicodeEncodeError", "'ascii' codec can't encode character in position 0"),
          "RESP-004", tools=PARTLY)
answering("empty-text-crash", "Raises on the empty text, which its schema allows.",
          lambda given: found(given) if given["title"] else
          raising("IndexError", "string index out of range"),
          "RESP-004", tools=PARTLY,
          tool={"input_schema": accepts("title", title={"type": "string"}),
                "sample": {"title": "Emma"}})
answering("long-text-crash", "Raises on titles longer than 100 characters.",
          lambda given: found(given) if len(given["title"]) <= 100 else
          raising("IndexError", "bytearray index out of range"),
          "RESP-004", tools=PARTLY)
answering("negative-number-crash", "Raises on negative numbers, which its schema allows.",
          lambda given: found(given) if given["limit"] >= 0 else
          raising("ValueError", "math domain error"),
          "RESP-004", tools=PARTLY,
          tool={"input_schema": accepts("limit", limit={"type": "integer"}),
                "sample": {"limit": 3}})
answering("zero-crash", "Divides by the zero that its schema allows.",
          lambda given: found(given) if given["limit"] else
          raising("ZeroDivisionError", "division by zero"),
          "RESP-004", tools=PARTLY,
          tool={"input_schema": accepts("limit", limit={"type": "integer", "minimum": 0}),
                "sample": {"limit": 3}})
answering("missing-option-crash", "Raises when an optional argument is left out.",
          lambda given: found(given) if "limit" in given else raising("KeyError", "'limit'"),
          "RESP-004", tools=PARTLY)
answering("wrong-type-crash", "Raises when a number is a text, instead of refusing.",
          lambda given: found(given) if isinstance(given.get("limit", 1), int) else
          raising("TypeError", "'<' not supported between instances of 'str' and 'int'"),
          "RESP-005", tool={"unchecked": ("type", "minimum", "maximum")})
answering("leaks-stack-trace", "Shows a stack trace when it refuses.",
          lambda given: found(given) if given.get("limit", 10) > 4 else refusal(
              'Traceback (most recent call last):\n  File "library.py", line 23, in find_book\n'
              "    raise ValueError(limit)\nValueError: limit is too small"), "LEAK-001")
answering("leaks-absolute-path", "Names a file of its machine.",
          answers("Read from /home/ada/library/private/books.sqlite3."), "LEAK-002")
answering("leaks-secret", "Shows the key of its database.",
          answers("Connected with api_key=sk-" + "live4F9x" * 4 + "."), "LEAK-003")
# fmt: on


@SERVERS.plant(
    "shows-its-logs",
    "Shows a stack trace because it is asked for its log.",
    tools={"read_log": "fully_working"},
    spared=("LEAK-001",),
    correct=True,
)
def shows_its_logs() -> Server:
    lines = '08:12 Traceback (most recent call last):\n  File "library.py", line 23, in lend'
    return Server(Tool("read_log", answers(lines), description="Read what was noted today."))


@SERVERS.plant("cannot-generate", "Wants a text that is hard to make from its pattern.", "SCEN-002")
def cannot_generate() -> Server:
    code = {"type": "string", "pattern": "^(?=[0-9]{9}$)(?!.*(.)\\1)[13579]+[02468]+$"}
    sample = {"code": "135790246"}
    return Server(Tool("check_code", answers("A good code."), accepts("code", code=code), sample))
