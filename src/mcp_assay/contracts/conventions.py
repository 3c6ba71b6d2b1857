"""What an answer says, and in which form a server reports errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import orjson
from msgspec import Struct

from mcp_assay.judge.status import EMPTY_SUCCESSES
from mcp_assay.model.call import Call, CallResult
from mcp_assay.model.verdict import Trouble
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.schema.checker import Prepared
from mcp_assay.text.endings import what_it_did

LONGEST_PARSED: Final = 1_000_000
LONGEST_VALUE_SHOWN: Final = 300
DEEPEST: Final = 40
NOTHING: Final = object()
"""Stands for data that is not there."""


def data_of(result: Any) -> Any:
    """structuredContent, else the first text that is a JSON object or array, else NOTHING."""
    if not isinstance(result, dict):
        return NOTHING
    if "structuredContent" in result:
        return result["structuredContent"]
    values = (_parsed(text) for text in texts_of(result))
    return next((value for value in values if isinstance(value, dict | list)), NOTHING)


def words_of(answer: CallResult) -> str:
    """What an answer tells people, cut where it is long; how it ended where it has no words."""
    if answer.ending == "timed_out":
        return "it timed out"
    if answer.ending == "died":
        return "the server crashed"
    if answer.ending != "answered" and answer.error is None:
        return f"the server {what_it_did(answer.ending, answer.status, answer.detail)}"
    if answer.error is not None:
        return cut(f"JSON-RPC error {answer.error.get('code')}: {answer.error.get('message')}")
    texts = texts_of(answer.result)
    if texts:
        return cut(" ".join(texts))
    data = data_of(answer.result)
    return "nothing" if data is NOTHING else cut(shown(data))


def fields(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every member of every object in a value, with its name; the items of a list have its name."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from fields(item, depth + 1)
    elif isinstance(value, dict):
        for name, member in value.items():
            for one in member if isinstance(member, list) else [member]:
                if not isinstance(one, dict | list):
                    yield name, one
            yield from fields(member, depth + 1)


def shown(value: Any) -> str:
    """A value as JSON, as far as it can be written so."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return repr(value)


def cut(text: str) -> str:
    """The text, cut where it is long."""
    return text if len(text) <= LONGEST_VALUE_SHOWN else f"{text[:LONGEST_VALUE_SHOWN]}…"


def _parsed(text: str) -> Any:
    if len(text) > LONGEST_PARSED:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


JSON_RPC: Final = "json-rpc"
SCHEMA: Final = "schema"
CONVENTIONS: Final[Mapping[str, str]] = {
    "isError": "isError with words",
    "object": "isError with {error: {type, message}}",
    "envelope": "isError with {success: false, error: {code, message}}",
    JSON_RPC: "a JSON-RPC error in place of a result",
    "object without isError": "{error: {type, message}} in a result without isError",
    "envelope without isError": "{success: false, error: {code, message}} without isError",
    "words without isError": "words about an error, in a result without isError",
}
"""The conventions by the names that a configuration gives them, and what each is."""
ERROR_STARTS: Final = ("error:", "exception:", "traceback (most recent call last)")
FRAMEWORK: Final = (
    "input validation error",
    "validation error for",
    "validation errors for",
    "unknown tool",
)
"""What SDKs say before a tool is reached: that is no convention of the tool's own."""


class ReportedError(Struct, frozen=True, kw_only=True):
    """An error that an answer tells, and in which form."""

    convention: str
    type: str | None = None
    """The type or code of an error object."""
    is_framework: bool = False
    """Whether it comes from the SDK, and not from the tool."""


