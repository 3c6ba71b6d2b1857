"""Tools that only read and answer steadily: which of them can show what another tool changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from msgspec import Struct

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import AGAIN, Scenario
from mcp_assay.scenario.mined_values import nouns
from mcp_assay.text.call_order import Deed, deed_of
from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, LOOKING
from mcp_assay.text.digests import sha256
from mcp_assay.text.names import name_words, word_set
from mcp_assay.text.secrets import texts_in

MOST_OBSERVERS: Final = 2
"""So many tools look at one."""
LONGEST_ROUND: Final = 1.0
"""Seconds; what changes in a longer time may have changed by itself, so slow calls are left out."""
LONGEST_DESCRIPTION: Final = 1_000
MOST_ARGUMENTS: Final = 50
"""So much of a definition is read."""

ABOUT_CALLS: Final = word_set(
    "audit cache health limit limits log logs metric metrics quota session sessions statistic "
    "statistics stats telemetry usage"
)
"""Words of tools whose answers may change with every call, and rightly so."""
GENERIC: Final = word_set(
    """
    a about after all also an and any api are argument array as at available be been before
    boolean but by call can client content count current data date default details each entry
    every false field filter first for format from given have id identifier if in info
    information input integer into is it item its json key kind last latest limit log many
    match matching max maximum message min minimum more most name new no none not null number
    object of offset on one only optional or order output page parameter path per provided
    query recent record related request required response result return returned server should
    size sort specific state status string such system tag term text that the their them then
    there these they this time title to tool true type up uri url use used user using uuid
    value version was when where whether which will with without you your
    """
)
"""Words, in the singular, that arguments and descriptions of any server have."""
VERBS: Final = ALWAYS_CHANGING | LOOKING
"""What is done, not what it is done to."""
SHORTEST_TELLING: Final = 4
"""Shorter texts are in answers by chance."""
MOST_CALLS: Final = 3
"""So many calls of a tool are looked for in the answers of others."""


class ObserverTool(Struct, frozen=True):
    """A tool that only reads, and a call that it answers always the same."""

    tool: dict[str, Any]
    scenario: Scenario

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.scenario.tool

    @property
    def is_about_calls(self) -> bool:
        """Whether its name says that it keeps account of calls."""
        return not ABOUT_CALLS.isdisjoint(name_words(self.name))


class Topic(NamedTuple):
    """What a tool is about: the nouns of its name, of its arguments and of its description."""

    name: frozenset[str]
    arguments: frozenset[str]
    description: frozenset[str]

    def closeness(self, other: Topic) -> int:
        """How much two tools have in common; 0 where nothing says that they are about one thing."""
        return (
            3 * len(self.name & other.name)
            + 2 * len((self.name | self.arguments) & (other.name | other.arguments))
            + len(self.name & other.description)
            + len(self.description & other.name)
        )


class Observers(NamedTuple):
    """The tools that look at another one."""

    chosen: tuple[ObserverTool, ...]
    related: frozenset[str]
    """The names of those that are about the same things: only they can confirm anything."""


def topic_of(tool: Mapping[str, Any]) -> Topic:
    """What a tool is about, by its own words."""
    schema = tool.get("inputSchema")
    given = schema.get("properties") if isinstance(schema, dict) else None
    arguments = list(given)[:MOST_ARGUMENTS] if isinstance(given, dict) else []
    description = tool.get("description")
    told = description[:LONGEST_DESCRIPTION] if isinstance(description, str) else ""
    return Topic(
        _nouns(str(tool.get("name", ""))),
        _nouns(" ".join(arguments)) - GENERIC,
        _nouns(told) - GENERIC,
    )


def _nouns(words: str) -> frozenset[str]:
    return frozenset(word for word in nouns(words) - VERBS if not word.isdecimal())


def observers_among(runs: Iterable[ToolRun]) -> list[ObserverTool]:
    """The tools that only read, and gave the same answer to the same call."""
    steady = ((run, _repeated(run)) for run in runs)
    return [ObserverTool(run.tool, scenario) for run, scenario in steady if scenario is not None]


def observers_for(tool: dict[str, Any], observers: Sequence[ObserverTool]) -> Observers:
    """The tools that look at one: those with which it has most in common, else any."""
    topic = topic_of(tool)
    closeness = {
        one.name: topic.closeness(topic_of(one.tool)) for one in observers if one.tool is not tool
    }
    others = [one for one in observers if one.name in closeness]
    others.sort(key=lambda one: (-closeness[one.name], one.is_about_calls))
    chosen = tuple(others[:MOST_OBSERVERS])
    return Observers(chosen, frozenset(one.name for one in chosen if closeness[one.name]))


def answer_key(call: Call) -> str:
    """What equal answers have in common; each answer that cannot be compared is one of its own."""
    result = call.answer.result
    if not isinstance(result, dict):
        return f"no result of call {call.number}"
    try:
        members = {name: value for name, value in result.items() if name != "_meta"}
        return sha256(orjson.dumps(members, option=orjson.OPT_SORT_KEYS)).hexdigest()
    except TypeError:
        return f"no text of call {call.number}"


def is_quick(call: Call) -> bool:
    """Whether a call can be made again within a round."""
    return call.answer.seconds <= LONGEST_ROUND


def _repeated(run: ToolRun) -> Scenario | None:
    """A call that was made twice, and answered in the same way."""
    again = next((one for one in run.calls if one.scenario.name == AGAIN and is_quick(one)), None)
    if again is None:
        return None
    arguments = again.scenario.arguments
    keys = {answer_key(call) for call in run.calls if call.scenario.arguments == arguments}
    return again.scenario if len(keys) == 1 else None


def is_shown_by_others(run: ToolRun, runs: Iterable[ToolRun]) -> bool:
    """Whether a reader shows a text that a call of this tool was given, and showed none before."""
    readers = [one for one in runs if one.name != run.name and deed_of(one.tool) is Deed.READS]
    answers = [call for one in readers for call in one.calls if call.verdict.succeeded]
    made = [call for call in run.calls if call.verdict.succeeded][:MOST_CALLS]
    return any(_is_shown(text, call.number, answers) for call in made for text in _texts(call))


def _texts(call: Call) -> set[str]:
    texts = {text for _, text in texts_in(call.scenario.arguments)}
    return {one for one in texts if len(one) >= SHORTEST_TELLING and one.isascii()}


def _is_shown(text: str, number: int, answers: Iterable[Call]) -> bool:
    """Whether answers after this call have the text and none before, which was not asked for."""
    holding = [one for one in answers if text.encode() in one.answer.text]
    telling = [one for one in holding if text not in _texts(one)]
    return bool(telling) and all(one.number > number for one in holding)
