"""Errors that hide in results which count as successes: told by their form or first words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from mcp_assay.text.names import name_words


def texts_of(result: Any) -> list[str]:
    """The texts of the blocks of a result, in order."""
    content = result.get("content") if isinstance(result, dict) else None
    items = content if isinstance(content, list) else ()
    return [
        item["text"]
        for item in items
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    ]


FLAGS: Final = ("success", "ok")
"""Members of an answer that are false where a call failed."""
FAILED_STATES: Final = frozenset({"error", "failed", "failure"})
"""What the member status says where a call failed."""
KINDS: Final = (
    *("api", "connection", "database", "fatal", "http", "internal", "network", "parse", "query"),
    *("request", "runtime", "server", "sql", "syntax", "unexpected", "unknown", "validation"),
)
ACTIONS: Final = (
    *("access", "analyze", "call", "connect", "create", "decode", "delete", "download", "execut"),
    *("fetch", "generat", "get", "initializ", "invok", "list", "load", "open", "pars", "perform"),
    *("process", "query", "read", "resolv", "retriev", "run", "sav", "search", "send", "updat"),
    *("upload", "writ", "add", "apply", "authenticat", "convert", "copy", "deploy", "export"),
    *("flush", "import", "insert", "mov", "publish", "remov", "renam", "render", "scan", "set"),
    *("start", "stop", "stor", "subscrib", "validat"),
)
"""Verbs without their endings: "error handling" is a subject, "error fetching" a failure."""
_VERB: Final = rf"(?:{'|'.join(ACTIONS)})"
_OPENING: Final = re.compile(
    rf"(?:an? )?(?:(?:{'|'.join(KINDS)}) )?(?:error|exception)"
    rf"(?::| (?:has )?occurred\b| (?:while|when) {_VERB}(?:ting|ning|ing)\b|"
    rf" {_VERB}(?:ting|ning|ing)\b[^:.\n]{{0,80}}[:.])"
    rf"|traceback \(most recent call last\)"
    rf"|failed to {_VERB}e?\b[^\n]{{0,200}}(?::|$)"
)
"""How a text begins that reports an error; it is matched in small letters."""
WRAPPED: Final = "result"
"""The one member of an object that frameworks make of what is none."""
LONGEST_OPENING: Final = 400
LONGEST_OBJECT: Final = 20_000
"""So much of JSON is read: what was sent may be repeated in it, escaped in many ways."""
LONGEST_BESIDES: Final = 2_000
"""A text that goes on for longer has something else to say."""
LONGEST_SENTENCE: Final = 200
MOST_LEAVES: Final = 60
"""Values with more in them have something else to say."""
ABOUT_ERRORS: Final = re.compile(
    r"\b(?:error|exception|failure|log|debug|diagnos\w*|trace|stack ?trace|lint)s?\b"
)
"""What the name or description of a tool says that has errors for its subject."""
ABOUT_STATES: Final = re.compile(
    r"\b(?:status|state|job|build|task|run|check|health|monitor|deployment|pipeline|test"
    r"|connectivity|ping)(?:s|es)?\b"
)
"""The same of one that tells how something else went."""


def hides_error(result: Any, arguments: Mapping[str, Any], tool: Mapping[str, Any]) -> bool:
    """Whether a result reports an error without isError, and that was not asked for."""
    if not isinstance(result, dict) or result.get("isError"):
        return False
    texts = texts_of(result)
    value = _object_in(result.get("structuredContent"), texts)
    if value is not None:
        return _is_failure(value, arguments, tool) or _is_only_failure(value, arguments, tool)
    return bool(texts) and _is_error_text(texts[0], arguments) and not _is_about(ABOUT_ERRORS, tool)


def _object_in(structured: Any, texts: Sequence[str]) -> dict[str, Any] | None:
    """The object that a result consists of, where it is short enough to be one about a failure."""
    if isinstance(structured, dict) and structured and not _is_wrapped(structured, texts):
        return structured
    text = texts[0].strip() if len(texts) == 1 else ""
    if not text.startswith("{") or len(text) > LONGEST_OBJECT:
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _is_wrapped(structured: Mapping[str, Any], texts: Sequence[str]) -> bool:
    """Whether a framework has put the text of a result into an object of its own."""
    return list(structured) == [WRAPPED] and structured[WRAPPED] in texts[:1]


def _is_failure(
    value: Mapping[str, Any], arguments: Mapping[str, Any], tool: Mapping[str, Any]
) -> bool:
    """Whether an object says by itself that something failed, and by which words.

    Where a tool is asked how something else went, that this has failed is its answer.
    """
    if not value.get("error"):
        return False
    if any(value.get(flag) is False for flag in FLAGS):
        return True
    if _state(value) in FAILED_STATES and not _is_about(ABOUT_STATES, tool):
        return True
    others = (other for name, other in value.items() if name != "error" and other)
    return all(other in arguments.values() for other in others)


def _is_only_failure(
    value: Mapping[str, Any], arguments: Mapping[str, Any], tool: Mapping[str, Any]
) -> bool:
    """Whether an object, but for what was sent, holds nothing else than the words of an error."""
    texts_found = _error_texts(value, arguments)
    if texts_found is None or _is_about(ABOUT_ERRORS, tool):
        return False
    if _state(value) == "error" and isinstance(value.get("message"), str):
        return len(texts_found) == len({"status", "message"}) and not _is_about(ABOUT_STATES, tool)
    return len(texts_found) == 1 and _is_error_text(texts_found[0], arguments)


def _state(value: Mapping[str, Any]) -> str:
    state = value.get("status")
    return state.lower() if isinstance(state, str) else ""


def _error_texts(value: Any, arguments: Mapping[str, Any]) -> list[str] | None:
    """The texts in a value that were not sent; None where there is too much in it."""
    sent, waiting = {*_texts(arguments)}, [value]
    texts_found: list[str] = []
    for _ in range(MOST_LEAVES):
        if not waiting:
            return texts_found
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(one.values())
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str) and one.strip() and one not in sent:
            texts_found.append(one)
    return None


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str)]


def _is_error_text(text: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a text begins as one about an error does, and not as an echo of what was sent."""
    opening = text.lstrip()[:LONGEST_OPENING].lower()
    if not _OPENING.match(opening) or len(_without(text, arguments)) > LONGEST_BESIDES:
        return False
    sent = (value.strip().lower()[:LONGEST_OPENING] for value in _texts(arguments))
    return not any(value and _begins_with(opening, value) for value in sent)


def _begins_with(text: str, words: str) -> bool:
    return text.startswith(words) and not text[len(words) : len(words) + 1].isalnum()


def _without(text: str, arguments: Mapping[str, Any]) -> str:
    """The text without the long ones that were sent: repeating them says nothing else."""
    for sent in _texts(arguments):
        if LONGEST_OPENING < len(sent) <= len(text):
            text = text.replace(sent, "")
    return text


def _is_about(subject: re.Pattern[str], tool: Mapping[str, Any]) -> bool:
    """Whether a tool says that this is what it is about; a long description speaks of much."""
    first = re.split(r"[.\n]", str(tool.get("description", ""))[:LONGEST_SENTENCE], maxsplit=1)[0]
    said = (" ".join(name_words(str(tool.get("name", "")))), str(tool.get("title", "")), first)
    return any(subject.search(text.lower()) for text in said)
