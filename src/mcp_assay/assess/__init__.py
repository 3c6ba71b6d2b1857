"""An assessment: a server -> its lists, permissions, probes, reads, calls -> the report on them."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.assess.assessment import Assessment, NoSuchTool, NotReached, assess
    from mcp_assay.assess.options import AssessOptions

__all__ = [
    "AssessOptions",
    "Assessment",
    "NoSuchTool",
    "NotReached",
    "assess",
]

__getattr__ = lazy_names(
    __name__,
    {
        "AssessOptions": "assess.options",
        "Assessment": "assess.assessment",
        "NoSuchTool": "assess.assessment",
        "NotReached": "assess.assessment",
        "assess": "assess.assessment",
    },
)


def __dir__() -> list[str]:
    return __all__
