"""What the library has: the code behind the tools, and the genres that it knows."""

from __future__ import annotations

from enum import Enum


class Genre(Enum):
    """The genres that the code knows."""

    NOVEL = "novel"
    POETRY = "poetry"
    ESSAY = "essay"


class ToolFailed(Exception):
    """What a tool refuses, in words for people."""


BOOKS: list[dict[str, object]] = [
    {"isbn": "978-1", "title": "The tide table", "genre": "novel"},
    {"isbn": "978-2", "title": "Salt and tide", "genre": "poetry"},
    {"isbn": "978-3", "title": "On walking slowly", "genre": "essay"},
]


def find_books(query: str, genre: str | None) -> list[dict[str, object]]:
    """The books with these words in their titles."""
    words = query.lower()
    named = [book for book in BOOKS if words in str(book["title"]).lower()]
    return [book for book in named if genre in (None, book["genre"])]


def book_of(isbn: str) -> dict[str, object]:
    """One book; raises ToolFailed where there is none."""
    for book in BOOKS:
        if book["isbn"] == isbn:
            return book
    raise ToolFailed(f"There is no book with the ISBN {isbn!r}.")
