"""The pages about a server over time, as they are sent."""

from __future__ import annotations

import getpass
import http.client
import re
import time
from html import unescape

import pytest
from msgspec.json import decode
from msgspec.structs import replace
from sqlalchemy import delete

from mcp_assay.history.identity import named
from mcp_assay.history.questions import current_approval
from mcp_assay.history.recorder import new_run, record
from mcp_assay.history.tables import RUN
from mcp_assay.model.tool import CallRow
from mcp_assay.report.as_html import page_script
from mcp_assay.web.server.call_words import TROUBLE_WORDS, outcome_of
from tests.history.runs import a_report
from tests.patience import LONGEST
from tests.web.over_time import hostile, many, runs_of, tool_of
from tests.web.recorded import BROKEN, DAYS, DEMO, MARKUP, NOTES
from tests.web.served import Served

LARGEST_PAGE = 300_000
CELL = re.compile(r'<td><a class=(?:\w|"\w c") href=/calls/(\d+)/(\d+)>([\w ,]+)</a>')


def text_of(page: str) -> str:
    """What a page says, without its markup."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def sent(served: Served, path: str) -> tuple[int, bytes]:
    """The status and the body as a browser gets it, packed."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=LONGEST)
    try:
        headers = {"Cookie": served.cookie(), "Accept-Encoding": "gzip, deflate"}
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_tools_stand_against_runs(served: Served) -> None:
    page = served.get(f"/servers/{NOTES}").text
    runs = runs_of(served.store, NOTES)
    cells = CELL.findall(page)
    assert len(cells) == 3 * DAYS
    assert {int(run) for _, run, _ in cells} == set(runs)
    find = tool_of(served.store, NOTES)
    broken = [int(run) for tool, run, word in cells if int(tool) == find and "broken" in word]
    assert broken == [runs[day] for day in BROKEN]


def test_versions_are_marks_at_their_runs(served: Served) -> None:
    page, runs = served.get(f"/servers/{NOTES}").text, runs_of(served.store, NOTES)
    marks = re.findall(r'<a class="mark version" href="/runs/(\d+)">([^<]+)</a>', page)
    assert marks == [
        (str(runs[BROKEN.start]), "1.0.0 → 1.1.0"),
        (str(runs[BROKEN.stop]), "1.1.0 → 1.1.1"),
    ]


def test_every_word_of_a_link_in_the_table_leads_somewhere(served: Served) -> None:
    cookie = served.cookie()
    page = served.get(f"/servers/{NOTES}", cookie).text
    found = set(re.findall(r'href="?(/(?:servers|tools|calls|compare|runs)[^" >#]*)', page))
    assert len(found) > 2 * DAYS
    for path in sorted(found):
        assert served.get(unescape(path), cookie).status == 200, path


def test_the_demo_server_is_shown_with_its_calls(served: Served) -> None:
    page = served.get(f"/servers/{DEMO}").text
    tool, run, _ = CELL.findall(page)[0]
    calls = served.get(f"/calls/{tool}/{run}").text
    assert 'href="/runs/1#call-' in calls
    assert re.search(r"\d+ calls", text_of(calls))


def test_a_hundred_runs_of_fifty_tools_are_one_small_page(served: Served) -> None:
    server = many(served.store, "wide", tools=50, runs=100)
    status, body = sent(served, f"/servers/{server}?runs=100")
    assert status == 200
    assert len(body) < LARGEST_PAGE / 4
    page = served.get(f"/servers/{server}?runs=100").text
    assert len(CELL.findall(page)) >= 49 * 100
    assert len(served.get(f"/servers/{server}").text) < LARGEST_PAGE


def test_five_hundred_tools_are_shown_fifty_at_a_time(served: Served) -> None:
    server = many(served.store, "large", tools=499, runs=40)
    cookie, seen = served.cookie(), set[str]()
    for page_number in range(1, 11):
        page = served.get(f"/servers/{server}?tools={page_number}", cookie).text
        tools = {tool for tool, _, _ in CELL.findall(page)}
        assert len(page) < LARGEST_PAGE
        assert len(tools) <= 50
        assert not tools & seen
        seen |= tools
    assert len(seen) == 500
    assert "500 tools" in text_of(page)


