"""Whether disposable worlds can be made here: tests that need one say so and skip without."""

from __future__ import annotations

import pytest

from mcp_assay.client.sandbox.availability import try_backends
from mcp_assay.client.sandbox.refusal import NoSandbox


def why_no_world() -> str:
    """Why no world can be made, "" where one can."""
    try:
        try_backends().required()
    except NoSandbox as refusal:
        return str(refusal)
    return ""


@pytest.fixture
def world() -> None:
    """Skip the test where no world can be made."""
    if why := why_no_world():
        pytest.skip(why)
