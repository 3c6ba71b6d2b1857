"""`--baseline` and `--update-baseline`: what a project accepts is taken out of its reports."""

from __future__ import annotations

import os
from datetime import date
from typing import Any

import click

from mcp_assay.cli.output import complain
from mcp_assay.model.baseline import Baseline
from mcp_assay.model.report import Report
from mcp_assay.report.baseline import WrongBaseline, accepted, read_baseline, write_baseline


def settled(report: Report, given: dict[str, Any]) -> Report:
    """The report without what the baseline accepts; with --update-baseline it accepts all of it."""
    path = given["baseline"]
    if path is None:
        return report
    known = _read(path, may_be_missing=given["update_baseline"])
    if given["update_baseline"]:
        known = _updated(report, known, path)
    return accepted(report, known, date.today())  # noqa: DTZ011  days end where the user is


def require_baseline(given: dict[str, Any]) -> None:
    """Refuse options about a baseline that cannot be used, before anything else is done."""
    path = given["baseline"]
    if path is None and given["update_baseline"]:
        raise click.UsageError("--update-baseline needs --baseline FILE.")
    if path is not None:
        _read(path, may_be_missing=given["update_baseline"])
    if given["update_baseline"]:
        _require_writable(path)


def _require_writable(path: str) -> None:
    folder = os.path.dirname(path) or "."
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise click.UsageError(f"--update-baseline: {path} cannot be written.")


def _read(path: str, *, may_be_missing: bool) -> Baseline:
    try:
        with open(path, "rb") as file:
            return read_baseline(file.read())
    except FileNotFoundError:
        if may_be_missing:
            return Baseline()
        words = f"{path} does not exist; --update-baseline writes it."
        raise click.UsageError(f"--baseline: {words}") from None
    except OSError as fault:
        words = f"{path} cannot be read: {fault.strerror}."
        raise click.UsageError(f"--baseline: {words}") from None
    except WrongBaseline as refusal:
        raise click.UsageError(f"--baseline: {path} {refusal}.") from None


def _updated(report: Report, known: Baseline, path: str) -> Baseline:
    """The baseline, written anew where that can be done; the report is never lost for it."""
    if report.summary.outcome == "incomplete":
        complain(f"mcp-assay: the run is incomplete, so {path} stays as it is.")
        return known
    text = write_baseline(report, known)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        complain(f"mcp-assay: {path} could not be written: {fault.strerror}.")
        return known
    return read_baseline(text.encode())
