"""How each truth of the catalogue shows: one short exchange a server, over raw bytes."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tests.servers.raw_client import RawClient
from tests.servers.things import Object

Proof = Callable[[RawClient], None]
MODULES = (
    "proof_of_protocol",
    "proof_of_probed",
    "proof_of_calls",
    "proof_of_processes",
    "proof_of_bytes",
    "proof_of_floods",
    "proof_of_features",
    "proof_of_validation",
)
_PROOFS: dict[str, Proof] = {}


def proofs() -> dict[str, Proof]:
    """Every proof, by the name of its server."""
    for module in MODULES:
        import_module(f"tests.servers.{module}")
    return _PROOFS


def shows(*names: str) -> Callable[[Proof], Proof]:
    """Register the proof of servers' truths."""

    def register(proof: Proof) -> Proof:
        for name in names:
            assert name not in _PROOFS, f"{name} is proved twice"
            _PROOFS[name] = proof
        return proof

    return register


def failed(result: Any) -> bool:
    """Whether a call was refused, or failed."""
    return result.get("isError") is True or "code" in result


def said(result: Any) -> str:
    """The text of a result."""
    return " ".join(str(block.get("text", "")) for block in result["content"])


def changed(sample: Object, **changes: Any) -> Object:
    """A tool's sample with these arguments instead; those that are ... are left out."""
    whole = {**sample, **changes}
    return {name: value for name, value in whole.items() if value is not ...}
