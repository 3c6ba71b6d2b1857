"""A git repository with a little history, made of its objects: no git program is needed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from struct import pack
from typing import Final, NamedTuple

from mcp_assay.text.digests import sha1

MAIN: Final = "main"
BRANCH: Final = "assay-branch"
TAG: Final = "v1.0.0"
REMOTE: Final = "origin"
AUTHOR: Final = "Assay Example <assay@example.invalid>"
FIRST_SECOND: Final = 1_768_478_400
"""When the first commit was made."""
APART: Final = 86_400
NO_COMMIT: Final = "0" * 40
FILE_MODE: Final = 0o100644
LONGEST_NAME: Final = 0xFFF
"""What the index can say of the length of a name."""

_ORIGIN: Final = "assay-origin.git"
"""The folder, in that of the repository, from which it says that it was cloned."""
_CORE: Final = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = {}\n"
_CONFIG: Final = f"""{_CORE.format("false")}\tlogallrefupdates = true
[user]
\tname = Assay Example
\temail = assay@example.invalid
[remote "{REMOTE}"]
\turl = ./.git/{_ORIGIN}
\tfetch = +refs/heads/*:refs/remotes/{REMOTE}/*
[branch "{MAIN}"]
\tremote = {REMOTE}
\tmerge = refs/heads/{MAIN}
"""

Files = Mapping[str, bytes]


class CommitStep(NamedTuple):
    """One commit: what it says, and the files that it adds or changes."""

    message: str
    files: Files


def repository(steps: Sequence[CommitStep], branch: CommitStep, staged: Files) -> dict[str, bytes]:
    """What lies below `.git`: the steps on one branch, one more on another, and what is staged.

    The tag is on the last step but one, and the remote repository knows all steps.
    """
    history = _History()
    commits = [history.commit(step) for step in steps]
    files = dict(history.files)
    index = history.index({**files, **staged})
    last = history.commit(branch)
    tag = history.tag(commits[-2], FIRST_SECOND + len(commits) * APART)
    refs = {
        f"refs/heads/{MAIN}": commits[-1],
        f"refs/heads/{BRANCH}": last,
        f"refs/remotes/{REMOTE}/{MAIN}": commits[-1],
        f"refs/tags/{TAG}": tag,
    }
    log = history.log[: len(commits)]
    texts = {
        "HEAD": f"ref: refs/heads/{MAIN}\n",
        "config": _CONFIG,
        "logs/HEAD": "".join(log),
        f"logs/refs/heads/{MAIN}": "".join(log),
        **{name: f"{commit}\n" for name, commit in refs.items()},
        f"{_ORIGIN}/HEAD": f"ref: refs/heads/{MAIN}\n",
        f"{_ORIGIN}/config": _CORE.format("true"),
        f"{_ORIGIN}/objects/info/alternates": "../../objects\n",
        f"{_ORIGIN}/refs/heads/{MAIN}": f"{commits[-1]}\n",
    }
    found = {**history.objects, "index": index, **{at: one.encode() for at, one in texts.items()}}
    return {f".git/{path}": content for path, content in found.items()}


class _History:
    """Commits one upon the other, and every object that they need."""

    def __init__(self) -> None:
        self.objects: Final[dict[str, bytes]] = {}
        self.files: Final[dict[str, bytes]] = {}
        """The files as the latest commit has them."""
        self.log: Final[list[str]] = []
        self._latest = ""

    def commit(self, step: CommitStep) -> str:
        """Add a commit; gives its name."""
        self.files.update(step.files)
        who = f"{AUTHOR} {FIRST_SECOND + len(self.log) * APART} +0000"
        parent = f"parent {self._latest}\n" if self._latest else ""
        head = f"tree {self._tree(self.files)}\n{parent}author {who}\ncommitter {who}\n"
        name = self._add("commit", f"{head}\n{step.message}\n".encode())
        kind = "commit" if self._latest else "commit (initial)"
        self.log.append(f"{self._latest or NO_COMMIT} {name} {who}\t{kind}: {step.message}\n")
        self._latest = name
        return name

    def tag(self, commit: str, second: int) -> str:
        """Add a tag with words of its own; gives its name."""
        head = f"object {commit}\ntype commit\ntag {TAG}\ntagger {AUTHOR} {second} +0000\n"
        return self._add("tag", f"{head}\nFirst version\n".encode())

    def index(self, files: Files) -> bytes:
        """The index that has these files, without the times by which git saves looking at them."""
        rows = b"".join(self._row(path, files[path]) for path in sorted(files))
        whole = b"DIRC" + pack(">II", 2, len(files)) + rows
        return whole + sha1(whole).digest()

    def _row(self, path: str, content: bytes) -> bytes:
        name = path.encode()
        times_and_place, mode, owners, size = bytes(24), FILE_MODE, bytes(8), 0
        status = times_and_place + pack(">I", mode) + owners + pack(">I", size)
        blob = bytes.fromhex(self._add("blob", content))
        row = status + blob + pack(">H", min(len(name), LONGEST_NAME)) + name
        return row + bytes(8 - len(row) % 8)

    def _tree(self, files: Files) -> str:
        """Add a folder with all that is in it; gives its name."""
        rows: list[tuple[str, str, str]] = []
        inner: dict[str, dict[str, bytes]] = {}
        for path, content in files.items():
            first, _, rest = path.partition("/")
            if rest:
                inner.setdefault(first, {})[rest] = content
            else:
                rows.append((first, "100644", self._add("blob", content)))
        rows += [(f"{name}/", "40000", self._tree(those)) for name, those in inner.items()]
        listed = (
            f"{mode} {name.rstrip('/')}\0".encode() + bytes.fromhex(one)
            for name, mode, one in sorted(rows)  # git sorts a folder as if a slash were behind it
        )
        return self._add("tree", b"".join(listed))

    def _add(self, kind: str, content: bytes) -> str:
        whole = f"{kind} {len(content)}\0".encode() + content
        name = sha1(whole).hexdigest()
        self.objects[f"objects/{name[:2]}/{name[2:]}"] = zlib.compress(whole)
        return name
