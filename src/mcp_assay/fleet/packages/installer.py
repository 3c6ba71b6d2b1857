"""The process that installs a package, mostly in a disposable world: it trusts nothing it reads.

Its argument says what to install. The first line of its standard output tells what came of it, as
JSON; behind it come the files, where there are any.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

from mcp_assay.fleet.packages.failures import unknown_requirement
from mcp_assay.fleet.packages.package_tar import pack

PACKAGE: Final = "package"
MOST_OUTPUT: Final = 1 << 16
PIP_SECONDS: Final = "20"
QUIET: Final = ("--disable-pip-version-check", "--no-input", "--no-cache-dir")
WHEELS: Final = ("--only-binary", ":all:")
PATIENCE: Final = ("--retries", "2", "--timeout", PIP_SECONDS, "--progress-bar", "off")
NPM_QUIET: Final = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
NPM_PATIENCE: Final = ("--fetch-retries=1", "--fetch-retry-mintimeout=500", "--loglevel=error")
AVAILABLE: Final = re.compile(r"(?m)^Available versions: (.*)$")
WHEELS_SEEN: Final = re.compile(r"\(from versions: ([^)\n]*)\)")
LARGEST_PAGE: Final = 16 << 20
PAGE_SECONDS: Final = 20.0
MOST_HOSTS: Final = 20
LINKED: Final = re.compile(rb"https?://[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?/")


class Failed(Exception):
    """Something that was tried in vain; `kind` says what for, `output` what was written."""

    def __init__(self, kind: str, output: str) -> None:
        super().__init__(output)
        self.kind: Final = kind
        self.output: Final = output


def main(argument: str) -> None:
    """Do what is asked for, and tell it."""
    order: dict[str, Any] = json.loads(argument)
    with tempfile.TemporaryDirectory(prefix="mcp-assay-", ignore_cleanup_errors=True) as place:
        os.makedirs(os.path.join(place, "home"))
        try:
            said = _done(order, place)
        except Failed as failed:
            said = {"failed": failed.kind, "output": failed.output}
        except (OSError, LookupError, ValueError) as fault:
            said = {"failed": "install", "output": str(fault)}
        sys.stdout.buffer.write(json.dumps(said).encode() + b"\n")
        if "programs" in said:
            folder = os.path.join(place, PACKAGE)
            pack(folder, sorted(os.listdir(folder)), sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _done(order: dict[str, Any], place: str) -> dict[str, Any]:
    if "links" in order:
        return {"hosts": linked_hosts(order["links"], order.get("certificates"))}
    make = python_package if order["registry"] == "pypi" else node_package
    return make(order, place)


def python_package(order: dict[str, Any], place: str) -> dict[str, Any]:
    """Install from PyPI: wheels only, so nothing of the package is run."""
    from mcp_assay.fleet.packages.python_environment import PYTHON, make_environment  # noqa: PLC0415
    from mcp_assay.fleet.packages.python_package import described  # noqa: PLC0415

    if find_spec("pip") is None:
        raise Failed("tool", "pip")
    folder = os.path.join(place, PACKAGE)
    make_environment(folder)
    pip = [sys.executable, "-m", "pip", "--python", os.path.join(folder, PYTHON)]
    name, version = order["name"], order["version"]
    if not version and order["known"]:
        newest = _newest_wheel(pip, name, place)
        if newest in order["known"]:
            return {"version": newest, "is_known": True}
    wanted = f"{name}=={version}" if version else name
    try:
        _run([*pip, "install", *QUIET, *WHEELS, *PATIENCE, wanted], place)
    except Failed as failed:
        raise _why_no_wheel(failed, pip, place) from None
    return described(folder, name)


def _newest_wheel(pip: Sequence[str], name: str, place: str) -> str:
    options = ("--dry-run", "--no-deps", "--quiet", "--report", "-")
    said = _run([*pip, "install", *QUIET, *WHEELS, *PATIENCE, *options, name], place)
    try:
        return str(json.loads(said)["install"][0]["metadata"]["version"])
    except (ValueError, LookupError, TypeError):
        raise Failed("install", "pip did not say which version is the newest") from None


def _why_no_wheel(failed: Failed, pip: Sequence[str], place: str) -> Failed:
    """The failure; another one where there is a file, but one that would have to be built."""
    wanted = unknown_requirement(failed.output)
    name = re.match(r"[A-Za-z0-9._-]+", wanted) if wanted else None
    if name is None:
        return failed
    look = [*pip, "index", "versions", *QUIET, "--retries", "1", "--timeout", PIP_SECONDS, name[0]]
    try:
        all_of_them = _versions(AVAILABLE, _run(look, place))
    except Failed:
        return failed
    sources = all_of_them - _versions(WHEELS_SEEN, failed.output)
    exact = wanted.partition("==")[2].partition(",")[0] if wanted else ""
    needs_build = exact in sources if exact else bool(sources)
    return Failed("build", name[0]) if needs_build else failed


def _versions(form: re.Pattern[str], said: str) -> set[str]:
    listed = form.findall(said)
    return {one.strip() for one in listed[-1].split(",")} if listed else set()


def node_package(order: dict[str, Any], place: str) -> dict[str, Any]:
    """Install from npm: no script of any package is run."""
    from mcp_assay.fleet.packages.node_package import described  # noqa: PLC0415

    folder, settings = os.path.join(place, PACKAGE), os.path.join(place, "npmrc")
    os.mkdir(folder)
    with open(settings, "w", encoding="utf-8") as file:
        file.write(order["npmrc"])
    own = [f"--userconfig={settings}", f"--globalconfig={place}/none", f"--cache={place}/cache"]
    npm = ["npm", *own, *NPM_QUIET, *NPM_PATIENCE]
    name, version = order["name"], order["version"]
    if not version and order["known"]:
        newest = _run([*npm, "view", f"{name}@latest", "version"], place).strip()
        if newest in order["known"]:
            return {"version": newest, "is_known": True}
    wanted = f"{name}@{version or 'latest'}"
    _run([*npm, "install", "--omit=dev", f"--prefix={folder}", wanted], place)
    return described(folder, name)


def linked_hosts(pages: Sequence[str], certificates: str | None) -> list[str]:
    """The hosts that pages of an index have links to, as HOST or HOST:PORT."""
    import ssl  # noqa: PLC0415  only where an index has its files elsewhere
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import Request, urlopen  # noqa: PLC0415

    found = dict[str, None]()
    context = ssl.create_default_context(cafile=certificates)
    for page in pages:
        try:
            asked = Request(page, headers={"Accept": "application/json, text/html;q=0.9"})
            with urlopen(asked, timeout=PAGE_SECONDS, context=context) as answer:
                text = answer.read(LARGEST_PAGE)
        except (OSError, ValueError):
            continue
        for link in LINKED.finditer(text):
            found[urlsplit(link[0].decode("ascii")).netloc.lower()] = None
    return list(found)[:MOST_HOSTS]


def _run(command: Sequence[str], place: str) -> str:
    """What a command writes to its standard output; raises Failed where it fails."""
    environment = {**os.environ, "HOME": os.path.join(place, "home"), "TMPDIR": place}
    with tempfile.TemporaryFile(dir=place) as output, tempfile.TemporaryFile(dir=place) as errors:
        try:
            code = subprocess.call(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=environment,
                cwd=place,
            )
        except OSError:
            raise Failed("tool", os.path.basename(command[0])) from None
        said, complaints = _end_of(output), _end_of(errors)
    if code:
        raise Failed("install", f"{said}\n{complaints}"[-MOST_OUTPUT:])
    return said


def _end_of(file: Any) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - MOST_OUTPUT))
    return str(file.read().decode("utf-8", "replace"))


if __name__ == "__main__":
    main(sys.argv[1])
