"""The words in which the wire shapes of MCP are written: types, fields, shapes.

A rule reference is a catalogue id, or "ID/grade" where the catalogue grades the severity. Where no
rule is named, a fault counts under the rule of the message part that it lies in.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.spec.revisions import R2024_11_05, R2026_07_28

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON implementation keeps exact (RFC 7493)."""


class Text(Struct, frozen=True):
    """A string, perhaps of a named format or out of a fixed set."""

    format: str | None = None
    values: tuple[str, ...] = ()
    rule: str | None = None


class Integer(Struct, frozen=True):
    """A JSON integer (1.0 counts, as in JSON Schema; true does not)."""

    minimum: int | None = None


class Number(Struct, frozen=True):
    """A JSON number, perhaps within bounds."""

    minimum: float | None = None
    maximum: float | None = None


class Boolean(Struct, frozen=True):
    """true or false."""


class Null(Struct, frozen=True):
    """null."""


class Token(Struct, frozen=True):
    """A request id or progress token: a string or an integer."""


class Anything(Struct, frozen=True):
    """Any JSON value."""


class ListOf(Struct, frozen=True):
    """An array whose items are all of one type."""

    item: Type
    most: int | None = None
    most_rule: str = ""


class MapOf(Struct, frozen=True):
    """An object with freely chosen names whose values are all of one type."""

    value: Type


class Use(Struct, frozen=True):
    """An object of the named shape."""

    shape: str


class Meta(Struct, frozen=True):
    """A `_meta` object: the named shape's keys, and others under the rules for `_meta` keys."""

    shape: str


class Extensions(Struct, frozen=True):
    """The map of extensions in a capabilities object."""


class Case(Struct, frozen=True):
    """One alternative of a Choice, in the revisions that have it."""

    value: str
    shape: str
    since: str = R2024_11_05
    until: str = R2026_07_28


class Choice(Struct, frozen=True):
    """An object whose member `by` tells which shape it has."""

    by: str
    cases: tuple[Case, ...]
    rule: str
    default: str | None = None
    """The value that an absent member stands for."""
    other: str | None = None
    """The shape for values outside the cases; without one they are a fault."""


class Option(Struct, frozen=True):
    """One alternative of an Either, and how a reader would recognise what was meant."""

    type: Type
    member: str | None = None
    value: str | None = None
    since: str = R2024_11_05
    rare: bool = False
    """So rare that the fast check does without it, and that nobody means it without its member:
    then there are two options, and the other one comes first."""


class Either(Struct, frozen=True):
    """A value of any one of several types; `words` names them for people."""

    options: tuple[Option, ...]
    words: str


Type: TypeAlias = (
    Text
    | Integer
    | Number
    | Boolean
    | Null
    | Token
    | Anything
    | ListOf
    | MapOf
    | Use
    | Meta
    | Extensions
    | Choice
    | Either
)

Need: TypeAlias = Literal["required", "recommended", "optional"]


class Field(Struct, frozen=True):
    """A member of an object, in the revisions that define it so."""

    name: str
    type: Type
    need: Need
    since: str
    until: str
    rule: str | None
    """The rule that a wrong value breaks."""
    absent: str | None
    """The rule that absence breaks, where it is another one."""
    implied: bool
    """Absence is judged as an empty object, so that the members missed are named one by one."""
    remap: tuple[tuple[str, str], ...]
    """Rules that have another id inside this field: (general, special)."""

    def exists_in(self, revision: str) -> bool:
        """Whether `revision` defines this field so."""
        return self.since <= revision <= self.until


class Shape(Struct, frozen=True):
    """An object of the wire: its fields in all revisions."""

    name: str
    fields: tuple[Field, ...]
    rule: str | None = None
    """The rule that its own fields break where they name none."""
    exactly_one: tuple[str, ...] = ()
    """Members of which exactly one is present."""
    exactly_one_rule: str = ""
    open: bool = False
    """Other members are the sender's own business, as in a JSON Schema."""

    def fields_in(self, revision: str) -> tuple[Field, ...]:
        """The fields that `revision` defines."""
        return tuple(field for field in self.fields if field.exists_in(revision))

    def later_fields(self, revision: str) -> dict[str, str]:
        """Names that only revisions after `revision` define, each with the first of them."""
        known = {field.name for field in self.fields if field.since <= revision}
        later = [field for field in self.fields if field.name not in known]
        return {f.name: min(g.since for g in later if g.name == f.name) for f in later}


def _field(
    need: Need,
    name: str,
    type: Type,
    since: str = R2024_11_05,
    until: str = R2026_07_28,
    *,
    rule: str | None = None,
    absent: str | None = None,
    implied: bool = False,
    remap: dict[str, str] | None = None,
) -> Field:
    return Field(
        name, type, need, since, until, rule, absent, implied, tuple((remap or {}).items())
    )


def must(
    name: str,
    type: Type,
    since: str = R2024_11_05,
    until: str = R2026_07_28,
    *,
    rule: str | None = None,
    absent: str | None = None,
    implied: bool = False,
    remap: dict[str, str] | None = None,
) -> Field:
    """A required member."""
    return _field(
        "required", name, type, since, until, rule=rule, absent=absent, implied=implied, remap=remap
    )


def should(
    name: str,
    type: Type,
    since: str = R2024_11_05,
    until: str = R2026_07_28,
    *,
    absent: str,
    rule: str | None = None,
    implied: bool = False,
    remap: dict[str, str] | None = None,
) -> Field:
    """A member whose absence is worth a warning."""
    return _field(
        "recommended",
        name,
        type,
        since,
        until,
        rule=rule,
        absent=absent,
        implied=implied,
        remap=remap,
    )


def may(
    name: str,
    type: Type,
    since: str = R2024_11_05,
    until: str = R2026_07_28,
    *,
    rule: str | None = None,
    remap: dict[str, str] | None = None,
) -> Field:
    """An optional member."""
    return _field("optional", name, type, since, until, rule=rule, remap=remap)
