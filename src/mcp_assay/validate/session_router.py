"""Which session a line of a trace belongs to, where the line itself does not say so.

An answer need not repeat the id of its session, and an initialize has none yet. So the requests of
a file that wait are remembered with their sessions, and an initialize over HTTP waits, with what
follows it, for the answer that names its session.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from mcp_assay.model.entry import Direction, Entry, SessionKey
from mcp_assay.session.correlation import OTHER_SIDE
from mcp_assay.session.exchanges import FIRST_REFUSAL, headers, is_id
from mcp_assay.session.handshake import VERSION_HEADER, VERSION_KEY
from mcp_assay.session.ids import Id
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.validate.trace import http_session

MOST_HELD: Final = 1_000
"""Lines that may wait for the session of an initialize."""
MOST_BYTES: Final = 16 << 20
"""How much all that waits may hold together."""
MOST_EXCHANGES: Final = 10_000
"""Exchanges of a file whose session is remembered."""
MOST_WAITING: Final = 10_000
"""Requests of a file whose session is remembered until they are answered."""
MOST_KEYS: Final = 10_000
"""Sessions of a file that are remembered."""
LOOKED_AT: Final = 1_000
"""Lines of a file that name their sessions and are noted all the same: whoever leaves the session
out of answers does so from the first one on."""
FEW: Final = 2
"""More sessions than one are as good as any number."""
OPENING: Final = b'"initialize"'
"""What a line must hold to be worth waiting with."""
MODERN: Final = VERSION_KEY.encode()
"""What the requests of 2026-07-28 hold, which have no sessions."""


_Asked: TypeAlias = tuple[Direction, Id]
"""Who has sent a request, and its id."""


_Key = TypeVar("_Key")


class _MessageHead(Struct, frozen=True):
    id: Any = UNSET
    method: Any = UNSET


_decode = msgspec.json.Decoder(_MessageHead | list[_MessageHead]).decode
_UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class TracedLine(Struct, frozen=True):
    """A line of a trace, and the ids of the requests and of the answers in it."""

    entry: Entry
    asks: list[Id]
    answers: list[Id]

    @classmethod
    def of(cls, entry: Entry) -> TracedLine:
        """The line with what its text holds, nothing where that cannot be read."""
        try:
            text = entry.text if entry.other_type is None else None
            read = [] if text is None else _decode(text)
        except _UNREADABLE:
            read = []
        heads = [one for one in (read if isinstance(read, list) else [read]) if is_id(one.id)]
        asks = [one.id for one in heads if one.method is not UNSET]
        return cls(entry, asks, [one.id for one in heads if one.method is UNSET])

    @property
    def strong_key(self) -> SessionKey | None:
        """The session that the line itself names; an answer may also name one that it begins."""
        entry, key = self.entry, self.entry.session
        if key is None or key[0] not in ("session", "http"):
            return None
        is_begun = key[0] == "http" and entry.direction == "s2c" and not _has_asked(entry)
        return None if is_begun else key

    @property
    def weak_key(self) -> SessionKey:
        """What it belongs to if it belongs to no session: its connection, or its file."""
        entry = self.entry
        if entry.session is not None and entry.session[0] == "conn":
            return entry.session
        return ("conn", entry.conn) if entry.conn else ("file", entry.where.file or "")

    @property
    def may_open(self) -> bool:
        """Whether this is an initialize over HTTP: the answer may name its session."""
        entry = self.entry
        if entry.direction != "c2s" or entry.text is None or OPENING not in entry.text:
            return False
        return entry.is_over_http and (bool(self.asks) or entry.exchange is not None)

    @property
    def is_refusal(self) -> bool:
        """Whether this is the response to a request that the server did not serve."""
        status = (self.entry.http or {}).get("status")
        has_failed = isinstance(status, int) and status >= FIRST_REFUSAL
        return has_failed and self.entry.direction == "s2c"

    @property
    def is_modern(self) -> bool:
        """Whether a client says by header or `_meta` that it speaks a revision without sessions."""
        given = headers((self.entry.http or {}).get("request_headers")) or {}
        if given.get(VERSION_HEADER, "") > R2025_11_25:
            return True
        return self.entry.text is not None and MODERN in self.entry.text


def _has_asked(entry: Entry) -> bool:
    """Whether the headers of the request name the session."""
    return http_session({"request_headers": (entry.http or {}).get("request_headers")}) is not None


class _Owner(Struct, frozen=True):
    """The session of a line, the connection where it is known, and whether that is HTTP."""

    session: SessionKey
    conn: str = ""
    over_http: bool = False

    def may_own(self, entry: Entry) -> bool:
        """Whether the entry does not say that it came over another connection."""
        return not self.conn or not entry.conn or self.conn == entry.conn


class _HeldLines:
    """Each initialize whose session is not known yet, and the lines that must not overtake it."""

    __slots__ = ("_behind", "_by_exchange", "_by_id", "_bytes", "_lines")

    def __init__(self) -> None:
        self._behind: Final[dict[str, list[TracedLine]]] = {}
        """What is held, by connection."""
        self._by_exchange: Final[dict[tuple[str, str | int], TracedLine]] = {}
        self._by_id: Final[dict[tuple[str, Id], TracedLine]] = {}
        self._bytes = 0
        self._lines = 0

    def __contains__(self, conn: str) -> bool:
        return conn in self._behind

    @property
    def is_full(self) -> bool:
        """Whether more is held than may be."""
        return self._lines > MOST_HELD or self._bytes > MOST_BYTES

    def add(self, line: TracedLine) -> None:
        """Hold a line."""
        entry = line.entry
        self._behind.setdefault(entry.conn, []).append(line)
        self._bytes += len(entry.source)
        self._lines += 1
        if line.may_open:
            if entry.exchange is not None:
                self._by_exchange[entry.conn, entry.exchange] = line
            for id in line.asks:
                self._by_id.setdefault((entry.conn, id), line)

    def opened_by(self, line: TracedLine) -> TracedLine | None:
        """The initialize to which this begins the answer."""
        entry = line.entry
        if not self._behind or entry.direction != "s2c":
            return None
        if entry.exchange is not None:
            opening = _of_connection(self._by_exchange, entry.conn, entry.exchange)
            if opening is not None:
                return opening
        found = (_of_connection(self._by_id, entry.conn, id) for id in line.answers)
        opening = next((one for one in found if one is not None), None)
        is_elsewhere = opening and None not in (entry.exchange, opening.entry.exchange)
        return None if is_elsewhere else opening

    def release(self, opening: TracedLine) -> list[TracedLine]:
        """Release an initialize, and what is behind it if it was the last of its connection."""
        conn = opening.entry.conn
        behind = [one for one in self._behind[conn] if one is not opening]
        self._forget(opening)
        if any(one.may_open for one in behind):
            self._behind[conn] = behind
            return [opening]
        return [opening, *(one for one in self.release_all(conn) if one is not opening)]

    def release_all(self, conn: str | None = None) -> list[TracedLine]:
        """Release all that is held, of one connection or at all."""
        conns = list(self._behind) if conn is None else [conn]
        released = [line for one in conns for line in self._behind.pop(one, ())]
        for line in released:
            self._forget(line)
        return released

    def _forget(self, line: TracedLine) -> None:
        entry = line.entry
        self._bytes -= len(entry.source)
        self._lines -= 1
        if entry.exchange is not None:
            self._by_exchange.pop((entry.conn, entry.exchange), None)
        for id in line.asks:
            if self._by_id.get((entry.conn, id)) is line:
                del self._by_id[entry.conn, id]


def _of_connection(
    held: dict[tuple[str, _Key], TracedLine], conn: str, key: _Key
) -> TracedLine | None:
    """What is held by a key in a connection, or in one of which only one side is recorded."""
    if (conn, key) in held or conn:
        return held.get((conn, key)) or held.get(("", key))
    alike = [line for (_, one), line in held.items() if one == key]
    return alike[0] if len(alike) == 1 else None


class _TracedFile:
    """What is known about the sessions of one file."""

    __slots__ = (
        "_exchanges",
        "_open",
        "_waiting",
        "held",
        "http",
        "is_doubtful",
        "looked_at",
        "name",
        "named",
        "opened",
        "tears",
    )

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.named: Final[dict[SessionKey, None]] = {}
        """The sessions that lines belong to, be it by their file."""
        self.http: Final[dict[str, dict[SessionKey, None]]] = {}
        """The sessions known by their Mcp-Session-Id, by connection; "" has all of the file."""
        self.held: Final = _HeldLines()
        self.opened: Final[set[SessionKey]] = set()
        """Files in which a client has initialized without a session id."""
        self.looked_at = 0
        self.tears = False
        """Whether there was an answer that named no session."""
        self.is_doubtful = False
        """Whether there was a line that may belong to any session."""
        self._waiting: Final[OrderedDict[_Asked, list[_Owner]]] = OrderedDict()
        self._open: Final[Counter[SessionKey]] = Counter()
        """How many requests of each session wait."""
        self._exchanges: Final[OrderedDict[tuple[str, str | int], _Owner]] = OrderedDict()

    def note(self, line: TracedLine, owner: _Owner) -> None:
        """Note who asks and who is answered in a session."""
        entry = line.entry
        _remember(self.named, owner.session)
        if owner.session[0] == "http":
            for conn in {"", entry.conn}:
                _remember(self.http.setdefault(conn, {}), owner.session)
        for id in line.asks:
            self._ask((entry.direction, id), owner)
        answered = [(OTHER_SIDE[entry.direction], id) for id in line.answers]
        if line.is_refusal and entry.exchange is None and self._waiting.keys().isdisjoint(answered):
            answered = self._refused(owner.session)
        for asked in answered:
            self._answer(asked, owner.session)
        if entry.exchange is not None and entry.direction == "c2s":
            self._exchanges[entry.conn, entry.exchange] = owner
            if len(self._exchanges) > MOST_EXCHANGES:
                self._exchanges.popitem(last=False)

    def exchange_of(self, entry: Entry) -> _Owner | None:
        """The session in which the exchange of the entry began."""
        if entry.exchange is None or (entry.direction == "c2s" and entry.text is not None):
            return None
        return self._exchanges.get((entry.conn, entry.exchange))

    def askers(self, line: TracedLine) -> list[_Owner]:
        """The sessions that wait for the answers of the line."""
        asked = OTHER_SIDE[line.entry.direction]
        waiting = (one for id in line.answers for one in self._waiting.get((asked, id), ()))
        return list({one.session: one for one in waiting if one.may_own(line.entry)}.values())

    def others(self, weak: SessionKey) -> list[SessionKey]:
        """The sessions that a server may speak in, but for the file's own where nothing waits."""
        if len(self.named) > FEW:
            return list(islice(self.named, FEW))
        return [key for key in self.named if key != weak or self._open[key]]

    def _ask(self, asked: _Asked, owner: _Owner) -> None:
        self._waiting.setdefault(asked, []).append(owner)
        self._open[owner.session] += 1
        if len(self._waiting) > MOST_WAITING:
            _, forgotten = self._waiting.popitem(last=False)
            self._close(one.session for one in forgotten)

    def _answer(self, asked: _Asked, session: SessionKey) -> None:
        """One request of the session waits no longer."""
        waiting = self._waiting.get(asked, [])
        index = next((n for n, one in enumerate(waiting) if one.session == session), None)
        if index is not None:
            self._close([waiting.pop(index).session])
        if not waiting:
            self._waiting.pop(asked, None)

    def _refused(self, session: SessionKey) -> list[_Asked]:
        """The request that is refused without its id: the only one of the session that waits."""
        if self._open[session] != 1:
            return []
        waiting = self._waiting.items()
        return [asked for asked, owners in waiting if any(it.session == session for it in owners)]

    def _close(self, sessions: Iterable[SessionKey]) -> None:
        for session in sessions:
            self._open[session] -= 1
            if not self._open[session]:
                del self._open[session]


