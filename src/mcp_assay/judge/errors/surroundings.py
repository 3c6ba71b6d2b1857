"""What the machine lacks: files, programs, settings and services that nobody asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from mcp_assay.judge.errors.error_shape import LONGEST_READ, MOST_MATCHES, ErrorShape
from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.lexicon import folded
from mcp_assay.judge.errors.patterns import CERTAIN, DECISIVE, STRONG
from mcp_assay.model.verdict import Factor
from mcp_assay.text.names import word_set

_GONE: Final = r"(?:no such file or directory|permission denied|operation not permitted)"
_PATH: Final = r"(?<![^\s'\"(:])([/~][^\s:'\"()]{1,300})"
OWN_FILE: Final = re.compile(
    rf"{_GONE}(?:: |, [a-z]{{1,12}} )'([^'\n]{{1,300}})'"
    rf"|\b(?:open|stat|lstat|read|mkdir|chdir|unlink|rename|remove) ([^\s:'\"]{{1,300}}): {_GONE}"
    rf"|\bopen\(([^)\n]{{1,300}})\): failed to open stream"
    rf"|{_PATH}(?: \(|: ){_GONE}|\brb_sysopen - (\S{{1,300}})"
    r"|\b(?:could not find (?:file|a part of the path)|access to the path|can't open file)"
    r" '([^'\n]{1,300})'"
    rf"|{_PATH} (?:was |is |could )?(?:does not exist|doesn't exist|not (?:be )?(?:found|readable"
    r"|writable|opened|read|mounted)|missing)\b"
    rf"|\b(?:not found|missing|does not exist|not mounted)(?: at| in|:) {_PATH}",
)
"""As runtimes word it that a file is not there, or is not theirs to use."""
FILE_HINTS: Final = (
    "no such file", "denied", "not permitted", "open stream", "sysopen", "could not find file",
    "part of the path", "can't open file", "not exist", "n't exist", "missing", "not readable",
    "not writable", "not be found", "not be read", "not be opened", "not mounted", "not found",
)  # fmt: skip
WRITING: Final = word_set("append backup create dump export put save store write")
"""Words of tools that make the file which is not there: then it is its folder that is missing."""

NO_SHELL: Final = re.compile(
    r"\bspawn (?:(?:/usr)?/bin/(?:ba|z|da)?sh|[\w:\\.]{0,80}(?:cmd|powershell)\.exe) ENOENT"
)
"""Node says so of a shell, which is always there, where the folder to start it in is not."""

SETTING: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,60}(?![A-Za-z0-9_])")
"""A name as variables of the environment have it."""
SETTING_ENDS: Final = word_set(
    """
    KEY TOKEN SECRET PASSWORD PASS URL URI DSN HOST PORT ENDPOINT CREDENTIALS CREDENTIAL PATH HOME
    DIR ROOT PREFIX PROXY PROFILE REGION PROJECT TENANT DOMAIN CERT LOGIN USERNAME CONFIG PAT DB
    """
)
"""The last words of such names."""
CODE_STARTS: Final = frozenset(
    ["BAD", "E", "ERR", "ERROR", "EXPIRED", "INVALID", "MISSING", "NO", "UNKNOWN", "WRONG"]
)
"""The first words of names that are codes of errors instead."""
WANTING: Final = re.compile(
    r"\b(?:is|be|are|not|isn't|must) set\b|\bset the\b|\bplease set\b|\brequire[sd]?\b"
    r"|\bmissing\b|\bprovide\b|\bdefined?\b|\bconfigured?\b|\bneed(?:s|ed)?\b"
    r"|\bset (?=[a-z]{2,30} )"
)
"""What is said of a variable that is wanted."""
NEAR: Final = 60
LOUDER: Final = 1.5 * STRONG
"""Louder than the words of a refusal, which such a sentence has as well."""
MOST_SETTINGS: Final = 20


def own_file_factors(text: str, given: Given) -> Iterator[Factor]:
    """Files that a message misses, and that are no affair of the caller's."""
    if "/" in text or "'" in text:
        yield from _own_files(text[:LONGEST_READ].lower(), given)


def setting_factors(text: str, fold: str, given: Given) -> Iterator[Factor]:
    """A variable of the server's environment that it wants, and that is no argument."""
    for match in islice(SETTING.finditer(text), MOST_SETTINGS):
        if not _is_setting(match[0]) or given.takes(match[0]):
            continue
        if WANTING.search(fold, max(match.start() - NEAR, 0), match.end() + NEAR):
            yield Factor("setting of its own", "environment", CERTAIN, match[0], "response")
            return


