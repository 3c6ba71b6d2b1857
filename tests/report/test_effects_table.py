"""What each tool did to the machine: one table in text, Markdown and HTML."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.effect import (
    ConnectionTry,
    Effects,
    FileChange,
    ProcessLeft,
    ProgramRun,
    RequestSent,
    SandboxRow,
    SecretRead,
)
from mcp_assay.model.report import Report
from mcp_assay.model.surface import ListedDefinitions, SurfaceSize
from mcp_assay.model.tool import CallRow, ToolRow
from mcp_assay.report.as_html import to_html
from mcp_assay.report.as_json import to_json
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.effects_table import (
    LONGEST_LIMIT,
    MOST_LIMITS,
    TITLE,
    effect_rows,
    effects_text,
    world_words,
)
from mcp_assay.text.lines import SCREEN, as_plain_text, width
from tests.report.reports import NASTY, report

WORLD = SandboxRow(backend="namespaces", network="none", work="copied")


def change(path: str, what: str = "created", **more: Any) -> FileChange:
    return FileChange(path=path, what=what, **more)


def seen(effects: dict[str, Effects | None], world: SandboxRow | None = WORLD) -> Report:
    """A report on a run in which the tools did this."""
    tools = [ToolRow(name=name, status="fully_working", effects=it) for name, it in effects.items()]
    return replace(report("words", []), tools=tools, sandbox=world)


def cells(effects: Effects) -> tuple[str, ...]:
    (row,) = effect_rows(seen({"tool": effects}))
    return row.cells[2:]


def text(subject: Report) -> str:
    return as_plain_text(effects_text(subject))


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        (Effects(), ("-", "-", "-", "-")),
        (
            Effects(files=[change("/w/a"), change("/w/b"), change("/w/c", "deleted")]),
            ("2 created, 1 deleted", "-", "-", "-"),
        ),
        (
            Effects(
                files=[
                    change("/w/.cache/a", bookkeeping=True),
                    change("/tmp/{random}", temporary=True),
                    change("/w/b", "permissions"),
                ]
            ),
            ("1 temporary, 1 other permissions, 1 bookkeeping", "-", "-", "-"),
        ),
        (
            Effects(files=[change("/w/late", late=True)], late=True),
            ("1 created, after the answer", "-", "-", "-"),
        ),
        (
            Effects(
                programs=[ProgramRun(argv=["/usr/bin/git", "status"]), ProgramRun(argv=["sleep"])],
                processes=[ProcessLeft(argv=["sleep", "1000"])],
            ),
            ("-", "sleep (runs on), git", "-", "-"),
        ),
        (
            Effects(
                names=["a.example", "b.example"],
                connections=[
                    ConnectionTry(host="a.example", address="11.1.2.3", port=443, protocol="tcp"),
                    ConnectionTry(address="2a00::1", port=80, protocol="tcp"),
                ],
            ),
            ("-", "-", "a.example:443, [2a00::1]:80, and 1 more", "-"),
        ),
        (
            Effects(secrets=[SecretRead(path="/home/u/.ssh/id_rsa", how="read")]),
            ("-", "-", "-", ".ssh/id_rsa"),
        ),
        (Effects(left_out={"files": 7}), ("7 more", "-", "-", "-")),
    ],
)
def test_a_row_says_what_was_done(effects: Effects, expected: tuple[str, ...]) -> None:
    assert cells(effects) == expected


def test_the_table_names_the_world_the_tools_and_the_start() -> None:
    world = replace(WORLD, at_start=Effects(files=[change("/w/started")]))
    subject = seen({"write": Effects(files=[change("/w/new.txt")]), "read": Effects()}, world)
    assert text(subject).splitlines() == [
        TITLE,
        "  sandbox: own namespaces, no network, work folder copied",
        "  tool      files",
        "  write     1 created",
        "      created /w/new.txt",
        "  read      -",
        "  at start  1 created",
        "      created /w/started",
        "",
    ]


def test_every_form_says_what_the_world_could_not_do() -> None:
    subject = seen({"read": Effects()}, replace(WORLD, backend="bwrap", limits=["no web site"]))
    words = "sandbox: bubblewrap, no network, work folder copied; no web site"
    for form in (text, to_markdown, to_html):
        assert words in form(subject)


def test_of_very_many_limits_the_first_are_told() -> None:
    limits = [
        f"/mnt/{number}{'x' * 999} is not visible inside" for number in range(MOST_LIMITS + 2)
    ]
    told = world_words(replace(WORLD, limits=limits))
    assert told.endswith("; 2 more limits")
    assert len(told) < (MOST_LIMITS + 1) * (LONGEST_LIMIT + 2)


def test_what_was_sent_stands_below_its_tool() -> None:
    sent = [
        RequestSent(method="POST", url=f"https://a.invalid/{number}", status=200)
        for number in range(5)
    ]
    shown = text(seen({"fetch": Effects(names=["a.invalid"], requests=sent)})).splitlines()
    assert shown[3:7] == [
        "  fetch  -      a.invalid",
        "      sent POST https://a.invalid/0",
        "      sent POST https://a.invalid/1",
        "      sent POST https://a.invalid/2",
    ]
    assert shown[7] == "      and 2 more"


def test_hints_have_letters() -> None:
    subject = seen({"read": Effects()})
    tool = {"name": "read", "annotations": {"readOnlyHint": True, "openWorldHint": "yes"}}
    surface = SurfaceSize(bytes=1, tokens_estimated=1, definitions=ListedDefinitions(tools=[tool]))
    assert "  read  R - - -" in text(replace(subject, surface=surface))


def test_a_tool_that_nobody_watched_has_no_row() -> None:
    subject = seen({"read": Effects(), "uncalled": None})
    assert "uncalled" not in text(subject)


def test_without_a_sandbox_there_is_no_table() -> None:
    subject = seen({"read": Effects()}, None)
    assert text(subject) == ""
    assert TITLE not in to_markdown(subject)
    assert TITLE not in to_html(subject)
    assert json.loads(to_json(subject))["sandbox"] is None


def test_very_many_tools_without_effects_are_one_row() -> None:
    idle: dict[str, Effects | None] = {f"tool{number}": Effects() for number in range(40)}
    rows = effect_rows(seen({**idle, "write": Effects(files=[change("/w/a")])}))
    assert [row.cells[0] for row in rows] == ["write", "40 other tools"]


@pytest.mark.parametrize("nasty", NASTY)
def test_no_text_of_a_server_is_obeyed_or_breaks_the_table(nasty: str) -> None:
    effects = Effects(
        files=[change(f"/w/{nasty}", diff=nasty)],
        programs=[ProgramRun(argv=[nasty, nasty])],
        names=[nasty],
        connections=[ConnectionTry(host=nasty, address=nasty, port=1, protocol=nasty)],
        requests=[RequestSent(method=nasty, url=nasty, headers=[nasty], body=nasty)],
        secrets=[SecretRead(path=f"/home/{nasty}", how="read")],
    )
    subject = seen({nasty: effects}, replace(WORLD, at_start=effects, between=effects))
    for shown in (text(subject), to_markdown(subject), to_html(subject), to_json(subject)):
        assert not any(sign in shown for sign in "\x1b\x00\x9b\u202e\u200b\ud800")
    assert all(width(line) <= SCREEN for line in text(subject).splitlines())
    assert "<script>alert" not in to_markdown(subject) + to_html(subject)


def test_markdown_and_html_have_the_same_rows() -> None:
    subject = seen({"write": Effects(files=[change("/w/new.txt")])})
    assert "| write |  | 1 created | - | - | - |" in to_markdown(subject)
    page = to_html(subject)
    assert '<section id="effects">' in page
    assert "created /w/new.txt" in page


def test_a_row_of_the_page_can_be_expanded_to_all_that_was_done() -> None:
    effects = Effects(
        files=[change("/w/a.txt", "changed"), change("/w/.cache/x", bookkeeping=True)],
        programs=[ProgramRun(argv=["git", "status"])],
        names=["a.example"],
        connections=[ConnectionTry(address="2a00::1", port=80, protocol="tcp")],
        secrets=[SecretRead(path="$TOKEN", how="logged")],
        attempts=["mount"],
        left_out={"files": 2},
    )
    subject = seen({"write": effects})
    diffs = Effects(files=[change("/w/a.txt", "changed", diff="@@ -1 +1 @@\n-old\n+<new>\n")])
    made: dict[str, Any] = {"number": 1, "tool": "write", "scenario": "happy", "arguments": {}}
    call = CallRow(**made, valid=True, outcome="passed", effects=diffs)
    (row,) = effect_rows(replace(subject, calls=[call]))
    assert [words for words, _ in row.deeds] == [
        "changed /w/a.txt",
        "created /w/.cache/x (bookkeeping)",
        "started git status",
        "asked for a.example",
        "tried to reach [2a00::1]:80",
        "logged $TOKEN",
        "tried mount",
        "and 2 more",
    ]
    page = to_html(replace(subject, calls=[call]))
    assert '<span class="removed">-old</span><span class="added">+&lt;new&gt;</span>' in page
    assert to_html(seen({"read": Effects()})).count("all that it did") == 0
