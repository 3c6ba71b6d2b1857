"""The index of the rules as source: where each is written, and its name."""

from __future__ import annotations

from mcp_assay.rules import MODULES, load
from mcp_assay.rules.engine.rule import Rule

HEAD = '''"""Where each rule is written, and its name: what is known of a rule without loading it.

Written by `make docs` from the rules; change those instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class IndexEntry(NamedTuple):
    """The module of a rule below mcp_assay.rules, and the rule's name."""

    module: str
    name: str


INDEX: Final[Mapping[str, IndexEntry]] = {
'''


def source() -> str:
    """The text of mcp_assay/rules/index.py."""
    return f"{HEAD}{''.join(map(_row, _in_order()))}}}\n"


def _in_order() -> list[Rule]:
    """The rules module by module: what else a program has imported does not matter."""
    modules = [f"{subject}.{name}" for subject, names in MODULES.items() for name in names]
    return sorted(load().values(), key=lambda rule: modules.index(_module(rule)))


def _module(rule: Rule) -> str:
    return rule.module.removeprefix("mcp_assay.rules.")


def _row(rule: Rule) -> str:
    return f'    "{rule.id}": IndexEntry("{_module(rule)}", "{rule.name}"),\n'
