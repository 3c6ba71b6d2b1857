"""What the user asks of a run: on the command line, in the ini file or in mcp-assay.toml."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.contracts.settings import Settings, settings_from
from mcp_assay.contracts.targets import target_of
from mcp_assay.drive.target import Reachable
from mcp_assay.intake.pairs import pairs, secrets_in

DEFAULTS: Final = {"calls": "safe", "allow": ()}
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


class Asked:
    """The server that the user names, and what the user says about it; raises ValueError."""

    def __init__(self, config: pytest.Config, table: Mapping[str, Any]) -> None:
        self._config: Final = config
        self._table: Final = table
        self._headers: Final = pairs(self._texts("header"), ":", "--mcp-assay-header")
        self._variables: Final = pairs(self._texts("env"), "=", "--mcp-assay-env", os.environ)

    def target(self) -> Reachable:
        """Whom to talk to."""
        named = self._config.hook.pytest_mcp_assay_server(config=self._config)
        named = named if named is not None else option(self._config, "server")
        if not named:
            raise ValueError(
                'name the server: --mcp-assay-server "command args", a URL or package.module:object'
            )
        folder = str(self._config.rootpath)
        return target_of(named, folder, headers=self._headers, variables=self._variables)

    def settings(self) -> Settings:
        """How to test it."""
        enums: dict[str, Any] = {}
        for found in self._config.hook.pytest_mcp_assay_enums(config=self._config):
            enums.update(found or {})
        return settings_from(
            self._table,
            calls=option(self._config, "calls"),
            allow=option(self._config, "allow"),
            enums=enums,
            secrets=secrets_in((*self._headers.values(), *self._variables.values())),
        )

    def _texts(self, name: str) -> list[str]:
        """What an option says that can be repeated; in mcp-assay.toml where nobody typed it."""
        given = option(self._config, name) or self._table.get(name) or []
        return [given] if isinstance(given, str) else [str(one) for one in given]