class SessionRouter:
    """Gives each line of a trace its session.

    `doubtful` has the sessions that may miss a line which could belong to several.
    """

    def __init__(self) -> None:
        self.doubtful: Final[set[SessionKey]] = set()
        self._files: Final[dict[str, _TracedFile]] = {}

    def ready(self, entry: Entry) -> list[Entry]:
        """What may be judged now that this came, in order, each with its session."""
        file, line = self._file(entry.where.file or ""), TracedLine.of(entry)
        opening = file.held.opened_by(line)
        if opening is not None:
            return self._opened(file, opening, line)
        if not _must_wait(file, line):
            return [self._settled(file, line)]
        file.held.add(line)
        return self._released(file) if file.held.is_full else []

    def rest(self) -> list[Entry]:
        """Everything that still waits, when the inputs have ended; they are forgotten."""
        left = [one for file in self._files.values() for one in self._released(file)]
        self._files.clear()
        return left

    def notes_named(self, file: str) -> bool:
        """Whether the next line that names its session is to be noted."""
        known = self._file(file)
        known.looked_at += 1
        return known.tears or known.looked_at <= LOOKED_AT

    def note_named(self, entry: Entry, session: SessionKey) -> None:
        """Note a line that names its session."""
        owner = _Owner(session, entry.conn, entry.is_over_http)
        self._given(self._file(entry.where.file or ""), TracedLine.of(entry), owner)

    def _file(self, name: str) -> _TracedFile:
        file = self._files.get(name)
        if file is None:
            file = self._files[name] = _TracedFile(name)
        return file

    def _opened(self, file: _TracedFile, opening: TracedLine, answer: TracedLine) -> list[Entry]:
        """An initialize and its answer, in the session that this names; and what waited for it."""
        key = http_session(answer.entry.http) or opening.weak_key
        _, *behind = file.held.release(opening)
        asked = self._begun(file, opening, _Owner(key, opening.entry.conn, over_http=True))
        return [asked, *(self._settled(file, line) for line in (answer, *behind))]

    def _released(self, file: _TracedFile) -> list[Entry]:
        return [self._settled(file, line) for line in file.held.release_all()]

    def _settled(self, file: _TracedFile, line: TracedLine) -> Entry:
        """The entry with its session."""
        owner = _owner(file, line)
        if owner is None:
            self._doubt(file, line)
            return replace(line.entry, session=("exchanges", file.name))
        is_opening = line.strong_key is None and line.may_open
        return (self._begun if is_opening else self._given)(file, line, owner)

    def _begun(self, file: _TracedFile, opening: TracedLine, owner: _Owner) -> Entry:
        """An initialize; where a second client has no session id either, nothing parts the two."""
        if owner.session in file.opened:
            self.doubtful.add(owner.session)
        elif owner.session[0] == "file":
            file.opened.add(owner.session)
        return self._given(file, opening, owner)

    def _given(self, file: _TracedFile, line: TracedLine, owner: _Owner) -> Entry:
        if file.is_doubtful and owner.session not in file.named:
            self.doubtful.add(owner.session)
        file.note(line, owner)
        transport = line.entry.transport or ("http" if owner.over_http else None)
        return replace(line.entry, session=owner.session, transport=transport)

    def _doubt(self, file: _TracedFile, line: TracedLine) -> None:
        """Doubt the sessions that wait for this answer; of anything else, all."""
        if line.answers:
            self.doubtful.update(one.session for one in file.askers(line))
        elif not file.is_doubtful:
            file.is_doubtful = True
            self.doubtful.update(file.named)


