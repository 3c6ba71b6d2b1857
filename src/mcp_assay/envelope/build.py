"""Responses that keep the profile, and MCP with it."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from mcp_assay.envelope.values import Unfit, json_value, readable

SUCCESS_TEXT: Final = "Operation completed successfully"
UNKNOWN_TEXT: Final = "Unknown error"
UNKNOWN_ERROR: Final = "UNKNOWN_ERROR"
ERROR_START: Final = "Error: "
"""What the text of a failure starts with; its message does not."""
NOT_SERIALIZABLE: Final = "RESULT_NOT_SERIALIZABLE"

LONGEST_MESSAGE: Final = 4_000
LONGEST_CODE: Final = 100
"""Longer messages and codes are cut: they are read by people and models, not stored."""


def create_success_response(data: object, text: str | None = None) -> dict[str, Any]:
    """A response that reports success with this data.

    Its text is `text`, else a string `data["textContent"]`, else the data as readable JSON. Data
    that JSON has no form for makes a response that reports failure and says why.
    """
    try:
        value = json_value(data)
    except Unfit as problem:
        return not_serializable(problem)
    return succeeded(value, text_of(value) if text is None else sayable(text))


def succeeded(value: Any, words: str) -> dict[str, Any]:
    """A response that reports success with this JSON value and these words."""
    response = {
        "success": True,
        "timestamp": now(),
        "content": [text_item(words)],
        "data": value,
    }
    return {**response, "structuredContent": value} if isinstance(value, dict) else response


def create_error_response(
    message: object, code: object = UNKNOWN_ERROR, details: object = None
) -> dict[str, Any]:
    """A response that reports failure; an MCP client finds code and message in structuredContent.

    Details that JSON has no form for are left out, and their place says why.
    """
    error = {
        "code": sayable(code, LONGEST_CODE) or UNKNOWN_ERROR,
        "message": message_of(message) or UNKNOWN_TEXT,
    }
    return failed(error if details is None else {**error, "details": _details(details)})


def failed(error: dict[str, Any]) -> dict[str, Any]:
    """A response that reports failure with this error object."""
    return {
        "success": False,
        "timestamp": now(),
        "content": [text_item(f"{ERROR_START}{error['message']}")],
        "error": error,
        "isError": True,
        "structuredContent": {"error": error},
    }


def not_serializable(problem: Unfit) -> dict[str, Any]:
    """The response where a tool returned something that cannot be sent."""
    return create_error_response(f"The result cannot be sent: {problem}", NOT_SERIALIZABLE)


def text_item(words: str) -> dict[str, Any]:
    """A content item with these words."""
    return {"type": "text", "text": words}


def now() -> str:
    """The present moment in UTC, as RFC 3339 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sayable(words: object, longest: int | None = None) -> str:
    """What somebody gave as words, as a string that can be sent; "" where there are none."""
    text = ""
    if words is not None:
        with suppress(Exception):  # what stands for words may fail to become a string
            text = str(words).encode(errors="replace").decode()
    return text if longest is None or len(text) <= longest else f"{text[: longest - 1]}…"


def message_of(words: object) -> str:
    """The message of an error, without the start that its text gets; "" where there is none."""
    text = sayable(words)
    while text.startswith(ERROR_START):
        text = text.removeprefix(ERROR_START)
    return sayable(text, LONGEST_MESSAGE)


def text_of(value: Any) -> str:
    """The text that shows data: its own where it brings one along."""
    text_content = value.get("textContent") if isinstance(value, dict) else None
    if isinstance(text_content, str):
        return text_content
    return SUCCESS_TEXT if value is None else readable(value)


def _details(details: object) -> Any:
    try:
        return json_value(details)
    except Unfit as problem:
        return f"left out: {problem}"
