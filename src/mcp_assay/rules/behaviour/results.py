"""What the answers of a tool show: crashes, silence, contradictions, errors that hide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from msgspec.structs import replace

from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.scenario import AGAIN
from mcp_assay.rules.behaviour.hidden_errors import texts_of
from mcp_assay.rules.behaviour.rule import (
    at,
    behaviour_rule,
    called,
    example,
    of_calls,
    sentence,
    shown,
)
from mcp_assay.rules.engine.rule import Found

WRAPPED: Final = {"result"}
"""The members of an object that the Python SDK makes of a value that is none."""
LONGEST_COMPARED: Final = 100_000
INTERNAL_ERROR: Final = -32603
SHORTEST_NAMED: Final = 3
"""A shorter name or value may stand in any text."""


def _saying(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


NOTE: Final = {"content": [{"type": "text", "text": '{"id": 1}'}], "structuredContent": {"id": 1}}
OTHER_NOTE: Final = {**NOTE, "structuredContent": {"id": 2}}
SAYS_ERROR: Final = _saying("Error: no such note")
FLAGGED: Final = {**SAYS_ERROR, "isError": True}
GOOD: Final = called({"id": 1}, result=NOTE)


def _wrapped(value: Any) -> dict[str, Any]:
    """Two notes, one text each, beside a list of them."""
    blocks = [{"type": "text", "text": f'{{"id": {id}}}'} for id in (1, 2)]
    return {"content": blocks, "structuredContent": {"result": value}}


def _in_trouble(tried: ToolRun, trouble: str, *, valid: bool | None = None) -> list[Call]:
    """The calls that ended in this trouble; of those with valid arguments, or without, only."""
    return [
        call
        for call in tried.calls
        if call.verdict.trouble == trouble and valid in (None, call.scenario.valid)
    ]


@behaviour_rule(
    "RESP-001",
    "no-usable-content",
    reason="no_content",
    good=lambda: [example(GOOD)],
    bad=lambda: [
        example(called(trouble="no_content", result={}), pointer="/calls/0"),
        example(called(trouble="no_content", result={"content": []}), pointer="/calls/0"),
    ],
)
def no_usable_content(tried: ToolRun) -> Iterator[Found]:
    """A result has no usable content.

    Why: the model gets an empty result and cannot tell success from failure.
    Instead: return content that says what was done, even if nothing was.
    """
    empty: list[Call] = []
    unusable: list[Call] = []
    for call in _in_trouble(tried, "no_content"):
        (empty if _is_empty(call.answer.result) else unusable).append(call)
    if unusable:
        text = sentence(shown(tried), _without_content(unusable[0]), of_calls(unusable, tried))
        yield at(tried, unusable[0], text)
    elif empty:  # MCP allows it
        text = sentence(shown(tried), "returned empty content", of_calls(empty, tried))
        yield replace(at(tried, empty[0], text), grade="empty content")


def _without_content(call: Call) -> str:
    instead = call.answer.instead
    return (
        f"returned {instead} without a JSON-RPC message"
        if instead
        else ("returned no usable content")
    )


def _is_empty(result: Any) -> bool:
    """Whether a result says in the right form that there is nothing to say."""
    return isinstance(result, dict) and result.get("content") == []


@behaviour_rule(
    "RESP-003",
    "error-inside-success",
    reason="error_inside_success",
    good=lambda: [
        example(called(result=FLAGGED, outcome="unproven")),
        example(called({"kind": "error"}, result=SAYS_ERROR)),
    ],
    bad=lambda: [
        example(called(result=SAYS_ERROR), pointer="/calls/0"),
        example(called(result=_saying("Database error: no such table")), pointer="/calls/0"),
    ],
)
def error_inside_success(tried: ToolRun) -> Iterator[Found]:
    """A result reports an error without setting isError.

    Why: clients and models check isError; without it they continue as if the call had succeeded.
    Instead: set isError to true in every result that reports a failure.
    """
    if found := [call for call in tried.calls if call.hides_error]:
        text = sentence(
            shown(tried), "reported an error without setting isError", of_calls(found, tried)
        )
        yield at(tried, found[0], text)


@behaviour_rule(
    "RESP-004",
    "valid-call-crashes",
    reason="valid_call_crashes",
    good=lambda: [example(GOOD, called(name="wrong type", valid=False, trouble="crashed"))],
    bad=lambda: [example(GOOD, called({"id": 2}, trouble="crashed"), pointer="/calls/1")],
)
def valid_call_crashes(tried: ToolRun) -> Iterator[Found]:
    """A call with valid arguments crashes the tool.

    Why: a client that does everything right gets an exception instead of a result.
    Instead: fix the exception, or return an error that says what the caller should change.
    """
    if found := _in_trouble(tried, "crashed", valid=True):
        text = sentence(shown(tried), "crashed on valid arguments", of_calls(found, tried))
        yield at(tried, found[0], text)


@behaviour_rule(
    "RESP-005",
    "invalid-call-crashes",
    reason="invalid_call_crashes",
    good=lambda: [example(called(name="wrong type", valid=False))],
    bad=lambda: [
        example(called(name="wrong type", valid=False, trouble="crashed"), pointer="/calls/0")
    ],
)
def invalid_call_crashes(tried: ToolRun) -> Iterator[Found]:
    """A call with invalid arguments crashes the tool instead of being rejected.

    Why: the model sees an exception and cannot tell what to change in its call.
    Instead: validate arguments against the inputSchema, and say which one is wrong.
    """
    if found := _in_trouble(tried, "crashed", valid=False):
        text = sentence(
            shown(tried),
            "crashed on invalid arguments instead of rejecting them",
            of_calls(found, tried),
        )
        yield at(tried, found[0], text)


@behaviour_rule(
    "RESP-006",
    "text-differs-from-structured",
    reason="text_differs",
    good=lambda: [example(GOOD), example(called(result=_wrapped([{"id": 1}, [{"id": 2}]])))],
    bad=lambda: [
        example(called(result=OTHER_NOTE), pointer="/calls/0"),
        example(called(result=_wrapped([{"id": 1}, {"id": 3}])), pointer="/calls/0"),
    ],
)
def text_differs_from_structured(tried: ToolRun) -> Iterator[Found]:
    """The JSON text differs from structuredContent.

    Why: clients that show the text and programs that read structuredContent see different results.
    Instead: serialize the text from the same value as structuredContent.
    """
    if found := [call for call in tried.calls if _differs(call.answer.result)]:
        text = sentence(
            shown(tried), "returned text that differs from structuredContent",
            of_calls(found, tried),
        )  # fmt: skip
        yield at(tried, found[0], text)


def _differs(result: Any) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("structuredContent"), dict):
        return False
    texts, said = texts_of(result), result["structuredContent"]
    values = [value for value in map(_parsed, texts) if isinstance(value, dict)]
    if not values or said in values:
        return False
    return not (said.keys() == WRAPPED and _are_items(texts, said["result"]))


def _are_items(texts: list[str], value: Any) -> bool:
    """Whether texts are the items of a list, one each, or the one value itself."""
    items, spoken = list(_flat(value)), [(text, _parsed(text)) for text in texts]
    if len(items) != len(spoken):
        return False
    return all(item in said for item, said in zip(items, spoken, strict=True))


def _flat(value: Any) -> Iterator[Any]:
    """The items of a list, also of the lists in it."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, list):
            left.extend(reversed(item))
        else:
            yield item


