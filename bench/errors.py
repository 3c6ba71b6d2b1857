"""How well, and how fast, error responses are told apart."""

from __future__ import annotations

from typing import Any, Final

import orjson

from bench import bars
from bench.bars import Bar
from bench.tables import table
from bench.timing import in_this_process, in_turns
from mcp_assay.model.verdict import ErrorKind, ValidationContext
from mcp_assay.responses import ResponseValidator
from tests.errors.corpus import KINDS, Half, Item, Score, items, majority, score
from tests.errors.reference import reference_kind

PASSES: Final = 20
HALVES: Final[tuple[Half, ...]] = ("seen", "unseen")
PROMISES: Final[dict[str, Bar]] = {
    "business and failure told apart": bars.TOLD_APART,
    "all four kinds": bars.FOUR_KINDS,
    **{f"recall of {kind}": bars.RECALL for kind in KINDS},
}


def errors(rounds: int) -> tuple[str, dict[str, Any]]:
    """The scores on both halves of the corpus, the matrix, the speed; and all as figures."""
    parts: list[str] = []
    figures: dict[str, Any] = {}
    for half in HALVES:
        text, figures[half] = _scores(half, items(half))
        parts.append(text)
    text, figures["speed"] = _speed(items("seen"), rounds)
    return "\n\n".join([*parts, text]), figures


def our_kind(context: ValidationContext) -> ErrorKind:
    """The kind that mcp-assay says."""
    return ResponseValidator.explain_error(context).kind


def _scores(half: Half, of: list[Item]) -> tuple[str, dict[str, Any]]:
    most = majority(of)
    scores = {
        "mcp-assay": score(of, our_kind),
        "the reference": score(of, reference_kind),
        f"always {most}": score(of, lambda _: most),
    }
    numbers = {name: _numbers(each) for name, each in scores.items()}
    ours = numbers["mcp-assay"]
    rows = [
        [name, *(f"{each[name]:.1%}" for each in numbers.values()), bar.words(), bar.verdict(seen)]
        for name, bar in PROMISES.items()
        for seen in [ours[name]]
    ]
    head = [f"{half} half, {len(of)} items", *scores, "promised", "seen"]
    matrix = _matrix(scores["mcp-assay"])
    return f"{table(head, rows)}\n\n{matrix}", numbers


def _numbers(of: Score) -> dict[str, float]:
    return {
        "business and failure told apart": of.told_apart,
        "all four kinds": of.right,
        **{f"recall of {kind}": of.recall(kind) for kind in KINDS},
    }


def _matrix(of: Score) -> str:
    rows = [[kind, *(str(of.counts.get((kind, said), 0)) for said in KINDS)] for kind in KINDS]
    return table(["is, said", *KINDS], rows)


def _speed(of: list[Item], rounds: int) -> tuple[str, dict[str, Any]]:
    """What classifying all items takes, against parsing each as a message."""
    messages = [orjson.dumps({"jsonrpc": "2.0", "id": 1, "result": item.response}) for item in of]
    contexts = [item.context for item in of]
    measured = in_turns(
        in_this_process(lambda: [orjson.loads(raw) for raw in messages * PASSES]),
        {
            "classify": in_this_process(
                lambda: [ResponseValidator.explain_error(one) for one in contexts * PASSES]
            )
        },
        rounds,
    )["classify"]
    each = 1e6 * measured.seconds.median / (PASSES * len(of))
    bar = bars.CLASSIFYING
    row = ["classify", f"{each:.1f}", str(measured.ratio), bar.words()]
    head = ["a message", "µs", "times orjson.loads", "promised", "seen"]
    return table(head, [[*row, bar.verdict(measured.ratio.median)]]), measured.figures()
