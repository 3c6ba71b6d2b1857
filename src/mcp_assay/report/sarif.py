"""The records of SARIF 2.1.0 of which a file has many; they are small, quick to make and write."""

from __future__ import annotations

from msgspec import Struct, field


class Text(Struct, frozen=True, gc=False):
    """A message, or a text of a rule."""

    text: str


class ArtifactLocation(Struct, frozen=True, gc=False):
    """A file."""

    uri: str


class Region(Struct, frozen=True, gc=False, rename="camel", omit_defaults=True):
    """A place in a file, counted from 1."""

    start_line: int
    start_column: int | None = None


class PhysicalLocation(Struct, frozen=True, gc=False, rename="camel"):
    """A place in a file, with the file."""

    artifact_location: ArtifactLocation
    region: Region


class LogicalLocation(
    Struct, frozen=True, gc=False, kw_only=True, rename="camel", omit_defaults=True
):
    """A tool, or a member of a message."""

    name: str | None = None
    fully_qualified_name: str
    kind: str | None = None


class Location(Struct, frozen=True, gc=False, kw_only=True, rename="camel", omit_defaults=True):
    """Where a result is."""

    physical_location: PhysicalLocation
    logical_locations: tuple[LogicalLocation, ...] = ()
    id: int | None = None


class Prints(Struct, frozen=True, gc=False):
    """What a result is known again by: to us, and to code scanning."""

    ours: str = field(name="mcpAssay/v1")
    line_hash: str = field(name="primaryLocationLineHash")


class Result(Struct, frozen=True, gc=False, kw_only=True, rename="camel", omit_defaults=True):
    """One finding."""

    rule_id: str
    rule_index: int
    level: str
    message: Text
    locations: tuple[Location, ...]
    partial_fingerprints: Prints
    occurrence_count: int = 1
    related_locations: tuple[Location, ...] = ()
