"""What the pytest plugin costs: where it is used, and where it is only installed."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Final

from bench import bars, child
from bench.tables import table
from bench.timing import BASELINE, Figure, Run, in_turns
from mcp_assay.contracts.checks import all_checks
from mcp_assay.contracts.requested import target_of
from mcp_assay.contracts.server_fixture import ServerFixture
from mcp_assay.contracts.settings import ContractSettings
from mcp_assay.responses import Judge

ROUNDS: Final = 9
SERVER: Final = "python -m bench.hundred_tools"
NOT_INSTALLED: Final = "pytest, plugin blocked"
INSTALLED: Final = "pytest, plugin installed"
STARTING: Final = "start of a server, list of 100 tools"
COLLECTING: Final = "its checks, collected"


def plugin(folder: Path) -> tuple[str, dict[str, Any]]:
    """The table of what the plugin costs, and the same as figures."""
    starting, collecting, checks = _collection()
    ratio = Figure.of(two / one for one, two in zip(starting, collecting, strict=True))
    unused = _unused(folder)
    rows = [
        [STARTING, f"{Figure.of(starting).median * 1000:.0f}", "1.00", "", ""],
        [f"{COLLECTING}: {checks:,}", f"{Figure.of(collecting).median * 1000:.0f}", str(ratio),
         bars.COLLECTION.words(), bars.COLLECTION.verdict(ratio.median)],
        *_unused_rows(unused),
    ]  # fmt: skip
    figures = {
        "collection": {"checks": checks, "ratio": ratio._asdict()},
        **{name: measured.figures() for name, measured in unused.items()},
    }
    return table(
        ["pytest plugin", "ms", "times (lowest-highest)", "promised", "seen"], rows
    ), figures


def _collection() -> tuple[list[float], list[float], int]:
    """Seconds by the clock to start a server and list its tools, and to collect its checks."""
    starting, collecting, count = list[float](), list[float](), 0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        fixture = ServerFixture(target_of(SERVER, "."), ContractSettings(), _judge)
        opened = time.perf_counter()
        server = fixture.under_test(
            fixture.tools, fixture.recorder, reset=lambda _: None, given=(), contract=None
        )
        count = len(list(all_checks(server)))
        starting.append(opened - began)
        collecting.append(time.perf_counter() - opened)
        fixture.close()
    return starting, collecting, count


def _judge(worker: Any, in_world: bool) -> Any:
    return Judge(worker=worker).validate_response


def _unused(folder: Path) -> dict[str, Any]:
    """CPU time of a run with one small test that does not use the plugin."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pytest.ini").write_text("[pytest]\n")
    test = folder / "test_nothing.py"
    test.write_text("def test_nothing():\n    pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    measured = in_turns(
        _running([*command, "-p", "no:mcp-assay"]), {INSTALLED: _running(command)}, ROUNDS
    )
    return {NOT_INSTALLED: measured[BASELINE], INSTALLED: measured[INSTALLED]}


def _unused_rows(measured: dict[str, Any]) -> list[list[str]]:
    bar = bars.PLUGIN_UNUSED
    without, unused = measured[NOT_INSTALLED], measured[INSTALLED]
    return [
        [NOT_INSTALLED, f"{without.seconds.median * 1000:.0f}", "1.00", "", ""],
        [INSTALLED, f"{unused.seconds.median * 1000:.0f}", str(unused.ratio), bar.words(),
         bar.verdict(unused.ratio.median)],
    ]  # fmt: skip


def _running(command: list[str]) -> Run:
    def run() -> float:
        used = child.run(command)
        if used.code != 0:
            raise RuntimeError(f"{' '.join(command)} ended with exit code {used.code}")
        return used.seconds

    return run
