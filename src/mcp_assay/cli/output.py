"""Where the words go: the report to standard output, everything else to standard error."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from mcp_assay.text.lines import Line, Style

PAINT: dict[Style, str] = {
    "": "",
    "error": "bold red",
    "warning": "yellow",
    "info": "cyan",
    "pass": "bold green",
    "fail": "bold red",
    "strong": "bold",
    "faint": "dim",
}


class CommandError(Exception):
    """Something that was asked for and cannot be done; the text says why."""

    code = 2


class UsageError(CommandError):
    """Something that was not typed as it must be; the help of the command says how."""


class Unanswered(Exception):
    """Somebody who was asked has left without an answer."""


def show(lines: Iterable[Line], *, color: bool = True) -> None:
    """Print the lines, painted where standard output is a terminal that wants colour."""
    if color and wants_color():
        write(painted(lines))
    else:
        from mcp_assay.text.lines import as_plain_text

        write(as_plain_text(lines))


def write(text: str) -> None:
    """Print the text as it is; a reader that has gone away is no fault."""
    try:
        forgiving(sys.stdout).write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _hush()
    except OSError as fault:
        _hush()
        raise CommandError(f"the report could not be written: {fault}") from None


def complain(text: str) -> None:
    """Say something to the person, line by line, on standard error."""
    from mcp_assay.text.safe import plain

    for line in text.splitlines():
        print(plain(line), file=forgiving(sys.stderr))


def one_line(refusal: str, command: str = "") -> str:
    """A refusal as we say it, with the command whose help says more."""
    message = " ".join(refusal.splitlines()).replace("\t", "")
    message = message[:1].lower() + message[1:]
    return f"{message.removesuffix('.')} (see {command} --help)" if command else message


def apology(fault: str) -> str:
    """What is said where we ourselves went wrong."""
    return (
        f"mcp-assay: {fault}. Please report this line together with the command, the version and, "
        "if possible, the input."
    )


def require_writable(path: str, option: str = "") -> None:
    """Refuse a file that cannot be written, and leave none behind that was not there."""
    was_there = os.path.exists(path)
    try:
        with open(path, "ab"):
            pass
    except OSError as fault:
        words = f"{path} cannot be written: {fault.strerror}."
        raise UsageError(f"{option}: {words}" if option else words) from None
    if not was_there:
        os.remove(path)


def is_terminal() -> bool:
    """Whether somebody watches standard error."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def wants_color() -> bool:
    """Whether standard output is a terminal and nobody asked for plain text."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def painted(lines: Iterable[Line]) -> str:
    """The lines with the colours of a terminal."""
    from rich.style import Style as RichStyle

    from mcp_assay.text.lines import safe

    styles = {name: RichStyle.parse(paint) for name, paint in PAINT.items()}
    return "".join(
        "".join(styles[style].render(text) for text, style in safe(line)) + "\n" for line in lines
    )


def forgiving(stream: TextIO) -> TextIO:
    """The stream, told to write what its encoding lacks as an escape."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _hush() -> None:
    """Point standard output nowhere, so that closing it at the end cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
