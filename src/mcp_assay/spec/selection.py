"""The rules that a user can name, those about the input too; and how they are named."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Struct

from mcp_assay.spec.catalogue import CATALOGUE, suggest
from mcp_assay.spec.catalogue.row import ALL, BOTH, ERROR, MESSAGE, WARNING, CatalogueEntry


class InputRule(Struct, frozen=True):
    """A rule about the input, its name and what to do where it is broken."""

    entry: CatalogueEntry
    name: str
    fix: str


TRACE_LINE: Final = InputRule(
    CatalogueEntry("ENV-001", WARNING, BOTH, MESSAGE, ALL,
          "A trace line has the members of the trace format; other lines are not checked.", ""),
    "trace-line-not-understood",
    'write {"dir": "c2s" or "s2c"} and one of message, raw and raw64',
)  # fmt: skip
UNREADABLE: Final = InputRule(
    CatalogueEntry("ENV-002", ERROR, BOTH, MESSAGE, ALL, "Every input file can be read.", ""),
    "unreadable-input",
    "correct the file or its name, or omit it",
)
OUR_FAULT: Final = InputRule(
    CatalogueEntry("ENV-003", WARNING, BOTH, MESSAGE, ALL,
          "mcp-assay can check every message; an internal error leaves it unchecked.", ""),
    "check-failed",
    "report this, with the message if possible",
)  # fmt: skip

INPUT_RULES: Final = {rule.entry.id: rule for rule in (TRACE_LINE, UNREADABLE, OUR_FAULT)}
"""The rules about the input by their ids."""

KNOWN_RULES: Final = CATALOGUE | {id: rule.entry for id, rule in INPUT_RULES.items()}
"""Every rule that a finding of a validation can name."""


def names(text: str, rule: str) -> bool:
    """Whether the text names the rule: by its id, its family or the beginning of its id."""
    family = rule.rpartition("-")[0]
    return text in (rule, family) or ("-" in text and rule.startswith(text))


def require_rules(names_given: Iterable[str], rules: Collection[str]) -> None:
    """Raise ValueError, with a suggestion, for the first name that names none of the rules."""
    for text in names_given:
        if not any(names(text, rule) for rule in rules):
            raise ValueError(unknown_rule(text))


def unknown_rule(text: str) -> str:
    """The sentence about a rule that does not exist."""
    near = suggest(text)
    hint = f"did you mean {' or '.join(near)}?" if near else "mcp-assay rules lists them all."
    return f"there is no rule {text!r}; {hint}"


def chosen(
    rules: Iterable[str], select: Iterable[str], ignore: Iterable[str], always: Iterable[str] = ()
) -> frozenset[str]:
    """The rules that are selected (all, where nothing is) or in `always`, and not ignored."""
    selected, ignored = tuple(select), tuple(ignore)
    kept = set(always)
    return frozenset(
        rule
        for rule in rules
        if (not selected or rule in kept or any(names(text, rule) for text in selected))
        and not any(names(text, rule) for text in ignored)
    )
