"""Servers of the catalogue, assessed one after the other by one process.

`python -m tests.assess.in_a_row NAME…` prints each report, and after it a line with its exit code.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable

from mcp_assay.cli.main import main
from tests.assess.running import command_of
from tests.assess.weighed import QUICK, ROOT
from tests.patience import LONGEST
from tests.servers.catalogue import named

REPORTED = re.compile(r"(\{\n.*?\n\}\n)exit (\d+) of (\S+)\n", re.DOTALL)


def reports_of(all_names: Iterable[tuple[str, ...]]) -> list[dict[str, tuple[str, str]]]:
    """The reports and exit codes by the servers' names, of several processes at once."""
    running = [
        subprocess.Popen(
            (sys.executable, "-m", "tests.assess.in_a_row", *names),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for names in all_names
    ]
    said = [process.communicate(timeout=LONGEST)[0] for process in running]
    return [{name: (out, code) for out, code, name in REPORTED.findall(one)} for one in said]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        planted = named(name)
        code = main(["assess", *QUICK, *planted.options, "--", *command_of(planted)])
        print(f"exit {code} of {name}", flush=True)
