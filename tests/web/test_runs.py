"""The page of a run: its report, and a page that says so where there is none."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.web.served import Served


def test_a_run_has_its_report_and_leads_back(served: Served) -> None:
    page = served.get("/runs/1").text
    assert 'href="/servers/1"' in page
    assert "mcp-assay-demo" in page
    assert '<script type="application/json" id="data">' in page
    assert page.count("<script") == 1 + page.count('<script src="/static/')
    assert " style=" not in page
    assert "<style" not in page


@pytest.mark.parametrize("run", ["999", "0", "9" * 30])
def test_a_run_that_is_not_there_is_said_so(served: Served, run: str) -> None:
    answer = served.get(f"/runs/{run}")
    assert answer.status == 404
    assert "The history has no run" in answer.text


def test_a_report_that_is_damaged_is_said_so(served: Served, history_url: str) -> None:
    with closing(sqlite3.connect(history_url.removeprefix("sqlite:///"))) as store:
        store.execute("UPDATE assay_report SET body = x'00' WHERE run_id = 1")
        store.commit()
    answer = served.get("/runs/1")
    assert answer.status == 404
    assert "The report of run 1" in answer.text
    assert served.told == []


def test_a_store_that_has_gone_is_said_so(served: Served, history_url: str) -> None:
    with closing(sqlite3.connect(history_url.removeprefix("sqlite:///"))) as store:
        store.execute("DROP TABLE assay_server")
        store.commit()
    answer = served.get("/")
    assert answer.status == 503
    assert "The history" in answer.text
