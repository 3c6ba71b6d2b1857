"""What a world or --calls likely would add stands in the first lines of reports for people."""

from __future__ import annotations

from msgspec.structs import replace

from mcp_assay.model.report import LikelyHint, Report, SandboxHint
from mcp_assay.report.as_html import to_html
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.as_text import full_text
from mcp_assay.text.lines import as_plain_text
from tests.report.reports import report

COMMAND = "mcp-assay assess --sandbox -- python 'my server.py'"


def hinted(number: int = 2, command: str = COMMAND) -> Report:
    known = replace(report("x", []), seed=0, revision="2025-11-25")
    return replace(known, sandbox_hint=SandboxHint(tools=number, command=command))


def test_the_text_has_it_before_the_tools_and_the_command_on_one_line() -> None:
    long = f"mcp-assay assess --sandbox -- {'x' * 200}"
    lines = as_plain_text(full_text(hinted(command=long))).splitlines()
    at = lines.index("      --sandbox would call 2 more tools in a disposable world:")
    assert lines[at + 1].strip() == long
    assert at < 6


def test_one_tool_is_one() -> None:
    assert "would call 1 more tool in" in as_plain_text(full_text(hinted(1)))


def test_markdown_and_html_have_it_too_and_nothing_in_it_is_obeyed() -> None:
    evil = "mcp-assay assess --sandbox -- `x` </code><script>alert(1)</script>\x1b[31m"
    assert "would call 2 more tools" in to_markdown(hinted())
    assert COMMAND in to_markdown(hinted())
    page = to_html(hinted(command=evil))
    assert "would call 2 more tools" in page
    assert "<script>alert(1)" not in page
    assert "\x1b" not in to_markdown(hinted(command=evil)) + page
    assert "\x1b" not in as_plain_text(full_text(hinted(command=evil)))


def test_what_likely_would_add_stands_before_it() -> None:
    command = "mcp-assay assess --calls likely -- python server.py"
    known = replace(hinted(), likely_hint=LikelyHint(tools=3, command=command))
    lines = as_plain_text(full_text(known)).splitlines()
    at = lines.index("      --calls likely would call 3 more tools that seem to only read:")
    assert lines[at + 1].strip() == command
    assert "--sandbox would call" in lines[at + 2]
    one = replace(hinted(), likely_hint=LikelyHint(tools=1, command=command))
    for written in (to_markdown(one), to_html(one)):
        assert "would call 1 more tool that seems to only read" in written
        assert command in written


def test_without_a_hint_nothing_is_said() -> None:
    known = replace(hinted(), sandbox_hint=None)
    for written in (as_plain_text(full_text(known)), to_markdown(known), to_html(known)):
        assert "--sandbox would" not in written