def test_ten_thousand_runs_are_shown_some_at_a_time(served: Served) -> None:
    server = many(served.store, "old", tools=5, runs=10_000)
    runs, cookie = runs_of(served.store, server), served.cookie()
    began = time.monotonic()
    page = served.get(f"/servers/{server}", cookie).text
    assert time.monotonic() - began < LONGEST / 10
    assert f"href=/runs/{runs[-1]}>" in page
    assert f"href=/runs/{runs[-41]}>" not in page
    older = unescape(re.findall(r'href="([^"]*until=\d+)">← older', page)[0])
    assert older == f"/servers/{server}?until={runs[-41]}"
    page = served.get(older, cookie).text
    assert f"href=/runs/{runs[-41]}>" in page
    assert f'href="/servers/{server}?until={runs[-1]}">newer' in page
    first = served.get(f"/servers/{server}?until={runs[0]}&runs=100", cookie).text
    assert "← older</a>" not in first
    assert len(page) < LARGEST_PAGE


def test_a_server_that_was_only_linted_has_no_plots_of_calls(served: Served) -> None:
    its = replace(a_report(), tools=[], seed=None)
    stored = record(served.store, new_run(named("linted"), its))
    page = served.get(f"/servers/{stored.server_id}").text
    assert [word for _, _, word in CELL.findall(page)] == ["not called"]
    assert "confidence" not in page
    assert "response time" not in page
    calls = served.get(f"/calls/{tool_of(served.store, stored.server_id)}/{stored.run_id}")
    assert "This run called no tool: it checked definitions only." in text_of(calls.text)


def test_a_server_without_runs_is_a_page(served: Served) -> None:
    stored = record(served.store, new_run(named("empty"), a_report()))
    with served.store.writing() as connection:
        connection.execute(delete(RUN).where(RUN.c.server_id == stored.server_id))
    page = text_of(served.get(f"/servers/{stored.server_id}").text)
    assert "No run is kept" in page
    assert "Nothing of this server is approved." in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"/servers/{2**60}", "The history has no server"),
        (f"/servers/{NOTES}?runs=7", "Runs must be one of 20, 40, 100."),
        (f"/servers/{NOTES}?until=abc", "The address must have a number as until=…."),
        (f"/servers/{NOTES}?until=%D9%A3", "The address must have a number as until=…."),
        (f"/servers/{NOTES}?until={'9' * 400}", "The address must have a number as until=…."),
        (f"/servers/{NOTES}?until=1", "The history has no run 1 of this server."),
        (f"/servers/{NOTES}?tools=0", "The address must have a number as tools=…."),
        (f"/servers/{NOTES}?findings=9999999", "The address must have a number as findings=…."),
        (f"/tools/{2**60}", "The history has no tool"),
        (f"/calls/{2**60}/1", "The history has no tool"),
        ("/calls/1/2", "The history has no run 2 of the server with tool 1."),
        ("/compare", "The address must have a number as old=…."),
        ("/compare?old=1", "The address must have a number as new=…."),
        (f"/compare?old=1&new={2**60}", "The history has no run"),
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(served: Served, path: str, words: str) -> None:
    answer = served.get(path)
    assert answer.status == 404
    assert words in text_of(answer.text)
    assert served.told == []


def test_pages_behind_the_last_say_that_they_are(served: Served) -> None:
    page = text_of(served.get(f"/servers/{NOTES}?findings=9&tools=9").text)
    assert "There are no more on this page." in page


def test_a_tool_tells_when_it_changed_and_what_else_did(served: Served) -> None:
    find, runs = tool_of(served.store, NOTES), runs_of(served.store, NOTES)
    page = served.get(f"/tools/{find}").text
    changes = re.findall(r'<section id="changes">.*?</section>', page, re.DOTALL)[0]
    found = re.findall(r"<tr>(.*?)</tr>", changes, re.DOTALL)[1:]
    assert [text_of(row).split()[0] for row in found] == [
        *(str(runs[BROKEN.stop]), str(runs[BROKEN.start]))
    ]
    assert "working" in text_of(found[1])
    assert "version 1.0.0 → 1.1.0" in text_of(found[1])
    assert f"old={runs[BROKEN.start - 1]}&amp;new={runs[BROKEN.start]}" in found[1]


def test_two_runs_stand_side_by_side(served: Served) -> None:
    stored = hostile(served.store)
    old, new = runs_of(served.store, stored.server_id)
    page = served.get(f"/compare?old={old}&new={new}").text
    assert '<mark class="hidden-sign" title="a hidden character">\\u202e</mark>' in page
    assert f'<input type="hidden" name="run" value="{new}">' in page


def test_runs_of_different_servers_can_be_compared(served: Served) -> None:
    assert served.get(f"/compare?old=1&new={runs_of(served.store, NOTES)[0]}").status == 200


PAGES = (
    "/servers/{server}",
    "/tools/{tool}",
    "/calls/{tool}/{new}",
    "/compare?old={old}&new={new}",
)


