"""A JSON-RPC message as the rules see it: the decoded value and what is known about it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

Direction: TypeAlias = Literal["c2s", "s2c"]
Kind: TypeAlias = Literal["request", "notification", "result", "error", "unknown"]


class Message(Struct, frozen=True, gc=False):
    """One decoded message (never a batch) of one revision.

    `method` is the message's own method or, for a response, that of the request it answers where
    this is known. `direction` is None where nobody can tell who sent the message.
    """

    value: dict[str, Any]
    kind: Kind
    method: str | None
    revision: str
    direction: Direction | None = None
    place: int = 0
    """The number that whoever read the message gave to its line."""
    answers: Message | None = None
    """The request that a response answers, where it was seen."""

    @property
    def params(self) -> dict[str, Any]:
        """The params object, empty where there is none or it is no object."""
        params = self.value.get("params")
        return params if isinstance(params, dict) else {}

    @property
    def meta(self) -> dict[str, Any]:
        """The `_meta` object of the params, empty where there is none or it is no object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def result(self) -> dict[str, Any]:
        """The result object, empty where there is none or it is no object."""
        result = self.value.get("result")
        return result if isinstance(result, dict) else {}

    @property
    def error(self) -> dict[str, Any]:
        """The error object, empty where there is none or it is no object."""
        error = self.value.get("error")
        return error if isinstance(error, dict) else {}
