"""What was installed from npm: its version, its programs, and what of it would have to be built."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Final

MODULES: Final = "node_modules"
LOCK: Final = ".package-lock.json"
LARGEST: Final = 32 << 20
BUILDING: Final = re.compile(
    r"\b(?:node-gyp|node-gyp-build|prebuild-install|node-pre-gyp|cmake-js|napi|cargo|make)\b"
)
"""What scripts of installation call that compile something, or fetch what was compiled."""
SCRIPTS: Final = ("preinstall", "install", "postinstall")
PREBUILT: Final = "prebuilds"


def described(folder: str, name: str) -> dict[str, Any]:
    """The version of a package, its programs by their names, and who would have to be built."""
    home = os.path.join(folder, MODULES, name)
    about = _read(os.path.join(home, "package.json"))
    said: dict[str, Any] = {
        "version": str(about.get("version", "")),
        "programs": dict(_programs(folder, name, about)),
    }
    built = _built(folder)
    return {**said, "needs_build": built} if built else said


def _programs(folder: str, name: str, about: Mapping[str, Any]) -> dict[str, str]:
    bin_ = about.get("bin")
    short = name.rpartition("/")[2]
    named = {short: bin_} if isinstance(bin_, str) else bin_ if isinstance(bin_, dict) else {}
    top, found = os.path.realpath(folder), dict[str, str]()
    for program, file in named.items():
        if not isinstance(file, str) or not re.fullmatch(r"[\w.-]+", str(program)):
            continue
        path = os.path.realpath(os.path.join(folder, MODULES, name, file))
        if path.startswith(f"{top}/") and os.path.isfile(path):
            found[str(program)] = os.path.relpath(path, top)
    return found


def _built(folder: str) -> str:
    """A package whose scripts would build something that it does not work without."""
    lock = _read(os.path.join(folder, MODULES, LOCK))
    packages = lock.get("packages")
    for path, about in packages.items() if isinstance(packages, dict) else ():
        if isinstance(about, dict) and about.get("hasInstallScript") and not about.get("optional"):
            home = os.path.join(folder, path)
            if not os.path.isdir(os.path.join(home, PREBUILT)) and _builds(home):
                return str(path).rpartition(f"{MODULES}/")[2]
    return ""


def _builds(home: str) -> bool:
    scripts = _read(os.path.join(home, "package.json")).get("scripts")
    words = [scripts.get(one) for one in SCRIPTS] if isinstance(scripts, dict) else []
    is_said = any(isinstance(word, str) and BUILDING.search(word) for word in words)
    return is_said or os.path.isfile(os.path.join(home, "binding.gyp"))


def _read(path: str) -> dict[str, Any]:
    """A JSON object of a stranger; empty where it is none."""
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
