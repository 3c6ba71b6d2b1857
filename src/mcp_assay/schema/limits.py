"""The limits of what is done for a schema, and for a value that is checked against it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class SchemaLimits(Struct, frozen=True, kw_only=True):
    """How large a schema may be in each respect."""

    depth: int
    """Levels of JSON inside each other."""
    subschemas: int
    references: int
    enum_values: int


REFUSED_BEYOND: Final = SchemaLimits(
    depth=128, subschemas=20_000, references=5_000, enum_values=10_000
)
"""A larger schema is not used at all."""

WILD_BEYOND: Final = SchemaLimits(depth=128, subschemas=2_000, references=500, enum_values=1_000)
"""A larger schema is left to a worker, which can be stopped."""

MAX_SCHEMA_BYTES: Final = 1024 * 1024
MAX_PATTERN_BYTES: Final = 4096

MAX_VISITS: Final = 256
"""So many subschemas may judge one and the same place of a value in a tame schema."""

MAX_WEIGHT: Final = 1_000
"""So many steps may be taken at one and the same place of a value in a tame schema."""

PATTERN_STEPS: Final = 50
"""What a regular expression counts for beside a keyword that only compares."""

MAX_FORESEEN: Final = 20_000
"""So many steps are spent on foreseeing what a schema may cost."""

TAME_PATTERN_PROGRAM: Final = 64 * 1024
"""Bytes of the compiled form of a regular expression; the larger it is, the slower it may be."""

MAX_VALUE_DEPTH: Final = 200
MAX_STEPS: Final = 5_000_000
"""So many steps of a check are taken where nothing can stop it: the slowest take 0.2 µs each."""

MAX_MATCHED_CHARACTERS: Final = 16 * 1024
"""Longer texts meet regular expressions in the worker only."""

MAX_POSSIBLE_PROBLEMS: Final = 10_000
"""Where more problems than that might be found, they are listed in the worker only."""

MAX_PROBLEMS: Final = 20
"""So many problems of one value are reported."""

MAX_PREPARED: Final = 512
MAX_PREPARED_BYTES: Final = 8 * 1024 * 1024
"""So many schemas, and so much of their text, are kept ready."""
