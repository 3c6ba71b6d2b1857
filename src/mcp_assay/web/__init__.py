"""Pages to look at: servers over time, runs, and what is running; served to browsers from here."""

from __future__ import annotations

from mcp_assay import lazy_names

TYPE_CHECKING = False  # what typing's constant is, without the cost of importing typing
if TYPE_CHECKING:
    from mcp_assay.web.application import make_application
    from mcp_assay.web.serving import WebOptions, serve
    from mcp_assay.web.settings import WebSettings

__all__ = [
    "WebOptions",
    "WebSettings",
    "make_application",
    "serve",
]

__getattr__ = lazy_names(
    __name__,
    {
        "WebOptions": "web.serving",
        "WebSettings": "web.settings",
        "make_application": "web.application",
        "serve": "web.serving",
    },
)


def __dir__() -> list[str]:
    return __all__
