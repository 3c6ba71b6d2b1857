"""The members of an object that say whether a call failed, and what else it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeAlias

import orjson

from mcp_assay.judge import sign_wording as wording
from mcp_assay.judge.sent_values import SentValues
from mcp_assay.judge.tool_subject import ToolSubject

MOST_LEAVES: Final = 60
"""Values with more in them have something else to say."""
MOST_MEMBERS: Final = 1_000
"""So do objects with more members."""
MOST_BESIDES: Final = 2
"""So many members may stand beside one that says that a call failed."""
DEEPEST: Final = 4
LONGEST_SHOWN: Final = 100
HTTP_ERRORS: Final = range(400, 600)
DECORATION: Final = " \t\r\n*_#>[(!-•❌⚠️🚫✗✖❗🔴⛔💥"
"""What people put before the word "error" to make it seen."""

Way: TypeAlias = tuple[str, ...]
"""The names that lead to a member."""


class Parts:
    """The members that say something about a call, and the number of the others."""

    def __init__(self, sent: SentValues, *, is_told: bool = False) -> None:
        self.error: Way | None = None
        """The member that holds an error."""
        self.message: Way | None = None
        self.content: Way | None = None
        """The member that is a title or a text of the thing that was asked for."""
        self.failed_flag: Way | None = None
        self.failed_state: Way | None = None
        self.http_error: Way | None = None
        self.exit_code: Way | None = None
        self.lists_errors = False
        """Whether that is a list: of what a check found, where the tool is one."""
        self.is_flagged = False
        """Whether there is an isError in the object."""
        self.has_output = False
        """Whether there is what a program wrote."""
        self.is_nothing_found = False
        """Whether the code is that of a program which found nothing."""
        self.has_complaint = False
        self.succeeded = False
        self.besides = 0
        """The other members with something in them that was not sent."""
        self._sent: Final = sent
        self._is_told: Final = is_told
        """Whether a thing was asked for, which has a state and a title of its own."""

    @property
    def is_alone(self) -> bool:
        """Whether nothing stands beside the flags."""
        return not (self.besides or self.message or self.error)

    def take(self, way: Way, member: object) -> None:
        """Take one more member into account."""
        word = member_word(way[-1])
        self.has_output |= word in wording.OUTPUTS
        self.has_complaint |= word == wording.COMPLAINTS and bool(member)
        if word in wording.FLAGS and isinstance(member, bool):
            self.succeeded |= member
            self.failed_flag = self.failed_flag if member else way
        elif word in wording.ERROR_TRUTHS and member is True:
            self.failed_flag = way
            self.is_flagged |= word in wording.ERROR_FLAGS
        elif word in wording.ERRORS and _holds_error(member):
            self.error = self.error or way
            self.lists_errors = isinstance(member, list)
        elif word in wording.STATES and self._is_failed_state(member):
            self.failed_state = way
        elif word in wording.EXIT_CODES and type(member) is int:
            self.exit_code = way if member else None
            self.is_nothing_found = member == wording.NOTHING_FOUND
        elif word in wording.ASIDES and type(member) is int and member in HTTP_ERRORS:
            self.http_error = way
        elif word in wording.MESSAGES and isinstance(member, str) and member.strip():
            self._take_words(way, word)
        elif word in wording.FINDINGS and isinstance(member, bool):
            self.besides += MOST_BESIDES + 1
        elif not self._is_aside(word, member):
            self.besides += 1

    def _is_failed_state(self, member: object) -> bool:
        state = folded_state(member)
        is_of_thing = self._is_told and state in wording.STATES_OF_THINGS
        return state in wording.FAILED_STATES and not is_of_thing

    def _take_words(self, way: Way, word: str) -> None:
        if self._is_told and word in wording.CONTENTS:
            self.content = way
        else:
            self.message = way

    def _is_aside(self, word: str, member: object) -> bool:
        is_count = word in wording.FAILURE_COUNTS and isinstance(member, int | list)
        is_choice = isinstance(member, list) and word.startswith(wording.CHOICES)
        is_said = word in wording.ASIDES or is_count or is_choice
        return is_said or not member or self._has_sent(member)

    def _has_sent(self, member: object) -> bool:
        """Whether a member, or all that an object has, was sent."""
        if isinstance(member, dict):
            return all(not one or self._sent.has(one) for one in member.values())
        return self._sent.has(member)


def failing_member(value: Mapping[str, Any], sent: SentValues, subject: ToolSubject) -> Way | None:
    """The way to the member by which an object says that the call failed."""
    if len(value) > MOST_MEMBERS:
        return None
    top = Parts(sent, is_told=subject.is_asked_for)
    for name, member in value.items():
        top.take((str(name),), member)
    if (found := _way_to_failure(top, subject)) or subject.is_states or subject.is_errors:
        return found
    if found := _failing_list(value, sent, may_flag=not subject.hands_out):
        return found
    deep = Parts(sent, is_told=subject.is_asked_for)
    for way, member in _members(value):
        if member is not True or member_word(way[-1]) in wording.TRUTHS:
            deep.take(way, member)
    if deep.besides or deep.succeeded:
        return None
    return deep.error or (deep.message and (deep.failed_flag or deep.failed_state))


def _failing_list(value: Mapping[str, Any], sent: SentValues, *, may_flag: bool) -> Way | None:
    """The one list of an object, beside numbers at most, in which every item is a failure.

    `may_flag`: a flag alone makes one, as things that are handed out may have flags of their own.
    """
    lists = [name for name, member in _first(value) if isinstance(member, list) and member]
    others = (member for name, member in _first(value) if name not in lists)
    if len(lists) != 1 or not all(_is_quiet(one, sent) for one in others):
        return None
    items = value[lists[0]]
    fails = len(items) <= MOST_LEAVES and (
        all(_is_failure(one, sent) for one in items)
        or (may_flag and all(map(_is_flagged_failure, items)))
    )
    return (str(lists[0]),) if fails else None


def _is_failure(item: object, sent: SentValues) -> bool:
    """Whether an object has an error in it, and nothing else that was not sent."""
    if not isinstance(item, dict):
        return False
    parts, words = Parts(sent), (wording.ERRORS, wording.MESSAGES, wording.STATES, wording.ASIDES)
    for way, member in _members(item):
        parts.take(way, member)
        is_said = any(member_word(way[-1]) in names for names in words)
        if not (is_said or _is_quiet(member, sent)):
            return False
    return bool(parts.error) and not parts.succeeded


def _is_flagged_failure(item: object) -> bool:
    """Whether an object says by a flag that what it stands for did not succeed."""
    flags = (
        (member_word(name), member)
        for name, member in (_first(item) if isinstance(item, dict) else ())
    )
    said = {member for word, member in flags if word in wording.FLAGS and member in (True, False)}
    return said == {False}


def _is_quiet(member: object, sent: SentValues) -> bool:
    """Whether a member is a number, a switch, nothing, something that was sent, or only those."""
    if isinstance(member, dict):
        inner = [one for _, one in _members(member)]
        return not any(isinstance(one, list) and one for one in inner) and all(
            not one or isinstance(one, int | float) or sent.has(one) for one in inner
        )
    return not member or isinstance(member, int | float) or sent.has(member)


def failing_items(
    items: Iterable[Mapping[str, Any]], sent: SentValues, subject: ToolSubject
) -> Way | None:
    """The way to the error of the first of several objects, where each says that it failed.

    Each names what was sent, and says little else: an error may be a property of things.
    """
    ways: list[Way] = []
    for item in items:
        parts = Parts(sent)
        for name, member in _first(item):
            parts.take((str(name),), member)
        is_bare = not parts.besides or (parts.failed_flag and parts.besides <= MOST_BESIDES)
        is_about_call = is_bare and any(map(sent.has, item.values()))
        way = _way_to_failure(parts, subject) if is_about_call else None
        if way is None:
            return None
        ways.append(way)
    return ways[0] if ways else None


def _way_to_failure(parts: Parts, subject: ToolSubject) -> Way | None:
    """A state is only an answer where a tool is asked how something else went."""
    is_other = subject.is_states or subject.is_errors
    is_quiet = parts.is_nothing_found and not parts.has_complaint
    is_answer = is_quiet and (subject.is_lookup or subject.is_comparison)
    if parts.exit_code and parts.has_output and not is_other and not is_answer:
        return parts.exit_code
    failed_state = None if subject.is_states else parts.failed_state
    if parts.error and not parts.succeeded and not (parts.lists_errors and subject.checks):
        is_bare = parts.besides == 0 and not subject.is_errors
        if parts.failed_flag or failed_state or is_bare:
            return parts.error
    if parts.is_flagged:
        return parts.failed_flag
    has_words = parts.message or parts.error or (parts.content and parts.http_error)
    if is_other or parts.succeeded or not has_words:
        is_bare = bool(parts.failed_flag) and parts.is_alone
        return parts.failed_flag if is_bare and not subject.is_states else None
    return _told_failure(parts, failed_state, subject)


def _told_failure(parts: Parts, failed_state: Way | None, subject: ToolSubject) -> Way | None:
    """The member that makes the words beside it the words of a failure."""
    if parts.failed_flag and parts.besides <= MOST_BESIDES:
        return parts.failed_flag
    if parts.besides:
        return None
    return failed_state or (None if subject.is_http else parts.http_error)


def success_member(value: Mapping[str, Any], stem: str = "") -> str | None:
    """The member by which an object says that the call succeeded, where no other denies it.

    `stem`: how the word begins for what the tool does, which is done then: "closed".
    """
    parts = Parts(SentValues({}, None))
    for name, member in _first(value):
        parts.take((str(name),), member)
    if parts.error or parts.failed_flag or parts.failed_state or parts.http_error:
        return None
    members = [(name, member_word(name), member) for name, member in _first(value)]
    if any(word in wording.FAILURE_COUNTS and member for _, word, member in members):
        return None
    return next((name for name, word, member in members if _is_success(word, member, stem)), None)


def _is_success(word: str, member: object, stem: str) -> bool:
    """Whether a member of this name says that the call succeeded."""
    if word in wording.FLAGS:
        return member is True
    if word in wording.STATUS_CODES:
        return member.__class__ is int and member in wording.SUCCESS_STATUSES
    state = folded_state(member) if word in wording.STATES or word in wording.MESSAGES else ""
    is_done = word in wording.STATES and bool(stem) and state.startswith(stem)
    return state in wording.PASSED_STATES or is_done


def step_member(value: Mapping[str, Any]) -> str | None:
    """The member by which an object asks for something first."""
    for name, member in _first(value):
        word = member_word(name)
        asks = word in wording.STEP_MEMBERS and member is True
        if asks or (word in wording.STATES and _asks_first(folded_state(member))):
            return name
    return None


def _asks_first(state: str) -> bool:
    """Whether a state says that something must be done before."""
    first, *others = state.split("_")
    is_asking = first in wording.STEP_BEGINS or bool(wording.STEP_ENDS.intersection(others[-1:]))
    return state in wording.STEP_STATES or (is_asking and bool(others))


def unfinished_member(value: Mapping[str, Any]) -> str | None:
    """The member by which an object says that there is nothing behind it yet."""
    for name, member in _first(value):
        is_state = member_word(name) in wording.STATES
        if is_state and folded_state(member) in wording.UNFINISHED_STATES:
            return name
    return None


def _first(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The members of an object, of many the first."""
    return islice(value.items(), MOST_MEMBERS)


