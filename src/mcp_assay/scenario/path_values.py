"""Paths for arguments that name a file or a folder: where the server works, and samples of ours."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.scenario.folder_contents import Contents, contents_of, ending_of, joined
from mcp_assay.scenario.prepared_folder import prepared_files
from mcp_assay.scenario.usual_values import singular
from mcp_assay.text.names import name_parts, word_set

FOLDER_WORDS: Final = word_set(
    "cwd dir directory folder project repo repository root workdir workspace"
)
FILE_WORDS: Final = word_set("destination file filename filepath path pathname source")
A_FILE: Final = word_set("file filename")
"""Words of an argument that is a file, and no folder."""
WRITING: Final = word_set("create dump export generate make new render save store write")
"""Words of tools that write a whole file, which may be new."""
NO_FILES: Final = word_set("api endpoint http json jsonpath key object route uri url xpath")
"""Words beside which a path is none of a file."""
NEW_WORDS: Final = word_set("dest destination dst new output target to")
"""Words of arguments that name a file which is not there yet."""
_PLACE_WORDS: Final = word_set("cwd dir directory file filename filepath folder path workdir")
_BEHIND: Final = word_set("for from in of on out to with")
"""Words behind which stands what is done with a thing, or where it is."""
_NO_FILE: Final = re.compile(
    r"\b(?:API|HTTP|JSON ?Path|JSON Pointer|URI|URL|XPath|endpoint|route)\b"
)
_FOLDER: Final = re.compile(r"\b(?:director(?:y|ies)|folders?|path)\b", re.IGNORECASE)
"""What is said of a root, a project or a repository that is a folder of files."""
_RELATIVE: Final = re.compile(
    r"\brelative (?:\w+ )?(?:path )?(?:to|from)\b|\(relative\b", re.IGNORECASE
)
SAMPLE: Final = "assay-example"
"""What new files and folders are called."""
_A_FILE: Final = re.compile(r"\bfiles?\b", re.IGNORECASE)
_A_FOLDER: Final = re.compile(r"\b(?:director(?:y|ies)|folders?)\b", re.IGNORECASE)
_A_PATH: Final = re.compile(r"\b(?:files?|folders?|director(?:y|ies))\b", re.IGNORECASE)
"""How a description says that what may be anything, such as a source, is a file or a folder."""
Kind: TypeAlias = Literal["file", "folder"]
HERE: Final = "."
_ENDINGS: Final = {
    word: endings
    for words, endings in (
        ("db database sqlite", (".db", ".sqlite")),
        ("deck powerpoint pptx presentation slide", (".pptx",)),
        ("docx word", (".docx",)),
        ("excel sheet spreadsheet workbook xlsx", (".xlsx",)),
        ("audio wav", (".wav",)),
        ("image img photo picture png", (".png", ".jpg")),
        ("csv dataframe dataset", (".csv",)),
        ("json", (".json",)),
        ("markdown md", (".md",)),
        ("pdf", (".pdf",)),
        ("html", (".html",)),
        ("xml", (".xml",)),
        ("yaml", (".yaml", ".yml")),
        ("toml", (".toml",)),
        ("python", (".py",)),
        ("javascript", (".js",)),
        ("zip", (".zip",)),
    )
    for word in words.split()
}
"""How names of files end whose kind a name says."""
_SPOKEN: Final = re.compile(r"[a-z0-9]+")


class KnownPlaces(Struct, frozen=True, kw_only=True):
    """Places that are known before the first call."""

    work: str = ""
    """The folder that the server was started in, absolute; "" where it runs elsewhere."""
    others: tuple[str, ...] = ()
    """The other folders that its command names, absolute."""
    samples: str = ""
    """The folder of ours that has the prepared files, absolute; "" where there is none."""
    trusted: frozenset[str] = frozenset()
    """The tools that may be given the work folder: those that only read, or all in a world."""
    with_paths: frozenset[str] = frozenset()
    """The tools that take paths."""
    own_files: tuple[str, ...] = ()
    """Files that lie in the work folder, absolute."""
    own: Contents = Contents()
    """What else can be named of the work folder."""
    in_samples: Contents | None = None
    """What lies in the folder of samples, where it is not what we put there."""
    has_site: bool = False
    """Whether a web site answers for every host that a call names, and nothing leaves the world."""

    def folders(self, tool: str) -> tuple[str, ...]:
        """The folders that a tool may be given."""
        own = (*self.others, self.work, HERE) if self.work and tool in self.trusted else ()
        return (*own, self.samples) if self.samples else own

    def files(self, tool: str, about: str) -> list[str]:
        """Files of the work folder and samples, those first whose kind is spoken of."""
        own = self.own_files if tool in self.trusted else ()
        samples = [joined(self.samples, name) for name in self._in_samples().files]
        said = {word.strip(".") for word in _SPOKEN.findall(about.lower())}
        spoken = said.union(*(_ENDINGS.get(singular(word), ()) for word in said))
        return sorted(
            (*own, *samples),
            key=lambda path: spoken.isdisjoint((ending_of(path), f".{ending_of(path)}")),
        )

    def known_to(self, tool: str) -> Contents:
        """What a tool can be asked for: of the work folder, or else of the samples."""
        if tool in self.trusted and self.own != Contents():
            return self.own
        return self._in_samples()

    def _in_samples(self) -> Contents:
        if not self.samples:
            return Contents()
        return samples_known() if self.in_samples is None else self.in_samples

    def inner_folders(self, tool: str) -> tuple[str, ...]:
        """Folders inside those that a tool may be given: whoever removes one, removes no root."""
        root = next(iter(self.others), self.work) if tool in self.trusted else ""
        known = self.known_to(tool)
        around = root if known is self.own and root else self.samples
        return tuple(joined(around, one) for one in known.folders) if around else ()

    def repository_addresses(self) -> tuple[str, ...]:
        """The address of a repository that can be copied without a network."""
        return (f"file://{self.samples}",) if "" in self._in_samples().repositories else ()

    def below(self, path: str, folders: Collection[str] = ()) -> str:
        """A path as it is below the folder of ours, or of the server's, in which it lies."""
        roots = [one for one in (*folders, self.work, *self.others, self.samples) if one]
        around = [one for one in roots if path.startswith(f"{one}/")]
        return path[len(max(around, key=len)) + 1 :] if around else path.rpartition("/")[2]