def shell_factors(text: str, given: Given) -> Iterator[Factor]:
    """A shell that cannot be started, because the folder to start it in is not there."""
    if given.has_workplace and (found := NO_SHELL.search(text)):
        yield Factor("folder to work in", "business", DECISIVE, found[0], "response")


def _own_files(text: str, given: Given) -> Iterator[Factor]:
    """A file that is not there, and that nobody asked for: a program, or a file of the server's."""
    for match in islice(OWN_FILE.finditer(text), MOST_MATCHES):
        path = folded(next(filter(None, match.groups())))
        folder, slash, _ = path.rpartition("/")
        if not given.has_part_of(path) or given.names_program(path):
            yield Factor("file of its own", "environment", CERTAIN, path, "response")
        elif slash and given.does(WRITING) and not given.has_named_folder(folder):
            yield Factor("folder of its own", "environment", CERTAIN, path, "response")


def _is_setting(name: str) -> bool:
    first, *_, last = name.split("_")
    return last in SETTING_ENDS and first not in CODE_STARTS


_PROGRAM: Final = r"['\"`]?([\w./+-]{1,80})['\"`]?"


def _words(text: str) -> tuple[str, ...]:
    return tuple(sorted(word_set(text)))


PART_HINTS: Final = (
    "running", "started", "connected", "respond", "reachable", "launched", "listening", "attached",
    "installed", "available", "initiali", "ready", "loaded", "online", "paired", "not start",
    "n't start", "no active",
)  # fmt: skip
PARTS: Final = _words(
    """
    agent daemon driver bridge broker server service simulator emulator extension plugin addon
    add-on browser engine backend database cluster desktop kernel gateway listener middleware app
    client editor socket debugger proxy vpn interpreter compiler toolchain runtime docker chrome
    chromium firefox redi postgre postgresql mysql mongodb elasticsearch kafka rabbitmq ollama adb
    appium xcode unity blender figma obsidian ida ghidra matlab excel photoshop godot unreal freecad
    houdini maya
    """
)
"""What a tool works with, as the ends of words, which are looked for without the "s" of many."""
THINGS: Final = _words(
    """
    library librarie driver executable binary weight font codec toolchain sdk jdk jre interpreter
    compiler gpu cuda display chrome chromium firefox ffmpeg keyfile runtime dll
    """
)
"""Things that a machine has or lacks, and that no caller sends."""
_IDLE: Final = (
    r"(?:running|started|connected|responding|reachable|launched|listening|attached|installed"
    r"|available|initiali[sz]ed|ready|enabled and running|up and running|loaded|online|paired)"
)

