"""What a person reads in the report of an assessment: it adds up, and advises what can help."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.model.obstacle import OBSTACLE_REASONS, OBSTACLE_REMEDIES, Obstacle
from mcp_assay.model.report import Report
from mcp_assay.model.surface import DefinitionSize, ListedDefinitions, SurfaceSize
from mcp_assay.model.tool import UNFLAGGED_ERROR, CallRow, ToolRow
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.as_text import full_text
from mcp_assay.report.tool_table import STATUS_WORDS, WORST_FIRST, ordered_tools
from mcp_assay.text.lines import as_plain_text, width
from tests.report.test_assessment import COPIED, call, finding, report, tool

REFUSED = "refused-value"
ENDINGS: tuple[dict[str, Any], ...] = (
    {},
    {"valid": False},
    {"outcome": "unproven"},
    {"outcome": "failed", "trouble": "crashed"},
    {"outcome": "failed", "trouble": "accepted", "valid": False},
    {"outcome": "failed", "trouble": "faulty_answer"},
    {"outcome": "failed", "trouble": "unflagged_error", "sign": UNFLAGGED_ERROR},
    {"outcome": "undecided"},
    {"outcome": "undecided", "valid": None},
)
"""Every way in which a call may end."""


ENDS_OF_NAMES = ("", "_with_a_rather_long_name_of_it", "漢字")


def shown(subject: Report, *, verbose: bool = False) -> str:
    return as_plain_text(full_text(subject, verbose=verbose))


def table(screen: str) -> list[str]:
    return screen.split("\n\n")[1].splitlines()


def numbers(line: str) -> list[int]:
    """The numbers of a row, behind its verdict."""
    words = sorted(STATUS_WORDS.values(), key=len, reverse=True)
    verdict = re.search(rf"  (?:{'|'.join(words)}) +(.*)$", line)
    found = re.findall(r"(?:^| )([\d,]+)(?= |$)", verdict[1]) if verdict else []
    return [int(one.replace(",", "")) for one in found]


@some.composite
def rows(draw: some.DrawFn) -> tuple[list[ToolRow], list[CallRow]]:
    """Tools of every status, with calls that ended in every way."""
    tools: list[ToolRow] = []
    calls: list[CallRow] = []
    for number in range(draw(some.integers(1, 30))):
        name = f"tool_{number}" + draw(
            some.sampled_from(["", "_with_a_rather_long_name_of_it", "漢字"])
        )
        status = draw(some.sampled_from(WORST_FIRST))
        if status == "not_called":
            reason = draw(some.sampled_from(["no readOnlyHint", "destructiveHint: true"]))
            tools.append(tool(name, status, reason=reason))
            continue
        made = [
            replace(call(name, {"query": REFUSED}), **draw(some.sampled_from(ENDINGS)))
            for _ in range(draw(some.integers(1, 9)))
        ]
        obstacle = draw(some.sampled_from(Obstacle)).value if status == "unproven" else None
        tools.append(replace(tool(name, status, len(made), 0, 0, 0), obstacle=obstacle))
        calls += made
    return tools, calls


def reported(made: tuple[list[ToolRow], list[CallRow]]) -> Report:
    tools, calls = made
    listed = [DefinitionSize(name=one.name) for one in tools]
    schema = {"type": "object", "required": ["query"]}
    definitions = [{"name": one.name, "inputSchema": schema} for one in tools]
    return report(
        "fail",
        *tools,
        calls=calls,
        surface=SurfaceSize(
            bytes=9, tools=listed, definitions=ListedDefinitions(tools=definitions)
        ),
    )


@settings(max_examples=25, deadline=None)
@given(made=rows())
def test_every_row_adds_up_and_all_rows_to_the_first_line(
    made: tuple[list[ToolRow], list[CallRow]],
) -> None:
    screen = shown(reported(made))
    counted = [found for line in table(screen) if len(found := numbers(line)) > 2]
    assert all(first == sum(rest) for first, *rest in counted)
    assert sum(first for first, *_ in counted) == len(made[1])
    called = sum(one.called > 0 for one in made[0])
    noun = "tool" if len(made[0]) == 1 else "tools"
    assert f"{called} of {len(made[0])} {noun} called" in screen


@settings(max_examples=25, deadline=None)
@given(made=rows())
def test_rows_are_ordered_by_status_and_then_as_the_server_lists_them(
    made: tuple[list[ToolRow], list[CallRow]],
) -> None:
    subject = reported(made)
    ordered = [(WORST_FIRST.index(one.status), one.name) for one in ordered_tools(subject)]
    places = {one.name: place for place, one in enumerate(made[0])}
    assert ordered == sorted(ordered, key=lambda one: (one[0], places[one[1]]))
    words = list(map(STATUS_WORDS.__getitem__, WORST_FIRST))
    pattern = rf"  ({'|'.join(sorted(words, key=len, reverse=True))})(?:  |$)"
    verdicts = [found[1] for line in table(shown(subject)) if (found := re.search(pattern, line))]
    assert verdicts == sorted(verdicts, key=words.index)
    names = [
        line.split(" | ")[0][2:] for line in to_markdown(subject).splitlines() if "tool\\_" in line
    ]
    assert [one.replace("\\", "") for one in names][: len(ordered)] == [name for _, name in ordered]


@settings(max_examples=25, deadline=None)
@given(made=rows(), verbose=some.booleans())
def test_no_line_is_wider_than_the_screen_and_every_name_is_whole(
    made: tuple[list[ToolRow], list[CallRow]], verbose: bool
) -> None:
    screen = shown(reported(made), verbose=verbose)
    assert all(width(line) <= 80 or line.startswith(COPIED) for line in screen.splitlines())
    assert "…" not in screen
    troubled = [one for one in made[0] if one.status not in ("fully_working", "not_called")]
    for one in made[0] if verbose else troubled:
        assert one.name in screen


@settings(max_examples=25, deadline=None)
@given(made=rows())
def test_refused_arguments_are_never_advice(made: tuple[list[ToolRow], list[CallRow]]) -> None:
    screen = shown(reported(made))
    assert REFUSED not in screen
    written = [line.strip() for line in screen.splitlines() if line.startswith("      ")]
    lines = [line for line in written if line.startswith(("[tools", "valid = "))]
    advised = tomllib.loads("\n".join(lines)).get("tools", {})
    helped = {
        one.name
        for one in made[0]
        if one.status == "unproven" and Obstacle(one.obstacle) not in OBSTACLE_REMEDIES
    }
    assert advised.keys() <= helped
    assert all(its == {"valid": [{"query": "..."}]} for its in advised.values())


@pytest.mark.parametrize("obstacle", Obstacle)
def test_the_advice_follows_from_the_kind(obstacle: Obstacle) -> None:
    row = replace(tool("ask", "unproven", 4, 0, 0, 0), obstacle=obstacle.value)
    screen = shown(report("incomplete", row))
    has_snippet = "valid = [" in screen
    assert has_snippet == (obstacle not in OBSTACLE_REMEDIES)
    if obstacle is not Obstacle.BROKEN_DOWN:
        assert "ask: " in screen.split("Not tested", 1)[1]


def test_the_advice_on_an_obstacle_of_a_later_version_is_none() -> None:
    row = replace(tool("ask", "unproven", 4, 0, 0, 0, reason="a later reason"), obstacle="later")
    screen = shown(report("incomplete", row))
    assert "a later reason" in screen
    assert "valid = [" not in screen


WORKING = [tool(f"read_{number}", "fully_working", 3, 3, 0, 0) for number in range(105)]


def test_of_very_many_tools_the_first_finding_stands_on_the_first_screen() -> None:
    bad = [tool(f"bad_{number}", "broken", 3, 0, 0, 3, reason="it crashed") for number in range(5)]
    error = finding("error", "RESP-004", "valid-call-crashes", "It crashed.", tool="bad_0")
    screen = shown(report("fail", *WORKING, *bad, findings=[error])).splitlines()
    assert next(at for at, line in enumerate(screen) if line.startswith("error")) < 24
    assert [line.split()[0] for line in screen if " broken " in line] == [one.name for one in bad]
    row = next(line for line in screen if " working " in line)
    assert row.split() == ["105", "tools", "working", "315", "315", "0", "0"]


def stubborn(number: int, obstacle: Obstacle) -> ToolRow:
    row = tool(f"ask_{number}", "unproven", 2, 0, 2, 0)
    return replace(row, obstacle=obstacle.value)


def test_many_tools_of_which_the_same_is_to_be_said_are_one_row() -> None:
    alike = [stubborn(number, Obstacle.NO_ARGUMENTS) for number in range(200)]
    other = stubborn(200, Obstacle.ALL_TRIED)
    lines = shown(report("incomplete", *alike, other)).splitlines()
    rows = [line.split()[:3] for line in lines if "  unproven " in line]
    assert rows == [["200", "tools", "unproven"], ["ask_200", "unproven", "2"]]
    reason = OBSTACLE_REASONS[Obstacle.NO_ARGUMENTS]
    assert sum(reason in line for line in lines) == 1
    assert len(lines) < 40


def test_tools_with_reasons_of_their_own_have_rows_of_their_own() -> None:
    kinds = (Obstacle.NO_ARGUMENTS, Obstacle.ALL_TRIED, Obstacle.REJECTED, Obstacle.TOO_LONG)
    tools = [stubborn(4 * n + at, kind) for at, kind in enumerate(kinds) for n in range(4)]
    lines = shown(report("incomplete", *tools)).splitlines()
    assert sum("  unproven " in line for line in lines) == len(tools)


def test_all_names_are_there_with_verbose() -> None:
    screen = shown(report("pass", *WORKING), verbose=True)
    assert all(one.name in screen for one in WORKING)
    assert "--verbose lists all" in shown(report("pass", *WORKING))


def test_a_name_that_is_listed_twice_is_one_row_and_the_numbers_say_so() -> None:
    two = report("pass", *WORKING[:2])
    twice = replace(two, summary=replace(two.summary, tools_listed=3))
    screen = shown(twice)
    assert "2 of 2 tools called" in screen
    assert "lists 3 definitions; 1 of them has no name or one that is taken" in screen
    assert "2 of 2 tools called" in to_markdown(twice)


def about(name: str, **more: Any) -> Finding:
    return finding(
        "error", "RESP-004", "valid-call-crashes", f'Tool "{name}" crashed.', tool=name, **more
    )


def crowd(*findings: Finding) -> Report:
    """Findings among so many others that those of one rule stand together."""
    others = [
        finding("info", f"LINT-{number}", "n", f"Note {number}.", tool="z") for number in range(25)
    ]
    names = dict.fromkeys(one.where.tool or "" for one in (*findings, *others))
    tools = [tool(name, "broken", 1, 0, 0, 1) for name in names]
    return report("fail", *tools, findings=[*findings, *others])


def test_the_same_words_of_several_tools_are_said_once_with_all_names() -> None:
    names = [f"tool_{number}" for number in range(15)]
    screen = shown(crowd(*(about(name, fix="Fix it.") for name in names)))
    assert screen.count("crashed.") == 1
    assert screen.count("fix      Fix it.") == 1
    assert "RESP-004 valid-call-crashes  15 tools" in screen
    assert "more" not in screen.split("note  ")[0].split("RESP-004")[1]
    assert all(name in screen.split("RESP-004")[1] for name in names)


def test_other_words_and_other_fixes_are_each_shown() -> None:
    first = about("a", fix="Fix a.", details={"smallest": {"q": 1}, "repeat": "again a"})
    second = replace(about("b", fix="Fix b."), message='Tool "b" crashed on every second call.')
    third = replace(
        about("c", fix="Fix a.", details={"smallest": {"q": 3}, "repeat": "again c"}),
        message='Tool "c" crashed (3 of 9 calls).',
    )
    screen = shown(crowd(first, second, third))
    for words in ('Tool "a" crashed.', "every second call.", "(3 of 9 calls).", "Fix a.", "Fix b."):
        assert screen.count(words) == 1
    assert 'smallest {"q": 3}' in screen
    assert "again a" in screen
    assert "again c" in screen


@pytest.mark.parametrize("number", [1, 2, 6, 13, 60])
def test_a_tool_with_an_error_is_named_however_many_there_are(number: int) -> None:
    names = [f"get_{at}_of_them" for at in range(number)]
    together = about("x", details={"tools": names}, where=about("x").where)
    together = replace(
        together, message="Several tools crashed.", where=replace(together.where, tool=None)
    )
    for subject in (crowd(together), crowd(*map(about, names))):
        part = shown(subject).split("RESP-004", 1)[1].split("\n\n")[0]
        if number > 5 or subject.findings[0].where.tool:
            assert all(name in part for name in names)


def test_evidence_of_one_tool_is_not_shown_for_others() -> None:
    same = [
        about("a", evidence='"of a"', pointer="/a"),
        about("b", evidence='"of b"', pointer="/b"),
    ]
    tools = [tool(name, "broken", 1, 0, 0, 1) for name in "ab"]
    screen = shown(report("fail", *tools, findings=same))
    assert "of a" not in screen
    assert "also     b" in screen


REASONS = (
    "short",
    "a reason that is somewhat longer than a cell of the table has room for",
    "words " * 60,
    "漢字 かな 交じり の 長い 文 " * 6,
    "/usr/lib/node_modules/some/very/deep/folder/with/a/name/that/goes/on/dist/index.js is missing",
)


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("status", ["not_called", "broken", "partially_working"])
def test_no_word_of_a_reason_is_cut(reason: str, status: str) -> None:
    gaps = {"coverage": {"not_reached": [reason]}} if status == "partially_working" else {}
    row = tool(
        "find", status, *((3, 1, 1, 1) if status != "not_called" else ()), reason=reason, **gaps
    )
    screen = shown(report("fail", row, GOOD))
    said = screen.split()
    assert [word for word in reason.split() if word not in said] == []


GOOD = tool("get", "fully_working", 3, 3, 0, 0)


def test_calls_are_counted_under_the_word_that_findings_use() -> None:
    sign: dict[str, Any] = {"outcome": "failed", "sign": UNFLAGGED_ERROR}
    unflagged = [{**sign, "trouble": "unflagged_error"}] * 3
    made = [replace(call("ask", {}), **its) for its in [*unflagged, {"valid": False}]]
    screen = shown(report("fail", tool("ask", "unproven", 4, 0, 4, 0), calls=made))
    above, head, row = table(screen)[:3]
    assert (above.split(), head.split()[2:]) == (
        ["no"], ["calls", "passed", "rejected", "isError", "unexpected"],
    )  # fmt: skip
    assert row.split()[2:] == ["4", "0", "1", "3", "0"]


def test_a_row_without_its_calls_still_adds_up() -> None:
    row = tool("ask", "partially_working", 10, 6, 2, 3)
    found = list(filter(None, map(numbers, table(shown(report("fail", row, calls=[]))))))
    assert [(first, sum(rest)) for first, *rest in found] == [(10, 10)]
