"""Report -> the least that a server must be allowed, as data, for VS Code and for bubblewrap."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from posixpath import dirname
from shlex import join
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec.structs import replace

from mcp_assay.model.effect import Effects, FileChange, SandboxRow
from mcp_assay.model.policy import NeededHost, Needs, Policy, Sandboxed
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import json_text
from mcp_assay.text.names import name_words
from mcp_assay.text.steady_names import TEMPORARY
from mcp_assay.text.words import REDACTED

LONGEST_NAME: Final = 60
SERVER: Final = "server"
"""What a server is called that does not say its name."""
CHOSEN_BY_CHANCE: Final = re.compile(r"/[^/]*\{(?:hex|number|random|time|uuid)\}.*", re.DOTALL)
"""The end of a path that is another one in each run."""
WIDE: Final = re.compile(r"/(?:root|(?:home|Users)/[^/]+|etc|home|opt|usr|var)?")
"""Folders too wide to be granted for a file that lies in them."""
BASE: Final = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
CREATED: Final = "created"
ALONE: Final = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--new-session")
ENDING: Final = ("--die-with-parent", "--")

NOT_WATCHED: Final = "No sandbox watched the server: only a run with --sandbox shows what it needs."
READS: Final = (
    "Ordinary reads are not watched, so all files may be read but those in secret places; "
    "programs are named, but neither form can restrict them."
)
SHORT_RUN: Final = (
    "This is what calls with generated arguments showed. Other arguments may need more."
)
NO_NETWORK: Final = (
    "There was no network: what a server asks for after its first answer from a host is not known."
)
ALL_HOSTS: Final = "bubblewrap cannot tell hosts apart: its command line allows all of them."
OF_ARGUMENTS: Final = (
    "It reaches hosts that arguments name, which no policy can know: add those that it may reach."
)
FILL_IN: Final = (
    f"Secrets, and values of --env, were removed: fill them in where {REDACTED} stands."
)
CUT: Final = "More was done than could be recorded."
REFUSED: Final = "It also wrote here, which is secret or too wide to be granted: {}."


def to_policy(report: Report) -> str:
    """The policy as JSON text."""
    return json_text(policy_of(report))


def policy_of(report: Report) -> Policy:
    """What a server needs by what a run has seen of it."""
    name, command = _name(report), report.subject.command
    succeeded = [call for call in report.calls if call.valid and call.outcome == "passed"]
    bare = Policy(
        name=name,
        command=command,
        calls=len(succeeded),
        tools_succeeded=report.summary.tools_succeeded,
        tools_listed=report.summary.tools_listed,
        limits=[NOT_WATCHED],
    )
    world = report.sandbox
    if world is None or not command:
        return bare
    seen = [call.effects for call in succeeded if call.effects is not None]
    own = [part for part in (world.at_start, world.between) if part is not None]
    refused, needs = _needs([*own, *seen], world, command)
    if world.policy is not None and world.policy.is_widened:
        needs = widened(needs, world)
    return Policy(
        name=name,
        command=command,
        calls=len(succeeded),
        tools_succeeded=bare.tools_succeeded,
        tools_listed=bare.tools_listed,
        needs=needs,
        hidden=world.hidden,
        checked=world.policy,
        vscode=_vscode(name, command, needs, world),
        bwrap=_bwrap(command, needs, world),
        limits=list(_limits(world, command, needs, refused, [*own, *seen])),
    )


def _name(report: Report) -> str:
    """The name of the server as VS Code wants it: in camel case."""
    info = report.subject.server_info or {}
    first, *others = name_words(str(info.get("name") or "")) or [SERVER]
    return (first + "".join(word.capitalize() for word in others))[:LONGEST_NAME]


def _needs(
    seen: Sequence[Effects], world: SandboxRow, command: Sequence[str]
) -> tuple[list[str], Needs]:
    """What was written and cannot be granted, and all else that was done."""
    files = [one for effects in seen for one in effects.files if not _is_ours(one, world)]
    made = {one.path: one for one in files if one.what == CREATED}
    lasting = _outermost(_granted(one) for one in files if not one.temporary)
    refused = [one for one in lasting if _is_below(one, world.hidden) or WIDE.fullmatch(one)]
    write = [path for path in lasting if path not in refused]
    new = [made[path] for path in write if path in made]
    programs = (one.argv[0] for effects in seen for one in effects.programs if one.argv)
    return refused, Needs(
        write=write,
        new_folders=[one.path for one in new if _is_folder(one)],
        new_files=[one.path for one in new if not _is_folder(one)],
        temporary=_outermost(
            [*Needs().temporary, *(_temporary(one.path) for one in files if one.temporary)]
        ),
        hosts=_hosts(seen),
        hosts_of_arguments=bool(_hosts_of_arguments(seen)),
        programs=sorted({*programs} - {command[0]}),
    )


def widened(needs: Needs, world: SandboxRow) -> Needs:
    """The same with the folders around what was written, as far as none is too wide."""
    around = (_around(path, world.folders) for path in needs.write)
    write = _outermost(one for one in around if not _is_below(one, needs.new_files))
    new = (
        [path for path in paths if path in write] for paths in (needs.new_folders, needs.new_files)
    )
    folders, files = new
    return replace(needs, write=write, new_folders=folders, new_files=files)


def _around(path: str, folders: Sequence[str]) -> str:
    """What to grant in place of a path: all that lies beside it in a folder of the server."""
    for folder in folders:
        inside = path.removeprefix(f"{folder}/")
        if inside != path:
            return f"{folder}/{inside.partition('/')[0]}"
    around = dirname(path)
    return path if path in folders or WIDE.fullmatch(around) else around


def _is_ours(change: FileChange, world: SandboxRow) -> bool:
    """Whether a file lies in a folder that is only there in a disposable world."""
    return _is_below(change.path, world.laid)


def _granted(change: FileChange) -> str:
    """What must be writable for a change: the folder in which it is, if that is not too wide."""
    path = CHOSEN_BY_CHANCE.sub("", change.path) or "/"
    if path != change.path or (change.what == CREATED and _is_folder(change)):
        return path
    folder = dirname(path)
    return path if WIDE.fullmatch(folder) else folder


def _is_folder(change: FileChange) -> bool:
    return change.after is not None and change.after.kind == "folder"


def _temporary(path: str) -> str:
    """The folder for temporary files in which a path lies."""
    return next(folder for folder in TEMPORARY if path.startswith(f"{folder}/"))


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths that lie below none of the others."""
    found = sorted(set(paths))
    return [path for path in found if not _is_below(dirname(path), found)]