SURROUNDINGS: Final[Sequence[ErrorShape]] = (
    ErrorShape(
        "module of a program",
        "environment",
        DECISIVE,
        re.compile(r"()\bpython[\d.]{0,6}: no module named\b", re.ASCII),
        hints=("no module named",),
        is_small=True,
    ),
    ErrorShape(
        "thing of the machine",
        "environment",
        LOUDER,
        re.compile(
            r"(?:not|n't) (?:be )?(?:found|exist|loaded|available|located|present)\b"
            r"|\b(?:could(?: not|n't)|cannot|can't|unable to|failed to) (?:find|locate|load)"
            r"(?: [\w-]{1,20}){1,4}"
            r"|\b(?:found no|no)(?: [\w-]{1,20}){1,3} (?:was |were |is |are )?"
            r"(?:found|installed|available|on|detected)\b",
            re.ASCII,
        ),
        subject=THINGS,
        callers_if="named",
        hints=THINGS,
        is_small=True,
    ),
    ErrorShape(
        "program of its own",
        "environment",
        CERTAIN,
        re.compile(
            rf"\b(?:spawn|spawnSync|execFile|posix_spawnp?|execv[pe]{{0,2}}|fork/exec|CreateProcess)"
            rf"(?: |: |\(){_PROGRAM}\)?:?,? (?:E[A-Z]{{3,12}}|[Nn]o such file|[Nn]ot found|failed)"
            rf"|[Ss]tart(?:ing)? process {_PROGRAM}|run program {_PROGRAM}"
            rf"|exec: {_PROGRAM}: executable",
            re.ASCII,
        ),
        callers_if="sent",
        hints=("spawn", "exec", "process", "program"),
    ),
    ErrorShape(
        "program that is not there",
        "environment",
        CERTAIN,
        re.compile(
            rf"\b(?:ba|z|da|k|c|tc|fi)?sh: (?:line )?(?:\d{{1,4}}: )?{_PROGRAM}:"
            r" (?:command )?not found"
            rf"|\bsh: command not found: {_PROGRAM}"
            rf"|\b(?:[Cc]ommand|[Pp]rogram|[Bb]inary|[Ee]xecutable|[Uu]tility) {_PROGRAM}"
            r" (?:was |is |could )?not (?:be )?(?:found|installed|available)"
            rf"|(?<![\w./+-]){_PROGRAM} (?:was |is )?not (?:found|available|present) (?:in|on) "
            r"(?:the |your |system |\$|%){0,2}PATH\b",
            re.ASCII,
        ),
        callers_if="written",
        hints=(
            "sh: ",
            "command ",
            "program ",
            "binary ",
            "executable ",
            "utility ",
            "in path",
            "on path",
            "your path",
            "the path",
            "$path",
            "%path",
        ),
    ),
    ErrorShape(
        "something to install",
        "environment",
        CERTAIN,
        re.compile(
            r"()\b(?:is|are|was|were)(?: not|n't) (?:currently |yet )?installed\b"
            r"(?! (?:in|for) (?:this|the|your))"
            r"|\b(?:not found|missing|unavailable|required?s?|not available|cannot find"
            r"|could(?: not|n't) find|no \w{1,30} (?:was |were )?found)\b[^\n]{0,120}"
            r"\b(?:re-?)?install(?:ing)?\b(?! (?:of|failed))"
            r"|\binstall (?:it|them|one|either|the \w{1,30}|\w{1,30})"
            r" (?:with|via|using|from|first|by)\b"
            r"|\b(?:pull|download)(?:ing)? (?:it|the model|the image) (?:first|with)"
            r"|\b(?:brew|apt|apt-get|dnf|yum|pacman|winget|choco|scoop|snap) install\b",
            re.ASCII,
        ),
        hints=("install", "pull", "download"),
        is_small=True,
    ),
    ErrorShape(
        "part that does not run",
        "environment",
        LOUDER,
        re.compile(
            r"\b(?:is|are|was|were|has|have|does|did|seems?)(?: not|n't)(?: been| be| to be)?"
            rf" (?:currently |yet |properly |correctly )?(?:{_IDLE}|respond|start)\b"
            r"(?![^.\n]{0,40} (?:for this|on your|in your) (?:account|plan|project))"
            r"|\bno (?:running|active|connected|attached|available) [\w-]{2,30}(?: [\w-]{2,30})?"
            rf"|\bno [\w-]{{2,30}} (?:is |are |was |were )?(?:{_IDLE})\b",
            re.ASCII,
        ),
        subject=PARTS,
        callers_if="named",
        hints=PART_HINTS,
        is_small=True,
    ),
    ErrorShape(
        "part to be started",
        "environment",
        CERTAIN,
        re.compile(
            r"()\b(?:make sure|ensure|check|verify)(?: that| if| whether)? [^.\n]{1,60}?"
            r" (?:is|are) (?:up and |currently )?"
            r"(?:running|started|reachable|connected|installed|listening|open and)"
            r"|\bis (?:the |your )?[\w .-]{1,40}? (?:running|started|connected|logged in|open|up"
            r"|installed|in (?:your |the )?path)\b[^?\n]{0,30}\?"
            r"|\bdid you (?:start|run|launch|install|open)\b",
            re.ASCII,
        ),
        hints=("make sure", "ensure", "check", "verify", "?", "did you "),
        is_small=True,
    ),
    ErrorShape(
        "page instead of data",
        "environment",
        CERTAIN,
        re.compile(
            r"()(?:not valid json|unexpected token|invalid json|expected json|non-json|parse json)"
            r"[^\n]{0,160}<(?:!doctype|html|\?xml|head|body)"
            r"|<(?:!doctype|html)[^\n]{0,80}not valid json"
            r"|invalid character '<' looking for beginning",
            re.ASCII,
        ),
        hints=("<!doctype", "<html", "<?xml", "<head", "<body", "character '<'"),
        is_small=True,
    ),
    ErrorShape(
        "held by another",
        "environment",
        LOUDER,
        re.compile(
            r"\b(?:in use|locked|held|being used|opened) (?:by|for)"
            r" (?:another|an other|other|a different|pid|/|[a-z]:)",
            re.ASCII,
        ),
        subject=(*PARTS, "profile", "port", "file", "index", "device", "lock", "session"),
        hints=("in use", "locked", "held", "being used", "opened"),
        is_small=True,
    ),
)
"""Forms in which programs tell that something around them is missing or out of order."""
