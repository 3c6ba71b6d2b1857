"""How well, and how fast, error responses are distinguished."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

from bench import bars
from bench.bars import Bar
from bench.corpus import MESSAGES, SEED, build
from bench.tables import table
from bench.timing import BASELINE, Measured, in_this_process, in_turns
from mcp_assay.judge.errors.texts import error_text
from mcp_assay.model.verdict import ErrorKind, ValidationContext
from mcp_assay.responses import ResponseValidator
from tests.judge.error_corpus.corpus import (
    KINDS,
    Half,
    Item,
    Score,
    agreement,
    items,
    majority,
    score,
)
from tests.judge.error_corpus.reference import reference_kind

PASSES: Final = 20
HALVES: Final[tuple[Half, ...]] = ("seen", "unseen")
PROMISES: Final[dict[str, Bar]] = {
    "business and failure told apart": bars.DISTINGUISHED,
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
    readers = agreement()
    figures["agreement of two readers"] = {
        "same": readers.same / readers.items,
        "kappa": readers.kappa,
    }
    parts.append(
        f"Two readers gave {readers.same} of {readers.items} items of the unseen half the same "
        f"kind ({readers.same / readers.items:.1%}, kappa {readers.kappa:.3f})."
    )
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
        [name, *(f"{each[name]:.1%}" for each in numbers.values()), *_promise(name, seen)]
        for name, seen in ours.items()
    ]
    head = [f"{half} half, {len(of)} items", *scores, "promised", "seen"]
    matrix = _matrix(scores["mcp-assay"])
    return f"{table(head, rows)}\n\n{matrix}", numbers


def _promise(name: str, seen: float) -> list[str]:
    bar = PROMISES.get(name)
    return [bar.words(), bar.verdict(seen)] if bar else ["", ""]


def _numbers(of: Score) -> dict[str, float]:
    return {
        "business and failure told apart": of.distinguished,
        "the same, other answers counted as wrong": of.right_of_two,
        "all four kinds": of.right,
        **{f"recall of {kind}": of.recall(kind) for kind in KINDS},
    }


def _matrix(of: Score) -> str:
    rows = [[kind, *(str(of.counts.get((kind, said), 0)) for said in KINDS)] for kind in KINDS]
    return table(["is, said", *KINDS], rows)


def _speed(of: list[Item], rounds: int) -> tuple[str, dict[str, Any]]:
    """What classifying an error takes, against parsing a message of typical traffic."""
    short = [item for item in of if not item.stderr and "\n" not in error_text(item.response)]
    contexts = [item.context for item in short] * PASSES
    answers = [orjson.dumps({"jsonrpc": "2.0", "id": 1, "result": one.response}) for one in short]
    own = answers * PASSES
    traffic = [line.raw for line in build(MESSAGES, SEED) if line.fault is None][: len(contexts)]
    runs = {
        "classify": in_this_process(lambda: list(map(ResponseValidator.explain_error, contexts))),
        "json.loads, the same responses": in_this_process(lambda: list(map(json.loads, own))),
        "orjson.loads, the same responses": in_this_process(lambda: list(map(orjson.loads, own))),
    }
    parsing = in_this_process(lambda: list(map(orjson.loads, traffic)))
    measured = in_turns(parsing, runs, rounds)
    measured = {"orjson.loads, typical traffic": measured.pop(BASELINE), **measured}
    numbers = {name: len(traffic) if "traffic" in name else len(contexts) for name in measured}
    scale = len(traffic) / len(contexts)
    rows = [[name, *_cells(name, each, numbers[name], scale)] for name, each in measured.items()]
    head = [f"{len(short)} errors of one line", "µs each", "times typical", "promised", "seen"]
    return table(head, rows), {name: each.figures() for name, each in measured.items()}


def _cells(name: str, measured: Measured, number: int, scale: float) -> list[str]:
    each = 1e6 * measured.seconds.median / number
    if "traffic" in name:
        return [f"{each:.2f}", "1", "", ""]
    ratio = measured.ratio.median * scale
    bar = bars.CLASSIFYING
    promised = [bar.words(), bar.verdict(ratio)] if name == "classify" else ["", ""]
    return [f"{each:.2f}", f"{ratio:.2f}", *promised]