def _must_wait(file: _TracedFile, line: TracedLine) -> bool:
    """Whether only the answer to an initialize will tell whose line this is."""
    if line.strong_key is not None:
        return False
    if line.entry.conn not in file.held:
        return line.may_open
    return file.exchange_of(line.entry) is None and not file.askers(line)


def _owner(file: _TracedFile, line: TracedLine) -> _Owner | None:
    """Whose line it is, None where that cannot be told."""
    entry, strong = line.entry, line.strong_key
    if strong is not None:
        return _Owner(strong, entry.conn, entry.is_over_http)
    known, waiting = file.exchange_of(entry), file.askers(line)
    if known is not None and (not waiting or known in waiting):
        return known
    named = http_session(entry.http)
    if named is not None and (len(waiting) != 1 or waiting[0].session == named):
        return _Owner(named, entry.conn, over_http=True)
    file.tears |= bool(line.answers)
    if waiting:
        return waiting[0] if len(waiting) == 1 else None
    return _only_session(file, line)


def _only_session(file: _TracedFile, line: TracedLine) -> _Owner | None:
    """The one session that the line can belong to; its file or connection, if there is none."""
    entry, weak = line.entry, line.weak_key
    if entry.direction == "c2s" and (line.is_modern or line.may_open):
        others: list[SessionKey] = []
    elif entry.direction == "c2s" or entry.conn:
        others = list(islice(file.http.get(entry.conn, ()), FEW))
    else:
        others = file.others(weak)
    if len(others) > 1:
        return None
    over_http = entry.is_over_http or bool(others and others[0][0] == "http")
    return _Owner(others[0] if others else weak, entry.conn, over_http)


def _remember(keys: dict[SessionKey, None], key: SessionKey) -> None:
    if len(keys) < MOST_KEYS:
        keys[key] = None