def shown_member(value: Mapping[str, Any], way: Way) -> str:
    """A member as people are told of it."""
    member: Any = value
    for name in way:
        member = member[name]
    try:
        shown = orjson.dumps(member).decode()
    except TypeError:
        shown = str(member)
    return f"{way[-1]}: {shown[:LONGEST_SHOWN]}"


def member_word(name: object) -> str:
    """The name of a member however it is written: isError, is_error and IS-ERROR are one."""
    return str(name).lower().replace("_", "").replace("-", "").replace(" ", "")


def folded_state(member: object) -> str:
    """A state in small letters, its words joined."""
    bare = member.strip(DECORATION).lower() if isinstance(member, str) else ""
    return bare.replace("-", "_").replace(" ", "_")


def texts_in(value: object, sent: SentValues) -> list[str] | None:
    """The texts in a value that were not sent; None where there is too much in it."""
    waiting = [value]
    found: list[str] = []
    for _ in range(MOST_LEAVES):
        if not waiting:
            return found
        one = waiting.pop()
        if isinstance(one, dict | list) and len(one) > MOST_LEAVES:
            return None
        if isinstance(one, dict):
            waiting += reversed(one.values())
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str) and one.strip() and one not in sent.texts:
            found.append(one)
    return None


def words_in(value: Mapping[str, Any], sent: SentValues) -> list[str] | None:
    """The texts in an object that were not sent, if there is nothing else in it; else None.

    Codes, states and the like stand beside them; what is empty, or counts failures, says nothing.
    """
    found: list[str] = []
    waiting: list[tuple[str, Any]] = [("", value)]
    for _ in range(MOST_LEAVES):
        if not waiting:
            return found
        name, one = waiting.pop()
        if isinstance(one, dict | list) and len(one) > MOST_LEAVES:
            return None
        if isinstance(one, dict):
            waiting += ((member_word(key), member) for key, member in reversed(one.items()))
        elif isinstance(one, list):
            waiting += ((name, item) for item in reversed(one))
        elif not one or sent.has(one) or _is_beside(name, one):
            continue
        elif isinstance(one, str):
            found += [one] if one.strip() else []
        else:
            return None
    return None


def _is_beside(name: str, member: object) -> bool:
    is_state = name in wording.STATES and folded_state(member) in wording.FAILED_STATES
    return is_state or name in wording.ASIDES or name in wording.FAILURE_COUNTS


def _members(value: Mapping[str, Any]) -> Iterator[tuple[Way, object]]:
    """The members of an object and of those inside it, but for lists and errors, as they are."""
    waiting: list[tuple[Way, object]] = [((str(name),), value[name]) for name in value]
    for _ in range(MOST_LEAVES):
        if not waiting:
            return
        way, member = waiting.pop(0)
        is_error = member_word(way[-1]) in wording.ERRORS
        is_small = isinstance(member, dict) and len(member) <= MOST_LEAVES
        if isinstance(member, dict) and is_small and not is_error and len(way) < DEEPEST:
            waiting += (((*way, str(name)), inner) for name, inner in member.items())
        else:
            yield way, member
    yield ("",), waiting  # too much to be only about a failure


def _holds_error(member: object) -> bool:
    """Whether a member has an error in it; a number is a measure of something."""
    return bool(member) and isinstance(member, str | dict | list | bool)
