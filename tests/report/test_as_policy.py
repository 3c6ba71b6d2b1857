"""The least that a server must be allowed: as data, for VS Code and for bubblewrap."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import mcp_assay.report
from mcp_assay.model.effect import (
    ConnectionTry,
    Effects,
    FileChange,
    FileState,
    PolicyCheck,
    ProgramRun,
    RequestSent,
    SandboxRow,
)
from mcp_assay.model.policy import NeededHost, Needs, Policy
from mcp_assay.model.report import Report
from mcp_assay.model.tool import CallRow
from mcp_assay.report.as_policy import policy_of, to_policy
from tests.report.reports import NASTY, report

FOLDER = FileState(kind="folder", mode="0755")
SERVER = ["node", "/srv/notes/server.js"]
WORLD = SandboxRow(
    backend="namespaces",
    network="none",
    work="copied",
    hidden=["/home/u/.ssh", "/home/u/.netrc"],
    hidden_files=["/home/u/.netrc"],
    folders=["/w/project"],
)
CALL = CallRow(number=1, tool="t", scenario="happy", arguments={}, valid=True, outcome="passed")


def seen(
    *effects: Effects, world: SandboxRow | None = WORLD, command: list[str] | None = SERVER
) -> Report:
    """A report on a run whose valid calls did this."""
    bare = report("words", [])
    calls = [replace(CALL, number=number, effects=one) for number, one in enumerate(effects, 1)]
    subject = replace(
        bare.subject, command=command, url=None, server_info={"name": "My notes-server"}
    )
    return replace(bare, subject=subject, calls=calls, sandbox=world)


def needs(*effects: Effects) -> Needs:
    found = policy_of(seen(*effects)).needs
    assert found is not None
    return found


def bwrap(*effects: Effects, world: SandboxRow = WORLD) -> str:
    found = policy_of(seen(*effects, world=world)).bwrap
    assert found is not None
    assert shlex.split(found.line)[-len(found.command) :] == found.command
    return found.line


def changed(path: str, what: str = "changed", **more: Any) -> Effects:
    return Effects(files=[FileChange(path=path, what=what, **more)])


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ([], {}),
        ([changed("/w/a/one.txt"), changed("/w/a/two.txt", "deleted")], {"write": ["/w/a"]}),
        ([changed("/w/a/one.txt"), changed("/w/a/b/two.txt")], {"write": ["/w/a"]}),
        ([changed("/w/a/one.txt"), changed("/w/ab/two.txt")], {"write": ["/w/a", "/w/ab"]}),
        (
            [changed("/w/a", "created", after=FOLDER), changed("/w/a/b", "created")],
            {"write": ["/w/a"], "new_folders": ["/w/a"]},
        ),
        ([changed("/w/a/{random}/x.txt", "created")], {"write": ["/w/a"]}),
        (
            [changed("/home/u/.notes.json", "created")],
            {"write": ["/home/u/.notes.json"], "new_files": ["/home/u/.notes.json"]},
        ),
        ([changed("/home/u/.notes.json")], {"write": ["/home/u/.notes.json"]}),
        ([changed("/tmp/{random}/x", "created", temporary=True)], {"temporary": ["/tmp"]}),
        ([changed("/w/.cache/x", bookkeeping=True)], {"write": ["/w/.cache"]}),
        ([changed("/home/u/.ssh/authorized_keys")], {}),
        ([changed("/home/u/{random}", "created")], {}),
        (
            [
                Effects(
                    names=["a.example"],
                    connections=[
                        ConnectionTry(
                            host="b.example", address="11.0.0.1", port=443, protocol="tcp"
                        ),
                        ConnectionTry(address="127.0.0.1", port=5432, protocol="tcp"),
                    ],
                )
            ],
            {
                "hosts": [
                    NeededHost(host="a.example"),
                    NeededHost(host="b.example", ports=[443]),
                ]
            },
        ),
        (
            [Effects(programs=[ProgramRun(argv=["git", "status"]), ProgramRun(argv=["node"])])],
            {"programs": ["git"]},
        ),
    ],
)
def test_only_what_was_done_is_needed(effects: list[Effects], expected: dict[str, Any]) -> None:
    assert needs(*effects) == Needs(**expected)


def test_what_calls_did_that_should_not_succeed_is_not_granted() -> None:
    subject = seen(changed("/w/a/one.txt"))
    refused = [replace(one, valid=False) for one in subject.calls]
    failed = [replace(one, outcome="failed") for one in subject.calls]
    assert policy_of(replace(subject, calls=[*refused, *failed])).needs == Needs()


def test_the_start_needs_something_too() -> None:
    world = replace(WORLD, at_start=changed("/w/data/index"), between=changed("/w/log/a"))
    found = policy_of(seen(world=world)).needs
    assert found == Needs(write=["/w/data", "/w/log"])


def test_vs_code_gets_an_entry_that_can_be_pasted() -> None:
    policy = policy_of(seen(changed("/w/a/one.txt"), Effects(names=["api.example.com"])))
    assert policy.vscode == {
        "servers": {
            "myNotesServer": {
                "type": "stdio",
                "command": "node",
                "args": ["/srv/notes/server.js"],
                "sandboxEnabled": True,
                "sandbox": {
                    "filesystem": {
                        "allowWrite": ["/w/a", "/tmp"],
                        "denyRead": ["/home/u/.ssh", "/home/u/.netrc"],
                    },
                    "network": {"allowedDomains": ["api.example.com"]},
                },
            }
        }
    }


def test_bubblewrap_gets_no_more_than_needed() -> None:
    made = changed("/w/a", "created", after=FOLDER)
    line = bwrap(made, changed("/tmp/x", "created", temporary=True))
    assert line.startswith("mkdir -p /w/a && bwrap --ro-bind / / ")
    assert "--tmpfs /home/u/.ssh" in line
    assert "--ro-bind /dev/null /home/u/.netrc" in line
    assert "--tmpfs /tmp --bind /w/a /w/a --ro-bind /dev/null /home/u/.netrc" in line
    assert "--chdir /w/project" in line
    assert line.endswith("--unshare-net --die-with-parent -- node /srv/notes/server.js")
    assert "--unshare-net" not in bwrap(Effects(names=["a.example"]))


def test_a_working_folder_below_temporary_files_stays_in_sight() -> None:
    world = replace(WORLD, folders=["/tmp/here"])
    line = bwrap(changed("/tmp/x", "created", temporary=True), world=world)
    assert "--tmpfs /tmp --ro-bind /tmp/here /tmp/here --" in line


def test_a_secret_place_in_a_folder_that_is_granted_stays_hidden() -> None:
    hidden = replace(WORLD, hidden=["/home/u/.config/gh"])
    line = bwrap(changed("/home/u/.config/b"), world=hidden)
    assert line.index("--bind /home/u/.config ") < line.index("--tmpfs /home/u/.config/gh")


def test_a_folder_of_ours_is_granted_to_nobody() -> None:
    world = replace(WORLD, laid=["/tmp/samples"])
    found = policy_of(seen(changed("/tmp/samples/list.txt"), world=world)).needs
    assert found == Needs()


def test_hosts_that_arguments_name_are_not_listed() -> None:
    asked = RequestSent(method="GET", url="https://site.example/a")
    effects = Effects(names=["api.example", "site.example"], requests=[asked])
    found = policy_of(seen(effects))
    assert found.needs == Needs(hosts=[NeededHost(host="api.example")], hosts_of_arguments=True)
    assert "hosts that arguments name" in " ".join(found.limits)
    only_named = Effects(names=["site.example"], requests=[asked])
    assert needs(only_named) == Needs(hosts_of_arguments=True)
    assert "--unshare-net" not in bwrap(only_named)


def test_whether_it_is_enough_stands_in_the_policy() -> None:
    check = PolicyCheck(tools=3)
    assert policy_of(seen(world=replace(WORLD, policy=check))).checked == check


WIDENED = replace(WORLD, policy=PolicyCheck(is_widened=True))


@pytest.mark.parametrize(
    ("written", "granted"),
    [
        ("/w/project/tea/.git/refs/tags/v1", "/w/project/tea"),
        ("/w/project/list.txt", "/w/project"),
        ("/home/u/.config/tea/list", "/home/u/.config"),
        ("/home/u/.tea/list", "/home/u/.tea"),
    ],
)
def test_where_the_least_was_not_enough_what_lies_around_is_granted(
    written: str, granted: str
) -> None:
    found = policy_of(seen(changed(written), world=WIDENED)).needs
    assert found is not None
    assert found.write == [granted]


@pytest.mark.parametrize(
    "subject", [seen(world=None), seen(command=None), seen(changed("/w/a/{random}"))]
)
def test_every_policy_is_valid(subject: Report) -> None:
    path = Path(next(iter(mcp_assay.report.__path__))) / "policy.schema.json"
    schema = Draft202012Validator(json.loads(path.read_text()))
    assert list(schema.iter_errors(json.loads(to_policy(subject)))) == []


def test_where_nobody_watched_nothing_is_said_to_be_enough() -> None:
    policy = policy_of(seen(changed("/w/a/b"), world=None))
    assert (policy.needs, policy.vscode, policy.bwrap) == (None, None, None)
    assert "--sandbox" in policy.limits[0]


def test_what_is_not_shown_is_said() -> None:
    def limits(*effects: Effects, command: list[str] = SERVER) -> str:
        return " ".join(policy_of(seen(*effects, command=command)).limits)

    assert "Ordinary reads are not watched" in limits()
    assert "cannot tell hosts apart" in limits(Effects(names=["a.example"]))
    assert "/home/u/.ssh" in limits(changed("/home/u/.ssh/authorized_keys"))
    assert "removed" in limits(command=["node", "--key=[redacted]"])
    assert "recorded" in limits(Effects(left_out={"files": 1}))


@pytest.mark.parametrize("nasty", NASTY)
def test_no_text_of_a_server_is_obeyed(nasty: str) -> None:
    effects = Effects(
        files=[FileChange(path=f"/w/{nasty}/x", what="changed")],
        programs=[ProgramRun(argv=[nasty])],
        names=[nasty],
    )
    subject = seen(effects)
    info = replace(subject.subject, server_info={"name": nasty})
    text = to_policy(replace(subject, subject=info))
    assert not any(sign in text for sign in "\x1b\x00\x9b\u202e\u200b\ud800")
    assert isinstance(json.loads(text)["bwrap"]["line"], str)


def test_the_forms_are_those_of_a_policy() -> None:
    assert set(json.loads(to_policy(seen()))) == set(Policy.__struct_fields__)