def _is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of these, or lies below one."""
    return any(path == one or path.startswith(f"{one.rstrip('/')}/") for one in folders)


def _hosts_of_arguments(seen: Iterable[Effects]) -> set[str]:
    """The hosts that our own arguments named: the web site of the world has answered for them."""
    return {_host_of(one.url) for effects in seen for one in effects.requests}


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _hosts(seen: Sequence[Effects]) -> list[NeededHost]:
    named = _hosts_of_arguments(seen)
    ports: dict[str, set[int]] = defaultdict(set)
    for effects in seen:
        for name in effects.names:
            ports[name].update(())
        for one in effects.connections:
            if not _is_own(one.address):
                ports[one.host or one.address].update([one.port] if one.port else ())
    hosts = sorted(ports.keys() - named)
    return [NeededHost(host=host, ports=sorted(ports[host])) for host in hosts]


def _is_own(address: str) -> bool:
    """Whether an address is that of the machine itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _vscode(name: str, command: Sequence[str], needs: Needs, world: SandboxRow) -> dict[str, Any]:
    sandbox = {
        "filesystem": {"allowWrite": [*needs.write, *needs.temporary], "denyRead": world.hidden},
        "network": {"allowedDomains": [one.host for one in needs.hosts]},
    }
    server = {"type": "stdio", "command": command[0], "args": [*command[1:]]}
    return {"servers": {name: {**server, "sandboxEnabled": True, "sandbox": sandbox}}}


def _bwrap(command: Sequence[str], needs: Needs, world: SandboxRow) -> Sandboxed:
    words = [*BASE, *_writing(command, needs, world), *_hiding(world)]
    words += ["--chdir", world.folders[0]] if world.folders else []
    reaches = needs.hosts or needs.hosts_of_arguments
    words += [*ALONE, *(() if reaches else ("--unshare-net",)), *ENDING, *command]
    prepare = [["mkdir", "-p", *needs.new_folders]] if needs.new_folders else []
    prepare += [["touch", *needs.new_files]] if needs.new_files else []
    line = " && ".join(join(one) for one in (*prepare, words))
    return Sandboxed(prepare=prepare, command=words, line=line)


def _hiding(world: SandboxRow) -> Iterator[str]:
    """Empty folders and files in place of secret places."""
    for path in _outermost(world.hidden):
        is_file = path in world.hidden_files
        yield from ("--ro-bind", "/dev/null", path) if is_file else ("--tmpfs", path)


def _writing(command: Sequence[str], needs: Needs, world: SandboxRow) -> Iterator[str]:
    """What may be written to; folders for temporary files begin empty, but for what is needed."""
    for path in needs.temporary:
        yield from ("--tmpfs", path)
    for path in (*world.folders, *command):
        if _is_below(path, needs.temporary):
            yield from ("--ro-bind", path, path)
    for path in needs.write:
        yield from ("--bind", path, path)


def _limits(
    world: SandboxRow,
    command: Sequence[str],
    needs: Needs,
    refused: Sequence[str],
    seen: Iterable[Effects],
) -> Iterator[str]:
    yield READS
    yield SHORT_RUN
    if needs.hosts:
        yield NO_NETWORK
    if needs.hosts or needs.hosts_of_arguments:
        yield ALL_HOSTS
    if needs.hosts_of_arguments:
        yield OF_ARGUMENTS
    if refused:
        yield REFUSED.format(", ".join(refused))
    if any(REDACTED in word for word in (*command, *world.folders, *needs.write)):
        yield FILL_IN
    if any(one.left_out for one in seen):
        yield CUT
