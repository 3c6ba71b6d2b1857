"""What the answers of a tool show: crashes, silence, contradictions, errors that hide."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import orjson
from msgspec.structs import replace

from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.ending import Ending
from mcp_assay.model.scenario import AGAIN
from mcp_assay.model.verdict import SignKind
from mcp_assay.rules.behaviour.arguments import runs_programs
from mcp_assay.rules.behaviour.fault_evidence import error_words, is_fair, shows_own_fault
from mcp_assay.rules.behaviour.rule import (
    at,
    behaviour_rule,
    called,
    example,
    is_failure,
    is_invalid_and_answered,
    is_made,
    is_success,
    is_valid_and_answered,
    of_calls,
    sentence,
    shown,
)
from mcp_assay.rules.behaviour.texts import TRACES, texts_of
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.endings import what_it_did
from mcp_assay.text.names import word_set
from mcp_assay.wire.pointer import tokens

WRAPPED: Final = {"result"}
"""The members of an object that the Python SDK makes of a value that is none."""
FIXES: Final[Mapping[Ending, str]] = {
    "http_status": "Answer with a JSON-RPC response; report a failed call as an isError result.",
    "closed": "Keep the connection open until the response is sent; the server's log may say why "
    "it closed.",
    "reset": "Keep the connection open until the response is sent; the server's log may say why "
    "it was reset.",
    "cut_short": "Send the whole response; the server's log may say why it broke off.",
    "malformed_http": "Correct the HTTP response: its status line, headers or chunks.",
    "wrong_encoding": "Send the body in the Content-Encoding that the response names, or in none.",
}
"""What to do about a call that ended without a response."""
NO_ROOM: Final = "Run again when the server, or the gateway before it, has room for requests."
LONGEST_COMPARED: Final = 100_000
DEEPEST_COMPARED: Final = 50
INTERNAL_ERROR: Final = -32603
NO_NETWORK: Final = "no network"
NEARLY: Final = 0.95
"""A call that took so much of what others were given may only have been quicker by chance."""
MOST_BUGS: Final = 5
"""So many bugs of one tool are told apart."""
PUNCTUATION: Final = ".,:;!?'\"`()[]"
EMPTY_WORDS: Final = word_set(
    """
    a an and calling call encountered error errors exception execute executing execution failed
    failure happened has in internal invoking is mcp occurred of problem raised running server
    something the there this to tool toolerror try unexpected unknown was went while with wrong
    """
) | {""}
"""Words of an error of which none says what was wrong."""
SHORTEST_NAMED: Final = 3
"""A shorter name or value may stand in any text."""


def _saying(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


NOTE: Final = {"content": [{"type": "text", "text": '{"id": 1}'}], "structuredContent": {"id": 1}}
OTHER_NOTE: Final = {**NOTE, "structuredContent": {"id": 2}}
SAYS_ERROR: Final = _saying("Error: no such note")
FALLS: Final = {**_saying("'str' object has no attribute 'get'"), "isError": True}
FLAGGED: Final = {**SAYS_ERROR, "isError": True}
REASONLESS: Final = {**_saying("An error occurred"), "isError": True}
GOOD: Final = called({"id": 1}, result=NOTE)


def _wrapped(value: Any) -> dict[str, Any]:
    """Two notes, one text each, beside a list of them."""
    blocks = [{"type": "text", "text": f'{{"id": {id}}}'} for id in (1, 2)]
    return {"content": blocks, "structuredContent": {"result": value}}


def _signed(sign: SignKind, text: str) -> dict[str, Any]:
    """A call that was answered without isError, and by no success."""
    return called(sign=sign, result=_saying(text), trouble="faulty_answer")


def _in_trouble(tried: ToolRun, trouble: str, *, valid: bool | None = None) -> list[Call]:
    """The calls that ended in this trouble; of those with valid arguments, or without, only."""
    return [
        call
        for call in tried.calls
        if call.verdict.trouble == trouble and valid in (None, call.scenario.valid)
    ]


def _lost(tried: ToolRun, how: Literal["timed_out", "died"]) -> list[Call]:
    """The calls that ended so, also those of which nobody can say whether they were valid."""
    return [
        call
        for call in tried.calls
        if call.verdict.trouble == how
        or (call.scenario.valid is None and call.answer.ending == how)
    ]


@behaviour_rule(
    "RESP-001",
    "no-usable-content",
    reason="no_content",
    shown_by=is_valid_and_answered,
    good=lambda: [example(GOOD)],
    bad=lambda: [
        example(called(trouble="no_content", result={}), pointer="/calls/0"),
        example(called(trouble="no_content", result={"content": []}), pointer="/calls/0"),
        example(_signed("no_information", " "), pointer="/calls/0"),
        example(_signed("no_information", "[object Object]"), pointer="/calls/0"),
        example(_signed("not_implemented", "Not implemented yet"), pointer="/calls/0"),
        example(_signed("another_step", "Confirm with confirm=true"), pointer="/calls/0"),
        example(called(trouble="no_content", ending="closed"), pointer="/calls/0"),
        example(called(trouble="no_content", ending="http_status", status=500), pointer="/calls/0"),
    ],
)
def no_usable_content(tried: ToolRun) -> Iterator[Found]:
    """A result has no usable content.

    Why: the model gets an empty result and cannot tell success from failure.
    Instead: return content that says what was done, even if nothing was.
    """
    empty: list[Call] = []
    unusable: defaultdict[Ending, list[Call]] = defaultdict(list)
    for call in _in_trouble(tried, "no_content"):
        group = empty if _is_empty(call.answer.result) else unusable[call.answer.ending]
        group.append(call)
    for ending, calls in unusable.items():
        text = sentence(_without_content(tried, calls[0].answer), of_calls(calls, tried))
        is_answered = ending == "answered"
        key, fix = ("", None) if is_answered else (ending, FIXES.get(ending))
        yield at(tried, calls[0], text, key=key, fix=fix)
    if empty and not unusable:  # MCP allows it
        text = sentence(shown(tried), "returned empty content", of_calls(empty, tried))
        grade = "empty content" if _says_nothing(tried, empty) else SOMETIMES
        yield replace(at(tried, empty[0], text), grade=grade)
    for sign, (grade, words) in EMPTY_ANSWERS.items():
        if found := [it for it in tried.calls if it.sign == sign and not _is_past_a_page(it)]:
            text = sentence(shown(tried), words, of_calls(found, tried))
            fix = EMPTY_ANSWER_FIXES.get(sign)
            is_empty = sign == "no_information" and not _says_nothing(tried, found)
            told = at(tried, found[0], text, key=sign, fix=fix)
            yield replace(told, grade=SOMETIMES if is_empty else grade)


SOMETIMES: Final = "nothing to say sometimes"


def _says_nothing(tried: ToolRun, found: list[Call]) -> bool:
    """Whether a tool has no words for what sensible callers ask of it.

    One that answers others has nothing to say of what was asked for: an empty list, or an empty
    document.
    """
    answers = (call for call in tried.calls if call not in found)
    told = any(call.verdict.outcome == "passed" and call.scenario.valid for call in answers)
    return any(call.scenario.is_sensible for call in found) and not told


EMPTY_ANSWERS: Final[Mapping[SignKind, tuple[str, str]]] = {
    "no_information": ("no information", "returned content that carries no information"),
    "not_implemented": ("not implemented", "answered that it is not implemented"),
    "another_step": ("another step", "asked for another step instead of doing its work"),
}
"""What an answer in the right form may say that is no result: the grade, and the words for it."""


EMPTY_ANSWER_FIXES: Final[Mapping[SignKind, str]] = {
    "not_implemented": "Implement the tool, or do not list it.",
    "another_step": "Name the step in the description, or return an isError result that names it.",
}
"""What to do about those that the advice of the rule does not fit."""


def _without_content(tried: ToolRun, answer: CallResult) -> str:
    if answer.ending == "answered":
        return f"{shown(tried)} returned no usable content"
    tool = shown(tried)[0].lower() + shown(tried)[1:]
    did = what_it_did(answer.ending, answer.status, answer.detail)
    return f"When {tool} was called, the server {did}"


def _is_past_a_page(call: Call) -> bool:
    """Whether nothing may be all that there is: of a page of ours, asked for by an odd limit."""
    is_fed = call.effects is not None and bool(call.effects.requests)
    return is_fed and call.sign == "no_information" and call.scenario.category == "edge_case"


def _is_empty(result: Any) -> bool:
    """Whether a result says in the right form that there is nothing to say."""
    return isinstance(result, dict) and result.get("content") == []


@behaviour_rule(
    "RESP-003",
    "error-inside-success",
    reason="error_inside_success",
    shown_by=is_success,
    good=lambda: [
        example(called(result=FLAGGED, outcome="unproven")),
        example(called({"kind": "error"}, result=SAYS_ERROR)),
        example(
            called({"ids": ["a", "b"]}, sign="unflagged_error", result=_saying("a: Error: no a"))
        ),
        example(
            called(
                {"code": "1/0"},
                sign="unflagged_error",
                result=_saying("Traceback (most recent call last):\nZeroDivisionError"),
            ),
            tool={"name": "run_code", "inputSchema": {"properties": {"code": {}}}},
        ),
    ],
    bad=lambda: [
        example(called(sign="unflagged_error", result=SAYS_ERROR), pointer="/calls/0"),
        example(
            called(sign="unflagged_error", result=_saying('{"success": false, "error": "no"}')),
            pointer="/calls/0",
        ),
    ],
)
def error_inside_success(tried: ToolRun) -> Iterator[Found]:
    """A result reports an error without setting isError.

    Why: clients and models check isError; without it they continue as if the call had succeeded.
    Instead: set isError to true in every result that reports a failure.
    """
    told = [call for call in tried.calls if call.sign == "unflagged_error"]
    runs = runs_programs(tried.tool)
    told = [call for call in told if not (_is_partial(call) or _finds_nothing(call))]
    if found := [call for call in told if not (runs and _traces(call))]:
        text = sentence(
            shown(tried), "reported an error without setting isError", of_calls(found, tried)
        )
        yield at(tried, found[0], text)


def _is_partial(call: Call) -> bool:
    """Whether an answer tells of each item of a list how it went."""
    lists = [value for value in call.scenario.arguments.values() if isinstance(value, list)]
    items = tuple(f"{item}: " for items in lists for item in items if isinstance(item, str))
    if items and any(text.startswith(items) for text in texts_of(call.answer.result)):
        return True
    sign = call.result.sign if call.result else None
    return bool(lists) and sign is not None and _tells_by_item(call.answer.result, sign.pointer)


def _tells_by_item(result: Any, pointer: str) -> bool:
    """Whether what an answer says of an error stands in an item of a list, or is such a list."""
    steps = tokens(pointer)
    if steps[:1] == ["content"] and len(texts := texts_of(result)) == 1:
        value, steps = _parsed(texts[0]), steps[3:]
    else:
        value = result
    for step in steps:
        if isinstance(value, list):
            return True
        value = value.get(step) if isinstance(value, dict) else None
    return isinstance(value, list)


FOUND_NOTHING: Final = re.compile(
    r"\W{0,4}(?:no|0) (?:[\w-]{1,30} ){0,2}(?:\w{1,30}s (?:were )?found|changes|commits"
    r"|differences|entries|files|hits|items|lines|match|matches|records|results|rows)\b"
    r"(?! (?:given|provided|specified))"
    r"|.{0,300}\bnothing to (?:change|clean|commit|delete|do|remove|show|update)\b",
    re.IGNORECASE | re.DOTALL,
)
"""How a tool says that there was nothing of what it looked for: that is an answer."""


def _finds_nothing(call: Call) -> bool:
    texts = texts_of(call.answer.result)
    return len(texts) == 1 and FOUND_NOTHING.match(texts[0][:LONGEST_COMPARED]) is not None


def _traces(call: Call) -> bool:
    """Whether an answer shows where the program of the caller failed."""
    return any(trace in text for text in texts_of(call.answer.result) for trace in TRACES)


@behaviour_rule(
    "RESP-004",
    "valid-call-crashes",
    reason="valid_call_crashes",
    shown_by=is_valid_and_answered,
    good=lambda: [
        example(GOOD),
        example(GOOD, called(name="wrong type", valid=False, trouble="crashed")),
    ],
    bad=lambda: [
        example(GOOD, called({"id": 2}, trouble="crashed"), pointer="/calls/1"),
        example(
            called(
                trouble="crashed",
                result={**_saying("Output validation error: id is null"), "isError": True},
            ),
            pointer="/calls/0",
        ),
    ],
)
def valid_call_crashes(tried: ToolRun) -> Iterator[Found]:
    """A call with valid arguments crashes the tool.

    Why: a client that does everything right gets an exception instead of a result.
    Instead: fix the exception, or return an error that says what the caller should change.
    """
    for key, found in _bugs(_in_trouble(tried, "crashed", valid=True)):
        if _is_refused_output(found[0]):
            text = sentence(shown(tried), NOT_AS_PROMISED, of_calls(found, tried))
            refused = at(tried, found[0], text, key=key, fix=FIT_SCHEMA)
            yield replace(refused, reason="invalid_result")
        else:
            yield _crash(tried, found, key)


UNUSUAL: Final = "arguments that nobody would send"
NO_EVIDENCE: Final = "no evidence of its own fault"
FAILED: Final = "failed on valid arguments, and nothing shows that the fault is its own"


def _crash(tried: ToolRun, found: list[Call], key: str) -> Found:
    """The crash of some valid calls, as grave as what shows that the tool is at fault."""
    own = [call for call in found if shows_own_fault(call)]
    fair = [call for call in own if is_fair(tried, call)]
    grade, words = None, "crashed on valid arguments"
    if not own:
        grade, words = NO_EVIDENCE, FAILED
    elif not fair:
        grade, words = UNUSUAL, "crashed on unusual arguments that its schema allows"
    text = sentence(shown(tried), words, of_calls(found, tried))
    return replace(at(tried, (fair or own or found)[0], text, key=key), grade=grade)


REFUSED_OUTPUT: Final = re.compile(
    r"output validation error|invalid structured content|has an output ?schema but"
    r"|does not match its output ?schema|output does not match",
    re.IGNORECASE,
)
"""What SDKs say in place of a result that does not fit the outputSchema of its tool."""
NOT_AS_PROMISED: Final = "returned results that its SDK withheld: they do not fit the outputSchema"
FIT_SCHEMA: Final = "Return what the outputSchema says, or correct the schema (null, optional)."


def _is_refused_output(call: Call) -> bool:
    said = [str((call.answer.error or {}).get("message", "")), *texts_of(call.answer.result)]
    return any(REFUSED_OUTPUT.search(text[:LONGEST_COMPARED]) for text in said)


def _bugs(crashes: list[Call]) -> Iterator[tuple[str, list[Call]]]:
    """The crashes, those of each bug together, and what a finding is known by.

    An exception and its place are the server's words and change with its code: the first bug needs
    no key, another is known by the argument that shows it.
    """
    groups: dict[tuple[str, str] | None, list[Call]] = {}
    for call in crashes:
        bug = call.answer.raised.bug if call.answer.raised else None
        place = bug if bug in groups or len(groups) < MOST_BUGS else next(iter(groups))
        groups.setdefault(place, []).append(call)
    keys: Counter[str] = Counter()
    for number, found in enumerate(groups.values()):
        pointer = found[0].scenario.pointer if number else ""
        keys[pointer] += 1
        yield pointer if keys[pointer] == 1 else f"{pointer} {keys[pointer]}", found


@behaviour_rule(
    "RESP-005",
    "invalid-call-crashes",
    reason="invalid_call_crashes",
    shown_by=is_invalid_and_answered,
    good=lambda: [
        example(called(name="wrong type", valid=False)),
        example(
            called(trouble="crashed", result=FALLS),
            called({"id": "x"}, name="wrong type", valid=False, trouble="crashed", result=FALLS),
        ),
    ],
    bad=lambda: [
        example(called(name="wrong type", valid=False, trouble="crashed"), pointer="/calls/0")
    ],
)
def invalid_call_crashes(tried: ToolRun) -> Iterator[Found]:
    """A call with invalid arguments crashes the tool instead of being rejected.

    Why: the model sees an exception and cannot tell what to change in its call.
    Instead: validate arguments against the inputSchema, and say which one is wrong.
    """
    crashed = _in_trouble(tried, "crashed", valid=False)
    # What valid calls fall over in the same words is not the fault that was planted.
    anyhow = {error_words(call) for call in _in_trouble(tried, "crashed", valid=True)} - {""}
    crashed = [call for call in crashed if error_words(call) not in anyhow]
    for key, found in _bugs([call for call in crashed if shows_own_fault(call)]):
        text = sentence(
            shown(tried),
            "crashed on invalid arguments instead of rejecting them",
            of_calls(found, tried),
        )
        yield at(tried, found[0], text, key=key)


def _has_both(call: Call) -> bool:
    """Whether a result has structuredContent, and JSON in its text."""
    result = call.answer.result
    if not isinstance(result, dict) or not isinstance(result.get("structuredContent"), dict):
        return False
    return any(isinstance(value, dict) for value in map(_parsed, texts_of(result)))


@behaviour_rule(
    "RESP-006",
    "text-differs-from-structured",
    reason="text_differs",
    shown_by=_has_both,
    good=lambda: [
        example(GOOD),
        example(called(result=_wrapped([{"id": 1}, [{"id": 2}]]))),
        example(called(result={**NOTE, "structuredContent": {"id": 1, "owner": None}})),
    ],
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
    if not values or said in values or _without_nulls(said) in map(_without_nulls, values):
        return False
    return not (said.keys() == WRAPPED and _are_items(texts, said["result"]))


def _without_nulls(value: Any, depth: int = 0) -> Any:
    """The value without members that are null, which some writers leave out."""
    if depth > DEEPEST_COMPARED:
        return value
    if isinstance(value, dict):
        kept = ((name, member) for name, member in value.items() if member is not None)
        return {name: _without_nulls(member, depth + 1) for name, member in kept}
    if isinstance(value, list):
        return [_without_nulls(item, depth + 1) for item in value]
    return value


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


SOME_CALLS: Final = "only some calls"
CLIENT_FEATURES: Final = re.compile(r"elicit(?:ation)?|sampling|create ?message", re.IGNORECASE)
"""What a server asks of its client, which is no part of its surroundings."""


def _hinders(tried: ToolRun, call: Call) -> bool:
    """Whether a dependency keeps a tool from its work: what sensible callers ask for fails.

    Where the tool succeeds otherwise, it has what it needs, and the arguments were the reason.
    """
    if _ever_succeeded(tried) or not call.scenario.is_sensible:
        return False
    said = " ".join(texts_of(call.answer.result)[:1])[:LONGEST_COMPARED]
    return not CLIENT_FEATURES.search(said)


def _unreached(call: Call) -> str | None:
    return call.effects.unreached_host if call.effects else None


@behaviour_rule(
    "RESP-007",
    "dependency-unavailable",
    reason="surroundings_failed",
    good=lambda: [example(GOOD)],
    bad=lambda: [
        example(called(trouble="environment"), pointer="/calls/0"),
        example(
            called(trouble="environment", ending="http_status", status=503), pointer="/calls/0"
        ),
    ],
)
def dependency_unavailable(tried: ToolRun) -> Iterator[Found]:
    """A call fails because a dependency is unavailable.

    Why: the tool cannot be tested while its dependency is down.
    Instead: provide what the tool depends on (network access, API keys, programs) and run again.
    """
    found = _in_trouble(tried, "environment")
    overloaded = [call for call in found if call.answer.is_overloaded]
    others = [call for call in found if not call.answer.is_overloaded]
    if offline := next((call for call in others if _unreached(call)), None):
        words = "could not reach the network, which the sandbox does not have"
        text = sentence(shown(tried), words, of_calls(others, tried))
        fix = f"Use --sandbox-allow {_unreached(offline)} to test it, or leave --sandbox out."
        yield replace(at(tried, offline, text, fix=fix), grade=NO_NETWORK)
    elif others:
        words = "failed because a dependency was unavailable"
        text = sentence(shown(tried), words, of_calls(others, tried))
        hindering = [call for call in others if _hinders(tried, call)]
        found_at = at(tried, (hindering or others)[0], text)
        yield found_at if hindering else replace(found_at, grade=SOME_CALLS)
    if overloaded:
        text = sentence(_without_content(tried, overloaded[0].answer), of_calls(overloaded, tried))
        yield at(tried, overloaded[0], text, key="load", fix=NO_ROOM)


@behaviour_rule(
    "RESP-008",
    "nondeterministic",
    reason="nondeterministic",
    shown_by=is_success,
    tries=(AGAIN,),
    good=lambda: [example(GOOD, GOOD)],
    bad=lambda: [example(GOOD, called({"id": 1}, result=OTHER_NOTE), pointer="/calls/1")],
)
def nondeterministic(tried: ToolRun) -> Iterator[Found]:
    """The same call returns different results.

    Why: tests and caches cannot rely on results that vary from call to call.
    Instead: ignore this if the result depends on time; otherwise make it deterministic: a call may
    leave something behind, such as a changed default or global.
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
    shown_by=is_made,
    good=lambda: [
        example(GOOD),
        example(
            called(result=NOTE, seconds=9.98),
            called(trouble="timed_out", ending="timed_out", seconds=10.0),
        ),
    ],
    bad=lambda: [
        example(called(trouble="timed_out", ending="timed_out"), pointer="/calls/0"),
        example(
            called(trouble="environment"),
            called(trouble="timed_out", ending="timed_out"),
            pointer="/calls/1",
        ),
        example(
            called(result=NOTE, seconds=2.0),
            called(trouble="timed_out", ending="timed_out", seconds=10.0),
            pointer="/calls/1",
        ),
    ],
)
def call_timed_out(tried: ToolRun) -> Iterator[Found]:
    """A call times out.

    Why: clients give up as well, and the work done for the call is lost.
    Instead: respond faster, send progress notifications, or raise --timeout.
    """
    found = _lost(tried, "timed_out")
    if found and not _ends_at_the_limit(tried, found):
        text = sentence(shown(tried), "timed out", of_calls(found, tried))
        sensible = [call for call in found if call.scenario.is_sensible]
        told = at(tried, (sensible or found)[0], text)
        yield replace(told, grade=_time_out_grade(tried, found))


