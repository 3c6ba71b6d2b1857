"""Names of what lies in a folder, for the arguments that ask for such things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_assay.scenario.folder_contents import Contents, ending_of
from mcp_assay.scenario.usual_values import GENERIC, singular
from mcp_assay.text.call_order import creates
from mcp_assay.text.names import name_parts, word_set

_BRANCHES: Final = word_set("branch")
_COMMITS: Final = word_set("commit sha rev revision treeish")
_TAGS: Final = word_set("tag")
_TABLES: Final = word_set("table tablename")
_COLUMNS: Final = word_set("column columnname")
_NAMES: Final = word_set("hash id name ref")
"""Words behind what is named: a "branch_name", a "commit_hash"."""
_WANTED: Final = word_set("find keyword needle pattern phrase query regex search substring term")
"""Words of arguments that hold what is looked for in files."""
_BEFORE: Final = word_set("find old original search target")
_TEXTS: Final = word_set("code content line snippet str string text value")
"""What stands behind them in the name of what is replaced: "old_text"."""
_INSIDE: Final = word_set("code content grep line occurrence replace text")
"""Words of tools that look into files, ..."""
_FILES: Final = word_set("file find glob search")
"""... and of those that look at their names, or into them."""
_PATTERN: Final = "pattern"
_GLOB: Final = "glob"
_OF_HISTORY: Final = re.compile(r"\bgit\b|\bcommits?\b|\bversions?\b|\breleases?\b", re.IGNORECASE)
_IS_REGEX: Final = re.compile(r"\bregex|\bregular expression|\btext\b", re.IGNORECASE)
_IS_COMMIT: Final = re.compile(r"\b(?:branch|commit)", re.IGNORECASE)
NEW_BRANCH: Final = "assay-example"
_OF_TABLES: Final = re.compile(r"\bSQL\b|\bSELECT\b")


def named_in(contents: Contents, tool: str, name: str, description: str) -> Iterator[str]:
    """What an argument may name of a folder, the likeliest first."""
    words = [singular(word) for word in name_parts(name)]
    last = words[-2] if len(words) > 1 and words[-1] in _NAMES else (words or [""])[-1]
    about = f"{tool.replace('_', ' ')} {description}"
    if last in _BRANCHES:
        yield from (NEW_BRANCH,) if creates(tool) and contents.branches else contents.branches
    elif last in GENERIC and _IS_COMMIT.search(description):
        yield from (*contents.branches, *contents.commits)
    elif last in _COMMITS:
        yield from ("HEAD", *contents.commits) if contents.commits else ()
    elif last in _TAGS and _OF_HISTORY.search(about) and not creates(tool):
        yield from contents.tags
    elif last in _TABLES and not creates(tool):
        yield from contents.tables
    elif last in _COLUMNS:
        yield from dict.fromkeys(one for columns in contents.tables.values() for one in columns)
    elif last == _GLOB:
        yield from _globs(contents)
    elif _is_looked_for(words, tool):
        yield from contents.words
    elif _looks_into_files(tool) and last in _WANTED and not _OF_TABLES.search(description):
        names = list(_globs(contents))
        is_first = last == _PATTERN and not _IS_REGEX.search(description)
        yield from (*names, *contents.words) if is_first else contents.words


def _globs(contents: Contents) -> Iterator[str]:
    """Patterns that some of the files match."""
    endings = dict.fromkeys(filter(None, map(ending_of, contents.files)))
    yield from (f"*.{ending}" for ending in endings)


def _is_looked_for(words: list[str], tool: str) -> bool:
    """Whether an argument is surely a text that stands in files: what is replaced, or grepped."""
    first, last = (words or [""])[0], (words or [""])[-1]
    if len(words) > 1 and first in _BEFORE and last in _TEXTS:
        return True
    return last in _WANTED and not _INSIDE.isdisjoint(map(singular, name_parts(tool)))


def _looks_into_files(tool: str) -> bool:
    return not _FILES.isdisjoint(map(singular, name_parts(tool)))
