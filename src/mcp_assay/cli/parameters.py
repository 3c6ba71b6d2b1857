"""What options take besides plain words, and what is said about a wrong value."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Sequence
from typing import Any

import click

from mcp_assay.intake.mapping import require_pointers
from mcp_assay.report.formats import REPORTED
from mcp_assay.report.selection import require_rules
from mcp_assay.validate import KNOWN_RULES

RANDOM = "random"
LARGEST_SEED = 2**31
ENOUGH = re.compile(r"\d{1,6}|(?:100|\d{1,2})%", re.ASCII)
"""A number of tools, or a share of them."""


def seed(context: click.Context, option: click.Parameter, given: str) -> int:
    """The number that chooses the calls; the word random has one drawn."""
    if given == RANDOM:
        return random.SystemRandom().randrange(LARGEST_SEED)
    try:
        return int(given)
    except ValueError:
        words = f"{given!r} is neither a number nor {RANDOM!r}."
        raise click.BadParameter(words, context, option) from None


def enough(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """How many tools must succeed: N, or P% of those that are listed."""
    if given is not None and not ENOUGH.fullmatch(given):
        words = f"{given!r} is neither a number of tools nor a share like 80%."
        raise click.BadParameter(words, context, option)
    return given


def rule_names(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """The rule ids and families of all occurrences of an option, in capital letters."""
    wanted = tuple(part.strip().upper() for text in given for part in text.split(","))
    try:
        require_rules(wanted, KNOWN_RULES)
    except ValueError as refusal:
        raise click.BadParameter(str(refusal), context, option) from None
    return wanted


def trace_map(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, str]:
    """The JSON Pointer of each FIELD=POINTER."""
    pointers = dict(text.partition("=")[::2] for text in given)
    try:
        require_pointers(pointers)
    except ValueError as refusal:
        raise click.BadParameter(f"{refusal}.", context, option) from None
    return pointers


def report_files(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The format and the path of each FORMAT=PATH."""
    return tuple(report_file(context, option, text, REPORTED) for text in given)


def report_file(
    context: click.Context, option: click.Parameter, text: str, forms: Sequence[str]
) -> tuple[str, str]:
    """The format, one of these, and the path of FORMAT=PATH."""
    form, _, path = text.partition("=")
    if form not in forms or not path:
        words = f"{text!r} is not FORMAT=PATH, where FORMAT is {' or '.join(forms)}."
        raise click.BadParameter(words, context, option)
    if context.params.get("all_servers"):
        return form, path
    if os.path.isdir(path) or not os.path.isdir(os.path.dirname(path) or "."):
        words = f"{path!r} cannot be written; name a file in a folder that exists."
        raise click.BadParameter(words, context, option)
    return form, path


def arguments_of(given: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments of the one call that --only and --args ask for; None where they do not."""
    if given["args"] is None:
        return None
    if given["only"] is None:
        raise click.UsageError("--args needs --only TOOL.")
    try:
        arguments = json.loads(given["args"])
    except ValueError as fault:
        raise click.UsageError(f"--args is not JSON: {fault}.") from None
    if not isinstance(arguments, dict):
        raise click.UsageError("--args must be a JSON object.")
    return arguments
