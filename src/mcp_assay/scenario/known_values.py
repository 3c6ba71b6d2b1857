"""Values that are known for the fields of tools: given by the user, or learned from the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial, reduce
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from mcp_assay.scenario.contents_values import named_in
from mcp_assay.scenario.folder_contents import ending_of
from mcp_assay.scenario.lessons import (
    CHOICES,
    Demand,
    demands_in,
    tools_wanted_in,
    without_sent,
)
from mcp_assay.scenario.limits import MAX_LISTED, MAX_MINED, MAX_MINED_PER_NAME, MAX_READ_TEXT
from mcp_assay.scenario.mined_values import (
    Fact,
    FactKind,
    facts_of,
    facts_sent,
    nouns,
    spoken_texts_of,
    texts_of,
)
from mcp_assay.scenario.named_values import allowed_in, directories_in
from mcp_assay.scenario.path_values import (
    A_FILE,
    HERE,
    NEW_WORDS,
    SAMPLE,
    WRITING,
    KnownPlaces,
    is_path,
    is_path_name,
    is_relative_path,
    said_kind,
    usual_endings,
    wants_folder,
)
from mcp_assay.scenario.usual_values import noun, singular
from mcp_assay.text.call_order import LISTING, SEARCHING, creates, makes_anew, undoes
from mcp_assay.text.changing_verbs import is_looking_name
from mcp_assay.text.names import name_parts, word_set

_TOOL_ARGUMENTS: Final = (("tool",), ("tool", "name"), ("tool", "id"))
"""The words of arguments that name a tool."""


def _names_tool(argument: str) -> bool:
    return tuple(name_parts(argument)) in _TOOL_ARGUMENTS


EVERY_TOOL: Final = ""
NOTHING_SENT: Final[Mapping[str, Any]] = MappingProxyType({})


class ToolExamples(Struct, frozen=True, kw_only=True):
    """What the user says about a tool: arguments to accept, to refuse, and values of fields."""

    valid: tuple[dict[str, Any], ...] = ()
    invalid: tuple[dict[str, Any], ...] = ()
    values: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    reset: str | None = None
    """The tool that puts back what calls of this one change."""
    no_error: str | None = None
    """Why no arguments are wrong for it."""


class Values(Struct, frozen=True, kw_only=True):
    """All that is known; what is learned makes a new one, so that a plan stays repeatable."""

    examples: dict[str, ToolExamples] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    settled: frozenset[FactKind] = frozenset()
    """Of facts of these kinds enough are known."""
    directories: tuple[str, ...] = ()
    """Directories that the server said may be used."""
    tool_names: tuple[str, ...] = ()
    """The tools that the server lists, for arguments that name one."""
    listed_tools: tuple[str, ...] = ()
    preparing: frozenset[str] = frozenset()
    """The tools that others want to be called first, by their refusals."""
    allowed: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict)
    """Values that a refusal asked for, by tool and by the pointer or the name of the argument."""
    learned: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Values that a refusal asked for, by the name of the argument, for all tools that have it."""
    endings: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """How names of files must end, by tool and argument; for other tools under EVERY_TOOL."""
    needed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By tool, the arguments without which it refuses, whatever its schema says."""
    apart: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """By tool, the arguments of which it takes only one."""
    members: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """By tool and argument, what an object must have of which the schema says nothing."""
    is_absolute: bool = False
    """Whether the server wants absolute paths."""
    relative: frozenset[str] = frozenset()
    """The tools that want paths below the folder in which they work."""
    kinds: dict[tuple[str, str], str] = field(default_factory=dict)
    """By tool and argument, whether a path is to be a file or a folder."""
    places: KnownPlaces = KnownPlaces()
    told: tuple[str, ...] = ()
    """What the server says of its use, where examples may stand."""

    @classmethod
    def given(cls, tools: Mapping[str, Any]) -> Values:
        """The values of a configuration: what stands under [tools.NAME]."""
        return cls(examples={name: _examples(entry) for name, entry in tools.items()})

    def typed_for(self, tool: str) -> list[Any]:
        """The values of fields that the user gave for a tool."""
        known = self.examples.get(tool)
        return [value for values in known.values.values() for value in values] if known else []

    def learn(self, refusal: Mapping[str, Any], sent: SentArguments) -> Values:
        """What is known after an answer that refuses a call, by what it demands of arguments."""
        text = "\n".join(spoken_texts_of(refusal))[:MAX_READ_TEXT]
        found = demands_in(text, sent.values, sent.names, sent.pointer)
        demands = filter(None, (self._without_names(one, sent.names) for one in found))
        named = directories_in(without_sent(text, sent.values), is_refusal=True)
        directories = _without_repeats(tuple(named), self.directories)
        wanted = tools_wanted_in(text, (one for one in self.listed_tools if one != sent.tool))
        known = replace(self, directories=directories, preparing=self.preparing | wanted)
        return reduce(partial(_with_demand, sent.tool), demands, known)

    def _without_names(self, demand: Demand, arguments: Iterable[str]) -> Demand | None:
        """A demand without tools and arguments, which a refusal names and which are no values."""
        if not demand.values or any(map(_names_tool, demand.arguments)):
            return demand
        names = {*self.listed_tools, *arguments}
        kept = tuple(one for one in demand.values if not (isinstance(one, str) and one in names))
        return replace(demand, values=kept) if kept else None

    def mine(
        self,
        tool: str,
        result: object,
        pointer: str = "",
        sent: Mapping[str, Any] = NOTHING_SENT,
        *,
        is_odd: bool = False,
    ) -> Values:
        """What is known after an answer of a tool; `pointer` is the argument that was wrong."""
        if not isinstance(result, Mapping):
            return self
        if result.get("isError") is True or "error" in result:
            return self._refused(tool, result, pointer, sent)
        texts = texts_of(result)
        named = [path for text in texts for path in directories_in(text)]
        facts_seen = [
            fact for fact in facts_of(tool, result, texts) if fact.kind not in self.settled
        ]
        if not named and not facts_seen:
            return self
        told = (replace(fact, is_odd=is_odd) for fact in facts_seen)
        facts, settled = _few_of_each((*self.facts, *told))
        directories = _without_repeats(self.directories, named)
        return replace(self, facts=facts, settled=settled, directories=directories)

    def remember(self, tool: str, sent: Mapping[str, Any]) -> Values:
        """What is known after a tool has made something of these arguments."""
        new = (fact for fact in facts_sent(tool, sent) if fact.kind not in self.settled)
        facts, settled = _few_of_each((*self.facts, *new))
        return replace(self, facts=facts, settled=settled)

    def forget(self, tools: Collection[str]) -> Values:
        """What is known in another world, where these tools will make other things."""
        gone = {fact.value for fact in self.facts if fact.tool in tools}
        kept = tuple(fact for fact in self.facts if fact.value not in gone)
        settled = frozenset(kind for kind in self.settled if kind[0] not in tools)
        return replace(self, facts=kept, settled=settled)

    def listed(self, resources: Iterable[Any], texts: Iterable[str]) -> Values:
        """What is known after a server has listed its resources, and said how it is used."""
        uris = (one.get("uri") for one in resources if isinstance(one, Mapping))
        facts = [Fact("", "uri", _RESOURCE, uri) for uri in uris if isinstance(uri, str)]
        told = tuple(text[:MAX_READ_TEXT] for text in texts if text)
        return replace(
            self, facts=(*self.facts, *facts[:MAX_MINED_PER_NAME]), told=told[:MAX_LISTED]
        )

    def is_taught_by(self, earlier: Values) -> bool:
        """Whether a refusal has named, since then, what may be used."""
        return any(getattr(self, name) != getattr(earlier, name) for name in _LESSONS)

    def is_settled(self, tool: str, pointer: str, name: str) -> bool:
        """Whether the server has said what alone may stand in a field."""
        is_allowed = (tool, pointer) in self.allowed or (tool, name) in self.allowed
        if is_allowed or name in self.learned:
            return True
        return bool(self.directories or self._endings(tool, name)) and is_path(name, "")

    def of_field(self, tool: str, pointer: str, name: str, description: str = "") -> Iterator[Any]:
        """What is known for a field, the surest first."""
        yield from self._given(tool, pointer, name)
        yield from self.allowed.get((tool, pointer), ())
        yield from self.allowed.get((tool, name), ())
        yield from self.learned.get(name, ())
        yield from self._tools(tool, name)
        yield from self._returned_paths(tool, name)
        if _CLONE in name_parts(tool) and _is_address(name, description):
            yield from self.places.repository_addresses()
        if tool in self.places.with_paths:
            yield from named_in(self.places.known_to(tool), tool, name, description)
        endings = self._endings(tool, name)
        places = list(self._paths(tool, name, description))
        first = len(places) if creates(tool) else 1  # what a result has named is there
        first = 0 if self._has_made_file(tool, name) else first
        for value in (*places[:first], *self._mined(tool, name), *places[first:]):
            if not endings or not isinstance(value, str) or value.lower().endswith(endings):
                yield value

    def real_ones(self, tool: str, pointer: str, name: str) -> Iterator[Any]:
        """Values of a field that really exist: typed by the user, or seen in results."""
        yield from self._given(tool, pointer, name)
        yield from self._mined(tool, name)
        if tool in self.places.with_paths:
            yield from named_in(self.places.known_to(tool), tool, name, "")
            yield from self._other_places(tool, name)

    def _other_places(self, tool: str, name: str) -> Iterator[str]:
        """Another folder, or files of other kinds: what one gives shows nothing if all give it."""
        if is_path_name(name):
            is_folder = wants_folder(name) or _looks_through(tool, set())
            files = self._files(tool, "", (), is_relative=tool in self.relative)
            yield from self._folders(tool)[::-1] if is_folder else files

    def of_things(self, tool: str, name: str) -> Iterator[Any]:
        """What an argument is that names a thing which a result has named by all of its words."""
        *others, last = [*map(noun, name_parts(name))] or [""]
        if others and last in _NAMES:
            named = {fact.value for fact in self.facts if _nearness(fact, last, {*others}) == 0}
            yield from (value for value in self._mined(tool, name) if value in named)

    def _tools(self, tool: str, name: str) -> Iterator[str]:
        """The other tools, where an argument is the name of one."""
        if _names_tool(name):
            yield from (one for one in self.tool_names if one != tool)

    def _given(self, tool: str, pointer: str, name: str) -> Iterator[Any]:
        values = self.examples[tool].values if tool in self.examples else {}
        for known in (pointer, pointer.removeprefix("/"), name):
            if known in values:
                yield from values[known]
                return

    def _mined(self, tool: str, name: str) -> Iterator[Any]:
        """Facts of the field's name, or that name a thing of that name: what is sensible first."""
        *others, last = [*map(noun, name_parts(name))] or [""]
        about, words = frozenset(others) | nouns(tool), frozenset(others)
        found = [(fact, _nearness(fact, last, words)) for fact in self.facts]
        near = [(fact, steps) for fact, steps in found if steps is not None]
        if last in CHOICES:  # what one tool has to choose from is no choice of another
            near = [
                (fact, steps)
                for fact, steps in near
                if fact.tool == tool or steps == 0 < len(others)
            ]
        near.sort(key=lambda one: (one[0].is_odd, one[1], *_preference(one[0], about)))
        yield from (fact.value for fact, _ in near)

    def _paths(self, tool: str, name: str, description: str) -> Iterator[str]:
        """Files and folders, those first of which the field is more likely one."""
        is_named = is_path_name(name) if self.directories else is_path(name, description)
        if not is_named:
            return
        words = {*map(singular, name_parts(name))}
        said = said_kind(description)
        is_of_files = bool(A_FILE & (nouns(tool) | words)) and not _looks_through(tool, words)
        endings = self._endings(tool, name)
        wants_file = said == "file" or bool(endings) or (is_of_files and said != "folder")
        is_relative = is_relative_path(description)
        files = self._files(tool, f"{name} {tool} {description}", endings, is_relative=is_relative)
        folders = self.directories or self._folders(tool)
        is_copy = _CLONE in name_parts(tool)
        if folders and ((makes_anew(tool) and wants_folder(tool)) or is_copy):
            yield f"{folders[0]}/{SAMPLE}-folder"
        elif folders and words & NEW_WORDS:
            yield f"{folders[0]}/{SAMPLE}-new{endings[0] if endings else '.txt'}"
        elif folders and wants_file and not WRITING.isdisjoint(name_parts(tool)):
            usual = endings or usual_endings(name, tool)
            yield f"{folders[0]}/{SAMPLE}{usual[0] if usual else '.txt'}"
        is_likely = not (wants_folder(name) or endings or self.directories)
        if is_likely and (likely := usual_endings(name, tool)):
            yield from self._likely_files(tool, name, files, folders, likely)
        kind = self.kinds.get((tool, name))
        if undoes(tool) and kind != "file" and (wants_folder(name) or said == "folder"):
            yield from self.places.inner_folders(tool)
        if kind == "folder" or (wants_folder(name) and kind != "file"):
            yield from folders
        elif wants_file or kind == "file":
            has_known = any(fact.name == "file" for fact in self.facts)
            yield from (*files, *(() if has_known else folders))
        else:
            yield from (*folders, *files)

    def _likely_files(
        self,
        tool: str,
        name: str,
        files: Iterable[str],
        folders: Sequence[str],
        endings: tuple[str, ...],
    ) -> Iterator[str]:
        """Files of the likely kind: such as results have named, or lie there, or may be made."""
        known = [one for one in self._mined(tool, name) if isinstance(one, str)]
        found = [path for path in (*known, *files) if path.lower().endswith(endings)]
        made = [f"{folder}/{SAMPLE}{endings[0]}" for folder in folders[:1]]
        yield from (*made, *found) if makes_anew(tool) else (*found, *made)

    def _has_made_file(self, tool: str, name: str) -> bool:
        """Whether a tool that creates such things was given a file, by an argument of this name."""
        if creates(tool) or A_FILE.isdisjoint(name_parts(name)):
            return False
        last, about = noun(name_parts(name)[-1]), nouns(tool)
        made = (one for one in self.facts if one.name == last and creates(one.tool))
        return any(fact.about & about and ending_of(str(fact.value)) for fact in made)

    def _returned_paths(self, tool: str, name: str) -> Iterator[str]:
        """Files of the wanted kind that a result has named: they are there, unlike new ones."""
        endings = self._endings(tool, name)
        if endings and not creates(tool):
            found = (one for one in self._mined(tool, name) if isinstance(one, str))
            yield from (path for path in found if path.lower().endswith(endings))

    def _endings(self, tool: str, name: str) -> tuple[str, ...]:
        """How the names of files end that a tool takes: by its own words, else by another's."""
        return self.endings.get((tool, name)) or self.endings.get((EVERY_TOOL, name), ())

    def _folders(self, tool: str) -> tuple[str, ...]:
        known = self.places.folders(tool)
        return tuple(path for path in known if path != HERE) if self.is_absolute else known

    def _files(
        self, tool: str, about: str, endings: tuple[str, ...], *, is_relative: bool = False
    ) -> list[str]:
        """The files that are known, and new ones: those first where a tool does more than look."""
        folders = self.directories or self._folders(tool)[-1:]
        listed = [fact.value for fact in self.facts if fact.name == "file" and self.directories]
        known = [f"{self.directories[0]}/{name}" for name in listed]
        known += self._files_there(tool, about)
        if is_relative or tool in self.relative:
            return [self.places.below(path, self.directories) for path in known]
        if endings:
            known = [path for path in known if path.lower().endswith(endings)]
        new = [f"{folder}/{SAMPLE}{one}" for folder in folders[:1] for one in endings or (".txt",)]
        if not endings and not self.directories:
            return known
        is_new = bool(WRITING & {*name_parts(tool)}) or not (is_looking_name(tool) or known)
        return [*new, *known] if is_new else [*known, *new]

    def _files_there(self, tool: str, about: str) -> list[str]:
        """The files that are known, of those directories alone that the server has named."""
        known = self.places.files(tool, about)
        around = tuple(f"{one.rstrip('/')}/" for one in self.directories)
        return [path for path in known if path.startswith(around)] if around else known

    def _refused(
        self, tool: str, result: Mapping[str, Any], pointer: str, sent: Mapping[str, Any]
    ) -> Values:
        text = "\n".join(texts_of(result))[:MAX_READ_TEXT]
        named = directories_in(without_sent(text, sent), is_refusal=True)
        directories = _without_repeats(tuple(named), self.directories)
        others = {*self.listed_tools, *(() if _names_tool(pointer) else sent)}
        listed = tuple(one for one in allowed_in(text) if one not in others) if pointer else ()
        if not listed:
            return replace(self, directories=directories)
        known = self.allowed.get((tool, pointer), ())
        allowed = {**self.allowed, (tool, pointer): _without_repeats(known, listed)}
        return replace(self, directories=directories, allowed=allowed)


