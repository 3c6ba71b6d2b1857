"""What an answer consists of, and what it says besides what was sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from mcp_assay.judge.members import member_word
from mcp_assay.judge.sign_wording import ERRORS
from mcp_assay.model.call import Call

LONGEST_READ: Final = 100_000
MOST_LEAVES: Final = 1_000
DEEPEST: Final = 32
OTHER_BLOCK: Final = "an image, a sound, a resource, or what is meant to be one"
"""Stands for a block that is no text: it is something."""


def besides(call: Call) -> bytes:
    """What an answer without substance says besides what was sent: what it echoes is no answer."""
    result = call.answer.result
    if not isinstance(result, dict):
        return key(result)
    arguments = call.scenario.arguments
    sent = Sent(arguments, frozenset(one for one in leaves(arguments) if isinstance(one, str)))
    return key([_without(part, sent) for part in parts(result) if not _is_too_long(part)])


def _is_too_long(part: Any) -> bool:
    """Whether a part is a text that nobody looks into."""
    return isinstance(part, str) and len(part) > LONGEST_READ


class Sent(NamedTuple):
    """What an answer may echo: arguments under their names, and texts anywhere."""

    arguments: Mapping[str, Any]
    texts: frozenset[str]

    def has(self, name: str, member: Any) -> bool:
        """Whether a member of an answer is one of these."""
        if isinstance(member, str):
            return member in self.texts
        return name in self.arguments and self.arguments[name] == member


def tells_of_error(name: str, member: Any) -> bool:
    """Whether a member of an answer only says what went wrong: that is no answer."""
    return isinstance(member, str | dict) and member_word(name) in ERRORS


def _without(value: Any, sent: Sent, depth: int = 0) -> Any:
    """A value with what was sent left out of its objects, as far as anybody looks into it."""
    if depth > DEEPEST:
        return None
    if isinstance(value, dict):
        kept = {
            name: one
            for name, one in value.items()
            if not sent.has(name, one) and not tells_of_error(name, one)
        }
        return {name: _without(one, sent, depth + 1) for name, one in kept.items()}
    return [_without(one, sent, depth + 1) for one in value] if isinstance(value, list) else value


def leaves(value: Any) -> Iterator[Any]:
    """All that is no list and no object in a value, within limits."""
    waiting = [value]
    for _ in range(MOST_LEAVES):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, dict | list):
            waiting += one.values() if isinstance(one, dict) else one
        else:
            yield one


def parts(result: Mapping[str, Any]) -> Iterator[Any]:
    """What a result consists of: values, texts, or blocks that are neither."""
    if result.get("structuredContent"):
        yield result["structuredContent"]
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        yield _parsed(text) if isinstance(text, str) else OTHER_BLOCK


def _parsed(text: str) -> Any:
    if len(text) > LONGEST_READ:
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def key(result: Any) -> bytes:
    """A value as bytes, equal for equal values; none where it is no JSON."""
    try:
        return orjson.dumps(result, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return b""
