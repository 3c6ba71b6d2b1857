"""What a caller sent, as it comes back in the words of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, Final

from mcp_assay.text.names import name_words

LONG: Final = 400
"""A longer text that comes back is left out of account: repeating it says nothing else."""
MOST_NUMBER: Final = 10**30
MOST_NESTED: Final = 200
MOST_PLACES: Final = 50
LEAST_NAMED: Final = 2
"""Shorter words of a name are in any sentence."""


def with_sent_on_one_line(response: Mapping[str, Any], arguments: object) -> Mapping[str, Any]:
    """A response in which texts that were sent have no line breaks: they would end a sentence."""
    sent = arguments.values() if isinstance(arguments, dict) else ()
    broken = [text for text in sent if isinstance(text, str) and "\n" in text]
    content = response.get("content")
    if not broken or not isinstance(content, list):
        return response
    return {**response, "content": [_with_joined(block, broken) for block in content]}


def _with_joined(block: object, broken: list[str]) -> object:
    text = block.get("text") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(text, str):
        return block
    for one in broken:
        text = text.replace(one, _joined(one))
    return {**block, "text": text}


def _joined(text: str) -> str:
    return text.replace("\n", " ")


class SentValues:
    """The arguments of a call, and the names of what its tool takes."""

    def __init__(self, arguments: object, tool: object) -> None:
        self._arguments: Final[Mapping[str, Any]] = arguments if isinstance(arguments, dict) else {}
        self._tool: Final = tool

    def has(self, value: object) -> bool:
        """Whether this value was sent as it is."""
        if isinstance(value, str):
            return value in self.nested
        if isinstance(value, dict | list):
            return value in self._containers
        return value in self._plain

    def asks_for(self, word: str) -> bool:
        """Whether an argument with this word in its name was sent, and is not false."""
        return any(value and word in name_words(name) for name, value in self._arguments.items())

    @cached_property
    def _plain(self) -> frozenset[Any]:
        values = self._arguments.values()
        return frozenset(value for value in values if not isinstance(value, dict | list))

    @cached_property
    def _containers(self) -> list[Any]:
        values = (value for value in self._arguments.values() if isinstance(value, dict | list))
        return list(islice(values, MOST_NESTED))

    @cached_property
    def texts(self) -> list[str]:
        """The texts that were sent, those of several lines on one line too."""
        values = [value for value in self._arguments.values() if isinstance(value, str)]
        return list(dict.fromkeys((*values, *map(_joined, values))))

    @cached_property
    def nested(self) -> frozenset[str]:
        """The texts that were sent inside lists and objects, too."""
        waiting: list[Any] = list(self._arguments.values())
        found: set[str] = set()
        for _ in range(MOST_NESTED):
            if not waiting:
                break
            one = waiting.pop()
            if isinstance(one, dict):
                waiting += one.values()
            elif isinstance(one, list):
                waiting += one
            elif isinstance(one, str):
                found |= {one, _joined(one)}
        return frozenset(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of what the tool takes, in small letters."""
        schema = self._tool.get("inputSchema") if isinstance(self._tool, dict) else None
        members = schema.get("properties") if isinstance(schema, dict) else None
        listed = members if isinstance(members, dict) else ()
        return frozenset(str(name).lower() for name in (*listed, *self._arguments))

    def lacks_named_in(self, text: str) -> bool:
        """Whether a text in small letters names something that the tool takes and was not sent."""
        sent = {str(name).lower() for name, value in self._arguments.items() if value}
        return any(_has_word(text, name) for name in self.names - sent)

    @cached_property
    def words_of_names(self) -> frozenset[str]:
        """The words in those names."""
        words = (word for name in self.names for word in name_words(name))
        return frozenset(word for word in words if len(word) > LEAST_NAMED)

    def shown(self) -> Iterator[str]:
        """The texts and numbers that were sent, as a message shows them."""
        yield from (text.strip() for text in self.nested)
        for value in self._arguments.values():
            if isinstance(value, float) or (type(value) is int and abs(value) < MOST_NUMBER):
                yield str(value)

    def is_named_in(self, text: str, least: int = 1) -> bool:
        """Whether a text names something that was sent, of so many characters at least."""
        small = text.lower()
        named = (one for one in self.shown() if len(one) >= least and any(map(str.isalnum, one)))
        return any(_has_word(small, one.lower()) for one in named)

    def is_argument(self, text: str) -> bool:
        """Whether a text is about an argument, with whose name it begins, and no value of it."""
        first = text.lower().split(maxsplit=1)[:1]
        is_begun = bool(first) and first[0].strip("`'\"") in self.words_of_names
        return is_begun and not self.is_named_in(text)

    def covers(self, text: str, start: int, end: int) -> bool:
        """Whether a part of a text only repeats what was sent."""
        part = text[start:end]
        around = (sent for sent in self.nested if part in sent and len(sent) <= len(text))
        return any(
            text.startswith(sent, max(start - at, 0))
            for sent in around
            for at in _places(sent, part)
            if at <= start
        )

    def without_long(self, text: str) -> str:
        """The text without the long ones that were sent."""
        for sent in self.texts:
            if LONG < len(sent) <= len(text):
                text = text.replace(sent, "")
        return text

    def begins(self, text: str) -> bool:
        """Whether a text in small letters begins with one that was sent."""
        sent = (value.strip().lower()[:LONG] for value in self.texts)
        return any(value and _begins_with(text, value) for value in sent)


def _has_word(text: str, value: str) -> bool:
    """Whether a text has a value in it, and not only within a longer word."""
    start = text.find(value) if value else -1
    for _ in range(MOST_PLACES):
        if start < 0:
            return False
        before, after = text[start - 1 : start], text[start + len(value) :][:1]
        is_within = (before.isalnum() and value[0].isalnum()) or (
            after.isalnum() and value[-1].isalnum()
        )
        if not is_within:
            return True
        start = text.find(value, start + 1)
    return False


def _places(text: str, part: str) -> Iterator[int]:
    """Where a part stands in a text, of many places the first."""
    at = text.find(part)
    for _ in range(MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(part, at + 1)


def _begins_with(text: str, words: str) -> bool:
    return text.startswith(words) and not text[len(words) : len(words) + 1].isalnum()