def reported_error(answer: CallResult, own: Prepared | None = None) -> ReportedError | None:
    """The error that an answer tells, None where it tells none.

    `own` is the user's JSON Schema of errors.
    """
    if answer.error is not None:
        return ReportedError(
            convention=JSON_RPC, is_framework=_is_framework(answer.error.get("message"))
        )
    result = answer.result
    if not isinstance(result, dict):
        return None
    flagged, data = result.get("isError") is True, data_of(result)
    if own is not None and data is not NOTHING and own.check(data).outcome == "valid":
        return ReportedError(convention=SCHEMA, type=_type(data))
    name = _form(data) or _words(result, flagged=flagged)
    if name is None:
        return None
    text = next(iter(texts_of(result)), "")
    convention = name if flagged or name.endswith("without isError") else f"{name} without isError"
    return ReportedError(
        convention=convention, type=_type(data), is_framework=flagged and _is_framework(text)
    )


def _form(data: Any) -> str | None:
    """The form of an error object, None where the data is none."""
    error = data.get("error") if isinstance(data, dict) else None
    if not error:
        return None
    if data.get("success") is False:
        return "envelope"
    is_object = isinstance(error, dict) and any(
        isinstance(error.get(name), str) for name in ("type", "code", "message")
    )
    return "object" if is_object else None


def _words(result: Mapping[str, Any], *, flagged: bool) -> str | None:
    if flagged:
        return "isError"
    first = next(iter(texts_of(result)), "").lstrip().lower()
    return "words without isError" if first.startswith(ERROR_STARTS) else None


def _type(data: Any) -> str | None:
    error = data.get("error") if isinstance(data, dict) else None
    members = error if isinstance(error, dict) else {}
    found = members.get("type", members.get("code"))
    return found if isinstance(found, str) else None


def _is_framework(text: object) -> bool:
    return isinstance(text, str) and any(words in text.lower() for words in FRAMEWORK)


def own_errors(errors: Iterable[ReportedError]) -> list[ReportedError]:
    """The errors that tools tell by themselves."""
    return [one for one in errors if not one.is_framework]


def majority(by_tool: Mapping[str, Iterable[ReportedError]]) -> tuple[str, int] | None:
    """The convention of most tools, and of how many; None where no tool has errors of its own."""
    count = Counter(
        name
        for errors in by_tool.values()
        for name in {one.convention for one in own_errors(errors)}
    )
    order = [*CONVENTIONS, SCHEMA]
    return min(count.items(), key=lambda it: (-it[1], order.index(it[0])), default=None)


What: TypeAlias = Literal["succeeded", "refused", "broke", "cut off"]
"""It answered; it would not; it crashed; it could not reach what it needs."""


BREAKS: Final[dict[Trouble, str]] = {
    "crashed": "crashed",
    "died": "crashed the server",
    "timed_out": "timed out",
    "no_content": "returned nothing usable",
}


class CallOutcome(Struct, frozen=True, kw_only=True):
    """What one call came to."""

    what: What
    how: str
    """What it did, as the end of a sentence about the call."""
    error: ReportedError | None = None
    """The error that it reported."""


def outcome(call: Call, own: Prepared | None = None) -> CallOutcome:
    """What a call came to; `own` is the user's JSON Schema of errors."""
    trouble, said = call.verdict.trouble, words_of(call.answer)
    if trouble in BREAKS:
        behind = f" ({call.answer.raised})" if trouble == "crashed" and call.answer.raised else ""
        return CallOutcome(what="broke", how=f"{BREAKS[trouble]}: {said}{behind}")
    if trouble == "environment":
        return CallOutcome(
            what="cut off", how=(f"failed because a dependency was unavailable: {said}")
        )
    error = _judged_error(call, own)
    if error is not None:
        return CallOutcome(what="refused", how=f"was rejected: {said}", error=error)
    if call.sign in EMPTY_SUCCESSES:
        return CallOutcome(what="broke", how=f"returned nothing usable: {said}")
    return CallOutcome(what="succeeded", how="succeeded")


def _judged_error(call: Call, own: Prepared | None) -> ReportedError | None:
    """The error of a call; whether a result without isError is one, the judge of answers says."""
    error, is_told = reported_error(call.answer, own), call.sign == "unflagged_error"
    if error is None:
        return ReportedError(convention="words without isError") if is_told else None
    is_by_form = error.convention.endswith("without isError")
    return None if is_by_form and call.result is not None and not is_told else error
