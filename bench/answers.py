"""How well answers without isError are read, beside how well they were read before."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from bench.tables import table
from tests.judge.answer_corpus.corpus import HERE, Half, Score, items, score

ROWS: Final = {
    "right": "taken for what they are",
    "noticed": "no success, and noticed",
    "named": "no success, and named rightly",
    "false_alarms": "a success, and taken for none",
}


def answers() -> tuple[str, dict[str, Any]]:
    """The scores on both halves of the corpus, beside those of version 0.1.0."""
    before = msgspec.json.decode((HERE / "before.json").read_bytes(), type=dict[str, Score])
    halves: tuple[Half, ...] = ("seen", "unseen")
    now = {half: score(items(half)) for half in halves}
    parts = [
        table(
            [f"{half} half, {len(items(half))} answers", "before", "now"],
            [
                [words, f"{getattr(before[half], name):.1%}", f"{getattr(now[half], name):.1%}"]
                for name, words in ROWS.items()
            ],
        )
        for half in halves
    ]
    return "\n\n".join(parts), msgspec.to_builtins({"before": before, "now": now})
