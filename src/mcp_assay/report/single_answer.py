"""What one call answered that the user typed: `--only TOOL --args JSON`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.report import Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.model.tool import CallRow
from mcp_assay.text.lines import BLANK, Line, indented, said
from mcp_assay.text.safe import plain, shorten

MOST_LINES: Final = 40
LONGEST_LINE: Final = 400
SILENT: Final = "(no response: {})"
MORE: Final = "… {} more lines (--report json=PATH has them)"


def answer_text(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The answer of a call that was typed, under a heading; nothing for other runs."""
    for title, lines in answers(report, most=None if verbose else MOST_LINES):
        yield ((title, "strong"),)
        yield from (indented(said(line)) for line in lines)
        yield BLANK


def answers(report: Report, *, most: int | None = MOST_LINES) -> Iterator[tuple[str, list[str]]]:
    """The heading and the lines of each answer to a call that was typed."""
    if report.options.get("args") is None:
        return
    for call in report.calls:
        if call.scenario != COMPARED:
            lines = _safe(_told(call).splitlines() or [""])
            more = len(lines) - most if most is not None else 0
            shown = [*lines[:most], MORE.format(more)] if more > 0 else lines
            yield f"Answer of {plain(shorten(call.tool, LONGEST_LINE))}{_flag(call)}", shown


def _safe(lines: list[str]) -> list[str]:
    return [plain(shorten(line, LONGEST_LINE)) for line in lines]


def _flag(call: CallRow) -> str:
    result = _message(call).get("result")
    return " (isError)" if isinstance(result, dict) and result.get("isError") is True else ""


def _told(call: CallRow) -> str:
    """What an answer says: its texts, else all that it holds."""
    if call.answer is None:
        return SILENT.format(call.ending.replace("_", " "))
    message = _message(call)
    if "error" in message:
        return _json(message["error"])
    result = message.get("result")
    if not isinstance(result, dict):
        return call.answer
    return "\n".join(_parts(result)) or _json(result)


def _parts(result: dict[str, Any]) -> Iterator[str]:
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        is_text = isinstance(block, dict) and isinstance(block.get("text"), str)
        yield block["text"] if is_text else _json(block)
    if "structuredContent" in result:
        yield f"structuredContent {_json(result['structuredContent'])}"


def _message(call: CallRow) -> dict[str, Any]:
    """The message that came; nothing where it was cut, and is no JSON any more."""
    try:
        message = json.loads(call.answer or "")
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