def _ends_at_the_limit(tried: ToolRun, lost: list[Call]) -> bool:
    """Whether other calls took nearly as long and were answered: then it is a wait of the tool's.

    That some were cut off shows how close our limit is to it, and not that they never end.
    """
    limit = min(call.answer.seconds for call in lost)
    answered = [one.answer.seconds for one in tried.calls if one.answer.ending == "answered"]
    return limit > 0 and any(seconds >= NEARLY * limit for seconds in answered)


def _time_out_grade(tried: ToolRun, found: list[Call]) -> str | None:
    """How grave it is that these calls timed out; None where the tool is to blame."""
    if any(map(_unreached, tried.calls)):
        return NO_NETWORK
    if _in_trouble(tried, "environment") and not _ever_succeeded(tried):
        return "dependency unavailable"
    if runs_programs(tried.tool):
        return "a program of the caller"
    return None if any(call.scenario.is_sensible for call in found) else UNUSUAL


def _ever_succeeded(tried: ToolRun) -> bool:
    return any(call.verdict.succeeded for call in tried.calls)


@behaviour_rule(
    "RESP-010",
    "call-kills-server",
    reason="died",
    shown_by=is_made,
    good=lambda: [example(GOOD)],
    bad=lambda: [
        example(called(trouble="died", ending="died"), pointer="/calls/0"),
        example(called(valid=None, outcome="undecided", ending="died"), pointer="/calls/0"),
    ],
)
def call_kills_server(tried: ToolRun) -> Iterator[Found]:
    """The server crashes during a call.

    Why: all sessions and all other tools of the server are lost.
    Instead: catch the tool's exceptions, and return an isError result.
    """
    if found := _lost(tried, "died"):
        text = sentence("The server", found[0].answer.fate or "died", "while",
                        shown(tried)[0].lower() + shown(tried)[1:],
                        "was called", of_calls(found, tried))  # fmt: skip
        yield at(tried, found[0], text)


