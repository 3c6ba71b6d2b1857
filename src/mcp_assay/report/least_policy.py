"""The least that a server needs, and whether it is enough, in words for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mcp_assay.model.effect import ChangedVerdict, PolicyCheck
from mcp_assay.model.policy import Needs
from mcp_assay.model.report import Report
from mcp_assay.report.as_policy import policy_of
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.text.lines import BLANK, Line, counted, cut, labelled, said

TITLE: Final = "The least that the server needs"
MOST_NAMED: Final = 5
"""So many folders, hosts or programs are named; the policy has all of them."""
MOST_CHANGED: Final = 10
"""So many tools with another verdict are named."""
LONGEST_NAME: Final = 60
OF_ARGUMENTS: Final = "those that arguments name"
NONE: Final = "none"
NOT_LISTED: Final = "not listed"
WIDENED: Final = (
    "Folders are granted as a whole: with only those that were written to, it was not enough."
)


def policy_rows(report: Report) -> list[tuple[str, str]]:
    """What the policy grants and what came of it, each with its label; none where none was made."""
    world = report.sandbox
    if world is None or world.policy is None:
        return []
    needs = policy_of(report).needs or Needs()
    return [
        ("writes", _named([*needs.write, *needs.temporary])),
        ("hosts", _named(_hosts(needs))),
        ("programs", _named(needs.programs)),
        ("checked", " ".join(_check_words(world.policy))),
    ]


def _hosts(needs: Needs) -> Iterator[str]:
    yield from (one.host for one in needs.hosts)
    if needs.hosts_of_arguments:
        yield OF_ARGUMENTS


def _named(names: Iterable[str]) -> str:
    found = [cut(one, LONGEST_NAME) for one in names]
    more = len(found) - MOST_NAMED
    shown = found[:MOST_NAMED] + ([f"{more:,} more"] if more > 0 else [])
    return ", ".join(shown) or NONE


def _check_words(check: PolicyCheck) -> Iterator[str]:
    """What an assessment with nothing but this has shown."""
    if check.undecided is not None:
        yield f"Not checked: {check.undecided}."
    elif check.is_enough:
        same = "the same verdict" if check.tools == 1 else "the same verdicts"
        yield f"Assessed again with nothing but this: {same} on {counted(check.tools, 'tool')}."
        if check.is_widened:
            yield WIDENED
    else:
        number = counted(len(check.changed), "tool")
        yield f"Assessed again with nothing but this: another verdict on {number}:"
        yield f"{'; '.join(map(_change_words, check.changed[:MOST_CHANGED]))}."


def _change_words(change: ChangedVerdict) -> str:
    free, under = (STATUS_WORDS.get(one, NOT_LISTED) for one in (change.free, change.under))
    return f"{cut(change.tool, LONGEST_NAME)} ({free}, then {under})"


def policy_text(report: Report) -> Iterator[Line]:
    """The same for a terminal."""
    rows = policy_rows(report)
    if not rows:
        return
    yield said(TITLE, "strong")
    for label, words in rows:
        yield from labelled(label, words)
    yield BLANK
