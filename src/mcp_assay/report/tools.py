"""The tools of a server, one row each: what became of their calls, and what was not reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.model.report import Report
from mcp_assay.report.lines import BLANK, Line, Style, indented, said
from mcp_assay.report.plain import plain, shorten

HEAD: Final = ("tool", "verdict", "calls", "ok", "rejected", "failed", "not reached")
STYLES: Final[Mapping[str, Style]] = {
    "fully_working": "pass",
    "partially_working": "warning",
    "connectivity_only": "warning",
    "broken": "fail",
}
"""What is not here was not shown to work, and has no colour."""
LONGEST_NAME: Final = 32
LONGEST_NOTE: Final = 60


def tool_table(report: Report) -> Iterator[Line]:
    """One row per tool; nothing where none is listed."""
    if not report.tools:
        return
    rows = [_cells(tool) for tool in report.tools]
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
    yield indented(said(_row(HEAD, widths), "faint"))
    for tool, row in zip(report.tools, rows, strict=True):
        name, verdict, *numbers = row
        style = STYLES.get(tool["status"], "")
        line: Line = (
            (f"{name:<{widths[0]}}  ", ""),
            (f"{verdict:<{widths[1]}}", style),
            (_rest(numbers, widths), ""),
        )
        yield indented(line)
    yield BLANK


def not_called(report: Report) -> Iterator[Line]:
    """The options that would have let the tools be called that were not."""
    names = [tool["name"] for tool in report.tools if tool["status"] == "not_called"]
    if names and not report.options.get("only"):
        options = " ".join(f"--allow {plain(name)}" for name in names[:5])
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        yield said(
            f"Not called: {len(names)} of {len(report.tools)} tools; to call them: {options}{more}"
        )


def _cells(tool: Mapping[str, Any]) -> tuple[str, ...]:
    name = shorten(plain(tool["name"]), LONGEST_NAME)
    verdict = tool["status"].replace("_", " ")
    if tool["status"] == "not_called":
        return (name, verdict, "-", "-", "-", "-", plain(tool["reason"]))
    numbers = (tool[key] for key in ("called", "succeeded", "rejected", "failed"))
    gaps = tool["coverage"]["not_reached"]
    note = shorten(plain(gaps[0]), LONGEST_NOTE) if gaps else ""
    return (name, verdict, *map(str, numbers), note)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, verdict, *numbers = cells
    return f"{name:<{widths[0]}}  {verdict:<{widths[1]}}{_rest(numbers, widths)}"


def _rest(cells: Sequence[str], widths: Sequence[int]) -> str:
    *numbers, note = cells
    aligned = "".join(f"  {one:>{width}}" for one, width in zip(numbers, widths[2:], strict=False))
    return f"{aligned}  {note}".rstrip()
