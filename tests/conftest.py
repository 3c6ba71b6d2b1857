"""What all tests share: property tests draw the same examples on every machine, busy or not."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from tests.kinds import (
    LIVE,
    ONE_IN,
    SLOW,
    is_under,
    no_process,
    sampled_place,
    slow_place,
    stays_together,
    unknown_samples,
)

pytest_plugins = ["pytester"]

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")


def _heed_signals() -> None:
    """Heed what a shell lets jobs in the background ignore, so that programs under test do too."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            is_interrupt = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if is_interrupt else signal.SIG_DFL)


_heed_signals()


HERE: Final = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is live and what is slow, by the tables of tests/kinds.py."""
    ids: dict[str, set[str]] = {}
    alike = Counter[str]()
    paths = {path: path.relative_to(HERE).as_posix() for path in {item.path for item in items}}
    for item in items:
        path = paths[item.path]
        function = getattr(item, "originalname", item.name)
        if place := slow_place(path, function):
            ids.setdefault(place, set()).add(_parameters(item))
            if _parameters(item) not in SLOW[place]:
                item.add_marker(pytest.mark.slow)
        elif place := sampled_place(path, function):
            if alike[place] % ONE_IN[place]:
                item.add_marker(pytest.mark.slow)
            alike[place] += 1
        if is_under(path, LIVE):
            item.add_marker(pytest.mark.live)
    items.sort(key=lambda item: item.get_closest_marker("live") is None)  # the longest first
    unknown = [] if any("::" in word for word in config.args) else unknown_samples(ids)
    if unknown:
        raise pytest.UsageError(f"tests/kinds.py names what does not exist: {unknown}")


def _parameters(item: pytest.Item) -> str:
    """The id of the parameters of a test, "" where it has none."""
    return item.name.partition("[")[2].removesuffix("]")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each live test to whoever is free, and all tests of a file that stays together to one.

    The marker for that, xdist_group, is without effect in pytest 9.2.
    """
    base: Any = import_module("xdist.scheduler").LoadScopeScheduling  # only who has it is here

    class FilesOrTests(base):  # type: ignore[misc]  # it has no types
        """What goes to one worker: a test, or a file that stays together."""

        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.partition("::")[0].removeprefix(f"{HERE.name}/")
            return path if stays_together(path) else nodeid

    config.option.loadscopereorder = False  # the order of the collection, not by numbers of tests
    return FilesOrTests(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Hold quick tests to starting nothing."""
    if item.get_closest_marker("live") is not None or not item.path.is_relative_to(HERE):
        return (yield)
    with no_process():
        return (yield)