@behaviour_rule(
    "RESP-007",
    "dependency-unavailable",
    reason="surroundings_failed",
    good=lambda: [example(GOOD)],
    bad=lambda: [example(called(trouble="environment"), pointer="/calls/0")],
)
def dependency_unavailable(tried: ToolRun) -> Iterator[Found]:
    """A call fails because a dependency is unavailable.

    Why: the tool cannot be tested while its dependency is down.
    Instead: provide what the tool depends on (network access, API keys, programs) and run again.
    """
    if found := _in_trouble(tried, "environment"):
        words = "failed because a dependency was unavailable"
        text = sentence(shown(tried), words, of_calls(found, tried))
        yield at(tried, found[0], text)


@behaviour_rule(
    "RESP-008",
    "nondeterministic",
    reason="nondeterministic",
    tries=(AGAIN,),
    good=lambda: [example(GOOD, GOOD)],
    bad=lambda: [example(GOOD, called({"id": 1}, result=OTHER_NOTE), pointer="/calls/1")],
)
def nondeterministic(tried: ToolRun) -> Iterator[Found]:
    """The same call returns different results.

    Why: tests and caches cannot rely on results that vary from call to call.
    Instead: ignore this if the result depends on time; otherwise make it deterministic.
    """
    first: dict[bytes, Call] = {}
    for call in tried.calls:
        if not isinstance(call.answer.result, dict):
            continue
        known = first.setdefault(_key(call.scenario.arguments), call)
        if known is call:
            continue
        keys = {_key(known.answer.result), _key(call.answer.result)}
        if len(keys) == 2 and b"" not in keys:
            yield at(
                tried, call, sentence(shown(tried), "returned different results for the same call")
            )
            return


