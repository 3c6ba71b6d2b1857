"""Values that are known for the fields of tools: given by the user, or learned from the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from mcp_assay.scenario.limits import MAX_MINED, MAX_MINED_PER_NAME, MAX_READ_TEXT
from mcp_assay.scenario.mined_values import Fact, FactKind, facts_of, nouns, texts_of
from mcp_assay.scenario.named_values import allowed_in, directories_in
from mcp_assay.scenario.usual_values import singular
from mcp_assay.text.names import name_parts, word_set

_TOOL_ARGUMENTS: Final = (("tool",), ("tool", "name"), ("tool", "id"))
"""The words of arguments that name a tool."""
_FOLDER_WORDS: Final = word_set("directory dir folder root cwd workspace")
_FILE_WORDS: Final = word_set("path file filename filepath source destination")


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
    allowed: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict)
    """Values that a refusal listed, by tool and by the pointer of the argument."""

    @classmethod
    def given(cls, tools: Mapping[str, Any]) -> Values:
        """The values of a configuration: what stands under [tools.NAME]."""
        return cls(examples={name: _examples(entry) for name, entry in tools.items()})

    def mine(self, tool: str, result: object, pointer: str = "") -> Values:
        """What is known after an answer of a tool; `pointer` is the argument that was wrong."""
        if not isinstance(result, Mapping):
            return self
        if result.get("isError") is True or "error" in result:
            return self._refused(tool, result, pointer)
        texts = texts_of(result)
        named = [path for text in texts for path in directories_in(text)]
        facts_seen = [
            fact for fact in facts_of(tool, result, texts) if fact.kind not in self.settled
        ]
        if not named and not facts_seen:
            return self
        facts, settled = _few_of_each((*self.facts, *facts_seen))
        directories = _without_repeats(self.directories, named)
        return replace(self, facts=facts, settled=settled, directories=directories)

    def is_taught_by(self, earlier: Values) -> bool:
        """Whether a refusal has named, since then, what may be used."""
        return (self.directories, self.allowed) != (earlier.directories, earlier.allowed)

    def of_field(self, tool: str, pointer: str, name: str) -> Iterator[Any]:
        """What is known for a field, the surest first."""
        yield from self._given(tool, pointer, name)
        yield from self.allowed.get((tool, pointer), ())
        yield from self._tools(tool, name)
        yield from self._paths(tool, name)
        yield from self._mined(tool, name)

    def _tools(self, tool: str, name: str) -> Iterator[str]:
        """The other tools, where an argument is the name of one."""
        if tuple(name_parts(name)) in _TOOL_ARGUMENTS:
            yield from (one for one in self.tool_names if one != tool)

    def _given(self, tool: str, pointer: str, name: str) -> Iterator[Any]:
        values = self.examples[tool].values if tool in self.examples else {}
        for known in (pointer, pointer.removeprefix("/"), name):
            if known in values:
                yield from values[known]
                return

    def _mined(self, tool: str, name: str) -> Iterator[Any]:
        """Facts whose last word is the field's, those that share most other words first."""
        *others, last = [singular(word) for word in name_parts(name)] or [""]
        about = frozenset(others) | nouns(tool)
        same = [fact for fact in self.facts if fact.name == last and fact.about >= {*others}]
        yield from (fact.value for fact in sorted(same, key=lambda fact: -len(fact.about & about)))

    def _paths(self, tool: str, name: str) -> Iterator[str]:
        words = set(name_parts(name))
        if not self.directories or not words & (_FOLDER_WORDS | _FILE_WORDS):
            return
        files = [
            f"{self.directories[0]}/{fact.value}" for fact in self.facts if fact.name == "file"
        ]
        wants_file = not words & _FOLDER_WORDS and "file" in nouns(tool) | {*map(singular, words)}
        yield from (*files, *self.directories) if wants_file else (*self.directories, *files)

    def _refused(self, tool: str, result: Mapping[str, Any], pointer: str) -> Values:
        text = "\n".join(texts_of(result))[:MAX_READ_TEXT]
        directories = _without_repeats(self.directories, directories_in(text))
        listed = allowed_in(text) if pointer else ()
        if not listed:
            return replace(self, directories=directories)
        known = self.allowed.get((tool, pointer), ())
        allowed = {**self.allowed, (tool, pointer): _without_repeats(known, listed)}
        return replace(self, directories=directories, allowed=allowed)


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
    return tuple(dict.fromkeys((*known, *new)))[:MAX_MINED]


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
