"""Which annotations the calls support: a table in text, Markdown and HTML, with code to paste."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.types import ToolAnnotations
from msgspec.structs import replace

from mcp_assay.model.report import Report
from mcp_assay.model.surface import ListedDefinitions, SurfaceSize
from mcp_assay.model.tool import HintEvidence, ProposedAnnotations, ToolRow
from mcp_assay.report.annotations_table import TITLE, annotations_text, in_words, pasted
from mcp_assay.report.as_html import to_html
from mcp_assay.report.as_json import to_json
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.declared_behaviour import Claim, claims
from mcp_assay.text.lines import SCREEN, as_plain_text, width
from tests.report.reports import NASTY, finding, report

READS = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}
NO_EFFECT = "no effect seen in 12 calls"


def proposal(
    declared: dict[str, bool],
    supported: dict[str, bool],
    reason: str = NO_EFFECT,
) -> ProposedAnnotations:
    hints = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    rows = [
        HintEvidence(
            hint=hint,
            declared=declared.get(hint),
            supported=supported.get(hint),
            calls=12,
            reason=reason,
        )
        for hint in hints
    ]
    return ProposedAnnotations(annotations=supported, hints=rows)


def proposing(**tools: ProposedAnnotations | None) -> Report:
    rows = [
        ToolRow(name=name, status="fully_working", proposed_annotations=it)
        for name, it in tools.items()
    ]
    return replace(report("words", []), tools=rows)


def test_the_table_has_the_tools_that_should_declare_something_else() -> None:
    subject = proposing(
        get_note=proposal({}, READS),
        list_notes=proposal(READS, READS),
        save_note=proposal({"readOnlyHint": True}, {"readOnlyHint": False}),
        uncalled=None,
    )
    assert as_plain_text(annotations_text(subject)).splitlines() == [
        TITLE,
        "  tool       declared   supported                calls",
        "  get_note   -          read-only, closed world  12",
        "  save_note  read-only  changes                  12",
        "  No effect seen in so many calls is no promise for calls with other arguments.",
        "  --verbose shows the reasons, and code to paste.",
        "",
    ]


def test_what_is_verbose_has_reasons_and_code() -> None:
    shown = as_plain_text(annotations_text(proposing(get_note=proposal({}, READS)), verbose=True))
    assert "      readOnlyHint true: no effect seen in 12 calls\n" in shown
    assert "      idempotentHint not proposed: no effect seen in 12 calls\n" in shown
    for code in pasted(READS).values():
        assert f"      {code}\n" in shown


def test_where_all_is_declared_so_there_is_no_table() -> None:
    subject = proposing(list_notes=proposal(READS, READS), uncalled=None)
    assert as_plain_text(annotations_text(subject)) == ""
    assert TITLE not in to_markdown(subject) + to_html(subject)


def test_the_code_can_be_pasted() -> None:
    code = pasted(READS)
    assert json.loads(f"{{{code['JSON']}}}") == {"annotations": READS}
    made: dict[str, Any] = eval(f"dict({code['Python']})", {"ToolAnnotations": ToolAnnotations})
    assert made["annotations"].model_dump(by_alias=True, exclude_none=True) == READS
    assert code["TypeScript"] == (
        "annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false }"
    )


def test_hints_have_words() -> None:
    assert in_words({}) == "-"
    assert in_words({"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True}) == (
        "changes, not destructive, idempotent"
    )


def test_markdown_and_html_have_the_same_rows() -> None:
    subject = proposing(get_note=proposal({}, READS))
    assert "| get\\_note | - | read-only, closed world | 12 |" in to_markdown(subject)
    page = to_html(subject)
    assert '<section id="annotations">' in page
    assert "ToolAnnotations(readOnlyHint=True" in page


@pytest.mark.parametrize("nasty", NASTY)
def test_no_text_of_a_server_is_obeyed_or_breaks_the_table(nasty: str) -> None:
    subject = proposing(**{nasty: proposal({}, READS, reason=nasty)})
    shown = as_plain_text(annotations_text(subject))
    for text in (shown, to_markdown(subject), to_html(subject), to_json(subject)):
        assert not any(sign in text for sign in "\x1b\x00\x9b\u202e\u200b\ud800")
    assert all(width(line) <= SCREEN for line in shown.splitlines())
    assert "<script>alert" not in to_markdown(subject) + to_html(subject)


@pytest.mark.parametrize(
    ("supported", "broken", "proof"),
    [
        ({"readOnlyHint": True}, None, "held"),
        ({"readOnlyHint": False}, None, "unproven"),
        ({}, None, "unproven"),
        ({"readOnlyHint": True}, "EFF-001", "broken"),
        ({"readOnlyHint": True}, "EFF-002", "held"),
    ],
)
def test_what_effects_show_is_among_the_declared_promises(
    supported: dict[str, bool], broken: str | None, proof: str
) -> None:
    subject = proposing(t=proposal({"readOnlyHint": True}, supported))
    tool = {"name": "t", "annotations": {"readOnlyHint": True}}
    surface = SurfaceSize(bytes=1, tokens_estimated=1, definitions=ListedDefinitions(tools=[tool]))
    found = [replace(finding("x", tool="t"), rule=broken)] if broken else []
    subject = replace(subject, surface=surface, findings=found)
    assert claims(subject) == [Claim("t", "readOnlyHint", proof)]  # type: ignore[arg-type]
