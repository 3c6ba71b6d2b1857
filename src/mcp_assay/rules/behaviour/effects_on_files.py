"""What tools do to files although their hints deny it, or where nobody expects it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from mcp_assay.model.effect import Effects, FileChange
from mcp_assay.model.effect_proof import EffectRecord, ProvenCall
from mcp_assay.rules.behaviour.effect_rule import (
    Trial,
    effect_rule,
    example,
    file,
    kept,
    named,
    own_words,
    said_of,
    texts_in,
)
from mcp_assay.rules.engine.rule import Found
from mcp_assay.text.names import word_set
from mcp_assay.text.steady_names import steady

WITHIN: Final = "Works within the allowed folders."
NOTE: Final = "/project/notes.txt"
READS: Final = {"readOnlyHint": True}
ADDS: Final = {"readOnlyHint": False, "destructiveHint": False}
REPEATABLE: Final = {"readOnlyHint": False, "idempotentHint": True}
PART: Final = file("/tmp/{random}.part", temporary=True)
SLEEP: Final = {"argv": ["sleep", "1000"]}
VERBS: Final[Mapping[str, str]] = {
    "created": "created",
    "changed": "changed",
    "deleted": "deleted",
    "permissions": "changed the permissions of",
}
LASTING: Final = r"""(?x)
      /\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile
        |zlogin|zlogout|cshrc|tcshrc|kshrc|inputrc|xinitrc|xsession|xprofile|xsessionrc)$
    | /\.config/(?:fish/config\.fish|fish/conf\.d/[^/]+|autostart/[^/]+|environment\.d/[^/]+)$
    | /\.config/systemd/user/.+ | /\.local/share/systemd/user/.+
    | /\.ssh/(?:authorized_keys2?|config|rc|environment)$
    | /\.git/hooks/[^/.]+$ | /\.husky/[^/]+$
    | /\.local/share/applications/[^/]+\.desktop$
    | ^/etc/(?:cron[^/]*(?:/.+)?|crontab|systemd/.+|init\.d/.+|rc\.local|profile|profile\.d/.+
        |bash\.bashrc|zsh/.+|environment|ld\.so\.preload|sudoers(?:\.d/.+)?|pam\.d/.+|passwd|shadow
        |hosts|xdg/autostart/.+|udev/rules\.d/.+)$
    | ^/var/spool/(?:cron|at)/.+
    | /(?:usercustomize|sitecustomize)\.py$
    | /\.(?:cursor|vscode|windsurf|kiro|roo|trae|gemini|amazonq|continue)/mcp\.json$ | /\.mcp\.json$
    | /\.claude\.json$ | /\.claude/(?:settings[^/]*\.json|commands/.+|hooks/.+|CLAUDE\.md)$
    | /claude_desktop_config\.json$ | /\.codeium/windsurf/mcp_config\.json$
    | /\.gemini/settings\.json$ | /\.codex/config\.toml$ | /\.config/(?:zed/settings\.json
        |goose/config\.yaml|opencode/opencode\.json|github-copilot/mcp\.json)$
    | /(?:Code|VSCodium|Cursor)/User/(?:mcp|settings)\.json$
    """
"""What is run, read or believed later by somebody else: shells, timers, services, hooks of git,
clients of MCP, whoever logs in."""
BY_DESIGN_LATER: Final = word_set(
    """
    async asynchronous asynchronously background backgrounds begin daemon debounce deferred defer
    delay delayed detach detached enqueue eventually interval job jobs kickoff launch later monitor
    poll queue queued queues remind reminder schedule scheduled scheduler schedules spawn spawned
    start started starts task timer trigger watch watcher watches worker
    """
)
"""Words of a tool that says itself that it goes on after its answer."""
BY_DESIGN_RUNNING: Final = BY_DESIGN_LATER | word_set(
    "browser connect container debugger emulator execute launches open play process processes repl"
    " run runs serve server session shell simulator terminal tunnel"
)
"""Words of a tool from which a process is expected that runs on."""
CONFINED: Final = word_set(
    "allowed allowlisted authorized base confined inside jail jailed limited outside permitted"
    " project relative restricted root roots sandbox sandboxed scoped whitelisted within workspace"
)
"""Words of a tool that says itself that it stays in some folders."""
OUT: Final = "mcp-assay-outside"
"""The name that is asked for outside of the folders."""


@effect_rule(
    "EFF-001",
    "read-only-tool-changes-files",
    reason="read_only_tool_changes_files",
    needs="files",
    hint=("readOnlyHint", True),
    good=lambda: [
        example(hints=READS),
        example(files=[file(NOTE)]),
        example(hints=READS, files=[file("/project/.git/index", bookkeeping=True)]),
        example(hints=READS, files=[file("/tmp/{random}.part", temporary=True)]),
    ],
    bad=lambda: [
        example(hints=READS, files=[file(NOTE)]),
        example(hints=READS, files=[file(NOTE, "changed"), file("/project/old.txt", "deleted")]),
    ],
)
def read_only_tool_changes_files(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A tool with readOnlyHint creates, changes or deletes files.

    Why: clients call read-only tools without asking the user, as often as they like.
    Instead: remove readOnlyHint, or make the tool change nothing.
    """
    if changes := kept(call):
        yield said_of(record, f"has readOnlyHint: true, but the call {deeds(changes)}")


