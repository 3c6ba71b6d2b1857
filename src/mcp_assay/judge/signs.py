"""What a response says that its isError does not, read by its structure: members, whole texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

import orjson
from msgspec import Struct

from mcp_assay.judge import sign_wording as wording
from mcp_assay.model.verdict import ErrorKind, ResponseSign, SignKind
from mcp_assay.text.names import name_words
from mcp_assay.wire.pointer import pointer

LONGEST_OPENING: Final = 400
LONGEST_OBJECT: Final = 20_000
"""So much of JSON is read: what was sent may be repeated in it, escaped in many ways."""
LONGEST_BESIDES: Final = 2_000
"""A text that goes on for longer has something else to say."""
LONGEST_WHOLE: Final = 300
"""A text that is read as a whole is not longer."""
LONGEST_SENTENCE: Final = 200
LONGEST_SHOWN: Final = 100
MOST_LEAVES: Final = 60
"""Values with more in them have something else to say."""
MOST_BESIDES: Final = 2
"""So many members may stand beside one that says that a call failed."""
MOST_WRAPPERS: Final = 3
MOST_NUMBER: Final = 10**30
HTTP_ERRORS: Final = range(400, 600)
DECORATION: Final = " \t\r\n*_#>[(!-•❌⚠️🚫✗✖❗🔴⛔💥"
"""What people put before the word "error" to make it seen."""
ERROR_FLAGS: Final = (True, "true", "True")
"""What isError may be where a call failed; texts are wrong, and meant."""


class _ResultValue(Struct, frozen=True):
    """The object or the text that a result consists of, and where that is."""

    value: Mapping[str, Any] | None
    texts: tuple[str, ...]
    place: tuple[str | int, ...]
    is_text_alone: bool
    """Whether one text is all that there is."""


class SignReader:
    """Reads one response in the light of its call."""

    def __init__(self, response: Mapping[str, Any], arguments: object, tool: object) -> None:
        self._response: Final = response
        self._sent: Final = arguments if isinstance(arguments, dict) else {}
        self._about: Final = _words_about(tool)
        self._said: Final = _said(response)

    def of_success(
        self, kind: Callable[[], ErrorKind], *, is_promised: bool
    ) -> ResponseSign | None:
        """What a result without isError says against its success.

        `kind` tells what error it would be; `is_promised`: it meets the outputSchema of its tool.
        """
        if found := self._failing_member() or self._failing_text(kind):
            return self._sign("unflagged_error", *found)
        if found := self._matching(wording.NOT_IMPLEMENTED):
            return self._sign("not_implemented", *found)
        if found := self._step_member() or self._matching(wording.ANOTHER_STEP):
            return self._sign("another_step", *found)
        if not is_promised and (text := self._nothing()) is not None:
            return self._sign("no_information", text)
        return None

    def of_error(self) -> ResponseSign | None:
        """What a result with isError says for its success."""
        value = self._said.value
        if value is not None:
            name = _success_member(value)
            return self._sign("flagged_success", _shown_member(value, name), name) if name else None
        found = self._whole_text
        if found and wording.SUCCESS.match(found.lower()):
            return self._sign("flagged_success", found)
        return None

    def _sign(self, kind: SignKind, text: str, *steps: str) -> ResponseSign:
        shown = text.strip()[:LONGEST_SHOWN]
        return ResponseSign(kind, shown, pointer((*self._said.place, *steps)))

    def _is_about(self, *subjects: re.Pattern[str]) -> bool:
        return any(_is_about(subject, self._about) for subject in subjects)

    def _is_sent(self, value: object) -> bool:
        return value in self._sent.values()

    # Members

    def _failing_member(self) -> tuple[str, ...] | None:
        """The member by which an object says that the call failed."""
        value = self._said.value
        if value is None:
            return None
        parts = _Parts(value, self._is_sent)
        name = self._name_of_failure(parts)
        if name is not None:
            return _shown_member(value, name), name
        texts = _leaf_texts(value, self._sent)
        if texts is not None and len(texts) == 1 and self._is_error_text(texts[0]):
            return None if self._is_about(wording.ABOUT_ERRORS) else (texts[0],)
        return None

    def _name_of_failure(self, parts: _Parts) -> str | None:
        """A state is only an answer where a tool is asked how something else went."""
        about_states = self._is_about(wording.ABOUT_STATES)
        about_errors = self._is_about(wording.ABOUT_ERRORS)
        failed_state = None if about_states else parts.failed_state
        if parts.error and not parts.succeeded:
            if parts.failed_flag or failed_state:
                return parts.error
            if parts.besides == 0 and not about_errors:
                return parts.error
        if about_states or about_errors or parts.succeeded or not (parts.message or parts.error):
            is_bare = parts.failed_flag and parts.is_alone
            return parts.failed_flag if is_bare and not about_states else None
        if parts.failed_flag and parts.besides <= MOST_BESIDES:
            return parts.failed_flag
        if failed_state and parts.besides == 0:
            return failed_state
        is_http = parts.http_error and not self._is_about(wording.ABOUT_HTTP)
        return parts.http_error if is_http and parts.besides == 0 else None

    def _step_member(self) -> tuple[str, ...] | None:
        """The member by which an object asks for something first."""
        value = self._said.value or {}
        for name, member in value.items():
            word = str(name).lower()
            asks = word in wording.STEP_MEMBERS and member is True
            if asks or (word in wording.STATES and _folded(member) in wording.STEP_STATES):
                return _shown_member(value, name), name
        return None

    # Texts

    def _failing_text(self, kind: Callable[[], ErrorKind]) -> tuple[str, ...] | None:
        """The text by which a result says that the call failed."""
        texts = self._said.texts
        if self._said.value is not None or not texts or self._is_about(wording.ABOUT_ERRORS):
            return None
        first = texts[0]
        if self._is_error_text(first):
            return (first,) if self._is_its_own(first, kind) else None
        whole = self._whole_text
        if whole is None or self._is_about(wording.ABOUT_SPEECH):
            return None
        return (whole,) if self._is_whole_error(whole) else None

    def _is_its_own(self, text: str, kind: Callable[[], ErrorKind]) -> bool:
        """Whether the tool speaks for itself, and does not give back what somebody wrote."""
        if not self._is_about(wording.ABOUT_SPEECH):
            return True
        return self._names_what_was_sent(text) or kind() in ("environment", "failure")

    def _is_whole_error(self, whole: str) -> bool:
        bare = whole.strip(DECORATION)
        if wording.SIGNATURE.match(bare):
            return True
        small = bare.lower()
        if wording.NOT_THERE.match(small):
            is_generic = len(small.split()) <= len(["no", "such", "file"])
            is_answer = self._is_about(wording.ABOUT_LOOKUP)
            return not is_answer and (is_generic or self._names_what_was_sent(whole))
        return not self._is_about(wording.ABOUT_STATES) and bool(wording.REFUSED.match(small))

    def _matching(self, form: re.Pattern[str]) -> tuple[str, ...] | None:
        """The text that is all a result says, where it has this form."""
        if self._is_about(wording.ABOUT_SPEECH):
            return None
        text = self._whole_text if self._said.value is None else self._only_leaf()
        return (text,) if text and form.match(text.strip(DECORATION).lower()) else None

    @cached_property
    def _whole_text(self) -> str | None:
        """The one short text that a result consists of, if nobody sent it."""
        text = self._said.texts[0].strip() if self._said.is_text_alone else ""
        if not text or len(_without(text, self._sent)) > LONGEST_WHOLE or "\n\n" in text:
            return None
        is_sent = any(text in value for value in _texts(self._sent))
        return None if is_sent else text[:LONGEST_OPENING]

    def _only_leaf(self) -> str | None:
        texts = _leaf_texts(self._said.value, self._sent)
        text = texts[0] if texts and len(texts) == 1 else ""
        return text if len(text) <= LONGEST_WHOLE else None

    def _names_what_was_sent(self, text: str) -> bool:
        small = text.lower()
        return any(_has_word(small, value.lower()) for value in _shown(self._sent))

    def _is_error_text(self, text: str) -> bool:
        """Whether a text begins as one about an error does, and not as an echo of what was sent."""
        opening = text.lstrip(DECORATION)[:LONGEST_OPENING].lower()
        if not wording.OPENING.match(opening) or len(_without(text, self._sent)) > LONGEST_BESIDES:
            return False
        sent = (value.strip().lower()[:LONGEST_OPENING] for value in _texts(self._sent))
        return not any(value and _begins_with(opening, value) for value in sent)

    def _nothing(self) -> str | None:
        """The text of a result that says nothing at all; None where there is something."""
        content = self._response.get("content")
        structured = self._response.get("structuredContent")
        if structured and not _is_wrapped(structured, self._said.texts):
            return None
        if not isinstance(content, list) or not content or len(content) != len(self._said.texts):
            return None
        said = [text.strip() for text in self._said.texts if text.strip()]
        if any(not wording.ACCIDENT.fullmatch(text[:LONGEST_OPENING]) for text in said):
            return None
        is_sent = any(text in _shown(self._sent) for text in said)
        return None if is_sent else (said[0] if said else "")


class _Parts:
    """The members of an object that say whether a call failed, by their names as written."""

    def __init__(self, value: Mapping[str, Any], is_sent: Callable[[object], bool]) -> None:
        self.error: str | None = None
        """The member that holds an error."""
        self.message: str | None = None
        self.failed_flag: str | None = None
        self.failed_state: str | None = None
        self.http_error: str | None = None
        self.succeeded = False
        self.besides = 0
        """The other members with something in them that was not sent."""
        for name, member in value.items():
            self._take(name, str(name).lower(), member, is_sent)

    @property
    def is_alone(self) -> bool:
        """Whether nothing stands beside the flags."""
        return not (self.besides or self.message or self.error)

    def _take(
        self, name: str, word: str, member: object, is_sent: Callable[[object], bool]
    ) -> None:
        if word in wording.FLAGS and isinstance(member, bool):
            self.succeeded |= member
            self.failed_flag = self.failed_flag if member else name
        elif word in wording.ERRORS and _holds_error(member):
            self.error = self.error or name
        elif word in wording.STATES and _folded(member) in wording.FAILED_STATES:
            self.failed_state = name
        elif word in wording.ASIDES and type(member) is int and member in HTTP_ERRORS:
            self.http_error = name
        elif word in wording.MESSAGES and isinstance(member, str) and member.strip():
            self.message = name
        elif word in wording.FINDINGS and isinstance(member, bool):
            self.besides += MOST_BESIDES + 1
        elif word not in wording.ASIDES and member and not is_sent(member):
            self.besides += 1


def _holds_error(member: object) -> bool:
    """Whether a member has an error in it; a number is a measure of something."""
    return bool(member) and isinstance(member, str | dict | list | bool)


def _success_member(value: Mapping[str, Any]) -> str | None:
    """The member by which an object says that the call succeeded, where no other denies it."""
    parts = _Parts(value, lambda _: False)
    if parts.error or parts.failed_flag or parts.failed_state or parts.http_error:
        return None
    for name, member in value.items():
        word = str(name).lower()
        if word in wording.FLAGS and member is True:
            return name
        if word in wording.STATES and _folded(member) in wording.PASSED_STATES:
            return name
    return None


def _said(response: Mapping[str, Any]) -> _ResultValue:
    """The object that a result consists of, or else its texts."""
    content, structured = response.get("content"), response.get("structuredContent")
    blocks = content if isinstance(content, list) else []
    texts = tuple(
        block["text"]
        for block in blocks
        if isinstance(block, dict)
        and block.get("type", "text") == "text"
        and isinstance(block.get("text"), str)
    )
    is_alone = len(texts) == len(blocks) == 1
    if isinstance(structured, dict) and structured and not _is_wrapped(structured, texts):
        inner, steps = _unwrapped(structured)
        return _ResultValue(inner, texts, ("structuredContent", *steps), is_alone)
    found = _object_in(texts[0]) if len(texts) == 1 else None
    value = _unwrapped(found)[0] if isinstance(found, dict) else None
    spoken = (found,) if isinstance(found, str) else texts
    return _ResultValue(value, spoken, ("content", 0, "text") if texts else (), is_alone)


def _object_in(text: str) -> dict[str, Any] | str | None:
    """The object, or the text in quotes, that a text is, where it is short enough."""
    bare = text.strip()
    if not bare.startswith(("{", '"')) or len(bare) > LONGEST_OBJECT:
        return None
    try:
        value = orjson.loads(bare)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict | str) else None


def _unwrapped(value: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The object inside those that only hold another, and the way to it."""
    steps: list[str] = []
    for _ in range(MOST_WRAPPERS):
        name = str(next(iter(value), ""))
        inner = value.get(name)
        is_holder = len(value) == 1 and name.lower() in wording.WRAPPERS
        if not is_holder or not isinstance(inner, dict):
            break
        value = inner
        steps.append(name)
    return value, steps


