"""Success and failure: how a response reports them, when, and with which data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson

from mcp_assay.rules.engine.rule import Found, MapKey
from mcp_assay.rules.engine.samples import bad, good
from mcp_assay.rules.envelope.content import said
from mcp_assay.rules.envelope.results import path_in_response, refusal_by_mcp
from mcp_assay.rules.envelope.rule import (
    MOMENT,
    failure,
    is_data,
    profile_rule,
    success,
    text,
    without,
)
from mcp_assay.spec.formats import is_moment
from mcp_assay.text.words import listing, quote
from mcp_assay.wire.reader import Note

NO_SUCCESS: Final = "missing_success"
NO_TIMESTAMP: Final = "missing_timestamp"
NO_ERROR: Final = "missing_error"

OTHER_FLAGS: Final = ("ok", "status", "result")
"""What some tools have in place of success."""

NOT_JSON: Final = frozenset({"not-json", "non-finite"})
"""The kinds of notes that report something for which JSON has no form."""

LONGEST_LINE: Final = 80
LONGEST_DUMP: Final = 100_000
"""JSON on one line is hard to read if it is longer than the first; beyond the second it is not
compared with the data."""

ROWS: Final = [{"id": number, "title": f"Note {number}", "done": False} for number in range(3)]


@profile_rule(
    "ENV-107",
    "success-missing",
    on="response",
    breaks="profile",
    reason=NO_SUCCESS,
    good=lambda: [good(success()), good(failure())],
    bad=lambda: [
        bad(without(success(), "success"), "/success"),
        bad({**success(), "success": "true"}, "/success"),
        bad({**success(), "success": 1}, "/success"),
        bad({**success(), "success": None}, "/success"),
    ],
)
def success_missing(response: dict[str, Any]) -> Iterator[Found]:
    """A response does not say whether the call succeeded.

    Why: programs have to guess from the text, and guess wrong.
    Instead: set success to true or false, as a boolean.
    """
    if "success" not in response:
        yield Found(("success",), "The response has no success")
    elif not isinstance(response["success"], bool):
        yield Found(("success",), f"success is {said(response['success'])}, not true or false")


@profile_rule(
    "ENV-108",
    "timestamp-wrong",
    on="response",
    breaks="profile",
    reason="invalid_timestamp",
    good=lambda: [good({**success(), "timestamp": "2026-03-01T10:30:00.250+01:00"})],
    bad=lambda: [
        bad(without(success(), "timestamp"), "/timestamp"),
        bad({**success(), "timestamp": 1772357400}, "/timestamp"),
        bad({**success(), "timestamp": "1 March 2026"}, "/timestamp"),
        bad({**success(), "timestamp": "2026-02-30T09:30:00Z"}, "/timestamp"),
        bad({**success(), "timestamp": MOMENT.rstrip("Z")}, "/timestamp"),
    ],
)
def timestamp_wrong(response: dict[str, Any]) -> Iterator[Found]:
    """A response has no machine-readable timestamp.

    Why: logs and caches cannot order responses without a timestamp.
    Instead: use an RFC 3339 timestamp in UTC, such as 2026-03-01T09:30:00Z.
    """
    moment = response.get("timestamp")
    if not moment:
        yield Found(("timestamp",), "The response has no timestamp", reason=NO_TIMESTAMP)
    elif not isinstance(moment, str):
        yield Found(("timestamp",), f"timestamp is {said(moment)}, not a string")
    elif not is_moment(moment):
        yield Found(("timestamp",), f"timestamp {quote(moment)} is not an RFC 3339 timestamp")


@profile_rule(
    "ENV-109",
    "error-on-success",
    on="success",
    breaks="profile",
    reason="error_on_success",
    good=lambda: [good(success(data={"warnings": ["2 notes were skipped"]}))],
    bad=lambda: [
        bad(success(error={"code": "SKIPPED", "message": "2 notes were skipped"}), "/error"),
        bad(success(error=None), "/error"),
    ],
)
def error_on_success(response: dict[str, Any]) -> Iterator[Found]:
    """A successful response has an error.

    Why: some programs check success, others check error, and they disagree.
    Instead: omit error and put warnings into data, or set success to false.
    """
    if "error" in response:
        yield Found(("error",), "The response reports success and has an error")


@profile_rule(
    "ENV-110",
    "error-incomplete",
    on="failure",
    breaks="profile",
    reason="invalid_error",
    good=lambda: [good(failure())],
    bad=lambda: [
        bad(without(failure(), "error"), "/error"),
        bad(failure(error="Note 7 not found"), "/error"),
        bad(failure(error={"message": "Note 7 not found"}), "/error/code"),
        bad(failure(error={"code": "NOTE_NOT_FOUND"}), "/error/message"),
        bad(failure(error={"code": 404, "message": "Note 7 not found"}), "/error/code"),
    ],
)
def error_incomplete(response: dict[str, Any]) -> Iterator[Found]:
    """A failed response does not say what failed.

    Why: programs need the code and people the message; without them they can only retry.
    Instead: give error as an object with a code such as NOTE_NOT_FOUND and a message, both strings.
    """
    error = response.get("error")
    if not error:
        yield Found(("error",), "The response reports failure and has no error", reason=NO_ERROR)
    elif not isinstance(error, dict):
        yield Found(("error",), f"error is {said(error)}, not an object")
    else:
        for name in ("code", "message"):
            if name not in error:
                yield Found(("error", name), f"The error has no {name}")
            elif not isinstance(error[name], str):
                words = f"The {name} of the error is {said(error[name])}, not a string"
                yield Found(("error", name), words)


@profile_rule(
    "ENV-111",
    "data-not-json",
    on="data",
    breaks="both",
    reason="not_json",
    good=lambda: [good(success(data=[1, 2.5, None])), good(success(data="3 notes"))],
    bad=lambda: [
        bad(
            b'{"success":true,"timestamp":"2026-03-01T09:30:00Z","data":{"load":NaN},'
            b'"content":[{"type":"text","text":"load: unknown"}]}',
            "/data/load",
        )
    ],
)
def data_not_json(notes: Sequence[Note]) -> Iterator[Found]:
    """data or details cannot be represented in JSON.

    Why: data may be any JSON value; anything else cannot be sent.
    Instead: convert it first: dates to strings, NaN to null, bytes to base64.
    """
    for note in notes:
        if note.kind in NOT_JSON and is_data(note.path):
            first, *rest = note.path
            path = (first, *(MapKey(step) if isinstance(step, str) else step for step in rest))
            yield Found(path, f"{first} cannot be sent, {note.text.rstrip('.')}")


@profile_rule(
    "ENV-114",
    "failure-not-flagged",
    on="failure",
    breaks="mcp",
    reason="missing_is_error",
    good=lambda: [good(failure())],
    bad=lambda: [
        bad(without(failure(), "isError"), "/isError"),
        bad(failure(isError=False), "/isError"),
    ],
)
def failure_not_flagged(response: dict[str, Any]) -> Iterator[Found]:
    """MCP clients treat this failure as a success.

    Why: clients and models check isError, not success, so they continue as if the call had
    succeeded.
    Instead: set isError to true if success is false; the wrappers do this.
    """
    if response.get("isError") is not True:
        words = "The response reports failure without isError, so clients see a success"
        yield Found(("isError",), words)


@profile_rule(
    "ENV-115",
    "success-flagged-as-error",
    on="success",
    breaks="profile",
    reason="contradiction",
    good=lambda: [good(success(isError=False))],
    bad=lambda: [bad(success(isError=True), "/isError")],
)
def success_flagged_as_error(response: dict[str, Any]) -> Iterator[Found]:
    """A response reports success and failure at once.

    Why: an MCP client sees a failure, a reader of the envelope a success.
    Instead: set success to false exactly if isError is true.
    """
    if response.get("isError") is True:
        yield Found(("isError",), "The response reports success, and isError is true")


@profile_rule(
    "ENV-116",
    "failure-text-differs",
    on="failure",
    breaks="profile",
    reason="text_differs",
    good=lambda: [good(failure(text("Error: Note 7 not found. There are notes 1 to 6.")))],
    bad=lambda: [bad(failure(text("Something went wrong")), "/content/0/text")],
)
def failure_text_differs(response: dict[str, Any]) -> Iterator[Found]:
    """The text of a failure differs from its error.

    Why: people read the text and programs the error; both should say the same.
    Instead: start the first text with "Error: " and the error's message.
    """
    spoken = first_text(response.get("content"))
    if spoken and not spoken[1].startswith(said_error(response)):
        start = quote(said_error(response))
        yield Found(("content", spoken[0], "text"), f"The text does not start with {start}")


@profile_rule(
    "ENV-120",
    "other-success-flag",
    on="response",
    breaks="profile",
    reason="other_flag",
    good=lambda: [good(success(data={"status": "running"}))],
    bad=lambda: [
        bad(
            {"ok": True, **without(success(), "success")},
            "/ok",
            also=(("ENV-107", "/success"),),
        )
    ],
)
def other_success_flag(response: dict[str, Any]) -> Iterator[Found]:
    """A response reports its outcome under a custom name.

    Why: if every tool uses a different name, no program can handle all of them.
    Instead: use success (true or false), and put everything else into data.
    """
    flags = [name for name in OTHER_FLAGS if name in response]
    if flags and "success" not in response:
        yield Found((flags[0],), f"{listing(flags, 'and')} may mean success")


@profile_rule(
    "ENV-121",
    "text-is-a-dump",
    on="success",
    breaks="profile",
    reason="dump",
    good=lambda: [good(success(text("3 notes, none of them done"), data=ROWS))],
    bad=lambda: [bad(success(text(orjson.dumps(ROWS).decode()), data=ROWS), "/content/0/text")],
)
def text_is_a_dump(response: dict[str, Any]) -> Iterator[Found]:
    """The text only repeats the data on one long line.

    Why: it is hard to read, and programs have the data already. JSON over several lines is fine,
    and so is JSON beside structuredContent, where MCP recommends it for older clients.
    Instead: write a sentence or a small table, or format the JSON over several lines.
    """
    spoken = first_text(response.get("content"))
    if spoken and "structuredContent" not in response and _is_dump(spoken[1], response):
        yield Found(("content", spoken[0], "text"), "The text is the data on one long line")


@profile_rule(
    "ENV-122",
    "data-on-failure",
    on="failure",
    breaks="profile",
    reason="data_on_failure",
    good=lambda: [good(failure(data=None))],
    bad=lambda: [bad(failure(data={"id": 7}), "/data")],
)
def data_on_failure(response: dict[str, Any]) -> Iterator[Found]:
    """A failed response has data.

    Why: programs that read data first take it for the result.
    Instead: put additional information into error.details.
    """
    if response.get("data") is not None:
        yield Found(("data",), "The response reports failure and has data")


@profile_rule(
    "ENV-123",
    "refused-by-mcp",
    on="result",
    breaks="mcp",
    reason="invalid_result",
    good=lambda: [good(success(structuredContent={"count": 3}))],
    bad=lambda: [
        bad(success({"type": "audio", "mimeType": "audio/wav"}), "/content/0/data"),
        bad(success(structuredContent="3 notes"), "/structuredContent"),
        bad(success(isError="no"), "/isError"),
        bad(success(_meta=3), "/_meta"),
    ],
)
def refused_by_mcp(response: dict[str, Any]) -> Iterator[Found]:
    """A response is not a valid MCP result for another reason.

    Why: the profile does not cover everything, but MCP clients reject the whole response.
    Instead: give every MCP member its defined form; the wrappers do this.
    """
    refusal = refusal_by_mcp(response)
    if refusal is not None:
        words = f"The response is not a valid MCP result: {refusal.message.rstrip('.')}"
        yield Found(path_in_response(response, refusal), words)


def first_text(content: Any) -> tuple[int, str] | None:
    """The first text in content, and the index of its item."""
    for index, item in enumerate(content if isinstance(content, list) else ()):
        is_text = isinstance(item, dict) and item.get("type") == "text"
        if is_text and isinstance(words := item.get("text"), str):
            return index, words
    return None


def said_error(response: dict[str, Any]) -> str:
    """What the first text of a failure starts with: as much of it as the error tells."""
    error = response.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    return f"Error: {message}" if isinstance(message, str) else "Error: "


def _is_dump(words: str, response: dict[str, Any]) -> bool:
    if not LONGEST_LINE < len(words) <= LONGEST_DUMP or "\n" in words or "data" not in response:
        return False
    try:
        return bool(orjson.loads(words) == response["data"])
    except orjson.JSONDecodeError:
        return False
