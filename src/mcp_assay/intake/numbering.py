"""One running number for every line of all inputs, and the way back to file and line."""

from __future__ import annotations

from bisect import bisect_right

from mcp_assay.model.finding import Where


class Numbering:
    """Numbers lines in the order of the inputs; an input itself has the number before its lines."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._files: list[str] = []
        self.file = ""
        self.last = 0
        """The last number that was given."""

    def begin(self, file: str) -> None:
        """Begin with the next input."""
        self.file = file
        self.last += 1
        self._starts.append(self.last)
        self._files.append(file)

    def of(self, file: str, line: int) -> int:
        """The number of a line of the present input, or of a new one."""
        if self.file != file or not self._files:
            self.begin(file)
        number = self.start + line
        self.reach(number)
        return number

    @property
    def start(self) -> int:
        """The number of the present input, which is that before its first line."""
        return self._starts[-1] if self._starts else 0

    def reach(self, number: int) -> None:
        """Note that the lines up to this number have been seen."""
        self.last = max(self.last, number)

    def next(self) -> int:
        """The number of the line that would come now, or of an input without any."""
        if self.last != self.start:
            self.last += 1
        return self.last

    def where(self, number: int, session: str | None = None) -> Where:
        """The file and the line that have the number."""
        index = bisect_right(self._starts, number) - 1
        if index < 0:
            return Where(session=session)
        line = number - self._starts[index]
        return Where(file=self._files[index], line=line or None, session=session)
