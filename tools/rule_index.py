"""The index of the rules as source: where each is written, its name, and who watches what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from mcp_assay.rules import MODULES, load
from mcp_assay.rules.engine.rule import Rule
from mcp_assay.rules.engine.session_rules import LINE_WATCHERS, MESSAGE_WATCHERS
from mcp_assay.rules.index import Watched, WatchedLines
from mcp_assay.rules.session.http_exchanges import EXCHANGE_WATCHERS

HEAD = '''"""Where each rule is written, and its name: what is known of a rule without loading it.

And which sections watch which messages, lines and exchanges of a session: only they are loaded.

Written by `make docs` from the rules; change those instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class IndexEntry(Struct, frozen=True):
    """The module of a rule below mcp_assay.rules, and the rule's name."""

    module: str
    name: str


class Watched(Struct, frozen=True):
    """Messages that are watched: of these kinds and, where named, of these methods."""

    kinds: tuple[str, ...]
    methods: tuple[str | None, ...]
    since: str
    until: str

    def concerns(self, revision: str, kind: str, method: str | None) -> bool:
        """Whether such messages are among them."""
        return (
            kind in self.kinds
            and (not self.methods or method in self.methods)
            and self.since <= revision <= self.until
        )


class WatchedLines(Struct, frozen=True):
    """Lines that are watched, the plain ones too or not, since a revision."""

    plain: bool
    since: str

    def concerns(self, revision: str, *, plain: bool) -> bool:
        """Whether such lines are among them."""
        return (self.plain or not plain) and self.since <= revision


# fmt: off
# ruff: noqa: E501
INDEX: Final[Mapping[str, IndexEntry]] = {
'''


def source() -> str:
    """The text of mcp_assay/rules/index.py."""
    rows = "".join(map(_row, _in_order()))
    return f"{HEAD}{rows}}}\n{_watching()}"


def _watching() -> str:
    """Who watches what, section by section."""
    messages = _by_section(MESSAGE_WATCHERS, lambda one: one.watcher)
    lines = _by_section(LINE_WATCHERS, lambda one: one[0])
    exchanges = _by_section(EXCHANGE_WATCHERS, lambda one: one.watcher)
    return "".join(
        (
            "\nWATCHED_MESSAGES: Final[Mapping[str, tuple[Watched, ...]]] = {\n",
            *(
                f"    {name!r}: {tuple(_sorted(one.what) for one in its)!r},\n"
                for name, its in messages
            ),
            "}\n\nWATCHED_LINES: Final[Mapping[str, WatchedLines]] = {\n",
            *(f"    {name!r}: {_joined(what for _, what in its)!r},\n" for name, its in lines),
            "}\n",
            f"\nWATCH_EXCHANGES: Final = {tuple(name for name, _ in exchanges)!r}\n",
        )
    ).replace("'", '"')


def _sorted(what: Watched) -> Watched:
    """What is watched, with methods that came in no order in one."""
    return replace(what, methods=tuple(sorted(what.methods, key=str)))


def _joined(watched: Iterable[WatchedLines]) -> WatchedLines:
    """All lines that a section watches."""
    every = list(watched)
    return WatchedLines(any(one.plain for one in every), min(one.since for one in every))


def _by_section(
    registered: Iterable[Any], watcher: Callable[[Any], object]
) -> list[tuple[str, list[Any]]]:
    """What was registered for each section that has watchers, in the order of the sections."""
    load("session")
    home = "mcp_assay.rules.session."
    every = [(watcher(one).__module__.removeprefix(home), one) for one in registered]
    by_name = [(name, [one for its, one in every if its == name]) for name in MODULES["session"]]
    return [(f"session.{name}", its) for name, its in by_name if its]


def _in_order() -> list[Rule]:
    """The rules module by module: what else a program has imported does not matter."""
    modules = [f"{subject}.{name}" for subject, names in MODULES.items() for name in names]
    return sorted(load().values(), key=lambda rule: modules.index(_module(rule)))


def _module(rule: Rule) -> str:
    return rule.module.removeprefix("mcp_assay.rules.")


def _row(rule: Rule) -> str:
    return f'    "{rule.id}": IndexEntry("{_module(rule)}", "{rule.name}"),\n'