class SentArguments(Struct, frozen=True, kw_only=True):
    """What was sent to a tool, and what else could have been."""

    tool: str
    values: Mapping[str, Any]
    names: tuple[str, ...]
    """The arguments that it has."""
    pointer: str = ""
    """The one that was wrong, or varied."""


def _is_address(name: str, description: str) -> bool:
    """Whether an argument is where a repository is copied from, and not where it goes."""
    return "repositor" in f"{name} {description}".lower() and not is_path(name, description)


def _looks_through(tool: str, words: AbstractSet[str]) -> bool:
    """Whether a tool looks at all files of a folder: then a path is that of the folder."""
    parts = {*name_parts(tool)}
    is_through = not _MANY.isdisjoint(parts) and not (LISTING | SEARCHING).isdisjoint(parts)
    return is_through and "file" not in words


_MANY: Final = word_set("code content contents files")
"""What a tool looks through that is given a folder."""
_CLONE: Final = "clone"
"""What a tool does that copies a repository into a new folder."""
_RESOURCE: Final = frozenset({"resource"})
_LESSONS: Final = (
    *("directories", "allowed", "learned", "endings", "needed", "apart", "is_absolute"),
    *("relative", "preparing", "members", "kinds"),
)
"""What refusals teach."""


_NAMES: Final = word_set("id identifier key name number slug title uuid")
"""Last words of names by which a thing is asked for."""
_NO_THINGS: Final = word_set(
    "amount body code comment content data date description directory end expression file folder "
    "from input json keyword message note number path pattern prompt query search sentence sql "
    "start statement summary text time to type unit uri url value"
)
"""Arguments that are no names of things, though a tool be about them."""


