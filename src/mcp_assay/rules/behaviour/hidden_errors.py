"""Errors that hide in results which count as successes: told by their form or first words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from mcp_assay.rules.behaviour.trial import texts_of

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
    *("upload", "writ"),
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
"""How a text begins that tells of an error; it is matched in small letters."""
LONGEST_OPENING: Final = 400
LONGEST_BESIDES: Final = 2_000
"""A text that goes on for longer has something else to say."""
ABOUT_ERRORS: Final = re.compile(
    r"\b(?:error|exception|failure|log|debug|diagnos\w*|trace|stack ?trace|lint)s?\b"
)
"""What the name or description of a tool says that has errors for its subject."""
_WORD_BORDER: Final = re.compile(r"[_\-./]|(?<=[a-z])(?=[A-Z])")


def hides_error(result: Any, arguments: Mapping[str, Any], tool: Mapping[str, Any]) -> bool:
    """Whether a result tells of an error without isError, and that was not asked for."""
    if not isinstance(result, dict) or result.get("isError"):
        return False
    texts = texts_of(result)
    if _is_failure(result.get("structuredContent")) or any(map(_is_failure_text, texts)):
        return True
    opening = texts[0].lstrip()[:LONGEST_OPENING].lower() if texts else ""
    if not _OPENING.match(opening) or len(texts[0]) > LONGEST_BESIDES:
        return False
    return not _is_echoed(opening, arguments) and not _is_about_errors(tool)


def _is_failure_text(text: str) -> bool:
    """Whether a text is an object that tells of an error."""
    if '"error"' not in text or not text.lstrip().startswith("{"):
        return False
    try:
        return _is_failure(orjson.loads(text))
    except orjson.JSONDecodeError:
        return False


def _is_failure(value: Any) -> bool:
    """Whether an object says by itself that something failed, and by which words."""
    if not isinstance(value, dict) or not value.get("error"):
        return False
    state = value.get("status")
    has_failed = isinstance(state, str) and state.lower() in FAILED_STATES
    return has_failed or any(value.get(flag) is False for flag in FLAGS) or len(value) == 1


def _is_echoed(opening: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a text only begins with what was sent, as an echo does, or a sample of an error."""
    sent = (value.strip().lower() for value in arguments.values() if isinstance(value, str))
    return any(value and opening.startswith(value[:LONGEST_OPENING]) for value in sent)


def _is_about_errors(tool: Mapping[str, Any]) -> bool:
    """Whether a tool is there to show errors."""
    said = (str(tool.get(member, "")) for member in ("name", "title", "description"))
    return any(ABOUT_ERRORS.search(_WORD_BORDER.sub(" ", text).lower()) for text in said)
