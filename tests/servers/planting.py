"""How a server enters the catalogue: what is planted in it, and where that must show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar


class Runs(Protocol):
    """Anything that serves until it is done and gives back its exit code."""

    def run(self) -> int:
        """Serve."""


class Planted(NamedTuple):
    """A server of the catalogue: one truth, and how an assessment must tell it."""

    name: str
    family: str
    truth: str
    make: Callable[[], Runs]
    rules: tuple[str, ...]
    """Rules that must be among the findings."""
    tools: Mapping[str, str]
    """The status that tools must get."""
    exit_code: int | None
    """How `mcp-assay assess` must end; None where that depends on severities alone."""
    options: tuple[str, ...]
    """What the command line needs beyond the server, so that the truth can show."""
    limits: bool
    """Whether a limit must be said to have cut something."""
    correct: bool
    """Whether no finding may be an error."""
    spared: tuple[str, ...]
    """Rules that must not be among the findings."""
    over_http: bool


Maker = TypeVar("Maker", bound=Callable[[], Runs])


class Family:
    """Servers of one kind, in the order in which they were planted."""

    def __init__(self, name: str, over_http: bool = False) -> None:
        self.name, self.over_http = name, over_http
        self.servers: dict[str, Planted] = {}

    def plant(
        self, name: str, truth: str, *rules: str, **expected: Any
    ) -> Callable[[Maker], Maker]:
        """Register what makes a server, under the name of its truth."""

        def register(make: Maker) -> Maker:
            self.add(name, truth, make, *rules, **expected)
            return make

        return register

    def add(
        self,
        name: str,
        truth: str,
        make: Callable[[], Runs],
        *rules: str,
        tools: Mapping[str, str] | None = None,
        exit_code: int | None = None,
        options: tuple[str, ...] = (),
        limits: bool = False,
        correct: bool = False,
        spared: tuple[str, ...] = (),
    ) -> None:
        """Register a server."""
        assert name not in self.servers, f"{name} is planted twice"
        self.servers[name] = Planted(
            name=name,
            family=self.name,
            truth=truth,
            make=make,
            rules=rules,
            tools=tools or {},
            exit_code=exit_code,
            options=options,
            limits=limits,
            correct=correct,
            spared=spared,
            over_http=self.over_http,
        )