def _preference(fact: Fact, about: frozenset[str]) -> tuple[int, bool]:
    """What orders facts that are equally near: their words, then what a call of ours has made."""
    return -len(fact.about & about), not creates(fact.tool)


def _nearness(fact: Fact, last: str, others: AbstractSet[str]) -> int | None:
    """How far the name of a fact is from that of a field; None if it is another one."""
    if fact.name == last:
        return (0 if fact.named >= others else 1) if fact.about >= others else None
    if last in _NAMES and fact.name in others:  # the "table" that a "table_name" names
        return 2 if fact.about >= others - {fact.name} else None
    if last in _NO_THINGS or last in _NAMES or fact.name not in _NAMES:
        return None
    return 3 if last in fact.about and fact.about >= others else None  # a "project" by its name


def _with_demand(tool: str, known: Values, demand: Demand) -> Values:
    """What is known, and what one more demand says."""
    names = demand.arguments
    match demand.kind:
        case "absolute" | "relative" | "file" | "folder":
            return _with_path_kind(tool, known, demand)
        case "needed":
            all_needed = _without_repeats(known.needed.get(tool, ()), names)
            return replace(known, needed={**known.needed, tool: all_needed})
        case "apart":
            groups = tuple(dict.fromkeys((*known.apart.get(tool, ()), names)))
            return replace(known, apart={**known.apart, tool: groups[:MAX_LISTED]})
        case "members":
            keys = [(tool, name) for name in names]
            all_of = {
                key: _without_repeats(known.members.get(key, ()), demand.values) for key in keys
            }
            return replace(known, members={**known.members, **all_of})
        case "ending" | "values" | "own_values":
            return _with_values(tool, known, demand)


