"""Tools that are others after the calls than before them, without a notification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from msgspec import Struct, convert, field

from mcp_assay.rules.engine.rule import Example, Found, register
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.text.words import listing, quote

SILENT: Final = "DRIFT-010"
ONLY_WORDS: Final = "only words"
IN_TURNS: Final = "in turns"
SAME_EVERYWHERE: Final = "Let all instances of the server list the same tools."
NOTIFY: Final = "Send notifications/tools/list_changed with each change."
MOST_TOOLS_NAMED: Final = 3
NOT_DECLARED: Final = "the server does not declare listChanged"


class Relisted(Struct, frozen=True, kw_only=True):
    """How a list of tools differs from the one before the calls, by the names of the tools."""

    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    other: dict[str, list[str]] = field(default_factory=dict)
    """The members of a definition that calls go by, where they are others."""
    reworded: list[str] = field(default_factory=list)
    """Tools of which only texts for people are others."""
    is_declared: bool = True
    """Whether the server says that it reports changes."""
    is_steady: bool = True
    """Whether it lists the same when it is asked once more."""
    is_in_turns: bool = False
    """Whether both lists keep coming back, each after the other."""
    calls: dict[str, int] = field(default_factory=dict)
    """How many calls went by definitions that hold no longer."""

    @property
    def is_changed(self) -> bool:
        """Whether anything is other than it was."""
        return bool(self.names)

    @property
    def is_binding(self) -> bool:
        """Whether something changed that calls go by."""
        return bool(self.gone or self.new or self.other)

    @property
    def names(self) -> list[str]:
        """The tools that changed."""
        return [*self.gone, *self.other, *self.new, *self.reworded]


def silent_change(seen: Relisted, during: Literal["run", "session"] = "run") -> Iterator[Found]:
    """What is to be said of a change of which no notice came."""
    if seen.is_binding and seen.is_in_turns:
        yield Found((), _in_turns(seen), rule=SILENT, key=IN_TURNS, fix=SAME_EVERYWHERE)
    elif seen.is_binding and seen.is_steady:
        fix = NOTIFY if seen.is_declared else None
        yield Found((), _changed(seen, during), rule=SILENT, fix=fix)
    elif seen.reworded and not seen.is_binding:
        text = f"{_reworded(seen, during)}; schemas and hints are unchanged."
        fix = NOTIFY if seen.is_declared else None
        yield Found((), text, rule=SILENT, grade=ONLY_WORDS, key=ONLY_WORDS, fix=fix)


def _changed(seen: Relisted, during: str) -> str:
    facts = [_differences(seen), *([] if seen.is_declared else [NOT_DECLARED]), *_called(seen)]
    return (
        f"The tools changed during the {during} without a list_changed notification: "
        f"{'; '.join(facts)}."
    )


def _in_turns(seen: Relisted) -> str:
    return (
        "The server returns two different lists of tools in turns, without a list_changed "
        f"notification: {_differences(seen)}."
    )


def _differences(seen: Relisted) -> str:
    others = [f"{quote(name)} has a changed {' and '.join(it)}" for name, it in seen.other.items()]
    parts = [
        *([f"{_some(seen.gone)} gone"] if seen.gone else []),
        *others[:MOST_TOOLS_NAMED],
        *(
            [f"{len(others) - MOST_TOOLS_NAMED} more changed"]
            if len(others) > MOST_TOOLS_NAMED
            else []
        ),
        *([f"{_some(seen.new)} new"] if seen.new else []),
    ]
    return ", ".join(parts)


def _called(seen: Relisted) -> Iterator[str]:
    """What was called by definitions that hold no longer."""
    if calls := sum(seen.calls.values()):
        made = "1 call" if calls == 1 else f"{calls} calls"
        yield f"up to {made} of {_named(list(seen.calls))} used an outdated definition"


def _reworded(seen: Relisted, during: str) -> str:
    words = f"Words in the definition{'s'[: len(seen.reworded) > 1]} of {_named(seen.reworded)}"
    if seen.is_steady:
        return f"{words} changed during the {during} without a list_changed notification"
    return f"{words} differ each time the tools are listed"


def _some(names: list[str]) -> str:
    return f"{_named(names)} {'is' if len(names) == 1 else 'are'}"


def _named(names: list[str]) -> str:
    more = len(names) - MOST_TOOLS_NAMED
    if more <= 0:
        return listing(names, "and")
    return f"{', '.join(map(quote, names[:MOST_TOOLS_NAMED]))} and {more} more"


def _example(**seen: Any) -> Example:
    """What was seen, after it was made sure that it can be seen."""
    convert(seen, Relisted)
    return Example(value=seen, revision=DEFAULT_REVISION)


register(
    SILENT,
    "tools-changed-silently",
    """The tools changed during the run without a list_changed notification.

    Why: clients cache the list: they call tools that are gone, send outdated arguments and miss new
    tools, and users are not asked again about a tool that has changed.
    Instead: declare tools.listChanged and send notifications/tools/list_changed with each change.
    """,
    subject="behaviour",
    reason="changed_silently",
    good=lambda: [
        _example(),
        _example(new=["close_note"], is_steady=False),
        _example(other={"find_note": ["inputSchema"]}, reworded=["open_note"], is_steady=False),
    ],
    bad=lambda: [
        _example(gone=["find_note"], calls={"find_note": 25}),
        _example(new=["close_note"], is_declared=False),
        _example(other={"find_note": ["annotations"]}),
        _example(reworded=["find_note"]),
        _example(reworded=["find_note"], is_steady=False),
        _example(new=["close_note"], is_steady=False, is_in_turns=True),
    ],
)
