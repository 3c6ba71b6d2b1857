"""The GitHub action as its file says it, and its scripts, run as a runner would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.patience import LONGEST

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = msgspec.yaml.decode((ROOT / "action.yml").read_bytes())
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
EXIT_CODE = "${{ steps.assess.outputs.exit-code }}"


class Ran(NamedTuple):
    """How a step ended, and what it left for others."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


def variables_of(step: Mapping[str, Any], inputs: Mapping[str, str]) -> dict[str, str]:
    """The environment of a step: each input in the place of its expression."""
    known = {name: str(its.get("default", "")) for name, its in ACTION["inputs"].items()}
    values = {f"${{{{ inputs.{name} }}}}": text for name, text in {**known, **inputs}.items()}
    values[EXIT_CODE] = inputs.get("exit-code", "")
    return {name: values[text] for name, text in step.get("env", {}).items()}


def run_step(name: str, folder: Path, path: str = "", **inputs: str) -> Ran:
    """Run a step's script in a folder, with these inputs; others have their defaults."""
    step = STEPS[name]
    temporary, output, summary = (folder / one for one in ("temp", "output", "summary"))
    temporary.mkdir(exist_ok=True)
    for file in (output, summary):
        file.write_text("")
    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={
            "PATH": f"{path}{os.environ['PATH']}",
            "HOME": str(folder),
            "RUNNER_TEMP": str(temporary),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_ACTION_PATH": str(ROOT),
            **variables_of(step, {key.replace("_", "-"): text for key, text in inputs.items()}),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    outputs = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
    return Ran(ended.returncode, ended.stdout, outputs, summary.read_text("utf-8"))


def install(folder: Path) -> None:
    """Put the command where the first step would have installed it."""
    bin = folder / "temp" / "mcp-assay" / "bin"
    bin.mkdir(parents=True)
    write_program(bin / "python", f'exec "{sys.executable}" "$@"')
    write_program(bin / "mcp-assay", f'exec "{sys.executable}" -m mcp_assay "$@"')


def write_program(path: Path, text: str) -> None:
    """Write a small program for a shell."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