def _with_path_kind(tool: str, known: Values, demand: Demand) -> Values:
    """What is known, and of what kind paths are to be."""
    if demand.kind == "absolute":
        return replace(known, is_absolute=True)
    if demand.kind == "relative":
        return replace(known, relative=known.relative | {tool})
    kinds = {(tool, name): demand.kind for name in demand.arguments}
    return replace(known, kinds={**known.kinds, **kinds})


def _with_values(tool: str, known: Values, demand: Demand) -> Values:
    """What is known, and the values or endings that one more demand lists."""
    names, values = demand.arguments, demand.values
    if demand.kind == "own_values":
        return replace(known, allowed={**known.allowed, **_own_values(tool, known, demand)})
    if demand.kind == "ending":
        places = [(one, name) for name in names for one in (tool, EVERY_TOOL)]
        endings = {key: _narrowed(known.endings.get(key, ()), values) for key in places}
        return replace(known, endings={**known.endings, **endings})
    learned = {name: _without_repeats(values, known.learned.get(name, ())) for name in names}
    return replace(known, learned={**known.learned, **learned})


def _own_values(
    tool: str, known: Values, demand: Demand
) -> Mapping[tuple[str, str], tuple[Any, ...]]:
    """Values that one tool alone asks for, before those that it asked for earlier."""
    keys = [(tool, name) for name in demand.arguments]
    return {key: _without_repeats(demand.values, known.allowed.get(key, ())) for key in keys}


