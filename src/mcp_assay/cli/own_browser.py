"""Opens a link in the user's browser, and shows it to nobody else on this machine."""

from __future__ import annotations

import os
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Final

from mcp_assay.client.private_folder import private_folder

PRIVATE: Final = 0o600
PAGE: Final = (
    '<!doctype html><meta charset="utf-8"><title>mcp-assay</title>'
    '<meta http-equiv="refresh" content="0;url={link}"><p><a href="{link}">Go on</a>'
)


@contextmanager
def opened_in_browser(link: str, tell: Callable[[str], None]) -> Iterator[None]:
    """Open a link; what leads to it is gone when the block ends.

    Everybody can see with which words a browser was started, so these name a private file.
    """
    path = os.path.join(private_folder(), f"open-{os.getpid()}.html")
    with suppress(FileNotFoundError):
        os.unlink(path)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as writer:
            writer.write(PAGE.format(link=escape(link)))
        # a browser in a terminal stays in the foreground until it is closed
        threading.Thread(target=_open, args=(path, tell), daemon=True).start()
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)


def _open(path: str, tell: Callable[[str], None]) -> None:
    try:
        is_opened = webbrowser.open(Path(path).as_uri())
    except webbrowser.Error:
        is_opened = False
    if not is_opened:
        tell("no browser could be opened here; open the link yourself")
