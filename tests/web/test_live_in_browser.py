"""Runs as they happen, in a real browser: to the end, for two, cut off, in a flood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from mcp_assay.web.live.progress import MOST_FINDINGS, MOST_TOOLS
from tests.web.conftest import PHONE
from tests.web.cut_line import CutLine
from tests.web.flooding_server import NUMBER
from tests.web.live import Gate

pytest.importorskip("playwright", reason="needs a browser")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    Visit = Callable[..., Page]

SECONDS = 120_000.0
expect.set_options(timeout=SECONDS)


@pytest.fixture
def line() -> Iterator[CutLine]:
    """A line that can be cut."""
    its = CutLine()
    yield its
    its.close()


def started(page: Page, name: str) -> None:
    """Start a run of a server by its button, and wait for the page of the run."""
    page.get_by_role("button", name=f"Start a run of {name}").click()
    page.wait_for_url("**/live/*")


def row(page: Page, tool: str) -> Locator:
    return page.locator("#tools tr").filter(has=page.get_by_role("rowheader", name=tool))


def shown(page: Page) -> Any:
    """All rows of tools and findings, as they are read."""
    return page.evaluate(
        "[...document.querySelectorAll('#tools tr, #findings li')]"
        ".map((one) => one.textContent.replace(/\\s+/g, ' ').trim())"
    )


def overflow(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found


def test_a_run_is_seen_from_its_start_to_its_report(visit_live: Visit, gate: Gate) -> None:
    page = visit_live("/live")
    started(page, "gated")
    expect(row(page, "list_colors")).to_contain_text("working")
    expect(page.locator("#phase")).to_have_text("calling tools")
    expect(page.locator("[aria-current=step]")).to_have_text("calling")
    expect(page.locator("#findings")).to_contain_text("JSONRPC-031")
    expect(row(page, "get_gated")).to_contain_text("waiting")
    gate.open()
    expect(page.locator("#end")).to_contain_text("PASS")
    expect(row(page, "get_gated")).to_contain_text("every call passed")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    told = shown(page)
    page.reload()
    assert shown(page) == told
    page.get_by_role("link", name="Open the report of this run").click()
    page.wait_for_url("**/runs/*")
    assert page.locator("#calls, #timeline").count() == 2


def test_two_browsers_see_the_same_run_and_one_stops_it(visit_live: Visit) -> None:
    first = visit_live("/live")
    started(first, "gated")
    second = visit_live("/live/1")
    for page in (first, second):
        expect(row(page, "list_colors")).to_contain_text("working")
    listed = visit_live("/live").locator("#states tr")
    expect(listed).to_contain_text("running")
    second.get_by_role("button", name="Stop this run").click()
    for page in (first, second):
        expect(page.locator("#end")).to_contain_text("INCOMPLETE")
        expect(page.locator("#end")).to_contain_text("interrupted")
    assert shown(first) == shown(second)
    expect(listed).to_contain_text("INCOMPLETE")
    expect(listed.locator("td:last-child a")).to_have_attribute("href", re.compile(r"/runs/\d+"))


def test_a_connection_that_is_lost_comes_back(
    visit_live: Visit, gate: Gate, noise: list[str], line: CutLine
) -> None:
    page = visit_live("/live", proxy=line.proxy)
    started(page, "gated")
    expect(row(page, "list_colors")).to_contain_text("working")
    line.cut()
    expect(page.locator("#connection")).to_contain_text("lost")
    gate.open()
    other = visit_live("/live/1")
    expect(other.locator("#end")).to_contain_text("PASS")
    expect(page.locator("#end")).to_be_hidden()
    line.mend()
    expect(page.locator("#end")).to_contain_text("PASS")
    expect(page.locator("#connection")).to_have_text("")
    assert shown(page) == shown(other)
    noise[:] = [one for one in noise if "net::ERR_" not in one]


def test_a_server_that_floods_is_cut_and_counted_and_stays_text(visit_live: Visit) -> None:
    page = visit_live("/live", PHONE)
    started(page, "flood")
    expect(page.locator("#end")).to_be_visible()
    assert page.locator("#tools tr").count() == MOST_TOOLS
    assert page.locator("#findings li").count() == MOST_FINDINGS
    expect(page.locator("#more-tools")).to_have_text(
        f"{NUMBER - MOST_TOOLS} more tools, not shown here."
    )
    expect(page.locator("#more-findings")).to_contain_text("more findings, not shown here.")
    assert page.locator("#tools img, #findings img, #server img").count() == 0
    assert "<img src=x" in row(page, "t0<img").first.inner_text()
    assert overflow(page) <= 0


def test_a_narrower_run_is_started_by_the_keyboard_alone(visit_live: Visit) -> None:
    page = visit_live("/live")
    page.get_by_role("link", name="Options for a run of demo").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/live/servers/1")
    page.get_by_label("Only this tool").focus()
    page.keyboard.type("get_note")
    page.keyboard.press("Enter")
    page.wait_for_url("**/live/1")
    expect(page.locator("#end")).to_be_visible()
    expect(row(page, "list_notes")).to_contain_text("not called")
    expect(row(page, "get_note")).to_contain_text("working")


def test_more_than_was_typed_is_refused_beside_the_form(
    visit_live: Visit, noise: list[str]
) -> None:
    page = visit_live("/live/servers/1")
    page.evaluate("document.getElementById('max_calls').removeAttribute('max')")
    page.get_by_label("Scenarios per tool").fill("13")
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("alert")).to_contain_text("--max-calls 13 is more than the 12")
    assert page.url.endswith("/live/servers/1")
    noise[:] = [one for one in noise if "400" not in one]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone(visit_live: Visit, scheme: str) -> None:
    page = visit_live("/live", PHONE, color_scheme=scheme)
    assert overflow(page) <= 0
    page.get_by_role("link", name="Options for a run of demo").click()
    page.wait_for_url("**/live/servers/1")
    assert overflow(page) <= 0
    page.get_by_role("button", name="Start the run").click()
    page.wait_for_url("**/live/1")
    expect(page.locator("#end")).to_be_visible()
    assert overflow(page) <= 0
    assert page.locator(".top a[aria-current]").all_inner_texts() == ["Live"]
