"""What can be put into a disposable world: commands, but no addresses, containers or objects."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, Endpoint, Reachable
from mcp_assay.text.names import word_set

CONTAINERS: Final = word_set(
    """
    buildah colima container crictl ctr docker docker-compose docker-mcp finch incus kubectl lima
    limactl lxc multipass nerdctl orb podman podman-compose podman-remote
    """
)
"""Programs that have others run a command, where nothing of it can be seen."""
BEFORE: Final = word_set("command doas env exec nice nohup setsid stdbuf sudo time timeout")
"""Words that stand before the program that is meant."""
SHELLS: Final = word_set("ash bash dash fish ksh sh zsh")
ASSIGNED: Final = r"(?s)[A-Za-z_]\w*=.*"
NUMBER: Final = r"[0-9.]+[smhd]?"
AT_URL: Final = (
    "only a command can run in a disposable world, and the server at a URL runs already: name the "
    "command that starts it, or run it without a sandbox."
)
AS_OBJECT: Final = (
    "only a command can run in a disposable world, and an object runs in this process: name the "
    "command that starts the server, or run it without a sandbox."
)
IN_CONTAINER: Final = (
    "{} would run the server in a container, outside of the disposable world: name the command "
    "that the container runs, or run it without a sandbox."
)


class NotForWorld(ValueError):
    """A server that cannot be put into a disposable world; the text says why, and what to do."""


def put_into_world(target: Reachable, options: SandboxOptions) -> Command:
    """The server, to be started in a disposable world; raises NotForWorld."""
    if isinstance(target, Endpoint):
        raise NotForWorld(AT_URL)
    if not isinstance(target, Command):
        raise NotForWorld(AS_OBJECT)
    program = container_program(target.command)
    if program is not None:
        raise NotForWorld(IN_CONTAINER.format(program))
    if options.prepare_from:
        from mcp_assay.client.sandbox.specification import with_prepared_work  # noqa: PLC0415

        options = with_prepared_work(target.command, options)
    return replace(target, sandbox=options)


def is_disposable(target: Reachable) -> bool:
    """Whether nothing that a server does lasts: it is in a world, and nobody is within reach."""
    if not isinstance(target, Command) or target.sandbox is None:
        return False
    return not target.sandbox.allow


def typed_words(target: Reachable) -> list[str]:
    """The options that put a server into its world, as they are typed."""
    world = target.sandbox if isinstance(target, Command) else None
    if world is None:
        return []
    allowed = [word for host in world.allow for word in ("--sandbox-allow", host)]
    visible = [word for path in world.show for word in ("--sandbox-show", path)]
    kind = "" if world.backend == "auto" else f"={world.backend}"
    own = ["--world", world.prepare_from] if world.prepare_from else []
    return [f"--sandbox{kind}", *allowed, *visible, *own]


def options_shown(target: Reachable) -> dict[str, Any]:
    """The same for a report; nothing where there is no world."""
    world = target.sandbox if isinstance(target, Command) else None
    if world is None:
        return {}
    return {
        "sandbox": world.backend,
        "sandbox_allow": list(world.allow),
        "sandbox_show": list(world.show),
        "keep_world": world.keep,
        "world": world.prepare_from,
    }


def container_program(command: Sequence[str]) -> str | None:
    """The program of a command that would run the server in a container, None if there is none."""
    words = iter(command)
    for word in words:
        name = os.path.basename(word.rstrip("/"))
        if name in CONTAINERS:
            return name
        if name in SHELLS:
            return _in_script(words)
        is_before = name in BEFORE or word.startswith("-")
        if not (is_before or re.fullmatch(ASSIGNED, word) or re.fullmatch(NUMBER, word)):
            return None
    return None


def _in_script(words: Iterator[str]) -> str | None:
    """What a script behind the option -c of a shell starts."""
    if not next(words, "").endswith("c"):
        return None
    try:
        return container_program(shlex.split(next(words, "")))
    except ValueError:
        return None
