"""Many tasks, wherever they are run: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.engine.choice import opened_engine
    from mcp_assay.engine.tasks import MOST_RUNS, EngineUnavailable, TaskDone, TaskEngine, TaskLost

__all__ = ["MOST_RUNS", "EngineUnavailable", "TaskDone", "TaskEngine", "TaskLost", "opened_engine"]

__getattr__ = lazy_names(
    __name__,
    {
        "MOST_RUNS": "engine.tasks",
        "TaskDone": "engine.tasks",
        "TaskEngine": "engine.tasks",
        "EngineUnavailable": "engine.tasks",
        "TaskLost": "engine.tasks",
        "opened_engine": "engine.choice",
    },
)


def __dir__() -> list[str]:
    return __all__
