"""The configuration as a page: every key, what it may be, and who takes it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import click

from mcp_assay.assess.examples import ANSWER_KEYS, TOOL_KEYS, WORDS, Key
from mcp_assay.cli.application import application
from mcp_assay.cli.bare_options import BareOption
from mcp_assay.cli.configuration import options_of
from mcp_assay.contracts.settings import KEYS as CONTRACT_KEYS
from mcp_assay.judge.errors.user_patterns import IGNORED, KINDS

NOTE = "<!-- Written by `make docs` from the options and tables; change those instead. -->\n"
HEAD = """# Every key of the configuration

[Configuration](configuration.md) says where the file is looked for, and how it is read.
Keys stand at its top, tables behind them.

## Keys

| key | it is | commands | meaning |
|---|---|---|---|
"""
TABLES: Mapping[str, Mapping[str, Key]] = {"tools.NAME": TOOL_KEYS, **ANSWER_KEYS}


def page() -> str:
    """The page for all keys and tables."""
    return NOTE + HEAD + "".join(_keys()) + "\n" + "\n".join(_tables())


def _keys() -> Iterator[str]:
    context = click.Context(application)
    takers: dict[str, list[tuple[str, click.Option]]] = defaultdict(list)
    for name in application.list_commands(context):
        command = application.get_command(context, name)
        for key, option in options_of(command) if command else ():
            takers[key].append((name, option))
    for key, its in sorted(takers.items()):
        option = its[0][1]
        commands = ", ".join(name for name, _ in its)
        yield f"| `{key}` | {_kind(option)} | {commands} | {option.help} |\n"


def _kind(option: click.Option) -> str:
    if option.multiple:
        return "a list of texts, or one"
    if option.is_flag:
        return "true or false"
    if isinstance(option, BareOption):
        return option.values
    if isinstance(option.type, click.Choice):
        return ", ".join(f'`"{choice}"`' for choice in option.type.choices)
    is_number = isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
    return "a number" if is_number else "a text"


def _tables() -> Iterator[str]:
    for name, keys in TABLES.items():
        yield f"## [{name}]\n\n| key | it is | meaning |\n|---|---|---|"
        yield from (f"| `{key}` | {WORDS[it.type]} | {it.meaning} |" for key, it in keys.items())
        yield ""
    yield "## [contract]\n\nFor [contract tests](pytest.md).\n\n| key | meaning |\n|---|---|"
    yield from (f"| `{key}` | {meaning} |" for key, meaning in CONTRACT_KEYS.items())
    yield "\n## [errors]\n"
    kinds = ", ".join(f"`{kind}`" for kind in KINDS)
    yield (
        f"Lists of phrases under {kinds}, by what\n"
        f"they tell of an error, and under `{IGNORED}` what says nothing:\n"
        "[patterns of your own](responses.md#patterns-of-your-own)."
    )
    yield ""