@behaviour_rule(
    "RESP-011",
    "error-says-nothing",
    reason="unclear_error",
    shown_by=is_failure,
    good=lambda: [
        example(called(result=FLAGGED, outcome="unproven")),
        example(called({"note": "tea"}, result=FLAGGED, outcome="undecided")),
        example(called(error={"code": -32603, "message": "Internal error"}, outcome="undecided")),
    ],
    bad=lambda: [
        example(called(result=REASONLESS, outcome="undecided"), pointer="/calls/0"),
        example(
            called(
                result={**_saying("Error executing tool find_note"), "isError": True},
                outcome="unproven",
                raised=["ValueError: There is no note 7.", "notes.py:8 in find_note"],
            ),
            pointer="/calls/0",
        ),
    ],
)
def error_says_nothing(tried: ToolRun) -> Iterator[Found]:
    """An error message does not say what went wrong.

    Why: it is unclear whether the tool rejected the call or failed, so a model cannot tell what to
    change.
    Instead: say what was wrong, and what the caller should change.
    """
    errors = [call for call in tried.calls if _is_error(call.answer)]
    unclear = [call for call in errors if _is_unclear(call)]
    hidden = [call for call in errors if _hides_its_reason(call)]
    if hidden:
        words = "rejected calls without saying why: the reason is on stderr only"
        text = sentence(shown(tried), words, of_calls(hidden, tried))
        yield at(tried, hidden[0], text, fix=SHOW_REASON)
    elif unclear:
        text = sentence(
            shown(tried), "returned errors that do not say whether it rejected the call or failed",
            of_calls(unclear, tried),
        )  # fmt: skip
        yield at(tried, unclear[0], text)