@cache
def samples_known() -> Contents:
    """What lies in the prepared folder."""
    found = prepared_files()
    return contents_of(found, lambda path: found.get(path, b""))


def is_path_name(name: str) -> bool:
    """Whether an argument of this name is a file or a folder."""
    head, is_named = _head(name)
    places = _PLACE_WORDS if is_named else FOLDER_WORDS | FILE_WORDS
    return not _words(name) & NO_FILES and head in places


def is_path(name: str, description: str) -> bool:
    """Whether an argument is surely a file or a folder: a source or a project may be anything."""
    head = _head(name)[0]
    is_said = _FOLDER if head in FOLDER_WORDS else _A_PATH if head in FILE_WORDS else None
    is_place = head in _PLACE_WORDS or bool(is_said and is_said.search(description))
    return is_place and not _words(name) & NO_FILES and not _NO_FILE.search(description)


def is_relative_path(description: str) -> bool:
    """Whether a path, by what is said of it, is counted from a folder that is named elsewhere."""
    return _RELATIVE.search(description) is not None


def _head(name: str) -> tuple[str, bool]:
    """The word that says what a name is of, and whether only the name of that is meant.

    A "file_hash" is no file, but "file2", "files_to_read", "input_file_a" and "dir_name" are.
    """
    words = [singular(word) for word in name_parts(name)]
    cut = next((at for at, word in enumerate(words) if at and word in _BEHIND), len(words))
    words = words[:cut]
    while len(words) > 1 and (len(words[-1]) == 1 or words[-1].isdecimal()):
        words.pop()
    is_named = len(words) > 1 and words[-1] == "name"
    return (words[-2] if is_named else words[-1]) if words else "", is_named


def usual_endings(name: str, tool: str) -> tuple[str, ...]:
    """How a file is likely to end, by the name of an argument, else by that of its tool."""
    words = [*map(singular, name_parts(name)), *map(singular, name_parts(tool))]
    return next((_ENDINGS[word] for word in words if word in _ENDINGS), ())


def said_kind(description: str) -> Kind | None:
    """Whether a path is that of a file or of a folder, where a description names one of both."""
    is_file, is_folder = bool(_A_FILE.search(description)), bool(_A_FOLDER.search(description))
    return None if is_file == is_folder else "file" if is_file else "folder"


def wants_folder(name: str) -> bool:
    """Whether a path is that of a folder, by its name."""
    return not FOLDER_WORDS.isdisjoint(_words(name))


def _words(name: str) -> set[str]:
    return {singular(word) for word in name_parts(name)}
