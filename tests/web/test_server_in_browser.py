"""A server over time in a real browser: by hand, by key, small, dark and hostile."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import DESK, PHONE
from tests.web.over_time import STATUSES, hostile, many, runs_of, tool_of
from tests.web.recorded import BROKEN, DAYS, MARKUP, NOTES
from tests.web.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

CELLS = "table.timeline tbody.of-tools td a"
FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
LEAST_CONTRAST = 4.5
CONTRAST = """() => {
  const rgb = (text) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const pen = canvas.getContext("2d");
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = (one) => one.slice(0, 3).map((it) => it / 255)
    .map((it) => (it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4))
    .reduce((sum, it, at) => sum + it * [0.2126, 0.7152, 0.0722][at], 0);
  const paper = rgb(getComputedStyle(document.body).backgroundColor);
  const found = {};
  for (const sign of document.querySelectorAll(".legend .sign, table.timeline a.mark")) {
    const style = getComputedStyle(sign);
    const back = rgb(style.backgroundColor);
    const behind = light(back[3] ? back : paper);
    const before = light(rgb(style.color));
    found[sign.className] = (Math.max(behind, before) + 0.05) / (Math.min(behind, before) + 0.05);
  }
  return found;
}"""
"""How much each sign differs from what is behind it, as the rules for accessible pages count it."""
INSIDE = """([outer, inner]) => {
  const boxes = [outer, inner].map((one) => document.querySelector(one).getBoundingClientRect());
  const [around, its] = boxes;
  return around.top <= its.top && its.bottom <= around.bottom && its.right <= around.right;
}"""


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found


def box(page: Page, selector: str) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(
        f"document.querySelector({selector!r}).getBoundingClientRect().toJSON()"
    )
    return found


def test_every_cell_says_its_tool_its_run_and_its_status(
    visit: Callable[..., Page], served: Served
) -> None:
    page, runs = visit(f"/servers/{NOTES}"), runs_of(served.store, NOTES)
    assert page.get_by_role("grid").count() == 1
    cells = page.locator(CELLS)
    assert cells.count() == 3 * DAYS
    first = page.get_by_role("link", name=f"find_notes, run {runs[0]}, 2026-01-01 00:00: working")
    assert first.get_attribute("href") == f"/calls/{tool_of(served.store, NOTES)}/{runs[0]}"
    headings = page.get_by_role("columnheader", name=f"run {runs[-1]}")
    assert headings.count() == 1


def test_every_status_has_a_sign_and_a_colour_of_its_own(
    visit: Callable[..., Page], served: Served
) -> None:
    server = many(served.store, "all", tools=12, runs=20)
    page = visit(f"/servers/{server}")
    looks = page.evaluate(
        """(cells) => [...new Set([...document.querySelectorAll(cells)].map((one) => {
          const sign = getComputedStyle(one, "::before").content;
          return JSON.stringify([one.textContent.split(",")[0], sign,
            getComputedStyle(one).backgroundColor]);
        }))].map(JSON.parse)""",
        CELLS,
    )
    assert len(looks) == len(STATUSES)
    assert len({sign for _, sign, _ in looks}) == len(STATUSES)
    assert len({colour for _, _, colour in looks}) == len(STATUSES)
    assert all(len(re.findall(r'"(.)"', sign)) == 1 for _, sign, _ in looks)


def test_plots_stand_on_the_same_axis_as_the_tools(visit: Callable[..., Page]) -> None:
    page = visit(f"/servers/{NOTES}")
    plot = box(page, "svg.plot")
    first, last = box(page, CELLS), page.locator(CELLS).nth(DAYS - 1).bounding_box()
    assert last is not None
    assert abs(plot["left"] - first["left"]) <= 2
    assert abs(plot["right"] - (last["x"] + last["width"])) <= 2
    labels = page.locator("svg.plot").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert labels[1].startswith("findings: errors from 0 to 0, at most 2; warnings")


def test_the_table_is_walked_by_arrow_keys_and_left_by_tab(
    visit: Callable[..., Page], served: Served
) -> None:
    page, runs = visit(f"/servers/{NOTES}"), runs_of(served.store, NOTES)
    page.locator("table.timeline a").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == f"verdict, run {runs[0]}, 2026-01-01 00:00: PASS"
    page.keyboard.press("End")
    assert page.evaluate(FOCUSED) == f"verdict, run {runs[-1]}, 2026-01-14 00:00: PASS"
    page.keyboard.press("ArrowDown")  # over rows in which nothing happened in this run, and plots
    assert page.evaluate(FOCUSED).endswith(f"run {runs[-1]}, 2026-01-14 00:00: not called")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(FOCUSED) == "add_note"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('table.timeline')") is None
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED) == "add_note"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/calls/*/{runs[0]}")


def test_what_is_pointed_at_is_read_in_words(visit: Callable[..., Page], served: Served) -> None:
    page, runs = visit(f"/servers/{NOTES}"), runs_of(served.store, NOTES)
    page.locator("table.timeline a.mark.version").first.hover()
    run = runs[BROKEN.start]
    assert page.locator(".readout").text_content() == (
        f"version, run {run}, 2026-01-06 00:00: 1.0.0 → 1.1.0"
    )


def test_a_long_history_begins_at_its_newest_end(
    visit: Callable[..., Page], served: Served
) -> None:
    server = many(served.store, "long", tools=3, runs=100)
    page = visit(f"/servers/{server}?runs=100")
    last = page.locator(CELLS).nth(99).bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= DESK[0]
    assert overflow(page) <= 0
    heading = box(page, "table.timeline tbody th")
    assert heading["left"] >= 0  # it stays where it is while the runs pass below


def test_two_runs_are_chosen_and_compared_by_keyboard(
    visit: Callable[..., Page], served: Served
) -> None:
    page, runs = visit(f"/servers/{NOTES}"), runs_of(served.store, NOTES)
    page.get_by_role("radio", name=f"old: run {runs[BROKEN.start - 1]}").focus()
    page.keyboard.press("Space")
    page.get_by_role("radio", name=f"new: run {runs[BROKEN.start]}").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/compare?new={runs[BROKEN.start]}&old={runs[BROKEN.start - 1]}")
    assert page.locator(".state").text_content() == "WORSE 2 new errors, 1 tool worse"


def test_a_run_is_approved_and_the_approval_revoked_by_keyboard(
    visit: Callable[..., Page], served: Served
) -> None:
    page, run = visit(f"/servers/{NOTES}"), runs_of(served.store, NOTES)[-1]
    page.get_by_label("Why it may be trusted").focus()
    page.keyboard.press("Enter")
    assert page.url.endswith(f"/servers/{NOTES}")  # nothing is sent without a reason
    page.keyboard.type("read it <b>all</b>")
    page.keyboard.press("Enter")
    said = page.locator("#approval", has_text="Why it is taken back").locator("p").first
    assert f"run {run} lists" in (said.text_content() or "")
    assert "read it <b>all</b>" in (said.text_content() or "")
    page.get_by_label("Why it is taken back").fill("it changed")
    page.keyboard.press("Enter")
    page.locator("table.timeline a.revoked").wait_for(state="attached")
    assert "Nothing of this server is approved." in (page.locator("#approval").text_content() or "")


def test_an_approval_on_the_page_of_two_runs_leads_to_its_server(
    visit: Callable[..., Page], served: Served
) -> None:
    old, *_, new = runs_of(served.store, NOTES)
    page = visit(f"/compare?old={old}&new={new}")
    page.get_by_label("Why it may be trusted").fill("compared")
    page.get_by_role("button", name=f"Approve what run {new} lists").click()
    page.wait_for_url(f"**/servers/{NOTES}#approval")
    assert "compared" in (page.locator("#approval").text_content() or "")


def test_a_deed_that_is_refused_says_so(
    visit: Callable[..., Page], served: Served, noise: list[str]
) -> None:
    page = visit(f"/servers/{NOTES}")
    page.get_by_label("Why it may be trusted").fill("read")
    page.locator("form.deed input[name=run]").evaluate("one => { one.value = '1' }")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Run 1 is not one of this server.").wait_for()
    assert page.locator("form.deed button").is_enabled()
    noise[:] = [one for one in noise if "404" not in one]


HOSTILE_PAGES = ("/servers/{s}", "/tools/{t}", "/calls/{t}/{new}", "/compare?old={old}&new={new}")


@pytest.mark.parametrize("path", HOSTILE_PAGES)
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_hostile_server_is_text_on_every_page(
    visit: Callable[..., Page], served: Served, path: str, size: tuple[int, int]
) -> None:
    stored = hostile(served.store)
    old, new = runs_of(served.store, stored.server_id)
    tool = tool_of(served.store, stored.server_id)
    page = visit(path.format(s=stored.server_id, t=tool, old=old, new=new), size)
    assert "<script>alert(1)</script>" in (page.locator("main").text_content() or "")
    assert page.locator("main script, main img, main style").count() == 0
    assert "\u202e" not in page.content()
    assert (MARKUP[:20] in page.title()) == ("compare" not in path)
    assert overflow(page) <= 0


@pytest.mark.parametrize("path", [f"/servers/{NOTES}", "/tools/1", "/calls/1/1"])
def test_a_phone_shows_every_page_without_scrolling_sideways(
    visit: Callable[..., Page], path: str
) -> None:
    page = visit(path, PHONE)
    assert overflow(page) <= 0


def test_the_newest_runs_are_seen_on_a_phone(visit: Callable[..., Page], served: Served) -> None:
    server = many(served.store, "long", tools=3, runs=40)
    page = visit(f"/servers/{server}", PHONE)
    seen = page.locator(CELLS).evaluate_all(
        f"all => all.slice(0, 40).filter(e => e.getBoundingClientRect().right <= {PHONE[0]}"
        " && e.getBoundingClientRect().left >= 112).length"
    )
    assert seen >= 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signs_are_read_by_day_and_by_night(
    visit: Callable[..., Page], served: Served, scheme: str
) -> None:
    served.post(f"/servers/{NOTES}/approve", f"run={runs_of(served.store, NOTES)[-1]}&why=x")
    page = visit(f"/servers/{NOTES}", color_scheme=scheme)
    found = page.evaluate(CONTRAST)
    assert {"sign w", "sign b", "mark version", "mark approved"} <= set(found)
    assert {name: ratio for name, ratio in found.items() if ratio < LEAST_CONTRAST} == {}


def test_without_scripts_the_table_has_its_words(visit: Callable[..., Page]) -> None:
    page = visit(f"/servers/{NOTES}", java_script_enabled=False)
    assert page.locator(CELLS).first.text_content() == "not called"
    assert page.locator(".readout").is_hidden()
    page.locator(CELLS).first.click()
    assert "/calls/" in page.url


def test_paper_has_the_table_and_no_buttons(visit: Callable[..., Page]) -> None:
    page = visit(f"/servers/{NOTES}")
    page.emulate_media(media="print")
    assert page.locator(CELLS).first.is_visible()
    assert not page.locator("form.deed").first.is_visible()
    assert not page.locator(".readout").is_visible()
    assert not page.locator(".chosen-from th").first.is_visible()
    assert page.evaluate(INSIDE, [".timeline", ".scale"])
