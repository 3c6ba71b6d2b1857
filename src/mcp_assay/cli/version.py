"""`mcp-assay version`."""

from __future__ import annotations

import click

from mcp_assay import __version__
from mcp_assay.cli.output import write


@click.command("version", short_help="Print the version.")
def command() -> int:
    """Print the version of mcp-assay."""
    write(f"mcp-assay {__version__}\n")
    return 0
