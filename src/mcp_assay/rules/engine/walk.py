"""The slow check's reading of the tables: every fault of a value against its type, with its place.

Types are compiled, on first use, to closures that append what they find to a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import isinf
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.rules import load_rule
from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.rule import Found, MapKey
from mcp_assay.rules.engine.strict_shapes import shortcut
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.meta_keys import defined_keys, is_prefixed_key, key_faults
from mcp_assay.spec.shape import (
    Anything,
    Boolean,
    Choice,
    Either,
    Extensions,
    Field,
    Integer,
    ListOf,
    MapOf,
    Meta,
    Null,
    Number,
    Option,
    Shape,
    Text,
    Token,
    Type,
    Use,
)
from mcp_assay.spec.shapes import SHAPES
from mcp_assay.text.words import PHRASES, folded, json_type, listing, nearest, quote, spot
from mcp_assay.wire.pointer import Path

Walk: TypeAlias = Callable[[Any, Path, Faults], None]


class ShapeContext(Struct, frozen=True):
    """Where a type is read: the revision, the rule of the message part, rules renamed here."""

    revision: str
    part_rule: str
    remap: tuple[tuple[str, str], ...] = ()

    def inside(self, field: Field) -> ShapeContext:
        """The ground inside a field."""
        return replace(self, remap=(*field.remap, *self.remap)) if field.remap else self

    def resolve(self, reference: str | None) -> tuple[str, str | None]:
        """The rule and the grade that a reference stands for here."""
        named = reference or self.part_rule
        rule, _, grade = dict(self.remap).get(named, named).partition("/")
        return rule, grade or None

    def origin(self, reference: str) -> str | None:
        """The rule that goes by another name here: it knows best what to do; else None."""
        return reference if reference in dict(self.remap) else None


@cache
def walker(type: Type, reference: str | None, ground: ShapeContext) -> Walk:
    """The check of a type; its faults count under `reference` where nothing names another rule."""
    return _BUILDERS[type.__class__](type, reference, ground)


def thorough_walker(type: Type, ground: ShapeContext) -> Walk:
    """The check of a type that has no shortcut past the whole of it; its parts may have theirs."""
    if not isinstance(type, Use):
        return walker(type, None, ground)
    return _members(type.shape, ground).read


LONGEST_KEY: Final = 80
"""Of a key of `_meta` so much is shown: the prefix alone can be long."""
WITH_SEVERAL_DEMANDS: Final = frozenset(
    (
        "SCHEMA-001",
        "SCHEMA-002",
        "SCHEMA-011",
        "JSONRPC-014",
        "LIFE-002",
        "LIFE-003",
        "PROMPT-002",
        "PROMPT-005",
        "PROMPT-006",
        "SAMP-001",
        "TASK-001",
        "CACHE-002",
    )
)
"""Rules about several members: what to do depends on what is wrong."""


def _fault(path: Path, text: str, rule: tuple[str, str | None], **more: Any) -> Found:
    return Found(path, text, rule[0], rule[1], **more)


def _instead(rule: tuple[str, str | None], path: Path, demand: str) -> str | None:
    """What to send at a place, None where the words of the rule say so themselves."""
    if rule[0] not in WITH_SEVERAL_DEMANDS:
        return None
    step = path[-1] if path else 0
    if isinstance(step, int):
        return f"Send {demand}."
    return f"Send {quote(step) if isinstance(step, MapKey) else step} as {demand}."


def _words_of(rule: str | None) -> str | None:
    words = load_rule(rule) if rule else None
    return words.instead if words else None


def _report_type(
    value: Any, path: Path, out: Faults, expected: str, rule: tuple[str, str | None]
) -> None:
    actual = json_type(value)
    if actual == "unreadable" or out.count_if_full(*rule):
        return
    wanted = PHRASES.get(expected, expected)
    text = f"{spot(path)} is {PHRASES[actual]}, not {wanted}."
    details = {"expected": expected, "actual": actual}
    out.append(_fault(path, text, rule, details=details, fix=_instead(rule, path, wanted)))


def _text(type: Text, reference: str | None, ground: ShapeContext) -> Walk:
    rule = ground.resolve(type.rule or reference)
    values = frozenset(type.values)
    checks = FORMATS[type.format].checks if type.format else ()
    demands = tuple(
        (check, ground.resolve(check.rule) if check.rule else rule, ground.origin(check.rule or ""))
        for check in checks
    )

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not str:
            _report_type(value, path, out, "string", rule)
        elif values and value not in values:
            _report_other(value, path, out, type.values, rule)
        else:
            for check, its_rule, origin in demands:
                if not check.accepts(value):
                    fix = _words_of(origin) or _instead(its_rule, path, check.words)
                    _report_format(value, path, out, check.words, its_rule, fix=fix)
                    return

    return walk


def _report_format(
    value: str,
    path: Path,
    out: Faults,
    words: str,
    rule: tuple[str, str | None],
    *,
    fix: str | None,
) -> None:
    if not out.count_if_full(*rule):
        seen = f"{quote(value)}, not {words}" if value else "empty"
        text = f"{spot(path)} is {seen}."
        out.append(_fault(path, text, rule, details={"expected": words}, fix=fix))


def _report_other(
    value: str, path: Path, out: Faults, values: tuple[str, ...], rule: tuple[str, str | None]
) -> None:
    if out.count_if_full(*rule):
        return
    near = nearest(value, values) if len(values) > 1 else None
    out.append(
        _fault(
            path,
            f"{spot(path)} is {quote(value)}, not {listing(values)}.",
            rule,
            details={"expected": list(values)} | ({"did_you_mean": near} if near else {}),
            fix=f"Did you mean {quote(near)}?" if near else _instead(rule, path, listing(values)),
        )
    )


def _is_integer(value: Any) -> bool:
    """1.0 is an integer; so is infinity, which stands for integers too long to keep."""
    return value.__class__ is int or (
        value.__class__ is float and (value.is_integer() or isinf(value))
    )


def _integer(type: Integer, reference: str | None, ground: ShapeContext) -> Walk:
    rule, minimum = ground.resolve(reference), type.minimum

    def walk(value: Any, path: Path, out: Faults) -> None:
        if not _is_integer(value):
            _report_type(value, path, out, "integer", rule)
        elif minimum is not None and value < minimum:
            text = f"{spot(path)} is {value}, less than {minimum}."
            fix = _instead(rule, path, f"an integer of {minimum} or more")
            out.append(_fault(path, text, rule, details={"minimum": minimum}, fix=fix))

    return walk


def _number(type: Number, reference: str | None, ground: ShapeContext) -> Walk:
    rule, minimum, maximum = ground.resolve(reference), type.minimum, type.maximum

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not int and value.__class__ is not float:
            _report_type(value, path, out, "number", rule)
        elif (minimum is not None and not value >= minimum) or (
            maximum is not None and not value <= maximum
        ):
            text = f"{spot(path)} is {value}, not between {minimum} and {maximum}."
            details = {"minimum": minimum, "maximum": maximum}
            fix = _instead(rule, path, f"a number from {minimum} to {maximum}")
            out.append(_fault(path, text, rule, details=details, fix=fix))

    return walk


def _boolean(type: Boolean, reference: str | None, ground: ShapeContext) -> Walk:
    rule = ground.resolve(reference)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not bool:
            _report_type(value, path, out, "boolean", rule)

    return walk


def _null(type: Null, reference: str | None, ground: ShapeContext) -> Walk:
    rule = ground.resolve(reference)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value is not None:
            _report_type(value, path, out, "null", rule)

    return walk


def _token(type: Token, reference: str | None, ground: ShapeContext) -> Walk:
    rule = ground.resolve(reference)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not str and not _is_integer(value):
            _report_type(value, path, out, "token", rule)

    return walk


def _anything(type: Anything, reference: str | None, ground: ShapeContext) -> Walk:
    def walk(value: Any, path: Path, out: Faults) -> None:
        """Any value will do."""

    return walk


def _list(type: ListOf, reference: str | None, ground: ShapeContext) -> Walk:
    rule, item = ground.resolve(reference), walker(type.item, reference, ground)
    most = type.most
    most_rule = ground.resolve(type.most_rule or reference)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not list:
            _report_type(value, path, out, "array", rule)
            return
        for index, entry in enumerate(value):
            item(entry, (*path, index), out)
        if most is not None and len(value) > most:
            text = f"{spot(path)} has {len(value)} items; at most {most} are allowed."
            out.append(_fault(path, text, most_rule, details={"maximum": most}))

    return walk


def _map(type: MapOf, reference: str | None, ground: ShapeContext) -> Walk:
    rule, entry = ground.resolve(reference), walker(type.value, reference, ground)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not dict:
            _report_type(value, path, out, "object", rule)
            return
        for name, member in value.items():
            entry(member, (*path, MapKey(name)), out)

    return walk


def _use(type: Use, reference: str | None, ground: ShapeContext) -> Walk:
    rule, passing = ground.resolve(reference), shortcut(type.shape, ground.revision)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not dict:
            _report_type(value, path, out, "object", rule)
        elif not (out.parsed and passing.accepts(value)):
            _members(type.shape, ground).read(value, path, out)

    return walk


class _ObjectWalk:
    """The compiled fields of a shape on some ground."""

    def __init__(self, shape: Shape, ground: ShapeContext) -> None:
        fields = shape.fields_in(ground.revision)
        self.walks: Final = {
            field.name: walker(field.type, field.rule or shape.rule, ground.inside(field))
            for field in fields
        }
        self.plain: Final = {field.name: _class_alone(field.type) for field in fields}
        self.needed: Final = tuple(field for field in fields if field.need != "optional")
        self.absent_rules: Final = {
            field.name: ground.resolve(field.absent or field.rule or shape.rule)
            for field in self.needed
        }
        self.later: Final[Mapping[str, str]] = (
            {} if shape.open else shape.later_fields(ground.revision)
        )
        self.folded: Final = {} if shape.open else {folded(name): name for name in self.walks}
        self.shape: Final = shape
        self.one_rule: Final = ground.resolve(shape.exactly_one_rule or None)
        self.one_origin: Final = ground.origin(shape.exactly_one_rule or "")

    def read(self, value: dict[str, Any], path: Path, out: Faults) -> None:
        """Append every fault of the object."""
        plain = self.plain
        for name, member in value.items():
            if name not in plain:
                self.unknown(name, path, out)
            elif plain[name] is not member.__class__:
                self.walks[name](member, (*path, name), out)
        if not self.absent_rules.keys() <= value.keys():
            for field in self.needed:
                if field.name not in value:
                    self.missing(field, value, path, out)
        if self.shape.exactly_one:
            self.exactly_one(value, path, out)

    def unknown(self, name: str, path: Path, out: Faults) -> None:
        """Look at a member that the revision does not define; most are the sender's business."""
        if self.shape.open:
            return
        place = (*path, name)
        if name in self.later:
            text = f"{spot(place)} is defined from {self.later[name]} on."
            details = {"defined_in": self.later[name]}
            out.append(Found(place, text, "SCHEMA-005", details=details, key=name))
        elif (meant := self.folded.get(folded(name))) is not None:
            text = f"{spot(place)} looks like a misspelling of {quote(meant)}."
            out.append(
                Found(
                    (*path, MapKey(name)),
                    text,
                    "LINT-001",
                    details={"did_you_mean": meant},
                    fix=f"Did you mean {quote(meant)}?",
                    key=meant,
                )
            )

    def missing(self, field: Field, value: dict[str, Any], path: Path, out: Faults) -> None:
        """Report a member that should be there."""
        place = (*path, field.name)
        if field.implied:
            self.walks[field.name]({}, place, out)
            return
        if out.count_if_full(*self.absent_rules[field.name]):
            return
        unknown = [name for name in value if name not in self.walks]
        near = next((name for name in unknown if folded(name) == folded(field.name)), None)
        near = near or (nearest(field.name, unknown) if unknown else None)
        out.append(
            _fault(
                place,
                f"{spot(place)} is missing.",
                self.absent_rules[field.name],
                details={"missing": field.name} | ({"did_you_mean": near} if near else {}),
                fix=f"Rename {quote(near)} to {quote(field.name)}."
                if near
                else _instead(self.absent_rules[field.name], place, _kind_of(field.type)),
            )
        )

    def exactly_one(self, value: dict[str, Any], path: Path, out: Faults) -> None:
        """Report an object that has none, or more than one, of the members that exclude others."""
        names = self.shape.exactly_one
        count = sum(name in value for name in names)
        if count != 1:
            has = "none" if count == 0 else "more than one"
            text = f"{spot(path)} has {has} of {listing(names, 'and')}; exactly one is needed."
            details, fix = {"exactly_one": list(names)}, _words_of(self.one_origin)
            out.append(_fault(path, text, self.one_rule, details=details, fix=fix))


