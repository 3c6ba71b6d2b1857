"""The configuration of a project: mcp-assay.toml, else [tool.mcp-assay] in pyproject.toml.

Every command looks for one, those too that load nothing else: so little is loaded here.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Final

OWN_FILE: Final = "mcp-assay.toml"
SHARED_FILE: Final = "pyproject.toml"
OUR_TABLE: Final = (b"tool.mcp-assay", b"[tool]", b"tool=")
"""One of these is in a shared file that has a table of ours, blanks and quotes left out.

Others, such as merely depend on us, are not parsed.
"""
ROOT_MARKS: Final = (".git", ".hg")
"""A folder with one of these is the root of a repository: the search goes no higher."""


class WrongConfiguration(ValueError):
    """A configuration that cannot be used; the text is a sentence that says where and why."""


class Configuration:
    """What a configuration file says, and which file that is."""

    __slots__ = ("path", "table")

    def __init__(self, path: str = "", table: Mapping[str, Any] | None = None) -> None:
        self.path: Final = path
        self.table: Final = table or {}


def find_configuration(start: str = ".") -> Configuration:
    """The nearest configuration, from a folder upwards to the root of its repository.

    Raises WrongConfiguration where the nearest file cannot be used.
    """
    try:
        here = os.path.abspath(start)
    except FileNotFoundError:
        raise WrongConfiguration("the working folder is gone; change into another one.") from None
    for folder in _upwards(here):
        for name in (OWN_FILE, SHARED_FILE):
            path = os.path.join(folder, name)
            table = _table(path) if os.path.isfile(path) else None
            if table is not None:
                return Configuration(path, table)
    return Configuration()


def is_configured() -> bool:
    """Whether there is a configuration here, be it a wrong one."""
    try:
        return bool(find_configuration().table)
    except WrongConfiguration:
        return True


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        marks = (os.path.join(folder, mark) for mark in ROOT_MARKS)
        if above == folder or any(map(os.path.exists, marks)):
            return
        folder = above


def _table(path: str) -> Mapping[str, Any] | None:
    """The part of a file that is ours; None where it has none."""
    content = _content(path)
    if os.path.basename(path) == OWN_FILE:
        return parsed_toml(path, content)
    bare = content.translate(None, b" \t\"'")
    if b"mcp-assay" not in bare or not any(begun in bare for begun in OUR_TABLE):
        return None
    tools = parsed_toml(path, content).get("tool")
    ours = tools.get("mcp-assay") if isinstance(tools, dict) else None
    if ours is not None and not isinstance(ours, dict):
        raise WrongConfiguration(f"{path}: tool.mcp-assay must be a table.")
    return ours


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as fault:
        raise WrongConfiguration(f"{path} cannot be read: {fault.strerror}.") from None


def parsed_toml(path: str, content: bytes) -> dict[str, Any]:
    """What a TOML file says, its dates as texts, as in JSON; raises WrongConfiguration."""
    import tomllib  # noqa: PLC0415  most runs have no configuration

    from msgspec import to_builtins  # noqa: PLC0415  nor is it needed before

    try:
        table: dict[str, Any] = to_builtins(tomllib.loads(content.decode()))
        return table
    except UnicodeDecodeError:
        raise WrongConfiguration(f"{path} is not UTF-8.") from None
    except tomllib.TOMLDecodeError as fault:
        raise WrongConfiguration(f"{path} is not valid TOML: {fault}.") from None
