"""Events of a run -> files that hold each of them at once: the form jsonl, while a run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Self, TextIO

from mcp_assay import __version__
from mcp_assay.model.report import ToolVersion
from mcp_assay.report.as_jsonl import EventLines

__all__ = ["EventFiles"]

Write = Callable[[str], object]


class EventFiles(EventLines):
    """Writes events everywhere that somebody wants them; what cannot be written ends no run."""

    def __init__(self, paths: Iterable[str], *others: Write, is_verbose: bool = False) -> None:
        self.faults: Final[dict[str, str]] = {}
        """Why a file could not be written, or not to its end."""
        self._files: Final[dict[str, TextIO]] = {}
        self._others: Final = others
        for path in paths:
            self._open(path)
        tool = ToolVersion(name="mcp-assay", version=__version__)
        super().__init__(tool, self._write_all, is_verbose=is_verbose)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for path in list(self._files):
            self._drop(path)

    def _open(self, path: str) -> None:
        try:
            self._files[path] = open(path, "w", encoding="utf-8")  # noqa: SIM115  closed at the end
        except OSError as fault:
            self._note(path, fault)

    def _write_all(self, text: str) -> None:
        for path, file in list(self._files.items()):
            try:
                file.write(text)
                file.flush()
            except OSError as fault:
                self._note(path, fault)
                self._drop(path)
        for write in self._others:
            write(text)

    def _note(self, path: str, fault: OSError) -> None:
        self.faults[path] = f"{path} could not be written: {fault.strerror}"

    def _drop(self, path: str) -> None:
        try:
            self._files.pop(path).close()
        except OSError as fault:
            self._note(path, fault)