def _kind_of(type: Type) -> str:
    """What a member is to be, as a sentence says it."""
    if isinstance(type, Text) and type.values:
        return listing(type.values)
    if isinstance(type, Text) and type.format:
        return FORMATS[type.format].checks[0].words
    return KINDS.get(type.__class__, "a value that the revision defines")


def _class_alone(type: Type) -> type | None:
    """The class that is all a value needs to be of the type; None where more is to be looked at."""
    if isinstance(type, Text):
        return str if not type.format and not type.values else None
    if isinstance(type, MapOf):
        return dict if isinstance(type.value, Anything) else None
    return bool if isinstance(type, Boolean) else None


@cache
def _members(shape: str, ground: ShapeContext) -> _ObjectWalk:
    return _ObjectWalk(SHAPES[shape], ground)


def _meta(type: Meta, reference: str | None, ground: ShapeContext) -> Walk:
    rule, members = ground.resolve(reference), _members(type.shape, ground)
    defined = defined_keys(ground.revision) | members.walks.keys()

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not dict:
            _report_type(value, path, out, "object", rule)
            return
        known = {name: value[name] for name in members.walks if name in value}
        members.read(known, path, out)
        for name in (name for name in value if name not in known):
            for broken, words in key_faults(name, ground.revision, defined):
                text = f"{quote(name, LONGEST_KEY)} {words}."
                out.append(Found((*path, MapKey(name)), text, broken))

    return walk


