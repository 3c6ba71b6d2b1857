"""Plots: what they draw, and that nothing but their own elements gets out of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from mcp_assay.history.tool_lines import ToolCell
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.web.plots.elements import element, joined, shown_number
from mcp_assay.web.plots.heat_map import outcome_cells, status_cells
from mcp_assay.web.plots.lines import Canvas, Series, line_plot, top_of
from mcp_assay.web.plots.small import BAR_WIDTH, Part, bar, trend
from mcp_assay.web.words import PAINTS
from tests.web.past_runs import past_run

HOSTILE = "</svg><script>alert(1)</script>\" onload='x' &amp; {{ 7 * 7 }}"
CANVAS = Canvas(columns=4, step=20, height=50)
FLOATS = st.floats(allow_nan=True, allow_infinity=True) | st.none()


def parsed(markup: Markup) -> ET.Element:
    return ET.fromstring(markup)


def paths(markup: Markup, kind: str) -> list[str]:
    """The outlines of the paths whose class begins so."""
    found = parsed(markup).findall("path")
    return [one.get("d", "") for one in found if one.get("class", "").startswith(kind)]


def plot(*values: float | None, top: float = 10) -> Markup:
    return line_plot(CANVAS, [Series("errors", values, "errors")], top, "errors")


def test_what_is_no_markup_becomes_text() -> None:
    made = element("p", HOSTILE, Markup("<b>ours</b>"), title=HOSTILE, class_="a")
    root = parsed(made)
    assert (root.text, root.get("title"), root.get("class")) == (HOSTILE, HOSTILE, "a")
    assert [child.tag for child in root] == ["b"]
    assert joined(["<", Markup("<b>")]) == "&lt;<b>"


def test_an_attribute_that_is_nothing_is_left_out() -> None:
    assert element("p", aria_label=None, width=2.50) == '<p width="2.5"></p>'


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-0.0, "0"), (1.005, "1"), (20.0, "20"), (1 / 3, "0.33"), (1e21, "1" + "0" * 21),
     (math.inf, "0"), (-math.inf, "0"), (math.nan, "0")],
)  # fmt: skip
def test_numbers_are_written_as_svg_reads_them(value: float, shown: str) -> None:
    assert shown_number(value) == shown


def test_a_line_has_a_point_in_the_middle_of_each_column() -> None:
    assert paths(plot(0, 5, 10, 0), "line") == ["M10 45L30 25L50 5L70 45"]
    assert paths(plot(0, 5, 10, 0), "dots") == ["M10 45h0M30 25h0M50 5h0M70 45h0"]


def test_a_run_without_a_measure_breaks_the_line() -> None:
    assert paths(plot(0, None, 10, 0), "line") == ["M10 45M50 5L70 45"]


def test_nothing_measured_draws_no_line() -> None:
    assert paths(plot(None, None, None, None), "line") == []


def test_what_is_above_the_scale_stays_inside_the_plot() -> None:
    assert paths(plot(99, -5, math.inf, math.nan), "line") == ["M10 5L30 45"]


@given(st.lists(FLOATS, max_size=8), st.floats(min_value=0.001, max_value=1e12))
def test_any_numbers_make_a_picture(values: Sequence[float | None], top: float) -> None:
    canvas = Canvas(columns=len(values), step=20, height=50)
    root = parsed(line_plot(canvas, [Series("a", values, "a")], top, HOSTILE))
    assert root.get("aria-label") == HOSTILE
    for one in root.findall("path"):
        ys = [float(y) for y in re.findall(r"[ML][\d.]+ ([-\d.]+)", one.get("d", ""))]
        assert all(0 <= y <= canvas.height for y in ys)


@pytest.mark.parametrize(
    ("values", "top"),
    [([], 1), ([0, None], 1), ([0.4], 1), ([1], 1), ([7], 8), ([11], 15), ([312.5], 400),
     ([math.inf, 3], 3), ([99_000], 100_000)],
)  # fmt: skip
def test_a_scale_ends_at_a_round_number(values: Sequence[float | None], top: float) -> None:
    assert top_of([Series("a", values, "a")]) == pytest.approx(top)


@given(st.lists(st.floats(min_value=0, max_value=1e15), min_size=1))
def test_no_value_is_above_its_scale(values: list[float]) -> None:
    assert top_of([Series("a", values, "a")]) >= max(values) * (1 - 1e-9)


def test_a_bar_is_as_wide_as_all_its_parts() -> None:
    made = bar([Part(3, "working", "w"), Part(0, "broken", "b"), Part(1, HOSTILE, "u")])
    third = BAR_WIDTH * 3 // 4
    assert paths(made, "w") == [f"M0 0h{third}v8h-{third}z"]
    assert paths(made, "u") == [f"M{third} 0h{BAR_WIDTH - third}v8h-{BAR_WIDTH - third}z"]
    assert paths(made, "b") == []
    assert parsed(made).get("aria-label") == f"3 working, 1 {HOSTILE}"
    assert parsed(bar([])).get("aria-label") == "none"


def test_a_trend_has_a_column_for_each_run() -> None:
    made = trend(["w", "b", "b"], [0, 2, 4], HOSTILE)
    heights = [re.findall(r"v-(\d+)h", path) for path in (*paths(made, "w"), *paths(made, "b"))]
    assert heights == [["3"], ["10", "18"]]
    assert parsed(made).get("aria-label") == HOSTILE
    assert len(parsed(trend([], [], "no run"))) == 0


CELL = re.compile(
    r'<td>(?:<a class=(?:[a-z]|"[a-z] c") href=/(?:calls/\d+|runs)/\d+>([\w ,]+)</a>)?'
)


@pytest.mark.parametrize("status", [*STATUS_WORDS, "<script>"])
@pytest.mark.parametrize("is_new", [False, True])
def test_a_cell_is_a_word_and_a_link(status: str, is_new: bool) -> None:
    made = status_cells(7, [345], [ToolCell(status, is_new)])
    match = CELL.fullmatch(made)
    assert match is not None
    word = STATUS_WORDS.get(status, "unknown")
    assert match[1] == (f"{word}, new definition" if is_new else word)
    assert "href=/calls/7/345>" in made


def test_a_run_that_did_not_list_the_tool_has_an_empty_cell() -> None:
    cells = [None, ToolCell("broken", is_new_definition=False), None]
    assert status_cells(7, [1, 2, 3], cells) == "<td><td><a class=b href=/calls/7/2>broken</a><td>"


def test_every_status_is_painted_in_its_own_way() -> None:
    assert set(PAINTS) == set(STATUS_WORDS)
    assert len(set(PAINTS.values())) == len(PAINTS)


def test_the_verdict_of_a_run_leads_to_its_report() -> None:
    made = outcome_cells([past_run(1, "pass"), past_run(2, "fail"), past_run(3, "incomplete")])
    assert CELL.findall(made) == ["PASS", "FAIL", "INCOMPLETE"]
    assert re.findall(r"href=(\S+?)>", made) == ["/runs/1", "/runs/2", "/runs/3"]