@effect_rule(
    "EFF-002",
    "not-destructive-but-deletes",
    reason="not_destructive_but_deletes",
    needs="files",
    hint=("destructiveHint", False),
    good=lambda: [
        example(hints=ADDS, files=[file(NOTE)]),
        example(hints=ADDS, files=[file(NOTE, "changed", size=40)]),
        example(hints=ADDS, files=[file(NOTE, "deleted"), file("/project/old/notes.txt")]),
        example(hints=ADDS, files=[file("/project/a.lock", "deleted", bookkeeping=True)]),
        example(
            hints=ADDS, arguments={"text": ""}, files=[file(NOTE, "changed", size=0)]
        ),
        example(hints={"readOnlyHint": True, "destructiveHint": False},
                files=[file(NOTE, "deleted")]),
    ],
    bad=lambda: [
        example(hints=ADDS, files=[file(NOTE, "deleted")]),
        example(hints=ADDS, arguments={"id": 1}, files=[file(NOTE, "changed", size=0)]),
        example(hints=ADDS, files=[file(NOTE, "deleted"), file("/project/other.txt", size=99)]),
    ],
)  # fmt: skip
def not_destructive_but_deletes(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A tool with destructiveHint: false deletes or empties files that were there before.

    Why: clients ask less, or not at all, before calls of a tool that is said to destroy nothing.
    Instead: set destructiveHint to true, or leave it out.
    """
    if record.declares("readOnlyHint", True):
        return  # the hint has no meaning then
    changes = kept(call)
    gone = [one for one in changes if one.what == "deleted" and not _is_moved(one, changes, call)]
    emptied = [one for one in changes if _is_emptied(one)] if "" not in _texts(call) else []
    for verb, found in (("deleted", gone), ("emptied", emptied)):
        if found:
            what = f"the call {verb} {named(one.path for one in found)}, which was there before"
            yield said_of(record, f"has destructiveHint: false, but {what}")
            return


def _twice(record: EffectRecord, call: ProvenCall) -> Trial | None:
    """The same call made twice, where it changes something at all."""
    is_meant = record.declares("readOnlyHint", True)
    return Trial(call.arguments, is_repeated=True) if kept(call) and not is_meant else None


@effect_rule(
    "EFF-003",
    "idempotent-but-changes-again",
    reason="idempotent_but_changes_again",
    needs="files",
    hint=("idempotentHint", True),
    good=lambda: [
        example(hints=REPEATABLE, files=[file(NOTE)], again={}),
        example(hints=REPEATABLE, files=[file(NOTE)]),
        example(hints=REPEATABLE, files=[file(NOTE)],
                again={"files": [file(NOTE, "changed", diff="@@ -1 +1 @@\n-{time}\n+{time}\n")]}),
        example(hints=REPEATABLE, files=[file("/project/a.db", "changed")],
                again={"files": [file("/project/a.db", "changed")]}),
    ],
    bad=lambda: [
        example(hints=REPEATABLE, files=[file(NOTE)],
                again={"files": [file(NOTE, "changed", diff="@@ -1 +1,2 @@\n a\n+a\n")]}),
        example(hints=REPEATABLE, files=[file(NOTE)], again={"files": [file("/project/2.txt")]}),
    ],
    trial=_twice,
)  # fmt: skip
def idempotent_but_changes_again(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A tool with idempotentHint changes files again when the same call is repeated.

    Why: clients retry such a call when the response is lost, and then it takes effect twice.
    Instead: remove idempotentHint, or make repeated calls change nothing more.
    """
    if record.declares("readOnlyHint", True) or call.again is None:
        return
    again = [one for one in call.again.kept_files if not one.temporary and _is_more(one)]
    if again:
        what = f"the same call, made again, {deeds(again)}"
        yield said_of(record, f"has idempotentHint: true, but {what}")


@effect_rule(
    "EFF-008",
    "writes-where-it-lasts",
    reason="writes_where_it_lasts",
    needs="files",
    of_start=True,
    good=lambda: [
        example(files=[file("/home/me/notes.txt")]),
        example(files=[file("/project/.git/hooks/pre-commit.sample")]),
        example(arguments={"path": "/home/me/.bashrc"}, files=[file("/home/me/.bashrc")]),
    ],
    bad=lambda: [
        example(files=[file("/home/me/.bashrc", "changed", size=40)]),
        example(files=[file("/project/.git/hooks/pre-commit")]),
        example(tool=None, files=[file("/home/me/.cursor/mcp.json")]),
    ],
)
def writes_where_it_lasts(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A file is changed that is run, read or believed later by somebody else.

    Why: what stands in the start of a shell, a timer, a hook or the configuration of a client
    takes effect long after the server is gone, and nobody was asked.
    Instead: do not touch such files; tell the user what to put there.
    """
    changes = [one for one in call.effects.files if re.search(LASTING, one.path)]
    unasked = [one for one in changes if not is_named(one.path, record, call)]
    if unasked:
        yield said_of(record, deeds(unasked))


@effect_rule(
    "EFF-009",
    "changes-after-answering",
    reason="changes_after_answering",
    needs="files",
    good=lambda: [
        example(files=[file(NOTE)]),
        example(files=[file(NOTE, "changed", late=True), file(NOTE, "changed")]),
        example(tool="start_export", files=[file(NOTE, late=True)], late=True),
        example(description="Runs in the background.", files=[file(NOTE, late=True)], late=True),
    ],
    bad=lambda: [example(files=[file(NOTE, late=True)], late=True)],
)
def changes_after_answering(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A tool changes files after it has answered.

    Why: the model takes the answer for the end of the work: it reads what is not there yet, and
    what goes wrong later is told nobody.
    Instead: answer when the work is done, or say in the description that it goes on.
    """
    if not BY_DESIGN_LATER.isdisjoint(own_words(record)):
        return
    in_time = {one.path for one in call.effects.files if not one.late}
    late = [one for one in kept(call) if one.late and one.path not in in_time]
    if late:
        yield said_of(record, f"{deeds(late)} after it had answered")


def _outwards(record: EffectRecord, call: ProvenCall) -> Trial | None:
    """The same call with a path beside the folder that its path lies in, or with a planted file.

    Only where the server was given folders, and where the path was followed or what it led to read.
    """
    folders, home = record.places.named, record.places.home
    if not folders or not call.arguments or not _is_confined(record):
        return None
    if any(leaves_its_folder(record, call)):
        return Trial(call.arguments)
    written = {one.path for one in kept(call) if _is_below(one.path, folders)}
    outside = f"{folders[0].rstrip('/').rpartition('/')[0]}/{OUT}"
    secret = f"{home}/.ssh/id_rsa" if home and not _is_below(home, folders) else ""
    for name, value in call.arguments.items():
        led = set(_places_of(value, record)) if isinstance(value, str) else set()
        if led & written and not call.effects.secrets:
            return Trial({**call.arguments, name: outside})
        is_read = not call.effects.kept_files and any(_is_below(one, folders) for one in led)
        if is_read and _is_path(value) and secret:
            return Trial({**call.arguments, name: secret})
    return None


@effect_rule(
    "EFF-012",
    "leaves-its-folder",
    reason="leaves_its_folder",
    needs="files",
    good=lambda: [
        example(arguments={"path": "a.txt"}, files=[file("/project/a.txt")],
                places={"cwd": "/", "named": ["/project"]}),
        example(arguments={"path": "../a.txt"}, files=[file("/a.txt")], places={"cwd": "/project"}),
        example(arguments={"id": "7"}, files=[file("/home/me/.notes/7")],
                places={"named": ["/project"]}),
        example(arguments={"path": "/a.txt"}, files=[file("/a.txt")],
                places={"named": ["/project"]}),
    ],
    bad=lambda: [
        example(description=WITHIN, arguments={"path": "../a.txt"}, files=[file("/srv/a.txt")],
                places={"cwd": "/", "named": ["/srv/work"]}),
        example(description=WITHIN, arguments={"path": "/home/me/.ssh/id_rsa"},
                secrets=[{"path": "/home/me/.ssh/id_rsa", "how": "read"}],
                places={"home": "/home/me", "named": ["/srv/work"]}),
    ],
    trial=_outwards,
)  # fmt: skip
def leaves_its_folder(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """An argument leads a tool out of the folders that it says it stays in.

    Why: the user has given these folders and no others; a model can be talked into any path.
    Instead: resolve the path, links and .. included, and refuse what does not lie in a folder.
    """
    folders = record.places.named if _is_confined(record) else ()
    touched = [one.path for one in call.effects.kept_files]  # what is named is not temporary
    touched += [one.path for one in call.effects.secrets if one.how == "read"]
    led = {path for text in texts_in(call.arguments) for path in _places_of(text, record)}
    outside = [path for path in touched if folders and not _is_below(path, folders) and path in led]
    if outside:
        told = f"followed an argument out of {named(folders)}: to {named(outside)}"
        yield said_of(record, told)


def _left(effects: Effects | None, told: str) -> tuple[list[str], list[str]]:
    """The temporary files and the processes that are left; what an argument names is wanted."""
    if effects is None:
        return [], []
    files = [
        one.path
        for one in effects.files
        if one.temporary and one.what == "created" and not one.bookkeeping
        if one.path not in told and (one.after is None or one.after.kind == "file")
    ]
    return files, [" ".join(one.argv[:1]) for one in effects.processes]


def _leaving(record: EffectRecord, call: ProvenCall) -> Trial | None:
    """The same call made twice, where it leaves something."""
    is_left = any(_left(call.effects, " ".join(texts_in(call.arguments))))
    return Trial(call.arguments, is_repeated=True) if is_left else None


@effect_rule(
    "EFF-015",
    "leaves-things-behind",
    reason="leaves_things_behind",
    needs="files",
    good=lambda: [
        example(),
        example(files=[PART], again={}),
        example(files=[file("/tmp/notes/index.db", temporary=True)],
                again={"files": [file("/tmp/notes/index.db", "changed", temporary=True)]}),
        example(files=[file("/tmp/{random}.part", "deleted", temporary=True)], again={}),
        example(tool="start_server", processes=[SLEEP], again={"processes": [SLEEP]}),
    ],
    bad=lambda: [
        example(files=[PART], again={"files": [PART]}),
        example(processes=[SLEEP], again={"processes": [SLEEP]}),
    ],
    trial=_leaving,
)  # fmt: skip
def leaves_things_behind(record: EffectRecord, call: ProvenCall) -> Iterator[Found]:
    """A tool leaves temporary files or processes behind, with each call more.

    Why: they pile up on the user's machine, and nobody removes them.
    Instead: remove what a call needs only for itself, and end what it starts.
    """
    told = " ".join(texts_in(call.arguments))
    files, running = _left(call.effects, told)
    more_files, more_running = _left(call.again, told)
    if files and more_files:
        yield said_of(record, f"left {named(files)} behind, and as much when it was called again")
    elif running and more_running and BY_DESIGN_RUNNING.isdisjoint(own_words(record)):
        yield said_of(record, f"left {named(running)} running, and again when it was called again")


def deeds(changes: list[FileChange]) -> str:
    """What became of files, as the verb of a sentence: the gravest first."""
    order = ("deleted", "changed", "created", "permissions")
    paths = {what: [one.path for one in changes if one.what == what] for what in order}
    return " and ".join(f"{VERBS[what]} {named(found)}" for what, found in paths.items() if found)


def is_named(path: str, record: EffectRecord, call: ProvenCall) -> bool:
    """Whether an argument of the call, or the command of the server, leads to a path."""
    for text in texts_in(call.arguments):
        if path.rpartition("/")[2] in text:
            return True
        if any(_is_below(path, [place]) for place in _places_of(text, record) if place != "/"):
            return True
    return False


def _texts(call: ProvenCall) -> set[str]:
    return set(texts_in(call.arguments))


def _is_emptied(change: FileChange) -> bool:
    before, after = change.before, change.after
    if change.what != "changed" or before is None or after is None or after.kind != "file":
        return False
    return bool(before.size) and after.size == 0


def _is_moved(gone: FileChange, changes: list[FileChange], call: ProvenCall) -> bool:
    """Whether what is gone now stands elsewhere: under its own name, or one that was asked for."""
    told, name = " ".join(texts_in(call.arguments)), gone.path.rpartition("/")[2]
    for one in changes:
        new = one.path.rpartition("/")[2]
        is_same = one.what == "created" and _looks_like(one, gone)
        if is_same and (new == name or new in told):
            return True
    folder = f"{gone.path.rpartition('/')[0]}"
    return any(
        one.what == "deleted" and one.path == folder and _is_moved(one, changes, call)
        for one in changes
    )


def _looks_like(new: FileChange, old: FileChange) -> bool:
    if new.after is None or old.before is None:
        return False
    return (new.after.kind, new.after.size) == (old.before.kind, old.before.size)


def _is_more(change: FileChange) -> bool:
    """Whether a second call has done more than to write the time, or a database its pages, anew."""
    if change.what != "changed":
        return True
    if change.diff is None:
        return False
    lines = [steady(line) for line in change.diff.splitlines() if not line.startswith("@@")]
    old = [line[1:] for line in lines if line.startswith("-")]
    new = [line[1:] for line in lines if line.startswith("+")]
    return any(one != other for one, other in zip_longest(old, new))


def _is_confined(record: EffectRecord) -> bool:
    return not CONFINED.isdisjoint(own_words(record))


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and ("/" in value or re.search(r"\.\w{1,5}$", value) is not None)


def _places_of(text: str, record: EffectRecord) -> list[str]:
    """The paths that a text may mean: from the folders of the server, or by itself."""
    places = record.places
    bare = text.removeprefix("file://")
    if bare.startswith("/"):
        return [_resolved(bare)]
    if bare.startswith("~"):
        return [_resolved(f"{places.home}/{bare[1:]}")]
    return [_resolved(f"{folder}/{bare}") for folder in (*places.named, places.cwd) if folder]


def _resolved(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _is_below(path: str, folders: Any) -> bool:
    return any(path == one or path.startswith(f"{one.rstrip('/')}/") for one in folders)