def _extensions(type: Extensions, reference: str | None, ground: ShapeContext) -> Walk:
    rule = ground.resolve(reference)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if value.__class__ is not dict:
            _report_type(value, path, out, "object", rule)
            return
        for name, settings in value.items():
            place = (*path, MapKey(name))
            if not is_prefixed_key(name):
                text = f"{quote(name)} is not an extension name such as com.example/feature."
                out.append(_fault(place, text, rule))
            if settings.__class__ is not dict:
                _report_type(settings, place, out, "object", rule)

    return walk


class _Cases:
    """The compiled alternatives of a Choice on some ground."""

    def __init__(self, type: Choice, reference: str | None, ground: ShapeContext) -> None:
        revision = ground.revision
        self.type: Final = type
        self.type_rule: Final = ground.resolve(reference)
        self.rule: Final = ground.resolve(type.rule)
        self.walks: Final = {
            case.value: walker(Use(case.shape), None, ground)
            for case in type.cases
            if case.since <= revision <= case.until
        }
        self.later: Final = {case.value: case.since for case in type.cases if case.since > revision}
        self.folded: Final = {folded(value): value for value in self.walks}
        self.other: Final = walker(Use(type.other), None, ground) if type.other else None

    def read(self, value: Any, path: Path, out: Faults) -> None:
        """Append every fault of the object, seen as the alternative that it says it is."""
        if value.__class__ is not dict:
            _report_type(value, path, out, "object", self.type_rule)
            return
        tag = value.get(self.type.by, self.type.default)
        place = (*path, self.type.by)
        if tag is None and self.type.by not in value:
            text = f"{spot(place)} is missing; it says what kind of object this is."
            out.append(_fault(place, text, self.rule, details={"missing": self.type.by}))
        elif tag.__class__ is not str:
            _report_type(tag, place, out, "string", self.rule)
        elif tag in self.walks:
            self.walks[tag](value, path, out)
        else:
            self.unknown(tag, value, path, out)

    def unknown(self, tag: str, value: dict[str, Any], path: Path, out: Faults) -> None:
        """Look at an alternative that the revision does not define here."""
        place = (*path, self.type.by)
        if tag in self.later:
            text = f"{spot(place)} is {quote(tag)}, which is defined from {self.later[tag]} on."
            out.append(_fault(place, text, self.rule, details={"defined_in": self.later[tag]}))
        elif self.other is not None and folded(tag) not in self.folded:
            self.other(value, path, out)
        else:
            _report_other(tag, place, out, tuple(self.walks), self.rule)


