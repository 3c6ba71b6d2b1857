"""What is said of tools that changed without a notice."""

from __future__ import annotations

import pytest
from msgspec import convert

from mcp_assay.rules import load
from mcp_assay.rules.behaviour.changed_tools import SILENT, Relisted, silent_change
from mcp_assay.rules.engine.rule import Example
from mcp_assay.spec.catalogue import CATALOGUE
from tests.rules.examples import values

RULE = load()[SILENT]


@pytest.mark.parametrize("example", values(RULE.good))
def test_what_may_be_is_not_reported(example: Example) -> None:
    assert not list(silent_change(convert(example.value, Relisted)))


@pytest.mark.parametrize("example", values(RULE.bad))
def test_a_silent_change_is_reported_and_words_alone_are_only_a_note(example: Example) -> None:
    seen = convert(example.value, Relisted)
    (found,) = silent_change(seen)
    severity = CATALOGUE[SILENT].severity_of(found.grade)
    assert severity == ("warning" if seen.is_binding else "info")
    assert found.text.endswith(".")


CHANGED = "The tools changed during the run without a list_changed notification: "
STAYED = "; schemas and hints are unchanged."


@pytest.mark.parametrize(
    ("seen", "begin", "end"),
    [
        (
            Relisted(gone=["a"], new=["b", "c"], is_declared=False),
            CHANGED,
            '"a" is gone, "b" and "c" are new; the server does not declare listChanged.',
        ),
        (
            Relisted(other={name: ["inputSchema", "annotations"] for name in "xyz"}, gone=["a"]),
            f'{CHANGED}"a" is gone, "x" has a changed inputSchema and annotations, "y" has a ',
            '"z" has a changed inputSchema and annotations.',
        ),
        (
            Relisted(other={name: ["inputSchema"] for name in "vwxyz"}, new=["a"]),
            f'{CHANGED}"v" has a changed inputSchema, ',
            '"x" has a changed inputSchema, 2 more changed, "a" is new.',
        ),
        (
            Relisted(gone=list("vwxyz"), calls={"v": 2, "w": 1}),
            f'{CHANGED}"v", "w", "x" and 2 more are gone; ',
            'up to 3 calls of "v" and "w" used an outdated definition.',
        ),
        (
            Relisted(reworded=["a", "b"]),
            'Words in the definitions of "a" and "b" changed during the run without a list_changed',
            STAYED,
        ),
        (
            Relisted(reworded=["a"], is_steady=False),
            'Words in the definition of "a" differ each time the tools are listed',
            STAYED,
        ),
    ],
)
def test_the_sentence_names_what_changed(seen: Relisted, begin: str, end: str) -> None:
    (found,) = silent_change(seen)
    assert found.text.startswith(begin)
    assert found.text.endswith(end)