SHOW_REASON: Final = (
    "Pass the reason on: the Python SDK and FastMCP show the client the message of a ToolError; "
    "what other exceptions say may be hidden."
)


def _is_unclear(call: Call) -> bool:
    """Whether nobody can tell by an error, nor by what stands on stderr, what went wrong."""
    is_said = _is_named_elsewhere(call) or _names_what_was_sent(call)
    return call.verdict.outcome == "undecided" and not is_said


def _hides_its_reason(call: Call) -> bool:
    """Whether a rejection gives its reason on stderr, and the client no word of it."""
    if call.verdict.outcome != "unproven" or call.answer.raised is None:
        return False
    said = " ".join(texts_of(call.answer.result)).replace(call.scenario.tool, " ").casefold()
    words = {word.strip(PUNCTUATION) for word in said.split()}
    return bool(said.strip()) and words <= EMPTY_WORDS


def _is_named_elsewhere(call: Call) -> bool:
    """Whether another rule says what is wrong with an error: CALL-009, or RESP-013."""
    code = (call.answer.error or {}).get("code")
    return code == INTERNAL_ERROR or call.sign == "flagged_success"


def _is_flagged(call: Call) -> bool:
    """A call that was answered with a result that sets isError."""
    return is_failure(call) and call.answer.error is None


@behaviour_rule(
    "RESP-013",
    "is-error-on-success",
    reason="is_error_on_success",
    shown_by=_is_flagged,
    good=lambda: [
        example(called(result=_saying('{"success": true, "id": 1}'))),
        example(called(result=FLAGGED, outcome="unproven")),
    ],
    bad=lambda: [
        example(
            called(
                sign="flagged_success",
                result={**_saying('{"success": true, "id": 1}'), "isError": True},
                outcome="undecided",
            ),
            pointer="/calls/0",
        )
    ],
)
def is_error_on_success(tried: ToolRun) -> Iterator[Found]:
    """A result reports success and sets isError.

    Why: clients and models check isError first, and take work that was done for a failure.
    Instead: set isError only in results that report a failure.
    """
    if found := [call for call in tried.calls if call.sign == "flagged_success"]:
        text = sentence(
            shown(tried), "reported success in a result with isError", of_calls(found, tried)
        )
        yield at(tried, found[0], text)


def _is_error(answer: CallResult) -> bool:
    """Whether an error came back, in either of its two forms."""
    result = answer.result
    return answer.error is not None or (isinstance(result, dict) and bool(result.get("isError")))


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