@behaviour_rule(
    "RESP-009",
    "call-timed-out",
    reason="timed_out",
    good=lambda: [example(GOOD)],
    bad=lambda: [
        example(called(trouble="timed_out", ending="timed_out"), pointer="/calls/0"),
        example(
            called(trouble="environment"),
            called(trouble="timed_out", ending="timed_out"),
            pointer="/calls/1",
        ),
    ],
)
def call_timed_out(tried: ToolRun) -> Iterator[Found]:
    """A call times out.

    Why: clients give up as well, and the work done for the call is lost.
    Instead: respond faster, send progress notifications, or raise --timeout.
    """
    if found := _in_trouble(tried, "timed_out"):
        text = sentence(shown(tried), "timed out", of_calls(found, tried))
        waits = bool(_in_trouble(tried, "environment")) and not _ever_succeeded(tried)
        yield replace(at(tried, found[0], text), grade="dependency unavailable" if waits else None)


def _ever_succeeded(tried: ToolRun) -> bool:
    return any(call.verdict.succeeded for call in tried.calls)


@behaviour_rule(
    "RESP-010",
    "call-kills-server",
    reason="died",
    good=lambda: [example(GOOD)],
    bad=lambda: [example(called(trouble="died", ending="died"), pointer="/calls/0")],
)
def call_kills_server(tried: ToolRun) -> Iterator[Found]:
    """The server crashes during a call.

    Why: all sessions and all other tools of the server are lost.
    Instead: catch the tool's exceptions, and return an isError result.
    """
    if found := _in_trouble(tried, "died"):
        text = sentence("The server", found[0].answer.fate or "died", "while",
                        shown(tried)[0].lower() + shown(tried)[1:],
                        "was called", of_calls(found, tried))  # fmt: skip
        yield at(tried, found[0], text)


@behaviour_rule(
    "RESP-011",
    "error-says-nothing",
    reason="unclear_error",
    good=lambda: [
        example(called(result=FLAGGED, outcome="unproven")),
        example(called({"note": "tea"}, result=FLAGGED, outcome="undecided")),
        example(called(error={"code": -32603, "message": "Internal error"}, outcome="undecided")),
    ],
    bad=lambda: [example(called(result=FLAGGED, outcome="undecided"), pointer="/calls/0")],
)
def error_says_nothing(tried: ToolRun) -> Iterator[Found]:
    """An error message does not say what went wrong.

    Why: it is unclear whether the tool rejected the call or failed, so neither a model nor this
    report can use it.
    Instead: say what was wrong; with the Python SDK, raise ToolError to pass a message to the
    client.
    """
    found = [
        call
        for call in tried.calls
        if call.verdict.outcome == "undecided" and _is_error(call.answer)
        if not _is_internal_error(call.answer) and not _names_what_was_sent(call)
    ]
    if found:
        text = sentence(
            shown(tried), "returned errors that do not say whether it rejected the call or failed",
            of_calls(found, tried),
        )  # fmt: skip
        yield at(tried, found[0], text)


def _is_error(answer: CallResult) -> bool:
    """Whether an error came back, in either of its two forms."""
    result = answer.result
    return answer.error is not None or (isinstance(result, dict) and bool(result.get("isError")))


def _is_internal_error(answer: CallResult) -> bool:
    """Whether the error says by its code that the tool failed: CALL-009 reports that."""
    return (answer.error or {}).get("code") == INTERNAL_ERROR


def _names_what_was_sent(call: Call) -> bool:
    """Whether an error has the name or the value of an argument in it: that says something."""
    said = " ".join(texts_of(call.answer.result)) + str((call.answer.error or {}).get("message"))
    said = said.replace(call.scenario.tool, "").casefold()
    sent = call.scenario.arguments
    values = (value for value in sent.values() if isinstance(value, str))
    return any(len(it) >= SHORTEST_NAMED and it.casefold() in said for it in (*sent, *values))


def _parsed(text: str) -> Any:
    if len(text) > LONGEST_COMPARED:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _key(value: Any) -> bytes:
    """What equal values have in common; "" for what is too deep or too odd to be compared."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return b""