def _narrowed(known: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """What is allowed by both, else by the later: one tool may take less than another."""
    return tuple(one for one in known if one in new) or new


def _examples(entry: Any) -> ToolExamples:
    members = entry if isinstance(entry, Mapping) else {}
    values = members.get("values")
    named = values.items() if isinstance(values, Mapping) else ()
    return ToolExamples(
        valid=_objects(members.get("valid")),
        invalid=_objects(members.get("invalid")),
        values={name: tuple(ones) for name, ones in named if isinstance(ones, list | tuple)},
        reset=_text(members.get("reset")),
        no_error=_text(members.get("no_error")),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _objects(value: Any) -> tuple[dict[str, Any], ...]:
    listed = value if isinstance(value, list | tuple) else ()
    return tuple(dict(one) for one in listed if isinstance(one, Mapping))


def _without_repeats(known: tuple[Any, ...], new: Iterable[str]) -> tuple[Any, ...]:
    # Lists and objects are among them, which have no hash.
    return tuple({repr(one): one for one in (*known, *new)}.values())[:MAX_MINED]


def _few_of_each(facts: tuple[Fact, ...]) -> tuple[tuple[Fact, ...], frozenset[FactKind]]:
    """Each fact once, no more than a few of one kind, and the kinds of which there are so many."""
    kept: list[Fact] = []
    count = Counter[FactKind]()
    for fact in dict.fromkeys(facts):
        count[fact.kind] += 1
        if count[fact.kind] <= MAX_MINED_PER_NAME:
            kept.append(fact)
    settled = frozenset(kind for kind in count if count[kind] >= MAX_MINED_PER_NAME)
    return tuple(kept[:MAX_MINED]), settled
