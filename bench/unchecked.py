"""Our fast check with every compiled check replaced by a yes: what everything else costs.

Usage: python -m bench.unchecked MESSAGES SEED
"""

from __future__ import annotations

import importlib
import json
import operator
import sys
from typing import Any

import jsonschema_rs
from msgspec.structs import replace

from bench.corpus import build
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import REGISTRY


class Yes:
    """Stands in for a compiled schema and says yes to every message that is not empty."""

    is_valid = staticmethod(operator.truth)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass


def main(count: int, seed: int) -> float:
    """The CPU seconds of one pass over the corpus, after one to warm up."""
    for name in dir(jsonschema_rs):
        if name == "validator_for" or name.endswith("Validator"):
            setattr(jsonschema_rs, name, Yes)
    # Only now: whoever imports a compiler by its name must find the stand-in.
    contestants = importlib.import_module("bench.contestants")
    # Fast checks count on what the schema has checked before them, which nothing has here.
    for rule in list(load().values()):
        REGISTRY[rule.id] = replace(rule, fast_check=None)
    run = contestants.verdicts(build(count, seed), duplicates=False)
    run()
    return float(run())


if __name__ == "__main__":
    print(json.dumps({"seconds": main(int(sys.argv[1]), int(sys.argv[2]))}))
