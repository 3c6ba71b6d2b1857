"""One pass over the corpus, alone in a process, so that its instructions can be counted.

Usage: python -m bench.counted PASS MESSAGES SEED
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final, TypeAlias

import orjson

from bench.corpus import REVISION, build
from mcp_assay.model.entry import Direction
from mcp_assay.rules.engine.checker import SessionChecker

Messages: TypeAlias = list[tuple[bytes, Direction | None, int]]


def _nothing(messages: Messages) -> int:
    """What every pass needs besides: the imports, the corpus, the warming up."""
    return 0


def _parsing(messages: Messages) -> int:
    """The number of messages that are JSON."""
    parsed = 0
    for raw, _, _ in messages:
        try:
            orjson.loads(raw)
        except orjson.JSONDecodeError:
            continue
        parsed += 1
    return parsed


def _verdict(messages: Messages) -> int:
    """The number of messages that the fast check refuses."""
    return sum(1 for _ in SessionChecker(REVISION, duplicates=False).suspects(messages))


def _findings(messages: Messages, *, duplicates: bool = False) -> int:
    """The number of messages about which there is something to say."""
    checker = SessionChecker(REVISION, duplicates=duplicates)
    return sum(bool(checker.explain(refused)) for refused in checker.suspects(messages))


def _everything(messages: Messages) -> int:
    return _findings(messages, duplicates=True)


PASSES: Final[dict[str, Callable[[Messages], int]]] = {
    "nothing": _nothing,
    "parsing": _parsing,
    "verdict": _verdict,
    "findings": _findings,
    "everything": _everything,
}


def main(name: str, count: int, seed: int) -> int:
    """Warm up, then go over the corpus once; what the pass counted."""
    messages: Messages = [(line.raw, line.direction, 0) for line in build(count, seed)]
    _everything(messages)
    return PASSES[name](messages)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
