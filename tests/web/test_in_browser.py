"""The pages in a real browser: quiet, closed to all sides, and usable by hand and by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright", reason="needs a browser")
from playwright.sync_api import expect

from tests.web.conftest import DESK, PHONE
from tests.web.recorded import DEMO, HOSTILE, MARKUP, NOTES
from tests.web.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., "Page"]
PAGES = ("/", "/?q=notes", "/?q=nothing-like-it", "/runs/1", "/runs/16", "/runs/999")


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found


def focused(page: Page) -> str:
    """What the keyboard would act on."""
    found: str = page.evaluate(
        "(document.activeElement.innerText || document.activeElement.id || '').trim()"
    )
    return found


def tab_to(page: Page, wanted: str) -> None:
    """Press the tab key until the focus is there, and see that it shows."""
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(focused(page))
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(outline) != "none", seen
        if seen[-1] == wanted:
            return
    raise AssertionError(f"the keyboard does not get to {wanted!r}, only to {seen}")


def test_a_link_leads_to_the_servers_without_its_token(visit: Visit, served: Served) -> None:
    page = visit()
    assert page.url == f"{served.origin}/"
    assert page.get_by_role("link", name="demo").count() == 1
    page.go_back()
    assert "token" not in page.url


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("size", "options"),
    [(DESK, {}), (PHONE, {}), (PHONE, {"color_scheme": "dark"}), (DESK, {"color_scheme": "dark"})],
    ids=["desk", "phone", "dark-phone", "dark"],
)
def test_a_page_fits_and_says_nothing_to_the_console(
    visit: Visit, noise: list[str], path: str, size: tuple[int, int], options: dict[str, Any]
) -> None:
    page = visit(path, size, **options)
    assert overflow(page) <= 0
    assert page.locator("h1").count() == 1
    assert page.locator(".top a[aria-current]").all_inner_texts() == ["Servers"]
    assert page.locator("main h1").inner_text().strip()
    is_dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 21, 20)"
    assert is_dark == ("color_scheme" in options)
    if path == "/runs/999":  # browsers note every answer of this kind
        assert len(noise) == 1
        assert "404" in noise.pop()


def test_everything_is_reached_by_the_keyboard(visit: Visit, served: Served) -> None:
    page = visit()
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to(page, "notes")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("demo")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=demo")
    assert page.locator(".servers tbody tr").count() == 1
    tab_to(page, "Last run")
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=latest")
    page.locator(".servers tbody time").focus()
    tab_to(page, page.locator(".servers tbody time").inner_text())
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served.origin}/runs/{DEMO}")


def test_lists_are_chosen_from_by_hand(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="PASS").click()
    assert page.locator(".servers tbody th").all_inner_texts() == ["notes"]
    page.get_by_role("link", name="all").click()
    page.get_by_role("link", name="Open errors").click()
    assert page.locator("th[aria-sort]").inner_text().startswith("Open errors")
    assert page.locator(".servers tbody th a").first.inner_text() == "demo"
    page.get_by_role("searchbox").fill("notes")
    page.get_by_role("button", name="Search").click()
    assert page.locator(".servers tbody tr").count() == 1
    assert page.get_by_role("link", name="Open errors").count() == 1


def test_every_picture_says_in_words_what_it_shows(visit: Visit) -> None:
    page = visit()
    labels = [one.get_attribute("aria-label") for one in page.locator("main svg").all()]
    assert len(labels) == 6
    assert all(labels)
    for verdict in page.locator("td[data-label=verdict] b").all():
        assert verdict.inner_text()[0] in "✕?✓"


@pytest.mark.parametrize("path", ["/", f"/?q={'%3Cscript%3E'}", "/runs/16", "/runs/17"])
def test_what_a_hostile_server_says_is_only_text(visit: Visit, path: str) -> None:
    page = visit(path)
    assert (
        page.evaluate("document.querySelectorAll('main img, main script, main style').length") == 0
    )
    own = "[...document.querySelectorAll('main *')].some((one) => [...one.attributes].some("
    assert not page.evaluate(f"{own}(its) => its.name.startsWith('on') || its.name === 'style'))")
    assert not page.evaluate("[...document.links].some((one) => one.href.startsWith('javascript'))")
    if path == "/":
        shown = page.locator(".servers tbody th").nth(HOSTILE - 2).inner_text()
        assert shown.startswith(MARKUP[:40])
    elif "runs" in path:
        assert "<script>alert(1)</script>" in page.locator(".verdict").inner_text()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("#finding-1", "#finding-1[open]"),
        ("#call-9", "#call-9 details[open]"),
        ("#message-3", "#message-3"),
    ],
)
def test_a_deep_link_shows_what_it_names(visit: Visit, address: str, shown: str) -> None:
    page = visit(f"/runs/{DEMO}{address}")
    found = page.locator(shown)
    assert found.count() == 1
    expect(found).to_be_in_viewport()


def test_an_open_finding_leads_to_itself_in_its_run(visit: Visit) -> None:
    page = visit("/servers/1")
    row = page.locator(".found tbody tr").last
    words = row.locator("th").inner_text().partition(" ")[2]
    row.get_by_role("link", name="this finding in run").click()
    found = page.locator("details.finding[open] > summary")
    found.wait_for(state="visible")
    assert found.inner_text().startswith(words)


@pytest.mark.parametrize(
    "address", ["#call-99999", "#message-0", "#finding-77", "#finding-0abc", "#nothing", "#%00"]
)
def test_a_deep_link_to_nothing_shows_the_report(visit: Visit, address: str) -> None:
    page = visit(f"/runs/{DEMO}{address}")
    assert page.locator("#calls").count() == 1


def test_the_timeline_is_there_and_a_tool_can_be_filtered(visit: Visit) -> None:
    page = visit(f"/runs/{DEMO}")
    assert page.locator("#timeline svg.strip").count() == 1
    page.locator("#tool-filter").fill("delete")
    assert page.locator(".tools tbody tr:visible").count() == 1
    page.goto(page.url.replace(f"/runs/{DEMO}", f"/runs/{NOTES}"))
    assert page.locator("#timeline").count() == 0


def test_print_has_neither_navigation_nor_controls(visit: Visit) -> None:
    page = visit()
    page.emulate_media(media="print")
    assert not page.locator(".top").is_visible()
    assert not page.locator(".search").is_visible()
    assert page.locator(".servers").is_visible()
