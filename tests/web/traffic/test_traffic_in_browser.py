"""Traffic in a real browser: as it passes, filtered, paused, exported, flooded, by key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcp_assay.web.traffic import trace_file
from tests.web.conftest import PHONE
from tests.web.recorded import MARKUP
from tests.web.served import Served
from tests.web.traffic.conftest import FAULTY, LARGE, MANY, NULL_ID
from tests.web.traffic.proxies import DEMO_SERVER, FLOOD, Talk, talking
from tests.web.traffic.traces import call

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., "Page"]
NUMBERS = (
    "[...document.querySelectorAll('#rows tr[data-number]')].map((row) => +row.dataset.number)"
)


@pytest.fixture
def demo(served: Served) -> Iterator[Talk]:
    with talking(DEMO_SERVER) as talk:
        talk.shake_hands()
        yield talk


def numbers(page: Page) -> list[int]:
    """The numbers of the rows that are shown."""
    found: list[int] = page.evaluate(NUMBERS)
    return found


def until_numbers(page: Page, expected: list[int]) -> None:
    """Wait until these rows are shown, and no others."""
    page.wait_for_function(f"(list) => JSON.stringify({NUMBERS}) === list", arg=_json(expected))


def _json(value: list[int]) -> str:
    return json.dumps(value, separators=(",", ":"))


def open_live(page: Page) -> None:
    """Go to the proxy, as soon as it appears in the list by itself."""
    page.locator('a[href^="/traffic/live/"]').first.click()
    page.wait_for_function("() => document.getElementById('status').textContent === 'Following.'")


def until_status(page: Page, words: str) -> None:
    page.wait_for_function(
        "(words) => document.getElementById('status').textContent.includes(words)", arg=words
    )


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found


def test_messages_appear_as_they_pass_with_findings_beside_them(visit: Visit, demo: Talk) -> None:
    page = visit("/traffic")
    open_live(page)
    until_numbers(page, [1, 2, 3])
    demo.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    until_numbers(page, [1, 2, 3, 4, 5])
    demo.ask(NULL_ID.encode())
    until_numbers(page, [1, 2, 3, 4, 5, 6, 7])
    beside = page.locator("#message-6 .beside")
    assert "error JSONRPC-005" in beside.inner_text()
    rule = beside.get_by_role("link", name="JSONRPC-005")
    assert (rule.get_attribute("href") or "").startswith("https://modelcontextprotocol.io/")
    assert page.locator("#message-5 .about").inner_text().startswith("tools/list result")
    assert page.locator("#errors").inner_text() == "1"
    page.reload()
    assert page.locator("#message-6 .beside").inner_text() == beside.inner_text()
    demo.hang_up()
    until_status(page, "The traffic is over.")
    assert "ended: server exit 0" in page.locator("#state").inner_text()


def test_the_list_keeps_itself_up_to_date(visit: Visit) -> None:
    page = visit("/traffic")
    assert "No proxy shows its traffic now." in page.locator("main").inner_text()
    with talking(["cat"]) as talk:
        row = page.locator("[data-proxy]")
        row.wait_for()
        talk.ask(NULL_ID.encode())
        page.locator('[data-field="messages"]', has_text="2").wait_for()
        page.locator('[data-field="errors"]', has_text="\u2715 2").wait_for()
    page.get_by_text("ended: server exit 0").wait_for()
    page.locator(f"#file-{FAULTY}", has_text="errors").wait_for()


def test_a_filter_holds_for_what_comes_too(visit: Visit, demo: Talk) -> None:
    page = visit("/traffic")
    open_live(page)
    page.get_by_label("Tool").fill("ADD")
    page.get_by_label("Direction").select_option("to the server")
    page.get_by_role("button", name="Filter").press("Enter")
    until_status(page, "Following.")
    for id, tool in enumerate(("add_note", "list_notes", "add_note"), 1):
        demo.ask(call(id, tool))
    until_numbers(page, [4, 8])
    assert page.get_by_label("Tool").input_value() == "ADD"
    page.get_by_role("link", name="Show all").click()
    until_numbers(page, list(range(1, 10)))
    page.get_by_label("Findings").select_option("with errors")
    page.get_by_role("button", name="Filter").click()
    until_status(page, "Following.")
    demo.ask(NULL_ID.encode())
    until_numbers(page, [10])


def test_a_pause_holds_the_page_still_and_loses_nothing(visit: Visit, demo: Talk) -> None:
    page = visit("/traffic")
    open_live(page)
    until_numbers(page, [1, 2, 3])
    pause = page.get_by_role("button", name="Pause")
    pause.focus()
    page.keyboard.press("Enter")
    demo.ask({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    until_status(page, "Paused; 2 more have passed.")
    assert numbers(page) == [1, 2, 3]
    page.keyboard.press("Enter")
    until_numbers(page, [1, 2, 3, 4, 5])


def test_an_export_is_a_trace(visit: Visit, demo: Talk, tmp_path: Path) -> None:
    page = visit("/traffic")
    open_live(page)
    until_numbers(page, [1, 2, 3])
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as a trace").click()
    assert download.value.suggested_filename == "trace.jsonl"
    download.value.save_as(tmp_path / "trace.jsonl")
    lines = (tmp_path / "trace.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(one)["dir"] for one in lines] == ["c2s", "s2c", "c2s"]
    assert all(json.loads(one).keys() >= {"t", "session", "raw"} for one in lines)
    assert demo.process.poll() is None


def test_two_browsers_see_the_same_and_one_that_was_cut_off_goes_on(
    visit: Visit, demo: Talk, noise: list[str]
) -> None:
    one, other = visit("/traffic"), visit("/traffic")
    open_live(one)
    open_live(other)
    one.context.set_offline(True)
    demo.ask({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    until_numbers(other, [1, 2, 3, 4, 5])
    one.context.set_offline(False)
    until_numbers(one, [1, 2, 3, 4, 5])
    noise[:] = [words for words in noise if "ERR_INTERNET_DISCONNECTED" not in words]


def test_a_flood_keeps_the_page_small_and_says_what_is_not_in_it(visit: Visit) -> None:
    with talking([*FLOOD, "12000"]) as talk:
        page = visit("/traffic")
        open_live(page)
        talk.ask(b"{}")
        talk.pass_over_answers()
        page.wait_for_function(
            "() => ['messages', 'missed-count'].reduce((sum, id) => sum"
            " + +document.getElementById(id).textContent.replace(/,/g, ''), 0) >= 12001"
        )
        page.wait_for_function(f"() => {NUMBERS}.includes(12001)")
        assert len(numbers(page)) <= 500
        assert "messages more passed here" in page.locator("#rows").inner_text()
        assert page.get_by_role("button", name="Pause").is_enabled()


def test_hostile_texts_stay_texts(visit: Visit) -> None:
    with talking(["cat"]) as talk:
        page = visit("/traffic")
        open_live(page)
        hostile = {"jsonrpc": "2.0", "id": 1, "method": MARKUP, "params": {MARKUP: MARKUP}}
        talk.ask(json.dumps(hostile).encode())
        talk.ask(json.dumps(call(2, MARKUP)).encode())
        talk.ask(MARKUP.encode())
        until_numbers(page, [1, 2, 3, 4, 5, 6])
        assert page.locator("#message-1 .about strong").inner_text().startswith("</script>")
        assert page.locator("#rows script, #rows img, #rows svg, #rows b").count() == 0
        page.locator("#message-3 th a").click()
        assert "\\u202e" in page.locator("pre").first.inner_text()
        assert page.locator("main script, main img, main svg").count() == 0
    page.goto(page.url.replace("/live/1/messages/3", f"/files/{FAULTY}"))
    assert page.locator("#rows script, #rows img, #rows svg").count() == 0
    assert "faulty <b>.jsonl" in page.locator("h1").inner_text()


def test_a_large_file_is_searched_to_its_end_by_itself(
    visit: Visit, large_trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit(f"/traffic/files/{LARGE}")
    assert page.locator("h1").inner_text() == large_trace.name
    assert numbers(page) == list(range(1, 101))
    page.get_by_role("link", name="Later messages").click()
    assert numbers(page)[0] == 101
    page.goto(page.url.partition("?")[0])
    monkeypatch.setattr(trace_file, "MOST_SCANNED", 1 << 20)
    page.get_by_label("Tool").fill("odd_one")
    page.get_by_label("Tool").press("Enter")
    until_numbers(page, [2 * MANY + 1, 2 * MANY + 2])
    until_status(page, "That is all.")
    page.get_by_label("Tool").fill("")
    page.get_by_label("From line").fill("15000")
    page.get_by_role("button", name="Filter").click()
    assert numbers(page)[0] == 15_000


def test_findings_of_a_file_appear_when_they_are_known(visit: Visit) -> None:
    page = visit(f"/traffic/files/{FAULTY}")
    page.wait_for_function(
        "() => document.getElementById('judged').textContent.includes(' errors')"
    )
    page.wait_for_function(
        "() => document.querySelector('#message-1 .beside').innerText.includes('JSONRPC-005')"
    )


def test_a_link_leads_to_one_message_and_back_among_the_others(
    visit: Visit, large_trace: Path
) -> None:
    page = visit(f"/traffic/files/{LARGE}?at=5001#message-5050")
    row = page.locator("#message-5050")
    assert row.evaluate("(row) => row.matches(':target')")
    row.locator("th a").click()
    assert page.locator("h1").inner_text() == "Message 5050"
    assert large_trace.name in page.locator(".path").inner_text()
    page.get_by_role("link", name="Among the others").click()
    assert numbers(page)[0] == 5050
    page.locator("#message-5050 .of a").click()
    assert page.locator("input[name=session]").input_value() == "5050"
    assert len(numbers(page)) == 100


def test_all_is_reached_by_key(visit: Visit, demo: Talk) -> None:
    page = visit("/traffic")
    open_live(page)
    until_numbers(page, [1, 2, 3])
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.name || document.activeElement.id"
                                  " || document.activeElement.textContent.trim()"))  # fmt: skip
    assert reached >= {"method", "tool", "text", "direction", "found", "pause", "export", "1"}
    assert demo.process.poll() is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_down_only(visit: Visit, demo: Talk, scheme: str) -> None:
    page = visit("/traffic", PHONE, color_scheme=scheme)
    assert overflow(page) <= 0
    open_live(page)
    demo.ask(NULL_ID.encode())
    until_numbers(page, [1, 2, 3, 4, 5])
    assert overflow(page) <= 0
    for path in (f"/files/{FAULTY}", f"/files/{FAULTY}/messages/4"):
        page.goto(f"{page.url.partition('/traffic')[0]}/traffic{path}")
        assert overflow(page) <= 0
