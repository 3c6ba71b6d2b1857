"""The process for schemas that may take too long: nothing of it is loaded before one comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mcp_assay.client.deadline import Deadline
    from mcp_assay.client.schema_worker import SchemaWorker
    from mcp_assay.schema.messages import SchemaVerdict


class LateWorker:
    """Checks values against wild schemas in a process that is started for the first of them."""

    def __init__(self, deadline: Deadline | None = None) -> None:
        self._deadline: Final = deadline
        self._worker: SchemaWorker | None = None

    def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
        """Check a value against a schema, both as JSON texts; never raises."""
        return self._started().check(schema, value)

    def covers(self, larger: bytes, smaller: bytes) -> SchemaVerdict:
        """Whether a schema admits all that another admits; never raises."""
        return self._started().covers(larger, smaller)

    def _started(self) -> SchemaWorker:
        if self._worker is None:
            from mcp_assay.client.schema_worker import SchemaWorker  # noqa: PLC0415  seldom needed

            self._worker = SchemaWorker(deadline=self._deadline)
        return self._worker

    def close(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            self._worker.close()
