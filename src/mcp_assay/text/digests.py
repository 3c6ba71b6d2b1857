"""The digests of short texts, from the lean modules below hashlib, which itself loads OpenSSL."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import _Hash


def _digest(name: str, *modules: str) -> Callable[[bytes], _Hash]:
    """The digest of this name from the first module that this Python has."""
    for module in modules:
        try:
            found: Callable[[bytes], _Hash] = getattr(import_module(module), name)
        except ImportError:
            continue
        return found
    raise ImportError(f"this Python has no {name}")


sha256: Final = _digest("sha256", "_sha2", "_sha256", "hashlib")
blake2b: Final = _digest("blake2b", "_blake2", "hashlib")
sha1: Final = _digest("sha1", "_sha1", "hashlib")
"""What git names its objects by; nothing that has to be safe."""
