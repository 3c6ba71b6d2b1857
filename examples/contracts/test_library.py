"""Tests of our own beside the generated ones."""

from __future__ import annotations

import asyncio

from mcp_assay.pytest_plugin import Assay, AsyncAssay, Result, accepts, refuses


def test_finds_books_by_their_titles(mcp_assay: Assay) -> None:
    books = mcp_assay.call("find", query="tide").ok().data["books"]
    assert [book["isbn"] for book in books] == ["978-1", "978-2"]


def test_an_unknown_book_is_refused_by_its_number(mcp_assay: Assay) -> None:
    mcp_assay.call("get_book", isbn="978-9").rejected(match="978-9")


@accepts("lend", isbn="978-1", reader="Ada")
@refuses("lend", isbn="978-9", reader="Ada")
@refuses("lend", isbn="978-1")
def test_lending_says_something(mcp_assay_answer: Result) -> None:
    assert mcp_assay_answer.text


def test_two_books_at_once(mcp_assay_async: AsyncAssay) -> None:
    async def both() -> list[Result]:
        calls = (mcp_assay_async.call("get_book", isbn=isbn) for isbn in ("978-1", "978-2"))
        return list(await asyncio.gather(*calls))

    first, second = asyncio.run(both())
    assert first.ok().data["genre"] == "novel"
    assert second.ok().data["genre"] == "poetry"