@pytest.mark.parametrize("path", PAGES)
def test_nothing_that_a_server_says_is_markup(served: Served, path: str) -> None:
    stored = hostile(served.store)
    old, new = runs_of(served.store, stored.server_id)
    tool = tool_of(served.store, stored.server_id)
    answer = served.get(path.format(server=stored.server_id, tool=tool, old=old, new=new))
    assert answer.status == 200
    for piece in ("<script>alert", "<img", "<svg onload", "</style>", "\u202e", "\u2028", "\x1b"):
        assert piece not in answer.text, piece
    assert "&lt;script&gt;alert(1)" in answer.text
    own = re.findall(r"<script[^>]*>", answer.text)
    assert all(re.fullmatch(r'<script src="/static/\w+\.js">', one) for one in own)
    assert MARKUP not in unescape(re.sub(r">[^<]*<", "><", answer.text))


def approved(served: Served, server: int = NOTES) -> tuple[int, str, str] | None:
    with served.store.reading() as connection:
        its = current_approval(connection, server)
    return None if its is None else (its.run, its.who, its.why)


def test_what_a_run_lists_is_approved_and_revoked(served: Served) -> None:
    run = runs_of(served.store, NOTES)[-1]
    answer = served.post(f"/servers/{NOTES}/approve", f"run={run}&why=read+it")
    assert (answer.status, decode(answer.text)) == (200, {"location": f"/servers/{NOTES}#approval"})
    assert approved(served) == (run, getpass.getuser(), "read it")
    page = text_of(served.get(f"/servers/{NOTES}").text)
    assert "The server still lists the same." in page
    assert served.post(f"/servers/{NOTES}/revoke", "why=it+changed").status == 200
    assert approved(served) is None
    assert f"revoked by {getpass.getuser()}" in text_of(served.get(f"/servers/{NOTES}").text)


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/servers/2/approve", "run=3", 400, "Say why: the reason is kept in the history."),
        ("/servers/2/approve", "run=3&why=+", 400, "Say why: the reason is kept in the history."),
        ("/servers/2/approve", "why=x", 400, "The form must name a run by its number."),
        ("/servers/2/approve", "run=-1&why=x", 400, "The form must name a run by its number."),
        ("/servers/2/approve", f"run={'9' * 400}&why=x", 400, "The form must name a run"),
        ("/servers/2/approve", "run=1&why=x", 404, "Run 1 is not one of this server."),
        ("/servers/77/approve", "run=1&why=x", 404, "The history has no server 77."),
        ("/servers/2/revoke", "why=x", 404, "Nothing of it is approved."),
        ("/servers/2/revoke", "", 400, "Say why: the reason is kept in the history."),
    ],
)
def test_a_wrong_form_changes_nothing(
    served: Served, path: str, body: str, status: int, words: str
) -> None:
    answer = served.post(path, body)
    assert answer.status == status
    assert words in text_of(answer.text)
    assert approved(served) is None


@pytest.mark.parametrize("deed", ["approve", "revoke"])
def test_a_get_changes_nothing(served: Served, deed: str) -> None:
    run = runs_of(served.store, NOTES)[-1]
    served.post(f"/servers/{NOTES}/approve", f"run={run}&why=read")
    before = approved(served)
    assert served.get(f"/servers/{NOTES}/{deed}?run={run}&why=x").status == 405
    headers = {"Cookie": served.cookie(), "Origin": "http://evil.example"}
    answer = served.send("POST", f"/servers/{NOTES}/{deed}", headers, f"run={run}&why=x")
    assert answer.status == 403
    assert approved(served) == before


def a_call(**more: object) -> CallRow:
    its = {"number": 1, "tool": "t", "scenario": "s", "arguments": {}, "outcome": "passed"}
    return CallRow(**{**its, "valid": True, **more})  # type: ignore[arg-type]  # a row of words


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (a_call(), "passed"),
        (a_call(valid=False), "rejected"),
        (a_call(valid=None), "passed"),
        (a_call(outcome="unproven"), "rejected"),
        (a_call(outcome="undecided"), "not decided"),
        (a_call(outcome="failed", trouble="died"), "crashed"),
        (a_call(outcome="failed", trouble="a_new_one"), "a new one"),
        (a_call(sign="unflagged_error"), "error without isError"),
        (a_call(sign="unflagged_error", trouble="timed_out", outcome="failed"), "timed out"),
    ],
)
def test_a_call_is_called_as_in_the_report(call: CallRow, word: str) -> None:
    assert outcome_of(call) == word


def test_troubles_have_the_words_of_the_report() -> None:
    table = re.findall(r"const TROUBLE_WORDS = \{(.*?)\};", page_script(), re.DOTALL)[0]
    assert dict(re.findall(r'(\w+): "([^"]+)"', table)) == TROUBLE_WORDS
