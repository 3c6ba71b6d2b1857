"""What a server lists in a session: each page judged by the rules about definitions, once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import orjson

from mcp_assay.model.entry import Message
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.session_rules import sees_bare_messages, watch, watch_end
from mcp_assay.session.state import SessionState
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.methods import LIST_CHANGES, LIST_MEMBERS
from mcp_assay.text.digests import blake2b

if TYPE_CHECKING:
    from mcp_assay.rules.definition.pages import JudgedPage, ListPage

MOST_JUDGED: Final = 1000
"""Pages of a run of which is kept what was said about them, so that they are judged once."""
MOST_KEPT_FINDINGS: Final = 20_000
"""Findings that are kept with those pages."""
MOST_TOLD: Final = 64
"""Pages of one session that are known to have been judged in it."""
MOST_PAGES: Final = 1000
"""Pages of one list that are known again."""
MOST_OF_A_LIST: Final = 1 << 20
"""Bytes that are remembered of the earlier pages of one list."""
MOST_OF_A_RUN: Final = 1 << 24
"""The same of all lists that are being fetched."""
LONGEST_CURSOR: Final = 1024
"""A cursor with more characters than this is not remembered."""

NO_LAST_PAGE: Final = "the last page of {} was not seen"
NOT_EVERY_PAGE: Final = "not every page of {} was seen"
REPEATED: Final = "{} gave the same page twice"
CHANGED_MEANWHILE: Final = "the list changed while the pages of {} were being fetched"
TOO_MUCH: Final = "{} has too many pages to remember them all"

PageKey: TypeAlias = tuple[str, str, bytes, bool, bool]
"""A page: its revision and list, the digest of it and those before, whether it is the last, and
whether all before it are known."""


class JudgedPages:
    """What was said about the pages of a run, and how much is remembered of unfinished lists."""

    __slots__ = ("_findings", "_pages", "remembered")

    def __init__(self) -> None:
        self._pages: Final[OrderedDict[PageKey, JudgedPage]] = OrderedDict()
        self._findings = 0
        self.remembered = 0
        """Bytes of the earlier pages of lists that are not at their end."""

    def get(self, key: PageKey) -> JudgedPage | None:
        """What was said about a page, None where it is not known any more."""
        if key in self._pages:
            self._pages.move_to_end(key)
        return self._pages.get(key)

    def keep(self, key: PageKey, judged: JudgedPage) -> None:
        """Remember it; what was not asked for longest is let go."""
        self._pages[key] = judged
        self._findings += len(judged.findings)
        while len(self._pages) > MOST_JUDGED or self._findings > MOST_KEPT_FINDINGS:
            _, oldest = self._pages.popitem(last=False)
            self._findings -= len(oldest.findings)


@cache
def _earlier_runs(_has_worker: bool) -> JudgedPages:
    """What was said about pages in this process, which follows from them: it may do many runs."""
    return JudgedPages()


class PagedList:
    """A list as its pages come: what is remembered of them, and whether that is all."""

    __slots__ = ("_bytes", "_digests", "chain", "cursor", "earlier", "gap", "is_open")

    def __init__(self) -> None:
        self.earlier: list[Any] = []
        """The outlines of what came on earlier pages."""
        self.chain = b""
        """The digest of all pages up to now."""
        self.cursor: str | None = None
        """What leads to the next page, None where nothing does or it is not known."""
        self.gap: str | None = None
        """Why it is not known what all pages hold."""
        self.is_open = False
        """Whether more pages are to come."""
        self._digests: Final[set[bytes]] = set()
        self._bytes = 0

    def begin(self, run: JudgedPages) -> None:
        """Begin anew: the first page comes."""
        self.lose(None, run)
        self.chain, self.cursor = b"", None
        self._digests.clear()

    def lose(self, gap: str | None, run: JudgedPages) -> None:
        """Forget the pages before, which are not all or do not belong to those that come."""
        run.remembered -= self._bytes
        self.earlier, self._bytes, self.gap = [], 0, gap

    def join(self, text: bytes, run: JudgedPages) -> None:
        """Put a page behind those before it."""
        digest = blake2b(text).digest()[:16]
        self.chain = blake2b(self.chain + digest).digest()[:16]
        if digest in self._digests:
            self.lose(REPEATED, run)
        elif len(self._digests) < MOST_PAGES:
            self._digests.add(digest)
        else:
            self.lose(TOO_MUCH, run)

    def remember(self, outlines: list[Any], run: JudgedPages) -> None:
        """Remember a page for those that follow it, while there is room."""
        size = len(text_of(outlines) or b"")
        if self._bytes + size > MOST_OF_A_LIST or run.remembered + size > MOST_OF_A_RUN:
            self.lose(TOO_MUCH, run)
        elif self.gap is None:
            self.earlier.extend(outlines)
            self._bytes += size
            run.remembered += size


class SessionLists:
    """What one session has seen of the lists of its server."""

    __slots__ = ("lists", "told")

    def __init__(self) -> None:
        self.lists: Final[dict[str, PagedList]] = {}
        """By the methods that they are asked for with."""
        self.told: Final[OrderedDict[PageKey, None]] = OrderedDict()
        """The pages that were judged in this session, as far as they are remembered."""

    def of(self, method: str) -> PagedList:
        """The list that is asked for with a method."""
        known = self.lists.get(method)
        if known is None:
            known = self.lists[method] = PagedList()
        return known

    def try_tell(self, key: PageKey) -> bool:
        """Note that a page is judged in this session; tell whether it is new to it."""
        is_new = key not in self.told
        self.told[key] = None
        self.told.move_to_end(key)
        if len(self.told) > MOST_TOLD:
            self.told.popitem(last=False)
        return is_new


def text_of(definitions: list[Any]) -> bytes | None:
    """A page as a text, by which it is known again; None where it cannot be written."""
    try:
        return orjson.dumps(definitions)
    except TypeError:
        return None


@sees_bare_messages
@watch("result", methods=tuple(LIST_MEMBERS))
def judge_definitions(session: SessionState, message: Message) -> Iterable[Finding]:
    """Judge a page by the rules about definitions, and by those about whole lists."""
    method, asked = str(message.method), message.answers
    definitions = message.result.get(LIST_MEMBERS[method])
    if not session.run.judges_lists or asked is None or not isinstance(definitions, list):
        return ()
    session.run.seen.add("definitions")
    listed, run = session.recall(SessionLists), session.run.recall(JudgedPages)
    it, text = listed.of(method), text_of(definitions)
    if "cursor" not in asked.params:
        _leave_open(session, method, it, message.revision)
        it.begin(run)
    elif it.cursor is None or asked.params["cursor"] != it.cursor:
        it.lose(NOT_EVERY_PAGE, run)
    if text is not None and text != b"[]":
        it.join(text, run)
    page = _page(method, definitions, it, message)
    found: Iterable[Finding] = ()
    key = (message.revision, method, it.chain, page.is_last, page.is_whole)
    if text is None or listed.try_tell(key):
        found = _judged(session, page, message.revision, None if text is None else key)
    _turn(session, message, it, page)
    return found


def _page(method: str, definitions: list[Any], it: PagedList, message: Message) -> ListPage:
    from mcp_assay.rules.definition.pages import ListPage  # noqa: PLC0415  only where lists are

    return ListPage(
        member=LIST_MEMBERS[method],
        definitions=definitions,
        earlier=it.earlier,
        is_last=message.result.get("nextCursor") is None,
        is_whole=it.gap is None,
    )


def _judged(
    session: SessionState, page: ListPage, revision: str, key: PageKey | None
) -> Iterable[Finding]:
    """What there is to say about a page that is new to the session."""
    from mcp_assay.rules.definition.pages import judge_page  # noqa: PLC0415  only where lists are

    run = session.run.recall(JudgedPages)
    judged = run.get(key) if key else None
    if judged is None:
        earlier = _earlier_runs(session.run.worker is not None)
        judged = earlier.get(key) if key else None
        judged = judged or judge_page(page, revision, session.schemas)
        for limit in judged.limits:
            session.run.note_limit(limit)
        if key:
            run.keep(key, judged)
            earlier.keep(key, judged)
    session.decide(*judged.decided)
    for rule, reason in judged.left_open:
        session.leave_open(rule, reason)
    return judged.findings


def _turn(session: SessionState, message: Message, it: PagedList, page: ListPage) -> None:
    """Close the list after its last page, or remember this one for the next."""
    from mcp_assay.rules.definition.pages import outlines  # noqa: PLC0415  only where lists are

    run, method = session.run.recall(JudgedPages), str(message.method)
    if page.is_last:
        if it.gap is not None:
            it.is_open = True
            _leave_open(session, method, it, message.revision)
        it.is_open, it.cursor = False, None
        it.lose(it.gap, run)
        return
    it.is_open = True
    cursor = message.result["nextCursor"]
    is_short = isinstance(cursor, str) and len(cursor) <= LONGEST_CURSOR
    it.cursor = cursor if is_short else None
    it.remember(outlines(page.member, page.definitions), run)


def _leave_open(session: SessionState, method: str, it: PagedList, revision: str) -> None:
    """Say why the rules about a whole list could not be decided, where it is not at its end."""
    if not it.is_open:
        return
    from mcp_assay.rules.definition.pages import rules_together  # noqa: PLC0415  as above

    it.is_open = False
    for rule in sorted(rules_together(LIST_MEMBERS[method])):
        if applies(rule, revision):
            session.leave_open(rule, (it.gap or NO_LAST_PAGE).format(method))


@sees_bare_messages
@watch("notification", methods=tuple(LIST_CHANGES))
def forget_pages(session: SessionState, message: Message) -> Iterable[Found]:
    """Put no page behind another where the list has changed between them."""
    if session.run.judges_lists:
        lists, run = session.recall(SessionLists).lists, session.run.recall(JudgedPages)
        for method in LIST_CHANGES[str(message.method)]:
            if method in lists and lists[method].is_open:
                lists[method].lose(CHANGED_MEANWHILE, run)
    return ()


@sees_bare_messages
@watch_end
def unfinished_lists(session: SessionState, revision: str) -> Iterator[Found]:
    """Leave open what only the last page of a list would have shown."""
    if session.run.judges_lists:
        run = session.run.recall(JudgedPages)
        for method, it in session.recall(SessionLists).lists.items():
            _leave_open(session, method, it, revision)
            it.lose(it.gap, run)
    yield from ()
