"""The page of all servers: what it shows, and what its addresses mean."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from mcp_assay.history.identity import named
from mcp_assay.history.location import located
from mcp_assay.history.server_list import PAGE, ServerFilter
from mcp_assay.history.store import Store
from mcp_assay.web.servers.addresses import address_of, wanted_servers
from tests.history.runs import remember
from tests.patience import LONGEST
from tests.web.recorded import MARKUP
from tests.web.served import Served

MOST_BYTES = 300_000


def names(page: str) -> list[str]:
    """The names of the servers on a page, in their order."""
    return [unescape(one) for one in re.findall(r'<a href="/servers/\d+">(.*?)</a>', page)]


def filled(url: str, servers: int) -> None:
    store = Store(located(url))
    for number in range(servers):
        remember(store, identity=named(f"one of many {number:03} {MARKUP}"))
    store.close()


def test_the_worst_is_first_and_each_has_its_facts(served: Served) -> None:
    page = served.get("/").text
    first, _, last = names(page)
    assert (first, last) == ("demo", "notes")
    row = page[page.index('href="/servers/2"') :]
    for shown in ("PASS", "1 not called", "2 working", "1.1.1", "14 runs", 'href="/runs/15"'):
        assert shown in row
    assert "last 14 runs: 10 PASS, 4 FAIL" in row


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("/?q=NOTES", ["notes"]),
        ("/?q=no+such", []),
        ("/?verdict=fail", ["demo"]),
        ("/?verdict=nonsense&sort=nonsense&page=nonsense&page=-1&other=1", None),
        ("/?page=999999999999999999999", None),
        ("/?q=%25", None),
    ],
)
def test_an_address_says_which_are_shown(
    served: Served, address: str, found: list[str] | None
) -> None:
    answer = served.get(address)
    assert answer.status == 200
    expected = names(served.get("/").text) if found is None else found
    if "%25" in address:
        expected = [one for one in expected if one not in ("demo", "notes")]
    assert names(answer.text) == expected
    assert ("No server matches" in answer.text) == (expected == [])


def test_what_is_searched_for_is_shown_as_text(served: Served) -> None:
    answer = served.get("/?q=%3Cscript%3Ealert(1)%3C/script%3E%E2%80%AE")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e" in answer.text
    assert "<script>alert" not in answer.text


def test_many_servers_are_paged_and_a_page_is_small(served: Served, history_url: str) -> None:
    filled(history_url, 2 * PAGE)
    cookie = served.cookie()
    pages = [served.get(f"/?sort=name&page={number}", cookie) for number in (1, 2, 3)]
    assert [len(names(one.text)) for one in pages] == [PAGE, PAGE, 3]
    assert len({name for one in pages for name in re.findall(r"/servers/\d+", one.text)}) == 103
    assert max(len(one.text.encode()) for one in pages) < MOST_BYTES
    assert 'rel="next"' in pages[0].text
    assert 'rel="prev"' not in pages[0].text
    assert 'rel="next"' not in pages[2].text


@pytest.mark.parametrize(
    "wanted",
    [
        ServerFilter(),
        ServerFilter(text="a b&c=ü#?/", outcome="fail", order="latest", page=3),
        ServerFilter(order="errors"),
    ],
)
def test_an_address_means_what_it_was_made_of(wanted: ServerFilter) -> None:
    address = address_of(wanted, page=wanted.page)
    assert wanted_servers(dict(parse_qsl(urlsplit(address).query))) == wanted
    assert "page" not in address_of(wanted)


def test_a_server_that_never_answered_has_its_pages_like_any_other(
    served: Served, history_url: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "mcp_assay", "assess", "--no-input", "--quiet", "--history"]
    absent = str(tmp_path / "absent")
    done = subprocess.run(
        [*command, history_url, "--server-id", "silent", "--", absent],
        check=False,
        capture_output=True,
        timeout=LONGEST,
    )
    assert done.returncode == 3
    cookie = served.cookie()
    page = served.get("/", cookie)
    assert "silent" in names(page.text)
    (server,) = re.findall(r'<a href="(/servers/\d+)">silent</a>', page.text)
    (run,) = set(re.findall(r"/runs/\d+", served.get(server, cookie).text))
    assert "could not reach the server" in served.get(run, cookie).text.lower()
    assert served.told == []
