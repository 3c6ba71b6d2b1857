"""What a library decides is one line behind the author's own findings, in every form for people."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.report.as_html import to_html
from mcp_assay.report.as_json import to_json
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.as_text import full_text
from mcp_assay.report.library_findings import own_first
from tests.report.test_assessment import finding, report

CURED = "mcp 2 or later cures it"
NOTHING = "nothing you can do in your server"


def decided(rule: str, cure: str = NOTHING, severity: str = "warning", **told: Any) -> Finding:
    details = {"decided_by": {"library": "Python SDK", "version": "1.x", "cure": cure, **told}}
    return finding(severity, rule, "some-name", f"{rule} is broken.", details=details)


OWN = finding("info", "LINT-104", "hint-contradicts-name", "Mind the hint.", tool="a")
OF_SDK = [decided("JSONRPC-031"), decided("JSONRPC-033", CURED, "error"), decided("JSONRPC-032")]


def both() -> Report:
    return report("fail", findings=[*OF_SDK, OWN])


def lines(of: Report, **options: bool) -> str:
    return "\n".join("".join(text for text, _ in line) for line in full_text(of, **options))


def test_own_findings_come_first_and_each_library_is_one() -> None:
    own, of_sdk = own_first([*OF_SDK, OWN])
    assert own is OWN
    assert of_sdk.message == (
        "Decided by the Python SDK 1.x, not by your code: 1 error, 2 warnings. "
        "JSONRPC-033: mcp 2 or later cures it; "
        "JSONRPC-031, JSONRPC-032: nothing you can do in your server."
    )
    assert (of_sdk.severity, of_sdk.count) == ("error", 3)


def test_two_libraries_are_two_lines() -> None:
    other = decided("PAGE-002", library="FastMCP", version="4.1")
    assert len(list(own_first([*OF_SDK, other]))) == 2


@pytest.mark.parametrize("form", [lines, to_markdown])
def test_texts_tell_the_own_first_and_the_library_s_once(form: Any) -> None:
    shown = form(both())
    assert shown.index("Mind the hint") < shown.index("Decided by the Python SDK 1.x")
    assert "is broken." not in shown


def test_verbose_text_and_json_keep_each_finding() -> None:
    for shown in (lines(both(), verbose=True), to_json(both())):
        assert all(f"{one.rule} is broken." in shown for one in OF_SDK)


def test_the_page_has_them_once() -> None:
    page = to_html(both())
    assert "is broken." not in page
    assert "Decided by the Python SDK 1.x" in page


def test_a_run_that_fails_by_the_library_alone_says_so_first() -> None:
    page = to_html(report("fail", findings=OF_SDK))
    assert page.index("Decided by the Python SDK") < page.index('id="not-shown"')
