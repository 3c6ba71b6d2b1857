"""Which annotations the calls of a tool support, as far as a disposable world has watched them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.effect import ConnectionTry, Effects, FileChange
from mcp_assay.model.tool import HintEvidence, ProposedAnnotations
from mcp_assay.rules.behaviour.hints import LEAST_CALLS, is_contradicted
from mcp_assay.text.changing_verbs import only_adds
from mcp_assay.text.lines import counted
from mcp_assay.text.names import name_words, word_set
from mcp_assay.text.reading_arguments import arguments_of
from mcp_assay.text.reading_tools import only_reads
from mcp_assay.text.reading_words import ANY_QUERY
from mcp_assay.text.steady_names import steady

LEAST_DIFFERENT: Final = 3
"""So many of them must have had arguments of their own, where the tool takes any."""
LEAST_SEEN: Final = 2
"""So often must an effect have come that speaks against what a tool says of itself."""
LEAST_REPEATED: Final = 2
"""So often must an equal call have followed on a call that changed something."""
LONGEST_READ: Final = 4_000
"""So much of a description is read."""
NETWORK: Final = word_set(
    """
    api apis browse browser cloud crawl dns domain download downloads email endpoint endpoints fetch
    ftp github gitlab host hostname hosts http https internet ip link links mail network online
    push pull remote repository scrape site sites slack smtp socket ssh twitter
    upload url urls web webhook webpage webpages website websites wikipedia
    """
)
"""Words of tools that may reach somebody else, though no call of a run made them do so."""
REMOVING: Final = word_set(
    """
    change changes clear clears delete deletes edit edits existing modifies modify overwrite
    overwrites overwriting remove removes rename replace replaced replaces reset resets truncate
    update updates
    """
)
"""Words of tools that may take away what was there, though no call of a run made them do so."""
RUNNING: Final = ANY_QUERY | word_set("args argv commands eval exec execute program query run")
"""Words of tools that do whatever they are told."""
_WORDS: Final = re.compile(r"[A-Za-z]+")

Support: TypeAlias = tuple[bool | None, str]
"""What is supported, None where nothing is; and why."""


class WatchedCall(NamedTuple):
    """A call, with what it did to the machine."""

    call: Call
    effects: Effects

    @property
    def changes(self) -> list[FileChange]:
        """The lasting changes of files that came before its answer."""
        return [one for one in self.effects.kept_files if not (one.temporary or one.late)]

    @property
    def arguments(self) -> str:
        """What was sent, to be compared."""
        return _key(self.call.scenario.arguments, self.call)

    @property
    def answer(self) -> str:
        """What came back, without times and numbers made by chance."""
        return steady(_key(self.call.answer.result, self.call))


def _key(value: object, call: Call) -> str:
    """What equal values have in common; one that cannot be compared is equal to no other."""
    try:
        return json.dumps(value, sort_keys=True)
    except (RecursionError, TypeError, ValueError):
        return f"call {call.number}"


class WatchedTool:
    """The calls of a tool that somebody has watched."""

    def __init__(self, run: ToolRun, repeats: RepeatedCalls) -> None:
        self.run: Final = run
        self.repeats: Final = repeats
        self.calls: Final = [
            WatchedCall(call, call.effects) for call in run.calls if call.effects is not None
        ]
        self.succeeded: Final = [one for one in self.calls if one.call.verdict.succeeded]
        self.changing: Final = [one for one in self.succeeded if one.changes]
        self.says_reading: Final = only_reads(run.tool)

    @property
    def number(self) -> int:
        """How many valid calls succeeded."""
        return len(self.succeeded)

    @property
    def is_told_enough(self) -> bool:
        """Whether so much was called that what nobody has seen may be proposed."""
        different = len({one.arguments for one in self.succeeded})
        is_varied = different >= LEAST_DIFFERENT or not arguments_of(self.run.tool)
        return self.number >= LEAST_CALLS and is_varied

    def words(self) -> set[str]:
        """The words of its name, of its description and of its arguments."""
        described = [self.run.tool, *arguments_of(self.run.tool).values()]
        texts = [one.get("description") for one in described if isinstance(one, Mapping)]
        known = self.argument_words() | {*name_words(self.run.name)}
        for text in texts:
            shown = text[:LONGEST_READ] if isinstance(text, str) else ""
            known.update(word.lower() for word in _WORDS.findall(shown))
        return known

    def argument_words(self) -> set[str]:
        """The words of the names of its arguments."""
        return {word for name in arguments_of(self.run.tool) for word in name_words(name)}

    @property
    def own_obstacle(self) -> str:
        """What keeps a tool without any change of a file from being one that only reads."""
        return next((words for is_there, words in OBSTACLES if is_there(self)), "")


class RepeatedCalls(NamedTuple):
    """Calls that were made again at once."""

    pairs: Sequence[tuple[WatchedCall, WatchedCall]]

    @property
    def on_change(self) -> list[tuple[WatchedCall, WatchedCall]]:
        """Those of which the first changed something."""
        return [(first, second) for first, second in self.pairs if first.changes]

    @property
    def is_steady(self) -> bool:
        """Whether equal calls had equal answers, but for times and numbers made by chance."""
        return all(first.answer == second.answer for first, second in self.pairs)


def repeats_of(tool: str, compared: Sequence[Call]) -> RepeatedCalls:
    """The equal calls of a tool among those that were made to compare what they change."""
    return RepeatedCalls(
        [
            (WatchedCall(first, first.effects), WatchedCall(second, second.effects))
            for first, second in pairwise(compared)
            if first.effects is not None and second.effects is not None
            if _is_repeat(tool, first, second)
        ]
    )


def _is_repeat(tool: str, first: Call, second: Call) -> bool:
    """Whether a call of a tool was made again at once, and both succeeded."""
    return (
        first.scenario.tool == second.scenario.tool == tool
        and second.number == first.number + 1
        and first.verdict.succeeded
        and second.verdict.succeeded
        and first.scenario.arguments == second.scenario.arguments
    )


def is_idle_reader(run: ToolRun) -> bool:
    """Whether a tool says in words that it only reads, and was watched changing no file."""
    watched = [one.effects for one in run.calls if one.effects is not None]
    is_idle = bool(watched) and not any(one.kept_files for one in watched)
    return is_idle and only_reads(run.tool)


def proposed_annotations(run: ToolRun, compared: Sequence[Call] = ()) -> ProposedAnnotations | None:
    """What the calls of a tool say of its hints; None where no watched call succeeded.

    `compared` are calls of any tool that were made to see what others change.
    """
    tool = WatchedTool(run, repeats_of(run.name, compared))
    if not tool.succeeded or run.is_duplicate:
        return None
    reading = _reading(tool)
    supports: dict[str, Support] = {
        "readOnlyHint": reading,
        "destructiveHint": _destroying(tool, reading[0]),
        "idempotentHint": _repeatable(tool, reading[0]),
        "openWorldHint": _reaching_out(tool),
    }
    declared = run.tool.get("annotations")
    given = declared if isinstance(declared, dict) else {}
    hints = [
        HintEvidence(
            hint=hint,
            declared=given.get(hint) if isinstance(given.get(hint), bool) else None,
            supported=value,
            calls=len(tool.repeats.on_change) if hint == "idempotentHint" else tool.number,
            reason=reason,
        )
        for hint, (value, reason) in supports.items()
    ]
    return ProposedAnnotations(
        annotations={one.hint: one.supported for one in hints if one.supported is not None},
        hints=hints,
    )


def _reading(tool: WatchedTool) -> Support:
    """Whether it only reads."""
    if tool.changing:
        seen = f"files changed in {_of(len(tool.changing), tool)}"
        if len(tool.changing) >= LEAST_SEEN or not tool.says_reading:
            return False, seen
        return None, f"{seen}, though it says that it only reads"
    if is_contradicted(tool.run.observations, "reads"):
        return False, "another tool answered otherwise after each of its calls"
    if obstacle := tool.own_obstacle:
        return None, obstacle
    return True, f"no effect seen in {_calls(tool)}"


def _destroying(tool: WatchedTool, only_reads: bool | None) -> Support:
    """Whether it takes away what was there."""
    if only_reads is None:
        return None, "whether it changes anything is not known"
    if only_reads:
        return False, f"no effect seen in {_calls(tool)}"
    if lost := [one for one in tool.changing if any(map(_is_loss, one.changes))]:
        return True, f"something was deleted in {_of(len(lost), tool)}"
    missing = _not_only_adding(tool)
    return (None, missing) if missing else (False, f"only additions seen in {_calls(tool)}")


def _not_only_adding(tool: WatchedTool) -> str:
    """What is missing to say of a tool that it only adds; "" where nothing is."""
    if not all(_is_addition(change) for one in tool.changing for change in one.changes):
        return "files were rewritten, which may take something away or not"
    if not only_adds(tool.run.name) or not REMOVING.isdisjoint(tool.words()):
        return "only additions were seen, but it may do more by its name or description"
    is_enough = tool.is_told_enough and len(tool.changing) >= LEAST_DIFFERENT
    return "" if is_enough else _too_few(tool)


def _is_loss(change: FileChange) -> bool:
    """Whether a file is gone, or what was in it, with nothing in its place."""
    before, after = change.before, change.after
    is_emptied = before is not None and after is not None and before.size and after.size == 0
    added, removed = _lines(change)
    return change.what == "deleted" or bool(is_emptied) or bool(removed and not added)


def _is_addition(change: FileChange) -> bool:
    """Whether all that was there is still there."""
    added, removed = _lines(change)
    is_longer = change.what == "changed" and bool(added) and not removed
    return change.what == "created" or is_longer


def _lines(change: FileChange) -> tuple[int, int]:
    """How many lines were added and removed, as far as the difference is known."""
    lines = (change.diff or "").splitlines()
    return sum(one[:1] == "+" for one in lines), sum(one[:1] == "-" for one in lines)


def _repeatable(tool: WatchedTool, only_reads: bool | None) -> Support:
    """Whether an equal call that follows on another changes nothing more."""
    if only_reads:
        return None, "it is only about tools that change something"
    pairs = tool.repeats.on_change
    if only_reads is None or len(pairs) < LEAST_REPEATED:
        return None, f"{counted(len(pairs), 'equal call')} followed on one that changed something"
    again = [second for _, second in pairs if second.changes]
    if len(again) >= LEAST_SEEN:
        return False, f"{len(again)} of {counted(len(pairs), 'repeated call')} changed files again"
    if again or any(_is_reached(one.effects) or one.effects.late for one in tool.calls):
        return None, "not all that repeated calls do was seen clearly"
    return True, f"no further effect seen in {counted(len(pairs), 'repeated call')}"


def _reaching_out(tool: WatchedTool) -> Support:
    """Whether it reaches somebody beyond this machine."""
    asking = [one for one in tool.calls if _is_reached(one.effects)]
    if asking:
        if all(one.effects.late for one in asking):
            return None, "hosts were asked for only after answers"
        number = f"{len(asking)} of {counted(len(tool.calls), 'call')}"
        return True, f"{_host(asking[0].effects)} asked for in {number}"
    if not tool.is_told_enough:
        return None, _too_few(tool)
    if not NETWORK.isdisjoint(tool.words()):
        return None, "its name, description or arguments speak of a network"
    if not tool.says_reading and not RUNNING.isdisjoint(tool.argument_words()):
        return None, "it may reach any host if its arguments say so"
    return False, f"no host asked for in {_calls(tool)}"


def _is_reached(effects: Effects) -> bool:
    return bool(effects.names) or any(not _is_own(one) for one in effects.connections)


def _host(effects: Effects) -> str:
    addresses = [one.host or one.address for one in effects.connections if not _is_own(one)]
    return [*effects.names, *addresses][0]


def _is_own(found: ConnectionTry) -> bool:
    """Whether an address is that of the machine itself."""
    try:
        return ip_address(found.address).is_loopback
    except ValueError:
        return False


def _calls(tool: WatchedTool) -> str:
    return counted(tool.number, "call")


def _of(number: int, tool: WatchedTool) -> str:
    return f"{number} of {counted(tool.number, 'call')}"


def _too_few(tool: WatchedTool) -> str:
    return (
        f"{counted(tool.number, 'valid call')} succeeded; needed are {LEAST_CALLS}, "
        f"{LEAST_DIFFERENT} of them different"
    )


def _changes_otherwise(tool: WatchedTool) -> bool:
    return any(one.changes for one in tool.calls)


def _is_seen_by_others(tool: WatchedTool) -> bool:
    return any(one.asking == "reads" and one.is_changed for one in tool.run.observations)


OBSTACLES: Final[tuple[tuple[Callable[[WatchedTool], bool], str], ...]] = (
    (_changes_otherwise, "files changed in calls that did not succeed"),
    (
        lambda tool: any(one.effects.kept_files for one in tool.calls),
        "temporary files were left, or files changed after an answer",
    ),
    (lambda tool: any(one.effects.processes for one in tool.calls), "processes were left running"),
    (
        lambda tool: any(_is_reached(one.effects) for one in tool.calls),
        "hosts were asked for, and what is changed there is not seen",
    ),
    (
        lambda tool: any(one.effects.left_out for one in tool.calls),
        "more happened than could be recorded",
    ),
    (_is_seen_by_others, "another tool answered otherwise after its calls"),
    (lambda tool: not tool.repeats.is_steady, "equal calls were answered differently"),
    (
        lambda tool: not tool.says_reading,
        "its name, description or arguments do not say that it only reads",
    ),
    (lambda tool: not tool.is_told_enough, "too few valid calls succeeded"),
)
"""What speaks against a tool that only reads though no call changed a file, in words."""