def _choice(type: Choice, reference: str | None, ground: ShapeContext) -> Walk:
    return _Cases(type, reference, ground).read


def _either(type: Either, reference: str | None, ground: ShapeContext) -> Walk:
    rule = ground.resolve(reference)
    options = tuple(
        (option, walker(option.type, reference, ground))
        for option in type.options
        if option.since <= ground.revision
    )

    rare = tuple(option.member for option, _ in options if option.rare)

    def walk(value: Any, path: Path, out: Faults) -> None:
        if rare and value.__class__ is dict and not any(member in value for member in rare):
            options[0][1](value, path, out)
            return
        meant, likeness = None, 0
        for option, walk_option in options:
            found = out.branch()
            walk_option(value, path, found)
            if not found.has_errors:
                out.take(found)
                return
            if _likeness(option, value) > likeness:
                meant, likeness = found, _likeness(option, value)
        if meant is not None:
            out.take(meant)
        else:
            _report_type(value, path, out, type.words, rule)

    return walk


def _likeness(option: Option, value: Any) -> int:
    """How much a value that fits no option looks like this one: not, by its type, by a member."""
    if value.__class__ is list:
        return int(isinstance(option.type, ListOf))
    if value.__class__ is not dict or not isinstance(option.type, Use | Choice):
        return 0
    if option.member is None:
        return 1
    recognised = option.member in value and option.value in (None, value[option.member])
    return 2 if recognised else 0


KINDS: Final[Mapping[type, str]] = {
    Text: "a string",
    Integer: "an integer",
    Number: "a number",
    Boolean: "true or false",
    Null: "null",
    Token: "a string or an integer",
    ListOf: "an array",
    MapOf: "an object",
    Use: "an object",
    Meta: "an object",
    Extensions: "an object",
    Choice: "an object",
}

_BUILDERS: Final[Mapping[type, Callable[[Any, str | None, ShapeContext], Walk]]] = {
    Text: _text,
    Integer: _integer,
    Number: _number,
    Boolean: _boolean,
    Null: _null,
    Token: _token,
    Anything: _anything,
    ListOf: _list,
    MapOf: _map,
    Use: _use,
    Meta: _meta,
    Extensions: _extensions,
    Choice: _choice,
    Either: _either,
}
