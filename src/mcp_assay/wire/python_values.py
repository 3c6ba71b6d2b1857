"""Python values in, JSON values and notes out: for messages that come as objects of the caller.

Only methods of the built-in types are called, so no code of the caller's classes ever runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import Any, Final, TypeAlias

from mcp_assay.wire.notes import (
    DEEP,
    MAX_DEPTH,
    MAX_MESSAGE_BYTES,
    MAX_QUOTED,
    NOT_JSON,
    UNREAD,
    NoteKind,
    Oddities,
)
from mcp_assay.wire.pointer import Path, Step
from mcp_assay.wire.reader import Note, Reading
from mcp_assay.wire.values import (
    HALF_PAIR,
    HALF_PAIR_NAME,
    HUGE,
    TOO_DEEP,
    bounded,
    is_huge,
    is_well_formed,
    quoted,
)

_Copy: TypeAlias = dict[str, Any] | list[Any]
_Child: TypeAlias = tuple[Any, object]

_BASES: Final = (str, dict, list, tuple, int, float)

_CYCLE: Final = "the value contains itself"
_UNSTABLE: Final = "the value changed while it was read"
_LARGE: Final = f"the value needs more than {MAX_MESSAGE_BYTES:,} bytes as JSON"


def examine(value: object) -> Reading:
    """Note what is odd in a Python value and give it back in plain JSON types; never raises.

    Tuples count as arrays, and instances of a subclass as its JSON base. Where nothing had to be
    changed the value itself is given back.
    """
    examiner = _Examiner()
    try:
        cleaned = examiner.clean(value)
    except _TooLargeError:
        return Reading(UNREAD, (Note("too-large", (), 0, 0, 0, _LARGE),))
    notes = (Note(odd.kind, odd.path, 0, 0, 0, odd.text, odd.count) for odd in examiner.oddities)
    return Reading(cleaned if examiner.changed else value, tuple(notes))


class _TooLargeError(Exception):
    """No text within the limit could hold the value."""


class _OpenContainer:
    """A container that is being copied; `step` is where in it the examiner stands."""

    __slots__ = ("children", "copy", "original", "step")

    def __init__(self, original: object, copy: _Copy, children: Iterator[_Child]) -> None:
        self.original = original
        self.copy = copy
        self.children = children
        self.step: Step = 0

    def put(self, value: object) -> None:
        if isinstance(self.copy, list):
            self.copy.append(value)
        else:
            self.copy[str(self.step)] = value


class _Examiner:
    """Copies a value without recursion; `frames` are the containers around the present place."""

    def __init__(self) -> None:
        self.oddities = Oddities()
        self.changed = False
        self.room = MAX_MESSAGE_BYTES
        self.frames: list[_OpenContainer] = []
        self.open: set[int] = set()
        # By the id of the type, because a type can have a hash of the caller's making.
        self.cleaners: dict[int, Callable[[Any], object]] = {
            id(str): self.string,
            id(dict): self.members,
            id(list): self.items,
            id(tuple): self.parts,
            id(bool): self.literal,
            id(type(None)): self.literal,
            id(int): self.integer,
            id(float): self.number,
            id(object): self.stranger,
        }

    def clean(self, value: object) -> object:
        result: list[Any] = []
        self.frames.append(_OpenContainer(None, result, iter([(0, value)])))
        while self.frames:
            frame = self.frames[-1]
            for key, child in frame.children:
                if self.step(frame, key) and self.take(frame, child):
                    break
            else:
                self.open.discard(id(self.frames.pop().original))
        return result[0]

    def step(self, frame: _OpenContainer, key: Any) -> bool:
        """Move to the next item or member; False where it has no place in JSON."""
        if isinstance(frame.copy, list):
            frame.step = key
            return True
        return self.step_to_member(frame, key)

    def step_to_member(self, frame: _OpenContainer, key: object) -> bool:
        if not issubclass(type(key), str):
            self.changed = True
            text = f"a member name of type {_type_name(key)}, and JSON names are strings"
            self.oddities.add("not-json", lambda: self.path()[:-1], 0, text)
            return False
        frame.step = name = str.__str__(key)
        self.changed |= type(key) is not str
        if name in frame.copy:
            self.note("duplicate", f"the member {quoted(name)} occurs more than once")
        self.check_string(name, HALF_PAIR_NAME)
        return True

    def take(self, frame: _OpenContainer, value: object) -> bool:
        """Copy what stands at the present place; True where it is a container to be entered."""
        kind = type(value)
        clean = self.cleaners.get(id(kind)) or self.cleaners[id(_json_base(kind))]
        cleaned = clean(value)
        self.changed |= type(cleaned) is not kind
        frame.put(cleaned)
        return self.frames[-1] is not frame

    def literal(self, value: object) -> object:
        self.spend(1)
        return value

    def string(self, value: str) -> str:
        string = str.__str__(value)
        self.check_string(string, HALF_PAIR)
        return string

    def integer(self, value: int) -> float:
        number = int.__int__(value)
        self.spend(1)
        if is_huge(number):
            self.note("huge-number", HUGE)
        return bounded(number)

    def number(self, value: float) -> float:
        number = float.__float__(value)
        self.spend(1)
        if not isfinite(number):
            self.note("non-finite", f"{number} is not a JSON number")
        return number

    def members(self, value: dict[Any, Any]) -> object:
        self.spend(dict.__len__(value))
        return self.container(value, {}, dict.items(value))

    def items(self, value: list[Any]) -> object:
        self.spend(list.__len__(value))
        return self.container(value, [], enumerate(list.__iter__(value)))

    def parts(self, value: tuple[Any, ...]) -> object:
        self.spend(tuple.__len__(value))
        return self.container(value, [], enumerate(tuple.__iter__(value)))

    def container(self, value: object, copy: _Copy, children: Iterable[_Child]) -> object:
        if id(value) in self.open:
            return self.refused(NOT_JSON, "not-json", _CYCLE)
        if len(self.frames) > MAX_DEPTH:
            return self.refused(DEEP, "too-deep", TOO_DEEP)
        self.spend(2)
        try:
            snapshot = list(children)
        except RuntimeError:
            return self.refused(NOT_JSON, "not-json", _UNSTABLE)
        self.open.add(id(value))
        self.frames.append(_OpenContainer(value, copy, iter(snapshot)))
        return copy

    def stranger(self, value: object) -> object:
        self.spend(1)
        return self.refused(NOT_JSON, "not-json", f"JSON has no form for {_type_name(value)}")

    def refused(self, marker: object, kind: NoteKind, text: str) -> object:
        self.note(kind, text)
        return marker

    def check_string(self, string: str, complaint: str) -> None:
        self.spend(len(string) + 2)
        if not string.isascii() and not is_well_formed(string):
            self.note("lone-surrogate", complaint)

    def note(self, kind: NoteKind, text: str) -> None:
        self.oddities.add(kind, self.path, 0, text)

    def path(self) -> Path:
        return tuple(frame.step for frame in self.frames[1:])

    def spend(self, characters: int) -> None:
        """Use up room, so that a value with shared parts cannot grow without end."""
        self.room -= characters
        if self.room < 0:
            raise _TooLargeError


def _json_base(kind: type) -> type:
    return next((base for base in _BASES if issubclass(kind, base)), object)


def _type_name(value: object) -> str:
    name = type.__dict__["__name__"].__get__(type(value))
    return str.__str__(name)[:MAX_QUOTED]
