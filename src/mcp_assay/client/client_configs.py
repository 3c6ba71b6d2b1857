"""A client's configuration file -> the servers in it, and how each is started or reached.

Claude Desktop, Cursor and others write `mcpServers`, VS Code writes `servers`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

LARGEST: Final = 4 * 1024 * 1024
TABLES: Final = ("mcpServers", "servers")
NESTED: Final = "mcp"
"""Where the settings of an editor keep its servers."""
PROJECT_FOLDERS: Final = (".vscode", ".cursor")
"""Folders whose parent is the folder of the workspace."""
UNHEEDED: Final = ("cwd", "envFile")
"""What a configuration may say about a server that is not followed."""

_COMMENT: Final = r'(?s)("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/'
_LAST_COMMA: Final = r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])'
_PLACEHOLDER: Final = r"\$\{([^{}]+)\}"


class WrongClientConfig(ValueError):
    """A configuration from which no server can be taken; the text is a sentence that says why."""


class ConfigServer(Struct, frozen=True, kw_only=True):
    """One server of a configuration; texts may still hold placeholders that nothing fills."""

    name: str
    command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    url: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    filled: tuple[str, ...] = ()
    """The values of variables that were put in the place of placeholders."""
    unheeded: tuple[str, ...] = ()
    """What else it says, and nobody follows."""


def read_client_config(path: str) -> dict[str, Mapping[str, Any]]:
    """The entries of all servers in a file, as they stand there; raises WrongClientConfig."""
    return _entries(path, _parsed(path, _content(path)))


def why_skipped(entry: Mapping[str, Any]) -> str | None:
    """Why clients do not start a server, where its entry says that they should not."""
    if entry.get("disabled") is True:
        return "disabled in the configuration"
    return "not enabled in the configuration" if entry.get("enabled") is False else None


def client_server(
    path: str, name: str, entry: Mapping[str, Any], variables: Mapping[str, str]
) -> ConfigServer:
    """The server that an entry describes, placeholders filled; raises WrongClientConfig."""
    filler = Filler(path, variables)
    place, its = f"{path}: the server {name!r}", filler.fill(dict(entry))
    url = its.get("url", its.get("serverUrl"))
    if isinstance(its.get("command"), str) and its.get("type", "stdio") == "stdio":
        return ConfigServer(
            name=name,
            command=(its["command"], *_texts(its.get("args", []), f"{place}: args")),
            environment=_pairs(its.get("env", {}), f"{place}: env"),
            filled=tuple(filler.filled),
            unheeded=tuple(key for key in UNHEEDED if its.get(key)),
        )
    if isinstance(url, str) and url.startswith(("http://", "https://")):
        headers = _pairs(its.get("headers", {}), f"{place}: headers")
        return ConfigServer(name=name, url=url, headers=headers, filled=tuple(filler.filled))
    raise WrongClientConfig(f"{place} has neither a command nor an http(s) url.")


def placeholders(text: str) -> list[str]:
    """What is left to be filled in a text, as it stands there."""
    return [match[0] for match in re.finditer(_PLACEHOLDER, text)]


def _content(path: str) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as fault:
        raise WrongClientConfig(f"{path} cannot be read: {fault.strerror}.") from None
    if len(content) > LARGEST:
        raise WrongClientConfig(f"{path} has more than {LARGEST:,} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WrongClientConfig(f"{path} is not UTF-8.") from None


def _parsed(path: str, text: str) -> Any:
    """The value of JSON in which comments and last commas are allowed."""
    bare = re.sub(_LAST_COMMA, _kept, re.sub(_COMMENT, _kept, text))
    try:
        return json.loads(bare)
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        raise WrongClientConfig(f"{path} is not JSON: {fault.msg} ({place}).") from None
    except RecursionError:
        raise WrongClientConfig(f"{path} is nested too deeply.") from None
    except ValueError:
        raise WrongClientConfig(f"{path} is not JSON: a number has too many digits.") from None


def _kept(match: re.Match[str]) -> str:
    """A string as it is; lines stay, so that places stay true."""
    return match[1] or re.sub(r"[^\n]", " ", match[0])


def _entries(path: str, whole: Any) -> dict[str, Mapping[str, Any]]:
    """The table of servers, wherever a client keeps it."""
    settings = whole if isinstance(whole, dict) else {}
    nested = settings.get(NESTED)
    for table in (settings, nested if isinstance(nested, dict) else {}):
        for key in TABLES:
            servers = table.get(key)
            if isinstance(servers, dict):
                return {name: it if isinstance(it, dict) else {} for name, it in servers.items()}
    raise WrongClientConfig(f"{path} has neither mcpServers nor servers.")


class Filler:
    """Puts values in the place of placeholders, as far as they are known."""

    def __init__(self, path: str, variables: Mapping[str, str]) -> None:
        self.filled: Final[list[str]] = []
        self._variables: Final = variables
        self._folders: Final = _folders(path, variables)

    def fill(self, value: Any) -> Any:
        """The value with all its texts filled."""
        if isinstance(value, dict):
            return {name: self.fill(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.fill(member) for member in value]
        return re.sub(_PLACEHOLDER, self._text_for, value) if isinstance(value, str) else value

    def _text_for(self, match: re.Match[str]) -> str:
        """What a placeholder stands for, itself where nobody knows; it may name a default."""
        if match[1] in self._folders:
            return self._folders[match[1]]
        name, has_default, default = match[1].removeprefix("env:").partition(":-")
        if name not in self._variables:
            return default if has_default else match[0]
        self.filled.append(self._variables[name])
        return self._variables[name]


def _folders(path: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The folders that editors have names for."""
    folder = os.path.dirname(os.path.abspath(path))
    is_inside = os.path.basename(folder) in PROJECT_FOLDERS
    workspace = os.path.dirname(folder) if is_inside else folder
    return {
        "userHome": variables.get("HOME", os.path.expanduser("~")),
        "workspaceFolder": workspace,
        "workspaceFolderBasename": os.path.basename(workspace),
        "pathSeparator": os.sep,
        "/": os.sep,
    }


def _texts(value: Any, place: str) -> list[str]:
    if not isinstance(value, list):
        raise WrongClientConfig(f"{place} must be a list.")
    return [_text(one, place) for one in value]


def _pairs(value: Any, place: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise WrongClientConfig(f"{place} must be an object.")
    return dict(_each_pair(value, place))


def _each_pair(value: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    """The members that are set: null takes a variable away, and it is not passed anyhow."""
    for name, member in value.items():
        if member is not None:
            yield name, _text(member, f"{place}.{name}")


def _text(value: Any, place: str) -> str:
    """A text, or a number as clients write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return json.dumps(value)
    raise WrongClientConfig(f"{place} contains something that is not a string.")
