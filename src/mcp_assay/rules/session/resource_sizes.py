"""The sizes that resources are listed with, compared with what reading them gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.session_rules import watch, watch_end
from mcp_assay.rules.session.tools import ToolListing
from mcp_assay.session.state import SessionState
from mcp_assay.spec.formats import possible_sizes
from mcp_assay.text.words import quote
from mcp_assay.wire.pointer import Path

SIZE: Final = "RES-005"
MOST_KEPT: Final = 1000
"""Resources of one session whose sizes are remembered."""
LONGEST_KEPT: Final = 2048
"""A URI with more characters than this is not remembered."""
CHANGED: Final = "a resource may have changed between the list and the read"


class ListedSize:
    """A resource with the size that it is listed with, and what reads of it gave."""

    __slots__ = ("changes", "is_met", "lengths", "listed", "path", "size")

    def __init__(self, size: int, path: Path, listed: Message, changes: int) -> None:
        self.size: Final = size
        self.path: Final = path
        self.listed: Final = listed
        self.changes: Final = changes
        """How many calls had been made by then that may change something."""
        self.lengths: Final[set[int]] = set()
        """The lengths of what was read; of many different ones, two."""
        self.is_met = False
        """Whether a read gave as many bytes as were listed."""


class ReadSizes(Struct, frozen=True):
    """What a read gave of a resource that was not listed by then."""

    sizes: tuple[int, ...]
    changes: int


class ListedSizes:
    """The sizes that one session has seen, by the URIs of the resources."""

    __slots__ = ("by_uri", "read")

    def __init__(self) -> None:
        self.by_uri: Final[dict[str, ListedSize]] = {}
        self.read: Final[dict[str, ReadSizes]] = {}
        """What was read before it was listed."""


@watch("result", methods=("resources/list",))
def remember_sizes(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the sizes of a page; one that is listed otherwise now is not compared."""
    resources = message.result.get("resources")
    if not session.run.judges_lists or not isinstance(resources, list):
        return ()
    sizes, changes = session.recall(ListedSizes), session.recall(ToolListing).changes
    known = sizes.by_uri
    listed = replace(message, value={}, answers=None)
    for index, resource in enumerate(resources):
        uri, size = _size_of(resource)
        if uri is None or (uri in known and known[uri].size == size):
            continue
        if uri in known:
            del known[uri]
        elif size is not None and len(known) < MOST_KEPT and len(uri) <= LONGEST_KEPT:
            path = ("result", "resources", index, "size")
            known[uri] = ListedSize(size, path, listed, changes)
            if (read := sizes.read.pop(uri, None)) is not None:
                _compare(session, uri, read)
    return ()


def _size_of(resource: Any) -> tuple[str | None, int | None]:
    uri = resource.get("uri") if isinstance(resource, dict) else None
    size = resource.get("size") if isinstance(uri, str) else None
    is_size = isinstance(size, int) and not isinstance(size, bool) and size >= 0
    return uri if isinstance(uri, str) else None, size if is_size else None


@watch("result", methods=("resources/read",))
def compare_size(session: SessionState, message: Message) -> Iterable[Found]:
    """Compare what was read with the size that was listed."""
    uri = message.answers.params.get("uri") if message.answers is not None else None
    sizes = possible_sizes(message.result.get("contents"))
    if not session.run.judges_lists or not isinstance(uri, str) or not sizes:
        return ()
    read = ReadSizes(sizes, session.recall(ToolListing).changes)
    known = session.recall(ListedSizes)
    if uri in known.by_uri:
        _compare(session, uri, read)
    elif len(known.read) < MOST_KEPT and len(uri) <= LONGEST_KEPT:
        known.read[uri] = read
    return ()


def _compare(session: SessionState, uri: str, read: ReadSizes) -> None:
    known = session.recall(ListedSizes).by_uri
    listed = known[uri]
    if listed.size in read.sizes:
        listed.is_met = True
        session.decide(SIZE)
    elif read.changes != listed.changes:
        session.withhold(SIZE, CHANGED)
        del known[uri]
    elif len(listed.lengths) < 2:
        listed.lengths.add(read.sizes[0])


@watch(
    "notification",
    methods=("notifications/resources/updated", "notifications/resources/list_changed"),
)
def forget_sizes(session: SessionState, message: Message) -> Iterable[Found]:
    """Compare no size with what is read after the resource has changed."""
    sizes, uri = session.recall(ListedSizes), message.params.get("uri")
    sizes.read.clear()
    known = sizes.by_uri
    for changed in [one for one in known if uri is None or one == uri]:
        if not known[changed].lengths:
            del known[changed]
    return ()


@watch_end
def resource_size_differs(session: SessionState, revision: str) -> Iterator[Found]:
    """Decide RES-005 for what was read: content of one length that is not the listed one."""
    for uri, listed in session.recall(ListedSizes).by_uri.items():
        if listed.is_met or len(listed.lengths) > 1:
            if listed.lengths:
                session.withhold(SIZE, CHANGED)
            continue
        for length in listed.lengths:
            what = f"is listed with {listed.size:,} bytes but has {length:,}"
            text = f"The resource {quote(uri)} {what}."
            fix = f"List it with {length:,} bytes, or leave size out."
            yield Found(listed.path, text, SIZE, fix=fix, key="read", about=listed.listed)
