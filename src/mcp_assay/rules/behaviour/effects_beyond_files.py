"""What tools do beyond files: whom they reach, which secrets they touch, what they start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.model.effect import Effects, SecretRead
from mcp_assay.model.effect_proof import EffectRecord, ProvenCall
from mcp_assay.rules.behaviour.effect_rule import (
    Trial,
    effect_rule,
    example,
    named,
    said_of,
    words_of,
)
from mcp_assay.rules.behaviour.effects_on_files import is_named
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.names import name_words, word_set

CLOSED: Final = {"openWorldHint": False}
KEY: Final = "/home/me/.ssh/id_rsa"
LOOPBACK: Final = ("127.", "::1", "0.0.0.0", "localhost")
OWN_PLACES: Final[Mapping[str, frozenset[str]]] = {
    ".ssh/": word_set("ansible git rsync scp sftp ssh sshfs"),
    ".aws/": word_set(
        "amazon athena aws bedrock boto boto3 cdk cloudformation cloudwatch dynamo dynamodb ec"
        " iam lambda redshift s s3 sagemaker sam serverless sns sqs terraform"
    ),
    ".netrc": word_set("curl ftp git hg heroku http netrc pip requests uv wget"),
    ".config/gh/": word_set("gh ghe github"),
    ".docker/": word_set("buildah container containers docker image oci podman registry skopeo"),
}
"""Whose places these are: who says that this is what it works with may look there."""
LOGINS: Final = "/.netrc"
"""Where common libraries for HTTP look by themselves whether there is a login for a host."""
SHELLS: Final = word_set("ash bash busybox dash fish ksh mksh sh tcsh zsh")
BY_DESIGN: Final = word_set(
    """
    bash batch cli cmd code command commandline commands console eval evaluate exec executable
    execute executes expression interpreter powershell program repl run runs script scripts sh shell
    snippet subprocess terminal zsh
    """
)
"""Words of a tool that is there to run what it is given."""
SECRET: Final = "{secret}"
"""Stands in the name of a host for a secret."""
QUOTE: Final = "mcp'assay"
"""Stands in an argument and is harmless; whoever quotes it rightly writes its sign otherwise."""
SHORTEST: Final = 3
"""A shorter text stands in a command by chance."""


@effect_rule(
    "EFF-004",
    "closed-world-but-network",
    reason="closed_world_but_network",
    needs="network",
    hint=("openWorldHint", False),
    good=lambda: [
        example(hints=CLOSED),
        example(names=["api.example.com"]),
        example(hints=CLOSED, connections=[_to("127.0.0.1", 5432)]),
    ],
    bad=lambda: [
        example(hints=CLOSED, names=["api.example.com"]),
        example(hints=CLOSED, connections=[_to("203.0.113.9", 514, "udp")]),
    ],
)
def closed_world_but_network(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A tool with openWorldHint: false tries to reach other machines.

    Why: clients trust what such a tool answers, and give it data that must not leave the machine.
    Instead: set openWorldHint to true, or leave it out; or reach nobody.
    """
    if reached := _reached(call.effects):
        yield said_of(record, f"has openWorldHint: false, but tried to reach {named(reached)}")


