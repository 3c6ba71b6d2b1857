"""Many processes write at once: no run is lost, and none is torn."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from sqlalchemy import func, select

from mcp_assay.history.location import located
from mcp_assay.history.questions import all_servers, findings_since
from mcp_assay.history.store import Store
from mcp_assay.history.tables import FINDING_RUN, RUN, TOOL_RUN
from tests.history.runs import at_day, stored_reports
from tests.history.writer import FINDINGS, SERVERS, TOOLS, expected_text
from tests.patience import LONGEST

WRITERS = 8
RUNS = 25


def test_nothing_is_lost_and_nothing_is_torn(url: str) -> None:
    command = [sys.executable, "-m", "tests.history.writer", url, str(RUNS)]
    writers = [
        subprocess.Popen([*command, str(number)], stderr=subprocess.PIPE)
        for number in range(WRITERS)
    ]
    endings = [(one.communicate(timeout=LONGEST)[1], one.returncode) for one in writers]
    assert endings == [(b"", 0)] * WRITERS
    store = Store(located(url))
    texts = Counter(report.findings[0].message for report in stored_reports(store))
    expected = {expected_text(n, run) for n in range(WRITERS) for run in range(RUNS)}
    assert texts == dict.fromkeys(expected, 1)
    with store.reading() as connection:
        servers = all_servers(connection).servers
        sequences = connection.execute(select(RUN.c.server_id, RUN.c.sequence)).all()
        counts = {
            table: connection.execute(select(func.count()).select_from(table)).scalar()
            for table in (RUN, TOOL_RUN, FINDING_RUN)
        }
        found = findings_since(connection, at_day(0), most=1000)
    store.close()
    assert sum(one.runs for one in servers) == WRITERS * RUNS
    assert len(servers) == SERVERS
    assert len(set(sequences)) == WRITERS * RUNS
    assert counts == {
        RUN: WRITERS * RUNS,
        TOOL_RUN: WRITERS * RUNS * TOOLS,
        FINDING_RUN: WRITERS * RUNS * FINDINGS,
    }
    assert sum(it.runs for it in found.new) == WRITERS * RUNS * FINDINGS
