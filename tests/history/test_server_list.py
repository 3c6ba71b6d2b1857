"""Pages of the list of servers: which are on them, in which order, and what is told of each."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mcp_assay.history.corrections import merge
from mcp_assay.history.identity import ServerDetails, named
from mcp_assay.history.recorder import new_run, record
from mcp_assay.history.server_list import PAGE, ListedServers, ServerFilter, listed_servers
from mcp_assay.history.store import Store
from mcp_assay.model.outcome import RunOutcome
from tests.drift.small_reports import finding
from tests.history.runs import a_report, remember


def ran(
    store: Store, name: str, *, day: float, outcome: RunOutcome = "pass", errors: int = 0
) -> None:
    """Record a run of the server with this name."""
    found = [finding(key=key) for key in range(errors)]
    its = a_report(*found, day=day)
    subject = replace(its.subject, server_info={"name": name, "version": f"{day}"})
    summary = replace(its.summary, outcome=outcome)
    about = ServerDetails(command=["node", f"{name}-100%.js"])
    its = replace(its, subject=subject, summary=summary)
    record(store, new_run(named(name, about), its))


@pytest.fixture
def listed(store: Store) -> Store:
    """Four servers, of which each is the first in another order."""
    ran(store, "beta", day=1, outcome="fail", errors=1)
    ran(store, "Alpha", day=2, outcome="pass")
    ran(store, "delta", day=3, outcome="incomplete", errors=5)
    ran(store, "gamma", day=4, outcome="pass", errors=2)
    return store


def asked(store: Store, **wanted: object) -> ListedServers:
    with store.reading() as connection:
        return listed_servers(connection, ServerFilter(**wanted))  # type: ignore[arg-type]


def names(store: Store, **wanted: object) -> list[str]:
    return [one.name for one in asked(store, **wanted).servers]


def test_each_order_has_its_own_first(listed: Store) -> None:
    assert names(listed) == ["beta", "delta", "Alpha", "gamma"]
    assert names(listed, order="errors") == ["delta", "gamma", "beta", "Alpha"]
    assert names(listed, order="latest") == ["gamma", "delta", "Alpha", "beta"]
    assert sorted(names(listed, order="name")) == ["Alpha", "beta", "delta", "gamma"]


def test_servers_are_found_by_name_and_by_outcome(listed: Store) -> None:
    ran(listed, "100%_sure", day=5)
    assert names(listed, text="ALPHA") == ["Alpha"]
    assert names(listed, text="0%_S") == ["100%_sure"]
    assert names(listed, text="0_") == names(listed, text="%s") == names(listed, text="node") == []
    assert names(listed, outcome="pass", order="errors") == ["gamma", "100%_sure", "Alpha"]
    found = asked(listed, text="ta", outcome="fail")
    assert [one.name for one in found.servers] == ["beta"]
    assert found.by_outcome == {"fail": 1, "incomplete": 1}


def test_a_server_tells_of_its_latest_run(listed: Store) -> None:
    ran(listed, "beta", day=5, outcome="pass")
    (beta,) = asked(listed, text="beta").servers
    assert (beta.runs, beta.outcome, beta.open_errors, beta.version) == (2, "pass", 0, "5")
    assert beta.trend == [("fail", 1, 0), ("pass", 0, 0)]
    assert beta.last is not None
    assert beta.last.tools == {"fully_working": 1}


def test_a_run_that_is_told_later_changes_only_what_is_open(listed: Store) -> None:
    its = a_report(finding(key=77), day=-9)
    record(listed, replace(new_run(named("gamma"), its), is_live=False))
    (gamma,) = asked(listed, text="gamma").servers
    assert (gamma.runs, gamma.outcome, gamma.open_errors) == (2, "pass", 2)


def test_merged_servers_are_told_as_one(listed: Store) -> None:
    with listed.writing() as connection:
        merge(connection, 4, 1)
    (beta,) = asked(listed, text="beta").servers
    assert (beta.runs, beta.outcome, beta.version) == (2, "pass", "4")
    assert names(listed, text="gamma") == []


def test_pages_go_on_where_the_one_before_ended(store: Store) -> None:
    for number in range(PAGE + 2):
        remember(store, identity=named(f"server {number:03}"))
    first, second = asked(store, order="name"), asked(store, order="name", page=2)
    assert (first.page, first.pages, len(first.servers)) == (1, 2, PAGE)
    assert [one.name for one in second.servers] == ["server 050", "server 051"]
    assert asked(store, order="name", page=99) == second
    assert asked(store, order="name", page=-3) == first


def test_an_empty_history_has_one_empty_page(store: Store) -> None:
    assert asked(store) == ListedServers(servers=[], page=1, pages=1, by_outcome={})
