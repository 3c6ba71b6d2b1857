"""Values that are never sent, whatever may be called: they end processes, fill disks, or the like.

One table, by the words of an argument's name; what the user typed is not asked about here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from mcp_assay.text.names import name_words, word_set

MOST_VALUES: Final = 2_000
DEEPEST: Final = 24
LAST_SPECIAL_PROCESS: Final = 1
LARGEST_PROCESS: Final = 2**22
"""No process of Linux has a greater number."""
HUGE: Final = 2**31 - 1
_NUMBER: Final = re.compile(r"\s*([+-]?\d{1,30})")
_DEVICE: Final = re.compile(
    r"(?:file:)?/{0,3}(?:/dev/(?!null$)|/proc/(?:kcore|kmem|sysrq-trigger|(?:\d+|self)/mem)|/sys/)"
    r"|\\\\[.?]\\|(?:con|prn|aux|com\d|lpt\d):?$",
    re.IGNORECASE,
)
_ROOT: Final = re.compile(r"^(?:file://)?(?:/?[a-z]:(?=[/\\]|$))?", re.IGNORECASE)
"""What may stand before the first slash of a path."""
_HOME: Final = re.compile(r"~\w*|\$\{?HOME\}?|%\w+%", re.IGNORECASE)
"""How a path begins at the home of a user."""
_HOMES: Final = frozenset(("home", "users"))
"""Folders in which there is one folder for each user."""
_HERE: Final = frozenset(("", ".", "..", "*", "**", "*.*"))
"""Parts of a path that name nothing."""


def _number(value: object) -> float | None:
    """The number that a value is, or that programs make of it: of nothing they make 0."""
    if value is None or value is False or value in ("", [], [None]):
        return 0
    if isinstance(value, int | float):
        return value
    found = _NUMBER.match(value) if isinstance(value, str) else None
    if isinstance(value, str) and not value.strip():
        return 0
    return int(found[1]) if found else None


def _is_special_process(value: object) -> bool:
    number = _number(value)
    return number is not None and not number > LAST_SPECIAL_PROCESS


def _may_be_process(value: object) -> bool:
    number = _number(value)
    return number is not None and not number > LARGEST_PROCESS


def _is_huge(value: object) -> bool:
    number = _number(value)
    return number is not None and not abs(number) < HUGE


def _is_device(value: object) -> bool:
    return isinstance(value, str) and _DEVICE.match(value.strip()) is not None


def _is_everything(value: object) -> bool:
    """Whether a path is a root, a home, the folder itself, one above, or all that is in them."""
    if not isinstance(value, str) or not value.strip():
        return False
    start, *parts = _ROOT.sub("", value.strip(), count=1).replace("\\", "/").split("/")
    parts = [part for part in parts if part not in _HERE]
    if _HOME.fullmatch(start):
        return not parts
    if start not in _HERE:
        return False
    is_home = len(parts) == len(["home", "bob"]) and parts[0].lower() in _HOMES
    return not parts or (start == "" and (len(parts) == 1 or is_home))


class Danger(Struct, frozen=True):
    """Values that no argument with one of these words in its name is given."""

    what: str
    is_value: Callable[[object], bool]
    names: frozenset[str] | None = None
    """Words of the names of arguments; None for all."""
    tools: frozenset[str] | None = None
    """Words of the names of tools that it is about; None for all."""


PROCESS_NAMES: Final = word_set(
    "pid pids ppid pgid pgrp tid process processes processid processids"
)
IDS: Final = word_set("id ids target targets number")
PROCESSES: Final = word_set("process processes pid pids proc task")
ENDING: Final = word_set(
    """
    abort close destroy end exit force halt interrupt kill killall pkill quit renice sigkill signal
    stop suspend taskkill terminate
    """
)
SIZES: Final = word_set(
    """
    allocate bytes capacity buffer count depth dimension dimensions disk height iterations length
    memory mem pixels repeat repeats resolution rounds rows columns samples size space times width
    copies threads workers processes
    """
)
REMOVING: Final = word_set(
    """
    clean clear delete destroy erase format move purge remove rename rm rmdir shred trash unlink
    wipe
    """
)
DANGERS: Final = (
    Danger("a process of the system, or all of them", _is_special_process, PROCESS_NAMES),
    Danger("a process that may be another's", _may_be_process, PROCESS_NAMES, ENDING),
    Danger("a process of the system, or all of them", _is_special_process, IDS, PROCESSES),
    Danger("a size that fills memory or disk", _is_huge, SIZES),
    Danger("a device", _is_device),
    Danger("everything there is", _is_everything, None, REMOVING),
)
"""All that is never sent."""


def danger_in(
    tool: str, arguments: Mapping[str, Any], typed: Collection[object] = ()
) -> Danger | None:
    """The first danger among the arguments of a call; `typed` values are the user's own."""
    of_tool = frozenset(name_words(tool))
    feared = [one for one in DANGERS if one.tools is None or not one.tools.isdisjoint(of_tool)]
    for name, value in _leaves(arguments):
        words = frozenset(name_words(name))
        for danger in feared:
            is_named = danger.names is None or not danger.names.isdisjoint(words)
            if is_named and danger.is_value(value) and value not in typed:
                return danger
    return None


def _leaves(arguments: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """The values in arguments, each with the name of the member that holds it."""
    waiting: list[tuple[str, object, int]] = [("", dict(arguments), 0)]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        name, value, depth = waiting.pop()
        if isinstance(value, dict) and depth < DEEPEST:
            waiting += ((str(key), member, depth + 1) for key, member in value.items())
        elif isinstance(value, list) and value and depth < DEEPEST:
            waiting += ((name, item, depth + 1) for item in value)
        else:
            yield name, value
