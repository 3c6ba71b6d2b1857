"""`python -m mcp_assay` is the command `mcp-assay`."""

from __future__ import annotations

import sys

from mcp_assay.cli.main import main

sys.exit(main())
