"""A fault of ours in one page: a sentence for who looks, the same for who serves, and no more."""

from __future__ import annotations

import pytest

from tests.web.served import Served


def test_a_page_that_fails_ends_nothing_else(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("it is <b>bad</b>")

    cookie = served.cookie()
    with monkeypatch.context() as patched:
        patched.setattr("mcp_assay.web.servers.page.listed_servers", fail)
        answer = served.get("/", cookie)
    assert answer.status == 500
    assert "RuntimeError: it is &lt;b&gt;bad&lt;/b&gt;" in answer.text
    assert "Traceback" not in answer.text
    assert len(served.told) == 1
    assert served.told[0].startswith("internal error in a page: RuntimeError")
    assert served.get("/", cookie).status == 200


def test_a_page_that_is_not_there_says_so_in_our_own_words(served: Served) -> None:
    answer = served.get("/nowhere/<script>")
    assert answer.status == 404
    assert "There is no such page." in answer.text
    assert "nowhere" not in answer.text
    assert 'href="/"' in answer.text
