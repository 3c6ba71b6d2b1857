"""In which order tools are best called: those that read, that add, and that change or destroy.

What a tool adds spoils nothing for the next one, and may be what that needs: tools that read what
another one creates come after that.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from mcp_assay.text.changing_verbs import changing_verb_in, is_looking_name, only_adds
from mcp_assay.text.names import name_words, word_set


class Deed(IntEnum):
    """What a tool does with what is there, as far as its name and hints tell; the least first."""

    READS = 0
    ADDS = 1
    """Or nobody knows: what is there most likely stays."""
    CHANGES = 2


def deed_of(tool: dict[str, Any]) -> Deed:
    """What a tool does, by the words of its name and by its hints: mostly the worst of both.

    destructiveHint is the default of whatever does more than read, so it does not turn a tool that
    adds by its name into one that destroys.
    """
    hints = tool.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    name = str(tool.get("name", ""))
    if only_adds(name):
        return Deed.ADDS
    if changing_verb_in(name) is not None or hints.get("destructiveHint") not in (None, False):
        return Deed.CHANGES
    is_reading = hints.get("readOnlyHint") is True or is_looking_name(name)
    return Deed.READS if is_reading else Deed.ADDS


IDENTIFIERS: Final = word_set("id ids key name names number title uuid")
"""Last words of arguments that name a thing; those before say which."""
CREATING: Final = word_set("add append create draft init insert make new open register start store")
UNDOING: Final = word_set(
    "abort archive cancel cleanup clear close delete destroy disconnect drop end erase exit "
    "finalize kill logout prune purge remove reset revoke rm shutdown stop terminate truncate undo "
    "uninstall unregister unset wipe"
)
ANEW: Final = word_set("create make mkdir new")
"""Those of them by which a thing comes to be: what is opened or registered is there before."""
LISTING: Final = word_set("all browse catalog discover enumerate index list ls tree")
SEARCHING: Final = word_set("find latest query recent search")


def in_call_order(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools in the order in which they are best called."""
    created = {thing for tool in tools if deed_of(tool) is Deed.ADDS for thing in _created(tool)}
    return sorted(tools, key=lambda tool: _rank(tool, created))


def _rank(tool: dict[str, Any], created: set[str]) -> tuple[Deed, bool, int, int]:
    """Where a tool stands: by its deed, by whether it needs what others create, and by its promise.

    One that reads what others create comes with those, after them.
    """
    deed, missing = deed_of(tool), len(_needed(tool) & (created - _created(tool)))
    words = name_words(str(tool.get("name", "")))
    promise = 0 if LISTING & {*words} else 1 if SEARCHING & {*words} else 2
    if deed is Deed.READS and missing and promise:
        return Deed.ADDS, True, missing, promise
    return (deed, False, promise, missing) if deed is Deed.READS else (deed, False, missing, 0)


def creates(name: str) -> bool:
    """Whether a tool of this name creates something."""
    return not CREATING.isdisjoint(_verb(name))


def makes_anew(name: str) -> bool:
    """Whether what a tool of this name creates was not there before."""
    return not ANEW.isdisjoint(_verb(name))


def _verb(name: str) -> list[str]:
    """The first word of a name; the second where that may be what all tools of a server begin with.

    Of "git_create_branch" it is "create", of "get_new_items" it is "get".
    """
    words = name_words(name)
    is_verb = not words or changing_verb_in(words[0]) is not None or is_looking_name(words[0])
    return words[:1] if is_verb or words[0] in CREATING | UNDOING else words[1:2]


def undoes(name: str) -> bool:
    """Whether a tool of this name takes away what others have made."""
    return not UNDOING.isdisjoint(name_words(name))


def needed_things(tool: dict[str, Any]) -> set[str]:
    """What a tool is about, or must be given, in the singular."""
    own = {_singular(word) for word in name_words(str(tool.get("name", "")))[1:]}
    return own | _needed(tool)


def _created(tool: dict[str, Any]) -> set[str]:
    """The things that a tool creates, by its name."""
    name = str(tool.get("name", ""))
    return {_singular(word) for word in name_words(name)[1:]} if creates(name) else set()


def _needed(tool: dict[str, Any]) -> set[str]:
    """The things that must be there before a tool is called, by its required arguments."""
    schema = tool.get("inputSchema")
    required = schema.get("required") if isinstance(schema, dict) else None
    needed = set[str]()
    for name in required if isinstance(required, list) else ():
        *about, last = name_words(str(name)) or [""]
        own = about or name_words(str(tool.get("name", "")))[1:]
        needed |= {_singular(word) for word in own} if last in IDENTIFIERS else {_singular(last)}
    return needed


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
