"""Options that may stand alone: their value is behind `=`, or is told by how it begins.

Nothing but click is loaded here: whoever asks for help, or presses the tab key, waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

SANDBOX = "--sandbox"
HISTORY = "--history"
IN_WORLD = "auto"
DEFAULT_STORE = "default"
BARE_VALUES = {SANDBOX: IN_WORLD, HISTORY: DEFAULT_STORE}
"""What each means that stands alone."""
STORES = ("sqlite:", "postgresql:", "@")
"""How the word behind --history begins where it is its value."""
NO_STORES = ("postgres:", "postgresql+", "mysql", "mariadb", "mssql", "oracle", "mongodb")
"""How the URL of a database begins that is none; it may have a password, which is not repeated."""


class BareOption(click.Option):
    """An option that may stand alone; in a configuration it may be true or false."""

    usage = ""
    """How it is typed."""
    values = ""
    """What it may be in a configuration, in words."""
    bare = ""
    """What it means where it stands alone."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        """How it is typed, and what it does."""
        found = super().get_help_record(context)
        return found and (self.usage, found[1])


def spelt_out(words: Sequence[str]) -> list[str]:
    """The words of a command line, each such option with its value."""
    return list(_spelt_out(words))


def _spelt_out(words: Sequence[str]) -> Iterator[str]:
    left = iter(range(len(words)))
    for at in left:
        word = words[at]
        if word not in BARE_VALUES:
            yield word
            continue
        following = words[at + 1] if at + 1 < len(words) else ""
        if word == HISTORY and following.startswith(NO_STORES) and "://" in following:
            raise click.UsageError(f"the URL behind {HISTORY} begins with sqlite: or postgresql:.")
        if word == HISTORY and following.startswith(STORES):
            next(left)
            yield f"{word}={following}"
        else:
            yield f"{word}={BARE_VALUES[word]}"


class BareOptionsCommand(click.Command):
    """A command with options that may stand alone."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        return super().parse_args(context, spelt_out(args))
