"""Which entries of a file are wanted."""

from __future__ import annotations

from fnmatch import fnmatchcase

from msgspec import Struct

from mcp_assay.fleet.entry import FleetEntry, Package, Program, WrongEntry


class FleetFilters(Struct, frozen=True, kw_only=True):
    """What is said of entries; what is not said leaves none out."""

    only: tuple[str, ...] = ()
    """Patterns of names, such as `io.github.*`: one of them must match."""
    without: tuple[str, ...] = ()
    """Patterns of names: none of them may match."""
    kinds: tuple[str, ...] = ()
    """pypi, npm, oci, other, command or remote."""
    limit: int | None = None
    """So many entries, the first of the file."""

    def wants(self, entry: FleetEntry | WrongEntry) -> bool:
        """Whether an entry is wanted, however many there are; a wrong one has no kind."""
        name = entry.name
        if self.only and not any(fnmatchcase(name, one) for one in self.only):
            return False
        if any(fnmatchcase(name, one) for one in self.without):
            return False
        return isinstance(entry, WrongEntry) or not self.kinds or kind_of(entry) in self.kinds


def kind_of(entry: FleetEntry) -> str:
    """What a server is by how it is had; of a package, its registry."""
    if isinstance(entry.origin, Package):
        return entry.origin.registry
    return "command" if isinstance(entry.origin, Program) else "remote"
