"""`python -m mcp_assay` is the command `mcp-assay`."""

from __future__ import annotations

import sys

from mcp_assay.cli.main import main

if __name__ == "__main__":  # worker processes import this module, and are no command
    sys.exit(main())
