"""`mcp-assay history`: questions to the store, and what people put right in it."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from mcp_assay.cli.history_keeper import opened_store
from mcp_assay.cli.options import HistoryView
from mcp_assay.cli.output import CommandError, show, write
from mcp_assay.history import corrections, questions
from mcp_assay.history.answers import HistoryList
from mcp_assay.history.baselines import compared, run_by_name
from mcp_assay.history.definition_texts import pairs_markdown, pairs_text
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.location import BY_DEFAULT, WrongLocation, located
from mcp_assay.history.names import NotKnown, moment, run_named, server_named
from mcp_assay.history.page_formats import page_markdown, page_text
from mcp_assay.history.pages import (
    HistoryPage,
    findings_page,
    list_page,
    server_page,
    tool_page,
)
from mcp_assay.history.store import Store, now
from mcp_assay.model.outcome import CLEAN, FailOn, exit_code
from mcp_assay.report.as_json import json_text
from mcp_assay.report.diff_formats import DIFF_WRITERS
from mcp_assay.report.diff_text import diff_text
from mcp_assay.report.formats import TEXT
from mcp_assay.text.lines import BLANK, said
from mcp_assay.text.safe import plain

JSON = "json"
MARKDOWN = "markdown"


def listed(view: HistoryView) -> int:
    """List all servers."""
    if has_nothing(view.history):
        return _answer(HistoryList(servers=[]), list_page, view)
    with _asked(view) as connection:
        answer = questions.all_servers(connection)
    return _answer(answer, list_page, view)


def show_server(view: HistoryView, *, server: str, limit: int) -> int:
    """Show one server."""
    with _asked(view) as connection:
        server_id = server_named(connection, server)
        answer = questions.server_history(connection, server_id, limit)
    return _answer(answer, server_page, view)


def show_tool(view: HistoryView, *, server: str, tool: str, limit: int) -> int:
    """Show one tool over time."""
    with _asked(view) as connection:
        server_id = server_named(connection, server)
        answer = questions.tool_history(connection, server_id, plain(tool), limit)
        if answer is None:
            raise NotKnown(f"no run of {server!r} has listed a tool {plain(tool)!r}")
    return _answer(answer, tool_page, view)


def findings(view: HistoryView, *, server: str | None, since: str, limit: int) -> int:
    """Show findings by what became of them."""
    with _asked(view) as connection:
        server_id = server_named(connection, server) if server is not None else None
        begun = moment(since, datetime.now(UTC))
        answer = questions.findings_since(connection, begun, server_id, limit)
    return _answer(answer, findings_page, view)


def diff(
    view: HistoryView,
    *,
    old: str,
    new: str,
    fail_on: FailOn,
    verbose: bool,
) -> int:
    """Compare two runs."""
    with opened_history(view, to_write=False) as store:
        found = compared(run_by_name(store, old), run_by_name(store, new), fail_on)
    comparison, texts = found.comparison, found.texts
    if view.format == TEXT:
        pairs = (BLANK, said("Definitions, then and now", "strong"), *pairs_text(texts))
        lines = (*diff_text(comparison, verbose=verbose), *(pairs if texts else ()))
        show(lines, color=not view.no_color)
    else:
        more = f"\n{pairs_markdown(texts)}" if texts and view.format == MARKDOWN else ""
        write(DIFF_WRITERS[view.format](comparison) + more)
    return exit_code("fail" if comparison.summary.outcome == "worse" else "pass", fail_on)


def approve(
    view: HistoryView,
    *,
    server: str,
    run: str | None,
    who: str | None,
    why: str,
) -> int:
    """Approve what a server lists."""
    with _changing(view) as connection:
        server_id = server_named(connection, server)
        run_id = run_named(connection, run) if run is not None else None
        who = who or _user()
        corrections.approve(connection, server_id, run_id=run_id, who=who, why=why, now=now())
    return _shown_anew(view, server_id)


def revoke(view: HistoryView, *, server: str, who: str | None, why: str) -> int:
    """Take back an approval."""
    with _changing(view) as connection:
        server_id = server_named(connection, server)
        corrections.revoke(connection, server_id, who=who or _user(), why=why, now=now())
    return _shown_anew(view, server_id)


def rename(view: HistoryView, *, server: str, name: str) -> int:
    """Call a server otherwise."""
    with _changing(view) as connection:
        server_id = server_named(connection, server)
        corrections.rename(connection, server_id, name)
    return _shown_anew(view, server_id)


def merge(view: HistoryView, *, server: str, into: str) -> int:
    """Make two servers one."""
    with _changing(view) as connection:
        other, into_id = server_named(connection, server), server_named(connection, into)
        corrections.merge(connection, other, into_id)
    return _shown_anew(view, into_id)


def _shown_anew(view: HistoryView, server_id: int) -> int:
    """Show a server after something was changed about it."""
    with _asked(view) as connection:
        answer = questions.server_history(connection, server_id)
    return _answer(answer, server_page, view)


def _answer(answer: Any, page: Callable[[Any], HistoryPage], view: HistoryView) -> int:
    if view.format == JSON:
        write(json_text(answer))
    elif view.format == MARKDOWN:
        write(page_markdown(page(answer)))
    else:
        show(page_text(page(answer)), color=not view.no_color)
    return CLEAN


@contextmanager
def _asked(view: HistoryView) -> Iterator[Connection]:
    """A transaction that only reads."""
    with opened_history(view, to_write=False) as store, store.reading() as connection:
        yield connection


@contextmanager
def _changing(view: HistoryView) -> Iterator[Connection]:
    """A transaction that writes."""
    with opened_history(view, to_write=True) as store, store.writing() as connection:
        yield connection


@contextmanager
def opened_history(view: HistoryView, *, to_write: bool) -> Iterator[Store]:
    """The store, open while inside; what goes wrong is a sentence for the user."""
    _require_store(view.history)
    store = opened_store(view.history, to_write=to_write)
    try:
        yield store
    except (StoreFault, NotKnown) as refusal:
        words = str(refusal)
        raise CommandError(words if words.endswith("?") else f"{words}.") from None
    finally:
        store.close()


def has_nothing(history: str | None) -> bool:
    """Whether nothing was ever recorded in the user's own store."""
    location = _located(history)
    return location.is_default and not _exists(location.file)


def _require_store(history: str | None) -> None:
    """A question makes no store: one that is not there was mistyped, or has nothing to tell."""
    location = _located(history)
    if location.file is not None and not _exists(location.file):
        words = "does not exist; --history of assess, lint or validate makes it"
        raise CommandError(f"the history {location.file} {words}.")


def _located(history: str | None) -> Any:
    try:
        return located(history or BY_DEFAULT)
    except WrongLocation as refusal:
        raise CommandError(f"--history: {refusal}.") from None


def _exists(file: str | None) -> bool:
    import os

    return file is not None and os.path.exists(file)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody without a name"