def _is_wrapped(structured: object, texts: tuple[str, ...]) -> bool:
    """Whether a framework has put the text of a result into an object of its own."""
    if not isinstance(structured, dict) or len(structured) != 1:
        return False
    inner = structured.get("result", structured)
    return inner in texts[:1] or (inner is None and not any(map(str.strip, texts)))


def _shown_member(value: Mapping[str, Any], name: str) -> str:
    member = value[name]
    try:
        shown = orjson.dumps(member).decode()
    except TypeError:
        shown = str(member)
    return f"{name}: {shown[:LONGEST_SHOWN]}"


def _folded(member: object) -> str:
    return member.lower().replace("-", "_").replace(" ", "_") if isinstance(member, str) else ""


def _leaf_texts(value: object, arguments: Mapping[str, Any]) -> list[str] | None:
    """The texts in a value that were not sent; None where there is too much in it."""
    sent, waiting = {*_texts(arguments)}, [value]
    found: list[str] = []
    for _ in range(MOST_LEAVES):
        if not waiting:
            return found
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(one.values())
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str) and one.strip() and one not in sent:
            found.append(one)
    return None


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str)]


def _shown(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The texts and numbers that were sent, as a message shows them."""
    for value in arguments.values():
        if isinstance(value, str):
            yield value.strip()
        elif isinstance(value, float) or (type(value) is int and abs(value) < MOST_NUMBER):
            yield str(value)


def _has_word(text: str, value: str) -> bool:
    """Whether a text has a value in it, and not only within a longer word."""
    start = text.find(value) if value else -1
    if start < 0:
        return False
    before, after = text[start - 1 : start], text[start + len(value) :][:1]
    return not (before.isalnum() and value[0].isalnum()) and not (
        after.isalnum() and value[-1].isalnum()
    )


def _begins_with(text: str, words: str) -> bool:
    return text.startswith(words) and not text[len(words) : len(words) + 1].isalnum()


def _without(text: str, arguments: Mapping[str, Any]) -> str:
    """The text without the long ones that were sent: repeating them says nothing else."""
    for sent in _texts(arguments):
        if LONGEST_OPENING < len(sent) <= len(text):
            text = text.replace(sent, "")
    return text


def _words_about(tool: object) -> str:
    """What a tool says that it is about; of a long description the first sentence."""
    members = tool if isinstance(tool, dict) else {}
    parts = (members.get(name) for name in ("name", "title", "description"))
    name, title, description = (part if isinstance(part, str) else "" for part in parts)
    return _about(name[:LONGEST_SENTENCE], title[:LONGEST_SENTENCE], description[:LONGEST_SENTENCE])


@lru_cache(maxsize=1024)
def _is_about(subject: re.Pattern[str], about: str) -> bool:
    return subject.search(about) is not None


@lru_cache(maxsize=256)
def _about(name: str, title: str, description: str) -> str:
    first = re.split(r"[.\n]", description, maxsplit=1)[0]
    return " | ".join((" ".join(name_words(name)), title, first)).lower()
