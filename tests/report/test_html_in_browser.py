"""The HTML report in a real browser: quiet, closed to all sides, and usable by hand and by key."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from msgspec.structs import replace

from mcp_assay.model.effect import Effects, FileChange, SandboxRow
from mcp_assay.model.report import Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.as_html import to_html
from tests.patience import LONGEST
from tests.report.large import CALLS, FINDINGS, large_report
from tests.report.reports import report
from tools.browser import launch, missing, new_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page, Request

font = pytest.importorskip("tests.report.font", reason="fonttools is not installed")

DESK, PHONE = (1280, 800), (390, 844)
BOXES = ["why", "not-shown", "identity", "claims"]
HOSTILE = (
    '</script><script>alert(1)</script><img src=x onerror="alert(2)"><!-- ]]> {{data}} '
    "<svg onload=alert(3)> javascript:alert(4) \u2028\u202e\x1b[31m ' \" & &lt;b&gt; \ud800"
)
UNFOLD_ALL = "document.querySelectorAll('details').forEach((one) => one.unfold())"
MOST_ELEMENTS = 6_000
MOST_BYTES = 15_000_000
MOST_MILLISECONDS = 1_000
PNG = b"\x89PNG"


class Opener(Protocol):
    """Opens a file in a page of its own."""

    def __call__(self, file: Path, size: tuple[int, int] = DESK, **options: Any) -> Page: ...


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    lacking = missing()
    if lacking is not None:
        pytest.skip(f"needs a browser: {lacking}")
    with launch(font.only_font(tmp_path_factory.mktemp("font"))) as launched:
        yield launched


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("html") / "demo.html"
    command = [sys.executable, "-m", "mcp_assay", "demo", "--quiet", "--report", f"html={file}"]
    subprocess.run(command, check=True, capture_output=True, timeout=LONGEST)
    return file


@pytest.fixture
def noise() -> Iterator[list[str]]:
    """Complaints of pages and requests beside their own file: at the end there are none."""
    received: list[str] = []
    yield received
    assert received == []


@pytest.fixture
def opened(browser: Browser, noise: list[str]) -> Iterator[Opener]:
    with ExitStack() as pages:

        def open_file(file: Path, size: tuple[int, int] = DESK, **options: Any) -> Page:
            page = pages.enter_context(new_page(browser, *size, **options))
            listen(page, file.as_uri(), noise)
            page.goto(file.as_uri())
            return page

        yield open_file


def listen(page: Page, own: str, noise: list[str]) -> None:
    def refuse(dialog: Dialog) -> None:
        noise.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note(request: Request) -> None:
        if request.url != own:
            noise.append(f"request: {request.url}")

    page.on("console", lambda message: noise.append(f"console: {message.text}"))
    page.on("pageerror", lambda fault: noise.append(f"fault: {fault}"))
    page.on("dialog", refuse)
    page.on("request", note)


def written(folder: Path, report: Report) -> Path:
    file = folder / "report.html"
    file.write_text(to_html(report), "utf-8")
    return file


def boxes(page: Page) -> dict[str, dict[str, float]]:
    """Where the boxes of the first screen are."""
    found: dict[str, dict[str, float]] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.box')]"
        ".map((box) => [box.id, box.getBoundingClientRect().toJSON()]))"
    )
    return found


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found


def count(page: Page, selector: str) -> int:
    return page.locator(selector).count()


def text(page: Page, selector: str) -> str:
    return page.locator(selector).first.inner_text()


def click(page: Page, selector: str) -> None:
    page.locator(selector).first.click()


def until(page: Page, selector: str, number: int) -> None:
    """Wait until there are so many such elements."""
    condition = "([selector, number]) => document.querySelectorAll(selector).length === number"
    page.wait_for_function(condition, arg=[selector, number])


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux fontconfig names the fonts")
def test_no_font_of_this_machine_is_used(opened: Opener, demo: Path) -> None:
    page = opened(demo)
    for family in ("--text", "--mono"):
        assert (
            len({width(page, letters, family) for letters in ("iiiii", "WWWWW", "\u25b8.@m ")}) == 1
        )


def width(page: Page, letters: str, family: str) -> float:
    """How wide letters are in a family that the page names."""
    found: float = page.evaluate(
        "([letters, family]) => { const canvas = document.createElement('canvas').getContext('2d');"
        " const named = getComputedStyle(document.body).getPropertyValue(family);"
        " canvas.font = `20px ${named}`; return canvas.measureText(letters).width; }",
        [letters, family],
    )
    return found


def test_the_first_screen_holds_all_boxes_and_the_beginning_of_the_tools(
    opened: Opener, demo: Path
) -> None:
    page = opened(demo)
    found = boxes(page)
    assert list(found) == BOXES
    assert all(box["bottom"] <= DESK[1] for box in found.values())
    assert found["why"]["top"] == found["not-shown"]["top"]
    assert found["why"]["width"] == pytest.approx(found["not-shown"]["width"], abs=1)
    first = page.locator(".tools tbody tr").first.bounding_box()
    assert first is not None
    assert first["y"] < DESK[1]
    assert text(page, "h1").endswith("Not ready")
    assert overflow(page) <= 0
    assert page.screenshot().startswith(PNG)


def test_on_a_phone_boxes_stack_in_order_and_nothing_is_wider_than_the_screen(
    opened: Opener, demo: Path
) -> None:
    page = opened(demo, PHONE, is_mobile=True)
    page.evaluate(UNFOLD_ALL)
    found = boxes(page)
    tops = [found[name]["top"] for name in BOXES]
    assert tops == sorted(set(tops))
    assert len({box["left"] for box in found.values()}) == 1
    assert overflow(page) <= 0
    display = "getComputedStyle(document.querySelector('.tools tbody tr')).display"
    assert page.evaluate(display) == "block"
    assert page.screenshot().startswith(PNG)


def test_a_finding_is_opened_and_closed_by_mouse(opened: Opener, demo: Path) -> None:
    page = opened(demo)
    assert count(page, ".finding .exchange") == 0
    click(page, ".finding > summary")
    until(page, ".finding[open] .exchange pre", 2)
    assert count(page, ".finding .key") > 5
    click(page, ".finding > summary")
    until(page, ".finding .exchange", 0)


def test_a_row_of_effects_is_opened_to_its_differences(opened: Opener, tmp_path: Path) -> None:
    diff = "@@ -1 +1 @@\n-old\n+new\n"
    change = FileChange(path="/w/notes.txt", what="changed", diff=diff)
    effects = Effects(files=[change])
    tools = [ToolRow(name="write", status="fully_working", effects=effects)]
    world = SandboxRow(backend="namespaces", network="none", work="copied", at_start=effects)
    file = tmp_path / "effects.html"
    file.write_text(to_html(replace(report("words", []), tools=tools, sandbox=world)), "utf-8")
    page = opened(file, PHONE, is_mobile=True)
    added = page.locator("#effects .diff .added").first
    assert not added.is_visible()
    page.locator("#effects summary").last.click()
    until(page, "#effects details[open] .removed", 1)
    assert page.locator("#effects details[open] .added").inner_text() == "+new"
    assert overflow(page) <= 0


def test_a_finding_is_opened_and_closed_by_key(opened: Opener, demo: Path) -> None:
    page = opened(demo)
    page.locator("#findings select").first.focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.parentElement.className") == "finding":
            break
    else:
        pytest.fail("no finding can be reached by the key Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    until(page, ".finding[open] .exchange", 1)
    page.keyboard.press("Enter")
    until(page, ".finding .exchange", 0)


def test_findings_are_filtered_by_text_severity_rule_and_tool(opened: Opener, demo: Path) -> None:
    page = opened(demo)
    everything = count(page, ".finding")
    page.keyboard.press("/")
    page.keyboard.type("outputschema")
    until(page, ".finding", 1)
    assert text(page, "#matching") == "1 match"
    page.keyboard.press("Escape")
    assert count(page, ".finding") == everything
    for number, wanted in enumerate(("error", "DRIFT-001", "list_notes")):
        choice = page.locator("#findings select").nth(number)
        choice.select_option(label=wanted)
        assert 0 < count(page, ".finding") < everything
        choice.select_option("")
        assert count(page, ".finding") == everything
    page.keyboard.press("/")
    page.keyboard.type("nothing has this")
    until(page, ".finding", 0)
    assert "No finding matches" in text(page, "#groups")


def test_links_lead_to_the_finding_and_to_the_findings_of_a_tool(
    opened: Opener, demo: Path
) -> None:
    page = opened(demo)
    follows_the_first_reason(page)
    click(page, ".tools a[data-tool]")
    name = text(page, ".tools tr:has(a[data-tool]) th")
    assert page.evaluate("document.querySelectorAll('#findings select')[2].chosen()") == name


def follows_the_first_reason(page: Page) -> None:
    """The finding that a reason names is opened, and the keys lead on from there."""
    click(page, "#why a")
    summary = page.locator(".finding[open] > summary")
    assert text(page, "#why a") in summary.inner_text()
    page.wait_for_function(
        "summary => document.activeElement === summary", arg=summary.element_handle()
    )


def test_a_link_that_wraps_over_lines_leads_to_its_finding(opened: Opener, demo: Path) -> None:
    page = opened(demo, PHONE)
    assert page.evaluate("document.querySelector('#why a').getClientRects().length") > 1
    follows_the_first_reason(page)


def test_an_address_that_names_a_finding_opens_it(opened: Opener, demo: Path) -> None:
    page = opened(demo)
    named = page.locator(".finding").last.get_attribute("id")
    page.goto(f"{demo.as_uri()}#{named}")
    page.locator(f"#{named}[open]").wait_for()
    page.reload()
    page.locator(f"#{named}[open]").wait_for()


def test_calls_messages_and_checks_are_there_when_they_are_wanted(
    opened: Opener, demo: Path
) -> None:
    page = opened(demo)
    assert count(page, "#calls tbody tr") == 0
    click(page, "#calls summary")
    until(page, "#calls tbody tr", 50)
    first = text(page, "#calls tbody td")
    click(page, "#calls .pager button:last-child")
    assert text(page, "#calls tbody td") != first
    click(page, "#timeline details > summary")
    until(page, "#timeline tbody tr", 100)
    assert "server/discover" in text(page, "#timeline tbody")
    assert " ms" in text(page, "#timeline p")
    click(page, "#checks .group:nth-of-type(3) summary")
    until(page, "#checks .group[open] tbody", 1)
    assert "not" in text(page, "#checks .group[open] tbody")
    assert text(page, "#limits p") == "No limit cut anything."


def test_tools_are_filtered_by_name(opened: Opener, demo: Path) -> None:
    page = opened(demo)
    click(page, "#tool-filter")
    page.keyboard.type("delete")
    assert count(page, ".tools tbody tr:visible") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_unknown_is_grey_in_every_light(opened: Opener, demo: Path, scheme: str) -> None:
    page = opened(demo, color_scheme=scheme)
    colours = page.evaluate(
        "[...document.querySelectorAll('.chip')].map((chip) => [chip.innerText,"
        " getComputedStyle(chip).color.match(/[0-9]+/g).map(Number)])"
    )
    for word, (red, green, blue) in colours:
        is_grey = max(red, green, blue) - min(red, green, blue) < 20
        assert is_grey == (word == "not called"), word


def test_dark_and_light_differ(opened: Opener, demo: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    schemes = ("light", "dark")
    assert len({opened(demo, color_scheme=one).evaluate(ground) for one in schemes}) == 2


def test_without_its_script_the_first_screen_is_still_there(opened: Opener, demo: Path) -> None:
    page = opened(demo, java_script_enabled=False)
    assert list(boxes(page)) == BOXES
    assert count(page, ".tools tbody tr") == 6
    assert "switched off" in text(page, "noscript")
    assert page.evaluate("document.querySelector('#tool-filter').offsetParent") is None


def test_on_paper_what_is_folded_can_be_read_and_controls_are_gone(
    opened: Opener, demo: Path
) -> None:
    page = opened(demo)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert count(page, ".finding:not([open]), .group:not([open])") == 0
    assert count(page, "#checks .group tbody tr") > 100
    assert count(page, ".finding[open] pre") > 2 * count(page, ".finding")
    assert page.evaluate(
        "[...document.querySelectorAll('button, input')].every((one) => !one.offsetParent)"
    )
    after = "getComputedStyle(document.querySelector('.statement a'), '::after').content"
    assert "https://modelcontextprotocol.io" in page.evaluate(after)


def test_hostile_names_stay_text(opened: Opener, tmp_path: Path) -> None:
    file = written(tmp_path, report(HOSTILE))
    page = opened(file)
    unfold_twice(page)
    assert count(page, "script") == 2
    assert count(page, "img, iframe, object, embed, form, [onerror], [onload], svg[onload]") == 0
    shown = text(page, "body")
    assert "<script>alert(1)</script>" in shown
    assert "\\u202e" in shown
    assert not set("\u202e\x1b\u2028") & set(shown)
    assert overflow(page) <= 0
    on_phone = opened(file, PHONE, is_mobile=True)
    unfold_twice(on_phone)
    assert overflow(on_phone) <= 0


def unfold_twice(page: Page) -> None:
    """Unfold everything, also what is in the document only since the first time."""
    page.evaluate(UNFOLD_ALL)
    page.evaluate(UNFOLD_ALL)


def test_the_page_lets_no_script_and_no_markup_in(
    opened: Opener, demo: Path, noise: list[str]
) -> None:
    page = opened(demo)
    attempts = (
        "document.body.innerHTML = '<b>x</b>'",
        "document.createElement('script').text = 'alert(1)'",
    )
    for attempt in attempts:
        caught = f"(() => {{ try {{ {attempt} }} catch (fault) {{ return fault.name }} }})()"
        assert page.evaluate(caught) == "TypeError"
    with page.expect_event("requestfailed") as failed:
        page.evaluate(
            "document.body.append(Object.assign(document.createElement('img'), {src: 'x.png'}))"
        )
    assert failed.value.failure == "csp"
    assert [one for one in noise if one.startswith("request: ")] == [f"request: {failed.value.url}"]
    assert any("Content Security Policy" in words for words in noise)
    noise.clear()


def test_a_report_with_ten_thousand_findings_stays_usable(opened: Opener, tmp_path: Path) -> None:
    file = written(tmp_path, large_report())
    assert file.stat().st_size < MOST_BYTES
    page = opened(file)
    assert text(page, "#findings h2") == f"{FINDINGS:,} findings"
    assert text(page, "#calls h2") == f"{CALLS:,} calls"
    page.evaluate(UNFOLD_ALL)
    assert count(page, "*") < MOST_ELEMENTS
    assert min(filtered(page) for _ in range(10)) < MOST_MILLISECONDS
    assert text(page, "#matching").endswith("match")
    page.evaluate("location.hash = '#finding-9999'")
    page.locator("#finding-9999[open]").wait_for()
    assert count(page, "*") < MOST_ELEMENTS


def filtered(page: Page) -> float:
    """Milliseconds that a filter over all findings takes."""
    took: float = page.evaluate(
        "(() => { const since = performance.now(); findings.text.value = 'note tool_7';"
        " findings.paint(); return performance.now() - since; })()"
    )
    return took
