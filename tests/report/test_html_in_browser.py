"""The HTML report in a real browser: quiet, closed to all sides, and usable by hand and by key."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.report import Report
from mcp_assay.report.as_html import to_html
from tests.report.large import CALLS, FINDINGS, large_report
from tests.report.reports import report
from tools.browser import PACKAGE, Browser, BrowserFault, Page, path_of_browser

DESK, PHONE = (1280, 800), (390, 844)
BOXES = ["why", "not-shown", "identity", "claims"]
HOSTILE = (
    '</script><script>alert(1)</script><img src=x onerror="alert(2)"><!-- ]]> {{data}} '
    "<svg onload=alert(3)> javascript:alert(4) \u2028\u202e\x1b[31m ' \" & &lt;b&gt; \ud800"
)
NOISE = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
DIALOG = "Page.javascriptDialogOpening"
MOST_ELEMENTS = 6_000
MOST_BYTES = 15_000_000
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = path_of_browser()
    if path is None:
        pytest.skip(f"needs a browser: the Debian package {PACKAGE}")
    with Browser(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("html") / "demo.html"
    command = [sys.executable, "-m", "mcp_assay", "demo", "--quiet", "--report", f"html={file}"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return file


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.page()
    opened.sized(*DESK)
    yield opened
    noise = [event for kind in NOISE for event in opened.happened(kind)]
    asked = {one["request"]["url"] for one in opened.happened("Network.requestWillBeSent")}
    opened.close()
    assert noise == []
    assert all(url.startswith("file:") and url.endswith(".html") for url in asked)
    assert len(asked) <= 1


def written(folder: Path, report: Report) -> Path:
    file = folder / "report.html"
    file.write_text(to_html(report), "utf-8")
    return file


def boxes(page: Page) -> dict[str, dict[str, float]]:
    """Where the boxes of the first screen are."""
    found: dict[str, dict[str, float]] = page.see(
        "Object.fromEntries([...document.querySelectorAll('.box')]"
        ".map((box) => [box.id, box.getBoundingClientRect().toJSON()]))"
    )
    return found


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    found: int = page.see("document.documentElement.scrollWidth - window.innerWidth")
    return found


def count(page: Page, selector: str) -> int:
    found: int = page.see(f"document.querySelectorAll({selector!r}).length")
    return found


def text(page: Page, selector: str) -> str:
    found: str = page.see(f"document.querySelector({selector!r}).innerText")
    return found


def test_the_first_screen_holds_all_boxes_and_the_beginning_of_the_tools(
    page: Page, demo: Path
) -> None:
    page.open(demo)
    found = boxes(page)
    assert list(found) == BOXES
    assert all(box["bottom"] <= DESK[1] for box in found.values())
    assert found["why"]["top"] == found["not-shown"]["top"]
    assert found["why"]["width"] == pytest.approx(found["not-shown"]["width"], abs=1)
    assert page.see("document.querySelector('.tools tbody tr').getBoundingClientRect().top") < 800
    assert text(page, "h1").endswith("Not ready")
    assert overflow(page) <= 0
    assert page.picture().startswith(PNG)


def test_on_a_phone_boxes_stack_in_order_and_nothing_is_wider_than_the_screen(
    page: Page, demo: Path
) -> None:
    page.sized(*PHONE, phone=True)
    page.open(demo)
    page.see("document.querySelectorAll('details').forEach((one) => one.unfold())")
    found = boxes(page)
    tops = [found[name]["top"] for name in BOXES]
    assert tops == sorted(set(tops))
    assert len({box["left"] for box in found.values()}) == 1
    assert overflow(page) <= 0
    assert (
        page.see("getComputedStyle(document.querySelector('.tools tbody tr')).display") == "block"
    )
    assert page.picture().startswith(PNG)


def test_a_finding_is_opened_and_closed_by_mouse(page: Page, demo: Path) -> None:
    page.open(demo)
    assert count(page, ".finding .exchange") == 0
    page.click(".finding > summary")
    until(page, ".finding[open] .exchange pre", 2)
    assert count(page, ".finding .key") > 5
    page.click(".finding > summary")
    until(page, ".finding .exchange", 0)


def test_a_finding_is_opened_and_closed_by_key(page: Page, demo: Path) -> None:
    page.open(demo)
    page.see("document.querySelector('#findings select').focus()")
    for _ in range(20):
        page.press("Tab")
        if page.see("document.activeElement.parentElement.className") == "finding":
            break
    else:
        pytest.fail("no finding can be reached by the key Tab")
    assert page.see("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.press("Enter")
    until(page, ".finding[open] .exchange", 1)
    page.press("Enter")
    until(page, ".finding .exchange", 0)


def test_findings_are_filtered_by_text_severity_rule_and_tool(page: Page, demo: Path) -> None:
    page.open(demo)
    everything = count(page, ".finding")
    page.press("/")
    page.type("outputschema")
    until(page, ".finding", 1)
    assert text(page, "#matching") == "1 match"
    page.press("Escape")
    assert count(page, ".finding") == everything
    for number, wanted in enumerate(("error", "DRIFT-001", "list_notes")):
        chosen(page, number, wanted)
        assert 0 < count(page, ".finding") < everything
        chosen(page, number, None)
    page.press("/")
    page.type("nothing has this")
    until(page, ".finding", 0)
    assert "No finding matches" in text(page, "#groups")


def settled(page: Page, condition: str) -> None:
    """Wait until the page has painted what was typed."""
    waited = (
        f"new Promise((done) => {{ const look = () => {condition} ? done(true)"
        " : requestAnimationFrame(look); look(); setTimeout(() => done(false), 5000); })"
    )
    assert page.see(waited)


def until(page: Page, selector: str, number: int) -> None:
    """Wait until there are so many such elements."""
    settled(page, f"document.querySelectorAll({selector!r}).length === {number}")


def chosen(page: Page, number: int, option: str | None) -> None:
    find = f"document.querySelectorAll('#findings select')[{number}]"
    page.see(f"{find}.{'value = ' + repr('') if option is None else f'choose({option!r})'}")
    page.see(f"{find}.dispatchEvent(new Event('change'))")


def test_links_lead_to_the_finding_and_to_the_findings_of_a_tool(page: Page, demo: Path) -> None:
    page.open(demo)
    page.click("#why a")
    settled(page, "document.querySelector('.finding[open]')")
    assert text(page, "#why a") in text(page, ".finding[open] > summary")
    settled(page, "document.activeElement === document.querySelector('.finding[open] > summary')")
    page.click(".tools a[data-tool]")
    name = text(page, ".tools tr:has(a[data-tool]) th")
    assert page.see("document.querySelectorAll('#findings select')[2].chosen()") == name


def test_calls_messages_and_checks_are_there_when_they_are_wanted(page: Page, demo: Path) -> None:
    page.open(demo)
    assert count(page, "#calls tbody tr") == 0
    page.click("#calls summary")
    until(page, "#calls tbody tr", 50)
    page.click("#calls .pager button:last-child")
    assert text(page, "#calls tbody td") == "51"
    page.click("#timeline details > summary")
    until(page, "#timeline tbody tr", 100)
    assert "server/discover" in text(page, "#timeline tbody")
    assert " ms" in text(page, "#timeline p")
    page.click("#checks .group:nth-of-type(3) summary")
    until(page, "#checks .group[open] tbody", 1)
    assert "not" in text(page, "#checks .group[open] tbody")
    assert text(page, "#limits p") == "No limit cut anything."


def test_tools_are_filtered_by_name(page: Page, demo: Path) -> None:
    page.open(demo)
    page.click("#tool-filter")
    page.type("delete")
    shown = "[...document.querySelectorAll('.tools tbody tr')].filter((row) => row.offsetParent)"
    assert page.see(f"{shown}.length") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_unknown_is_grey_in_every_light(page: Page, demo: Path, scheme: str) -> None:
    page.shown(scheme=scheme)
    page.open(demo)
    colours = page.see(
        "[...document.querySelectorAll('.chip')].map((chip) => [chip.innerText,"
        " getComputedStyle(chip).color.match(/[0-9]+/g).map(Number)])"
    )
    for word, (red, green, blue) in colours:
        is_grey = max(red, green, blue) - min(red, green, blue) < 20
        assert is_grey == (word == "not called"), word


def test_dark_and_light_differ(page: Page, demo: Path) -> None:
    page.open(demo)
    grounds = []
    for scheme in ("light", "dark"):
        page.shown(scheme=scheme)
        grounds.append(page.see("getComputedStyle(document.body).backgroundColor"))
    assert len(set(grounds)) == 2


def test_without_its_script_the_first_screen_is_still_there(page: Page, demo: Path) -> None:
    page.without_script()
    page.open(demo)
    assert list(boxes(page)) == BOXES
    assert count(page, ".tools tbody tr") == 6
    assert "switched off" in text(page, "noscript")
    assert page.see("document.querySelector('#tool-filter').offsetParent") is None


def test_on_paper_what_is_folded_can_be_read_and_controls_are_gone(page: Page, demo: Path) -> None:
    page.open(demo)
    page.see("dispatchEvent(new Event('beforeprint'))")
    page.shown(media="print")
    assert count(page, ".finding:not([open]), .group:not([open])") == 0
    assert count(page, "#checks .group tbody tr") > 100
    assert count(page, ".finding[open] pre") > 2 * count(page, ".finding")
    assert page.see(
        "[...document.querySelectorAll('button, input')].every((one) => !one.offsetParent)"
    )
    target = page.see("getComputedStyle(document.querySelector('.statement a'), '::after').content")
    assert "https://modelcontextprotocol.io" in target


def test_hostile_names_stay_text(page: Page, tmp_path: Path) -> None:
    page.open(written(tmp_path, report(HOSTILE)))
    page.see("document.querySelectorAll('details').forEach((one) => one.unfold())")
    page.see("document.querySelectorAll('details').forEach((one) => one.unfold())")
    assert page.happened(DIALOG) == []
    assert count(page, "script") == 2
    assert count(page, "img, iframe, object, embed, form, [onerror], [onload], svg[onload]") == 0
    shown: str = page.see("document.body.innerText")
    assert "<script>alert(1)</script>" in shown
    assert "\\u202e" in shown
    assert not set("\u202e\x1b\u2028") & set(shown)
    assert overflow(page) <= 0
    page.sized(*PHONE, phone=True)
    assert overflow(page) <= 0


def test_the_page_lets_no_script_and_no_markup_in(page: Page, demo: Path) -> None:
    page.open(demo)
    attempts = (
        "document.body.innerHTML = '<b>x</b>'",
        "document.createElement('script').text = 'alert(1)'",
    )
    for attempt in attempts:
        with pytest.raises(BrowserFault, match="TypeError"):
            page.see(attempt)
    page.see("document.body.append(Object.assign(document.createElement('img'), {src: 'x.png'}))")
    blocked = [one["entry"]["text"] for one in page.happened("Log.entryAdded")]
    assert any("Content Security Policy" in words for words in blocked)
    failed = page.happened("Network.loadingFailed")
    assert [one["blockedReason"] for one in failed] == ["csp"]
    page.forget()


def test_a_report_with_ten_thousand_findings_stays_usable(page: Page, tmp_path: Path) -> None:
    file = written(tmp_path, large_report())
    assert file.stat().st_size < MOST_BYTES
    page.open(file)
    assert text(page, "#findings h2") == f"{FINDINGS:,} findings"
    assert text(page, "#calls h2") == f"{CALLS:,} calls"
    page.see("document.querySelectorAll('details').forEach((one) => one.unfold())")
    assert count(page, "*") < MOST_ELEMENTS
    took: dict[str, Any] = page.see(
        "(() => { const since = performance.now(); findings.text.value = 'note tool_7'; "
        "findings.paint(); return {milliseconds: performance.now() - since,"
        " matching: findings.count.textContent}; })()"
    )
    assert took["milliseconds"] < 1_000
    assert took["matching"].endswith("match")
    page.see("location.hash = '#finding-9999'")
    settled(page, "document.querySelector('#finding-9999[open]')")
    assert count(page, "*") < MOST_ELEMENTS
