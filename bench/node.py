"""JSON.parse and ajv in a node process, timed by that process itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final, Literal, TypeAlias

from bench.timing import Run
from bench.traffic.conversation import REVISION

HERE: Final = Path(__file__).parent
FOLDER: Final = HERE / "ajv"
SPEC: Final = HERE.parent.parent / "shared" / "spec"
SCHEMA: Final = SPEC / "schemas" / REVISION / "schema.json"
METHODS: Final = SPEC / "methods.json"
LONGEST_INSTALL: Final = 300
LONGEST_RUN: Final = 600

Work: TypeAlias = Literal["parse", "ajv"]


def missing() -> str | None:
    """Why node cannot take part, or None where it can."""
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            return f"{command} is not installed"
    if not (SCHEMA.exists() and METHODS.exists()):
        return "the official schemas are not at ../shared/spec"
    return _install_problem()


def pass_over(corpus: Path, work: Work) -> Run:
    """Start a node process that goes over the corpus, once to warm up and once measured."""
    files = [str(path) for path in (corpus, SCHEMA, METHODS)]
    command = ["node", str(FOLDER / "bench.mjs"), work, *files, REVISION]

    def run() -> float:
        done = subprocess.run(command, capture_output=True, check=True, timeout=LONGEST_RUN)
        return float(json.loads(done.stdout)["seconds"])

    return run


def _install_problem() -> str | None:
    if (FOLDER / "node_modules").exists():
        return None
    command = ["npm", "ci", "--no-audit", "--no-fund"]
    try:
        subprocess.run(
            command, cwd=FOLDER, capture_output=True, check=True, timeout=LONGEST_INSTALL
        )
    except (OSError, subprocess.SubprocessError):
        return "ajv could not be installed"
    return None
