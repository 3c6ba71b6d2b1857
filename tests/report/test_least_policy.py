"""The least that a server needs, and whether it is enough, in every form that people read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mcp_assay.model.effect import ChangedVerdict, Effects, FileChange, PolicyCheck, SandboxRow
from mcp_assay.model.report import Report
from mcp_assay.report.as_html import to_html
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.least_policy import TITLE, policy_rows, policy_text
from mcp_assay.text.lines import SCREEN, as_plain_text, width
from tests.report.reports import NASTY, report

AGAIN = "Assessed again with nothing but this: "
CHANGED = ChangedVerdict(tool="add", free="fully_working", under="broken")


def checked(check: PolicyCheck | None, path: str = "/w/notes/a") -> Report:
    """A report on a server that wrote a file at its start."""
    bare = report("words", [])
    effects = Effects(files=[FileChange(path=path, what="changed")])
    world = SandboxRow(
        backend="namespaces", network="none", work="copied", at_start=effects, policy=check
    )
    subject = replace(bare.subject, command=["server"], url=None)
    return replace(bare, subject=subject, sandbox=world)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (
            PolicyCheck(tools=1),
            "Assessed again with nothing but this: the same verdict on 1 tool.",
        ),
        (
            PolicyCheck(tools=12),
            "Assessed again with nothing but this: the same verdicts on 12 tools.",
        ),
        (
            PolicyCheck(tools=12, changed=[CHANGED]),
            AGAIN + "another verdict on 1 tool: add (working, then broken).",
        ),
        (PolicyCheck(undecided="it was interrupted"), "Not checked: it was interrupted."),
    ],
)
def test_it_is_said_whether_it_is_enough(check: PolicyCheck, expected: str) -> None:
    assert policy_rows(checked(check)) == [
        ("writes", "/w/notes, /tmp"),
        ("hosts", "none"),
        ("programs", "none"),
        ("checked", expected),
    ]


def test_every_form_has_it() -> None:
    subject = checked(PolicyCheck(tools=2))
    for shown in (as_plain_text(policy_text(subject)), to_markdown(subject), to_html(subject)):
        assert TITLE in shown
        assert "/w/notes" in shown
        assert "the same verdicts on 2 tools" in " ".join(shown.split())


def test_where_no_policy_was_asked_for_nothing_is_said() -> None:
    for subject in (checked(None), replace(checked(None), sandbox=None)):
        assert policy_rows(subject) == []
        assert TITLE not in to_markdown(subject) + to_html(subject)
        assert as_plain_text(policy_text(subject)) == ""


@pytest.mark.parametrize("nasty", NASTY)
def test_no_text_of_a_server_is_obeyed(nasty: str) -> None:
    changed = ChangedVerdict(tool=nasty, free=nasty, under="broken")
    subject = checked(PolicyCheck(tools=2, changed=[changed]), f"/w/{nasty}/x")
    text = as_plain_text(policy_text(subject))
    for shown in (text, to_markdown(subject), to_html(subject)):
        assert not any(sign in shown for sign in "\x1b\x00\x9b\u202e\u200b\ud800")
    assert all(width(line) <= SCREEN for line in text.splitlines())
