"""In which form a server tells errors: known conventions, and the one that an answer keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from mcp_assay.contracts.reading import NOTHING, data_of
from mcp_assay.model.call import Answer
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.schema.checking import Prepared

JSON_RPC: Final = "json-rpc"
SCHEMA: Final = "schema"
CONVENTIONS: Final[Mapping[str, str]] = {
    "isError": "isError with words",
    "object": "isError with {error: {type, message}}",
    "envelope": "isError with {success: false, error: {code, message}}",
    JSON_RPC: "a JSON-RPC error in place of a result",
    "object without isError": "{error: {type, message}} in a result without isError",
    "envelope without isError": "{success: false, error: {code, message}} without isError",
    "words without isError": "words that begin with Error, in a result without isError",
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


class Told(Struct, frozen=True, kw_only=True):
    """An error that an answer tells, and in which form."""

    convention: str
    type: str | None = None
    """The type or code of an error object."""
    is_framework: bool = False
    """Whether it comes from the SDK, and not from the tool."""


def told_error(answer: Answer, own: Prepared | None = None) -> Told | None:
    """The error that an answer tells, None where it tells none.

    `own` is the user's JSON Schema of errors.
    """
    if answer.error is not None:
        return Told(convention=JSON_RPC, is_framework=_is_framework(answer.error.get("message")))
    result = answer.result
    if not isinstance(result, dict):
        return None
    flagged, data = result.get("isError") is True, data_of(result)
    if own is not None and data is not NOTHING and own.check(data).outcome == "valid":
        return Told(convention=SCHEMA, type=_type(data))
    name = _form(data) or _words(result, flagged=flagged)
    if name is None:
        return None
    text = next(iter(texts_of(result)), "")
    told = name if flagged or name.endswith("without isError") else f"{name} without isError"
    return Told(convention=told, type=_type(data), is_framework=flagged and _is_framework(text))


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


def own_errors(told: Iterable[Told]) -> list[Told]:
    """The errors that tools tell by themselves."""
    return [one for one in told if not one.is_framework]


def majority(by_tool: Mapping[str, Iterable[Told]]) -> tuple[str, int] | None:
    """The convention of most tools, and of how many; None where no tool tells errors itself."""
    count = Counter(
        name for told in by_tool.values() for name in {one.convention for one in own_errors(told)}
    )
    order = [*CONVENTIONS, SCHEMA]
    return min(count.items(), key=lambda it: (-it[1], order.index(it[0])), default=None)
