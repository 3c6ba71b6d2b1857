"""One pass over the corpus, alone in a process, so that its instructions can be counted.

Usage: python -m bench.counted PASS MESSAGES SEED
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final, TypeAlias

import orjson

from bench.corpus import REVISION, build
from mcp_assay.model.message import Direction
from mcp_assay.rules.lanes import Lanes

Messages: TypeAlias = list[tuple[bytes, Direction | None]]


def _nothing(messages: Messages) -> None:
    """What every pass needs besides: the imports, the corpus, the warming up."""


def _parsing(messages: Messages) -> None:
    for raw, _ in messages:
        try:
            orjson.loads(raw)
        except orjson.JSONDecodeError:
            continue


def _verdict(messages: Messages) -> None:
    for _ in Lanes(REVISION, duplicates=False).refused(messages):
        pass


def _findings(messages: Messages, *, duplicates: bool = False) -> None:
    lanes = Lanes(REVISION, duplicates=duplicates)
    for refused in lanes.refused(messages):
        lanes.explain(refused)


def _everything(messages: Messages) -> None:
    _findings(messages, duplicates=True)


PASSES: Final[dict[str, Callable[[Messages], None]]] = {
    "nothing": _nothing,
    "parsing": _parsing,
    "verdict": _verdict,
    "findings": _findings,
    "everything": _everything,
}


def main(name: str, count: int, seed: int) -> None:
    """Warm up, then go over the corpus once."""
    messages: Messages = [(line.raw, line.direction) for line in build(count, seed)]
    _everything(messages)
    PASSES[name](messages)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
