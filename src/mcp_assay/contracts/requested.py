"""What the user asks of a run: on the command line, in the ini file or in mcp-assay.toml."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.client.sandbox.admission import put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions, Wanted
from mcp_assay.client.target import SET, Command, Endpoint, Reachable, Within, pairs, secrets_in
from mcp_assay.contracts.settings import ContractSettings, named_object, settings_from

URLS: Final = ("http://", "https://")
NOTHING: Final[Mapping[str, str]] = {}
OBJECT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def target_of(
    named: object,
    folder: str,
    *,
    headers: Mapping[str, str] = NOTHING,
    variables: Mapping[str, str] = NOTHING,
) -> Reachable:
    """The server that a text names, or that an object is; raises ValueError with a sentence.

    A text is a URL, `package.module:object`, or a command. Objects are imported from the folder of
    the tests too; one that is a function is called, and gives the server.
    """
    if not isinstance(named, str):
        return Within(server=_made(named), name=type(named).__name__)
    if named.startswith(URLS):
        return Endpoint(url=named, headers=headers)
    if OBJECT.fullmatch(named):
        if folder not in sys.path:
            sys.path.append(folder)
        return Within(server=_made(named_object(named)), name=named)
    words = shlex.split(named)
    if not words:
        raise ValueError("the name of the server is empty.")
    return Command(command=tuple(words), environment={**_environment(), **variables})


def _made(server: object) -> object:
    return server() if callable(server) and not hasattr(server, "run") else server


def _environment() -> dict[str, str]:
    """That of the tests: the server is the user's own, and `python` is the one that runs them."""
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))
    return {**os.environ, **SET, "PATH": path}


DEFAULTS: Final = {"allow": ()}
NO_WORLD: Final = ("", "0", "false", "no", "off")
IN_WORLD: Final[Mapping[str, Wanted]] = dict.fromkeys(("1", "auto", "on", "true", "yes"), "auto")
SUDO: Final = "sudo"
HISTORY_VARIABLE: Final = "MCP_ASSAY_HISTORY"
DEFAULT_STORE: Final = "default"
SWITCHES: Final = ("mcp_assay", "mcp_assay_update", "mcp_assay_mutate")
"""Each of these options asks for the checks."""


def option(config: pytest.Config, name: str) -> Any:
    """What an option of ours says, on the command line or else in the ini file."""
    typed = config.getoption(f"mcp_assay_{name}", None)
    return typed or config.getini(f"mcp_assay_{name}") or DEFAULTS.get(name)


def wants_items(config: pytest.Config) -> bool:
    """Whether checks are to be run: they were asked for, and not only files of others."""
    if config.option.mcp_assay_ids or any(config.getoption(name) for name in SWITCHES):
        return True
    if not any(config.getini(name) for name in SWITCHES):
        return False
    is_typed = config.args_source == pytest.Config.ArgsSource.ARGS
    return not is_typed or any(Path(arg.split("::")[0]).is_dir() for arg in config.args)


def only_collected(config: pytest.Config) -> list[str]:
    """The files and folders that were typed, where tests may stand elsewhere too."""
    is_typed = config.args_source == pytest.Config.ArgsSource.ARGS
    if not is_typed or (config.option.mcp_assay_ids and not config.option.mcp_assay_others):
        return []
    whole = config.rootpath.resolve()
    return [] if any(Path(arg).resolve() == whole for arg in config.args) else list(config.args)


class Requested:
    """The server that the user names, and what the user says about it; raises ValueError."""

    def __init__(self, config: pytest.Config, table: Mapping[str, Any]) -> None:
        self._config: Final = config
        self._table: Final = table
        self._headers: Final = pairs(self._texts("header"), ":", "--mcp-assay-header")
        self._variables: Final = pairs(self._texts("env"), "=", "--mcp-assay-env", os.environ)

    def target(self) -> Reachable:
        """Whom to connect to."""
        named = self._config.hook.pytest_mcp_assay_server(config=self._config)
        named = named if named is not None else option(self._config, "server")
        if not named:
            raise ValueError(
                'name the server: --mcp-assay-server "command args", a URL or package.module:object'
            )
        folder, world = str(self._config.rootpath), self.world()
        target = target_of(named, folder, headers=self._headers, variables=self._variables)
        return put_into_world(target, world) if world else target

    def history(self) -> str | None:
        """Which store remembers the run; None where none does."""
        given = option(self._config, "history") or os.environ.get(HISTORY_VARIABLE)
        its = given or self._table.get("history")
        return DEFAULT_STORE if its is True else str(its) if its else None

    def world(self) -> SandboxOptions | None:
        """The disposable world that is asked for, None where none is."""
        said = str(option(self._config, "sandbox") or "").lower()
        if said in NO_WORLD:
            return None
        if said != SUDO and said not in IN_WORLD:
            raise ValueError(f"mcp_assay_sandbox cannot be {said!r}; use true, false or sudo.")
        return SandboxOptions(
            backend="sudo" if said == SUDO else IN_WORLD[said],
            allow=tuple(self._texts("sandbox_allow")),
            show=tuple(self._texts("sandbox_show")),
        )

    def settings(self) -> ContractSettings:
        """How to test it."""
        enums: dict[str, Any] = {}
        for found in self._config.hook.pytest_mcp_assay_enums(config=self._config):
            enums.update(found or {})
        world = self.world()
        is_disposable = world is not None and not world.allow
        return settings_from(
            self._table,
            calls=option(self._config, "calls") or ("all" if is_disposable else "safe"),
            is_disposable=is_disposable,
            allow=option(self._config, "allow"),
            enums=enums,
            secrets=secrets_in((*self._headers.values(), *self._variables.values())),
        )

    def _texts(self, name: str) -> list[str]:
        """What an option says that can be repeated; in mcp-assay.toml where nobody typed it."""
        given = option(self._config, name) or self._table.get(name) or []
        return [given] if isinstance(given, str) else [str(one) for one in given]