@effect_rule(
    "EFF-005",
    "reads-secrets",
    reason="reads_secrets",
    needs="secrets",
    of_start=True,
    good=lambda: [
        example(secrets=[_secret("opened")]),
        example(secrets=[_secret("read")], arguments={"path": "~/.ssh/id_rsa"}),
        example(secrets=[_secret("read")], arguments={"folder": "/home/me"}),
        example(tool="ssh_run", secrets=[_secret("read")]),
        example(secrets=[_secret("read")], programs=[{"argv": ["git", "fetch"]}]),
        example(secrets=[{"path": "/home/me/.netrc", "how": "read"}], names=["api.example.com"]),
    ],
    bad=lambda: [example(secrets=[_secret("read")]), example(tool=None, secrets=[_secret("read")])],
)
def reads_secrets(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A secret file of the user is read although nothing asked for it.

    Why: keys and tokens that a server reads without need are on their way out.
    Instead: read only what an argument names or what the server says that it works with.
    """
    read = [one.path for one in call.effects.secrets if one.how == "read"]
    own = words_of(record) | {
        word
        for run in call.effects.programs
        for name in run.argv[:1]
        for word in name_words(name.rpartition("/")[2])
    }
    unasked = [
        path
        for path in read
        if not is_named(path, record, call) and not _is_own(path, own)
        if not (path.endswith(LOGINS) and _reached(call.effects))
    ]
    if unasked:
        yield said_of(record, f"read {named(unasked)}, which nothing asked for")


@effect_rule(
    "EFF-006",
    "secret-in-answer",
    reason="secret_in_answer",
    needs="secrets",
    of_start=True,
    good=lambda: [
        example(secrets=[_secret("read")]),
        example(secrets=[_secret("told")], arguments={"path": KEY}),
        example(secrets=[_secret("logged")], arguments={"path": KEY}),
    ],
    bad=lambda: [
        example(secrets=[_secret("told")]),
        example(secrets=[{"path": "$API_TOKEN", "how": "told"}]),
        example(secrets=[{"path": "$API_TOKEN", "how": "logged"}]),
        example(tool=None, secrets=[{"path": "$API_TOKEN", "how": "logged"}]),
    ],
)
def secret_in_answer(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A secret stands in an answer, a log message or on standard error, plain or encoded.

    Why: answers go to a model and into logs, where others read them.
    Instead: never put keys, tokens or passwords into answers or logs.
    """
    told = [*_secrets_out(record, call, "told", "told the secret of {} in what it answered")]
    yield from told or _secrets_out(record, call, "logged", "wrote the secret of {} into its log")


@effect_rule(
    "EFF-007",
    "secret-sent",
    reason="secret_sent",
    needs="secrets",
    of_start=True,
    good=lambda: [example(secrets=[_secret("told")], names=["api.example.com"])],
    bad=lambda: [
        example(secrets=[_secret("sent")], names=["{secret}.example.com"]),
        example(secrets=[_secret("sent")], requests=[_post("https://example.com/{secret}")]),
        example(tool=None, secrets=[_secret("sent")], names=["{secret}.example.com"]),
    ],
)
def secret_sent(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A secret is sent away, in a request or in the name of a host that is asked for.

    Why: names reach whoever owns the domain, also where connections are refused: this is theft.
    Instead: do not use this server; if it is yours, look for what has got into it.
    """
    is_in_name = any(SECRET in one for one in call.effects.names)
    way = "the name of a host" if is_in_name else "a request"
    yield from _secrets_out(record, call, "sent", f"sent the secret of {{}} in {way}")


@effect_rule(
    "EFF-010",
    "network-at-start",
    reason="network_at_start",
    needs="network",
    of_start=True,
    of_tools=False,
    good=lambda: [
        example(tool=None),
        example(tool=None, connections=[_to("127.0.0.1", 5432)]),
        example(names=["api.example.com"]),
    ],
    bad=lambda: [example(tool=None, names=["telemetry.example.com"])],
)
def network_at_start(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """The server tries to reach other machines before any tool is called.

    Why: telemetry and checks for updates tell others who runs what, and slow down the start.
    Instead: reach others only for a call, or say what is sent and how to switch it off.
    """
    if reached := _reached(call.effects):
        yield said_of(record, f"tried to reach {named(reached)} before any call")


def _marked(record: EffectRecord, call: ProvenCall) -> Trial | None:
    """The same call with a sign in the argument that a shell has seen as it is."""
    if _runs_commands(record):
        return None
    ran = _shell_texts(call.effects)
    for name, value in call.arguments.items():
        is_text = isinstance(value, str) and len(value) >= SHORTEST
        if is_text and any(value in text for text in ran):
            return Trial({**call.arguments, name: f"{value}{QUOTE}"})
    return None


@effect_rule(
    "EFF-011",
    "argument-reaches-shell",
    reason="argument_reaches_shell",
    needs="programs",
    good=lambda: [
        _shell("echo hello", {"text": QUOTE}),
        _shell("""grep 'mcp'"'"'assay' notes""", {"text": QUOTE}),
        _shell("grep notes", {"text": "notes"}),
        _shell(f"grep {QUOTE}", {"command": QUOTE}, tool="run_command"),
    ],
    bad=lambda: [_shell(f'grep "{QUOTE}" notes.txt', {"text": QUOTE})],
    trial=_marked,
)
def argument_reaches_shell(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """An argument stands in the text that a shell runs, and nothing keeps its signs from acting.

    Why: who can choose the argument, a web page that a model has read for instance, runs what he
    likes on the user's machine.
    Instead: start the program with a list of words and without a shell; else quote each argument.
    """
    if _runs_commands(record) or not any(QUOTE in text for text in _texts(call)):
        return
    if any(QUOTE in text for text in _shell_texts(call.effects)):
        yield said_of(record, "put an argument unquoted into the text that a shell runs")


@effect_rule(
    "EFF-013",
    "tries-to-leave",
    reason="tries_to_leave",
    needs="attempts",
    of_start=True,
    good=lambda: [example(), example(tool="mount_image", attempts=["mount"])],
    bad=lambda: [example(attempts=["mount"]), example(tool=None, attempts=["bpf", "setns"])],
)
def tries_to_leave(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """The server asks the kernel for what only leads out of its world.

    Why: whoever mounts file systems, joins other processes or loads code into the kernel wants more
    than a server needs; a container that is less closed lets it have that.
    Instead: do without these calls; if a program that is used makes them, say what for.
    """
    if tried := [one for one in call.effects.attempts if one not in words_of(record)]:
        yield said_of(record, f"tried {named(tried)}, which was refused")


def _to(address: str, port: int, protocol: str = "tcp") -> dict[str, Any]:
    return {"address": address, "port": port, "protocol": protocol}


def _post(url: str) -> dict[str, str]:
    return {"method": "POST", "url": url, "body": "{secret}"}


def _secret(how: str) -> dict[str, str]:
    return {"path": KEY, "how": how}


def _shell(text: str, arguments: Mapping[str, Any], tool: str = "find_note") -> Any:
    return example(tool=tool, arguments=arguments, programs=[{"argv": ["/bin/sh", "-c", text]}])


def _reached(effects: Effects) -> list[str]:
    """Who was asked for, this machine left out."""
    found = [one for one in effects.names if not one.endswith(LOOPBACK[-1])]
    for one in effects.connections:
        place = one.host or one.address
        if place not in found and not one.address.startswith(LOOPBACK):
            found.append(f"{place}:{one.port}" if one.port else place)
    return found


def _is_own(path: str, words: frozenset[str] | set[str]) -> bool:
    """Whether a secret belongs to what a server says that it is about."""
    owners = (own for place, own in OWN_PLACES.items() if f"/{place}" in path)
    return any(not own.isdisjoint(words) for own in owners)


def _secrets_out(record: EffectRecord, call: ProvenCall, how: str, words: str) -> Iterator[Found]:
    out = [one for one in call.effects.secrets if one.how == how]
    unasked = [one.path for one in out if not is_named(_path(one), record, call)]
    if unasked:
        yield said_of(record, words.format(named(unasked)))


def _path(secret: SecretRead) -> str:
    return secret.path if not secret.path.startswith("$") else f"/{secret.path}"


def _texts(call: ProvenCall) -> list[str]:
    return [one for one in call.arguments.values() if isinstance(one, str)]


def _runs_commands(record: EffectRecord) -> bool:
    """Whether a tool, or an argument of it, is there to be run."""
    tool = record.tool or {}
    names = [str(tool.get("name", "")), str(tool.get("title", ""))]
    names += tool.get("inputSchema", {}).get("properties", {})
    return any(not BY_DESIGN.isdisjoint(name_words(name)) for name in names)


def _shell_texts(effects: Effects) -> list[str]:
    """The texts that shells were to run."""
    found = []
    for one in effects.programs:
        is_shell = bool(one.argv) and one.argv[0].rpartition("/")[2] in SHELLS
        for option, text in zip(one.argv[1:], one.argv[2:], strict=False):
            if is_shell and option.startswith("-") and option.endswith("c"):
                found.append(text)
                break
    return found
