"""The page on a fleet in a real browser: it finds one server among thousands, and obeys none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from mcp_assay.fleet.report.formats import fleet_written
from tests.fleet.fleets import large_fleet, reported
from tools.browser import launch, missing, new_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = '</script><script>document.title="obeyed"</script><img src=x onerror="alert(1)">\u202e'
IS_WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    lacking = missing()
    if lacking is not None:
        pytest.skip(f"needs a browser: {lacking}")
    with launch() as launched:
        yield launched


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page on 3,000 servers, one of which is called something bad."""
    servers = large_fleet()
    servers[1] = replace(servers[1], name=HOSTILE)
    whole = reported(servers, last_run="2026-01-01T00:00:00Z", files={"server-00003": "3.html"})
    path = tmp_path_factory.mktemp("fleet") / "fleet.html"
    path.write_text(fleet_written(whole, "html"), "utf-8")
    return path


@pytest.fixture
def page(browser: Browser, file: Path) -> Iterator[Page]:
    """The page in a window of a desk; it complains of nothing, and nothing beside it is loaded."""
    noise: list[str] = []
    with new_page(browser, 1280, 800) as opened:
        opened.on("console", lambda message: noise.append(message.text))
        opened.on("pageerror", lambda error: noise.append(str(error)))
        opened.on("request", lambda request: noise.append(request.url))
        opened.goto(file.as_uri())
        yield opened
    assert noise == [file.as_uri()]


def test_one_server_is_found_among_thousands_by_key_and_by_hand(page: Page) -> None:
    heading, rows = page.locator("#servers h2"), page.locator("#servers tbody tr")
    assert (heading.inner_text(), rows.count()) == ("3,000 servers", 100)
    page.keyboard.press("/")
    page.keyboard.type("server-02998")
    rows.nth(1).wait_for(state="detached")
    assert heading.inner_text() == "1 of 3,000 servers"
    assert "server-02998" in rows.inner_text()
    page.keyboard.press("Escape")
    assert heading.inner_text() == "3,000 servers"
    page.get_by_label("any verdict").select_option(label="NOT ASSESSED")
    assert heading.inner_text() == "300 of 3,000 servers"
    page.get_by_role("button", name="Later").click()
    assert "200 of 300 servers" in page.locator("#servers .pager").inner_text()


def test_a_cause_leads_to_its_servers_and_a_row_to_its_report(page: Page) -> None:
    page.locator("#causes tbody tr", has_text="RULE-003").get_by_role("button").click()
    assert page.locator("#servers h2").inner_text() == "50 of 3,000 servers"
    assert page.locator("#servers tbody a").get_attribute("href") == "3.html"


def test_nothing_that_a_server_says_is_obeyed(page: Page) -> None:
    page.get_by_label("Filter servers").fill("onerror")
    page.locator("#servers tbody tr").nth(1).wait_for(state="detached")
    assert page.locator("#servers tbody tr").count() == 1
    assert page.title() == "INCOMPLETE: 3,000 servers"
    assert page.locator("img").count() == 0


def test_a_phone_in_the_dark_shows_cards_that_need_no_scrolling_to_the_side(
    browser: Browser, file: Path
) -> None:
    with new_page(browser, 390, 844, color_scheme="dark") as phone:
        phone.goto(file.as_uri())
        assert not phone.evaluate(IS_WIDER)
        assert phone.locator("#servers td[data-label=verdict]").first.is_visible()
        paper = phone.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(21, 21, 20)"


def test_without_the_script_there_are_the_worst_and_how_many_more(
    browser: Browser, file: Path
) -> None:
    with new_page(browser, 1280, 800, java_script_enabled=False) as still:
        still.goto(file.as_uri())
        assert still.locator("#servers tbody tr").count() == 200
        assert "2,800 servers more" in still.locator("#rest").inner_text()
