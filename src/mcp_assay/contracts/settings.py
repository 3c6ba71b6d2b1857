"""What the user says about contract tests: options, [tools.NAME] and the table [contract]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.contracts.conventions import CONVENTIONS
from mcp_assay.model.tool import Calls

Risky: TypeAlias = Literal["warn", "fail"]

CONTRACT_FILE: Final = "mcp-assay-contract.json"
KEYS: Final[Mapping[str, str]] = {
    "errors": "The convention of errors: its name, or a JSON Schema; learned where it is not set.",
    "error-types": "The types that an error object may have; any where there are none.",
    "enums": "For each field, or TOOL.FIELD, the list or `module:NAME` that the code goes by.",
    "risky": "What risky drift does: `warn` (the default) or `fail`.",
    "file": f"The learned contract; `{CONTRACT_FILE}` by default.",
    "xfail": "Checks that are known to fail, by the end of their ids, and why.",
}
"""What may stand in the table [contract], and what it says."""


class ContractSettings(Struct, frozen=True, kw_only=True):
    """How to test a server against its promises."""

    calls: Calls = "safe"
    allow: tuple[str, ...] = ()
    is_disposable: bool = False
    """Whether nothing lasts that a call does: the server runs in a world without a network."""
    tools: Mapping[str, Any] = {}
    """What stands under [tools.NAME]: valid, invalid, values, reset, no_error."""
    errors: str | Mapping[str, Any] | None = None
    """The convention of errors, or a JSON Schema for them; None where it is learned."""
    error_types: tuple[str, ...] = ()
    """The types that an error object may have; any where there are none."""
    enums: Mapping[str, tuple[Any, ...]] = {}
    """What the code takes, by the name of a field, or by TOOL.FIELD."""
    risky: Risky = "warn"
    file: str = CONTRACT_FILE
    xfail: Mapping[str, str] = {}
    """Checks that are known to fail, by the end of their ids, and why."""
    timeout: float = 10.0
    """Seconds that a call may take."""
    secrets: tuple[str, ...] = ()
    """Texts that must appear nowhere."""

    def no_error(self, tool: str) -> str | None:
        """Why no error sample is to be had of a tool, where the user says so."""
        return _text(self._of(tool).get("no_error"))

    def reset(self, tool: str) -> str | None:
        """The tool that is called before each sample of this one."""
        return _text(self._of(tool).get("reset"))

    def _of(self, tool: str) -> Mapping[str, Any]:
        found = self.tools.get(tool)
        return found if isinstance(found, Mapping) else {}


def settings_from(
    table: Mapping[str, Any],
    *,
    calls: Calls,
    allow: Iterable[str],
    is_disposable: bool = False,
    enums: Mapping[str, Any],
    secrets: Iterable[str] = (),
) -> ContractSettings:
    """The settings of a configuration and of options; raises ValueError with a sentence.

    `enums` are those that the user's code names, as they are: Enum classes, lists, "module:NAME".
    """
    contract = table.get("contract", {})
    if not isinstance(contract, Mapping):
        raise ValueError("contract must be a table.")
    if unknown := sorted(contract.keys() - KEYS.keys()):
        known = ", ".join(sorted(KEYS))
        raise ValueError(f"contract.{unknown[0]} is not known; there are {known}.")
    named = {**contract.get("enums", {}), **enums}
    return ContractSettings(
        calls=calls,
        allow=tuple(allow),
        is_disposable=is_disposable,
        tools=table.get("tools", {}),
        errors=_convention(contract.get("errors")),
        error_types=tuple(map(str, contract.get("error-types", ()))),
        enums={field: values_of(source, field) for field, source in named.items()},
        risky=_risky(contract.get("risky", "warn")),
        file=str(contract.get("file", CONTRACT_FILE)),
        xfail={str(end): str(why) for end, why in contract.get("xfail", {}).items()},
        timeout=_seconds(table.get("timeout", 10.0)),
        secrets=tuple(secrets),
    )


def values_of(source: object, field: str) -> tuple[Any, ...]:
    """The values of an Enum class or a list; a text names one of them: "package.module:NAME"."""
    if isinstance(source, str):
        source = named_object(source)
    if isinstance(source, type) and issubclass(source, Enum):
        return tuple(member.value for member in source)
    if isinstance(source, Iterable) and not isinstance(source, str | bytes | Mapping):
        return tuple(it.value if isinstance(it, Enum) else it for it in source)
    kind = type(source).__name__
    raise ValueError(f"enums.{field} is no list of values and no Enum class, but {kind}.")


def named_object(name: str) -> object:
    """The object that "package.module:object" names; raises ValueError where there is none."""
    module, _, path = name.partition(":")
    try:
        found: object = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except Exception as fault:
        kind = type(fault).__name__
        raise ValueError(f"{name!r} cannot be imported: {kind}: {fault}.") from fault
    return found


def _convention(value: object) -> str | Mapping[str, Any] | None:
    if value is None or isinstance(value, Mapping) or value in CONVENTIONS:
        return value  # type: ignore[return-value]
    known = ", ".join(map(repr, CONVENTIONS))
    raise ValueError(f"contract.errors cannot be {value!r}; use one of {known}, or a JSON Schema.")


def _risky(value: object) -> Risky:
    if value == "warn" or value == "fail":
        return value
    raise ValueError(f"contract.risky cannot be {value!r}; use 'warn' or 'fail'.")


def _seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
        return float(value)
    raise ValueError(f"timeout cannot be {value!r}; it is the seconds that a call may take.")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
